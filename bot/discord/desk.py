"""Where what came in is worked, and where answers go out."""

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import discord

from bot.application import Application
from bot.discord.errors import Failure
from bot.discord.incoming import (
    Called,
    Edited,
    Hinted,
    Joined,
    Pressed,
    Said,
    Spoke,
    from_payload,
    private_place,
)
from bot.discord.outlet import ChannelOutlet, InteractionOutlet, OpenChannel
from bot.messages import IncomingMessage, OutgoingMessage, Place
from bot.remembering import Notice
from bot.rendering import Reader, render
from bot.responding import Chat, DeliveryError, Outlet, Voice
from bot.views import Line

logger = logging.getLogger(__name__)

FETCH_SECONDS = 60.0


@dataclass(slots=True)
class Desk:
    """Hands over to the parts that decide; the same parts as on every platform."""

    application: Application
    client: discord.Client
    _private_channels: dict[str, int] = field(default_factory=dict, init=False)
    """Of persons, by their user ids."""

    async def work(self, payload: Mapping[str, Any]) -> None:
        """Do what one event asks for."""
        responder = self.application.responder
        incoming = from_payload(payload)
        match incoming:
            case Said(message, channel_id):
                await self._note_reachable(message, channel_id)
                await responder.reply(message, self._outlet(message, channel_id))
            case Spoke(message, channel_id):
                await self._note_reachable(message, channel_id)
                await self._listen(incoming)
            case Hinted(message, channel_id, hint):
                await responder.say(message, Line(hint), self._outlet(message, channel_id))
            case Edited(message):
                await self.application.conversation.take_edit(message)
            case Called(call, channel_id):
                await self._note_reachable(call.message, channel_id)
                await self._run(incoming)
            case Pressed():
                await self._press(incoming)
            case Joined(channel_id, locale):
                await self._greet(channel_id, locale)

    async def notify(self, notice: Notice) -> None:
        """Say what came of background work; what was said in a server is answered in private."""
        here = Chat(notice.place, self._outlet_in(notice.place))
        chats = [here]
        if notice.place.is_group:
            chats.insert(0, self._private_chat(notice.account.user_id))
        await self.application.responder.notify(notice, chats)

    async def _listen(self, spoke: Spoke) -> None:
        """Have a voice message heard; its address holds for a day only, so it is asked for."""

        async def fetch() -> bytes | None:
            channel = self.client.get_partial_messageable(spoke.channel_id)
            try:
                async with asyncio.timeout(FETCH_SECONDS):
                    message = await channel.fetch_message(int(spoke.message.message_id))
                    return await message.attachments[0].read() if message.attachments else None
            except Failure as error:
                logger.warning("a voice message cannot be fetched: %s", error)
                return None

        voice = Voice(spoke.seconds, "speech.ogg", fetch)
        outlet = self._outlet(spoke.message, spoke.channel_id)
        await self.application.responder.listen(spoke.message, voice, outlet)

    async def _run(self, called: Called) -> None:
        """Answer a command; one from the menu where only the person sees it."""
        message = called.call.message
        private = self._private_chat(message.account.user_id)
        if called.ticket is None:
            outlet: Outlet = self._outlet(message, called.channel_id)
        else:
            outlet = InteractionOutlet(self.client, called.ticket, private.outlet)
            private = Chat(private.place, outlet)
        is_group = message.place.is_group
        await self.application.responder.run(
            called.call, outlet, private=private if is_group else None
        )

    async def _press(self, pressed: Pressed) -> None:
        press, ticket = pressed.press, pressed.ticket
        texts = self.application.texts[self.application.language("", press.locale)]
        outlet = InteractionOutlet(self.client, ticket, None)

        async def answer(line: Line | None) -> None:
            try:
                if line is not None:
                    await outlet.whisper(texts(line.key))
            except DeliveryError as error:  # too old to be answered: the rest still counts
                logger.info("a button was not answered: %s", error)

        message_id = None if ticket.message_id is None else str(ticket.message_id)
        await self.application.responder.press(
            press, Chat(press.place, outlet), message_id=message_id, answer=answer
        )

    async def _greet(self, channel_id: int, locale: str) -> None:
        texts = self.application.texts[self.application.language("", locale)]
        reader = Reader(texts, self.application.people.default_time_zone)
        name = f"@{self.client.user.display_name}" if self.client.user else "@Memora"
        hello = render(Line("group.hello", (("name", name),)), reader)
        outlet = ChannelOutlet(self._channel(channel_id), seed=f"hello {channel_id}")
        try:
            await outlet.post(OutgoingMessage(hello))
        except DeliveryError as error:
            logger.info("a server was not greeted: %s", error)

    async def _note_reachable(self, message: IncomingMessage, channel_id: int) -> None:
        """Someone writes there: it takes our messages again, and we know its channel."""
        if not message.place.is_group:
            self._private_channels[message.account.user_id] = channel_id
        await self.application.deliveries.mark_reachable(message.place)

    def _private_chat(self, user_id: str) -> Chat:
        place = private_place(user_id)
        return Chat(place, self._outlet_in(place))

    def _outlet(self, message: IncomingMessage, channel_id: int) -> ChannelOutlet:
        """Return the way to answer a message: in a server as a reply to it."""
        outlet = ChannelOutlet(self._channel(channel_id), seed=message.message_id)
        if message.place.is_group and message.message_id.isdecimal():
            outlet.reply_to = discord.MessageReference(
                message_id=int(message.message_id), channel_id=channel_id, fail_if_not_exists=False
            )
        return outlet

    def _outlet_in(self, place: Place) -> ChannelOutlet:
        """Return the way to say something that answers no message."""
        if place.is_group:
            channel = self._channel(int(place.topic_id or place.chat_id))
        else:
            channel = self._private_channel(place.chat_id.removeprefix("@"))
        return ChannelOutlet(channel, seed=uuid4().hex)

    def _channel(self, channel_id: int) -> OpenChannel:
        async def open_channel() -> discord.PartialMessageable:
            return self.client.get_partial_messageable(channel_id)

        return open_channel

    def _private_channel(self, user_id: str) -> OpenChannel:
        async def open_channel() -> discord.PartialMessageable:
            if user_id not in self._private_channels:
                channel = await self.client.create_dm(discord.Object(int(user_id)))
                self._private_channels[user_id] = channel.id
            return self.client.get_partial_messageable(self._private_channels[user_id])

        return open_channel
