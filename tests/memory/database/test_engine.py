import sqlite3
from datetime import datetime

import aiosqlite
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from memora_testing.clock import NOON
from sqlalchemy import func, select, text
from sqlalchemy.exc import StatementError

from memory.database import Database
from memory.database.tables import Base, PersonRow
from memory.errors import DatabaseError, DiskFullError


async def test_the_migrations_make_the_tables_as_they_are_declared(database):
    async with database.engine.connect() as connection:
        differences = await connection.run_sync(
            lambda sync: compare_metadata(MigrationContext.configure(sync), Base.metadata)
        )
    assert differences == []


async def test_migrating_again_changes_nothing(database):
    async with database.transaction() as session:
        session.add(PersonRow(id="ada", created_at=NOON))

    await database.migrate()

    async with database.reading() as session:
        assert await session.scalar(select(func.count()).select_from(PersonRow)) == 1


async def test_a_transaction_is_all_or_nothing(database):
    with pytest.raises(RuntimeError):
        async with database.transaction() as session:
            session.add(PersonRow(id="ada", created_at=NOON))
            await session.flush()
            raise RuntimeError

    async with database.reading() as session:
        assert await session.get(PersonRow, "ada") is None


async def test_moments_come_back_aware_and_in_utc(database):
    async with database.transaction() as session:
        session.add(PersonRow(id="ada", created_at=NOON))
    async with database.reading() as session:
        assert (await session.get(PersonRow, "ada")).created_at == NOON


async def test_a_naive_moment_is_refused(database):
    with pytest.raises((DatabaseError, StatementError)):
        async with database.transaction() as session:
            session.add(PersonRow(id="ada", created_at=datetime(2026, 1, 1)))  # noqa: DTZ001


async def test_a_file_that_is_no_database_is_an_error(tmp_path):
    path = tmp_path / "memora.sqlite3"
    path.write_bytes(b"this is no database at all" * 100)
    database = Database.open_file(path)

    with pytest.raises(DatabaseError, match="not a database"):
        await database.migrate()
    await database.close()


async def test_damage_is_found(database, tmp_path):
    async with database.transaction() as session:
        session.add_all([PersonRow(id=f"{n:032}", created_at=NOON) for n in range(500)])
    await database.close()
    with sqlite3.connect(tmp_path / "memora.sqlite3") as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    content = bytearray((tmp_path / "memora.sqlite3").read_bytes())
    content[20_000:24_000] = b"\xff" * 4_000
    (tmp_path / "memora.sqlite3").write_bytes(content)

    damaged = Database.open_file(tmp_path / "memora.sqlite3")
    with pytest.raises(DatabaseError):
        await damaged.check()
    await damaged.close()


async def test_a_sound_database_passes(database):
    await database.check()


async def test_a_newer_versions_database_is_refused(database):
    async with database.transaction() as session:
        await session.execute(text("UPDATE alembic_version SET version_num = '9999'"))

    with pytest.raises(DatabaseError, match="written by another version"):
        await database.migrate()


async def test_a_full_disk_has_an_error_of_its_own_and_loses_nothing(database):
    async with database.transaction() as session:
        session.add(PersonRow(id="ada", created_at=NOON))
        pages = (await session.execute(text("PRAGMA page_count"))).scalar()
    async with database.reading() as session:
        await session.execute(text(f"PRAGMA max_page_count = {pages}"))

    with pytest.raises(DiskFullError):
        async with database.transaction() as session:
            await session.execute(text(f"PRAGMA max_page_count = {pages}"))
            session.add_all([PersonRow(id=f"{n:032}", created_at=NOON) for n in range(5000)])
            await session.flush()

    async with database.reading() as session:
        assert await session.scalar(select(func.count()).select_from(PersonRow)) == 1


async def test_an_error_names_no_values(database):
    async with database.transaction() as session:
        session.add(PersonRow(id="marked-words", created_at=NOON))

    with pytest.raises(DatabaseError) as caught:
        async with database.transaction() as session:
            session.add(PersonRow(id="marked-words", created_at=NOON))

    assert "marked-words" not in str(caught.value)


async def test_a_statement_that_is_still_held_does_not_keep_a_connection_from_opening(
    tmp_path, monkeypatch
):
    execute = aiosqlite.Connection.execute
    held = []

    async def holding(connection, *arguments):
        held.append(await execute(connection, *arguments))
        return held[-1]

    monkeypatch.setattr(aiosqlite.Connection, "execute", holding)
    database = Database.open_file(tmp_path / "memora.sqlite3")

    async with database.reading() as session:
        assert await session.scalar(text("SELECT 1")) == 1
    await database.close()
    assert held
