"""Counting tokens: the same ports, with each call's usage written to the person's ledger."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.dialects.sqlite import insert

from memory.calibration import Calibration
from memory.clock import Clock
from memory.database import Database
from memory.database.tables import UsageRow
from memory.embedder import Embedder, TextRole, Vector
from memory.errors import ModelAnswerError
from memory.language_model import Answer, ChatMessage, LanguageModel, TextDelta
from memory.usage import Purpose, TokenUsage


@dataclass(frozen=True, slots=True)
class UsageLedger:
    """One person's tokens by UTC day, purpose and model. Raises ``DatabaseError``."""

    database: Database
    person_id: str
    clock: Clock

    async def record(self, purpose: Purpose, model: str, usage: TokenUsage) -> None:
        """Add ``usage`` to the day's sum; nothing is written where nothing was used."""
        if not usage.total_tokens:
            return
        row = insert(UsageRow).values(
            person_id=self.person_id,
            day=self.clock.now().date(),
            purpose=purpose,
            model=model,
            input_tokens=usage.input_tokens,
            output_tokens=usage.output_tokens,
        )
        added = row.on_conflict_do_update(
            index_elements=["person_id", "day", "purpose", "model"],
            set_={
                "input_tokens": UsageRow.input_tokens + row.excluded.input_tokens,
                "output_tokens": UsageRow.output_tokens + row.excluded.output_tokens,
            },
        )
        async with self.database.transaction() as session:
            await session.execute(added)

    async def totals(self, *, today_only: bool = False) -> dict[str, TokenUsage]:
        """Return the sums by purpose, of all time or of the present UTC day."""
        query = (
            select(
                UsageRow.purpose,
                func.sum(UsageRow.input_tokens),
                func.sum(UsageRow.output_tokens),
            )
            .where(UsageRow.person_id == self.person_id)
            .group_by(UsageRow.purpose)
        )
        if today_only:
            query = query.where(UsageRow.day == self.clock.now().date())
        async with self.database.reading() as session:
            rows = await session.execute(query)
            return {purpose: TokenUsage(spent, gained) for purpose, spent, gained in rows}


@dataclass(frozen=True, slots=True)
class MeteredModel:
    """A ``LanguageModel`` whose every call, failed ones too, is written to a ledger."""

    model: LanguageModel
    ledger: UsageLedger

    @property
    def name(self) -> str:
        """The model's name."""
        return self.model.name

    @property
    def is_offline(self) -> bool:
        """Whether the model is rules in this process."""
        return self.model.is_offline

    async def parse(
        self, messages: Sequence[ChatMessage], answer_type: type[Answer], *, purpose: Purpose
    ) -> tuple[Answer, TokenUsage]:
        """Ask the model, and count it."""
        try:
            answer, usage = await self.model.parse(messages, answer_type, purpose=purpose)
        except ModelAnswerError as error:
            await self.ledger.record(purpose, self.name, error.usage)
            raise
        await self.ledger.record(purpose, self.name, usage)
        return answer, usage

    async def stream(
        self, messages: Sequence[ChatMessage], *, purpose: Purpose
    ) -> AsyncGenerator[TextDelta | TokenUsage, None]:
        """Stream from the model, and count it at the end."""
        async with aclosing(self.model.stream(messages, purpose=purpose)) as pieces:
            async for piece in pieces:
                if isinstance(piece, TokenUsage):
                    await self.ledger.record(purpose, self.name, piece)
                yield piece


@dataclass(frozen=True, slots=True)
class MeteredEmbedder:
    """An ``Embedder`` whose calls are written to a ledger."""

    embedder: Embedder
    ledger: UsageLedger

    @property
    def fingerprint(self) -> str:
        """The embedder's fingerprint."""
        return self.embedder.fingerprint

    @property
    def dimensions(self) -> int:
        """The vectors' length."""
        return self.embedder.dimensions

    @property
    def calibration(self) -> Calibration:
        """The embedder's calibration."""
        return self.embedder.calibration

    async def embed(self, texts: Sequence[str], *, role: TextRole) -> tuple[Sequence[Vector], int]:
        """Embed, and count it."""
        vectors, tokens = await self.embedder.embed(texts, role=role)
        purpose: Purpose = "query" if role == "query" else "embedding"
        await self.ledger.record(purpose, self.fingerprint, TokenUsage(input_tokens=tokens))
        return vectors, tokens
