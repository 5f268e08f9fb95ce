"""Embeddings of OpenAI, or of a compatible server."""

from collections.abc import Iterator, Sequence

import numpy as np
from openai import AsyncOpenAI, omit
from openai.types import CreateEmbeddingResponse, Embedding

from memory.calibration import Calibration
from memory.embedder import TextRole, Vector
from memory.errors import EmbeddingAnswerError
from memory.openai_client import OPENAI_HOST, expect, host_of, openai_errors
from memory.tokens import estimate_tokens

MAX_BATCH_TEXTS = 256
"""OpenAI takes 2,048; smaller servers take fewer."""
MAX_BATCH_TOKENS = 100_000
"""Estimated; OpenAI takes 300,000."""
EMPTY_TEXT = "."
"""Sent in place of an empty text, which the API refuses."""
MODEL_DIMENSIONS = {
    "text-embedding-3-small": 1536,
    "text-embedding-3-large": 3072,
    "text-embedding-ada-002": 1536,
}


def fingerprint(client: AsyncOpenAI, model: str, dimensions: int) -> str:
    """Name server, model and dimensions: vectors of other servers are other vectors."""
    host = host_of(client)
    server = "openai" if host == OPENAI_HOST else host
    return f"{server}/{model}/{dimensions}"


class OpenAIEmbedder:
    """An ``Embedder`` over the Embeddings API; passages and queries are treated alike.

    ``shortens`` asks the server for vectors of ``dimensions``, which not every server understands.
    A text beyond the model's own limit (8,191 tokens at OpenAI) is refused by the server.
    """

    def __init__(
        self,
        client: AsyncOpenAI,
        model: str,
        *,
        dimensions: int,
        shortens: bool,
        calibration: Calibration,
    ) -> None:
        self._client = client
        self._model = model
        self._shortens = shortens
        self.dimensions = dimensions
        self.calibration = calibration

    @property
    def fingerprint(self) -> str:
        """Server, model and dimensions."""
        return fingerprint(self._client, self._model, self.dimensions)

    async def embed(
        self,
        texts: Sequence[str],
        *,
        role: TextRole,  # noqa: ARG002 (the port's)
    ) -> tuple[list[Vector], int]:
        """Embed in as few calls as the limits allow; see the port for what it raises."""
        vectors: list[Vector] = []
        tokens = 0
        for batch in batches(texts):
            with openai_errors(self._client, self._model):
                response = await self._client.embeddings.create(
                    model=self._model,
                    input=[text if text.strip() else EMPTY_TEXT for text in batch],
                    dimensions=self.dimensions if self._shortens else omit,
                    encoding_format="float",
                )
            vectors += _in_order(expect(response, CreateEmbeddingResponse), len(batch))
            tokens += (response.usage.total_tokens or 0) if response.usage else 0
        return vectors, tokens


def batches(texts: Sequence[str]) -> Iterator[list[str]]:
    """Yield ``texts`` in order, in groups within both limits; an over-long text goes alone."""
    batch: list[str] = []
    spent = 0
    for text in texts:
        cost = estimate_tokens(text)
        if batch and (len(batch) == MAX_BATCH_TEXTS or spent + cost > MAX_BATCH_TOKENS):
            yield batch
            batch, spent = [], 0
        batch.append(text)
        spent += cost
    if batch:
        yield batch


def _in_order(response: CreateEmbeddingResponse, expected: int) -> list[Vector]:
    """Return the vectors by their index, of unit length, whatever order they came in."""
    found = [item for item in response.data or () if isinstance(item, Embedding)]
    by_index = {item.index: item.embedding for item in found}
    if len(found) != expected or by_index.keys() != set(range(expected)):
        indexes = [item.index for item in found if isinstance(item.index, int)]
        raise EmbeddingAnswerError(f"expected indexes 0..{expected - 1}, found {sorted(indexes)}")
    return [_unit(by_index[index]) for index in range(expected)]


def _unit(vector: Sequence[float]) -> Vector:
    try:
        array = np.asarray(vector, dtype=np.float64)
    except (TypeError, ValueError):
        raise EmbeddingAnswerError("expected a vector of numbers, found other data") from None
    length = float(np.linalg.norm(array))
    if array.ndim != 1 or not np.isfinite(length) or length == 0:
        raise EmbeddingAnswerError("expected a vector with a direction, found none")
    return tuple((array / length).tolist())
