"""Which replies are being written: to stop one, and to speak only when it is out."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from bot.messages import Account, Place


@dataclass(slots=True)
class RunningReply:
    """One reply that is on its way."""

    stop: asyncio.Event = field(default_factory=asyncio.Event)
    out: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass(slots=True)
class RunningReplies:
    """The replies on their way, at most one for a person in a place."""

    _replies: dict[tuple[Account, str], RunningReply] = field(default_factory=dict)

    @contextmanager
    def begin(self, account: Account, place: Place) -> Iterator[RunningReply]:
        """Count a reply as running within the block."""
        key, reply = (account, place.key), RunningReply()
        self._replies[key] = reply
        try:
            yield reply
        finally:
            if self._replies.get(key) is reply:
                del self._replies[key]
            reply.out.set()

    def stop(self, account: Account, place: Place) -> bool:
        """Have a person's running reply end here; False where none runs."""
        reply = self._replies.get((account, place.key))
        if reply is None:
            return False
        reply.stop.set()
        return True

    async def out(self, place: Place) -> None:
        """Wait until the replies that run in ``place`` now are out."""
        for reply in [reply for (_, key), reply in self._replies.items() if key == place.key]:
            await reply.out.wait()
