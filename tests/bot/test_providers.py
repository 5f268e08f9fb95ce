import pytest
from pydantic import SecretStr

from bot.providers import client, dimensions_of, open_embedder, open_model, uses_offline_model
from bot.settings import Configuration, EmbeddingSettings, Secrets, Settings
from memory.embedders.local import LocalEmbedder
from memory.embedders.openai_embedder import OpenAIEmbedder
from memory.errors import ConfigError
from memory.models.offline import OfflineLanguageModel
from memory.models.openai_model import OpenAILanguageModel


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
