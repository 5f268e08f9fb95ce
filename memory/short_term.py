"""Short-term memory: the recent turns of one conversation and the summary of the older ones.

Turns are never deleted here: a reset or a summary only moves the line behind which they are out of
context. The table serves a person in one place; a group's members each have their own.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, func, select, update
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.ext.asyncio import AsyncSession

from memory.clock import Clock
from memory.database import Database
from memory.database.tables import ConversationRow, TurnRow
from memory.language_model import ChatMessage, LanguageModel, parse_checked
from memory.prompts.extraction import EarlierTurn
from memory.prompts.summary import SummaryAnswer, SummaryInput, summary_messages
from memory.settings import ShortTermSettings
from memory.tokens import estimate_tokens


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of a conversation."""

    number: int
    turn_id: str
    speaker: str
    """"learner" or "assistant"."""
    text: str
    said_at: datetime

    def as_message(self) -> ChatMessage:
        """Return the turn as the model sees it in a conversation."""
        return ChatMessage("user" if self.speaker == "learner" else "assistant", self.text)

    def as_earlier_turn(self) -> EarlierTurn:
        """Return the turn as context for another task."""
        speaker = "learner" if self.speaker == "learner" else "assistant"
        return EarlierTurn(speaker=speaker, text=self.text)


@dataclass(frozen=True, slots=True)
class ShortTermContext:
    """What a reply sees of the conversation."""

    summary: str
    turns: tuple[Turn, ...]
    """Oldest first."""
    tokens: int
    """Estimated, of summary and turns; at most ``short_term.max_tokens``."""
    overflow: tuple[Turn, ...]
    """Turns that no longer fit and wait to be summed up, oldest first."""


@dataclass(frozen=True, slots=True)
class ShortTermMemory:
    """One conversation. Raises ``DatabaseError``."""

    database: Database
    conversation_id: str
    settings: ShortTermSettings
    clock: Clock
    new_id: Callable[[], str]

    async def add_turn(
        self,
        session: AsyncSession,
        speaker: str,
        text: str,
        *,
        said_at: datetime | None = None,
        platform_message_id: str | None = None,
        replies_to: str | None = None,
    ) -> Turn | None:
        """Add a turn within the caller's transaction.

        Returns None, and adds nothing, where this platform message was added before, or where the
        turn ``replies_to`` has its reply already.
        """
        turn_id = self.new_id()
        moment = said_at or self.clock.now()
        row = insert(TurnRow).values(
            id=turn_id,
            conversation_id=self.conversation_id,
            speaker=speaker,
            text=text,
            said_at=moment,
            platform_message_id=platform_message_id,
            replies_to=replies_to,
        )
        number = await session.scalar(row.on_conflict_do_nothing().returning(TurnRow.number))
        return None if number is None else Turn(number, turn_id, speaker, text, moment)

    async def find_turn(self, platform_message_id: str) -> Turn | None:
        """Return the turn of a platform message; None for one that was never added."""
        return await self._find(TurnRow.platform_message_id == platform_message_id)

    async def find_reply(self, turn_id: str) -> Turn | None:
        """Return the assistant's turn that answers a turn; None where there is none yet."""
        return await self._find(TurnRow.replies_to == turn_id)

    async def change_turn(self, session: AsyncSession, turn: Turn, text: str) -> None:
        """Put ``text`` in place of what a turn said, within the caller's transaction."""
        await session.execute(update(TurnRow).where(TurnRow.id == turn.turn_id).values(text=text))

    async def context(self, *, before: int | None = None) -> ShortTermContext:
        """Return the summary and the newest turns that fit the budget.

        ``before`` leaves out the turn of that number and all after it.
        """
        conversation, turns = await self._read(before)
        budget = self.settings.max_tokens - estimate_tokens(conversation.summary)
        fitting = fit_newest(turns, budget)
        used = self.settings.max_tokens - budget + sum(estimate_tokens(t.text) for t in fitting)
        overflow = turns[: len(turns) - len(fitting)]
        return ShortTermContext(conversation.summary, tuple(fitting), used, tuple(overflow))

    async def summarize(self, model: LanguageModel) -> bool:
        """Fold the older turns into the summary, so that half of the budget is free again.

        Returns False, without a call, where everything fits. Raises ``ModelError``.
        """
        conversation, turns = await self._read(None)
        budget = self.settings.max_tokens - estimate_tokens(conversation.summary)
        if len(fit_newest(turns, budget)) == len(turns):
            return False
        kept = fit_newest(turns, budget // 2)
        leaving = turns[: len(turns) - len(kept)]
        task = SummaryInput(
            summary=conversation.summary,
            turns=[turn.as_earlier_turn() for turn in leaving],
            max_words=self.settings.summary_words,
        )
        answer, _usage = await parse_checked(
            model, summary_messages(task), SummaryAnswer, purpose="summary"
        )
        async with self.database.transaction() as session:
            await session.execute(
                update(ConversationRow)
                .where(
                    ConversationRow.id == self.conversation_id,
                    # A reset while the model was at work has the last word.
                    ConversationRow.in_context_after == conversation.in_context_after,
                )
                .values(summary=answer.summary.strip(), in_context_after=leaving[-1].number),
            )
        return True

    async def turns_before(self, number: int, count: int) -> list[Turn]:
        """Return the last ``count`` turns in context before the turn ``number``, oldest first."""
        _conversation, turns = await self._read(number)
        return turns[len(turns) - min(count, len(turns)) :]

    async def reset(self) -> None:
        """Start afresh: no earlier turn and no summary is in context any more."""
        newest = select(func.coalesce(func.max(TurnRow.number), 0)).where(
            TurnRow.conversation_id == self.conversation_id
        )
        async with self.database.transaction() as session:
            await session.execute(
                update(ConversationRow)
                .where(ConversationRow.id == self.conversation_id)
                .values(summary="", in_context_after=newest.scalar_subquery()),
            )

    async def leave_behind(self, session: AsyncSession, *, since: Turn, until: Turn) -> None:
        """Take ``until`` out of context too where a reset came after ``since``."""
        await session.execute(
            update(ConversationRow)
            .where(
                ConversationRow.id == self.conversation_id,
                ConversationRow.in_context_after >= since.number,
            )
            .values(in_context_after=until.number),
        )

    async def _find(self, condition: ColumnElement[bool]) -> Turn | None:
        async with self.database.reading() as session:
            row = await session.scalar(
                select(TurnRow).where(TurnRow.conversation_id == self.conversation_id, condition)
            )
        return None if row is None else _turn(row)

    async def _read(self, before: int | None) -> tuple[ConversationRow, list[Turn]]:
        async with self.database.reading() as session:
            conversation = await session.get_one(ConversationRow, self.conversation_id)
            query = select(TurnRow).where(
                TurnRow.conversation_id == self.conversation_id,
                TurnRow.number > conversation.in_context_after,
            )
            if before is not None:
                query = query.where(TurnRow.number < before)
            rows = await session.scalars(query.order_by(TurnRow.number))
            return conversation, [_turn(row) for row in rows]


def fit_newest(turns: list[Turn], budget: int) -> list[Turn]:
    """Return the newest ``turns`` whose estimated tokens together are at most ``budget``."""
    spent = 0
    for count, turn in enumerate(reversed(turns)):
        spent += estimate_tokens(turn.text)
        if spent > budget:
            return turns[len(turns) - count :]
    return turns


def _turn(row: TurnRow) -> Turn:
    return Turn(row.number, row.id, row.speaker, row.text, row.said_at)
