"""From a message to the answer that stands in the chat, once, whatever happens on the way.

Platforms hand over what came and an outlet to write to. This file decides what is written, in which
parts, and what is tried again; an outlet only does what it is told, and says how it ended.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any, Literal, Protocol

from bot.commands import (
    CommandCall,
    CommandService,
    answers_in_private,
    place_asked_about,
)
from bot.conversation import ConversationService
from bot.deliveries import Deliveries, Delivery, Part
from bot.messages import (
    Button,
    IncomingMessage,
    OutgoingMessage,
    Place,
    Press,
    ReplyFailed,
    ReplyText,
    ReplyWithoutMemory,
)
from bot.panels import STALE, STOP, Panels
from bot.people import People
from bot.readers import Readers
from bot.remembering import Notice
from bot.rendering import Reader, render
from bot.running import RunningReplies, RunningReply
from bot.views import Apology, Line, View
from bot.waiting import backoff_seconds, wait_for
from memory.clock import Clock
from memory.errors import EmptyAnswerError, MemoraError
from memory.transcriber import Transcriber

logger = logging.getLogger(__name__)

ACTIVITY_SECONDS = 4.5
"""Platforms show "typing" for five seconds."""
NOTICE_ATTEMPTS = 5
PLACEHOLDER = "✍️ …"

PreviewStyle = Literal["draft", "message"]
MakeAnswer = Callable[[], Awaitable[OutgoingMessage]]
AnswerPress = Callable[[Line | None], Awaitable[None]]
"""Tells who pressed a button a short line, or only that it was seen; raises nothing."""


class DeliveryError(Exception):
    """An outlet could not do what it was told."""


class NotSentError(DeliveryError):
    """It certainly did not reach the platform: it can be sent again."""

    def __init__(self, reason: str, *, retry_after: float | None = None) -> None:
        super().__init__(reason)
        self.retry_after = retry_after
        """Seconds the platform wants to be left alone; None where it named none."""


class UnconfirmedError(DeliveryError):
    """It was sent, and whether it arrived nobody knows: it must not be sent again."""


class GoneError(DeliveryError):
    """The message to change is not there any more."""


class UnreachableError(DeliveryError):
    """The chat takes no messages from us."""


class RejectedError(DeliveryError):
    """The platform will not take this message, however often it is sent."""


class PreviewUnsupportedError(DeliveryError):
    """The chat shows no drafts."""


class Outlet(Protocol):
    """Where the answer to one message goes. Its methods raise ``DeliveryError``."""

    @property
    def preview_style(self) -> PreviewStyle:
        """How an unfinished answer is shown.

        As a draft that vanishes by itself when a message comes, or as a message that is changed
        until it is the answer's beginning.
        """
        ...

    @property
    def preview_seconds(self) -> float:
        """The shortest time between two previews."""
        ...

    def split(self, message: OutgoingMessage) -> list[OutgoingMessage]:
        """Return the messages that together show ``message``, each short enough."""
        ...

    async def show_activity(self) -> None:
        """Show for a few seconds that an answer is being written."""
        ...

    async def show_draft(self, message: OutgoingMessage) -> None:
        """Show an unfinished answer as a draft. Raises ``PreviewUnsupportedError``."""
        ...

    async def post(self, message: OutgoingMessage, *, part: int = 0) -> str:
        """Send one message, which is that part of the answer, from 0; return its id."""
        ...

    async def change(
        self, message_id: str, message: OutgoingMessage, *, is_preview: bool = False
    ) -> None:
        """Put ``message`` in place of an earlier one; that it is there already is no error."""
        ...

    async def retire(self, message_id: str) -> None:
        """Take the buttons of an earlier message out of use."""
        ...


@dataclass(slots=True)
class Written:
    """An answer while it is being written."""

    reader: Reader
    notes: list[str] = field(default_factory=list)
    """What stands above it, of ours."""
    body: str = ""
    ending: str = ""
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    finished: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def text(self) -> str:
        """All there is, as Markdown; empty before the first word."""
        parts = [*self.notes, self.body.strip("\n"), self.ending]
        return "\n\n".join(part for part in parts if part.strip())

    def add(self, text: str) -> None:
        """Go on with ``text``."""
        self.body += text
        self.changed.set()

    def end(self, view: View | None = None) -> None:
        """Finish it, with a last line where there is something to say."""
        if view is not None:
            self.ending = render(view, self.reader)
        elif not self.body.strip():
            self.ending = render(Apology(EmptyAnswerError("no visible text")), self.reader)
        self.finished.set()
        self.changed.set()


@dataclass(frozen=True, slots=True)
class Chat:
    """A place, and the way to write there."""

    place: Place
    outlet: Outlet


@dataclass(frozen=True, slots=True)
class Ears:
    """How voice messages are heard."""

    transcriber: Transcriber | None
    """None where no model hears."""
    max_seconds: int


@dataclass(frozen=True, slots=True)
class Voice:
    """A voice message."""

    seconds: int
    file_name: str
    fetch: Callable[[], Awaitable[bytes | None]]
    """Returns the sound, or None where it cannot be had."""


@dataclass(frozen=True, slots=True)
class Responder:
    """Answers what comes from platforms; the same for all of them."""

    conversation: ConversationService
    commands: CommandService
    panels: Panels
    deliveries: Deliveries
    running: RunningReplies
    people: People
    readers: Readers
    clock: Clock
    ears: Ears

    async def reply(
        self, message: IncomingMessage, outlet: Outlet, *, is_heard: bool = False
    ) -> None:
        """Answer a message; once, however often it comes. Raises ``StorageError``.

        An answer to what ``is_heard`` begins with what was understood.
        """
        delivery = await self.deliveries.open(message.place, message.message_id)
        if delivery.state != "open":
            return
        with self.running.begin(message.account, message.place) as running:
            if delivery.content is None:
                written = Written(await self.readers.of(message))
                if is_heard:
                    heard = Line("voice.heard", (("text", message.text),))
                    written.notes.append(render(heard, written.reader))
                delivery.content = await self._write(message, outlet, delivery, running, written)
            await self._deliver(delivery, Chat(message.place, outlet))

    async def listen(self, message: IncomingMessage, voice: Voice, outlet: Outlet) -> None:
        """Answer what a voice message says, where a model hears it. Raises ``StorageError``."""
        if self.ears.transcriber is None:
            await self.say(message, Line("media.unreadable"), outlet)
            return
        if voice.seconds > self.ears.max_seconds:
            limit = (("minutes", str(max(1, self.ears.max_seconds // 60))),)
            await self.say(message, Line("voice.too_long", limit), outlet)
            return
        delivery = await self.deliveries.open(message.place, message.message_id)
        if delivery.content is None and delivery.state == "open":
            async with _activity(outlet):
                heard = await self._hear(voice, self.ears.transcriber)
            if not isinstance(heard, str):
                await self.say(message, heard, outlet)
                return
            message = replace(message, text=heard)
        await self.reply(message, outlet, is_heard=True)

    async def _hear(self, voice: Voice, transcriber: Transcriber) -> str | View:
        """Return what was said, or what to say where nothing was understood."""
        audio = await voice.fetch()
        if audio is None:
            return Line("voice.not_understood")
        try:
            words = await transcriber.transcribe(audio, file_name=voice.file_name)
        except MemoraError as error:
            return Apology(error)
        return words or Line("voice.not_understood")

    async def run(self, call: CommandCall, outlet: Outlet, *, private: Chat | None = None) -> None:
        """Answer a command; once, however often it comes. Raises ``StorageError``.

        Called in a group, ``private`` is where answers go that are for the person alone; where
        that is ``outlet`` itself, nobody else sees what it shows.
        """
        message = call.message
        if private is None or not answers_in_private(call.name):
            await self._answer(message, outlet, lambda: self._run(call))
            return
        about = place_asked_about(call, private.place)
        delivery = await self.deliveries.open(
            private.place, f"{message.place.chat_id}/{message.message_id}"
        )
        is_sent = await self._deliver_new(delivery, private, lambda: self._run(about))
        if private.outlet is not outlet:
            line = Line("private.sent" if is_sent else "private.closed")
            await self.say(message, line, outlet)

    async def say(self, message: IncomingMessage, view: View, outlet: Outlet) -> None:
        """Answer a message with a fixed view, once. Raises ``StorageError``."""
        await self._answer(message, outlet, lambda: self._show(message, view))

    async def notify(self, notice: Notice, chats: Sequence[Chat]) -> None:
        """Tell a person something outside any answer, in the first of ``chats`` that takes it.

        Answers that are on their way in the place it is about come first. Raises ``StorageError``.
        """
        await self.running.out(notice.place)
        reader = await self.readers.behind(notice.account, notice.language)
        person = await self.people.of(notice.account)
        message = await self.panels.open(person, notice.place, notice.view, reader)
        for chat in chats:
            if await self.deliveries.is_unreachable(chat.place):
                continue
            try:
                for part, piece in enumerate(chat.outlet.split(message)):
                    await self._post_notice(piece, chat.outlet, part=part)
            except UnreachableError:
                await self.deliveries.mark_unreachable(chat.place)
            except DeliveryError as error:
                logger.warning("a notice was not delivered: %s", error)
                return
            else:
                return

    async def press(
        self, press: Press, chat: Chat, *, message_id: str | None, answer: AnswerPress
    ) -> None:
        """Do what a button says, after it was answered, since platforms wait for that.

        The message it stands under shows what came of it; a new one where that is gone, or where
        ``message_id`` is not known. Raises ``StorageError``.
        """
        if press.data == STOP:
            is_stopped = self.running.stop(press.account, press.place)
            await answer(Line("stop.done" if is_stopped else "stop.not_yours"))
            return
        panel = await self.panels.find(press)
        if isinstance(panel, Line):
            await answer(panel)
            if panel == STALE and message_id is not None:
                with suppress(DeliveryError):  # buttons that stay do no harm
                    await chat.outlet.retire(message_id)
            return
        await answer(None)
        shown = await self.panels.act(panel, press)
        try:
            if message_id is None or not await self._change(message_id, shown, chat.outlet):
                await self._post_notice(shown, chat.outlet)
        except UnreachableError:
            await self.deliveries.mark_unreachable(chat.place)
        except DeliveryError as error:
            logger.warning("what a button did was not shown: %s", error)

    async def _post_notice(self, piece: OutgoingMessage, outlet: Outlet, *, part: int = 0) -> None:
        for attempt in range(NOTICE_ATTEMPTS):
            try:
                await outlet.post(piece, part=part)
            except NotSentError as error:
                await self._pause(error, attempt)
            else:
                return

    async def _answer(self, message: IncomingMessage, outlet: Outlet, make: MakeAnswer) -> None:
        delivery = await self.deliveries.open(message.place, message.message_id)
        await self._deliver_new(delivery, Chat(message.place, outlet), make)

    async def _deliver_new(self, delivery: Delivery, chat: Chat, make: MakeAnswer) -> bool:
        """Deliver what ``make`` returns, unless it is out already; say whether it is."""
        if delivery.state != "open":
            return delivery.state == "done"
        if delivery.content is None:
            async with _activity(chat.outlet):
                delivery.content = await make()
        return await self._deliver(delivery, chat)

    async def _run(self, call: CommandCall) -> OutgoingMessage:
        try:
            view = await self.commands.run(call)
        except Exception:
            logger.exception("the command /%s broke", call.name)
            view = Apology(MemoraError("a fault of ours"))
        return await self._show(call.message, view)

    async def _show(self, message: IncomingMessage, view: View) -> OutgoingMessage:
        reader = await self.readers.of(message)
        person = await self.people.of(message.account)
        return await self.panels.open(person, message.place, view, reader)

    async def _write(
        self,
        message: IncomingMessage,
        outlet: Outlet,
        delivery: Delivery,
        running: RunningReply,
        written: Written,
    ) -> OutgoingMessage:
        """Have the reply written, shown as it grows; return what there is of it at the end."""
        showing = asyncio.create_task(self._show_growing(written, outlet, delivery))
        writing = asyncio.create_task(self._collect(message, written))
        stopping = asyncio.create_task(running.stop.wait())
        try:
            await asyncio.wait({writing, stopping}, return_when=asyncio.FIRST_COMPLETED)
            if not writing.done():
                await _cancelled(writing)
                written.end(Line("reply.stopped"))
            # A draft that lands after the answer would stand beside it.
            await showing
        finally:
            for task in (stopping, writing, showing):
                await _cancelled(task)
        return OutgoingMessage(written.text, is_markdown=True)

    async def _collect(self, message: IncomingMessage, written: Written) -> None:
        """Turn the events of a reply into its text."""
        ending: View | None = None
        try:
            async with aclosing(self.conversation.reply(message)) as events:
                async for event in events:
                    match event:
                        case ReplyText(text):
                            written.add(text)
                        case ReplyWithoutMemory():
                            without = render(Line("reply.without_memory"), written.reader)
                            written.notes.append(without)
                        case ReplyFailed(error):
                            ending = Apology(error)
        except Exception:
            logger.exception("a reply broke")
            ending = Apology(MemoraError("a fault of ours"))
        written.end(ending)

    async def _show_growing(self, written: Written, outlet: Outlet, delivery: Delivery) -> None:
        """Show that something is being written, then what there is of it, until it is finished."""
        async with _activity(outlet) as activity:
            while not written.finished.is_set():
                await written.changed.wait()
                written.changed.clear()
                if outlet.preview_style == "message" and not delivery.parts:
                    await wait_for(written.finished, outlet.preview_seconds / 2)
                if written.finished.is_set() or not written.text:
                    continue
                pause = outlet.preview_seconds
                try:
                    await self._preview(written, outlet, delivery)
                    activity.cancel()
                except PreviewUnsupportedError:
                    pause = 0.0
                    written.changed.set()
                except NotSentError as error:
                    pause = max(pause, error.retry_after or 0.0)
                except DeliveryError as error:
                    logger.info("a preview was not shown: %s", error)
                await wait_for(written.finished, pause)

    async def _preview(self, written: Written, outlet: Outlet, delivery: Delivery) -> None:
        """Show what there is: as a draft its end, as a message its beginning."""
        pieces = outlet.split(OutgoingMessage(written.text, is_markdown=True))
        if outlet.preview_style == "draft":
            await outlet.show_draft(pieces[-1])
            return
        stop = ((Button(written.reader.texts("button.stop"), STOP),),)
        if not delivery.parts:
            await self._post_placeholder(
                delivery, outlet, OutgoingMessage(PLACEHOLDER, buttons=stop)
            )
            written.changed.set()  # the words that it stands for are still to be shown
        elif delivery.parts[0].message_id is not None:
            beginning = replace(pieces[0], buttons=stop)
            await outlet.change(delivery.parts[0].message_id, beginning, is_preview=True)

    async def _post_placeholder(
        self, delivery: Delivery, outlet: Outlet, message: OutgoingMessage
    ) -> None:
        """Send what is to become the answer; no word of it yet.

        If this is all that ever arrives, and its id is lost, it is no second answer.
        """
        part = Part(None, is_final=False)
        delivery.parts.append(part)
        await self.deliveries.save(delivery)
        try:
            part.message_id = await outlet.post(message)
        except NotSentError:
            delivery.parts.clear()
            raise
        finally:
            await self.deliveries.save(delivery)

    async def _deliver(self, delivery: Delivery, chat: Chat) -> bool:
        """Bring the whole answer into the chat; say whether it is there."""
        if delivery.content is None:
            raise ValueError("expected something to deliver, found none")
        try:
            for index, piece in enumerate(chat.outlet.split(delivery.content)):
                await self._deliver_piece(delivery, index, piece, chat.outlet)
        except (UnreachableError, RejectedError) as error:
            logger.warning("an answer in %s cannot be delivered: %s", chat.place.key, error)
            if isinstance(error, UnreachableError):
                await self.deliveries.mark_unreachable(chat.place)
            await self.deliveries.finish(delivery, "failed")
            return False
        await self.deliveries.finish(delivery, "done")
        return True

    async def _deliver_piece(
        self, delivery: Delivery, index: int, piece: OutgoingMessage, outlet: Outlet
    ) -> None:
        part = delivery.parts[index] if index < len(delivery.parts) else None
        if part is not None and part.is_final:
            return  # it is out, or may be
        preview = None if part is None else part.message_id
        if part is None or preview is None or not await self._change(preview, piece, outlet):
            await self._post(delivery, index, piece, outlet)
            return
        part.is_final = True
        await self.deliveries.save(delivery)

    async def _change(self, message_id: str, piece: OutgoingMessage, outlet: Outlet) -> bool:
        """Put ``piece`` in place of a message; False where that is gone. Twice does no harm."""
        for attempt in count():
            try:
                await outlet.change(message_id, piece)
            except (NotSentError, UnconfirmedError) as error:
                await self._pause(error, attempt)
            except GoneError:
                return False
            else:
                return True
        raise AssertionError("unreachable")

    async def _post(
        self, delivery: Delivery, index: int, piece: OutgoingMessage, outlet: Outlet
    ) -> None:
        """Send one piece, as long as it certainly did not arrive."""
        for attempt in count():
            part = Part(None, is_final=True)
            delivery.parts[index:] = [part]
            await self.deliveries.save(delivery)
            try:
                part.message_id = await outlet.post(piece, part=index)
            except NotSentError as error:
                delivery.parts.pop()
                await self.deliveries.save(delivery)
                await self._pause(error, attempt)
            except UnconfirmedError as error:
                logger.warning("an answer was sent, and never confirmed: %s", error)
                return
            else:
                return

    async def _pause(self, error: DeliveryError, attempt: int) -> None:
        """Wait before the next attempt: twice as long each time, or what the platform asked."""
        asked = error.retry_after if isinstance(error, NotSentError) else None
        await self.clock.sleep(backoff_seconds(attempt) if asked is None else asked)


@asynccontextmanager
async def _activity(outlet: Outlet) -> AsyncIterator[asyncio.Task[None]]:
    """Show within the block that something is being written; the task may be cancelled before."""

    async def show() -> None:
        while True:
            with suppress(DeliveryError):
                await outlet.show_activity()
            await asyncio.sleep(ACTIVITY_SECONDS)

    task = asyncio.create_task(show())
    try:
        yield task
    finally:
        await _cancelled(task)


async def _cancelled(task: asyncio.Task[Any]) -> None:
    """Cancel a task and wait until it has ended; what it raised is not of interest."""
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
