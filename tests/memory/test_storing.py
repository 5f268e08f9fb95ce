import pytest
from memora_testing.model import ScriptedModel
from memora_testing.values import candidate, counting_ids, evidence, importance

from memory.errors import EmbeddingAnswerError, ModelUnreachableError
from memory.storing import store_accepted_memories


@pytest.fixture
def parts(store, embedder, clock):
    return {
        "store": store,
        "embedder": embedder,
        "clock": clock,
        "new_id": counting_ids(),
        "product_scope": "x",
    }


async def test_no_candidates_call_neither_model_nor_embedder_nor_chroma(parts, chroma):
    stored = await store_accepted_memories([], "manual", model=ScriptedModel(), **parts)

    assert stored == ([], 0)
    assert parts["embedder"].calls == []
    assert chroma.list_collections() == []


async def test_memories_are_scored_embedded_and_added_in_their_order(parts, store):
    model = ScriptedModel(importance(5, 2))

    ids, tokens = await store_accepted_memories(
        [candidate("I want to pass IELTS"), candidate("I like memes")],
        "automatic",
        model=model,
        **parts,
    )

    memories = [await store.get(memory_id) for memory_id in ids]
    assert [(m.content, m.importance_score, m.source) for m in memories] == [
        ("I want to pass IELTS", 5, "automatic"),
        ("I like memes", 2, "automatic"),
    ]
    assert tokens == 15 + 8
    assert len(model.calls) == 1
    assert len(parts["embedder"].calls) == 1


async def test_only_the_content_is_embedded(parts):
    await store_accepted_memories(
        [candidate("I like memes")], "manual", model=ScriptedModel(importance(2)), **parts
    )

    assert parts["embedder"].calls == [("passage", ("I like memes",))]


async def test_the_same_text_is_kept_once_and_costs_nothing_the_second_time(parts, store):
    first, _ = await store_accepted_memories(
        [candidate("I like memes.")], "manual", model=ScriptedModel(importance(2)), **parts
    )

    again = await store_accepted_memories(
        [candidate("i like  memes.")], "automatic", model=ScriptedModel(), **parts
    )

    assert again == (first, 0)
    assert await store.count() == 1


async def test_the_same_text_twice_in_one_write_is_kept_once(parts, store):
    ids, _ = await store_accepted_memories(
        [candidate("I like memes."), candidate("I like memes.")],
        "manual",
        model=ScriptedModel(importance(2)),
        **parts,
    )

    assert ids[0] == ids[1]
    assert await store.count() == 1


async def test_what_a_group_heard_is_kept_apart_from_what_was_said_in_private(parts, store):
    for scope in ("private", "telegram:5"):
        await store_accepted_memories(
            [candidate("I like memes.", evidence=evidence(scope=scope))],
            "manual",
            model=ScriptedModel(importance(2)),
            **parts,
        )

    assert await store.count() == 2


async def test_a_model_that_fails_leaves_nothing_behind(parts, store):
    model = ScriptedModel(ModelUnreachableError("gone"))

    with pytest.raises(ModelUnreachableError):
        await store_accepted_memories([candidate()], "manual", model=model, **parts)

    assert await store.count() == 0


async def test_an_embedder_that_miscounts_leaves_nothing_behind(parts, store):
    class Miscounting(type(parts["embedder"])):
        async def embed(self, texts, *, role):
            vectors, tokens = await super().embed(texts, role=role)
            return vectors[:-1], tokens

    with pytest.raises(EmbeddingAnswerError, match="expected 1 vectors, found 0"):
        await store_accepted_memories(
            [candidate()],
            "manual",
            model=ScriptedModel(importance(3)),
            **{**parts, "embedder": Miscounting()},
        )

    assert await store.count() == 0
