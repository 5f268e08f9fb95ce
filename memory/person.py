"""One person's memory: the face that the bot sees. The write path stands here as its own steps."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from memory.clock import Clock
from memory.dates import write_out_days
from memory.embedder import Embedder
from memory.errors import AmbiguousMemoryIdError, MemoryNotFoundError
from memory.extraction import LearnerMessage, extract_memories
from memory.language_model import LanguageModel
from memory.policy import apply_memory_policy
from memory.profile import UserProfileStore
from memory.prompts.extraction import EarlierTurn, ProfileField
from memory.quotes import quote_is_in
from memory.records import (
    Evidence,
    MemoryCandidate,
    MemorySearchResult,
    MemorySource,
    StoredMemory,
)
from memory.retrieval import (
    DEFAULT_SEARCH_RESULTS,
    ConsideredMemory,
    consider_memories,
    semantic_search,
)
from memory.settings import PolicySettings, RetrievalSettings
from memory.store import LongTermMemoryStore
from memory.storing import store_accepted_memories


@dataclass(frozen=True, slots=True)
class WriteOutcome:
    """What became of one message or request."""

    kept: tuple[StoredMemory, ...] = ()
    """New memories of this message."""
    known: tuple[StoredMemory, ...] = ()
    """Memories the person had already, said again."""
    rejected: tuple[MemoryCandidate, ...] = ()
    """What policy refused, each with its reason."""
    profile_fields: tuple[ProfileField, ...] = ()
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class PersonMemory:
    """Binds one person's parts to the memory system's verbs."""

    person_id: str
    model: LanguageModel
    embedder: Embedder
    store: LongTermMemoryStore
    profile: UserProfileStore
    clock: Clock
    new_id: Callable[[], str]
    retrieval: RetrievalSettings
    policy: PolicySettings

    async def remember_turn(
        self, message: LearnerMessage, earlier_turns: Sequence[EarlierTurn] = ()
    ) -> WriteOutcome:
        """Keep what one message holds. Running it again for the same message keeps nothing twice.

        Raises ``ModelError`` and ``StorageError``; then nothing of the message was kept as a
        memory, and it can be tried again.
        """
        done = await self.store.list_from_message(message.message_id)
        if done:
            return WriteOutcome(kept=tuple(done))
        return await self._remember_what_it_holds(message, earlier_turns)

    async def remember_edit(
        self, message: LearnerMessage, earlier_turns: Sequence[EarlierTurn] = ()
    ) -> WriteOutcome:
        """Keep what an edited message holds, and forget what rested on words that are gone.

        ``message`` has the new text and the old id. Raises ``ModelError`` and ``StorageError``.
        """
        standing: set[str] = set()
        for memory in await self.store.list_from_message(message.message_id):
            if memory.evidence and quote_is_in(memory.evidence.quote, message.text):
                standing.add(memory.memory_id)
            else:
                await self.forget(memory.memory_id)
        outcome = await self._remember_what_it_holds(message, earlier_turns)
        kept = tuple(item for item in outcome.kept if item.memory_id not in standing)
        return replace(outcome, kept=kept)

    async def _remember_what_it_holds(
        self, message: LearnerMessage, earlier_turns: Sequence[EarlierTurn]
    ) -> WriteOutcome:
        extraction = await extract_memories(
            message, earlier_turns, model=self.model, product_scope=self.policy.scope
        )
        fields = await self.profile.apply(
            extraction.profile_facts, scope=message.scope, origin=message.origin
        )
        outcome = await self._write(extraction.candidates, "automatic")
        return WriteOutcome(
            kept=outcome.kept,
            known=outcome.known,
            rejected=outcome.rejected,
            profile_fields=tuple(fields),
            tokens=extraction.tokens + outcome.tokens,
        )

    async def remember(self, message: LearnerMessage) -> WriteOutcome:
        """Keep the text of a request to remember, if policy allows it, with its days written out.

        Raises ``ModelError`` and ``StorageError``; then nothing was kept.
        """
        return await self._write([_requested(message)], "manual")

    async def correct(self, memory_id: str, message: LearnerMessage) -> WriteOutcome:
        """Put the text of ``message`` in a memory's place, if policy allows it.

        It is scored and embedded anew, and rests on the new words; the profile forgets what it took
        from the old ones. Where another memory says the same already, that one stays and this one
        goes. Raises ``MemoryNotFoundError``, ``ModelError`` and ``StorageError``; then nothing was
        changed.
        """
        old = await self.store.get(memory_id)
        candidate = _requested(message)
        if old.evidence is not None:
            origins = dict.fromkeys([*old.evidence.origins, *message.origins])
            where = {"scope": old.evidence.scope, "origins": tuple(origins)}
            evidence = candidate.evidence.model_copy(update=where)
            candidate = candidate.model_copy(update={"evidence": evidence})
        outcome = await self._write([candidate], "manual", replaces=memory_id)
        if outcome.rejected:
            return outcome
        if outcome.known:
            await self.store.delete(memory_id)
        if old.evidence is not None:
            await self.profile.forget_said(old.evidence.quote)
        return outcome

    async def recall(
        self, query: str, *, scope: str | None = None
    ) -> tuple[list[ConsideredMemory], int]:
        """Return every candidate for a reply to ``query`` with what became of it, and tokens."""
        return await consider_memories(
            query,
            embedder=self.embedder,
            store=self.store,
            settings=self.retrieval,
            scope=scope,
        )

    async def search(
        self, query: str, top_k: int = DEFAULT_SEARCH_RESULTS, *, scope: str | None = None
    ) -> list[MemorySearchResult]:
        """Return the nearest memories, nearest first."""
        results, _tokens = await semantic_search(
            query, top_k, embedder=self.embedder, store=self.store, scope=scope
        )
        return results

    async def list_all(self, *, scope: str | None = None) -> list[StoredMemory]:
        """Return all memories, newest first."""
        return await self.store.list_all(scope=scope)

    async def get(self, memory_id: str) -> StoredMemory:
        """Return one memory; raises ``MemoryNotFoundError``."""
        return await self.store.get(memory_id)

    async def forget(self, memory_id: str) -> StoredMemory:
        """Delete a memory, and what the profile took from the same words; return what it was.

        Raises ``MemoryNotFoundError``.
        """
        memory = await self.store.delete(memory_id)
        if memory.evidence is not None:
            await self.profile.forget_said(memory.evidence.quote)
        return memory

    async def find(self, id_prefix: str, *, scope: str | None = None) -> StoredMemory:
        """Return the one memory whose id begins with ``id_prefix``, in any case.

        Raises ``MemoryNotFoundError`` or ``AmbiguousMemoryIdError``.
        """
        wanted = id_prefix.strip().lower()
        memories = await self.store.list_all(scope=scope)
        matches = [item for item in memories if wanted and item.memory_id.startswith(wanted)]
        if not matches:
            raise MemoryNotFoundError(id_prefix)
        if len(matches) > 1:
            raise AmbiguousMemoryIdError(id_prefix, len(matches))
        return matches[0]

    async def _write(
        self,
        candidates: Sequence[MemoryCandidate],
        source: MemorySource,
        *,
        replaces: str | None = None,
    ) -> WriteOutcome:
        accepted, rejected = apply_memory_policy(candidates, settings=self.policy)
        memory_ids, tokens = await store_accepted_memories(
            accepted,
            source,
            model=self.model,
            embedder=self.embedder,
            store=self.store,
            clock=self.clock,
            new_id=self.new_id,
            product_scope=self.policy.scope,
            replaces=replaces,
        )
        stored = [await self.store.get(memory_id) for memory_id in memory_ids]
        messages = {item.evidence.message_id for item in accepted}
        kept = [m for m in stored if m.evidence and m.evidence.message_id in messages]
        return WriteOutcome(
            kept=tuple(kept),
            known=tuple(item for item in stored if item not in kept),
            rejected=tuple(rejected),
            tokens=tokens,
        )


def _requested(message: LearnerMessage) -> MemoryCandidate:
    """Return what a person asks to keep as a candidate, its days written out."""
    text = message.text.strip()
    content, day = write_out_days(text, message.local_day)
    return MemoryCandidate(
        content=content,
        memory_type="semantic" if day is None else "episodic",
        should_store=True,
        policy_reason="explicit_request",
        evidence=Evidence(
            message_id=message.message_id,
            quote=text,
            said_at=message.sent_at,
            event_on=day,
            scope=message.scope,
            origins=message.origins,
        ),
    )
