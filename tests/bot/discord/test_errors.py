from types import SimpleNamespace

import aiohttp
import discord
import pytest

from bot.discord.errors import is_expired, meaning
from bot.responding import (
    GoneError,
    NotSentError,
    RejectedError,
    UnconfirmedError,
    UnreachableError,
)


def answer(status, code=0, kind=discord.HTTPException):
    return kind(SimpleNamespace(status=status, reason=""), {"code": code, "message": ""})


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (answer(404, 10008, discord.NotFound), GoneError),
        (answer(404, 10003, discord.NotFound), UnreachableError),
        (answer(403, 50007, discord.Forbidden), UnreachableError),
        (answer(403, 50013, discord.Forbidden), UnreachableError),
        (answer(400, 50083), UnreachableError),
        (answer(400, 50035), RejectedError),
        (answer(429), NotSentError),
        (answer(503, kind=discord.DiscordServerError), UnconfirmedError),
        (discord.RateLimited(7.0), NotSentError),
        (
            aiohttp.ClientConnectorError(
                SimpleNamespace(ssl=None, host="x", port=1), OSError(111, "refused")
            ),
            NotSentError,
        ),
        (aiohttp.ServerDisconnectedError(), UnconfirmedError),
        (TimeoutError(), UnconfirmedError),
        (discord.InvalidData(), RejectedError),
    ],
)
def test_what_an_error_means_for_the_message(error, kind):
    assert type(meaning(error)) is kind


def test_how_long_discord_wants_to_be_left_alone_is_known():
    assert meaning(discord.RateLimited(7.0)).retry_after == 7.0


def test_an_interaction_that_is_too_old_is_told_from_a_message_that_is_gone():
    assert is_expired(answer(404, 10015, discord.NotFound))
    assert is_expired(answer(401, 50027))
    assert not is_expired(answer(404, 10008, discord.NotFound))
