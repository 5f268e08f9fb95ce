"""The connection to Telegram: a client that never hangs, and what its errors mean for a message."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any
from urllib.parse import urlsplit

import httpx
from telegram import Update, User
from telegram.error import (
    BadRequest,
    ChatMigrated,
    Forbidden,
    InvalidToken,
    NetworkError,
    RetryAfter,
    TelegramError,
    TimedOut,
)
from telegram.ext import ExtBot
from telegram.request import HTTPXRequest

from bot.responding import (
    DeliveryError,
    GoneError,
    NotSentError,
    RejectedError,
    UnconfirmedError,
    UnreachableError,
)
from bot.telegram.limits import ChatRateLimiter, seconds_in
from memory.errors import ConfigError

logger = logging.getLogger(__name__)

CONNECTIONS = 256
CONNECT_SECONDS = 10.0
ANSWER_SECONDS = 20.0
POLL_SECONDS = 25
DEADLINE_SECONDS = 60.0
"""The longest that any request may take, a poll included: nothing waits on a dead connection."""

Watch = Callable[[int | Exception], None]
"""Told how each poll ended: with a status, or without one."""

UNKNOWN_TOKEN = (
    "TELEGRAM_BOT_TOKEN: expected a token from @BotFather, found one Telegram does not know"  # noqa: S105
)

Keep = Callable[[Sequence[Update]], Awaitable[None]]

NEVER_SENT = (
    httpx.ConnectError,
    httpx.ConnectTimeout,
    httpx.PoolTimeout,
    httpx.WriteError,
    httpx.WriteTimeout,
    httpx.UnsupportedProtocol,
    httpx.LocalProtocolError,
    httpx.ProxyError,
)
"""What the client raises before the whole request has left it."""

_REFUSING_CHATS = (
    "chat not found",
    "user is deactivated",
    "not enough rights",
    "have no rights",
    "chat_write_forbidden",
    "topic_closed",
    "topic_deleted",
    "message thread not found",
    "peer_id_invalid",
    "group chat was deactivated",
)
_GONE_MESSAGES = (
    "message to edit not found",
    "message can't be edited",
    "message to be replied not found",
    "message_id_invalid",
)


class DeadlineRequest(HTTPXRequest):
    """Requests that end in time, whatever the network does."""

    def __init__(self, watch: Watch | None = None) -> None:
        super().__init__(
            connection_pool_size=CONNECTIONS,
            connect_timeout=CONNECT_SECONDS,
            read_timeout=ANSWER_SECONDS,
            write_timeout=ANSWER_SECONDS,
            pool_timeout=ANSWER_SECONDS,
        )
        self._watch = watch

    async def do_request(self, *args: Any, **kwargs: Any) -> tuple[int, bytes]:  # noqa: ANN401
        """Make one request; raises ``TimedOut`` at the deadline."""
        try:
            async with asyncio.timeout(DEADLINE_SECONDS):
                status, body = await super().do_request(*args, **kwargs)
        except TimeoutError as error:
            self._tell(error)
            raise TimedOut("no answer before the deadline") from error
        except TelegramError as error:
            self._tell(error)
            raise
        self._tell(status)
        return status, body

    def _tell(self, outcome: int | Exception) -> None:
        if self._watch is not None:
            self._watch(outcome)


class PollRequest(DeadlineRequest):
    """Polls of which each update can be read: one that cannot is nothing but its number.

    The library would log it whole, words and all, and ask for it again for ever.
    """

    @staticmethod
    def parse_json_payload(payload: bytes) -> dict[str, Any]:
        """Parse an answer; raises ``TelegramError`` where it is no JSON."""
        answer = DeadlineRequest.parse_json_payload(payload)
        updates = answer.get("result")
        if isinstance(updates, list):
            answer["result"] = [_readable(update) for update in updates]
        return answer


def _readable(update: dict[str, Any]) -> dict[str, Any]:
    try:
        Update.de_json(update, None)
    except Exception:  # whatever the library's classes raise at fields they do not expect
        number = update["update_id"]
        logger.exception("update %s cannot be read", number)
        return {"update_id": number}
    return update


class KeepingBot(ExtBot[int]):
    """A client that has what it polls kept, all at once, before anyone may ask for more."""

    _keep: Keep | None = None

    def keep_with(self, keep: Keep | None) -> None:
        """Have updates given to ``keep`` from now on, or to nobody; its errors end the poll."""
        self._keep = keep

    async def get_updates(self, *args: Any, **kwargs: Any) -> tuple[Update, ...]:  # noqa: ANN401
        """Poll; raises ``NetworkError`` where the updates cannot be kept now."""
        updates = await super().get_updates(*args, **kwargs)
        if self._keep is not None and updates:
            await self._keep(updates)
        return updates


def open_bot(
    token: str, *, base_url: str, messages_per_second: float, watch_polls: Watch
) -> KeepingBot:
    """Return a client of the Bot API at ``base_url``; nothing is connected yet."""
    return KeepingBot(
        token,
        base_url=f"{base_url}/bot",
        base_file_url=f"{base_url}/file/bot",
        request=DeadlineRequest(),
        get_updates_request=PollRequest(watch_polls),
        rate_limiter=ChatRateLimiter(messages_per_second),
    )


async def introduce(token: str, base_url: str) -> User:
    """Ask Telegram who the bot is; raises ``ConfigError`` with what is wrong."""
    bot = open_bot(token, base_url=base_url, messages_per_second=1, watch_polls=lambda _: None)
    try:
        await bot.initialize()
    except InvalidToken:
        raise ConfigError(UNKNOWN_TOKEN) from None
    except TelegramError as error:
        host = urlsplit(base_url).netloc
        raise ConfigError(f"Telegram cannot be reached at {host}: {error}") from None
    else:
        return bot.bot
    finally:
        await bot.shutdown()


def meaning(error: TelegramError) -> DeliveryError:
    """Say what an error means for the message that was to be sent."""
    reason = f"{type(error).__name__}: {error}"
    words = str(error).lower()
    match error:
        case RetryAfter():
            return NotSentError(reason, retry_after=seconds_in(error.retry_after))
        case Forbidden() | ChatMigrated():
            return UnreachableError(reason)
        case BadRequest() if any(text in words for text in _REFUSING_CHATS):
            return UnreachableError(reason)
        case BadRequest() if any(text in words for text in _GONE_MESSAGES):
            return GoneError(reason)
        case BadRequest():
            return RejectedError(reason)
        case NetworkError() if "gateway time" in words:
            return UnconfirmedError(reason)
        case NetworkError() if isinstance(error.__cause__, NEVER_SENT) or not _is_cut_off(error):
            return NotSentError(reason)
        case InvalidToken():
            return NotSentError(reason)
        case _:
            return UnconfirmedError(reason)


def _is_cut_off(error: NetworkError) -> bool:
    """Say whether no answer came: an answer with an error is a plain no."""
    return isinstance(error, TimedOut) or isinstance(error.__cause__, httpx.HTTPError)


def is_about_format(error: BadRequest) -> bool:
    """Say whether it is the formatting that Telegram does not take."""
    words = str(error).lower()
    return "entit" in words or "parse" in words


def is_too_long(error: BadRequest) -> bool:
    """Say whether a text is longer than Telegram takes."""
    words = str(error).lower()
    return "too long" in words or "message_too_long" in words


def is_not_modified(error: BadRequest) -> bool:
    """Say whether a message looks already as it should."""
    return "not modified" in str(error).lower()
