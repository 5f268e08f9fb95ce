"""Platforms side by side: each until it is told to stop, none disturbed by another's fault."""

import asyncio
import logging
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import Protocol

from bot import inbox, panels
from bot.application import Application
from memory.errors import MemoraError, StorageError

logger = logging.getLogger(__name__)

HOUSEKEEPING = timedelta(hours=6)


class Platform(Protocol):
    """What a platform can be asked."""

    @property
    def name(self) -> str:
        """The platform's name, as it stands in accounts and places."""
        ...

    async def run(self, stop: asyncio.Event) -> None:
        """Answer until ``stop`` is set; then finish what was begun and return."""
        ...


async def serve(application: Application, platforms: Sequence[Platform]) -> list[MemoraError]:
    """Run platforms until SIGINT or SIGTERM, or until none is left; return what ended them."""
    stop = asyncio.Event()
    with stopped_by_signals(stop):
        housekeeping = asyncio.create_task(keep_house(application))
        running = [asyncio.create_task(_run(platform, stop)) for platform in platforms]
        try:
            faults = await asyncio.gather(*running)
        finally:
            housekeeping.cancel()
            await asyncio.gather(housekeeping, return_exceptions=True)
    return [fault for fault in faults if fault is not None]


async def _run(platform: Platform, stop: asyncio.Event) -> MemoraError | None:
    try:
        await platform.run(stop)
    except MemoraError as error:
        logger.error("%s has stopped: %s", platform.name, error)
        return error
    except Exception as error:
        logger.exception("%s has stopped", platform.name)
        return MemoraError(f"{platform.name} stopped: {type(error).__name__}")
    return None


async def keep_house(application: Application) -> None:
    """Forget again and again what is done and past being asked about."""
    while True:
        now = application.clock.now()
        try:
            await inbox.forget_done(application.database, now - inbox.KEPT_FOR)
            await application.deliveries.forget_finished(now - inbox.KEPT_FOR)
            await application.panels.forget_old(now - panels.KEPT_FOR)
            await application.linking.sweep()
        except StorageError as error:
            logger.warning("housekeeping waits: %s", error)
        await application.clock.sleep(HOUSEKEEPING.total_seconds())


@contextmanager
def stopped_by_signals(stop: asyncio.Event) -> Iterator[None]:
    """Have SIGINT and SIGTERM set ``stop`` within the block."""
    loop = asyncio.get_running_loop()
    signals = (signal.SIGINT, signal.SIGTERM)
    before = {number: signal.getsignal(number) for number in signals}
    try:
        for number in signals:
            loop.add_signal_handler(number, stop.set)
    except (NotImplementedError, RuntimeError):  # Windows, or not in the main thread
        yield
        return
    try:
        yield
    finally:
        for number in signals:
            loop.remove_signal_handler(number)
            signal.signal(number, before[number])
