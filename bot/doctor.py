"""``memora doctor``: tries each part as a start would, and says what to do about each fault.

It changes nothing except that it may create the data folder. What it prints holds no secret and no
person's words.
"""

import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Literal

from bot.bootstrap import (
    CHROMA_FOLDER,
    DATABASE_FILE,
    data_folder,
    open_chroma,
)
from bot.discord.introduction import introduce as introduce_at_discord
from bot.jobs import JobQueue
from bot.providers import open_embedder, open_model
from bot.settings import Configuration
from bot.telegram.client import introduce
from bot.telegram.platform import sight_of_groups
from memory.clock import SystemClock
from memory.database import Database
from memory.embedder import create_embeddings
from memory.errors import (
    DataFolderInUseError,
    MemoraError,
    ModelAuthenticationError,
    ModelNotFoundError,
    ModelRateLimitError,
    ModelTimeoutError,
    ModelUnreachableError,
)
from memory.language_model import ChatMessage, TextDelta

Level = Literal["ok", "note", "fault"]
MIN_FREE_BYTES = 200 * 2**20


@dataclass(frozen=True, slots=True)
class Finding:
    """What one check found."""

    subject: str
    level: Level
    detail: str
    remedy: str = ""
    """What to do, for a note or a fault."""


async def examine(configuration: Configuration) -> AsyncIterator[Finding]:
    """Check every part, one after the other; a fault of one does not stop the others."""
    yield check_configuration(configuration)
    yield check_space(configuration)
    try:
        with data_folder(configuration.settings.data_folder):
            yield Finding("data folder", "ok", str(configuration.settings.data_folder))
            yield await _checked("database", check_database, configuration)
            yield await _checked("vector store", check_vector_store, configuration)
            yield await _checked("jobs", check_jobs, configuration)
    except DataFolderInUseError as error:
        yield Finding(
            "data folder", "note", str(error), "stop it first to have the data checked too"
        )
    except MemoraError as error:
        yield Finding("data folder", "fault", str(error), "choose another with MEMORA_DATA_DIR")
    yield await _checked("embedder", check_embedder, configuration)
    yield await _checked("language model", check_model, configuration)
    yield await _checked("telegram", check_telegram, configuration)
    yield await _checked("discord", check_discord, configuration)


async def _checked(
    subject: str, check: Callable[[Configuration], Awaitable[Finding]], configuration: Configuration
) -> Finding:
    try:
        return await check(configuration)
    except MemoraError as error:
        return Finding(subject, "fault", str(error), _remedy(error, subject))


def check_configuration(configuration: Configuration) -> Finding:
    """Say where the configuration came from."""
    source = configuration.source
    where = f"read from {source}" if source else "no config.yaml here: the defaults hold"
    return Finding("configuration", "ok", where)


def check_space(configuration: Configuration) -> Finding:
    """Look at the free space where the data is, or will be."""
    path = configuration.settings.data_folder
    while not path.exists():
        path = path.parent
    free = shutil.disk_usage(path).free
    detail = f"{free / 2**30:.1f} GiB free"
    if free < MIN_FREE_BYTES:
        return Finding("disk", "fault", detail, "make room, or move the data folder")
    return Finding("disk", "ok", detail)


async def check_database(configuration: Configuration) -> Finding:
    """Read the database for damage, if there is one."""
    path = configuration.settings.data_folder / DATABASE_FILE
    if not path.exists():
        return Finding("database", "ok", "none yet: made at the first start")
    database = Database.open_file(path)
    try:
        await database.check()
        await database.migrate()
    finally:
        await database.close()
    return Finding("database", "ok", f"{path.name} is sound")


async def check_vector_store(configuration: Configuration) -> Finding:
    """Open Chroma and compare what made its collections with the configured embedder."""
    path = configuration.settings.data_folder / CHROMA_FOLDER
    if not path.exists():
        return Finding("vector store", "ok", "none yet: made at the first start")
    with open_chroma(path) as client:
        collections = client.list_collections()
        made_by = {str((item.metadata or {}).get("embedder", "unknown")) for item in collections}
    async with open_embedder(configuration) as embedder:
        others = made_by - {embedder.fingerprint, "unknown"}
    if others:
        return Finding(
            "vector store",
            "fault",
            f"made by {', '.join(sorted(others))}, but {embedder.fingerprint} is configured",
            "set the embedding section back to what made it, or use another data folder",
        )
    return Finding("vector store", "ok", f"persons with memories: {len(collections)}")


async def check_jobs(configuration: Configuration) -> Finding:
    """Count the background work that could not be done."""
    path = configuration.settings.data_folder / DATABASE_FILE
    if not path.exists():
        return Finding("jobs", "ok", "none")
    database = Database.open_file(path)
    try:
        queue = JobQueue(database, SystemClock())
        failed, queued = await queue.count("failed"), await queue.count("queued")
    finally:
        await database.close()
    detail = f"{queued} waiting, {failed} failed"
    if failed:
        return Finding("jobs", "note", detail, "the persons were told; the log says why")
    return Finding("jobs", "ok", detail)


async def check_embedder(configuration: Configuration) -> Finding:
    """Embed two words."""
    async with open_embedder(configuration) as embedder:
        await create_embeddings(["hello", "你好"], embedder=embedder)
        detail = f"{embedder.fingerprint}, {embedder.dimensions} dimensions"
        return Finding("embedder", "ok", f"{detail}; {embedder.calibration.fitted_on}")


async def check_model(configuration: Configuration) -> Finding:
    """Have the model say one word."""
    async with open_model(configuration) as model:
        if model.is_offline:
            return Finding(
                "language model",
                "note",
                f"{model.name}: answers by rules, without a language model",
                "set OPENAI_API_KEY, or llm.base_url for a server of your own",
            )
        question = [ChatMessage("user", "Say hello in one word.")]
        pieces = [piece async for piece in model.stream(question, purpose="reply")]
        spoken = sum(isinstance(piece, TextDelta) for piece in pieces)
        return Finding("language model", "ok", f"{model.name} answers ({spoken} pieces)")


async def check_telegram(configuration: Configuration) -> Finding:
    """Ask Telegram who the bot is, if there is a token."""
    token = configuration.secrets.telegram_bot_token
    if token is None:
        remedy = "set TELEGRAM_BOT_TOKEN to a token from @BotFather to answer there"
        return Finding("telegram", "note", "no token", remedy)
    me = await introduce(token.get_secret_value(), configuration.settings.telegram.base_url)
    return Finding("telegram", "ok", f"@{me.username}; {sight_of_groups(me)}")


async def check_discord(configuration: Configuration) -> Finding:
    """Ask Discord who the bot is, if there is a token."""
    token = configuration.secrets.discord_bot_token
    if token is None:
        remedy = "set DISCORD_BOT_TOKEN to a token from discord.com/developers to answer there"
        return Finding("discord", "note", "no token", remedy)
    reads_everything = bool(configuration.settings.discord.open_channels)
    me = await introduce_at_discord(token.get_secret_value(), reads_everything=reads_everything)
    detail = f"{me.name}, in {me.servers} servers; to add it to one: {me.invite}"
    if me.calls_elsewhere:
        remedy = "clear the interactions endpoint URL at discord.com/developers"
        return Finding("discord", "fault", f"{me.name}: commands are sent elsewhere", remedy)
    return Finding("discord", "ok", detail)


_REMEDIES: dict[type[MemoraError], str] = {
    ModelAuthenticationError: "check OPENAI_API_KEY",
    ModelNotFoundError: "check llm.model and llm.base_url",
    ModelRateLimitError: "wait, or check the account's quota",
    ModelTimeoutError: "raise llm.timeout_seconds, or use a faster model",
    ModelUnreachableError: "check that the server runs, llm.base_url and the network",
}


def _remedy(error: MemoraError, subject: str) -> str:
    for kind, remedy in _REMEDIES.items():
        if isinstance(error, kind):
            return remedy.replace("llm.", "embedding.") if subject == "embedder" else remedy
    if subject == "telegram":
        return "check TELEGRAM_BOT_TOKEN, telegram.base_url and the network"
    if subject == "discord":
        return "check DISCORD_BOT_TOKEN and the network"
    if subject in {"database", "vector store"}:
        return "restore a backup of the data folder, or move it away and start afresh"
    return "see the log for more"
