"""The Discord platform: connects, serves, and stops without losing anything."""

import asyncio
from dataclasses import dataclass, field

import discord

from bot.application import Application
from bot.discord.client import Announce, MemoraClient
from bot.discord.errors import Failure
from bot.discord.incoming import PLATFORM
from bot.waiting import until_reached
from memory.errors import ConfigError, MemoraError

UNKNOWN_TOKEN = "DISCORD_BOT_TOKEN: Discord does not know it"  # noqa: S105 (says so of one)
MISSING_INTENT = (
    "discord.open_channels: Discord shows the messages there only with the message content intent; "
    "switch it on at discord.com/developers under Bot, or leave the setting empty"
)
AUTHENTICATION_FAILED = 4004


class PlatformClosedError(MemoraError):
    """Discord will not have us any more, and nobody asked us to stop."""


@dataclass(slots=True)
class DiscordPlatform:
    """One bot at Discord."""

    application: Application
    token: str = field(repr=False)
    announce: Announce
    name: str = field(default=PLATFORM, init=False)

    async def run(self, stop: asyncio.Event) -> None:
        """Answer until ``stop`` is set; then finish what was begun.

        Raises ``ConfigError`` where Discord does not accept the token or an intent.
        """
        async with MemoraClient(self.application, self.announce) as client:
            serving = asyncio.create_task(self._serve(client, stop))
            stopping = asyncio.create_task(stop.wait())
            try:
                await asyncio.wait({serving, stopping}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                stopping.cancel()
                await client.close()
                serving.cancel()
                await asyncio.gather(serving, stopping, return_exceptions=True)
            if not serving.cancelled() and (error := serving.exception()) is not None:
                raise error

    async def _serve(self, client: MemoraClient, stop: asyncio.Event) -> None:
        """Log in and stay connected, as soon as Discord can be reached."""

        async def log_in() -> None:
            try:
                await client.login(self.token)
            except discord.LoginFailure:
                raise ConfigError(UNKNOWN_TOKEN) from None

        for step in (log_in, lambda: _connect(client)):
            if not await until_reached("Discord", step, stop, failures=Failure):
                return
        if not stop.is_set():
            raise PlatformClosedError("Discord closed the connection for good")


async def _connect(client: MemoraClient) -> None:
    """Stay connected until the client is closed."""
    try:
        await client.connect()
    except discord.PrivilegedIntentsRequired:
        raise ConfigError(MISSING_INTENT) from None
    except discord.ConnectionClosed as error:
        if error.code == AUTHENTICATION_FAILED:
            raise ConfigError(UNKNOWN_TOKEN) from None
        raise PlatformClosedError(f"Discord closed the connection with {error.code}") from error
    except Failure as error:
        if client.is_closed():
            raise PlatformClosedError(f"Discord is lost: {type(error).__name__}") from error
        raise
