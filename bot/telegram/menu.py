"""The menu of commands that Telegram shows, in each language, in private chats and groups."""

import logging
from collections.abc import Mapping

from telegram import (
    BotCommand,
    BotCommandScope,
    BotCommandScopeAllGroupChats,
    BotCommandScopeAllPrivateChats,
)
from telegram.constants import BotCommandLimit
from telegram.ext import ExtBot

from bot.commands import COMMANDS
from bot.language import ENGLISH, TRADITIONAL_CHINESE
from bot.texts import Texts

logger = logging.getLogger(__name__)

LANGUAGE_CODES = {ENGLISH: "", TRADITIONAL_CHINESE: "zh"}
"""Telegram's codes; an empty one stands for every language without a menu of its own."""


async def set_menus(bot: ExtBot[int], texts: Mapping[str, Texts]) -> None:
    """Set the menus that differ from ours; raises ``TelegramError``."""
    scopes: tuple[BotCommandScope, ...] = (
        BotCommandScopeAllPrivateChats(),
        BotCommandScopeAllGroupChats(),
    )
    for language, code in LANGUAGE_CODES.items():
        menu = menu_in(texts[language])
        for scope in scopes:
            if await bot.get_my_commands(scope, code) != tuple(menu):
                await bot.set_my_commands(menu, scope, code)
                logger.info("Telegram: the menu %s %s is set", scope.type, language)


def menu_in(texts: Texts) -> list[BotCommand]:
    """Return every command with what it does."""
    limit = int(BotCommandLimit.MAX_DESCRIPTION)
    return [BotCommand(name, texts(f"command.{name}")[:limit]) for name in COMMANDS]
