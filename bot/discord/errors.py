"""What Discord's errors mean for a delivery: what may be sent again, and what not."""

import aiohttp
import discord

from bot.responding import (
    DeliveryError,
    GoneError,
    NotSentError,
    RejectedError,
    UnconfirmedError,
    UnreachableError,
)

Failure = (discord.DiscordException, aiohttp.ClientError, OSError, TimeoutError)
"""What a request to Discord raises."""

UNKNOWN_MESSAGE = 10008
UNKNOWN_CHANNEL = 10003
UNKNOWN_WEBHOOK = 10015
UNKNOWN_INTERACTION = 10062
ALREADY_ACKNOWLEDGED = 40060
INVALID_WEBHOOK_TOKEN = 50027
ARCHIVED_THREAD = 50083

_EXPIRED = {UNKNOWN_WEBHOOK, INVALID_WEBHOOK_TOKEN, UNKNOWN_INTERACTION}
_UNREACHABLE = {UNKNOWN_CHANNEL, ARCHIVED_THREAD}
_TOO_MANY = 429
_SERVER_FAULT = 500


def is_expired(error: BaseException) -> bool:
    """Say whether an interaction can no longer be answered."""
    return isinstance(error, discord.HTTPException) and error.code in _EXPIRED


def meaning(error: BaseException) -> DeliveryError:
    """Return what became of a request that ended with ``error``."""
    match error:
        case discord.RateLimited():
            return NotSentError(str(error), retry_after=error.retry_after)
        case discord.HTTPException():
            return _meaning_of_answer(error)
        case aiohttp.ClientConnectorError():
            return NotSentError(f"no connection: {error}")
        case aiohttp.ClientError() | OSError():  # TimeoutError is an OSError
            return UnconfirmedError(f"the connection broke off: {type(error).__name__}")
        case _:
            return RejectedError(f"{type(error).__name__}: {error}")


def _meaning_of_answer(error: discord.HTTPException) -> DeliveryError:
    reason = f"{error.status}, code {error.code}"
    if error.code == UNKNOWN_MESSAGE:
        return GoneError(reason)
    if error.code in _UNREACHABLE or isinstance(error, discord.Forbidden):
        return UnreachableError(reason)
    if error.status == _TOO_MANY:
        return NotSentError(reason)
    if error.status >= _SERVER_FAULT:
        return UnconfirmedError(reason)
    return RejectedError(reason)
