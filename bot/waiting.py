"""Waiting for events: for a while, or for the first of several."""

import asyncio
from contextlib import suppress


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
