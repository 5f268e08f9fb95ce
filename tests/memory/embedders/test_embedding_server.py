"""The OpenAI embedder against a real server: llama.cpp, with the vectors of a small chat model."""

from math import hypot

import pytest
from memora_testing.embedder import IDENTITY
from memora_testing.llama_server import MODEL_NAME, require_model, start_server

from memory.embedder import create_embeddings
from memory.embedders.openai_embedder import OpenAIEmbedder
from memory.errors import ModelRequestError
from memory.openai_client import open_client

pytestmark = [pytest.mark.model_server, pytest.mark.timeout(300)]

DIMENSIONS = 576


@pytest.fixture(scope="module")
def server(request):
    return start_server(require_model(request.config), embeds=True)


@pytest.fixture
async def embedder(server):
    client = open_client(
        api_key=None,
        base_url=f"{server.listening_address}/v1",
        timeout_seconds=60,
        max_retries=0,
    )
    yield OpenAIEmbedder(
        client, MODEL_NAME, dimensions=DIMENSIONS, shortens=False, calibration=IDENTITY
    )
    await client.close()


def cosine(one, other):
    return sum(a * b for a, b in zip(one, other, strict=True))


async def test_vectors_have_the_models_size_and_length_one(embedder):
    texts = ["I like tea.", "我下個月考雅思。", "", "two\nlines"]

    vectors, tokens = await create_embeddings(texts, embedder=embedder)

    assert len(vectors) == len(texts)
    assert all(hypot(*vector) == pytest.approx(1) for vector in vectors)
    assert tokens > len(texts)


async def test_near_texts_are_nearer_whatever_their_place(embedder):
    texts = ["I like green tea.", "The train was late again.", "I like black tea."]

    (tea, train, other_tea), _ = await create_embeddings(texts, embedder=embedder)

    assert cosine(tea, other_tea) > cosine(tea, train)


async def test_a_text_beyond_the_models_limit_is_refused(embedder):
    with pytest.raises(ModelRequestError, match="status"):
        await embedder.embed(["word " * 4000], role="passage")
