import pytest
from memora_testing.embedder import HashingEmbedder
from memora_testing.openai_server import KEY, Reply, openai_server
from pydantic import SecretStr

from bot.providers import client, dimensions_of, open_embedder, open_model, uses_offline_model
from bot.settings import Configuration, EmbeddingSettings, Secrets, Settings
from memory.embedders.local import LocalEmbedder
from memory.embedders.openai_embedder import OpenAIEmbedder
from memory.errors import ConfigError
from memory.language_model import ChatMessage, TextDelta
from memory.models.offline import OfflineLanguageModel
from memory.models.openai_model import OpenAILanguageModel
from memory.openai_client import NO_KEY


def configured(tmp_path, *, key=None, **sections):
    settings = Settings.model_validate({"data_dir": tmp_path, **sections})
    secrets = Secrets(openai_api_key=SecretStr(key) if key else None)
    return Configuration(settings=settings, secrets=secrets, source=None)


@pytest.mark.parametrize(
    ("key", "llm", "offline"),
    [
        (None, {}, True),
        ("k", {}, False),
        (None, {"base_url": "http://localhost:1/v1"}, False),
        ("k", {"provider": "offline"}, True),
        (None, {"provider": "openai", "base_url": "http://localhost:1/v1"}, False),
    ],
)
async def test_rules_answer_only_by_choice_or_without_key_and_url(tmp_path, key, llm, offline):
    configuration = configured(tmp_path, key=key, llm=llm)

    assert uses_offline_model(configuration) is offline
    async with open_model(configuration) as model:
        assert isinstance(model, OfflineLanguageModel if offline else OpenAILanguageModel)
        assert model.is_offline is offline


async def test_openai_without_a_key_is_a_configuration_fault(tmp_path):
    with pytest.raises(ConfigError, match="OPENAI_API_KEY"):
        client(configured(tmp_path), None)


async def test_a_server_of_ones_own_needs_no_key(tmp_path):
    opened = client(configured(tmp_path), "http://localhost:1/v1")

    assert opened.api_key == NO_KEY
    await opened.close()


async def test_the_clients_time_and_tries_are_the_configured_ones(tmp_path):
    llm = {"timeout_seconds": 7, "max_retries": 4}

    opened = client(configured(tmp_path, key="k", llm=llm), None)

    assert opened.timeout == 7
    assert opened.max_retries == 4
    await opened.close()


@pytest.mark.parametrize(
    ("llm", "path"),
    [
        ({}, "/v1/chat/completions"),
        ({"api": "responses"}, "/v1/responses"),
    ],
)
async def test_the_configured_model_is_asked_with_the_key_in_the_configured_way(
    tmp_path, llm, path
):
    async with openai_server(Reply("Hello")) as server:
        llm = {"model": "mine", "base_url": server.url, "max_output_tokens": 33, **llm}
        async with open_model(configured(tmp_path, key=KEY, llm=llm)) as model:
            hello = [ChatMessage("user", "hi")]
            pieces = [piece async for piece in model.stream(hello, purpose="reply")]
    ((asked, body, _),) = server.requests

    assert pieces[0] == TextDelta("Hello")
    assert asked == path
    assert body["model"] == "mine"
    assert 33 in (body.get("max_tokens"), body.get("max_output_tokens"))


async def test_what_is_given_is_used_in_place_of_what_is_configured(tmp_path):
    given_model, given_embedder = OfflineLanguageModel(), HashingEmbedder()
    configuration = configured(tmp_path, llm={"provider": "openai"})

    async with (
        open_model(configuration, given_model) as model,
        open_embedder(configuration, given_embedder) as embedder,
    ):
        assert model is given_model
        assert embedder is given_embedder


async def test_no_key_is_shown_by_the_model_or_the_embedder(tmp_path):
    configuration = configured(tmp_path, key=KEY, embedding={"provider": "openai"})

    async with open_model(configuration) as model, open_embedder(configuration) as embedder:
        shown = f"{model!r} {model.name} {embedder!r} {embedder.fingerprint} {configuration!r}"

    assert KEY not in shown


async def test_vectors_are_made_here_unless_told_otherwise(tmp_path):
    async with open_embedder(configured(tmp_path, key="k")) as embedder:
        assert isinstance(embedder, LocalEmbedder)


async def test_an_openai_embedder_knows_its_size_and_its_calibration(tmp_path):
    configuration = configured(tmp_path, key="k", embedding={"provider": "openai"})

    async with open_embedder(configuration) as embedder:
        assert isinstance(embedder, OpenAIEmbedder)
        assert embedder.fingerprint == "openai/text-embedding-3-small/1536"
        assert "nothing yet" in embedder.calibration.fitted_on


def test_the_size_of_an_unknown_models_vectors_must_be_said():
    with pytest.raises(ConfigError, match=r"embedding.dimensions: .*mine"):
        dimensions_of(EmbeddingSettings(provider="openai", model="mine"))

    assert dimensions_of(EmbeddingSettings(provider="openai", model="mine", dimensions=64)) == 64
