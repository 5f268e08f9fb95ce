"""The whole bot in a simulated Discord: the real client, real Chroma, real SQLite."""

import asyncio
from contextlib import asynccontextmanager
from contextvars import Context, copy_context
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
BUTTON, SELECT = 2, 3


class FreeClient(MemoraClient):
    """Works outside the simulation's clock and its waiting: a reply may wait for the test."""

    context: Context | None = None

    def enter(self, env):
        with env.time_context():
            self.context = copy_context()

    def take(self, incoming, update_id):
        if self.context is None:
            super().take(incoming, update_id)
        else:
            self.context.run(super().take, incoming, update_id)

    async def worked_off(self):
        """Wait until nothing that came is left to do."""
        while self._intake is not None and self._intake._writing is not None:
            await asyncio.sleep(0.01)
        await self._inbox.settled()


@dataclass
class DiscordWorld:
    """A Discord with one bot in it."""

    application: Application
    env: simcord.Env
    said: list[str]

    @property
    def mention(self):
        return f"<@{self.env.bot.me.id}>"

    async def until(self, condition, seconds=20.0):
        """Wait until something holds that the bot works towards."""
        async with asyncio.timeout(seconds):
            while not condition():
                await asyncio.sleep(0.01)

    async def settled(self):
        """Wait until no work is left, and what came of it was told."""
        queue = self.application.queue
        await self.env.settle()
        await self.env.bot.worked_off()
        while await queue.count("queued") or await queue.count("running"):
            await asyncio.sleep(0.01)
        await self.env.settle()

    def write(self, user, channel, text):
        """Have someone write, without waiting for what comes of it."""
        return self.env.backend.create_message(channel.id, user.id, text)

    async def restart(self):
        """Have the bot leave as a stopped process does, and come back."""
        await self.env.bot.close()
        await self.env.restart_bot(FreeClient(self.application, self.said.append))
        self.env.bot.enter(self.env)

    def requests(self, method, part):
        """Return the calls of the bot to addresses that hold ``part``."""
        return [
            call for call in self.env.http_requests if call.method == method and part in call.path
        ]


def shown(message) -> str:
    """Return what a person reads of a message: its text and its embeds, marks undone."""
    parts = [message.content, *(embed.description or "" for embed in message.embeds)]
    return "\n".join(part for part in parts if part).replace("\\", "")


def from_bot(world, channel, viewer=None):
    """Return the bot's messages in a channel that stand there now, oldest first."""
    bot_id = world.env.bot.me.id
    return [item for item in channel.history(viewer=viewer) if item.author.id == bot_id]


def answers(world, channel, viewer=None):
    """Return what the bot's messages in a channel say now."""
    return [shown(message) for message in from_bot(world, channel, viewer)]


def components(message):
    """Return a message's buttons and menus."""
    found = []
    for row in message.components:
        children = row["components"] if isinstance(row, dict) else row.children
        found += [child if isinstance(child, dict) else child.to_dict() for child in children]
    return found


def labels(message):
    """Return what the buttons of a message say."""
    return [item["label"] for item in components(message) if item["type"] == BUTTON]


def menu(message, number):
    """Return the menu with that number in a message: id, and options by what they say."""
    select = [item for item in components(message) if item["type"] == SELECT][number]
    return select["custom_id"], {item["label"]: item["value"] for item in select["options"]}


@asynccontextmanager
async def discord_in(application, *, intents=UNPRIVILEGED):
    """Have an application answer in a Discord of its own."""
    said: list[str] = []
    client = FreeClient(application, said.append)
    env = simcord.Env(
        client, shard_count=1, approved_intents=intents, settle_timeout=SETTLE_SECONDS
    )
    await env.start()
    client.enter(env)
    try:
        yield DiscordWorld(application, env, said)
    finally:
        await env.bot.close()
        await env.shutdown()
    env.raise_errors()  # what the client would only have logged


@asynccontextmanager
async def discord_bot(
    folder, model, *, clock=None, transcriber=None, intents=UNPRIVILEGED, **sections
):
    """Run the bot; at the end it is stopped as by SIGTERM."""
    async with (
        open_application(
            configuration(folder, **sections),
            clock=clock or HastyClock(),
            model=model,
            embedder=HashingEmbedder(),
            transcriber=transcriber,
        ) as application,
        discord_in(application, intents=intents) as world,
    ):
        yield world
