"""The way into the inbox: events in the order they came, several in one transaction if need be."""

import asyncio
import logging
from dataclasses import dataclass, field

from bot.inbox import Entry, Inbox
from memory.clock import Clock
from memory.errors import StorageError

logger = logging.getLogger(__name__)

RETRY_SECONDS = 1.0


@dataclass(slots=True)
class Intake:
    """Keeps what came until the inbox has it: Discord sends nothing twice by itself."""

    inbox: Inbox
    clock: Clock
    _waiting: list[Entry] = field(default_factory=list, init=False)
    _writing: asyncio.Task[None] | None = field(default=None, init=False)

    def take(self, entry: Entry) -> None:
        """Have an entry written after those that came before."""
        self._waiting.append(entry)
        if self._writing is None:
            self._writing = asyncio.create_task(self._write(), name="intake")

    async def close(self, grace_seconds: float) -> None:
        """Wait until all is written, for so long at most."""
        if self._writing is not None:
            await asyncio.wait({self._writing}, timeout=grace_seconds)

    async def _write(self) -> None:
        try:
            while self._waiting:
                entries = tuple(self._waiting)
                try:
                    await self.inbox.receive(entries)
                except StorageError as error:
                    logger.warning("%d events wait for the database: %s", len(entries), error)
                    await self.clock.sleep(RETRY_SECONDS)
                else:
                    del self._waiting[: len(entries)]
        finally:
            self._writing = None
