"""The composition root: every object is built here, once, and passed in.

Starting means, in this order: take the data folder, bring the database up to date, build the parts,
let the background work begin. Stopping is the same backwards.
"""

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path
from typing import cast
from uuid import uuid4

import chromadb
from chromadb.api import ClientAPI
from chromadb.api.client import Client
from chromadb.config import Settings as ChromaSettings
from filelock import FileLock, Timeout

from bot.application import Application, NoticeBoard
from bot.commands import CommandService
from bot.conversation import ConversationService
from bot.deliveries import Deliveries
from bot.jobs import JobQueue, JobWorker
from bot.language import choose_language
from bot.linking import MOVE_MEMORIES, Linking, new_code
from bot.panels import Panels
from bot.people import People
from bot.providers import open_embedder, open_model, open_transcriber
from bot.readers import Readers
from bot.remembering import Remembering
from bot.responding import Ears, Responder
from bot.running import RunningReplies
from bot.settings import Configuration, Settings, local_time_zone
from bot.texts import load_texts
from memory.clock import Clock, SystemClock
from memory.database import Database
from memory.embedder import Embedder
from memory.errors import DataFolderError, DataFolderInUseError, VectorStoreError
from memory.language_model import LanguageModel
from memory.transcriber import Transcriber

DATABASE_FILE = "memora.sqlite3"
CHROMA_FOLDER = "chroma"
LOCK_FILE = "memora.lock"


def new_id() -> str:
    """Return a new random id: 32 hexadecimal digits."""
    return uuid4().hex


@asynccontextmanager
async def open_application(
    configuration: Configuration,
    *,
    clock: Clock | None = None,
    model: LanguageModel | None = None,
    embedder: Embedder | None = None,
    transcriber: Transcriber | None = None,
    ids: Callable[[], str] = new_id,
    runs_jobs: bool = True,
) -> AsyncIterator[Application]:
    """Build and start everything; stop and close it at the end.

    The clock, the model, the embedder and the ids may be given, for tests and evaluations. Where
    jobs are not run, they are queued all the same, and ``worker.drain`` does those that are due.
    Raises ``ConfigError`` and ``StorageError`` where something cannot be used.
    """
    settings = configuration.settings
    clock = clock or SystemClock()
    async with AsyncExitStack() as stack:
        stack.enter_context(data_folder(settings.data_folder))
        database = Database.open_file(settings.data_folder / DATABASE_FILE)
        stack.push_async_callback(database.close)
        await database.migrate()
        application = assemble(
            settings,
            database=database,
            chroma=stack.enter_context(open_chroma(settings.data_folder / CHROMA_FOLDER)),
            model=await stack.enter_async_context(open_model(configuration, model)),
            embedder=await stack.enter_async_context(open_embedder(configuration, embedder)),
            transcriber=await stack.enter_async_context(
                open_transcriber(configuration, transcriber)
            ),
            clock=clock,
            ids=ids,
        )
        await application.queue.recover()
        if runs_jobs:
            await stack.enter_async_context(background_work(application.worker))
        yield application


def assemble(
    settings: Settings,
    *,
    database: Database,
    chroma: ClientAPI,
    model: LanguageModel,
    embedder: Embedder,
    transcriber: Transcriber | None,
    clock: Clock,
    ids: Callable[[], str],
) -> Application:
    """Put the parts together."""
    language = partial(choose_language, fixed=settings.conversation.language)
    people = People(
        database=database,
        chroma=chroma,
        model=model,
        embedder=embedder,
        clock=clock,
        new_id=ids,
        retrieval=settings.retrieval,
        policy=settings.policy,
        short_term=settings.conversation.short_term,
        default_time_zone=local_time_zone(settings.conversation),
    )
    board = NoticeBoard()
    queue = JobQueue(database, clock)
    remembering = Remembering(people, settings.conversation.short_term, board.post)
    texts = load_texts()
    readers = Readers(people, texts, language)
    running = RunningReplies()
    conversation = ConversationService(
        people, queue, database, settings.conversation, settings.policy, clock, language
    )
    linking = Linking(people, queue, database, clock, ids, new_code, board.post)
    commands = CommandService(people, queue, database, clock, language, running, linking)
    deliveries = Deliveries(database, clock)
    panels = Panels(database, people, readers, clock, ids)
    return Application(
        settings=settings,
        model=model,
        embedder=embedder,
        clock=clock,
        new_id=ids,
        people=people,
        conversation=conversation,
        commands=commands,
        queue=queue,
        worker=JobWorker(
            queue,
            {**remembering.work, MOVE_MEMORIES: linking.move},
            remembering.give_up,
            settings.jobs,
            clock,
        ),
        linking=linking,
        board=board,
        texts=texts,
        language=language,
        readers=readers,
        database=database,
        deliveries=deliveries,
        running=running,
        panels=panels,
        responder=Responder(
            conversation,
            commands,
            panels,
            deliveries,
            running,
            people,
            readers,
            clock,
            Ears(transcriber, settings.voice.max_seconds),
        ),
    )


@contextmanager
def data_folder(path: Path) -> Iterator[None]:
    """Create the data folder, for its owner alone, and hold it against other processes.

    Raises ``DataFolderError`` and ``DataFolderInUseError``.
    """
    try:
        path.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not os.access(path, os.R_OK | os.W_OK | os.X_OK):
            raise PermissionError(None, "no permission to write there")
        lock = FileLock(path / LOCK_FILE, mode=0o600)
        lock.acquire(timeout=0)
    except Timeout as error:
        raise DataFolderInUseError(f"{path} is in use by another Memora") from error
    except OSError as error:
        raise DataFolderError(f"{path} cannot be used: {error.strerror}") from error
    try:
        yield
    finally:
        lock.release()


@contextmanager
def open_chroma(path: Path) -> Iterator[ClientAPI]:
    """Open the embedded vector database; raises ``VectorStoreError``."""
    try:
        silent = ChromaSettings(anonymized_telemetry=False)
        client = chromadb.PersistentClient(path, settings=silent)
    except Exception as error:  # Chroma raises whatever its migrations and its core raise
        raise VectorStoreError(f"Chroma cannot open {path}: {error}") from error
    try:
        yield client
    finally:
        cast("Client", client).close()


@asynccontextmanager
async def background_work(worker: JobWorker) -> AsyncIterator[None]:
    """Let the worker run; at the end let it finish what it has begun."""
    task = asyncio.create_task(worker.run())
    try:
        yield
    finally:
        await worker.stop()
        await task
