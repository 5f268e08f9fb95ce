"""What an update means for us: a pure reading, before anything is done about it.

A group's message is for us where it mentions us, replies to us or commands us. Channel posts, other
bots, and commands for another bot are for nobody here.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from telegram import Chat, Message, MessageEntity, Update, User
from telegram.constants import ChatMemberStatus, ChatType

from bot.commands import COMMANDS, CommandCall, QuotedMessage, parse_command
from bot.messages import Account, IncomingMessage, Place, Press
from bot.telegram.limits import seconds_in

PLATFORM = "telegram"
ALLOWED_UPDATES = ("message", "edited_message", "callback_query", "my_chat_member")
SERVICE_ACCOUNT = 777000
"""Telegram's own account: in a group it stands behind what a linked channel posts."""


@dataclass(frozen=True, slots=True)
class Said:
    """A message that wants a reply."""

    message: IncomingMessage


@dataclass(frozen=True, slots=True)
class Called:
    """A command."""

    call: CommandCall


@dataclass(frozen=True, slots=True)
class Spoke:
    """A voice message that wants a reply."""

    message: IncomingMessage
    file_id: str
    seconds: int


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A picture, a sticker or the like, without words."""

    message: IncomingMessage


@dataclass(frozen=True, slots=True)
class Nudged:
    """Our name alone, without a question."""

    message: IncomingMessage


@dataclass(frozen=True, slots=True)
class Edited:
    """A message that says something else now."""

    message: IncomingMessage


@dataclass(frozen=True, slots=True)
class Pressed:
    """A button."""

    press: Press
    query_id: str
    message_id: str | None
    """The message it stands under; None where it is too old."""


@dataclass(frozen=True, slots=True)
class Blocked:
    """A chat that takes no messages from us any more."""

    place: Place


@dataclass(frozen=True, slots=True)
class Joined:
    """A group that we were added to."""

    message: IncomingMessage


@dataclass(frozen=True, slots=True)
class Moved:
    """A group that became a supergroup."""

    old_chat_id: int
    new_chat_id: int


Incoming = Said | Called | Spoke | Unreadable | Nudged | Edited | Pressed | Blocked | Joined
"""What is worked from the inbox; a move is noted as it comes in."""


def read_update(update: Update, me: User) -> Incoming | Moved | None:
    """Return what an update means for the bot ``me``; None where it is not for us."""
    if update.callback_query is not None:
        return _read_press(update)
    if update.my_chat_member is not None:
        return _read_membership(update)
    if update.edited_message is not None:
        return _read_edit(update.edited_message, me)
    if update.message is not None:
        return _read_message(update.message, me)
    return None


def lane_of(incoming: Incoming) -> str:
    """Return what keeps the order: the chat and topic; commands and buttons pass its messages."""
    match incoming:
        case Called(call):
            return f"{call.message.place.key} commands"
        case Pressed(press):
            return f"{press.place.key} commands"
        case Blocked(place):
            return place.key
        case _:
            return incoming.message.place.key


def at_first_id(incoming: Incoming, first_id: Callable[[str], str]) -> Incoming:
    """Return what came from a chat that has another id now as from the place it always was."""

    def at_first(place: Place) -> Place:
        return replace(place, chat_id=first_id(place.chat_id))

    match incoming:
        case Called(call):
            message = replace(call.message, place=at_first(call.message.place))
            return Called(replace(call, message=message))
        case Pressed(press):
            return replace(incoming, press=replace(press, place=at_first(press.place)))
        case Blocked(place):
            return Blocked(at_first(place))
        case _:
            message = replace(incoming.message, place=at_first(incoming.message.place))
            return replace(incoming, message=message)


def native_id(message: IncomingMessage) -> int | None:
    """Return Telegram's own id of a message; None where there is nothing to reply to."""
    _bot, _, number = message.message_id.rpartition("/")
    return int(number) if number.isdecimal() else None


def _read_message(message: Message, me: User) -> Incoming | Moved | None:
    if message.migrate_to_chat_id is not None:
        return Moved(message.chat.id, message.migrate_to_chat_id)
    sender = message.from_user
    if sender is None or sender.is_bot or sender.id == SERVICE_ACCOUNT:
        return None
    incoming = _incoming(message, sender, me)
    command = _command(message, me)
    if command is not None:
        name, argument = command
        incoming = replace(incoming, text=f"/{name} {argument}".strip())
        return Called(CommandCall(name, argument, incoming, _quoted(message, sender)))
    if _is_command_for_others(message) or not _is_for_us(message, me):
        return None
    words = _without_our_name(message, me)
    if words:
        return Said(replace(incoming, text=words))
    if message.voice is not None:
        voice = message.voice
        seconds = int(seconds_in(voice.duration))
        return Spoke(incoming, voice.file_id, seconds)
    if _words(message):
        return Nudged(incoming)
    return (
        Unreadable(_one_for_an_album(incoming, message)) if message.effective_attachment else None
    )


def _read_edit(message: Message, me: User) -> Edited | None:
    """Read an edit like the message it was; only one that was answered has a turn to change."""
    sender = message.from_user
    if sender is None or sender.is_bot or _command(message, me) is not None:
        return None
    words = _without_our_name(message, me)
    return Edited(replace(_incoming(message, sender, me), text=words)) if words else None


def _read_press(update: Update) -> Pressed | None:
    query = update.callback_query
    if query is None or query.data is None or query.message is None:
        return None
    message = query.message
    place = _place(message.chat, message if isinstance(message, Message) else None)
    account = Account(PLATFORM, str(query.from_user.id))
    press = Press(account, place, query.data, query.from_user.language_code)
    is_there = isinstance(message, Message)
    return Pressed(press, query.id, str(message.message_id) if is_there else None)


def _read_membership(update: Update) -> Blocked | Joined | None:
    change = update.my_chat_member
    if change is None:
        return None
    place = _place(change.chat, None)
    gone = (ChatMemberStatus.BANNED, ChatMemberStatus.LEFT)
    if change.new_chat_member.status in gone:
        return Blocked(place)
    if place.is_group and change.old_chat_member.status in gone:
        user = change.from_user
        account = Account(PLATFORM, str(user.id))
        message_id = f"joined {int(change.date.timestamp())}"
        return Joined(
            IncomingMessage(account, place, message_id, "", change.date, user.language_code)
        )
    return None


def _incoming(message: Message, sender: User, me: User) -> IncomingMessage:
    return IncomingMessage(
        account=Account(PLATFORM, str(sender.id)),
        place=_place(message.chat, message),
        # Telegram counts a private chat's messages for each bot anew.
        message_id=f"{me.id}/{message.message_id}",
        text=_words(message),
        sent_at=message.date,
        locale=sender.language_code,
        is_own_words=message.forward_origin is None and message.via_bot is None,
    )


def _place(chat: Chat, message: Message | None) -> Place:
    topic = message.message_thread_id if message and message.is_topic_message else None
    return Place(
        PLATFORM,
        str(chat.id),
        topic_id=None if topic is None else str(topic),
        is_group=chat.type != ChatType.PRIVATE,
    )


def _words(message: Message) -> str:
    return message.text or message.caption or ""


def _entities(message: Message, kind: str) -> dict[MessageEntity, str]:
    """Return entities of one kind with their words; offsets are UTF-16, which the library knows."""
    if message.text is not None:
        return message.parse_entities([kind])
    return message.parse_caption_entities([kind]) if message.caption is not None else {}


def _leading_command(message: Message) -> str | None:
    """Return the "/name" or "/name@bot" that a message opens with."""
    commands = _entities(message, MessageEntity.BOT_COMMAND)
    return next((words for entity, words in commands.items() if entity.offset == 0), None)


def _command(message: Message, me: User) -> tuple[str, str] | None:
    """Return a command's name and argument where it is for us."""
    leading = _leading_command(message)
    if leading is None or message.forward_origin is not None:
        return None
    called, _, addressee = leading.partition("@")
    if addressee and addressee.lower() != (me.username or "").lower():
        return None
    parsed = parse_command(called + _words(message)[len(leading) :])
    if parsed is None:
        return None
    is_certain = addressee or message.chat.type == ChatType.PRIVATE
    return parsed if is_certain or parsed[0] in COMMANDS else None


def _is_command_for_others(message: Message) -> bool:
    """Say whether another bot is commanded: also where the message is a reply to us."""
    leading = _leading_command(message)
    return leading is not None and message.chat.type != ChatType.PRIVATE


def _is_for_us(message: Message, me: User) -> bool:
    if message.chat.type == ChatType.PRIVATE:
        return True
    return bool(_our_mentions(message, me)) or _replies_to(message, me)


def _our_mentions(message: Message, me: User) -> list[MessageEntity]:
    name = f"@{me.username}".lower()
    mentions = _entities(message, MessageEntity.MENTION)
    found = [entity for entity, words in mentions.items() if words.lower() == name]
    by_id = _entities(message, MessageEntity.TEXT_MENTION)
    return found + [entity for entity in by_id if entity.user and entity.user.id == me.id]


def _replies_to(message: Message, me: User) -> bool:
    answered = message.reply_to_message
    if answered is None or answered.from_user is None:
        return False
    # In a topic every message replies to the one that opened it, which may be ours.
    return answered.from_user.id == me.id and answered.forum_topic_created is None


def _without_our_name(message: Message, me: User) -> str:
    """Return the words without the mentions that only call us."""
    units = _words(message).encode("utf-16-le")
    for entity in sorted(_our_mentions(message, me), key=lambda item: -item.offset):
        start, end = 2 * entity.offset, 2 * (entity.offset + entity.length)
        units = units[:start] + units[end:]
    return units.decode("utf-16-le", errors="ignore").strip(" ,:\n\t，：、")


def _quoted(message: Message, sender: User) -> QuotedMessage | None:
    """Return the message that a command replies to, where it has words."""
    quoted = message.reply_to_message
    if quoted is None or not _words(quoted):
        return None
    is_own = (
        quoted.from_user is not None
        and quoted.from_user.id == sender.id
        and quoted.sender_chat is None
        and quoted.forward_origin is None
        and quoted.via_bot is None
    )
    return QuotedMessage(_words(quoted), quoted.date, is_own)


def _one_for_an_album(incoming: IncomingMessage, message: Message) -> IncomingMessage:
    """Give the pictures of one album one id, so that they get one answer."""
    if message.media_group_id is None:
        return incoming
    return replace(incoming, message_id=f"album {message.media_group_id}")
