"""A clock that only moves when it is told to."""

import asyncio
from datetime import UTC, datetime, timedelta

from memory.clock import SystemClock

NOON = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)
"""A Tuesday."""
LONG_SECONDS = 3600


class ManualClock:
    """Stands still until ``advance``; sleepers wake when their time has come."""

    def __init__(self, now: datetime = NOON) -> None:
        self._now = now
        self._moved = asyncio.Condition()

    def now(self) -> datetime:
        return self._now

    async def sleep(self, seconds: float) -> None:
        due = self._now + timedelta(seconds=seconds)
        async with self._moved:
            await self._moved.wait_for(lambda: self._now >= due)

    async def advance(self, **span: float) -> None:
        async with self._moved:
            self._now += timedelta(**span)
            self._moved.notify_all()


class HastyClock(SystemClock):
    """The real time; who sleeps on it wakes at once, and how long is written down."""

    def __init__(self) -> None:
        self.slept: list[float] = []

    async def sleep(self, seconds: float) -> None:
        if seconds >= LONG_SECONDS:  # whoever waits for hours waits for the end of the test
            await asyncio.Event().wait()
        self.slept.append(seconds)
        await asyncio.sleep(0.001)
