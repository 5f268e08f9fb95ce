"""Connections, transactions and migrations. What the tables mean is in ``tables``."""

import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from alembic import command
from alembic.config import Config
from alembic.util.exc import CommandError
from sqlalchemy import Connection, event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.ext.asyncio import (
    AsyncEngine,
    AsyncSession,
    async_sessionmaker,
    create_async_engine,
)

from memory.errors import DatabaseError, DiskFullError

MIGRATIONS = Path(__file__).parent / "migrations"
BUSY_TIMEOUT_SECONDS = 10


@dataclass(frozen=True, slots=True)
class Database:
    """Short transactions on one database."""

    engine: AsyncEngine
    sessions: async_sessionmaker[AsyncSession]

    @classmethod
    def open(cls, url: str) -> Self:
        """Return the database at a SQLAlchemy ``url``; nothing is connected yet."""
        engine = create_async_engine(url)
        if engine.dialect.name == "sqlite":
            event.listen(engine.sync_engine, "connect", _prepare_sqlite)
            event.listen(engine.sync_engine, "begin", _begin_sqlite)
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
            async with self.sessions() as session, session.begin():
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
            async with self.engine.connect() as connection:
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
        """Close every connection."""
        await self.engine.dispose()


def _prepare_sqlite(connection: DBAPIConnection, _record: object) -> None:
    # The driver would begin transactions by itself, and too late to lock for writing.
    connection.isolation_level = None
    cursor = connection.cursor()
    for pragma in (
        f"busy_timeout = {BUSY_TIMEOUT_SECONDS * 1000}",
        "journal_mode = WAL",
        "synchronous = FULL",
        "foreign_keys = ON",
    ):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


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
