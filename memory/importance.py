"""Importance: how much a memory is worth for future teaching, fixed when it is written.

It knows nothing of queries (relevance) and of what may be kept (policy).
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from memory.errors import ImportanceAnswerError
from memory.language_model import LanguageModel, parse_checked
from memory.prompts.importance import (
    ImportanceAssessmentResult,
    ImportanceTask,
    importance_messages,
)
from memory.records import MemoryCandidate, ScoredMemoryCandidate

MIN_IMPORTANCE_SCORE = 1
MAX_IMPORTANCE_SCORE = 5
DEFAULT_IMPORTANCE_SCORE = 3
"""Stands for "not scored", and is shown as such."""


def find_importance_score(metadata: Mapping[str, object]) -> int | None:
    """Return the score in a record's metadata, or None where there is no valid one.

    Valid is a whole number from 1 to 5: 2.0 counts, True and "4" do not.
    """
    value = metadata.get("importance_score")
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if value not in range(MIN_IMPORTANCE_SCORE, MAX_IMPORTANCE_SCORE + 1):
        return None
    return int(value)


def read_importance_score(metadata: Mapping[str, object]) -> int:
    """Return the score in a record's metadata, 1..5, or ``DEFAULT_IMPORTANCE_SCORE``."""
    score = find_importance_score(metadata)
    return DEFAULT_IMPORTANCE_SCORE if score is None else score


def normalize_importance(score: int) -> float:
    """Map an importance of 1..5 to 0..1, evenly: (score - 1) / 4."""
    return (score - MIN_IMPORTANCE_SCORE) / (MAX_IMPORTANCE_SCORE - MIN_IMPORTANCE_SCORE)


async def score_memory_importance(
    candidates: Sequence[MemoryCandidate], *, model: LanguageModel, product_scope: str
) -> tuple[list[ScoredMemoryCandidate], int]:
    """Score all candidates in one call; return them in their order, and the tokens it took.

    No candidate, no call. Raises ``ImportanceAnswerError`` where, asked twice, the model leaves an
    index out, repeats one or makes one up: a memory is never silently lost.
    """
    if not candidates:
        return [], 0
    tasks = [
        ImportanceTask(candidate_index=index, content=item.content, memory_type=item.memory_type)
        for index, item in enumerate(candidates)
    ]
    answer, usage = await parse_checked(
        model,
        importance_messages(tasks, product_scope=product_scope),
        ImportanceAssessmentResult,
        purpose="importance",
        check=lambda result: check_indexes(result, expected=len(candidates)),
    )
    scores = {item.candidate_index: item.importance_score for item in answer.assessments}
    scored = [
        ScoredMemoryCandidate(
            content=candidate.content,
            memory_type=candidate.memory_type,
            importance_score=scores[index],
            evidence=candidate.evidence,
        )
        for index, candidate in enumerate(candidates)
    ]
    return scored, usage.total_tokens


def check_indexes(result: ImportanceAssessmentResult, *, expected: int) -> None:
    """Raise ``ImportanceAnswerError`` unless each index below ``expected`` is there once."""
    counts = Counter(item.candidate_index for item in result.assessments)
    faults = {
        "missing": [index for index in range(expected) if index not in counts],
        "unknown": sorted(index for index in counts if index >= expected),
        "duplicate": sorted(index for index, count in counts.items() if count > 1),
    }
    found = ", ".join(f"{fault} index {indexes}" for fault, indexes in faults.items() if indexes)
    if found:
        raise ImportanceAnswerError(f"expected each index of 0..{expected - 1} once, found {found}")
