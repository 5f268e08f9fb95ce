import chromadb
import pytest
from memora_testing.clock import ManualClock
from memora_testing.embedder import HashingEmbedder

from memory.database import Database
from memory.store import LongTermMemoryStore, VectorSpace


@pytest.fixture
def chroma(tmp_path):
    client = chromadb.PersistentClient(
        tmp_path / "chroma", settings=chromadb.Settings(anonymized_telemetry=False)
    )
    yield client
    client.close()


@pytest.fixture
async def database(tmp_path):
    opened = Database.open_file(tmp_path / "memora.sqlite3")
    await opened.migrate()
    yield opened
    await opened.close()


@pytest.fixture
def clock():
    return ManualClock()


@pytest.fixture
def embedder():
    return HashingEmbedder()


@pytest.fixture
def space(embedder):
    return VectorSpace(embedder.fingerprint, embedder.dimensions, embedder.calibration)


@pytest.fixture
def store(chroma, space):
    return LongTermMemoryStore(chroma, "ada", space)
