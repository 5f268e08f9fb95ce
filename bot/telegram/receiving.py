"""How updates come in: by polling or by webhook, into the inbox before Telegram may forget them."""

import asyncio
import logging
import secrets
from dataclasses import dataclass, field
from http import HTTPStatus
from urllib.parse import urlsplit

from telegram import Update, User
from telegram.error import NetworkError, TelegramError
from telegram.ext import Updater

from bot.inbox import Entry, Inbox
from bot.settings import TelegramSettings
from bot.telegram.chats import ChatIds
from bot.telegram.client import POLL_SECONDS
from bot.telegram.incoming import (
    ALLOWED_UPDATES,
    Incoming,
    Moved,
    at_first_id,
    lane_of,
    read_update,
)
from memory.errors import StorageError

logger = logging.getLogger(__name__)

RETRY_FOR_EVER = -1


class UpdateQueue(asyncio.Queue[object]):
    """Where the updater puts updates: each is in the inbox before it asks for the next.

    What it cannot keep it refuses, so that the updater asks for it again.
    """

    def __init__(self, inbox: Inbox, me: User, chats: ChatIds) -> None:
        super().__init__()
        self._inbox = inbox
        self._me = me
        self._chats = chats

    async def put(self, item: object) -> None:
        """Keep one update; raises ``NetworkError`` where it cannot be kept now."""
        if not isinstance(item, Update):
            return
        try:
            incoming = read_update(item, self._me)
        except Exception:  # an update nobody can read must not hold up those behind it
            logger.exception("update %d cannot be read", item.update_id)
            return
        if incoming is None:
            return
        try:
            await self._keep(item, incoming)
        except StorageError as error:
            logger.warning("update %d cannot be kept yet: %s", item.update_id, error)
            raise NetworkError("the update could not be kept") from error

    async def _keep(self, item: Update, incoming: Incoming) -> None:
        if isinstance(incoming, Moved):  # at once: what comes next is from the chat's new id
            await self._chats.move(incoming.old_chat_id, incoming.new_chat_id)
            return
        lane = lane_of(at_first_id(incoming, self._chats.first_id))
        await self._inbox.receive([Entry(str(item.update_id), lane, item.to_dict())])


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


async def start_receiving(updater: Updater, settings: TelegramSettings) -> None:
    """Begin to poll, or to listen where a webhook is set; raises ``TelegramError``."""
    webhook = settings.webhook
    if webhook.url is None:
        await updater.start_polling(
            timeout=POLL_SECONDS,
            bootstrap_retries=RETRY_FOR_EVER,
            allowed_updates=ALLOWED_UPDATES,
            error_callback=_already_said,
        )
        return
    await updater.start_webhook(
        listen=webhook.listen,
        port=webhook.port,
        url_path=urlsplit(webhook.url).path.lstrip("/"),
        webhook_url=webhook.url,
        secret_token=secrets.token_urlsafe(32),
        bootstrap_retries=RETRY_FOR_EVER,
        allowed_updates=ALLOWED_UPDATES,
    )


def _already_said(_error: TelegramError) -> None:
    """Say nothing: ``PollHealth`` does, and the library would write a traceback each time."""
