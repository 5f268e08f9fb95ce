"""Extraction: the statements in one message that may be worth keeping, each with its quote.

Facts come from the message alone. Whatever the model returns, a candidate without words that stand
in the message has no quote, and the policy refuses it; "yesterday" never stays a word, and a day
that nothing in the message speaks of is not kept.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from zoneinfo import ZoneInfo

from memory.dates import speaks_of_time, write_out_days
from memory.language_model import LanguageModel, parse_checked
from memory.prompts.extraction import (
    EarlierTurn,
    ExtractedMemory,
    ExtractionAnswer,
    ExtractionInput,
    ProfileFact,
    extraction_messages,
)
from memory.quotes import quote_is_in
from memory.records import PRIVATE_SCOPE, Evidence, MemoryCandidate


@dataclass(frozen=True, slots=True)
class LearnerMessage:
    """What a person said, where and when."""

    message_id: str
    text: str
    sent_at: datetime
    """UTC, aware."""
    time_zone: ZoneInfo
    """The person's zone: the one in which "yesterday" is meant."""
    scope: str = PRIVATE_SCOPE
    origin: str | None = None
    """The account it was said from, as the caller names it."""

    @property
    def origins(self) -> tuple[str, ...]:
        """The origin, if it is known."""
        return () if self.origin is None else (self.origin,)

    @property
    def local_day(self) -> date:
        """The day the person wrote it on."""
        return self.sent_at.astimezone(self.time_zone).date()


@dataclass(frozen=True, slots=True)
class Extraction:
    """What one message holds: candidates, not yet allowed, and facts for the profile."""

    candidates: list[MemoryCandidate]
    profile_facts: list[ProfileFact]
    tokens: int


async def extract_memories(
    message: LearnerMessage,
    earlier_turns: Sequence[EarlierTurn] = (),
    *,
    model: LanguageModel,
    product_scope: str,
) -> Extraction:
    """Ask the model which statements ``message`` holds. An empty message costs no call."""
    if not message.text.strip():
        return Extraction([], [], 0)
    sent_at = message.sent_at.astimezone(message.time_zone)
    task = ExtractionInput(
        message=message.text,
        sent_at=sent_at,
        weekday=f"{sent_at:%A}",
        time_zone=message.time_zone.key,
        earlier_turns=list(earlier_turns),
    )
    answer, usage = await parse_checked(
        model,
        extraction_messages(task, product_scope=product_scope),
        ExtractionAnswer,
        purpose="extraction",
    )
    return Extraction(
        candidates=_candidates(answer.memories, message),
        profile_facts=[fact for fact in answer.profile if quote_is_in(fact.quote, message.text)],
        tokens=usage.total_tokens,
    )


def _candidates(
    memories: Sequence[ExtractedMemory], message: LearnerMessage
) -> list[MemoryCandidate]:
    distinct = {memory.content.strip().casefold(): memory for memory in memories}
    return [_candidate(memory, message) for memory in distinct.values()]


def _candidate(memory: ExtractedMemory, message: LearnerMessage) -> MemoryCandidate:
    quote = memory.quote.strip() if quote_is_in(memory.quote, message.text) else ""
    content, day = write_out_days(memory.content.strip(), message.local_day)
    return MemoryCandidate(
        content=content,
        memory_type=memory.memory_type,
        should_store=memory.should_store,
        policy_reason=memory.policy_reason,
        evidence=Evidence(
            message_id=message.message_id,
            quote=quote,
            said_at=message.sent_at,
            event_on=memory.event_on if speaks_of_time(message.text) else day,
            scope=message.scope,
            origins=message.origins,
        ),
    )
