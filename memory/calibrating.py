"""Fitting a calibration: on one half of the invented learners, judged on the other.

The sets are in ``calibrations``: a broad background in both languages, and learners with memories
and queries, of which some fit nothing. Fitting is deterministic.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Literal

import numpy as np
import yaml
from numpy.typing import NDArray

from memory.calibration import Calibration, Treatment, Vectors
from memory.embedder import Embedder, create_embeddings
from memory.records import Record

TUNING, REPORTING = "tuning", "reporting"
Half = Literal["tuning", "reporting"]

THRESHOLD_RELEVANCE = 0.45
"""The best separating cosine is mapped to it: the default ``retrieval.min_score``."""
DIRECTIONS = 2
"""How many directions a treatment takes out. Of 0 to 4, two kept off-topic queries out best."""
DIGITS = 6


class LabelledQuery(Record):
    """A query, and which of the learner's memories fit it; none for one that is off topic."""

    text: str
    fits: tuple[int, ...]


class LabelledLearner(Record):
    """An invented learner."""

    name: str
    half: Half
    memories: tuple[str, ...]
    queries: tuple[LabelledQuery, ...]


class LabelledSet(Record):
    """All learners, and queries that are off topic for each of them."""

    off_topic: tuple[str, ...]
    learners: tuple[LabelledLearner, ...]


@dataclass(frozen=True, slots=True)
class Judged:
    """One query against one learner's memories."""

    cosines: NDArray[np.float64]
    fits: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """How well a calibration does on one half, 0..1 each."""

    half: str
    queries: int
    off_topic_queries: int
    recall_at_1: float
    recall_at_3: float
    right_kept: float
    """Queries whose best right memory passes the threshold."""
    off_topic_empty: float
    """Off-topic queries for which nothing passes it."""


def _lines(name: str) -> list[str]:
    text = resources.files("memory.calibrations").joinpath(name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line.strip()]


def read_background() -> tuple[list[str], list[str]]:
    """Return the general passages and the general queries."""
    return _lines("background_passages.txt"), _lines("background_queries.txt")


def read_labelled() -> LabelledSet:
    """Return the labelled learners."""
    file = resources.files("memory.calibrations").joinpath("labelled.yaml")
    return LabelledSet.model_validate(yaml.safe_load(file.read_text(encoding="utf-8")))


def fit_treatment(
    passages: Vectors, queries: Vectors, *, directions: int = DIRECTIONS
) -> Treatment:
    """Fit a treatment on a model's own vectors of the background, (texts, dimensions) each."""
    passage_mean, query_mean = passages.mean(axis=0), queries.mean(axis=0)
    centred = np.vstack([passages - passage_mean, queries - query_mean]).astype(np.float64)
    _, _, axes = np.linalg.svd(centred, full_matrices=False)
    return Treatment(
        passage_mean=_rounded(passage_mean),
        query_mean=_rounded(query_mean),
        directions=tuple(_rounded(_signed(axis)) for axis in axes[:directions]),
    )


def _signed(axis: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give an axis the sign that makes its largest part positive: the other is the same axis."""
    return axis if axis[np.argmax(np.abs(axis))] > 0 else -axis


def _rounded(values: Iterable[float]) -> tuple[float, ...]:
    return tuple(round(float(value), DIGITS) for value in values)


async def judge(embedder: Embedder, labelled: LabelledSet, half: Half) -> list[Judged]:
    """Embed one half of the learners and compare each query with its learner's memories."""
    off_topic = [LabelledQuery(text=text, fits=()) for text in labelled.off_topic]
    judged: list[Judged] = []
    for learner in labelled.learners:
        if learner.half != half:
            continue
        queries = [*learner.queries, *off_topic]
        memories, _ = await create_embeddings(learner.memories, embedder=embedder)
        vectors, _ = await create_embeddings(
            [query.text for query in queries], embedder=embedder, role="query"
        )
        cosines = np.array(vectors) @ np.array(memories).T
        judged += [Judged(row, query.fits) for row, query in zip(cosines, queries, strict=True)]
    return judged


def fit_calibration(judged: Sequence[Judged], *, fitted_on: str) -> Calibration:
    """Fit the map: 0 where the off-topic best usually is, 1 where the best right ones are.

    Between them ``THRESHOLD_RELEVANCE`` stands at the cosine that separates best: the middle of
    the gap with the least share of right memories lost plus off-topic queries answered.
    """
    right = np.array([max(item.cosines[list(item.fits)]) for item in judged if item.fits])
    off_topic = np.array([item.cosines.max() for item in judged if not item.fits])
    low, high = float(np.median(off_topic)), float(np.quantile(right, 0.95))
    threshold = _best_threshold(right, off_topic)
    points = ((low, 0.0), (threshold, THRESHOLD_RELEVANCE), (high, 1.0))
    return Calibration(
        points=tuple((round(cosine, 4), relevance) for cosine, relevance in points),
        fitted_on=fitted_on,
    )


def _best_threshold(right: NDArray[np.float64], off_topic: NDArray[np.float64]) -> float:
    edges = np.unique(np.concatenate([right, off_topic]))
    middles = (edges[:-1] + edges[1:]) / 2
    costs = [float((right < middle).mean() + (off_topic >= middle).mean()) for middle in middles]
    return float(middles[int(np.argmin(costs))])


def report(judged: Sequence[Judged], calibration: Calibration, half: Half) -> Report:
    """Judge a calibration at the threshold it was made for."""
    answered = [item for item in judged if item.fits]
    off_topic = [item for item in judged if not item.fits]
    return Report(
        half=half,
        queries=len(answered),
        off_topic_queries=len(off_topic),
        recall_at_1=_mean(_recall(item, 1) for item in answered),
        recall_at_3=_mean(_recall(item, 3) for item in answered),
        right_kept=_mean(
            _passes(max(item.cosines[list(item.fits)]), calibration) for item in answered
        ),
        off_topic_empty=_mean(not _passes(item.cosines.max(), calibration) for item in off_topic),
    )


def _recall(item: Judged, k: int) -> float:
    first = set(np.argsort(-item.cosines)[:k].tolist())
    return len(first & set(item.fits)) / min(k, len(item.fits))


def _passes(cosine: float, calibration: Calibration) -> bool:
    return calibration.relevance(float(cosine)) >= THRESHOLD_RELEVANCE


def _mean(values: Iterable[float]) -> float:
    return float(np.mean(list(values)))
