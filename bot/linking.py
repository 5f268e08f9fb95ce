"""One person on several platforms: a code joins two accounts, and they can be separated again.

Joining and parting are one transaction each in the database; the memories follow, at once where
that works, and by a job where it does not. That job stands in the line of the person the memories
leave, so that it comes after whatever was being kept for them.
"""

import logging
import secrets
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from datetime import timedelta
from hashlib import sha256
from typing import Any

from sqlalchemy import delete, func, or_, select, update
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.ext.asyncio import AsyncSession

from bot.jobs import Job, JobQueue
from bot.messages import Account, Place
from bot.people import People, Person
from bot.remembering import Notice, Notify
from bot.views import Line, LinkCode, Linked, Separated, View
from memory.clock import Clock
from memory.database import Database
from memory.database.tables import (
    AccountRow,
    ConversationRow,
    JobRow,
    LinkCodeRow,
    LinkGuessRow,
    PanelRow,
    PersonRow,
    ProfileFactRow,
    UsageRow,
)
from memory.errors import StorageError
from memory.moving import merge_memories, split_memories

logger = logging.getLogger(__name__)

MOVE_MEMORIES = "move_memories"
VALID_FOR = timedelta(minutes=10)
ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""No letter or digit that is easily taken for another."""
CODE_LENGTH = 8
"""Of ``ALPHABET``: 40 bits."""
WRONG = Line("link.wrong")
MAX_GUESSES = 5
"""Wrong codes that a person may enter in ``VALID_FOR``."""


def new_code() -> str:
    """Return a code that nobody can foresee."""
    return "".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH))


@dataclass(frozen=True, slots=True)
class Asked:
    """Who asks, where, and in which language they are answered."""

    account: Account
    place: Place
    language: str


@dataclass(frozen=True, slots=True)
class Linking:
    """Joins and separates accounts. Raises ``StorageError``."""

    people: People
    queue: JobQueue
    database: Database
    clock: Clock
    new_id: Callable[[], str]
    new_code: Callable[[], str]
    notify: Notify

    async def issue(self, person: Person, asked: Asked) -> View:
        """Return a code for the other platform; the one before it is void."""
        code = self.new_code()
        values = {
            "digest": _digest(code),
            "expires_at": self.clock.now() + VALID_FOR,
            "asked": asdict(asked),
            "used_by": None,
        }
        async with self.database.transaction() as session:
            await session.execute(
                insert(LinkCodeRow)
                .values(person_id=person.person_id, **values)
                .on_conflict_do_update(index_elements=["person_id"], set_=values)
            )
        middle = CODE_LENGTH // 2
        return LinkCode(f"{code[:middle]}-{code[middle:]}", VALID_FOR)

    async def redeem(self, person: Person, asked: Asked, code: str) -> View:
        """Join the person to the one who asked for ``code``, or say why not."""
        async with self.database.transaction() as session:
            found = await session.scalar(
                select(LinkCodeRow).where(LinkCodeRow.digest == _digest(code))
            )
            is_done = found is not None and found.used_by == asked.account.key
            if not is_done:
                refusal = await self._refuse(session, person, found)
                if refusal is not None or found is None:
                    return refusal or WRONG
                move = await self._join(session, person, found, asked.account)
                told = _asked(found.asked)
        if is_done:  # the same command, twice
            return await self._linked(person.person_id)
        await self._move_now(move)
        linked = await self._linked(move.to_id)
        try:
            await self.notify(Notice(told.account, told.place, told.language, linked))
        except StorageError as error:  # they are linked all the same
            logger.warning("who asked for a code was not told that it was used: %s", error)
        return linked

    async def separate(self, person: Person, account: Account) -> View:
        """Make ``account`` a person of its own, with what was said from it."""
        accounts = await self.people.accounts_of(person.person_id)
        others = [item for item in accounts if item != account]
        if not others:
            return Line("unlink.alone")
        async with self.database.transaction() as session:
            move = await self._part(session, person, account)
        is_moved = await self._move_now(move)
        here = await self.people.by_id(move.to_id)
        return Separated(
            platforms=tuple(item.platform for item in others),
            here=await here.memory.store.count(),
            there=await person.memory.store.count(),
            is_complete=is_moved,
        )

    async def move(self, job: Job) -> None:
        """Do the job that has memories follow their accounts."""
        await self._move(_Move(job.person_id, **job.payload))

    async def sweep(self) -> None:
        """Do what was left undone: moves that failed, and what came for persons that are joined."""
        async with self.database.transaction() as session:
            await session.execute(
                update(JobRow)
                .where(JobRow.kind == MOVE_MEMORIES, JobRow.state == "failed")
                .values(state="queued", attempts=0, run_at=self.clock.now())
            )
            joined = await session.execute(
                select(PersonRow.id, PersonRow.merged_into).where(
                    PersonRow.merged_into.is_not(None)
                )
            )
            moves = [_Move(row.id, str(row.merged_into), None, "", "", "") for row in joined]
        self.queue.changed.set()
        for move in moves:
            if await self.people.store_of(move.from_id).count():
                await self._move(move)

    async def _refuse(
        self, session: AsyncSession, person: Person, found: LinkCodeRow | None
    ) -> View | None:
        """Say why a code joins nothing; a wrong one counts as a guess."""
        since = self.clock.now() - VALID_FOR
        await session.execute(delete(LinkGuessRow).where(LinkGuessRow.guessed_at <= since))
        guesses = await session.scalar(
            select(func.count())
            .select_from(LinkGuessRow)
            .where(LinkGuessRow.person_id == person.person_id)
        )
        if (guesses or 0) >= MAX_GUESSES:
            return Line("link.too_many")
        if found is None or found.used_by is not None:
            session.add(LinkGuessRow(person_id=person.person_id, guessed_at=self.clock.now()))
            return WRONG
        if found.expires_at <= self.clock.now():
            return Line("link.old")
        if found.person_id == person.person_id:
            return Line("link.own")
        theirs = select(AccountRow.platform).where(AccountRow.person_id == found.person_id)
        shared = await session.scalar(
            select(func.count())
            .select_from(AccountRow)
            .where(AccountRow.person_id == person.person_id, AccountRow.platform.in_(theirs))
        )
        return Line("link.same_platform") if shared else None

    async def _join(
        self, session: AsyncSession, joiner: Person, code: LinkCodeRow, account: Account
    ) -> "_Move":
        """Give all that is the joiner's to who asked for the code, except the memories."""
        code.used_by = account.key
        joiner_id, keeper_id = joiner.person_id, code.person_id
        keeper = await session.get_one(PersonRow, keeper_id)
        first = await session.scalar(
            select(AccountRow).where(AccountRow.person_id == keeper_id).limit(1)
        )
        origins = {
            joiner_id: account.key,
            keeper_id: f"{first.platform}:{first.platform_user_id}" if first else account.key,
        }
        keeper.share_in_groups = keeper.share_in_groups and joiner.shares_in_groups
        await _join_facts(session, joiner_id, keeper_id, origins)
        await _join_usage(session, joiner_id, keeper_id)
        for table in (AccountRow, ConversationRow, PanelRow):
            await session.execute(
                update(table).where(table.person_id == joiner_id).values(person_id=keeper_id)
            )
        await session.execute(
            update(JobRow)
            .where(JobRow.person_id == joiner_id, JobRow.state != "running")
            .values(person_id=keeper_id)
        )
        await session.execute(delete(LinkCodeRow).where(LinkCodeRow.person_id == joiner_id))
        await session.execute(
            update(PersonRow).where(PersonRow.id == joiner_id).values(merged_into=keeper_id)
        )
        move = _Move(
            joiner_id, keeper_id, None, origins[joiner_id], origins[keeper_id], self.new_id()
        )
        await self._queue(session, move)
        return move

    async def _part(self, session: AsyncSession, person: Person, account: Account) -> "_Move":
        """Give all that belongs to one account to a new person, except the memories."""
        old_id, new_id = person.person_id, self.new_id()
        session.add(
            PersonRow(
                id=new_id,
                created_at=self.clock.now(),
                share_in_groups=person.shares_in_groups,
                tells_kept=person.tells_kept,
            )
        )
        await session.flush()
        await session.execute(
            update(AccountRow)
            .where(
                AccountRow.platform == account.platform,
                AccountRow.platform_user_id == account.user_id,
            )
            .values(person_id=new_id)
        )
        await session.execute(
            update(ConversationRow)
            .where(
                ConversationRow.person_id == old_id,
                ConversationRow.place.startswith(f"{account.platform}:", autoescape=True),
            )
            .values(person_id=new_id)
        )
        await session.execute(
            update(ProfileFactRow)
            .where(ProfileFactRow.person_id == old_id, ProfileFactRow.origin == account.key)
            .values(person_id=new_id)
        )
        jobs = await session.scalars(
            select(JobRow).where(JobRow.person_id == old_id, JobRow.state != "running")
        )
        for job in jobs:
            if job.payload.get("account") == asdict(account):
                job.person_id = new_id
        move = _Move(old_id, new_id, account.key, "", "", self.new_id())
        await self._queue(session, move)
        return move

    async def _queue(self, session: AsyncSession, move: "_Move") -> None:
        """Have the memories moved by a job, unless that is done before."""
        payload = asdict(move)
        del payload["from_id"]
        await self.queue.put(
            session,
            person_id=move.from_id,
            kind=MOVE_MEMORIES,
            key=move.key,
            payload=payload,
            held=True,
        )

    async def _move_now(self, move: "_Move") -> bool:
        """Move what can be moved this moment; the job does the rest. Say whether it was all."""
        try:
            await self._move(move)
        except StorageError as error:
            logger.warning("memories will follow their account later: %s", error)
            return False
        finally:
            await self.queue.release(MOVE_MEMORIES, move.key)
        return True

    async def _move(self, move: "_Move") -> None:
        source = self.people.store_of(move.from_id)
        target = (await self.people.by_id(move.to_id)).memory.store
        if move.origin is not None:
            await split_memories(source, target, origin=move.origin)
            return
        await merge_memories(
            source, target, source_origin=move.from_origin, target_origin=move.to_origin
        )

    async def _linked(self, person_id: str) -> Linked:
        person = await self.people.by_id(person_id)
        accounts = await self.people.accounts_of(person.person_id)
        platforms = tuple(account.platform for account in accounts)
        return Linked(platforms, await person.memory.store.count())


@dataclass(frozen=True, slots=True)
class _Move:
    """Which memories go where."""

    from_id: str
    to_id: str
    origin: str | None
    """Only what was said from this account; None where all of it goes."""
    from_origin: str
    """The account of memories of ``from_id`` that do not say."""
    to_origin: str
    key: str


def _digest(code: str) -> str:
    """Return what is kept of a code; how it is written makes no difference."""
    plain = "".join(character for character in code.upper() if character in ALPHABET)
    return sha256(plain.encode()).hexdigest()


def _asked(values: Mapping[str, Any]) -> Asked:
    return Asked(Account(**values["account"]), Place(**values["place"]), values["language"])


async def _join_facts(
    session: AsyncSession, joiner_id: str, keeper_id: str, origins: Mapping[str, str]
) -> None:
    """Give the keeper the joiner's facts, the newer of two that say the same."""
    for person_id, origin in origins.items():
        await session.execute(
            update(ProfileFactRow)
            .where(ProfileFactRow.person_id == person_id, ProfileFactRow.origin.is_(None))
            .values(origin=origin)
        )
    rows = await session.scalars(
        select(ProfileFactRow)
        .where(or_(*(ProfileFactRow.person_id == item for item in (joiner_id, keeper_id))))
        .order_by(ProfileFactRow.updated_at.desc())
    )
    seen: set[tuple[str, str]] = set()
    moving = []
    for row in rows:
        if (row.field, row.value) in seen:
            await session.delete(row)
        else:
            moving.append(row)
        seen.add((row.field, row.value))
    await session.flush()
    for row in moving:
        row.person_id = keeper_id


async def _join_usage(session: AsyncSession, joiner_id: str, keeper_id: str) -> None:
    """Add the joiner's tokens to the keeper's, day by day."""
    rows = await session.scalars(select(UsageRow).where(UsageRow.person_id == joiner_id))
    for row in list(rows):
        key = (keeper_id, row.day, row.purpose, row.model)
        same = await session.get(UsageRow, key)
        if same is None:
            row.person_id = keeper_id
        else:
            same.input_tokens += row.input_tokens
            same.output_tokens += row.output_tokens
            await session.delete(row)
