"""A Telegram chat to write to: posts, changes and drafts, and what became of each."""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import TypeVar

from telegram import (
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    LinkPreviewOptions,
    MessageEntity,
    ReplyParameters,
)
from telegram.constants import ChatAction
from telegram.error import BadRequest, ChatMigrated, InvalidToken, TelegramError
from telegram.ext import ExtBot

from bot.messages import Button, Menu, OutgoingMessage, Row
from bot.responding import (
    DeliveryError,
    PreviewStyle,
    PreviewUnsupportedError,
    UnconfirmedError,
)
from bot.telegram.client import is_about_format, is_not_modified, is_too_long, meaning
from bot.telegram.formatting import split_message, to_entities
from bot.telegram.limits import PREVIEW

logger = logging.getLogger(__name__)

DRAFT_SECONDS = 0.7
EDIT_SECONDS = 3.0
BUTTONS_IN_A_ROW = 4
NO_LINK_PREVIEW = LinkPreviewOptions(is_disabled=True)

Result = TypeVar("Result")
Entities = tuple[MessageEntity, ...]
Follow = Callable[[int, int], Awaitable[None]]
"""Notes that a chat has another id now."""


@dataclass(slots=True)
class TelegramOutlet:
    """One chat, or one topic in it, for the answer to one message."""

    bot: ExtBot[int]
    chat_id: int
    draft_id: int
    """Not zero; the same for all drafts of one answer."""
    has_drafts: bool
    """True in private chats, until Telegram says otherwise."""
    follow: Follow
    topic_id: int | None = None
    reply_to: int | None = None
    """The message that is answered, in groups."""
    is_silent: bool = False

    @property
    def preview_style(self) -> PreviewStyle:
        """Drafts where there are any; else a message that is changed."""
        return "draft" if self.has_drafts else "message"

    @property
    def preview_seconds(self) -> float:
        """Edits spend what a chat may be sent; drafts do not."""
        return DRAFT_SECONDS if self.has_drafts else EDIT_SECONDS

    def split(self, message: OutgoingMessage) -> list[OutgoingMessage]:
        """Return messages of at most 4,096 UTF-16 units and 100 entities."""
        return split_message(message)

    async def show_activity(self) -> None:
        """Show "typing" for five seconds."""
        try:
            await self._call(
                lambda: self.bot.send_chat_action(
                    self.chat_id, ChatAction.TYPING, message_thread_id=self.topic_id
                )
            )
        except BadRequest as error:
            raise meaning(error) from error

    async def show_draft(self, message: OutgoingMessage) -> None:
        """Show an unfinished answer for up to thirty seconds."""
        text, entities = _formatted(message)
        try:
            await self._call(
                lambda: self.bot.send_message_draft(
                    self.chat_id,
                    self.draft_id,
                    text,
                    message_thread_id=self.topic_id,
                    entities=entities,
                ),
                (BadRequest, InvalidToken),  # a server that has no drafts answers 404
            )
        except (BadRequest, InvalidToken) as error:
            self.has_drafts = False
            raise PreviewUnsupportedError(str(error)) from error

    async def post(self, message: OutgoingMessage, *, part: int = 0) -> str:  # noqa: ARG002 (the protocol's)
        """Send one message; as it stands where Telegram does not take its format."""
        text, entities = _formatted(message)
        try:
            return await self._post(text, entities, message)
        except BadRequest as error:
            if not (is_about_format(error) or is_too_long(error)):
                raise meaning(error) from error
            logger.error("Telegram refused a format: %s", error)
        return await self._post_plain(message)

    async def change(
        self, message_id: str, message: OutgoingMessage, *, is_preview: bool = False
    ) -> None:
        """Put a text and its buttons in place of an earlier one."""
        text, entities = _formatted(message)
        try:
            await self._change(message_id, text, entities, message, is_preview=is_preview)
        except BadRequest as error:
            if is_not_modified(error):
                return
            if not is_about_format(error):
                raise meaning(error) from error
            logger.error("Telegram refused a format: %s", error)
            plain = split_message(replace(message, is_markdown=False))[0].text
            await self._change(message_id, plain, (), message, is_preview=is_preview)

    async def retire(self, message_id: str) -> None:
        """Take the buttons off a message."""
        try:
            await self._call(
                lambda: self.bot.edit_message_reply_markup(self.chat_id, int(message_id))
            )
        except BadRequest as error:
            if not is_not_modified(error):
                raise meaning(error) from error

    async def _post_plain(self, message: OutgoingMessage) -> str:
        first, *others = split_message(replace(message, is_markdown=False))
        try:
            message_id = await self._post(first.text, (), first)
        except BadRequest as error:
            raise meaning(error) from error
        try:
            for piece in others:
                await self._post(piece.text, (), piece)
        except (BadRequest, DeliveryError) as error:
            raise UnconfirmedError(f"only a part was sent: {error}") from error
        return message_id

    async def _post(self, text: str, entities: Entities, message: OutgoingMessage) -> str:
        answered = self.reply_to
        sent = await self._call(
            lambda: self.bot.send_message(
                self.chat_id,
                text,
                entities=entities,
                message_thread_id=self.topic_id,
                reply_markup=_keyboard(message),
                link_preview_options=NO_LINK_PREVIEW,
                disable_notification=self.is_silent,
                reply_parameters=None
                if answered is None
                else ReplyParameters(answered, allow_sending_without_reply=True),
            )
        )
        return str(sent.message_id)

    async def _change(
        self,
        message_id: str,
        text: str,
        entities: Entities,
        message: OutgoingMessage,
        *,
        is_preview: bool,
    ) -> None:
        await self._call(
            lambda: self.bot.edit_message_text(
                text,
                self.chat_id,
                int(message_id),
                entities=entities,
                reply_markup=_keyboard(message),
                link_preview_options=NO_LINK_PREVIEW,
                rate_limit_args=PREVIEW if is_preview else None,
            )
        )

    async def _call(
        self,
        request: Callable[[], Awaitable[Result]],
        refusals: tuple[type[TelegramError], ...] = (BadRequest,),
    ) -> Result:
        """Make a request, after the chat where it moved; raises ``refusals`` as they are."""
        try:
            try:
                return await request()
            except ChatMigrated as moved:
                await self.follow(self.chat_id, moved.new_chat_id)
                self.chat_id = moved.new_chat_id
                return await request()
        except refusals:
            raise
        except TelegramError as error:
            raise meaning(error) from error


def _formatted(message: OutgoingMessage) -> tuple[str, Entities]:
    return to_entities(message.text) if message.is_markdown else (message.text, ())


def _keyboard(message: OutgoingMessage) -> InlineKeyboardMarkup | None:
    """Return the buttons; a menu as rows of them, and none that would open a form."""
    rows = [part for row in message.buttons for part in _button_rows(row)]
    if not rows:
        return None
    return InlineKeyboardMarkup(
        [
            [InlineKeyboardButton(_caption(button), callback_data=button.data) for button in row]
            for row in rows
        ]
    )


def _button_rows(row: Row) -> list[list[Button]]:
    buttons = row.options if isinstance(row, Menu) else row
    shown = [button for button in buttons if not button.opens_form]
    starts = range(0, len(shown), BUTTONS_IN_A_ROW)
    return [shown[start : start + BUTTONS_IN_A_ROW] for start in starts]


def _caption(button: Button) -> str:
    return f"✓ {button.text}" if button.is_chosen else button.text
