import pytest
from hypothesis import given
from hypothesis import strategies as st
from memora_testing.embedder import IDENTITY
from memora_testing.openai_server import KEY, Reply, openai_server

from memory.embedders import openai_embedder
from memory.embedders.openai_embedder import OpenAIEmbedder, batches
from memory.errors import EmbeddingAnswerError, ModelAnswerError, ModelRateLimitError
from memory.openai_client import open_client


@pytest.fixture
async def open_embedder():
    clients = []

    def open_(server, *, dimensions=2, shortens=False):
        client = open_client(api_key=KEY, base_url=server.url, timeout_seconds=20, max_retries=0)
        clients.append(client)
        return OpenAIEmbedder(
            client, "small", dimensions=dimensions, shortens=shortens, calibration=IDENTITY
        )

    yield open_
    for client in clients:
        await client.close()


async def test_vectors_have_length_one_and_tokens_are_counted(open_embedder):
    async with openai_server(Reply(vectors=[(0, [3.0, 4.0])])) as server:
        vectors, tokens = await open_embedder(server).embed(["hello"], role="passage")

    assert vectors == [pytest.approx((0.6, 0.8))]
    assert tokens == 11


async def test_vectors_come_back_in_the_texts_order(open_embedder):
    shuffled = [(1, [0.0, 2.0]), (0, [2.0, 0.0])]
    async with openai_server(Reply(vectors=shuffled)) as server:
        vectors, _ = await open_embedder(server).embed(["a", "b"], role="passage")

    assert vectors == [(1.0, 0.0), (0.0, 1.0)]


@pytest.mark.parametrize(
    "vectors",
    [
        [(0, [1.0, 0.0])],
        [(0, [1.0, 0.0]), (0, [0.0, 1.0])],
        [(0, [1.0, 0.0]), (2, [0.0, 1.0])],
        [(0, [1.0, 0.0]), (1, [0.0, 1.0]), (2, [1.0, 1.0])],
        [(0, [1.0, 0.0]), (1, [0.0, 0.0])],
    ],
)
async def test_a_wrong_index_or_an_empty_vector_is_an_error(open_embedder, vectors):
    async with openai_server(Reply(vectors=vectors)) as server:
        with pytest.raises(EmbeddingAnswerError):
            await open_embedder(server).embed(["a", "b"], role="passage")


@pytest.mark.parametrize(
    ("raw", "content_type"),
    [
        (b"<html>marked</html>", "text/html"),
        (b"null", "application/json"),
        (b'{"marked', "application/json"),
        (b"{}", "application/json"),
        (b'{"data": []}', "application/json"),
        (b'{"data": [null]}', "application/json"),
        (b'{"data": [{"index": "marked", "embedding": [1.0]}]}', "application/json"),
        (b'{"data": [{"index": 0, "embedding": ["marked"]}]}', "application/json"),
        (b'{"data": [{"index": 0, "embedding": "marked"}]}', "application/json"),
        (b'{"data": [{"index": 0, "embedding": [[1.0]]}]}', "application/json"),
        (b'{"data": [{"index": 0, "embedding": [NaN, 1.0]}]}', "application/json"),
        (b'{"data": [{"index": 0, "embedding": null}]}', "application/json"),
    ],
)
async def test_what_holds_no_vectors_is_an_error_without_its_words(
    open_embedder, raw, content_type
):
    async with openai_server(Reply(raw=raw, content_type=content_type)) as server:
        with pytest.raises(ModelAnswerError) as caught:
            await open_embedder(server).embed(["a"], role="passage")

    assert "marked" not in repr(caught.value)


async def test_many_texts_go_in_several_calls_and_keep_their_order(open_embedder, monkeypatch):
    monkeypatch.setattr(openai_embedder, "MAX_BATCH_TEXTS", 2)
    texts = ["a", "bb", "ccc", "dddd", "eeeee"]
    async with openai_server(*[Reply()] * 3) as server:
        vectors, tokens = await open_embedder(server).embed(texts, role="query")

    lengths = [vector[1] / vector[0] for vector in vectors]
    assert lengths == [pytest.approx(len(text)) for text in texts]
    assert tokens == 33
    assert [len(body["input"]) for _, body, _ in server.requests] == [2, 2, 1]


async def test_an_empty_text_is_sent_as_something_the_server_takes(open_embedder):
    async with openai_server(Reply()) as server:
        await open_embedder(server).embed(["", " "], role="passage")
        body = server.requests[0][1]

    assert all(text.strip() for text in body["input"])


async def test_shorter_vectors_are_asked_for_only_where_set(open_embedder):
    async with openai_server(Reply(), Reply()) as server:
        await open_embedder(server).embed(["a"], role="passage")
        await open_embedder(server, shortens=True).embed(["a"], role="passage")
        plain, short = (body for _, body, _ in server.requests)

    assert "dimensions" not in plain
    assert short["dimensions"] == 2


async def test_a_servers_error_is_ours(open_embedder):
    async with openai_server(Reply(status=429, headers={"retry-after": "5"})) as server:
        with pytest.raises(ModelRateLimitError) as caught:
            await open_embedder(server).embed(["marked-words"], role="passage")

    assert caught.value.retry_after == 5
    assert "marked-words" not in repr(caught.value)


async def test_the_fingerprint_names_server_model_and_dimensions(open_embedder):
    async with openai_server() as server:
        name = open_embedder(server).fingerprint

    assert name.startswith("127.0.0.1:")
    assert name.endswith("/small/2")


@given(st.lists(st.text(max_size=50), max_size=600))
def test_batches_hold_every_text_once_in_order_within_the_limits(texts):
    groups = list(batches(texts))

    assert [text for group in groups for text in group] == texts
    assert all(0 < len(group) <= openai_embedder.MAX_BATCH_TEXTS for group in groups)


def test_an_over_long_text_goes_alone():
    long = "字" * (openai_embedder.MAX_BATCH_TOKENS + 1)

    assert [len(group) for group in batches(["a", long, "b"])] == [1, 1, 1]
