"""The durable inbox: a row first, then the platform is told "received", then the work.

A lane is what must keep its order, such as a chat: it is worked off one entry at a time, different
lanes side by side. A kill loses nothing: what is not done is taken up at the next start. An update
that comes twice is worked once.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Any, TypeVar

from sqlalchemy import delete, select, update
from sqlalchemy.dialects.sqlite import insert

from bot.waiting import backoff_seconds
from memory.clock import Clock
from memory.database import Database
from memory.database.tables import InboxRow
from memory.errors import StorageError

logger = logging.getLogger(__name__)

KEPT_FOR = timedelta(days=3)
"""How long the id of what is done is known; platforms repeat themselves for a day at most."""
MAX_ATTEMPTS = 10

Work = Callable[[Mapping[str, Any]], Awaitable[None]]
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Entry:
    """One update of a platform."""

    update_id: str
    lane: str
    payload: Mapping[str, Any]
    """JSON values only."""


@dataclass(frozen=True, slots=True)
class _Waiting:
    number: int
    payload: Mapping[str, Any]


@dataclass(slots=True)
class Inbox:
    """The updates of one bot on one platform."""

    source: str
    database: Database
    clock: Clock
    work: Work
    _lanes: dict[str, asyncio.Task[None]] = field(default_factory=dict, init=False)
    _woken: set[str] = field(default_factory=set, init=False)
    _is_open: bool = field(default=False, init=False)

    async def receive(self, entries: Sequence[Entry]) -> None:
        """Keep the new ones among ``entries``; once this returns, none of them can be lost.

        Raises ``DatabaseError``; then none was kept.
        """
        rows = [
            {
                "source": self.source,
                "update_id": entry.update_id,
                "lane": entry.lane,
                "payload": dict(entry.payload),
                "state": "waiting",
                "received_at": self.clock.now(),
            }
            for entry in entries
        ]
        async with self.database.transaction() as session:
            for row in rows:
                await session.execute(insert(InboxRow).values(**row).on_conflict_do_nothing())
        for entry in entries:
            self._wake(entry.lane)

    async def open(self) -> None:
        """Begin to work, with what an earlier process left."""
        self._is_open = True
        async with self.database.reading() as session:
            lanes = await session.scalars(
                select(InboxRow.lane).where(*self._is_waiting()).distinct()
            )
            for lane in lanes:
                self._wake(lane)

    async def close(self, grace_seconds: float) -> None:
        """Begin nothing more; break off what is not done in time: the next start does it."""
        self._is_open = False
        running = list(self._lanes.values())
        if not running:
            return
        _done, late = await asyncio.wait(running, timeout=grace_seconds)
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)

    async def settled(self) -> None:
        """Wait until nothing is left to do."""
        while self._lanes:
            await asyncio.wait(list(self._lanes.values()))

    def _wake(self, lane: str) -> None:
        if not self._is_open:
            return
        if lane in self._lanes:
            self._woken.add(lane)
        else:
            self._lanes[lane] = asyncio.create_task(self._work_off(lane), name=f"inbox {lane}")

    async def _work_off(self, lane: str) -> None:
        try:
            while self._is_open:
                self._woken.discard(lane)
                waiting = await self._patiently(partial(self._next, lane))
                if waiting is not None:
                    state = await self._attempt(waiting)
                    await self._patiently(partial(self._finish, waiting.number, state))
                elif lane not in self._woken:
                    return
        finally:
            del self._lanes[lane]
            self._woken.discard(lane)

    async def _next(self, lane: str) -> _Waiting | None:
        async with self.database.reading() as session:
            row = await session.scalar(
                select(InboxRow)
                .where(*self._is_waiting(), InboxRow.lane == lane)
                .order_by(InboxRow.number)
                .limit(1)
            )
        return None if row is None else _Waiting(row.number, row.payload or {})

    async def _attempt(self, waiting: _Waiting) -> str:
        """Do the work and return the state it ends in; what only the storage hinders is repeated.

        One entry's fault must not stop those behind it.
        """
        for attempt in range(MAX_ATTEMPTS):
            try:
                await self.work(waiting.payload)
            except StorageError as error:
                logger.warning("update %s of %s waits: %s", waiting.number, self.source, error)
                await self.clock.sleep(backoff_seconds(attempt))
            except Exception:
                logger.exception("update %s of %s broke", waiting.number, self.source)
                return "failed"
            else:
                return "done"
        logger.error("update %s of %s could not be worked", waiting.number, self.source)
        return "failed"

    async def _finish(self, number: int, state: str) -> None:
        """Keep the id alone: what was said stands where it belongs by now, or nowhere."""
        async with self.database.transaction() as session:
            await session.execute(
                update(InboxRow).where(InboxRow.number == number).values(state=state, payload=None)
            )

    async def _patiently(self, operation: Callable[[], Awaitable[Result]]) -> Result:
        """Repeat ``operation`` until the database can do it: dropping would lose a message."""
        attempt = 0
        while True:
            try:
                return await operation()
            except StorageError as error:
                logger.warning("the inbox of %s waits for the database: %s", self.source, error)
                await self.clock.sleep(backoff_seconds(attempt))
                attempt += 1

    def _is_waiting(self) -> tuple[Any, ...]:
        return InboxRow.source == self.source, InboxRow.state == "waiting"


async def forget_done(database: Database, before: datetime) -> None:
    """Delete the rows of what was done and came ``before``."""
    async with database.transaction() as session:
        await session.execute(
            delete(InboxRow).where(InboxRow.state != "waiting", InboxRow.received_at < before)
        )
