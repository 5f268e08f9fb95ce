"""The Discord platform: connects, serves, and stops without losing anything."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import discord

from bot.application import Application
from bot.discord.client import MemoraClient
from bot.discord.errors import Failure
from bot.discord.incoming import PLATFORM
from bot.waiting import wait_for
from memory.errors import ConfigError, MemoraError

logger = logging.getLogger(__name__)

FIRST_DELAY_SECONDS = 1.0
LONGEST_DELAY_SECONDS = 30.0
UNKNOWN_TOKEN = "DISCORD_BOT_TOKEN: Discord does not know it"  # noqa: S105 (says so of one)
MISSING_INTENT = (
    "discord.open_channels: Discord shows the messages there only with the message content intent; "
    "switch it on at discord.com/developers under Bot, or leave the setting empty"
)
AUTHENTICATION_FAILED = 4004

Announce = Callable[[str], None]


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
        try:
            await self._patiently(lambda: client.login(self.token), client, stop)
            await self._patiently(client.connect, client, stop)
        except discord.LoginFailure:
            raise ConfigError(UNKNOWN_TOKEN) from None
        except discord.PrivilegedIntentsRequired:
            raise ConfigError(MISSING_INTENT) from None
        except discord.ConnectionClosed as error:
            if error.code == AUTHENTICATION_FAILED:
                raise ConfigError(UNKNOWN_TOKEN) from None
            raise
        if not stop.is_set():
            raise PlatformClosedError("Discord closed the connection for good")

    @staticmethod
    async def _patiently(
        step: Callable[[], Awaitable[None]], client: MemoraClient, stop: asyncio.Event
    ) -> None:
        """Do ``step`` again until Discord could be reached for it, or we stop."""
        delay = FIRST_DELAY_SECONDS
        while not stop.is_set():
            try:
                await step()
            except (
                discord.LoginFailure,
                discord.PrivilegedIntentsRequired,
                discord.ConnectionClosed,
            ):
                raise
            except Failure as error:
                if client.is_closed():
                    raise
                logger.warning("Discord cannot be reached, next try in %.0f s: %s", delay, error)
                await wait_for(stop, delay)
                delay = min(LONGEST_DELAY_SECONDS, delay * 2)
            else:
                return
