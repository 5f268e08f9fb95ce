"""Connections, transactions and migrations. What the tables mean is in ``tables``."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Self

import aiosqlite
from alembic import command
from alembic.config import Config
from alembic.util.exc import CommandError
from sqlalchemy import Connection, event, make_url
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.ext.asyncio import (
    AsyncConnection,
    AsyncEngine,
    AsyncSession,
    async_sessionmaker,
    create_async_engine,
)
from sqlalchemy.pool import QueuePool

from memory.errors import DatabaseError, DiskFullError

MIGRATIONS = Path(__file__).parent / "migrations"
BUSY_TIMEOUT_SECONDS = 10


@dataclass(frozen=True, slots=True)
class Database:
    """Short transactions on one database."""

    engine: AsyncEngine
    sessions: async_sessionmaker[AsyncSession]
    _turn_to_write: asyncio.Lock = field(default_factory=asyncio.Lock)
    """One writer at a time, in their order: SQLite would have them try again, and then give up."""

    @classmethod
    def open(cls, url: str) -> Self:
        """Return the database at a SQLAlchemy ``url``; nothing is connected yet."""
        address = make_url(url)
        if address.get_backend_name() == "sqlite":
            connect = partial(_connect_whole, address.database or ":memory:")
            engine = create_async_engine(address, async_creator=connect)
            event.listen(engine.sync_engine, "begin", _begin_sqlite)
        else:
            engine = create_async_engine(address)
        return cls(engine, async_sessionmaker(engine, expire_on_commit=False))

    @classmethod
    def open_file(cls, path: Path) -> Self:
        """Return the SQLite database in the file ``path``."""
        return cls.open(f"sqlite+aiosqlite:///{path}")

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[AsyncSession]:
        """Commit what the block does, all or nothing.

        Raises ``DatabaseError``, or ``DiskFullError`` where there is no space left.
        """
        with database_errors():
            async with self._turn_to_write, self.sessions() as session, session.begin():
                await session.connection(execution_options={"writes": True})
                yield session

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncSession]:
        """Read without waiting for a writer; raises ``DatabaseError``."""
        with database_errors():
            async with self.sessions() as session:
                yield session

    async def migrate(self) -> None:
        """Bring the tables up to date; raises ``DatabaseError``, also for a newer version's."""
        with database_errors():
            async with self.engine.connect() as connection, _rows_kept(connection):
                await connection.execution_options(writes=True)
                await connection.run_sync(_upgrade)
                await connection.commit()

    async def check(self) -> None:
        """Read the whole database for damage; raises ``DatabaseError`` with what is wrong."""
        if self.engine.dialect.name != "sqlite":
            return
        with database_errors():
            async with self.engine.connect() as connection:
                result = await connection.exec_driver_sql("PRAGMA quick_check")
                verdict = str(result.scalar())
        if verdict != "ok":
            raise DatabaseError(f"the database is damaged: {verdict}")

    async def close(self) -> None:
        """Close every connection, also those that cancelled tasks give back a moment later."""
        pool = self.engine.pool
        with suppress(TimeoutError):
            async with asyncio.timeout(BUSY_TIMEOUT_SECONDS):
                while isinstance(pool, QueuePool) and pool.checkedout():  # noqa: ASYNC110 (it tells nobody)
                    await asyncio.sleep(0.01)
        await self.engine.dispose()


@asynccontextmanager
async def _rows_kept(connection: AsyncConnection) -> AsyncIterator[None]:
    """Let tables be rebuilt within the block: SQLite would delete all that points to the old one.

    It listens to this outside transactions only, so it is told by the driver.
    """
    driver = (await connection.get_raw_connection()).driver_connection
    if not isinstance(driver, aiosqlite.Connection):
        yield
        return
    await (await driver.execute("PRAGMA foreign_keys = OFF")).close()
    try:
        yield
    finally:
        await connection.rollback()
        await (await driver.execute("PRAGMA foreign_keys = ON")).close()


async def _connect_whole(path: str) -> aiosqlite.Connection:
    """Connect; where that is cancelled, close what came of it: nobody else could."""
    connecting = asyncio.ensure_future(_connect_sqlite(path))
    try:
        return await asyncio.shield(connecting)
    except asyncio.CancelledError:
        await (await connecting).close()
        raise


async def _connect_sqlite(path: str) -> aiosqlite.Connection:
    # The driver would begin transactions by itself, and too late to lock for writing.
    connection = await aiosqlite.connect(path, isolation_level=None)
    try:
        for pragma in (
            f"busy_timeout = {BUSY_TIMEOUT_SECONDS * 1000}",
            "journal_mode = WAL",
            "synchronous = FULL",
            "foreign_keys = ON",
        ):
            # While a statement is open, the functions that SQLAlchemy adds are refused.
            await (await connection.execute(f"PRAGMA {pragma}")).close()
    except BaseException:
        await connection.close()
        raise
    return connection


def _begin_sqlite(connection: Connection) -> None:
    # A transaction that reads first and writes later fails at once when another wrote in between.
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _upgrade(connection: Connection) -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        raise DatabaseError(f"the database was written by another version: {error}") from error


@contextmanager
def database_errors() -> Iterator[None]:
    """Turn the driver's errors into ours, without the statement's parameters."""
    try:
        yield
    except DBAPIError as error:
        reason = str(error.orig)
        if "disk is full" in reason:
            raise DiskFullError("the database found no space left on the disk") from error
        raise DatabaseError(f"the database failed: {reason}") from error
    except (SQLAlchemyError, sqlite3.Error) as error:
        raise DatabaseError(f"the database failed: {type(error).__name__}") from error
