"""The settings of the memory system; their defaults exist here and nowhere else.

``bot.settings`` reads them from config.yaml and the environment; functions are given their section,
never the whole.
"""

from math import isclose
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, model_validator


class Section(BaseModel):
    """A part of the configuration: frozen, unknown keys refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class RetrievalWeights(Section):
    """How much each part of the retrieval score counts; together 1."""

    relevance: float = Field(default=0.8, ge=0, le=1)
    importance: float = Field(default=0.2, ge=0, le=1)

    @model_validator(mode="after")
    def _sum_to_one(self) -> Self:
        total = self.relevance + self.importance
        if not isclose(total, 1, abs_tol=1e-9):
            raise ValueError(f"must sum to 1, found {total:g}")
        return self


class RetrievalSettings(Section):
    """Which memories come into a reply."""

    candidate_k: int = Field(default=8, ge=1, le=100)
    limit: int = Field(default=3, ge=1, le=100)
    min_score: float = Field(default=0.45, ge=0, le=1)
    weights: RetrievalWeights = RetrievalWeights()

    @model_validator(mode="after")
    def _enough_candidates(self) -> Self:
        if self.limit > self.candidate_k:
            raise ValueError(
                f"limit must be at most candidate_k ({self.candidate_k}), found {self.limit}",
            )
        return self


class PolicySettings(Section):
    """What may be kept at all."""

    max_characters: int = Field(default=500, ge=20, le=2000)
    scope: str = Field(
        default=(
            "Helping one person learn English: their goals and exams, their level and progress, "
            "what they find hard, how they like to be taught, and the life, work, studies and "
            "plans in which they need the language."
        ),
        min_length=1,
        max_length=2000,
    )


class ShortTermSettings(Section):
    """How much of the conversation itself a reply sees."""

    max_tokens: int = Field(default=2000, ge=100, le=200_000)
    summary_words: int = Field(default=150, ge=20, le=1000)
    extraction_turns: int = Field(default=4, ge=0, le=20)
