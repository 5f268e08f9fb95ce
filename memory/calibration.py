"""Calibration: what an embedder's cosine similarity means as relevance.

Cosines of different models are not comparable (0.1..0.7 for one, 0.75..0.88 for another), so a
threshold means nothing until each embedder's are mapped to one scale.
"""

from itertools import pairwise
from typing import Self

import numpy as np
from pydantic import Field, model_validator

from memory.records import Record


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
