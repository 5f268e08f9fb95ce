import asyncio
import os
import signal
from dataclasses import dataclass, field

from memora_testing.application import application_in
from memora_testing.model import TalkingModel

from bot.serving import serve
from memory.errors import ConfigError


@dataclass
class Steady:
    """Runs until it is told to stop."""

    name: str = "steady"
    began: asyncio.Event = field(default_factory=asyncio.Event)

    async def run(self, stop):
        self.began.set()
        await stop.wait()


@dataclass
class Broken:
    """Breaks at once, and then has the process told to stop."""

    error: Exception
    other: Steady
    name: str = "broken"

    async def run(self, stop):
        await self.other.began.wait()
        assert not stop.is_set()
        asyncio.get_running_loop().call_soon(os.kill, os.getpid(), signal.SIGTERM)
        raise self.error


async def test_one_platforms_fault_leaves_the_others_alone_and_is_told(tmp_path):
    for error in (ConfigError("bad token"), RuntimeError("boom")):
        async with application_in(tmp_path / type(error).__name__, model=TalkingModel()) as app:
            steady = Steady()
            (fault,) = await serve(app, [steady, Broken(error, steady)])

        assert str(fault) in ("bad token", "broken stopped: RuntimeError")


async def test_a_signal_stops_all(tmp_path):
    async with application_in(tmp_path / "data", model=TalkingModel()) as app:
        steady = Steady()
        asyncio.get_running_loop().call_later(0.1, os.kill, os.getpid(), signal.SIGTERM)

        assert await serve(app, [steady]) == []
