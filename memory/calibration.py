"""Calibration: what an embedder's cosine similarity means as relevance.

Cosines of different models are not comparable (0.1..0.7 for one, 0.75..0.88 for another), so a
threshold means nothing until each embedder's are mapped to one scale.
"""

import hashlib
from functools import cached_property
from importlib import resources
from itertools import pairwise
from pathlib import Path
from typing import Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, ValidationError, model_validator

from memory.errors import ConfigError
from memory.records import Record

LOCAL_CALIBRATION = "local.json"

Vectors = NDArray[np.float32]


class Calibration(Record):
    """A monotone, piecewise linear map from cosine similarity (-1..1) to relevance (0..1)."""

    points: tuple[tuple[float, float], ...] = Field(min_length=2)
    """(cosine, relevance) pairs, both rising; beyond the ends relevance stays what it is there."""
    fitted_on: str
    """What the points were fitted on, for whoever reads ``memora doctor``."""

    @model_validator(mode="after")
    def _rising(self) -> Self:
        for (cosine, relevance), (next_cosine, next_relevance) in pairwise(self.points):
            if not (cosine < next_cosine and relevance <= next_relevance):
                raise ValueError(f"points must rise, found {self.points}")
        if self.points[0][1] < 0 or self.points[-1][1] > 1:
            raise ValueError(f"relevance must be within 0..1, found {self.points}")
        return self

    def relevance(self, cosine: float) -> float:
        """Return the relevance, 0..1, of two vectors with this cosine similarity."""
        cosines, relevances = zip(*self.points, strict=True)
        return float(np.interp(cosine, cosines, relevances))


class Treatment(Record):
    """What is done to a model's vectors before they are kept and compared.

    The mean of a background is subtracted, each role's own; then the directions along which the
    background varies most are taken out; then the length is made 1 again. Source: Mu and
    Viswanath 2018, "All-but-the-Top", ICLR.
    """

    passage_mean: tuple[float, ...]
    query_mean: tuple[float, ...]
    directions: tuple[tuple[float, ...], ...]
    """Orthogonal unit vectors, most varying first."""

    @property
    def dimensions(self) -> int:
        """The length of a vector, before and after."""
        return len(self.passage_mean)

    @cached_property
    def digest(self) -> str:
        """Names this treatment: vectors of another one are other vectors."""
        content = self.model_dump_json().encode()
        return hashlib.blake2b(content, digest_size=4).hexdigest()

    @cached_property
    def _arrays(self) -> tuple[Vectors, Vectors, Vectors]:
        directions = np.array(self.directions, np.float32).reshape(-1, self.dimensions)
        passage, query = (np.array(m, np.float32) for m in (self.passage_mean, self.query_mean))
        return passage, query, directions

    def apply(self, vectors: Vectors, role: Literal["passage", "query"]) -> Vectors:
        """Treat the rows of ``vectors``, (texts, dimensions); the rows returned have length 1."""
        passage_mean, query_mean, directions = self._arrays
        moved = vectors - (query_mean if role == "query" else passage_mean)
        moved = moved - (moved @ directions.T) @ directions
        lengths = np.linalg.norm(moved, axis=1, keepdims=True)
        return np.asarray(moved / np.maximum(lengths, np.finfo(np.float32).tiny), np.float32)


class CalibrationFile(Record):
    """A fitted calibration as it is written down, with the embedder it belongs to."""

    embedder: str
    """The embedder's fingerprint, or the model's name where a treatment makes the fingerprint."""
    calibration: Calibration
    treatment: Treatment | None = None


def read_local_calibration() -> tuple[Treatment, Calibration]:
    """Return what was fitted for the local embedder: it comes with the package.

    Raises ``ConfigError`` where the package's file was replaced by something else.
    """
    file = resources.files("memory.calibrations").joinpath(LOCAL_CALIBRATION)
    fitted = CalibrationFile.model_validate_json(file.read_text(encoding="utf-8"))
    if fitted.treatment is None:
        raise ConfigError(f"{LOCAL_CALIBRATION}: expected a treatment, found none")
    return fitted.treatment, fitted.calibration


def read_calibration(path: Path, *, embedder: str) -> Calibration:
    """Return the calibration in ``path`` if it belongs to ``embedder``, else a general one.

    Raises ``ConfigError`` for a file that cannot be read as one.
    """
    if not path.exists():
        return general_calibration(embedder)
    try:
        fitted = CalibrationFile.model_validate_json(path.read_text(encoding="utf-8"))
    except (ValidationError, OSError, UnicodeDecodeError):
        raise ConfigError(
            f"{path}: expected a calibration; delete it and run 'memora eval calibrate'"
        ) from None
    return fitted.calibration if fitted.embedder == embedder else general_calibration(embedder)


def general_calibration(embedder: str) -> Calibration:
    """Return what holds where nothing was fitted.

    text-embedding-3 spreads unrelated and related texts over about 0.1 to 0.7; unknown models are
    taken to do the same, which keeps more out rather than too much in.
    """
    return Calibration(
        points=((0.1, 0.0), (0.3, 0.45), (0.7, 1.0)),
        fitted_on=f"nothing yet for {embedder}: 'memora eval calibrate' fits it",
    )
