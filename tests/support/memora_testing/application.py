"""A whole application in a folder of its own: real Chroma, real SQLite, the edges scripted."""

from contextlib import asynccontextmanager
from uuid import uuid4

from bot.bootstrap import open_application
from bot.commands import CommandCall, parse_command
from bot.messages import Account, IncomingMessage, Place, ReplyText
from bot.rendering import render
from bot.settings import Configuration, Secrets, Settings
from memora_testing.clock import ManualClock
from memora_testing.embedder import HashingEmbedder


def configuration(folder, **sections) -> Configuration:
    values = {"data_dir": folder, "conversation": {"time_zone": "Asia/Taipei"}, **sections}
    return Configuration(settings=Settings.model_validate(values), secrets=Secrets(), source=None)


@asynccontextmanager
async def application_in(folder, *, model, clock=None, embedder=None, ids=None, **sections):
    async with open_application(
        configuration(folder, **sections),
        clock=clock or ManualClock(),
        model=model,
        embedder=embedder or HashingEmbedder(),
        runs_jobs=False,
        **({} if ids is None else {"ids": ids}),
    ) as application:
        yield application


class Speaker:
    """A person who writes to an application and reads what comes back."""

    def __init__(self, application, name="ada", *, platform="console", place=None, locale=None):
        self.application = application
        self.account = Account(platform, name)
        self.place = place or Place(platform, name)
        self.locale = locale
        self.notices = []
        application.listen(platform, self._note)

    async def _note(self, notice):
        self.notices.append(notice)

    async def person(self):
        return await self.application.people.of(self.account)

    def message(self, text, *, message_id=None):
        return IncomingMessage(
            account=self.account,
            place=self.place,
            message_id=message_id or uuid4().hex,
            text=text,
            sent_at=self.application.clock.now(),
            locale=self.locale,
        )

    async def events(self, text, **options):
        reply = self.application.conversation.reply(self.message(text, **options))
        return [event async for event in reply]

    async def say(self, text, **options):
        """Return the reply's text, once its memories are kept."""
        events = await self.events(text, **options)
        await self.application.worker.drain()
        return "".join(event.text for event in events if isinstance(event, ReplyText))

    async def view(self, text):
        call = CommandCall(*parse_command(text), self.message(text))
        return await self.application.commands.run(call)

    async def command(self, text):
        """Return what a command shows, as text."""
        message = self.message(text)
        view = await self.application.commands.run(CommandCall(*parse_command(text), message))
        return render(view, await self.application.readers.of(message))
