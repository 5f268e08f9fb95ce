import pytest
from memora_testing.clock import NOON
from memora_testing.values import embedded, evidence

from memory.errors import VectorStoreError
from memory.moving import Moved, merge_memories, split_memories
from memory.store import LongTermMemoryStore

ADA, BOB = "telegram:1", "discord:2"
ORIGINS = {"source_origin": BOB, "target_origin": ADA}


@pytest.fixture
def other(chroma, space):
    return LongTermMemoryStore(chroma, "bob", space)


async def keep(store, embedder, *contents, origins=(), scope="private"):
    """Keep statements under ids named for the store and the statement."""
    for content in contents:
        memory = embedded(
            content,
            embedder.vector(content.lower().split()),
            importance_score=4,
            evidence=evidence(quote=content, scope=scope, origins=origins),
        )
        await store.add(
            [memory],
            memory_ids=[f"{store.person_id}/{content}"],
            source="automatic",
            created_at=NOON,
        )


async def contents(store):
    return sorted(memory.content for memory in await store.list_all())


async def test_everything_comes_over_as_it_was(store, other, embedder):
    await keep(other, embedder, "I like tea", "I like songs")
    before = {memory.memory_id: memory for memory in await other.list_all()}

    assert await merge_memories(other, store, **ORIGINS) == Moved(moved=2)

    after = {memory.memory_id: memory for memory in await store.list_all()}
    for memory_id, memory in before.items():
        known = memory.evidence.model_copy(update={"origins": (BOB,)})
        assert after[memory_id] == memory.model_copy(update={"evidence": known})
    found = await store.search(embedder.vector(["i", "like", "songs"]), 1)
    assert found[0].content == "I like songs"


async def test_the_collection_that_is_empty_then_is_gone(store, other, embedder, chroma):
    await keep(other, embedder, "I like tea")
    await merge_memories(other, store, **ORIGINS)

    assert [item.name for item in chroma.list_collections()] == [store.collection_name]
    assert await merge_memories(other, store, **ORIGINS) == Moved()


async def test_what_both_know_is_kept_once_and_remembered_as_both_their_words(
    store, other, embedder
):
    await keep(store, embedder, "I like tea.", "I am a nurse.")
    await keep(other, embedder, "i like  tea", "I am at B1.")

    assert await merge_memories(other, store, **ORIGINS) == Moved(moved=1, same=1)

    assert await contents(store) == ["I am a nurse.", "I am at B1.", "I like tea."]
    tea = await store.get("ada/I like tea.")
    assert set(tea.evidence.origins) == {ADA, BOB}


async def test_the_same_words_in_two_groups_stay_two(store, other, embedder):
    await keep(store, embedder, "I like tea", scope="telegram:-5")
    await keep(other, embedder, "I like tea", scope="discord:6")
    await merge_memories(other, store, **ORIGINS)

    assert await contents(store) == ["I like tea", "I like tea"]


async def test_parting_after_joining_gives_everyone_what_they_had(store, other, embedder):
    await keep(store, embedder, "I like tea", "I am a nurse")
    await keep(other, embedder, "I like tea", "I am at B1")
    await merge_memories(other, store, **ORIGINS)
    await split_memories(store, other, origin=BOB)

    assert await contents(store) == ["I am a nurse", "I like tea"]
    assert await contents(other) == ["I am at B1", "I like tea"]


async def test_parting_twice_changes_nothing_more(store, other, embedder):
    await keep(store, embedder, "I like tea", origins=(ADA,))
    await keep(store, embedder, "I am at B1", origins=(BOB,))
    assert await split_memories(store, other, origin=BOB) == Moved(moved=1)
    assert await split_memories(store, other, origin=BOB) == Moved()

    assert await contents(store) == ["I like tea"]
    assert await contents(other) == ["I am at B1"]


async def test_what_never_said_where_it_came_from_stays(store, other, embedder):
    await keep(store, embedder, "I like tea")
    await split_memories(store, other, origin=BOB)

    assert await contents(store) == ["I like tea"]


@pytest.mark.parametrize("step", ["write_records", "drop"])
async def test_a_failure_in_the_middle_loses_nothing_and_can_be_made_good(
    store, other, embedder, monkeypatch, step
):
    await keep(store, embedder, "I like tea")
    await keep(other, embedder, "I like tea", "I am at B1")

    async def broken(*_arguments):
        raise VectorStoreError("marked")

    with monkeypatch.context() as patch:
        patch.setattr(LongTermMemoryStore, step, broken)
        with pytest.raises(VectorStoreError):
            await merge_memories(other, store, **ORIGINS)
    assert await contents(other) == ["I am at B1", "I like tea"]
    await merge_memories(other, store, **ORIGINS)

    assert await contents(store) == ["I am at B1", "I like tea"]
    assert await contents(other) == []


async def test_a_failure_while_parting_loses_nothing_and_can_be_made_good(
    store, other, embedder, monkeypatch
):
    await keep(store, embedder, "I like tea", origins=(ADA, BOB))
    await keep(store, embedder, "I am at B1", origins=(BOB,))

    async def broken(*_arguments):
        raise VectorStoreError("marked")

    with monkeypatch.context() as patch:
        patch.setattr(LongTermMemoryStore, "delete_records", broken)
        with pytest.raises(VectorStoreError):
            await split_memories(store, other, origin=BOB)
    await split_memories(store, other, origin=BOB)

    assert await contents(store) == ["I like tea"]
    assert await contents(other) == ["I am at B1", "I like tea"]


async def test_what_comes_in_while_the_rest_moves_is_not_lost(store, other, embedder, monkeypatch):
    await keep(other, embedder, "I like tea")
    write = LongTermMemoryStore.write_records

    async def slowly(target, records):
        await write(target, records)
        await keep(other, embedder, "I am at B1")

    with monkeypatch.context() as patch:
        patch.setattr(LongTermMemoryStore, "write_records", slowly)
        await merge_memories(other, store, **ORIGINS)
    assert await contents(other) == ["I am at B1"]
    await merge_memories(other, store, **ORIGINS)

    assert await contents(store) == ["I am at B1", "I like tea"]


async def test_what_is_forgotten_while_others_come_stays_forgotten(
    store, other, embedder, monkeypatch
):
    await keep(store, embedder, "I am a nurse", origins=(ADA,))
    await keep(other, embedder, "I like tea")
    write = LongTermMemoryStore.write_records

    async def after_forgetting(target, records):
        await store.delete("ada/I am a nurse")
        await write(target, records)

    monkeypatch.setattr(LongTermMemoryStore, "write_records", after_forgetting)
    await merge_memories(other, store, **ORIGINS)

    assert await contents(store) == ["I like tea"]


async def test_where_older_memories_came_from_is_noted_though_nothing_comes(store, other, embedder):
    await keep(store, embedder, "I am a nurse")
    await merge_memories(other, store, **ORIGINS)
    await split_memories(store, other, origin=ADA)

    assert await contents(other) == ["I am a nurse"]


async def test_records_without_anything_but_words_come_over_too(store, other, chroma, space):
    await keep_bare(other)
    await merge_memories(other, store, **ORIGINS)

    memory = await store.get("old")
    assert memory.content == "I like tea"
    assert not memory.is_scored


async def keep_bare(store):
    await store._run(
        lambda collection: collection.upsert(
            ids=["old"], documents=["I like tea"], embeddings=[[1.0] * 256]
        ),
        create=True,
    )
