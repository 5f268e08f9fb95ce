"""Data of earlier versions comes through the migrations whole."""

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import text

from memory.database import Database
from memory.database.engine import MIGRATIONS

ROWS = """
INSERT INTO persons (id, created_at, share_in_groups) VALUES ('p', '2026-12-01', 1);
INSERT INTO accounts VALUES ('telegram', '77', 'p');
INSERT INTO conversations VALUES ('c', 'p', 'telegram:77', 'summed up', 0);
INSERT INTO turns (id, conversation_id, speaker, text, said_at)
    VALUES ('t', 'c', 'learner', 'Hello', '2026-12-01');
INSERT INTO profile_facts (person_id, field, value, quote, updated_at)
    VALUES ('p', 'level', 'B1', 'I am at B1', '2026-12-01');
INSERT INTO jobs (person_id, kind, key, payload, state, attempts, run_at)
    VALUES ('p', 'summarize', 'c', '{}', 'queued', 0, '2026-12-01');
"""
TABLES = ("persons", "accounts", "conversations", "turns", "profile_facts", "jobs")


def _upgrade_to(connection, revision):
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


@pytest.mark.parametrize("revision", ["0001", "0002"])
async def test_what_an_earlier_version_wrote_is_all_there(tmp_path, revision):
    database = Database.open_file(tmp_path / "memora.sqlite3")
    async with database.engine.connect() as connection:
        await connection.run_sync(_upgrade_to, revision)
        for row in filter(str.strip, ROWS.split(";")):
            await connection.execute(text(row))
        await connection.commit()

    await database.migrate()

    async with database.reading() as session:
        assert await session.scalar(text("PRAGMA foreign_keys")) == 1
        for table in TABLES:
            count = await session.scalar(text(f"SELECT count(*) FROM {table}"))  # noqa: S608
            assert count == 1, table
        person = (await session.execute(text("SELECT * FROM persons"))).mappings().one()
        fact = (await session.execute(text("SELECT * FROM profile_facts"))).mappings().one()
    assert (person["share_in_groups"], person["tells_kept"], person["merged_into"]) == (1, 1, None)
    assert (fact["value"], fact["scope"], fact["origin"]) == ("B1", "private", None)
    await database.close()
