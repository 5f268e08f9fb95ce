"""A Discord channel to write to, and an interaction to answer; and what became of each message.

A message carries a nonce: sent again within a few minutes, whether or not it had arrived, it stands
in the channel once.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from time import monotonic
from typing import Any, cast

import discord

from bot.discord.errors import Failure, is_expired, meaning
from bot.discord.formatting import Shown, show, split_message
from bot.discord.incoming import Ticket
from bot.messages import OutgoingMessage
from bot.responding import (
    DeliveryError,
    GoneError,
    NotSentError,
    Outlet,
    PreviewStyle,
    PreviewUnsupportedError,
    RejectedError,
    UnconfirmedError,
)

logger = logging.getLogger(__name__)

EDIT_SECONDS = 1.5
"""A channel takes five changes in five seconds, from all replies in it together."""
REQUEST_SECONDS = 60.0
"""With the client's own waits for rate limits, which end after thirty."""
NONCE_CHARACTERS = 25
NONCE_SECONDS = 120.0
"""Discord knows a nonce "for a few minutes"."""

OpenChannel = Callable[[], Awaitable[discord.abc.Messageable]]


class _MessageOutlet:
    """What every way to write at Discord has in common."""

    __slots__ = ()

    @property
    def preview_style(self) -> PreviewStyle:
        """A message that is changed: Discord has no drafts."""
        return "message"

    @property
    def preview_seconds(self) -> float:
        """Changes are limited for each channel."""
        return EDIT_SECONDS

    def split(self, message: OutgoingMessage) -> list[OutgoingMessage]:
        """Return messages of at most 2,000 characters, or 4,096 in an embed."""
        return split_message(message)

    async def show_draft(self, message: OutgoingMessage) -> None:  # noqa: ARG002 (the protocol's)
        """Raise ``PreviewUnsupportedError``."""
        raise PreviewUnsupportedError("Discord has no drafts")


@dataclass(slots=True)
class ChannelOutlet(_MessageOutlet):
    """One channel, thread or private chat, for the answer to one message."""

    open_channel: OpenChannel
    seed: str
    """What names the answer among all: with it a message that is sent again is known as the same"""
    reply_to: discord.MessageReference | None = None
    """The message that is answered, in servers."""
    _doubtful_since: float | None = field(default=None, init=False)

    async def show_activity(self) -> None:
        """Show "typing" for ten seconds."""
        async with _request():
            channel = await self.open_channel()
            await channel.typing()

    async def post(self, message: OutgoingMessage, *, part: int = 0) -> str:
        """Send one message; the first part as a reply."""
        given = _given(show(message))
        if self.reply_to is not None and not part:
            given["reference"] = self.reply_to
        try:
            async with _request():
                channel = await self.open_channel()
                sent = await channel.send(
                    nonce=self._nonce(message, part),
                    suppress_embeds=not message.buttons,
                    **given,
                )
        except UnconfirmedError as error:
            raise self._while_the_nonce_is_known(error) from error
        self._doubtful_since = None
        return str(sent.id)

    async def change(
        self,
        message_id: str,
        message: OutgoingMessage,
        *,
        is_preview: bool = False,  # noqa: ARG002 (the protocol's)
    ) -> None:
        """Put a text and its buttons in place of an earlier one."""
        shown = show(message)
        async with _request():
            await (await self._message(message_id)).edit(
                content=shown.content, embed=shown.embed, view=shown.view
            )

    async def retire(self, message_id: str) -> None:
        """Take the buttons off a message."""
        async with _request():
            await (await self._message(message_id)).edit(view=None)

    async def _message(self, message_id: str) -> discord.PartialMessage:
        channel = cast("discord.PartialMessageable", await self.open_channel())
        return channel.get_partial_message(int(message_id))

    def _nonce(self, message: OutgoingMessage, part: int) -> str:
        whole = f"{self.seed}\n{part}\n{message.text}"
        return sha256(whole.encode()).hexdigest()[:NONCE_CHARACTERS]

    def _while_the_nonce_is_known(self, error: UnconfirmedError) -> DeliveryError:
        """Return it as something that can be sent again, as long as that cannot make two."""
        now = monotonic()
        self._doubtful_since = self._doubtful_since or now
        if now - self._doubtful_since > NONCE_SECONDS:
            return error
        return NotSentError(f"sent again under its nonce: {error}")


@dataclass(slots=True)
class InteractionOutlet(_MessageOutlet):
    """The answer to one interaction, by its token; elsewhere once that has expired."""

    client: discord.Client
    ticket: Ticket
    fallback: Outlet | None
    """Where an answer goes that comes too late; None where nobody would miss it."""

    async def show_activity(self) -> None:
        """Do nothing: Discord shows that we are thinking."""

    async def post(self, message: OutgoingMessage, *, part: int = 0) -> str:
        """Send one message: the first part in place of the one that says "thinking"."""
        try:
            return await self._post(message, part)
        except _ExpiredError:
            if self.fallback is None:
                raise
            logger.info("an interaction has expired; its answer goes elsewhere")
            return await self.fallback.post(message, part=part)

    async def change(
        self,
        message_id: str,
        message: OutgoingMessage,
        *,
        is_preview: bool = False,  # noqa: ARG002 (the protocol's)
    ) -> None:
        """Put a text and its buttons in place of an earlier one."""
        await self._edit(int(message_id), show(message))

    async def retire(self, message_id: str) -> None:
        """Take the buttons off a message."""
        async with _request():
            await self._webhook().edit_message(int(message_id), view=None)

    async def whisper(self, text: str) -> None:
        """Send a line that only the person sees."""
        async with _request():
            await self._webhook().send(text, ephemeral=True, wait=True)

    async def _post(self, message: OutgoingMessage, part: int) -> str:
        shown = show(message)
        waiting = None if part else self.ticket.message_id
        if waiting is not None and await self._fill(waiting, shown):
            return str(waiting)
        async with _request():
            sent = await self._webhook().send(
                ephemeral=self.ticket.is_ephemeral, wait=True, **_given(shown)
            )
        return str(sent.id)

    async def _fill(self, message_id: int, shown: Shown) -> bool:
        """Put the answer in the waiting message's place; False where the person sent it away."""
        try:
            await self._edit(message_id, shown)
        except UnconfirmedError as error:  # it can be put there again
            raise NotSentError(str(error)) from error
        except GoneError:
            return False
        return True

    async def _edit(self, message_id: int, shown: Shown) -> None:
        async with _request():
            await self._webhook().edit_message(
                message_id, content=shown.content, embed=shown.embed, view=shown.view
            )

    def _webhook(self) -> discord.Webhook:
        webhook = discord.Webhook.partial(
            self.ticket.application_id, self.ticket.token, client=self.client
        )
        # It is ours: it may send what one person sees, and buttons.
        webhook.type = discord.WebhookType.application
        return webhook


class _ExpiredError(RejectedError):
    """The interaction cannot be answered any more."""


@asynccontextmanager
async def _request() -> AsyncIterator[None]:
    """Bound a request in time, and raise what its failure means as a ``DeliveryError``."""
    try:
        async with asyncio.timeout(REQUEST_SECONDS):
            yield
    except Failure as error:
        if is_expired(error):
            raise _ExpiredError(str(error)) from error
        raise meaning(error) from error


def _given(shown: Shown) -> dict[str, Any]:
    """Return what a message has, by the names under which it is sent."""
    parts = {"content": shown.content, "embed": shown.embed, "view": shown.view}
    return {name: part for name, part in parts.items() if part is not None}
