"""A model's Markdown as Telegram shows it: plain text and entities, never a parse mode.

Telegram counts UTF-16 units after entities are parsed, and takes about a hundred entities.
"""

import logging
import re
from dataclasses import replace
from functools import lru_cache
from math import ceil

from telegram import MessageEntity
from telegram.constants import MessageLimit
from telegramify_markdown import convert, utf16_len
from telegramify_markdown.config import RenderConfig

from bot.messages import OutgoingMessage
from bot.splitting import split_text

logger = logging.getLogger(__name__)

MAX_UNITS = int(MessageLimit.MAX_TEXT_LENGTH)
MAX_ENTITIES = int(MessageLimit.MESSAGE_ENTITIES)

_CODE = re.compile(
    r"(^ {0,3}(?:```|~~~).*?(?:^ {0,3}(?:```|~~~)\s*$|\Z)|`+[^`\n]+`+)", re.MULTILINE | re.DOTALL
)
_TAG_START = re.compile(r"<(?=[A-Za-z/!?])")
_AUTOLINK = re.compile(r"<(?=(?:https?://|mailto:)\S+>)")


def _configuration() -> RenderConfig:
    """Return how Markdown is shown: quiet marks, no pictures before headings."""
    configuration = RenderConfig.isolated()
    symbols = configuration.markdown_symbol
    symbols.heading_level_1 = symbols.heading_level_2 = ""
    symbols.heading_level_3 = symbols.heading_level_4 = ""
    symbols.unordered_list_item = "•"
    symbols.task_uncompleted = "☐"
    configuration.cite_expandable = False
    return configuration


_CONFIGURATION = _configuration()


@lru_cache(maxsize=256)
def to_entities(markdown: str) -> tuple[str, tuple[MessageEntity, ...]]:
    """Return Markdown as text and entities; as it stands where nothing of it would be seen."""
    try:
        text, found = convert(_keep_tags(markdown), latex_escape=False, config=_CONFIGURATION)
    except Exception:
        logger.exception("Markdown could not be formatted; it goes out as it is")
        return markdown.strip(), ()
    if not text.strip():
        return markdown.strip(), ()
    entities = [MessageEntity.de_json(entity.to_dict()) for entity in found]
    return _trim(text, entities)


def measure(markdown: str) -> int:
    """Return how much of a message it takes, of ``MAX_UNITS``."""
    text, entities = to_entities(markdown)
    return max(utf16_len(text), ceil(len(entities) * MAX_UNITS / MAX_ENTITIES))


def split_message(message: OutgoingMessage) -> list[OutgoingMessage]:
    """Return the messages that together show ``message``; the last one has its buttons."""
    texts = split_text(
        message.text,
        limit=MAX_UNITS,
        measure=measure if message.is_markdown else utf16_len,
        is_markdown=message.is_markdown,
    )
    pieces = [replace(message, text=text, buttons=()) for text in texts]
    return [*pieces[:-1], replace(pieces[-1], buttons=message.buttons)] if pieces else []


def _keep_tags(markdown: str) -> str:
    """Escape what looks like HTML outside code: Telegram shows none, and words would vanish."""
    pieces = _CODE.split(markdown)
    return "".join(
        piece if number % 2 else _escape_tags(piece) for number, piece in enumerate(pieces)
    )


def _escape_tags(text: str) -> str:
    return _TAG_START.sub(
        lambda found: "<" if _AUTOLINK.match(text, found.start()) else "&lt;", text
    )


def _trim(text: str, entities: list[MessageEntity]) -> tuple[str, tuple[MessageEntity, ...]]:
    """Cut blank ends off, as Telegram would, and move the entities along."""
    body = text.lstrip()
    shift = utf16_len(text) - utf16_len(body)
    body = body.rstrip()
    end = utf16_len(body)
    moved = []
    for entity in entities:
        start = max(entity.offset - shift, 0)
        stop = min(entity.offset - shift + entity.length, end)
        if start < stop:
            values = entity.to_dict() | {"offset": start, "length": stop - start}
            moved.append(MessageEntity.de_json(values))
    return body, tuple(moved)
