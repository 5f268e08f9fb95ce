"""What an event means for us: a pure reading, before anything is done about it.

In a server a message is for us where it mentions us, replies to us, or stands in a channel that is
open to us. Other bots, webhooks and Discord's own notes are for nobody here. What is read is plain
values, so that it can be kept until it is worked, whatever happens to the process.
"""

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Literal

import discord
from pydantic import Field, TypeAdapter

from bot.commands import CommandCall, QuotedMessage, parse_command
from bot.messages import Account, IncomingMessage, Place, Press

PLATFORM = "discord"

Hint = Literal["media.unreadable", "group.nudged", "group.unread"]


@dataclass(frozen=True, slots=True)
class Ticket:
    """What an interaction is answered with, for fifteen minutes."""

    application_id: int
    token: str
    is_ephemeral: bool
    """True where only the person sees the answer."""
    message_id: int | None
    """The message that waits for the answer, or that the button stands under."""


@dataclass(frozen=True, slots=True)
class Said:
    """A message that wants a reply."""

    message: IncomingMessage
    channel_id: int
    kind: Literal["said"] = "said"


@dataclass(frozen=True, slots=True)
class Spoke:
    """A voice message that wants a reply."""

    message: IncomingMessage
    channel_id: int
    seconds: int
    kind: Literal["spoke"] = "spoke"


@dataclass(frozen=True, slots=True)
class Hinted:
    """A message that nothing can be made of: the person gets a hint."""

    message: IncomingMessage
    channel_id: int
    hint: Hint
    kind: Literal["hinted"] = "hinted"


@dataclass(frozen=True, slots=True)
class Edited:
    """A message that says something else now."""

    message: IncomingMessage
    kind: Literal["edited"] = "edited"


@dataclass(frozen=True, slots=True)
class Called:
    """A command, written in a message or chosen from the menu."""

    call: CommandCall
    channel_id: int
    ticket: Ticket | None = None
    kind: Literal["called"] = "called"


@dataclass(frozen=True, slots=True)
class Pressed:
    """A button, a choice from a menu, or a form that was sent."""

    press: Press
    ticket: Ticket
    kind: Literal["pressed"] = "pressed"


@dataclass(frozen=True, slots=True)
class Joined:
    """A server that we were added to."""

    channel_id: int
    """Where newcomers are greeted there."""
    locale: str
    kind: Literal["joined"] = "joined"


Incoming = Annotated[
    Said | Spoke | Hinted | Edited | Called | Pressed | Joined, Field(discriminator="kind")
]
_INCOMING: TypeAdapter[Incoming] = TypeAdapter(Incoming)


def to_payload(incoming: Incoming) -> dict[str, Any]:
    """Return ``incoming`` as JSON values."""
    payload: dict[str, Any] = _INCOMING.dump_python(incoming, mode="json")
    return payload


def from_payload(payload: object) -> Incoming:
    """Return what was kept as JSON values."""
    return _INCOMING.validate_python(payload)


def lane_of(incoming: Incoming) -> str:
    """Return what keeps the order: the channel; commands and buttons pass its messages."""
    match incoming:
        case Called(call):
            return f"{call.message.place.key} commands"
        case Pressed(press):
            return f"{press.place.key} commands"
        case Joined(channel_id):
            return f"{PLATFORM}:{channel_id}"
        case _:
            return incoming.message.place.key


def account_of(user: discord.abc.User) -> Account:
    """Return who someone is."""
    return Account(PLATFORM, str(user.id))


def private_place(user_id: int | str) -> Place:
    """Return a person's private chat: it is named for them, since its channel's id is not known."""
    return Place(PLATFORM, f"@{user_id}")


def place_in(channel: object, channel_id: int, *, user_id: int, is_private: bool) -> Place:
    """Return the place of a channel: a public thread is a topic of the channel it stands in.

    A private thread is a group of its own: what is said there is not for the whole channel.
    """
    if is_private:
        return private_place(user_id)
    if isinstance(channel, discord.Thread) and not channel.is_private():
        return Place(PLATFORM, str(channel.parent_id), topic_id=str(channel_id), is_group=True)
    return Place(PLATFORM, str(channel_id), is_group=True)


def read_message(
    message: discord.Message, me: discord.abc.User, open_channels: frozenset[int] = frozenset()
) -> Incoming | None:
    """Return what a message means for the bot ``me``; None where it is not for us.

    In ``open_channels`` every message is for us.
    """
    if not _is_for_us(message, me, open_channels):
        return None
    words = _words(message, me)
    incoming = _incoming(message, words)
    command = None if _is_forwarded(message) else parse_command(words)
    if command is not None:
        return Called(CommandCall(*command, incoming, _quoted(message)), message.channel.id)
    if words:
        return Said(incoming, message.channel.id)
    if message.flags.voice and message.attachments:
        seconds = int(message.attachments[0].duration or 0)
        return Spoke(incoming, message.channel.id, seconds)
    return Hinted(incoming, message.channel.id, _hint(message, me))


def read_edit(
    message: discord.Message, me: discord.abc.User, open_channels: frozenset[int] = frozenset()
) -> Edited | None:
    """Read an edit like the message it was; only one that was answered has a turn to change."""
    if message.edited_at is None:
        return None  # Discord also "edits" a message to add the preview of a link
    if not _is_for_us(message, me, open_channels):
        return None
    words = _words(message, me)
    return Edited(_incoming(message, words)) if words else None


def read_interaction(
    interaction: discord.Interaction[Any], message_id: str, text: str
) -> IncomingMessage:
    """Return who calls, where and when."""
    return IncomingMessage(
        account=account_of(interaction.user),
        place=place_of(interaction),
        message_id=message_id,
        text=text,
        sent_at=interaction.created_at,
        locale=str(interaction.locale),
    )


def place_of(interaction: discord.Interaction[Any]) -> Place:
    """Return where an interaction happens; chats of people among themselves count as groups."""
    is_private = interaction.guild_id is None and not interaction.context.private_channel
    return place_in(
        interaction.channel,
        interaction.channel_id or 0,
        user_id=interaction.user.id,
        is_private=is_private,
    )


def quote_of(message: discord.Message, user: discord.abc.User) -> QuotedMessage:
    """Return a message as one that ``user`` points to."""
    is_own = message.author.id == user.id and message.webhook_id is None
    return QuotedMessage(
        _plain_words(message), message.created_at, is_own and not _is_forwarded(message)
    )


def _is_for_us(
    message: discord.Message, me: discord.abc.User, open_channels: frozenset[int]
) -> bool:
    if message.author.bot or message.webhook_id is not None or message.is_system():
        return False
    if message.guild is None or _mentions(message, me) or _replies_to(message, me):
        return True
    channel = message.channel
    parent = channel.parent_id if isinstance(channel, discord.Thread) else None
    return not open_channels.isdisjoint({channel.id, parent})


def _mentions(message: discord.Message, me: discord.abc.User) -> bool:
    """Say whether we are mentioned: by name, or by the role that only we have."""
    if any(user.id == me.id for user in message.mentions):
        return True
    role = message.guild.self_role if message.guild else None
    return role is not None and role in message.role_mentions


def _answered(message: discord.Message) -> discord.Message | None:
    reference = message.reference
    if reference is None or reference.type is not discord.MessageReferenceType.reply:
        return None
    return reference.resolved if isinstance(reference.resolved, discord.Message) else None


def _replies_to(message: discord.Message, me: discord.abc.User) -> bool:
    answered = _answered(message)
    return answered is not None and answered.author.id == me.id


def _is_forwarded(message: discord.Message) -> bool:
    return bool(message.message_snapshots)


def _incoming(message: discord.Message, words: str) -> IncomingMessage:
    place = place_in(
        message.channel,
        message.channel.id,
        user_id=message.author.id,
        is_private=message.guild is None,
    )
    return IncomingMessage(
        account=account_of(message.author),
        place=place,
        message_id=str(message.id),
        text=words,
        sent_at=message.created_at,
        is_own_words=not _is_forwarded(message),
    )


def _hint(message: discord.Message, me: discord.abc.User) -> Hint:
    """Say what a person should know whose message has no words for us.

    Discord hides the words of a reply that does not mention us.
    """
    has_other = message.attachments or message.stickers or message.poll
    if has_other:
        return "media.unreadable"
    return "group.nudged" if _mentions(message, me) else "group.unread"


_CUSTOM_EMOJI = re.compile(r"<a?(:\w+:)\d+>")


def _words(message: discord.Message, me: discord.abc.User) -> str:
    """Return the words without the mentions that only call us, other names as people see them."""
    text = re.sub(rf"<@!?{me.id}>", "", _text(message))
    role = message.guild.self_role if message.guild else None
    if role is not None:
        text = text.replace(role.mention, "")
    return _named(text, message).strip(" ,:\n\t，：、")


def _plain_words(message: discord.Message) -> str:
    return _named(_text(message), message).strip()


def _text(message: discord.Message) -> str:
    if _is_forwarded(message):
        return message.message_snapshots[0].content
    return message.content


def _named(text: str, message: discord.Message) -> str:
    names = {
        **{f"<@{user.id}>": f"@{user.display_name}" for user in message.mentions},
        **{f"<@!{user.id}>": f"@{user.display_name}" for user in message.mentions},
        **{role.mention: f"@{role.name}" for role in message.role_mentions},
        **{channel.mention: f"#{channel.name}" for channel in message.channel_mentions},
    }
    for mention, name in names.items():
        text = text.replace(mention, name)
    return _CUSTOM_EMOJI.sub(r"\1", text)


def _quoted(message: discord.Message) -> QuotedMessage | None:
    """Return the message that a command replies to, where it has words."""
    answered = _answered(message)
    if answered is None or not _plain_words(answered):
        return None
    return quote_of(answered, message.author)


def message_update_id(message: discord.Message) -> str:
    """Return what names a message, or this edit of it, among all updates."""
    edited_at: datetime | None = message.edited_at
    if edited_at is None:
        return f"message {message.id}"
    return f"edit {message.id} {edited_at.timestamp()}"
