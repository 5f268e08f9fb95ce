"""The whole bot at the stand-in for Telegram: the real client, real Chroma, real SQLite."""

import asyncio
from contextlib import asynccontextmanager

from bot.bootstrap import open_application
from bot.telegram.platform import TelegramPlatform
from memora_testing.application import configuration
from memora_testing.clock import HastyClock
from memora_testing.embedder import HashingEmbedder
from memora_testing.telegram_server import TelegramServer


class RunningBot:
    """A bot that listens."""

    def __init__(self, application, stop, task, said):
        self.application = application
        self.said = said
        self._stop = stop
        self._task = task

    async def stop(self):
        """Tell it to stop, as SIGTERM does, and wait until it has."""
        self._stop.set()
        await self._task

    async def settled(self):
        """Wait until no background work is left, and what came of it was told."""
        queue = self.application.queue
        while await queue.count("queued") or await queue.count("running"):
            await asyncio.sleep(0.01)

    async def ended(self):
        """Wait until it ends by itself; raises what ended it."""
        await asyncio.shield(self._task)

    async def break_off(self):
        """End it in the middle of whatever it does."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)


@asynccontextmanager
async def telegram_bot(
    folder, server: TelegramServer, model, *, clock=None, transcriber=None, **sections
):
    """Run the bot; at the end it is stopped as by SIGTERM."""
    telegram = {"base_url": server.url, **sections.pop("telegram", {})}
    async with open_application(
        configuration(folder, telegram=telegram, **sections),
        clock=clock or HastyClock(),
        model=model,
        embedder=HashingEmbedder(),
        transcriber=transcriber,
    ) as application:
        said: list[str] = []
        stop = asyncio.Event()
        platform = TelegramPlatform(application, server.token, said.append)
        task = asyncio.create_task(platform.run(stop))
        bot = RunningBot(application, stop, task, said)
        try:
            yield bot
        finally:
            stop.set()
            await asyncio.gather(task, return_exceptions=True)
