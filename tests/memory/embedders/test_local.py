import asyncio

import numpy as np
import pytest

from memory.calibrating import judge, read_labelled, report
from memory.calibration import read_local_calibration
from memory.embedder import create_embeddings
from memory.embedders.local import MODEL, LocalEmbedder, RawLocalModel


@pytest.fixture
async def embedder():
    treatment, calibration = read_local_calibration()
    opened = LocalEmbedder(RawLocalModel(2), treatment=treatment, calibration=calibration)
    yield opened
    await opened.aclose()


async def relevance(embedder, query, memory):
    (vector,), _ = await create_embeddings([query], embedder=embedder, role="query")
    (other,), _ = await create_embeddings([memory], embedder=embedder)
    return embedder.calibration.relevance(float(np.dot(vector, other)))


async def test_vectors_have_length_one_and_the_promised_size(embedder):
    vectors, tokens = await create_embeddings(["hello", "你好", "x" * 20_000], embedder=embedder)

    assert [len(vector) for vector in vectors] == [384] * 3
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1, 1], abs=1e-5)
    assert tokens == 0


async def test_odd_texts_are_embedded_too(embedder):
    vectors, _ = await create_embeddings(["", " ", "\0", "😀", "\ud83d"], embedder=embedder)

    assert np.isfinite(vectors).all()


async def test_order_is_kept_and_a_text_has_one_vector_however_it_comes(embedder):
    together, _ = await create_embeddings(["我怕口說", "I like tea"], embedder=embedder)
    alone, _ = await create_embeddings(["I like tea"], embedder=embedder)

    assert np.dot(together[1], alone[0]) == pytest.approx(1, abs=1e-3)


async def test_calls_side_by_side_do_not_disturb_each_other(embedder):
    texts = [f"sentence number {number}" for number in range(8)]
    apart = await asyncio.gather(*(create_embeddings([t], embedder=embedder) for t in texts))
    together, _ = await create_embeddings(texts, embedder=embedder)

    for (vectors, _), vector in zip(apart, together, strict=True):
        assert np.dot(vectors[0], vector) == pytest.approx(1, abs=1e-3)


async def test_the_fingerprint_names_model_and_treatment(embedder):
    treatment, _ = read_local_calibration()

    assert embedder.fingerprint == f"{MODEL}/{treatment.digest}"


@pytest.mark.parametrize(
    ("query", "memory"),
    [
        ("What score do I need in IELTS?", "我的目標是在2027年6月以前雅思考到7分。"),
        ("面試是哪一天？", "I have a job interview in English on Friday, 4 December 2026."),
        ("How should I begin an e-mail?", "我寫信的時候常常不知道怎麼開頭。"),
        ("I mix up the prepositions in, on and at.", "I mix up the prepositions in, on, at"),
    ],
)
async def test_a_question_finds_its_memory_across_languages(embedder, query, memory):
    assert await relevance(embedder, query, memory) >= 0.45


@pytest.mark.parametrize(
    ("query", "memory"),
    [
        ("How do I boil an egg?", "我的目標是在2027年6月以前雅思考到7分。"),
        ("附近哪裡可以停車？", "I have a job interview in English on Friday, 4 December 2026."),
        ("What's the tallest mountain in Africa?", "我常常分不清楚現在完成式和過去式。"),
    ],
)
async def test_an_unrelated_question_finds_nothing(embedder, query, memory):
    assert await relevance(embedder, query, memory) < 0.45


async def test_the_reporting_half_is_as_good_as_we_say(embedder):
    judged = await judge(embedder, read_labelled(), "reporting")

    result = report(judged, embedder.calibration, "reporting")

    assert result.off_topic_empty >= 0.95
    assert result.right_kept >= 0.9
    assert result.recall_at_3 >= 0.95
