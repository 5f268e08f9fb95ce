"""The whole configuration: config.yaml, then the environment, checked once at start.

Nothing here is read at import. Every setting has a variable, ``MEMORA_`` and its path joined by
underscores: ``retrieval.min_score`` is ``MEMORA_RETRIEVAL_MIN_SCORE``. Secrets have variables
only.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self
from zoneinfo import ZoneInfo

import yaml
from dotenv import dotenv_values
from platformdirs import user_data_path
from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_core import ErrorDetails
from rapidfuzz import process
from tzlocal import get_localzone_name

from memory.errors import ConfigError
from memory.settings import PolicySettings, RetrievalSettings, Section, ShortTermSettings
from memory.time_zones import is_time_zone

PREFIX = "MEMORA_"
CONFIG_VARIABLE = "MEMORA_CONFIG"
DEFAULT_CONFIG_FILE = Path("config.yaml")
DOTENV_FILE = Path(".env")
NEAREST_NAME_MIN_SCORE = 60

Seconds = Annotated[float, Field(gt=0, le=3600)]


class LanguageModelSettings(Section):
    """Which language model answers."""

    provider: Literal["auto", "openai", "offline"] = "auto"
    model: str = Field(default="gpt-5.4-mini", min_length=1)
    base_url: str | None = Field(default=None, pattern=r"^https?://\S+$")
    api: Literal["auto", "responses", "chat_completions"] = "auto"
    timeout_seconds: Seconds = 60
    max_retries: int = Field(default=2, ge=0, le=10)
    max_output_tokens: int = Field(default=2000, ge=16, le=100_000)


class VoiceSettings(Section):
    """Which model hears voice messages."""

    model: str | None = Field(default=None, min_length=1)
    base_url: str | None = Field(default=None, pattern=r"^https?://\S+$")
    max_seconds: int = Field(default=300, ge=1, le=7200)


class EmbeddingSettings(Section):
    """Which embedder makes the vectors. Changing it needs another data folder."""

    provider: Literal["local", "openai"] = "local"
    model: str = Field(default="text-embedding-3-small", min_length=1)
    base_url: str | None = Field(default=None, pattern=r"^https?://\S+$")
    dimensions: int | None = Field(default=None, ge=8, le=8192)
    threads: int = Field(default=2, ge=1, le=64)


class ConversationSettings(Section):
    """How a conversation is held."""

    language: Literal["auto", "en", "zh_Hant_TW"] = "auto"
    time_zone: str = "auto"
    max_message_characters: int = Field(default=8000, ge=100, le=100_000)
    short_term: ShortTermSettings = ShortTermSettings()

    @field_validator("time_zone")
    @classmethod
    def _known_zone(cls, value: str) -> str:
        if value != "auto" and not is_time_zone(value):
            raise ValueError(f"must be auto or an IANA name such as Asia/Taipei, found {value!r}")
        return value


class JobSettings(Section):
    """How background work is done."""

    concurrency: int = Field(default=4, ge=1, le=100)
    max_attempts: int = Field(default=4, ge=1, le=20)
    backoff_seconds: Seconds = 5
    exit_grace_seconds: Seconds = 20


class WebhookSettings(Section):
    """How Telegram calls us, instead of being polled."""

    url: str | None = Field(default=None, pattern=r"^https?://\S+$")
    listen: str = Field(default="127.0.0.1", min_length=1)
    port: int = Field(default=8443, ge=1, le=65535)


class TelegramSettings(Section):
    """How Telegram is reached."""

    base_url: str = Field(default="https://api.telegram.org", pattern=r"^https?://\S+[^/]$")
    messages_per_second: float = Field(default=30, gt=0, le=1000)
    webhook: WebhookSettings = WebhookSettings()


class DiscordSettings(Section):
    """How Discord is used."""

    open_channels: tuple[str, ...] = ()

    @field_validator("open_channels", mode="before")
    @classmethod
    def _listed(cls, value: Any) -> Any:  # noqa: ANN401 (whatever a file or a variable holds)
        """Take one text, as a variable gives it, for ids with commas between them."""
        items = value.split(",") if isinstance(value, str) else value
        return [str(item) for item in items] if isinstance(items, list) else items

    @field_validator("open_channels", mode="after")
    @classmethod
    def _ids(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        ids = tuple(item.strip() for item in value if item.strip())
        wrong = [item for item in ids if not item.isdecimal()]
        if wrong:
            raise ValueError(f"must be ids of channels, found {wrong[0]!r}")
        return ids

    @property
    def open_channel_ids(self) -> frozenset[int]:
        """The channels as numbers."""
        return frozenset(map(int, self.open_channels))


class Settings(Section):
    """Everything that can be set, except secrets."""

    data_dir: Path | None = None
    log_level: Literal["debug", "info", "warning", "error"] = "warning"
    llm: LanguageModelSettings = LanguageModelSettings()
    voice: VoiceSettings = VoiceSettings()
    embedding: EmbeddingSettings = EmbeddingSettings()
    retrieval: RetrievalSettings = RetrievalSettings()
    policy: PolicySettings = PolicySettings()
    conversation: ConversationSettings = ConversationSettings()
    telegram: TelegramSettings = TelegramSettings()
    discord: DiscordSettings = DiscordSettings()
    jobs: JobSettings = JobSettings()

    @property
    def data_folder(self) -> Path:
        """The folder of all data, in full."""
        if self.data_dir is None:
            return user_data_path("memora", appauthor=False)
        return self.data_dir.expanduser().absolute()


class Secrets(Section):
    """What must never stand in a file that is shared or shown."""

    openai_api_key: SecretStr | None = None
    telegram_bot_token: SecretStr | None = None
    discord_bot_token: SecretStr | None = None

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> Self:
        """Take the secrets from variables; an empty one is none."""
        given = {name: environment.get(name.upper(), "").strip() for name in cls.model_fields}
        return cls(**{name: SecretStr(value) for name, value in given.items() if value})

    def revealed(self) -> list[str]:
        """Return every secret there is, to hide it wherever it might show."""
        values = (getattr(self, name) for name in type(self).model_fields)
        return [value.get_secret_value() for value in values if value is not None]


class Configuration(Section):
    """Settings and secrets, and where they came from."""

    settings: Settings
    secrets: Secrets
    source: Path | None
    """The file that was read; None where there was none."""


def load_configuration(environment: Mapping[str, str]) -> Configuration:
    """Read .env, the configuration file and the environment; later ones win.

    The file is ``MEMORA_CONFIG``, which must exist, or config.yaml in the working folder, which
    need not. Raises ``ConfigError`` that names the setting, what is wrong with it, and, for an
    unknown name, the nearest known one.
    """
    dotenv = {name: value for name, value in dotenv_values(DOTENV_FILE).items() if value}
    environment = {**dotenv, **environment}
    path = _config_file(environment)
    values = {} if path is None else read_config_file(path)
    _overlay(values, environment)
    try:
        settings = Settings.model_validate(values)
    except ValidationError as error:
        raise ConfigError("\n".join(describe(item) for item in error.errors())) from None
    secrets = Secrets.from_environment(environment)
    return Configuration(settings=settings, secrets=secrets, source=path)


def _config_file(environment: Mapping[str, str]) -> Path | None:
    named = environment.get(CONFIG_VARIABLE)
    if named:
        return Path(named).expanduser()
    return DEFAULT_CONFIG_FILE if DEFAULT_CONFIG_FILE.is_file() else None


def read_config_file(path: Path) -> dict[str, Any]:
    """Read a YAML mapping; raises ``ConfigError`` where there is none."""
    try:
        values = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: is no YAML: {error}") from None
    if values is None:
        return {}
    if not isinstance(values, dict):
        raise ConfigError(f"{path}: expected a mapping of settings, found {type(values).__name__}")
    return values


def variables(section: type[Section] = Settings) -> dict[str, tuple[str, ...]]:
    """Return every setting's variable and its path."""
    return {PREFIX + "_".join(path).upper(): path for path in _paths(section)}


def _paths(section: type[Section]) -> Iterator[tuple[str, ...]]:
    for name, field in section.model_fields.items():
        annotation = field.annotation
        if isinstance(annotation, type) and issubclass(annotation, Section):
            yield from ((name, *path) for path in _paths(annotation))
        else:
            yield (name,)


def _overlay(values: dict[str, Any], environment: Mapping[str, str]) -> None:
    """Write the environment's settings over ``values``."""
    known = variables()
    for name, text in environment.items():
        if not name.startswith(PREFIX) or name == CONFIG_VARIABLE or not text:
            continue
        if name not in known:
            raise ConfigError(f"{name}: no such setting{_nearest(name, known)}")
        *parents, leaf = known[name]
        section = values
        for parent in parents:
            section = section.setdefault(parent, {})
            if not isinstance(section, dict):
                raise ConfigError(f"{parent}: expected a section, found {section!r}")
        section[leaf] = text


def describe(error: ErrorDetails) -> str:
    """Say one fault of the configuration in a line: its setting, and what was found."""
    path = ".".join(str(part) for part in error["loc"])
    if error["type"] == "extra_forbidden":
        return f"{path}: no such setting{_unknown_hint(error['loc'])}"
    if error["type"] == "model_type":
        return f"{path}: expected a section, found {error['input']!r}"
    reason = error["msg"].removeprefix("Value error, ")
    if error["type"] == "value_error":
        return f"{path}: {reason}"
    return f"{path}: {reason[0].lower()}{reason[1:]}, found {error['input']!r}"


def _unknown_hint(location: tuple[int | str, ...]) -> str:
    if any(word in str(location[-1]).lower() for word in ("key", "token", "secret", "password")):
        return " (secrets are read from the environment or .env only)"
    siblings = [path for path in _paths(Settings) if len(path) >= len(location)]
    parent = tuple(map(str, location[:-1]))
    names = {path[len(parent)] for path in siblings if path[: len(parent)] == parent}
    return _nearest(str(location[-1]), names)


def _nearest(name: str, names: Iterable[str]) -> str:
    found = process.extractOne(name, list(names), score_cutoff=NEAREST_NAME_MIN_SCORE)
    return f"; did you mean {found[0]}?" if found else ""


def local_time_zone(settings: ConversationSettings) -> ZoneInfo:
    """Return the zone of a person whose own is not known: the one set, or the machine's."""
    if settings.time_zone != "auto":
        return ZoneInfo(settings.time_zone)
    return ZoneInfo(get_localzone_name())
