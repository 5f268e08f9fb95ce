"""One person at each platform, so that the same scenarios can be run on all of them.

``say`` returns what the person sees of it, once whatever came of it is over.
"""

import asyncio
import io
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from rich.console import Console
from simcord.builders import UserHandle

from bot.commands import parse_command
from bot.console.platform import ConsolePlatform
from bot.console.screens import PlainScreen
from memora_testing.application import application_in
from memora_testing.discord_bot import DiscordWorld, answers, discord_bot
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


@dataclass
class DiscordChatter:
    """Someone in a private chat, who takes what the menu of commands offers."""

    world: DiscordWorld
    user: UserHandle

    async def say(self, text: str) -> str:
        before = len(answers(self.world, self.user.dm_channel))
        name, filled = self._chosen(text)
        if name is None:
            await self.user.send_dm(text)
        else:
            await self.user.slash(name, **filled)
        await self.world.settled()
        return "\n".join(answers(self.world, self.user.dm_channel)[before:])

    def _chosen(self, text: str) -> tuple[str | None, dict]:
        """Return the command and what is filled in; None where it must be written."""
        name, argument = parse_command(text) or ("", "")
        if name not in self.user.available_commands():
            return None, {}
        match name, argument.split(maxsplit=1):
            case (("remember" | "search" | "forget"), []):
                return None, {}  # the menu does not let it go without
            case "profile", [field, value]:
                return name, {"field": field, "value": value}
            case _, []:
                return name, {}
            case _:
                return name, {_PARAMETERS[name]: argument}


_PARAMETERS = {"remember": "text", "search": "words", "forget": "memory"}


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


@asynccontextmanager
async def discord_world(folder):
    async with discord_bot(folder, OfflineLanguageModel()) as world:
        yield DiscordChatter(world, world.env.create_user("ada"))


WORLDS = {"console": console_world, "discord": discord_world, "telegram": telegram_world}
