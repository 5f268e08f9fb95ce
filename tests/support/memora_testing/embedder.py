"""An embedder that needs no model: texts with words in common are near each other."""

import hashlib
import math
import re
from collections.abc import Sequence

from memory.calibration import Calibration
from memory.embedder import TextRole, Vector

IDENTITY = Calibration(points=((0.0, 0.0), (1.0, 1.0)), fitted_on="nothing: cosines as they are")
_WORD = re.compile(r"[a-z0-9]+|[\u4e00-\u9fff]")


class HashingEmbedder:
    """Counts hashed words; unit vectors; one token a word."""

    def __init__(self, dimensions: int = 256, fingerprint: str = "hashing/256") -> None:
        self.dimensions = dimensions
        self.fingerprint = fingerprint
        self.calibration = IDENTITY
        self.calls: list[tuple[TextRole, tuple[str, ...]]] = []

    async def embed(self, texts: Sequence[str], *, role: TextRole) -> tuple[Sequence[Vector], int]:
        self.calls.append((role, tuple(texts)))
        words = [_WORD.findall(text.lower()) for text in texts]
        return [self.vector(group) for group in words], sum(map(len, words))

    def vector(self, words: Sequence[str]) -> Vector:
        counts = [0.0] * self.dimensions
        for word in words or ["nothing"]:
            digest = hashlib.blake2b(word.encode(), digest_size=4).digest()
            counts[int.from_bytes(digest) % self.dimensions] += 1.0
        length = math.hypot(*counts)
        return tuple(count / length for count in counts)
