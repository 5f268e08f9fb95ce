"""The commands that Discord shows, with their names and descriptions in each language.

A command of the menu is the command of that name on every platform: what was filled in becomes the
argument that would stand behind it in a message.
"""

import inspect
import json
from collections.abc import Awaitable, Callable, Mapping
from hashlib import sha256
from typing import Any, Protocol, cast

import discord
from discord import app_commands
from discord.app_commands import Choice, Range, locale_str
from sqlalchemy.dialects.sqlite import insert

from bot.browsing import KINDS, ORDERS
from bot.commands import COMMANDS, QuotedMessage
from bot.discord.incoming import PLATFORM, quote_of
from bot.language import ENGLISH, TRADITIONAL_CHINESE
from bot.options import OPTIONS
from bot.texts import Texts
from memory.database import Database
from memory.database.tables import PublishedMenuRow
from memory.profile import PROFILE_FIELDS

Interaction = discord.Interaction[Any]
Callback = Callable[..., Awaitable[None]]
Tree = app_commands.CommandTree[Any]

LANGUAGES = {
    discord.Locale.taiwan_chinese: TRADITIONAL_CHINESE,
    discord.Locale.chinese: TRADITIONAL_CHINESE,
}
"""Discord's locales that have words of their own; English stands for every other."""
MAX_CHOICES = 25
MAX_CHOICE_NAME = 100
MAX_TEXT = 4000
MAX_WORDS = 300


class Reception(Protocol):
    """What the commands are handed to."""

    async def take_call(
        self, interaction: Interaction, name: str, argument: str, quoted: QuotedMessage | None
    ) -> None:
        """Take a command in."""
        ...

    async def suggest_memories(self, interaction: Interaction, words: str) -> list[tuple[str, str]]:
        """Return ids and words of at most ``MAX_CHOICES`` of the person's own memories.

        They fit ``words`` best, and are ``MAX_CHOICE_NAME`` characters long at most.
        """
        ...


async def _take(
    interaction: Interaction, name: str, *argument: object, quoted: QuotedMessage | None = None
) -> None:
    """Hand a command over, with what was filled in."""
    words = " ".join(str(part) for part in argument if part not in (None, ""))
    await _reception(interaction).take_call(interaction, name, words, quoted)


def _reception(interaction: Interaction) -> Reception:
    return cast("Reception", interaction.client)


async def _remember(interaction: Interaction, text: Range[str, 1, MAX_TEXT]) -> None:
    await _take(interaction, "remember", text)


async def _memories(
    interaction: Interaction,
    page: Range[int, 1, 9999] | None = None,
    kind: str | None = None,
    order: str | None = None,
) -> None:
    await _take(interaction, "memories", page, None if kind == "all" else kind, order)


async def _search(interaction: Interaction, words: Range[str, 1, MAX_WORDS]) -> None:
    await _take(interaction, "search", words)


async def _forget(interaction: Interaction, memory: Range[str, 1, 100]) -> None:
    await _take(interaction, "forget", memory)


async def _profile(
    interaction: Interaction, field: str | None = None, value: Range[str, 1, 200] | None = None
) -> None:
    await _take(interaction, "profile", field, value)


async def _settings(
    interaction: Interaction, option: str | None = None, state: str | None = None
) -> None:
    await _take(interaction, "settings", option, state)


async def _link(interaction: Interaction, code: Range[str, 1, 40] | None = None) -> None:
    await _take(interaction, "link", code)


async def _suggest(interaction: Interaction, current: str) -> list[Choice[str]]:
    found = await _reception(interaction).suggest_memories(interaction, current)
    return [Choice(name=words, value=value) for value, words in found]


async def _remember_this(interaction: Interaction, message: discord.Message) -> None:
    await _take(interaction, "remember", quoted=quote_of(message, interaction.user))


def _plain(name: str) -> Callback:
    """Return a command that takes nothing."""

    async def call(interaction: Interaction) -> None:
        await _take(interaction, name)

    return call


_CALLBACKS: dict[str, Callback] = {
    "remember": _remember,
    "memories": _memories,
    "search": _search,
    "forget": _forget,
    "profile": _profile,
    "settings": _settings,
    "link": _link,
}
"""The commands that take something; all others take nothing."""

_CHOICES: dict[str, tuple[str, tuple[str, ...]]] = {
    "kind": ("kind", KINDS),
    "order": ("order", ORDERS),
    "field": ("profile", PROFILE_FIELDS),
    "option": ("option", OPTIONS),
    "state": ("settings", ("on", "off")),
}
"""What is chosen from a list: where its words stand, and the values."""


def fill_tree(tree: Tree, texts: Mapping[str, Texts]) -> None:
    """Put every command into ``tree``, in servers, private chats and wherever people talk."""
    english = texts[ENGLISH]
    for name in COMMANDS:
        tree.add_command(_command(name, english))
    remember_this = app_commands.ContextMenu(
        name=_text(english, "menu.remember_this"), callback=_remember_this
    )
    tree.add_command(remember_this)


def _command(name: str, english: Texts) -> app_commands.Command[Any, ..., Any]:
    callback = _CALLBACKS.get(name) or _plain(name)
    names = list(inspect.signature(callback).parameters)[1:]
    if names:
        callback = app_commands.rename(
            **{item: locale_str(item, key=f"parameter.{item}") for item in names}
        )(callback)
        callback = app_commands.describe(
            **{item: _text(english, f"parameter.{item}.what") for item in names}
        )(callback)
    for item in _CHOICES.keys() & set(names):
        callback = app_commands.choices(**{item: _choices(item, english)})(callback)
    command: app_commands.Command[Any, ..., Any] = app_commands.Command(
        name=locale_str(name, key=f"name.{name}"),
        description=_text(english, f"command.{name}"),
        callback=callback,  # type: ignore[arg-type]  # its parameters differ
    )
    if "memory" in names:
        command.autocomplete("memory")(_suggest)
    return command


def _choices(item: str, english: Texts) -> list[Choice[str]]:
    section, values = _CHOICES[item]
    return [Choice(name=_text(english, f"{section}.{value}"), value=value) for value in values]


def _text(english: Texts, key: str) -> locale_str:
    """Return a text in English that knows where its other languages are."""
    return locale_str(english(key), key=key)


class CatalogueTranslator(app_commands.Translator):
    """Finds the words of other languages in our catalogues."""

    def __init__(self, texts: Mapping[str, Texts]) -> None:
        self._texts = texts

    async def translate(
        self,
        string: locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContextTypes,  # noqa: ARG002 (the library's signature)
    ) -> str | None:
        """Return the words in ``locale``; None where English will do."""
        language = LANGUAGES.get(locale)
        key = string.extras.get("key")
        return self._texts[language](key) if language and key else None


async def publish(tree: Tree, bot_id: int, texts: Mapping[str, Texts], database: Database) -> bool:
    """Tell Discord the commands, if they changed since it was told; say whether it was.

    Raises ``discord.DiscordException`` and ``DatabaseError``.
    """
    translator = CatalogueTranslator(texts)
    await tree.set_translator(translator)
    commands = [
        await command.get_translated_payload(tree, translator) for command in tree.get_commands()
    ]
    digest = sha256(json.dumps(commands, sort_keys=True).encode()).hexdigest()
    key = {"platform": PLATFORM, "bot_id": str(bot_id)}
    async with database.reading() as session:
        published = await session.get(PublishedMenuRow, tuple(key.values()))
    if published is not None and published.digest == digest:
        return False
    await tree.sync()
    async with database.transaction() as session:
        await session.execute(
            insert(PublishedMenuRow)
            .values(**key, digest=digest)
            .on_conflict_do_update(index_elements=["platform", "bot_id"], set_={"digest": digest})
        )
    return True
