from datetime import UTC, datetime

import httpx2
import openai
import pytest

from memory.errors import ModelError, ModelRateLimitError
from memory.openai_client import choose_api, host_of, open_client, read_retry_after, translate

REQUEST = httpx2.Request("POST", "http://localhost/v1", headers={"Authorization": "marked-key"})


def client(**changes):
    values = {"api_key": "k", "base_url": None, "timeout_seconds": 5, "max_retries": 0, **changes}
    return open_client(**values)


ERRORS_OF_THE_CLIENT = [
    kind
    for kind in list(vars(openai).values())
    if isinstance(kind, type) and issubclass(kind, openai.OpenAIError)
]


def build(kind):  # noqa: PLR0911 (each is built in its own way)
    """Return an error of this kind that holds marked words."""
    response = httpx2.Response(418, request=REQUEST)
    body = {"message": "marked-body"}
    if kind is openai.OAuthError:
        return kind(response=response, body=body)
    if issubclass(kind, openai.APIStatusError):
        return kind("marked-message", response=response, body=body)
    if kind is openai.APIResponseValidationError:
        return kind(response, body)
    if kind is openai.APITimeoutError:
        return kind(REQUEST)
    if kind is openai.APIConnectionError:
        return kind(message="marked-message", request=REQUEST)
    if kind is openai.APIError:
        return kind("marked-message", REQUEST, body=body)
    return kind.__new__(kind)


@pytest.mark.parametrize("kind", ERRORS_OF_THE_CLIENT)
def test_every_error_of_the_client_has_one_of_ours_without_its_words(kind):
    ours = translate(build(kind), where="gpt at host")

    assert isinstance(ours, ModelError)
    assert "gpt at host" in str(ours)
    assert "marked" not in repr(ours)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "17"}, 17),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": "Tue, 01 Dec 2026 12:00:30 GMT"}, 30),
        ({"retry-after": "Tue, 01 Dec 2026 11:00:00 GMT"}, 0),
        ({"retry-after": "-3"}, 0),
        ({"retry-after": "soon"}, None),
        ({}, None),
    ],
)
def test_how_long_to_wait_is_read_in_every_form(headers, seconds):
    noon = datetime(2026, 12, 1, 12, tzinfo=UTC)

    assert read_retry_after(headers, now=noon) == seconds


def test_a_full_server_without_a_time_names_none():
    response = httpx2.Response(429, request=REQUEST)
    error = openai.RateLimitError("busy", response=response, body=None)

    ours = translate(error, where="x")

    assert isinstance(ours, ModelRateLimitError)
    assert ours.retry_after is None


async def test_address_key_and_organization_are_not_taken_from_the_environment(monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", "http://elsewhere/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "marked-key")
    monkeypatch.setenv("OPENAI_ORG_ID", "marked-organization")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "marked-project")

    opened = client(api_key=None)

    assert str(opened.base_url) == "https://api.openai.com/v1/"
    assert opened.api_key != "marked-key"
    sent = {name: value for name, value in opened.default_headers.items() if isinstance(value, str)}
    assert not any("marked" in value for value in sent.values()), sent
    assert "OpenAI-Organization" not in sent
    assert "OpenAI-Project" not in sent
    await opened.close()


@pytest.mark.parametrize(
    ("setting", "base_url", "api"),
    [
        ("auto", None, "responses"),
        ("auto", "https://api.openai.com/v1", "responses"),
        ("auto", "http://localhost:11434/v1", "chat_completions"),
        ("auto", "https://api.openai.com.example.org/v1", "chat_completions"),
        ("responses", "http://localhost:11434/v1", "responses"),
        ("chat_completions", None, "chat_completions"),
    ],
)
def test_the_interface_is_chosen_by_setting_then_by_host(setting, base_url, api):
    assert choose_api(setting, base_url) == api


async def test_the_host_is_named_without_credentials():
    opened = client(base_url="http://user:marked@localhost:8080/v1")

    assert host_of(opened) == "localhost:8080"
    await opened.close()
