"""Which language model and which embedder the configuration asks for."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from openai import AsyncOpenAI

from bot.settings import Configuration, EmbeddingSettings
from memory.calibration import read_calibration, read_local_calibration
from memory.embedder import Embedder
from memory.embedders.local import LocalEmbedder, RawLocalModel
from memory.embedders.openai_embedder import MODEL_DIMENSIONS, OpenAIEmbedder, fingerprint
from memory.errors import ConfigError
from memory.language_model import LanguageModel
from memory.models.offline import OfflineLanguageModel
from memory.models.openai_model import OpenAILanguageModel
from memory.models.openai_transcriber import OpenAITranscriber
from memory.openai_client import choose_api, open_client
from memory.transcriber import Transcriber

CALIBRATION_FILE = "calibration.json"


def uses_offline_model(configuration: Configuration) -> bool:
    """Say whether answers come from rules: by choice, or where no key and no URL is set."""
    settings = configuration.settings.llm
    if settings.provider == "auto":
        return configuration.secrets.openai_api_key is None and settings.base_url is None
    return settings.provider == "offline"


@asynccontextmanager
async def open_model(
    configuration: Configuration, given: LanguageModel | None = None
) -> AsyncIterator[LanguageModel]:
    """Open the configured language model, unless one is given; close it at the end."""
    settings = configuration.settings.llm
    if given is not None:
        yield given
    elif uses_offline_model(configuration):
        yield OfflineLanguageModel()
    else:
        async with client(configuration, settings.base_url) as openai:
            yield OpenAILanguageModel(
                openai,
                settings.model,
                api=choose_api(settings.api, settings.base_url),
                max_output_tokens=settings.max_output_tokens,
            )


@asynccontextmanager
async def open_transcriber(
    configuration: Configuration, given: Transcriber | None = None
) -> AsyncIterator[Transcriber | None]:
    """Open the model that hears, where one is configured, unless one is given."""
    settings = configuration.settings.voice
    if given is not None or settings.model is None:
        yield given
        return
    async with client(configuration, settings.base_url) as openai:
        yield OpenAITranscriber(openai, settings.model)


@asynccontextmanager
async def open_embedder(
    configuration: Configuration, given: Embedder | None = None
) -> AsyncIterator[Embedder]:
    """Open the configured embedder, unless one is given; close it at the end."""
    settings = configuration.settings.embedding
    if given is not None:
        yield given
    elif settings.provider == "local":
        embedder = local_embedder(settings.threads)
        try:
            yield embedder
        finally:
            await embedder.aclose()
    else:
        async with client(configuration, settings.base_url) as openai:
            yield openai_embedder(openai, configuration)


def local_embedder(threads: int) -> LocalEmbedder:
    """Return the local embedder with what was fitted for it."""
    treatment, calibration = read_local_calibration()
    return LocalEmbedder(RawLocalModel(threads), treatment=treatment, calibration=calibration)


def openai_embedder(openai: AsyncOpenAI, configuration: Configuration) -> OpenAIEmbedder:
    """Return the embedder at a server, with the calibration of the data folder if it has one."""
    settings = configuration.settings.embedding
    dimensions = dimensions_of(settings)
    path = configuration.settings.data_folder / CALIBRATION_FILE
    name = fingerprint(openai, settings.model, dimensions)
    return OpenAIEmbedder(
        openai,
        settings.model,
        dimensions=dimensions,
        shortens=settings.dimensions is not None,
        calibration=read_calibration(path, embedder=name),
    )


def dimensions_of(settings: EmbeddingSettings) -> int:
    """Return the length of a model's vectors; raises ``ConfigError`` where it is not known."""
    dimensions = settings.dimensions or MODEL_DIMENSIONS.get(settings.model)
    if dimensions is None:
        raise ConfigError(
            f"embedding.dimensions: expected the vector length of {settings.model}, found none"
        )
    return dimensions


def client(configuration: Configuration, base_url: str | None) -> AsyncOpenAI:
    """Return a client of OpenAI, or of the compatible server at ``base_url``.

    Raises ``ConfigError`` where OpenAI itself is meant and there is no key.
    """
    key = configuration.secrets.openai_api_key
    if key is None and base_url is None:
        raise ConfigError("OPENAI_API_KEY: expected a key for OpenAI, found none")
    settings = configuration.settings.llm
    return open_client(
        api_key=key.get_secret_value() if key else None,
        base_url=base_url,
        timeout_seconds=settings.timeout_seconds,
        max_retries=settings.max_retries,
    )
