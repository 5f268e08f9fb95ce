"""The running application: every part, built once and handed to the platforms."""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from bot.commands import CommandService
from bot.conversation import ConversationService
from bot.deliveries import Deliveries
from bot.jobs import JobQueue, JobWorker
from bot.language import LanguageChoice
from bot.linking import Linking
from bot.panels import Panels
from bot.people import People
from bot.readers import Readers
from bot.remembering import Notice, Notify
from bot.responding import Responder
from bot.running import RunningReplies
from bot.settings import Settings
from bot.texts import Texts
from memory.clock import Clock
from memory.database import Database
from memory.embedder import Embedder
from memory.language_model import LanguageModel


@dataclass(slots=True)
class NoticeBoard:
    """Hands what comes of background work to the platform it belongs to."""

    listeners: dict[str, Notify] = field(default_factory=dict)

    async def post(self, notice: Notice) -> None:
        """Tell the platform; a platform that is not running is told nothing."""
        listener = self.listeners.get(notice.place.platform)
        if listener is not None:
            await listener(notice)


@dataclass(frozen=True, slots=True)
class Application:
    """What a platform needs, and nothing of what it is made of."""

    settings: Settings
    model: LanguageModel
    embedder: Embedder
    clock: Clock
    new_id: Callable[[], str]
    people: People
    conversation: ConversationService
    commands: CommandService
    queue: JobQueue
    worker: JobWorker
    board: NoticeBoard
    texts: Mapping[str, Texts]
    language: LanguageChoice
    readers: Readers
    database: Database
    deliveries: Deliveries
    running: RunningReplies
    panels: Panels
    linking: Linking
    responder: Responder

    def listen(self, platform: str, notify: Notify) -> None:
        """Have a platform's notices handed to ``notify``."""
        self.board.listeners[platform] = notify

    async def finish(self) -> None:
        """Do the background work that is due, for ``jobs.exit_grace_seconds`` at most."""
        with suppress(TimeoutError):
            async with asyncio.timeout(self.settings.jobs.exit_grace_seconds):
                await self.worker.drain()
