"""Turning text into vectors: what an embedder promises, and the one function that checks it."""

from collections.abc import Sequence
from typing import Literal, Protocol

from memory.calibration import Calibration
from memory.errors import EmbeddingAnswerError

Vector = tuple[float, ...]
TextRole = Literal["passage", "query"]


class Embedder(Protocol):
    """A text embedding model together with what its cosines mean."""

    @property
    def fingerprint(self) -> str:
        """Names model, version and treatment: equal fingerprints make comparable vectors."""
        ...

    @property
    def dimensions(self) -> int:
        """The length of every vector."""
        ...

    @property
    def calibration(self) -> Calibration:
        """Maps this embedder's cosine similarity to relevance in 0..1."""
        ...

    async def embed(self, texts: Sequence[str], *, role: TextRole) -> tuple[Sequence[Vector], int]:
        """Return one vector of unit length for each text, in order, and the tokens they cost.

        ``role`` says whether the texts are kept (passage) or searched with (query): some models
        treat them differently. Raises ``ModelError``.
        """
        ...


async def create_embeddings(
    texts: Sequence[str], *, embedder: Embedder, role: TextRole = "passage"
) -> tuple[list[Vector], int]:
    """Embed ``texts``; return one vector of ``embedder.dimensions`` floats each, and the tokens.

    No text, no call. Raises ``EmbeddingAnswerError`` where the number of vectors differs from the
    number of texts, or a vector's length from the embedder's dimensions.
    """
    if not texts:
        return [], 0
    vectors, tokens = await embedder.embed(texts, role=role)
    if len(vectors) != len(texts):
        raise EmbeddingAnswerError(f"expected {len(texts)} vectors, found {len(vectors)}")
    for index, vector in enumerate(vectors):
        if len(vector) != embedder.dimensions:
            raise EmbeddingAnswerError(
                f"expected vectors of {embedder.dimensions} dimensions, "
                f"found {len(vector)} at index {index}",
            )
    return list(vectors), tokens
