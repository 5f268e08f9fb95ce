"""The console as a platform: lines become messages and commands, replies become text.

It decides nothing that another platform would need too.
"""

import asyncio
import getpass
import signal
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import aclosing, contextmanager, suppress
from dataclasses import dataclass, field

from bot.application import Application
from bot.commands import CommandCall, parse_command
from bot.console.screens import Screen
from bot.messages import (
    Account,
    IncomingMessage,
    Place,
    ReplyFailed,
    ReplyText,
    ReplyWithoutMemory,
)
from bot.remembering import Notice
from bot.rendering import Reader, render
from bot.texts import Texts
from bot.views import Apology, Line

PLATFORM = "console"


@dataclass(slots=True)
class ConsolePlatform:
    """One person's session."""

    application: Application
    screen: Screen
    locale: str | None
    waits_for_memory: bool
    """True at a pipe: each line is remembered before the next is read, as if a person wrote it."""
    account: Account = field(default_factory=lambda: Account(PLATFORM, getpass.getuser()))
    place: Place = field(default_factory=lambda: Place(PLATFORM, "main"))

    def greet(self, version: str) -> None:
        """Show which model, embedder and data folder are in use."""
        application, texts = self.application, self._texts("")
        notes = [texts("console.hint")]
        if application.model.is_offline:
            notes.insert(0, texts("offline.notice"))
        rows = [
            (texts("console.model"), application.model.name),
            (texts("console.embedder"), application.embedder.fingerprint),
            (texts("console.data"), str(application.settings.data_folder)),
        ]
        self.screen.banner(texts("console.title", version=version), rows, notes)

    async def talk(self, lines: AsyncIterator[str]) -> None:
        """Answer line by line until there are no more."""
        self.application.listen(PLATFORM, self.notify)
        async for line in lines:
            if not line.strip():
                continue
            await self._answer(self._incoming(line.strip()))
            if self.waits_for_memory:
                await self.application.worker.drain()

    async def leave(self) -> None:
        """Finish what was begun, and say whether something is left for the next time."""
        queue, texts = self.application.queue, self._texts("")
        if await queue.count("queued") or await queue.count("running"):
            self.screen.notice(texts("console.finishing"))
            await self.application.finish()
        waiting = await queue.count("queued")
        if waiting:
            self.screen.notice(texts.plural("console.goodbye_pending", waiting))
        elif not self.waits_for_memory:
            self.screen.notice(texts("console.goodbye"))

    async def notify(self, notice: Notice) -> None:
        """Show what came of background work."""
        reader = Reader(
            self.application.texts[notice.language], self.application.people.default_time_zone
        )
        self.screen.notice(render(notice.view, reader))

    async def _answer(self, message: IncomingMessage) -> None:
        command = parse_command(message.text)
        if command is not None:
            view = await self.application.commands.run(CommandCall(*command, message))
            self.screen.answer(render(view, await self.application.readers.of(message)))
            return
        reply = asyncio.ensure_future(self.screen.reply(self._pieces(message)))
        with interrupts(reply.cancel), suppress(asyncio.CancelledError):
            await reply

    async def _pieces(self, message: IncomingMessage) -> AsyncIterator[str]:
        """Turn the events of a reply into its text."""
        reader = await self.application.readers.of(message)
        written = False
        async with aclosing(self.application.conversation.reply(message)) as events:
            async for event in events:
                match event:
                    case ReplyText(text):
                        written = True
                        yield text
                    case ReplyWithoutMemory():
                        self.screen.notice(render(Line("reply.without_memory"), reader))
                    case ReplyFailed(error):
                        yield ("\n\n" if written else "") + render(Apology(error), reader)

    def _incoming(self, text: str) -> IncomingMessage:
        return IncomingMessage(
            account=self.account,
            place=self.place,
            message_id=self.application.new_id(),
            text=text,
            sent_at=self.application.clock.now(),
            locale=self.locale,
        )

    def _texts(self, text: str) -> Texts:
        language = self.application.language(text, self.locale)
        return self.application.texts[language]


@contextmanager
def interrupts(stop: Callable[[], object]) -> Iterator[None]:
    """Let Ctrl-C stop only what is going on."""
    loop = asyncio.get_running_loop()
    before = signal.getsignal(signal.SIGINT)
    try:
        loop.add_signal_handler(signal.SIGINT, stop)
    except (NotImplementedError, RuntimeError):  # Windows, or not in the main thread
        yield
        return
    try:
        yield
    finally:
        loop.remove_signal_handler(signal.SIGINT)
        # Removing leaves Python's default, which would break off the loop instead of the session.
        signal.signal(signal.SIGINT, before)
