"""The only door into the store, for every platform and every source."""

from collections.abc import Callable, Sequence

from memory.clock import Clock
from memory.embedder import Embedder, create_embeddings
from memory.importance import score_memory_importance
from memory.language_model import LanguageModel
from memory.records import (
    PRIVATE_SCOPE,
    EmbeddedMemoryCandidate,
    MemoryCandidate,
    MemorySource,
    StoredMemory,
)
from memory.sameness import statement_key
from memory.store import LongTermMemoryStore


async def store_accepted_memories(
    candidates: Sequence[MemoryCandidate],
    source: MemorySource,
    *,
    model: LanguageModel,
    embedder: Embedder,
    store: LongTermMemoryStore,
    clock: Clock,
    new_id: Callable[[], str],
    product_scope: str,
    replaces: str | None = None,
) -> tuple[list[str], int]:
    """Score, embed and add what the policy accepted, each once.

    Returns the id of each candidate's memory, in order, and all tokens it took. A text the person
    already has in the same scope is not written again: its id is returned, and it costs nothing.
    No candidate, no call.
    ``replaces`` is the id of a memory whose place the first of them takes.
    """
    if not candidates:
        return [], 0
    stored = [item for item in await store.list_all() if item.memory_id != replaces]
    ids = {_sameness(item): item.memory_id for item in stored}
    fresh = {_sameness(item): item for item in candidates if _sameness(item) not in ids}
    scored, importance_tokens = await score_memory_importance(
        list(fresh.values()), model=model, product_scope=product_scope
    )
    vectors, embedding_tokens = await create_embeddings(
        [item.content for item in scored], embedder=embedder
    )
    embedded = [
        EmbeddedMemoryCandidate(**dict(item), embedding=vector)
        for item, vector in zip(scored, vectors, strict=True)
    ]
    free_ids = [] if replaces is None else [replaces]
    new_ids = {key: free_ids.pop() if free_ids else new_id() for key in fresh}
    await store.add(
        embedded, memory_ids=list(new_ids.values()), source=source, created_at=clock.now()
    )
    ids |= new_ids
    return [ids[_sameness(item)] for item in candidates], importance_tokens + embedding_tokens


def _sameness(memory: MemoryCandidate | StoredMemory) -> tuple[str, str]:
    """Return what makes two memories the same: where they were made, and their words."""
    scope = memory.evidence.scope if memory.evidence else PRIVATE_SCOPE
    return scope, statement_key(memory.content)
