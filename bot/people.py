"""Persons: who stands behind an account, and everything that is theirs.

An account that was never seen becomes a new person. There is no default person.
"""

from collections.abc import Callable
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from chromadb.api import ClientAPI
from sqlalchemy import select, update
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.ext.asyncio import AsyncSession

from bot.messages import Account, Place
from bot.options import PersonOption
from memory.clock import Clock
from memory.database import Database
from memory.database.tables import AccountRow, ConversationRow, PersonRow
from memory.embedder import Embedder
from memory.language_model import LanguageModel
from memory.metering import MeteredEmbedder, MeteredModel, UsageLedger
from memory.person import PersonMemory
from memory.profile import UserProfile, UserProfileStore
from memory.settings import PolicySettings, RetrievalSettings, ShortTermSettings
from memory.short_term import ShortTermMemory
from memory.store import LongTermMemoryStore, VectorSpace


@dataclass(frozen=True, slots=True)
class Person:
    """One person, with all that hangs on them."""

    person_id: str
    shares_in_groups: bool
    """Whether groups see what was said elsewhere."""
    tells_kept: bool
    """Whether a line says what was kept of a message."""
    memory: PersonMemory
    model: LanguageModel
    """Metered: its calls count as this person's."""
    profile: UserProfileStore
    usage: UsageLedger

    def option(self, option: PersonOption) -> bool:
        """Say whether an option is on."""
        return {"kept": self.tells_kept, "sharing": self.shares_in_groups}[option]

    def visible_scope(self, place: Place) -> str | None:
        """Return the scope whose memories may be used here; None for all.

        In a private chat a person gets all their memories; in a group only those made in it,
        unless they share.
        """
        return place.scope if place.is_group and not self.shares_in_groups else None


@dataclass(frozen=True, slots=True)
class People:
    """Finds persons and builds what is theirs from the shared parts."""

    database: Database
    chroma: ClientAPI
    model: LanguageModel
    embedder: Embedder
    clock: Clock
    new_id: Callable[[], str]
    retrieval: RetrievalSettings
    policy: PolicySettings
    short_term: ShortTermSettings
    default_time_zone: ZoneInfo

    async def of(self, account: Account) -> Person:
        """Return the person behind ``account``, a new one for a new account."""
        async with self.database.reading() as session:
            row = await _person_behind(session, account)
        if row is None:
            row = await self._create(account)
        return self._build(row)

    async def by_id(self, person_id: str) -> Person:
        """Return the person with this id, or the one they have become a part of.

        Raises ``DatabaseError`` where there is none.
        """
        async with self.database.reading() as session:
            row = await session.get_one(PersonRow, person_id)
            while row.merged_into is not None:
                row = await session.get_one(PersonRow, row.merged_into)
            return self._build(row)

    async def accounts_of(self, person_id: str) -> list[Account]:
        """Return the accounts that a person has, by platform."""
        async with self.database.reading() as session:
            rows = await session.scalars(
                select(AccountRow)
                .where(AccountRow.person_id == person_id)
                .order_by(AccountRow.platform)
            )
            return [Account(row.platform, row.platform_user_id) for row in rows]

    def store_of(self, person_id: str) -> LongTermMemoryStore:
        """Return the collection that is named for this id, whoever it belongs to by now."""
        embedder = self.embedder
        space = VectorSpace(embedder.fingerprint, embedder.dimensions, embedder.calibration)
        return LongTermMemoryStore(self.chroma, person_id, space)

    async def set_option(self, person: Person, option: PersonOption, *, is_on: bool) -> None:
        """Turn one of a person's options on or off."""
        column = {"kept": PersonRow.tells_kept, "sharing": PersonRow.share_in_groups}[option]
        async with self.database.transaction() as session:
            await session.execute(
                update(PersonRow).where(PersonRow.id == person.person_id).values({column: is_on})
            )

    async def conversation(self, person: Person, place: Place) -> ShortTermMemory:
        """Return the person's conversation in ``place``; it begins with the first call."""
        known = select(ConversationRow.id).where(
            ConversationRow.person_id == person.person_id, ConversationRow.place == place.key
        )
        async with self.database.reading() as session:
            conversation_id = await session.scalar(known)
        if conversation_id is None:
            first = insert(ConversationRow).values(
                id=self.new_id(),
                person_id=person.person_id,
                place=place.key,
                summary="",
                in_context_after=0,
            )
            async with self.database.transaction() as session:
                await session.execute(first.on_conflict_do_nothing())
                conversation_id = await session.scalar(known)
        return self.conversation_by_id(str(conversation_id))

    def conversation_by_id(self, conversation_id: str) -> ShortTermMemory:
        """Return a conversation that exists."""
        return ShortTermMemory(
            self.database, conversation_id, self.short_term, self.clock, self.new_id
        )

    def time_zone(self, profile: UserProfile) -> ZoneInfo:
        """Return the zone a person lives in, as far as it is known."""
        return ZoneInfo(profile.time_zone) if profile.time_zone else self.default_time_zone

    async def _create(self, account: Account) -> PersonRow:
        """Create a person for an account, unless another task was faster."""
        async with self.database.transaction() as session:
            row = await _person_behind(session, account)
            if row is None:
                row = PersonRow(
                    id=self.new_id(),
                    created_at=self.clock.now(),
                    share_in_groups=False,
                    tells_kept=True,
                )
                session.add(row)
                await session.flush()
                session.add(
                    AccountRow(
                        platform=account.platform,
                        platform_user_id=account.user_id,
                        person_id=row.id,
                    ),
                )
        return row

    def _build(self, row: PersonRow) -> Person:
        usage = UsageLedger(self.database, row.id, self.clock)
        model = MeteredModel(self.model, usage)
        embedder = MeteredEmbedder(self.embedder, usage)
        profile = UserProfileStore(self.database, row.id, self.clock)
        memory = PersonMemory(
            person_id=row.id,
            model=model,
            embedder=embedder,
            store=self.store_of(row.id),
            profile=profile,
            clock=self.clock,
            new_id=self.new_id,
            retrieval=self.retrieval,
            policy=self.policy,
        )
        return Person(row.id, row.share_in_groups, row.tells_kept, memory, model, profile, usage)


async def _person_behind(session: AsyncSession, account: Account) -> PersonRow | None:
    return await session.scalar(
        select(PersonRow)
        .join(AccountRow, AccountRow.person_id == PersonRow.id)
        .where(
            AccountRow.platform == account.platform,
            AccountRow.platform_user_id == account.user_id,
        ),
    )
