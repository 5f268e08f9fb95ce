"""The Telegram platform: starts, receives, hands over, and stops without losing anything."""

import asyncio
import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from zlib import crc32

from telegram import Update, User
from telegram.error import InvalidToken, TelegramError
from telegram.ext import ExtBot, Updater

from bot.application import Application
from bot.inbox import Inbox
from bot.messages import IncomingMessage, Place
from bot.remembering import Notice
from bot.responding import Chat, Voice
from bot.telegram.chats import ChatIds
from bot.telegram.client import UNKNOWN_TOKEN, KeepingBot, open_bot
from bot.telegram.incoming import (
    PLATFORM,
    Blocked,
    Called,
    Edited,
    Joined,
    Moved,
    Nudged,
    Pressed,
    Said,
    Spoke,
    Unreadable,
    at_first_id,
    native_id,
    read_update,
)
from bot.telegram.menu import set_menus
from bot.telegram.outlet import TelegramOutlet
from bot.telegram.receiving import Intake, PollHealth, start_receiving
from bot.views import Line
from bot.waiting import until_reached, wait_for_first
from memory.errors import ConfigError

logger = logging.getLogger(__name__)

MAX_DRAFT_ID = 2**31 - 1

Announce = Callable[[str], None]


@dataclass(slots=True)
class TelegramPlatform:
    """One bot at Telegram."""

    application: Application
    token: str = field(repr=False)
    announce: Announce
    name: str = field(default=PLATFORM, init=False)

    async def run(self, stop: asyncio.Event) -> None:
        """Answer until ``stop`` is set; then finish what was begun.

        Raises ``ConfigError`` where Telegram does not accept the token.
        """
        health = PollHealth()
        settings = self.application.settings.telegram
        bot = open_bot(
            self.token,
            base_url=settings.base_url,
            messages_per_second=settings.messages_per_second,
            watch_polls=health.watch,
        )
        try:
            me = await self._connect(bot, stop)
            if me is not None:
                await self._serve(bot, me, health, stop)
        finally:
            await bot.shutdown()

    async def _connect(self, bot: ExtBot[int], stop: asyncio.Event) -> User | None:
        """Return who we are, as soon as Telegram can be reached; None where we stop before."""

        async def initialize() -> None:
            try:
                await bot.initialize()
            except InvalidToken:
                raise ConfigError(UNKNOWN_TOKEN) from None

        is_reached = await until_reached("Telegram", initialize, stop, failures=(TelegramError,))
        return bot.bot if is_reached else None

    async def _serve(
        self, bot: KeepingBot, me: User, health: PollHealth, stop: asyncio.Event
    ) -> None:
        application = self.application
        chats = ChatIds(PLATFORM, application.database)
        await chats.load()
        desk = Desk(application, bot, me, chats)
        inbox = Inbox(f"{PLATFORM}:{me.id}", application.database, application.clock, desk.work)
        application.listen(PLATFORM, desk.notify)
        await inbox.open()
        updater: Updater | None = None
        try:
            with suppress(TelegramError):  # a menu is no reason not to answer
                await set_menus(bot, application.texts)
            intake = Intake(inbox, me, chats)
            updater = await start_receiving(bot, intake, application.settings.telegram)
            self.announce(self._greeting(me))
            await wait_for_first(stop, health.refused)
        finally:
            if updater is not None:
                bot.keep_with(None)  # what the last poll brings is left for the next start
                with suppress(TelegramError):  # it says goodbye to a Telegram that may refuse it
                    await updater.stop()
            await inbox.close(application.settings.jobs.exit_grace_seconds)
        if health.refused.is_set():
            raise ConfigError("TELEGRAM_BOT_TOKEN: Telegram does not accept it any more")

    def _greeting(self, me: User) -> str:
        webhook = self.application.settings.telegram.webhook.url
        how = "polling" if webhook is None else f"webhook {webhook}"
        return f"Telegram: @{me.username} listens ({how}); {sight_of_groups(me)}"


def sight_of_groups(me: User) -> str:
    """Say what the bot gets to see in groups, and how to change it."""
    if me.can_read_all_group_messages:
        return "in groups it sees every message and answers those that are for it"
    return (
        "in groups it sees only commands and replies to it, not every @mention: to change that, "
        "turn privacy off at @BotFather with /setprivacy and add it to the group again"
    )


@dataclass(slots=True)
class Desk:
    """Where what came in is handed over, and where answers go out."""

    application: Application
    bot: ExtBot[int]
    me: User
    chats: ChatIds

    async def work(  # noqa: C901 (a table of what can come)
        self, payload: Mapping[str, Any]
    ) -> None:
        """Do what one update asks for."""
        read = read_update(Update.de_json(dict(payload), self.bot), self.me)
        if read is None or isinstance(read, Moved):
            return
        responder = self.application.responder
        match at_first_id(read, self.chats.first_id):
            case Said(message):
                await self._reply(message)
            case Called(call):
                await self._note_reachable(call.message.place)
                private = self._private_chat(call.message) if call.message.place.is_group else None
                await responder.run(call, self._outlet(call.message), private=private)
            case Pressed() as pressed:
                await self._press(pressed)
            case Spoke() as spoke:
                await self._listen(spoke)
            case Unreadable(message):
                await responder.say(message, Line("media.unreadable"), self._outlet(message))
            case Nudged(message):
                await responder.say(message, Line("group.nudged"), self._outlet(message))
            case Joined(message):
                hello = Line("group.hello", (("name", f"@{self.me.username}"),))
                await responder.say(message, hello, self._outlet(message))
            case Edited(message):
                await self.application.conversation.take_edit(message)
            case Blocked(place):
                await self.application.deliveries.mark_unreachable(place)

    async def notify(self, notice: Notice) -> None:
        """Say what came of background work; what was said in a group is answered in private."""
        here = Chat(notice.place, self._outlet_in(notice.place))
        private = Place(PLATFORM, notice.account.user_id)
        chats = [here] if not notice.place.is_group else [self._chat(private), here]
        await self.application.responder.notify(notice, chats)

    async def _reply(self, message: IncomingMessage) -> None:
        await self._note_reachable(message.place)
        await self.application.responder.reply(message, self._outlet(message))

    async def _listen(self, spoke: Spoke) -> None:
        await self._note_reachable(spoke.message.place)

        async def fetch() -> bytes | None:
            try:
                file = await self.bot.get_file(spoke.file_id)
                return bytes(await file.download_as_bytearray())
            except TelegramError as error:
                logger.warning("a voice message cannot be fetched: %s", error)
                return None

        voice = Voice(spoke.seconds, "speech.ogg", fetch)
        await self.application.responder.listen(spoke.message, voice, self._outlet(spoke.message))

    async def _press(self, pressed: Pressed) -> None:
        press = pressed.press
        texts = self.application.texts[self.application.language("", press.locale)]

        async def answer(line: Line | None) -> None:
            text = None if line is None else texts(line.key)
            try:
                await self.bot.answer_callback_query(pressed.query_id, text)
            except TelegramError as error:  # too old to be answered: the rest still counts
                logger.info("a button was not answered: %s", error)

        await self.application.responder.press(
            press, self._chat(press.place), message_id=pressed.message_id, answer=answer
        )

    async def _note_reachable(self, place: Place) -> None:
        """Someone writes there: it takes our messages again."""
        await self.application.deliveries.mark_reachable(place)

    def _private_chat(self, message: IncomingMessage) -> Chat:
        return self._chat(Place(PLATFORM, message.account.user_id))

    def _chat(self, place: Place) -> Chat:
        return Chat(place, self._outlet_in(place))

    def _outlet(self, message: IncomingMessage) -> TelegramOutlet:
        """Return the way to answer a message: in a group as a reply to it."""
        outlet = self._outlet_in(message.place)
        if message.place.is_group:
            outlet.reply_to = native_id(message)
        outlet.draft_id = crc32(message.message_id.encode()) & MAX_DRAFT_ID or 1
        return outlet

    def _outlet_in(self, place: Place) -> TelegramOutlet:
        return TelegramOutlet(
            self.bot,
            self.chats.id_now(place),
            draft_id=1,
            has_drafts=not place.is_group,
            follow=self.chats.move,
            topic_id=None if place.topic_id is None else int(place.topic_id),
        )
