"""Retrieval: which few memories fit a query, and in which order.

Relevance has the first word (the threshold) and importance the second (the order): a very important
memory that has nothing to do with the query never gets in. The vector database ranks nothing here.
"""

from collections.abc import Sequence
from typing import Literal

from memory.embedder import Embedder, create_embeddings
from memory.importance import normalize_importance
from memory.records import MemorySearchResult, Record
from memory.settings import RetrievalSettings, RetrievalWeights
from memory.store import LongTermMemoryStore

DEFAULT_SEARCH_RESULTS = 5
DEFAULT_WEIGHTS = RetrievalWeights()

Outcome = Literal["used", "below_threshold", "over_limit"]


class ConsideredMemory(Record):
    """One candidate of a retrieval, and what became of it."""

    memory: MemorySearchResult
    retrieval_score: float | None
    """0..1; None below the threshold, where nothing is ranked."""
    outcome: Outcome


def calculate_retrieval_score(
    result: MemorySearchResult, weights: RetrievalWeights = DEFAULT_WEIGHTS
) -> float:
    """Return the weighted sum of relevance and importance, 0..1.

    The sum of Park et al. 2023, "Generative Agents", section 4.1, with relevance clamped to 0..1
    and importance mapped to 0..1; recency is not counted.
    """
    relevance = min(max(result.score, 0.0), 1.0)
    return weights.relevance * relevance + weights.importance * normalize_importance(
        result.importance_score
    )


def rank_memories(
    candidates: Sequence[MemorySearchResult], settings: RetrievalSettings
) -> list[ConsideredMemory]:
    """Judge every candidate: threshold on relevance, then rank, then limit.

    Returns the used ones first, best first, then those over the limit, then those below the
    threshold by relevance. Equal scores keep the candidates' order.
    """
    relevant = [item for item in candidates if item.score >= settings.min_score]
    scored = [(calculate_retrieval_score(item, settings.weights), item) for item in relevant]
    scored.sort(key=lambda pair: pair[0], reverse=True)
    ranked = [
        ConsideredMemory(
            memory=item,
            retrieval_score=score,
            outcome="used" if place < settings.limit else "over_limit",
        )
        for place, (score, item) in enumerate(scored)
    ]
    unrelated = [item for item in candidates if item.score < settings.min_score]
    unrelated.sort(key=lambda item: item.score, reverse=True)
    return ranked + [
        ConsideredMemory(memory=item, retrieval_score=None, outcome="below_threshold")
        for item in unrelated
    ]


async def semantic_search(
    query: str,
    top_k: int = DEFAULT_SEARCH_RESULTS,
    *,
    embedder: Embedder,
    store: LongTermMemoryStore,
    scope: str | None = None,
) -> tuple[list[MemorySearchResult], int]:
    """Return the ``top_k`` nearest memories, nearest first, and the tokens of the query.

    ``scope`` limits the search to memories made there; None searches all. An empty query, or a
    person without memories, costs no call.
    """
    if not query.strip() or not await store.count():
        return [], 0
    (vector,), tokens = await create_embeddings([query], embedder=embedder, role="query")
    return await store.search(vector, top_k, scope=scope), tokens


async def consider_memories(
    query: str,
    *,
    embedder: Embedder,
    store: LongTermMemoryStore,
    settings: RetrievalSettings,
    scope: str | None = None,
) -> tuple[list[ConsideredMemory], int]:
    """Retrieve for one reply and keep the reasons: ``/why`` shows them."""
    candidates, tokens = await semantic_search(
        query, settings.candidate_k, embedder=embedder, store=store, scope=scope
    )
    return rank_memories(candidates, settings), tokens


async def retrieve_relevant_memories(
    query: str,
    *,
    embedder: Embedder,
    store: LongTermMemoryStore,
    settings: RetrievalSettings,
    scope: str | None = None,
) -> tuple[list[MemorySearchResult], int]:
    """Return the few memories that fit ``query``, best first, and the tokens it took."""
    considered, tokens = await consider_memories(
        query, embedder=embedder, store=store, settings=settings, scope=scope
    )
    return used_memories(considered), tokens


def used_memories(considered: Sequence[ConsideredMemory]) -> list[MemorySearchResult]:
    """Return the memories that a retrieval puts into the reply, best first."""
    return [item.memory for item in considered if item.outcome == "used"]
