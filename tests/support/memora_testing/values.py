"""Values that tests need many of."""

from collections.abc import Callable
from itertools import count

from memora_testing.clock import NOON
from memory.prompts.importance import ImportanceAssessment, ImportanceAssessmentResult
from memory.records import (
    EmbeddedMemoryCandidate,
    Evidence,
    MemoryCandidate,
    MemorySearchResult,
)

GOAL = "My goal is to reach IELTS 7 by June 2027."
FACTS = (
    GOAL,
    "I am preparing for a job interview at a bank.",
    "I find phrasal verbs difficult.",
    "Yesterday I gave my first English presentation.",
    "I like English songs.",
    "I want to practise small talk.",
    "I often confuse since and for.",
    "I work as a nurse.",
    "My English level is B1.",
    "I learn best with short examples.",
)


def counting_ids(prefix: str = "") -> Callable[[], str]:
    numbers = count(1)
    return lambda: f"{prefix}{next(numbers):0{32 - len(prefix)}x}"


def evidence(**changes: object) -> Evidence:
    return Evidence(**{"message_id": "m1", "quote": "words", "said_at": NOON, **changes})


def candidate(content: str = "I want to pass IELTS.", **changes: object) -> MemoryCandidate:
    values = {
        "memory_type": "semantic",
        "should_store": True,
        "policy_reason": "learning_goal",
        "evidence": evidence(quote=content),
    }
    return MemoryCandidate(content=content, **{**values, **changes})


def embedded(content: str, embedding: tuple[float, ...], **changes: object):
    values = {"memory_type": "semantic", "importance_score": 3, "evidence": evidence()}
    return EmbeddedMemoryCandidate(content=content, embedding=embedding, **{**values, **changes})


def search_result(**changes: object) -> MemorySearchResult:
    values = {
        "memory_id": "a",
        "content": "I want to pass IELTS.",
        "memory_type": "semantic",
        "importance_score": 3,
        "is_scored": True,
        "source": "automatic",
        "created_at": NOON,
        "evidence": None,
        "distance": 0.5,
        "score": 0.5,
    }
    return MemorySearchResult(**{**values, **changes})


def importance(*scores: int) -> ImportanceAssessmentResult:
    return ImportanceAssessmentResult(
        assessments=[
            ImportanceAssessment(candidate_index=index, importance_score=score)
            for index, score in enumerate(scores)
        ]
    )
