"""Who the bot is at Discord, and whether it may hear what it is set to: asked, and nothing more."""

from dataclasses import dataclass

import discord

from bot.discord.errors import Failure
from bot.discord.platform import MISSING_INTENT, UNKNOWN_TOKEN
from memory.errors import ConfigError, MemoraError

INVITE_PERMISSIONS = discord.Permissions(
    view_channel=True,
    send_messages=True,
    send_messages_in_threads=True,
    embed_links=True,
    read_message_history=True,
)
"""What it needs in a server; for voice messages and replies it reads what they point to."""


@dataclass(frozen=True, slots=True)
class Introduction:
    """What Discord says of the bot."""

    name: str
    servers: int
    invite: str
    """The address that adds it to a server."""
    calls_elsewhere: bool
    """True where commands go to an address on the web instead of to us."""


async def introduce(token: str, *, reads_everything: bool) -> Introduction:
    """Ask Discord who the bot is.

    Raises ``ConfigError`` where it does not know the token, or where ``reads_everything`` needs an
    intent that is not switched on, and ``MemoraError`` where it cannot be reached.
    """
    client = discord.Client(intents=discord.Intents.none())
    try:
        async with client:
            await client.login(token)
            found = await client.application_info()
    except discord.LoginFailure:
        raise ConfigError(UNKNOWN_TOKEN) from None
    except Failure as error:
        raise MemoraError(f"Discord cannot be reached: {type(error).__name__}") from error
    flags = found.flags
    if reads_everything and not (
        flags.gateway_message_content or flags.gateway_message_content_limited
    ):
        raise ConfigError(MISSING_INTENT)
    return Introduction(
        str(client.user),
        found.approximate_guild_count,
        discord.utils.oauth_url(found.id, permissions=INVITE_PERMISSIONS),
        found.interactions_endpoint_url is not None,
    )
