"""One person at each platform, so that the same scenarios can be run on all of them.

``say`` returns what the person sees of it, once whatever came of it is over.
"""

import asyncio
import io
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from rich.console import Console

from bot.console.platform import ConsolePlatform
from bot.console.screens import PlainScreen
from memora_testing.application import application_in
from memora_testing.telegram_bot import RunningBot, telegram_bot
from memora_testing.telegram_people import TelegramPerson
from memora_testing.telegram_server import TelegramServer, telegram_server
from memory.models.offline import OfflineLanguageModel


@dataclass
class ConsolePerson:
    """Someone at a terminal."""

    output: io.StringIO
    typed: asyncio.Queue = field(default_factory=asyncio.Queue)
    is_asked: asyncio.Event = field(default_factory=asyncio.Event)

    async def lines(self):
        while True:
            self.is_asked.set()
            line = await self.typed.get()
            if line is None:
                return
            yield line

    async def say(self, text: str) -> str:
        await self.is_asked.wait()
        self.is_asked.clear()
        before = len(self.output.getvalue())
        self.typed.put_nowait(text)
        await self.is_asked.wait()
        return self.output.getvalue()[before:]


@dataclass
class TelegramChatter:
    """Someone in a private chat."""

    server: TelegramServer
    bot: RunningBot
    person: TelegramPerson

    async def say(self, text: str) -> str:
        before = len(self.person.screen)
        await self.person.say(text)
        await self.server.until(lambda: len(self.person.screen) > before)
        await self.bot.settled()
        return "\n".join(self.person.screen[before:])


@asynccontextmanager
async def console_world(folder):
    async with application_in(folder, model=OfflineLanguageModel()) as application:
        person = ConsolePerson(io.StringIO())
        screen = PlainScreen(Console(file=person.output, soft_wrap=True, width=100))
        platform = ConsolePlatform(application, screen, "en", waits_for_memory=True)
        talking = asyncio.create_task(platform.talk(person.lines()))
        try:
            yield person
        finally:
            person.typed.put_nowait(None)
            await talking
            await platform.leave()


@asynccontextmanager
async def telegram_world(folder):
    async with (
        telegram_server() as server,
        telegram_bot(folder, server, OfflineLanguageModel()) as bot,
    ):
        yield TelegramChatter(server, bot, TelegramPerson(server, 77))
        assert server.refused_formats == []


WORLDS = {"console": console_world, "telegram": telegram_world}
