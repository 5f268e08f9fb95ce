import httpx
import pytest
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

from bot.responding import (
    GoneError,
    NotSentError,
    RejectedError,
    UnconfirmedError,
    UnreachableError,
)
from bot.telegram.client import meaning


def caused(error, cause):
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (RetryAfter(3), NotSentError),
        (Forbidden("bot was blocked by the user"), UnreachableError),
        (ChatMigrated(-5), UnreachableError),
        (BadRequest("Chat not found"), UnreachableError),
        (BadRequest("Message to edit not found"), GoneError),
        (BadRequest("BUTTON_DATA_INVALID"), RejectedError),
        (InvalidToken("Unauthorized"), NotSentError),
        (NetworkError("Bad Gateway"), NotSentError),
        (NetworkError("Gateway Timeout"), UnconfirmedError),
        (caused(NetworkError("x"), httpx.ConnectError("refused")), NotSentError),
        (caused(TimedOut(), httpx.PoolTimeout("full")), NotSentError),
        (caused(TimedOut(), httpx.ReadTimeout("silent")), UnconfirmedError),
        (caused(NetworkError("x"), httpx.RemoteProtocolError("cut")), UnconfirmedError),
        (TelegramError("?"), UnconfirmedError),
    ],
)
def test_what_an_error_means_for_the_message(error, kind):
    assert type(meaning(error)) is kind


def test_how_long_telegram_wants_to_be_left_alone_is_known():
    assert meaning(RetryAfter(3)).retry_after == 3.0
