"""Our messages as Discord shows them: texts, embeds, buttons and menus, within its limits.

A text takes 2,000 characters, an embed's description 4,096. They are counted here in UTF-16 units,
which is never less than what Discord counts. What stands in an embed and in a text is Markdown
there, so what people wrote and our own words are escaped.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

import discord

from bot.messages import Button, Menu, OutgoingMessage, Row
from bot.splitting import split_text

MAX_CONTENT = 2000
MAX_DESCRIPTION = 4096
MAX_LABEL = 80
MAX_OPTION = 100
MAX_PROMPT = 150
COLOUR = discord.Colour(0x4F7CAC)

FORM = "form:"
MENU = "menu:"


@dataclass(frozen=True, slots=True)
class Shown:
    """One message as it is sent; None is what it does not have."""

    content: str | None
    embed: discord.Embed | None
    view: discord.ui.View | None


def show(message: OutgoingMessage) -> Shown:
    """Return a message as Discord takes it: one with buttons as an embed, except a model's words.

    Needs a running event loop.
    """
    text = _markdown(message)
    view = _view(message.buttons) if message.buttons else None
    if not message.buttons or message.is_markdown:
        return Shown(text, None, view)
    return Shown(None, discord.Embed(description=text, colour=COLOUR), view)


def split_message(message: OutgoingMessage) -> list[OutgoingMessage]:
    """Return the messages that together show ``message``; the last one has its buttons."""
    is_embed = bool(message.buttons) and not message.is_markdown
    if is_embed and message.text.strip() and measure(message) <= MAX_DESCRIPTION:
        return [message]
    texts = split_text(
        message.text,
        limit=MAX_CONTENT,
        measure=lambda text: measure(replace(message, text=text)),
        is_markdown=message.is_markdown,
    )
    pieces = [replace(message, text=text, buttons=()) for text in texts]
    return [*pieces[:-1], replace(pieces[-1], buttons=message.buttons)] if pieces else []


def measure(message: OutgoingMessage) -> int:
    """Return how much of its limit a message's text takes."""
    return len(_markdown(message).encode("utf-16-le")) // 2


def _markdown(message: OutgoingMessage) -> str:
    return message.text if message.is_markdown else _escaped(message.text)


@lru_cache(maxsize=256)
def _escaped(text: str) -> str:
    return discord.utils.escape_markdown(text)


def _view(rows: tuple[Row, ...]) -> discord.ui.View:
    """Return the rows as components.

    The view is stopped at once: what is pressed is told by its id, after a restart too, and the
    client need not keep a view for each message it ever sent.
    """
    view = discord.ui.View(timeout=None)
    for number, row in enumerate(rows):
        if isinstance(row, Menu):
            view.add_item(_select(row, number))
        else:
            for button in row:
                view.add_item(_button(button, number))
    view.stop()
    return view


def _button(button: Button, row: int) -> discord.ui.Button[discord.ui.View]:
    style = discord.ButtonStyle.success if button.is_chosen else discord.ButtonStyle.secondary
    return discord.ui.Button(
        style=style,
        label=button.text[:MAX_LABEL],
        custom_id=f"{FORM}{button.data}" if button.opens_form else button.data,
        row=row,
    )


def _select(menu: Menu, row: int) -> discord.ui.Select[discord.ui.View]:
    options = [
        discord.SelectOption(
            label=(option.label or option.text)[:MAX_OPTION],
            value=option.data,
            default=option.is_chosen,
        )
        for option in menu.options
    ]
    return discord.ui.Select(
        custom_id=f"{MENU}{row}", placeholder=menu.prompt[:MAX_PROMPT], options=options, row=row
    )
