import shutil
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from chromadb.errors import InternalError
from memora_testing.clock import NOON
from memora_testing.embedder import HashingEmbedder
from memora_testing.values import embedded, evidence

from memory.errors import (
    DiskFullError,
    EmbedderMismatchError,
    MemoryNotFoundError,
    VectorStoreError,
)
from memory.store import COLLECTION_CONFIGURATION, LongTermMemoryStore, VectorSpace


async def add(store, embedder, *contents, created_at=NOON, **changes):
    vectors, _ = await embedder.embed(contents, role="passage")
    memories = [
        embedded(content, vector, **changes)
        for content, vector in zip(contents, vectors, strict=True)
    ]
    ids = [f"id-{content}" for content in contents]
    await store.add(memories, memory_ids=ids, source="automatic", created_at=created_at)
    return ids


async def test_a_memory_is_read_back_as_it_was_added(store, embedder):
    proof = evidence(
        message_id="m7", quote="考試在六月", event_on=date(2027, 6, 12), scope="telegram:5"
    )
    await add(store, embedder, "考試在六月", importance_score=5, evidence=proof)

    memory = await store.get("id-考試在六月")

    assert memory.content == "考試在六月"
    assert memory.importance_score == 5
    assert memory.is_scored
    assert memory.memory_type == "semantic"
    assert memory.source == "automatic"
    assert memory.created_at == NOON
    assert memory.evidence == proof


async def test_times_are_kept_in_utc(store, embedder, chroma):
    await add(store, embedder, "a fact", created_at=NOON.astimezone(ZoneInfo("Asia/Taipei")))

    metadata = chroma.get_collection("person-ada", embedding_function=None).get()["metadatas"][0]
    assert metadata["created_at"] == "2026-12-01T12:00:00+00:00"


async def test_reading_creates_no_collection(store, chroma):
    assert await store.list_all() == []
    assert await store.count() == 0
    assert await store.search([1.0] * 256, 3) == []
    assert chroma.list_collections() == []


async def test_adding_nothing_creates_no_collection(store, chroma):
    await store.add([], memory_ids=[], source="manual", created_at=NOON)

    assert chroma.list_collections() == []


async def test_every_write_is_written_out_at_once(store, embedder, chroma):
    await add(store, embedder, "a fact")

    collection = chroma.get_collection("person-ada", embedding_function=None)
    assert collection.configuration_json["hnsw"]["sync_threshold"] == 1
    assert collection.configuration_json["hnsw"]["space"] == "cosine"
    assert COLLECTION_CONFIGURATION["hnsw"]["batch_size"] == 1


async def test_the_nearest_come_first_with_distance_and_relevance(store, embedder):
    await add(store, embedder, "my exam is in june", "noodles for lunch", "my exam")
    (vector,), _ = await embedder.embed(["my exam"], role="query")

    results = await store.search(vector, 2)

    assert [item.content for item in results] == ["my exam", "my exam is in june"]
    assert results[0].distance == pytest.approx(0, abs=1e-5)
    assert results[0].score == pytest.approx(1, abs=1e-5)
    assert results[1].score == pytest.approx(1 - results[1].distance)


async def test_a_scope_limits_search_and_list(store, embedder):
    await add(store, embedder, "said in private")
    await add(store, embedder, "said in the group", evidence=evidence(scope="telegram:5"))
    (vector,), _ = await embedder.embed(["said"], role="query")

    assert len(await store.search(vector, 5)) == 2
    found = await store.search(vector, 5, scope="telegram:5")
    assert [item.content for item in found] == ["said in the group"]
    assert [item.content for item in await store.list_all(scope="telegram:5")] == [
        "said in the group"
    ]
    assert await store.list_all(scope="telegram:6") == []


async def test_memories_are_listed_newest_first(store, embedder):
    await add(store, embedder, "old", created_at=NOON)
    await add(store, embedder, "new", created_at=NOON + timedelta(days=1))

    assert [item.content for item in await store.list_all()] == ["new", "old"]


async def test_an_update_changes_the_words_and_keeps_the_rest(store, embedder):
    await add(store, embedder, "my level is B1", importance_score=4)
    (vector,), _ = await embedder.embed(["my level is B2"], role="passage")

    changed = await store.update("id-my level is B1", content="my level is B2", embedding=vector)

    assert changed.content == "my level is B2"
    assert changed.importance_score == 4
    assert (await store.search(vector, 1))[0].distance == pytest.approx(0, abs=1e-5)


async def test_a_deleted_memory_is_gone(store, embedder):
    await add(store, embedder, "a fact")

    deleted = await store.delete("id-a fact")

    assert deleted.content == "a fact"
    assert await store.list_all() == []


@pytest.mark.parametrize("call", ["get", "delete"])
async def test_an_unknown_id_is_named(store, call):
    with pytest.raises(MemoryNotFoundError, match="'nope'"):
        await getattr(store, call)("nope")


async def test_an_unknown_id_cannot_be_updated(store):
    with pytest.raises(MemoryNotFoundError):
        await store.update("nope", content="x", embedding=[1.0] * 256)


async def test_persons_never_see_each_other(chroma, space, embedder):
    ada, ben = (LongTermMemoryStore(chroma, name, space) for name in ("ada", "ben"))
    await add(ada, embedder, "ada's exam")
    await add(ben, embedder, "ben's exam")
    (vector,), _ = await embedder.embed(["exam"], role="query")

    assert [item.content for item in await ada.search(vector, 5)] == ["ada's exam"]
    assert [item.content for item in await ben.list_all()] == ["ben's exam"]
    with pytest.raises(MemoryNotFoundError):
        await ben.get("id-ada's exam")


async def test_another_embedder_is_an_error_that_names_both(chroma, store, embedder, space):
    await add(store, embedder, "a fact")
    other = VectorSpace("openai/text-embedding-3-small/256", 256, space.calibration)

    with pytest.raises(EmbedderMismatchError) as caught:
        await LongTermMemoryStore(chroma, "ada", other).list_all()

    assert "hashing/256" in str(caught.value)
    assert "openai/text-embedding-3-small/256" in str(caught.value)


async def test_other_dimensions_than_the_collections_are_never_mixed_in(chroma, space):
    legacy = chroma.create_collection("person-ada", embedding_function=None)
    legacy.add(ids=["1"], documents=["old"], embeddings=[[1.0, 0.0]])

    with pytest.raises(EmbedderMismatchError):
        await LongTermMemoryStore(chroma, "ada", space).search([1.0] * 256, 1)


async def test_records_from_before_types_and_importance_still_read(chroma, space):
    legacy = chroma.create_collection("person-ada", embedding_function=None)
    vector = list(HashingEmbedder().vector(["old"]))
    legacy.add(
        ids=["bare", "half", "odd"],
        documents=["no metadata", "some metadata", "odd metadata"],
        embeddings=[vector] * 3,
        metadatas=[
            None,
            {"created_at": "2024-05-01T08:00:00", "source": "manual"},
            {"importance_score": True, "memory_type": "poem", "created_at": "soon"},
        ],
    )

    memories = {m.memory_id: m for m in await LongTermMemoryStore(chroma, "ada", space).list_all()}

    assert {m.memory_type for m in memories.values()} == {"unclassified"}
    assert {m.importance_score for m in memories.values()} == {3}
    assert not any(m.is_scored for m in memories.values())
    assert all(m.evidence is None for m in memories.values())
    assert memories["half"].created_at == datetime(2024, 5, 1, 8, tzinfo=UTC)
    assert memories["half"].source == "manual"
    assert memories["odd"].created_at is None


async def test_a_collection_deleted_elsewhere_comes_back_with_the_next_memory(
    chroma, store, embedder
):
    await add(store, embedder, "a fact")
    chroma.delete_collection("person-ada")

    assert await store.list_all() == []
    await add(store, embedder, "another")
    assert [item.content for item in await store.list_all()] == ["another"]


async def test_a_fault_of_chroma_is_ours_and_a_full_disk_is_told_apart(
    store, embedder, chroma, monkeypatch
):
    await add(store, embedder, "a fact")

    def broken(*_, **__):
        raise InternalError("Failed to apply logs to the metadata segment")

    monkeypatch.setattr(chroma._server, "_get", broken)
    with pytest.raises(VectorStoreError):
        await store.list_all()

    full = shutil.disk_usage("/")._replace(free=1000)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: full)
    with pytest.raises(DiskFullError):
        await store.list_all()
