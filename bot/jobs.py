"""Background work that outlives the process: a row first, a task later.

A person's jobs run one at a time and in their order, so that what was said first is kept first;
different persons' run side by side. A job whose attempts are used up stays as a failed row.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, and_, delete, func, select, update
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from bot.settings import JobSettings
from memory.clock import Clock
from memory.database import Database
from memory.database.tables import JobRow
from memory.errors import MemoraError, ModelRateLimitError

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Job:
    """One piece of work, as it was taken from the queue."""

    number: int
    person_id: str
    kind: str
    payload: Mapping[str, Any]
    attempts: int
    """Counts this one."""


Work = Callable[[Job], Awaitable[None]]
GiveUp = Callable[[Job, Exception], Awaitable[None]]


@dataclass(slots=True)
class JobQueue:
    """The rows. A job is held, queued, running or failed; a finished one is gone."""

    database: Database
    clock: Clock
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    """Set whenever there may be something to take."""

    async def put(
        self,
        session: AsyncSession,
        *,
        person_id: str,
        kind: str,
        key: str,
        payload: Mapping[str, Any],
        held: bool = False,
    ) -> None:
        """Queue a job within the caller's transaction; the same work is queued once.

        A held job waits for ``release``, or for the next start.
        """
        row = insert(JobRow).values(
            person_id=person_id,
            kind=kind,
            key=key,
            payload=dict(payload),
            state="held" if held else "queued",
            attempts=0,
            run_at=self.clock.now(),
        )
        await session.execute(row.on_conflict_do_nothing())
        self.changed.set()

    async def release(self, kind: str, key: str) -> None:
        """Let a held job run."""
        async with self.database.transaction() as session:
            await session.execute(
                update(JobRow)
                .where(JobRow.kind == kind, JobRow.key == key, JobRow.state == "held")
                .values(state="queued", run_at=self.clock.now()),
            )
        self.changed.set()

    async def recover(self) -> None:
        """Queue again what a process that is gone had held or begun."""
        async with self.database.transaction() as session:
            await session.execute(
                update(JobRow).where(JobRow.state.in_(["held", "running"])).values(state="queued"),
            )
        self.changed.set()

    async def take(self) -> Job | None:
        """Take the oldest job that is due and first in its person's line."""
        due = (
            select(JobRow)
            .where(_is_first_in_line(), JobRow.run_at <= self.clock.now())
            .order_by(JobRow.number)
            .limit(1)
        )
        async with self.database.reading() as session:  # mostly there is none: let others write
            if await session.scalar(due) is None:
                return None
        async with self.database.transaction() as session:
            row = await session.scalar(due)
            if row is None:
                return None
            row.state = "running"
            row.attempts += 1
            return Job(row.number, row.person_id, row.kind, row.payload, row.attempts)

    async def finish(self, job: Job) -> None:
        """Remove a job that is done."""
        async with self.database.transaction() as session:
            await session.execute(delete(JobRow).where(JobRow.number == job.number))
        self.changed.set()

    async def put_back(self, job: Job, *, run_at: datetime, error: Exception | None = None) -> None:
        """Queue a job again for later."""
        await self._end_attempt(job, state="queued", run_at=run_at, error=error)

    async def fail(self, job: Job, error: Exception) -> None:
        """Keep a job as one that could not be done."""
        await self._end_attempt(job, state="failed", run_at=self.clock.now(), error=error)

    async def next_run_at(self) -> datetime | None:
        """Return when the next job that is first in a line is due; None where there is none."""
        async with self.database.reading() as session:
            return await session.scalar(select(func.min(JobRow.run_at)).where(_is_first_in_line()))

    async def count(self, state: str) -> int:
        """Return how many jobs are in ``state``."""
        async with self.database.reading() as session:
            query = select(func.count()).select_from(JobRow).where(JobRow.state == state)
            return await session.scalar(query) or 0

    async def _end_attempt(
        self, job: Job, *, state: str, run_at: datetime, error: Exception | None
    ) -> None:
        async with self.database.transaction() as session:
            await session.execute(
                update(JobRow)
                .where(JobRow.number == job.number)
                .values(state=state, run_at=run_at, error=type(error).__name__ if error else None),
            )
        self.changed.set()


def _is_first_in_line() -> ColumnElement[bool]:
    """Match the queued jobs that no earlier one of the same person is before."""
    earlier = aliased(JobRow)
    is_behind = (
        select(earlier.number)
        .where(
            earlier.person_id == JobRow.person_id,
            earlier.number < JobRow.number,
            earlier.state.in_(["queued", "running"]),
        )
        .exists()
    )
    return and_(JobRow.state == "queued", ~is_behind)


@dataclass(slots=True)
class JobWorker:
    """Runs the queue's jobs, at most ``settings.concurrency`` at a time."""

    queue: JobQueue
    work: Mapping[str, Work]
    give_up: GiveUp
    settings: JobSettings
    clock: Clock
    _running: set[asyncio.Task[None]] = field(default_factory=set, init=False)
    _looking: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)
    _is_stopping: bool = field(default=False, init=False)

    async def run(self) -> None:
        """Work until ``stop``."""
        while not self._is_stopping:
            self.queue.changed.clear()
            await self._start_due()
            await self._wait()

    async def drain(self) -> None:
        """Run what is due until nothing is; a job that waits for its next attempt stays queued."""
        while await self._start_due():
            if self._running:  # else it ended while we looked, and another may be due by now
                await asyncio.wait(self._running, return_when=asyncio.FIRST_COMPLETED)

    async def stop(self) -> None:
        """Begin nothing more, and give running jobs ``exit_grace_seconds``; the others stay queued.

        ``run`` returns then. It is not cancelled, since that could break off a transaction.
        """
        self._is_stopping = True
        self.queue.changed.set()
        async with self._looking:  # what is being taken this moment is running, too
            if not self._running:
                return
        _done, late = await asyncio.wait(self._running, timeout=self.settings.exit_grace_seconds)
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)

    async def _start_due(self) -> bool:
        """Begin what is due, as far as there is room; False where nothing ran and nothing began.

        One look at a time: a job that another look has taken is not among the running ones yet.
        """
        async with self._looking:
            is_busy = bool(self._running)
            while not self._is_stopping and len(self._running) < self.settings.concurrency:
                job = await self.queue.take()
                if job is None:
                    break
                is_busy = True
                task = asyncio.create_task(self._attempt(job))
                self._running.add(task)
                task.add_done_callback(self._running.discard)
            return is_busy

    async def _wait(self) -> None:
        """Wait until something changed or the next job is due."""
        run_at = await self.queue.next_run_at()
        waits: list[asyncio.Task[Any]] = [asyncio.create_task(self.queue.changed.wait())]
        if run_at is not None and len(self._running) < self.settings.concurrency:
            seconds = (run_at - self.clock.now()).total_seconds()
            waits.append(asyncio.create_task(self.clock.sleep(max(seconds, 0.0))))
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()
                with suppress(asyncio.CancelledError):
                    await wait

    async def _attempt(self, job: Job) -> None:
        try:
            await self.work[job.kind](job)
        except asyncio.CancelledError:
            await self.queue.put_back(job, run_at=self.clock.now())
            raise
        except Exception as error:  # noqa: BLE001 (one job's fault must not stop the others)
            await self._failed(job, error)
        else:
            await self.queue.finish(job)

    async def _failed(self, job: Job, error: Exception) -> None:
        if not isinstance(error, MemoraError):
            logger.error("a %s job broke", job.kind, exc_info=error)
        if job.attempts < self.settings.max_attempts:
            delay = self._delay(job, error)
            logger.warning("a %s job failed, next try in %.0f s: %s", job.kind, delay, error)
            await self.queue.put_back(
                job, run_at=self.clock.now() + timedelta(seconds=delay), error=error
            )
            return
        logger.error("a %s job failed for good: %s", job.kind, error)
        await self.queue.fail(job, error)
        await self.give_up(job, error)

    def _delay(self, job: Job, error: Exception) -> float:
        """Return the seconds until the next attempt: doubling, or what the server asked for."""
        delay: float = self.settings.backoff_seconds * 2 ** (job.attempts - 1)
        asked = error.retry_after if isinstance(error, ModelRateLimitError) else None
        return max(delay, asked or 0.0)
