"""How updates come in: by polling or by webhook, into the inbox before Telegram may forget them."""

import asyncio
import logging
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from urllib.parse import urlsplit

from telegram import Update, User
from telegram.error import NetworkError, TelegramError
from telegram.ext import Updater

from bot.inbox import Entry, Inbox
from bot.settings import TelegramSettings
from bot.telegram.chats import ChatIds
from bot.telegram.client import POLL_SECONDS, KeepingBot
from bot.telegram.incoming import (
    ALLOWED_UPDATES,
    Moved,
    at_first_id,
    lane_of,
    read_update,
)
from memory.errors import StorageError

logger = logging.getLogger(__name__)

RETRY_FOR_EVER = -1


@dataclass(frozen=True, slots=True)
class Intake:
    """Brings updates into the inbox. What cannot be kept is refused, so that it comes again."""

    inbox: Inbox
    me: User
    chats: ChatIds

    async def keep(self, updates: Sequence[Update]) -> None:
        """Keep updates, all or none; raises ``NetworkError`` where they cannot be kept now."""
        try:
            entries = [entry for update in updates if (entry := await self._entry(update))]
            await self.inbox.receive(entries)
        except StorageError as error:
            logger.warning("%d updates cannot be kept yet: %s", len(updates), error)
            raise NetworkError("the updates could not be kept") from error

    async def _entry(self, item: Update) -> Entry | None:
        try:
            incoming = read_update(item, self.me)
        except Exception:  # an update nobody can read must not hold up those behind it
            logger.exception("update %d cannot be read", item.update_id)
            return None
        if incoming is None:
            return None
        if isinstance(incoming, Moved):  # at once: what comes next is from the chat's new id
            await self.chats.move(incoming.old_chat_id, incoming.new_chat_id)
            return None
        lane = lane_of(at_first_id(incoming, self.chats.first_id))
        return Entry(str(item.update_id), lane, item.to_dict())


class WebhookQueue(asyncio.Queue[object]):
    """Where the webhook puts each update: kept before Telegram is told that it was received."""

    def __init__(self, intake: Intake) -> None:
        super().__init__()
        self._intake = intake

    async def put(self, item: object) -> None:
        """Keep one update; raises ``NetworkError`` where it cannot be kept now."""
        if isinstance(item, Update):
            await self._intake.keep([item])


class PolledQueue(asyncio.Queue[object]):
    """Where the updater puts what it polled: it is kept already."""

    async def put(self, item: object) -> None:
        """Do nothing."""


@dataclass(slots=True)
class PollHealth:
    """Says in the log when polling begins to fail and when it is well again, once each."""

    refused: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when Telegram does not know the token any more."""
    _trouble: str = ""

    def watch(self, outcome: int | Exception) -> None:
        """Take note of how one poll ended."""
        if isinstance(outcome, int) and outcome < HTTPStatus.BAD_REQUEST:
            if self._trouble:
                logger.warning("Telegram: polling works again")
            self._trouble = ""
        elif outcome == HTTPStatus.CONFLICT:
            self._say(
                "Telegram: someone else polls with this token (409). Stop the other process, or "
                "take its token away at @BotFather with /revoke; going on when it has gone"
            )
        elif outcome in (HTTPStatus.UNAUTHORIZED, HTTPStatus.NOT_FOUND):
            self._say("Telegram does not accept TELEGRAM_BOT_TOKEN any more")
            self.refused.set()
        elif isinstance(outcome, int):
            self._say(f"Telegram: polling fails with {outcome}; trying again")
        else:
            self._say(f"Telegram cannot be reached ({type(outcome).__name__}); trying again")

    def _say(self, trouble: str) -> None:
        if trouble != self._trouble:
            logger.warning("%s", trouble)
        self._trouble = trouble


async def start_receiving(bot: KeepingBot, intake: Intake, settings: TelegramSettings) -> Updater:
    """Begin to poll, or to listen where a webhook is set; return what is to be stopped.

    Raises ``TelegramError``.
    """
    webhook = settings.webhook
    updater = Updater(bot, PolledQueue() if webhook.url is None else WebhookQueue(intake))
    await updater.initialize()
    if webhook.url is None:
        bot.keep_with(intake.keep)
        await updater.start_polling(
            timeout=POLL_SECONDS,
            bootstrap_retries=RETRY_FOR_EVER,
            allowed_updates=ALLOWED_UPDATES,
            error_callback=_already_said,
        )
        return updater
    await updater.start_webhook(
        listen=webhook.listen,
        port=webhook.port,
        url_path=urlsplit(webhook.url).path.lstrip("/"),
        webhook_url=webhook.url,
        secret_token=secrets.token_urlsafe(32),
        bootstrap_retries=RETRY_FOR_EVER,
        allowed_updates=ALLOWED_UPDATES,
    )
    return updater


def _already_said(_error: TelegramError) -> None:
    """Say nothing: ``PollHealth`` does, and the library would write a traceback each time."""
