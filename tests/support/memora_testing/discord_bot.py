"""The whole bot in a simulated Discord: the real client, real Chroma, real SQLite."""

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass

import discord
import simcord

from bot.application import Application
from bot.bootstrap import open_application
from bot.discord.client import MemoraClient
from memora_testing.application import configuration
from memora_testing.clock import HastyClock
from memora_testing.embedder import HashingEmbedder

UNPRIVILEGED = discord.Intents.all()
UNPRIVILEGED.message_content = UNPRIVILEGED.members = UNPRIVILEGED.presences = False
SETTLE_SECONDS = 30.0


@dataclass
class DiscordWorld:
    """A Discord with one bot in it."""

    application: Application
    env: simcord.Env
    said: list[str]

    async def until(self, condition, seconds=20.0):
        """Wait until something holds that the bot works towards."""
        async with asyncio.timeout(seconds):
            while not condition():
                await asyncio.sleep(0.01)

    async def settled(self):
        """Wait until no work is left, and what came of it was told."""
        queue = self.application.queue
        await self.env.settle()
        while await queue.count("queued") or await queue.count("running"):
            await asyncio.sleep(0.01)
        await self.env.settle()

    async def restart(self):
        """Have the bot leave as a stopped process does, and come back."""
        await self.env.bot.close()
        await self.env.restart_bot(MemoraClient(self.application, self.said.append))

    def requests(self, method, part):
        """Return the calls of the bot to addresses that hold ``part``."""
        return [
            call for call in self.env.http_requests if call.method == method and part in call.path
        ]


@asynccontextmanager
async def discord_bot(
    folder, model, *, clock=None, transcriber=None, intents=UNPRIVILEGED, **sections
):
    """Run the bot; at the end it is stopped as by SIGTERM."""
    async with open_application(
        configuration(folder, **sections),
        clock=clock or HastyClock(),
        model=model,
        embedder=HashingEmbedder(),
        transcriber=transcriber,
    ) as application:
        said: list[str] = []
        client = MemoraClient(application, said.append)
        async with simcord.run(
            client, shard_count=1, approved_intents=intents, settle_timeout=SETTLE_SECONDS
        ) as env:
            world = DiscordWorld(application, env, said)
            try:
                yield world
            finally:
                await env.bot.close()
