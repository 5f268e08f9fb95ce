"""The Discord client: it takes events in, and hands them over once they cannot be lost."""

import asyncio
import logging
from collections.abc import Callable
from typing import Any, cast

import discord
from discord import app_commands
from rapidfuzz import fuzz, process

from bot.application import Application
from bot.commands import CommandCall, QuotedMessage
from bot.discord.desk import Desk
from bot.discord.errors import Failure
from bot.discord.formatting import FORM, MENU
from bot.discord.incoming import (
    PLATFORM,
    Called,
    Incoming,
    Joined,
    Pressed,
    Ticket,
    account_of,
    lane_of,
    message_update_id,
    place_of,
    read_edit,
    read_interaction,
    read_message,
    to_payload,
)
from bot.discord.menu import MAX_CHOICE_NAME, MAX_CHOICES, fill_tree, publish
from bot.discord.receiving import Intake
from bot.inbox import Entry, Inbox
from bot.messages import Form, Press
from bot.rendering import excerpt
from bot.views import Line
from memory.errors import MemoraError, StorageError
from memory.records import StoredMemory

logger = logging.getLogger(__name__)

LONGEST_RATE_LIMIT_SECONDS = 30.0
"""Longer waits are ours, where other replies do not wait behind them."""
ANSWER_SECONDS = 2.0
"""What we give ourselves of the three seconds that Discord waits for a form or suggestions."""
FORM_FIELD = "text"
SUGGESTION_MIN_SCORE = 50

Interaction = discord.Interaction[Any]
Announce = Callable[[str], None]


def intents_for(*, reads_everything: bool) -> discord.Intents:
    """Return what we want to hear of: nothing privileged, unless channels are open to us."""
    intents = discord.Intents.none()
    intents.guilds = intents.guild_messages = intents.dm_messages = True
    intents.message_content = reads_everything
    return intents


class MemoraClient(discord.AutoShardedClient):
    """One bot at Discord. It caches neither messages nor members."""

    def __init__(self, memora: Application, announce: Announce) -> None:
        self.open_channels = memora.settings.discord.open_channel_ids
        super().__init__(
            intents=intents_for(reads_everything=bool(self.open_channels)),
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_ratelimit_timeout=LONGEST_RATE_LIMIT_SECONDS,
        )
        self.memora = memora
        self.announce = announce
        self.tree = app_commands.CommandTree(
            self,
            allowed_contexts=app_commands.AppCommandContext(
                guild=True, dm_channel=True, private_channel=True
            ),
            allowed_installs=app_commands.AppInstallationType(guild=True, user=True),
        )
        fill_tree(self.tree, memora.texts)
        self._inbox: Inbox | None = None
        self._intake: Intake | None = None
        self._is_announced = False

    @property
    def me(self) -> discord.ClientUser:
        """Who we are, once we are logged in."""
        if self.user is None:
            raise RuntimeError("expected to be logged in")
        return self.user

    async def setup_hook(self) -> None:
        """Open the inbox, with what an earlier process left, and publish the menu.

        The library calls it between the login and the first event. Raises ``DatabaseError``.
        """
        memora = self.memora
        desk = Desk(memora, self)
        self._inbox = Inbox(f"{PLATFORM}:{self.me.id}", memora.database, memora.clock, desk.work)
        self._intake = Intake(self._inbox, memora.clock)
        memora.listen(PLATFORM, desk.notify)
        await self._inbox.open()
        try:
            if await publish(self.tree, self.me.id, memora.texts, memora.database):
                logger.info("Discord was told the commands")
        except Failure as error:  # commands can be written, too
            logger.warning("Discord was not told the commands: %s", error)

    async def close(self) -> None:
        """Finish what was begun, in time, and leave the rest for the next start."""
        grace_seconds = self.memora.settings.jobs.exit_grace_seconds
        if self._intake is not None and self._inbox is not None:
            intake, inbox = self._intake, self._inbox
            self._intake = None  # what still comes is not taken in
            await intake.close(grace_seconds)
            await inbox.close(grace_seconds)
        await super().close()

    def take(self, incoming: Incoming | None, update_id: str) -> None:
        """Have what came worked; once, however often it comes."""
        if incoming is not None and self._intake is not None:
            entry = Entry(update_id, lane_of(incoming), to_payload(incoming))
            self._intake.take(entry)

    async def on_ready(self) -> None:
        """Say that we listen, the first time."""
        if not self._is_announced:
            self._is_announced = True
            self.announce(f"Discord: {self.me} listens; {sight_of_servers(self)}")

    async def on_message(self, message: discord.Message) -> None:
        """Take in a message."""
        self.take(read_message(message, self.me, self.open_channels), message_update_id(message))

    async def on_raw_message_edit(self, event: discord.RawMessageUpdateEvent) -> None:
        """Take in an edit, of whatever age."""
        edited = read_edit(event.message, self.me, self.open_channels)
        self.take(edited, message_update_id(event.message))

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Greet a server, where we may write."""
        channel = greeting_channel(guild)
        if channel is not None:
            joined_at = guild.me.joined_at or guild.created_at
            incoming = Joined(channel.id, str(guild.preferred_locale))
            self.take(incoming, f"joined {guild.id} {joined_at.timestamp():.0f}")

    async def on_interaction(self, interaction: Interaction) -> None:
        """Take in what was pressed, chosen or filled in; commands come by ``take_call``."""
        if interaction.type is discord.InteractionType.component:
            data = _pressed_data(interaction)
            if data.startswith(FORM):
                await self._open_form(interaction, data.removeprefix(FORM))
            else:
                await self._take_press(interaction, data)
        elif interaction.type is discord.InteractionType.modal_submit:
            data = _custom_id(interaction).removeprefix(FORM)
            await self._take_press(interaction, data, text=_filled_in(interaction))

    async def take_call(
        self, interaction: Interaction, name: str, argument: str, quoted: QuotedMessage | None
    ) -> None:
        """Take in a command from the menu; others do not see its answer."""
        is_ephemeral = place_of(interaction).is_group
        ticket = await self._acknowledge(interaction, is_ephemeral=is_ephemeral)
        if ticket is None:
            return
        message = read_interaction(
            interaction, _update_id(interaction), f"/{name} {argument}".strip()
        )
        call = CommandCall(name, argument, message, quoted)
        incoming = Called(call, interaction.channel_id or 0, ticket)
        self.take(incoming, _update_id(interaction))

    async def suggest_memories(self, interaction: Interaction, words: str) -> list[tuple[str, str]]:
        """Return ids and words of the person's own memories that fit ``words``; none in a fault."""
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                person = await self.memora.people.of(account_of(interaction.user))
                memories = await person.memory.list_all()
        except (MemoraError, TimeoutError) as error:
            logger.warning("no memory was suggested: %s", error)
            return []
        fitting = pick_fitting(memories, words)
        return [(memory.memory_id, excerpt(memory.content, MAX_CHOICE_NAME)) for memory in fitting]

    async def _open_form(self, interaction: Interaction, data: str) -> None:
        """Show a form, which must be the first answer; or say why there is none."""
        press = _press(interaction, data)
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                form = await self.memora.panels.form(press)
        except (StorageError, TimeoutError) as error:
            logger.warning("a form was not opened: %s", error)
            form = Line("error.StorageError")
        texts = self.memora.texts[self.memora.language("", press.locale)]
        try:
            if isinstance(form, Form):
                await interaction.response.send_modal(_modal(form, data))
            else:
                await interaction.response.send_message(texts(form.key), ephemeral=True)
        except Failure as error:
            logger.info("a form was not shown: %s", error)

    async def _take_press(
        self, interaction: Interaction, data: str, *, text: str | None = None
    ) -> None:
        ticket = await self._acknowledge(interaction)
        if ticket is not None:
            press = _press(interaction, data, text=text)
            self.take(Pressed(press, ticket), _update_id(interaction))

    async def _acknowledge(
        self, interaction: Interaction, *, is_ephemeral: bool = False
    ) -> Ticket | None:
        """Tell Discord that an answer will come; None where it does not wait for one any more."""
        try:
            if interaction.type is discord.InteractionType.application_command:
                waiting = await interaction.response.defer(ephemeral=is_ephemeral, thinking=True)
                message_id = None if waiting is None else waiting.message_id
            else:
                await interaction.response.defer()
                under = interaction.message
                message_id = None if under is None else under.id
                is_ephemeral = under is not None and under.flags.ephemeral
        except Failure as error:
            logger.warning("an interaction was not acknowledged in time: %s", error)
            return None
        return Ticket(interaction.application_id, interaction.token, is_ephemeral, message_id)


def sight_of_servers(client: MemoraClient) -> str:
    """Say what the bot gets to see in servers."""
    channels = len(client.open_channels)
    if channels:
        return f"in servers it answers mentions, replies to it, and all in {channels} channels"
    return "in servers it answers mentions and replies that mention it"


def greeting_channel(guild: discord.Guild) -> discord.TextChannel | None:
    """Return where newcomers are greeted, or the first channel that we may write in."""
    channels = [channel for channel in (guild.system_channel, *guild.text_channels) if channel]
    for channel in channels:
        allowed = channel.permissions_for(guild.me)
        if allowed.view_channel and allowed.send_messages:
            return channel
    return None


def pick_fitting(memories: list[StoredMemory], words: str) -> list[StoredMemory]:
    """Return the memories that fit ``words`` best, the newest where there are none."""
    if not words.strip():
        return memories[:MAX_CHOICES]
    found = process.extract(
        words,
        [memory.content for memory in memories],
        scorer=fuzz.partial_ratio,
        processor=str.casefold,
        score_cutoff=SUGGESTION_MIN_SCORE,
        limit=MAX_CHOICES,
    )
    return [memories[index] for _content, _score, index in found]


def _update_id(interaction: Interaction) -> str:
    return f"interaction {interaction.id}"


def _press(interaction: Interaction, data: str, *, text: str | None = None) -> Press:
    place = place_of(interaction)
    account = account_of(interaction.user)
    return Press(account, place, data, str(interaction.locale), text)


def _given(interaction: Interaction) -> dict[str, Any]:
    """Return what came with an interaction, as Discord sent it."""
    return cast("dict[str, Any]", interaction.data or {})


def _custom_id(interaction: Interaction) -> str:
    return str(_given(interaction).get("custom_id", ""))


def _pressed_data(interaction: Interaction) -> str:
    """Return what a button says, or the choice made in a menu."""
    custom_id = _custom_id(interaction)
    if not custom_id.startswith(MENU):
        return custom_id
    return next((str(value) for value in _given(interaction).get("values") or ()), "")


def _filled_in(interaction: Interaction) -> str:
    """Return the text of a form: its only field stands under a label."""
    labels = _given(interaction).get("components") or []
    fields = [label["component"] for label in labels if "component" in label]
    return next((str(field.get("value", "")) for field in fields), "")


def _modal(form: Form, data: str) -> discord.ui.Modal:
    """Return a form that comes back by its id, after a restart too."""
    modal = discord.ui.Modal(title=form.title[:45], custom_id=f"{FORM}{data}", timeout=None)
    field: discord.ui.TextInput[discord.ui.Modal] = discord.ui.TextInput(
        style=discord.TextStyle.paragraph,
        custom_id=FORM_FIELD,
        default=form.text,
        max_length=4000,
    )
    modal.add_item(discord.ui.Label(text=form.title[:45], component=field))
    modal.stop()
    return modal
