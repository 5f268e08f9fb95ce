"""Waiting: for events, and before another attempt."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from itertools import count

logger = logging.getLogger(__name__)

FIRST_DELAY_SECONDS = 1.0
LONGEST_DELAY_SECONDS = 30.0


def backoff_seconds(attempt: int) -> float:
    """Return how long to wait after the attempt of that number, from 0: doubling, to a limit."""
    return min(LONGEST_DELAY_SECONDS, FIRST_DELAY_SECONDS * 2.0**attempt)


async def wait_for(event: asyncio.Event, seconds: float) -> None:
    """Wait until ``event`` is set, for ``seconds`` at most."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()


async def wait_for_first(*events: asyncio.Event) -> None:
    """Wait until one of ``events`` is set."""
    waits = [asyncio.create_task(event.wait()) for event in events]
    try:
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for wait in waits:
            wait.cancel()
        await asyncio.gather(*waits, return_exceptions=True)


async def until_reached(
    name: str,
    step: Callable[[], Awaitable[None]],
    stop: asyncio.Event,
    *,
    failures: tuple[type[Exception], ...],
) -> bool:
    """Do ``step`` again until ``name`` could be reached for it; False where we stop before.

    ``failures`` say that it could not; whatever else ``step`` raises is raised.
    """
    for attempt in count():
        if stop.is_set():
            return False
        try:
            await step()
        except failures as error:
            delay = backoff_seconds(attempt)
            logger.warning("%s cannot be reached, next try in %.0f s: %s", name, delay, error)
            await wait_for(stop, delay)
        else:
            return True
    raise AssertionError("unreachable")
