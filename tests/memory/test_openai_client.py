from datetime import UTC, datetime

import httpx2
import openai
import pytest
from hypothesis import given
from hypothesis import strategies as st
from memora_testing.openai_server import KEY, Reply, openai_server

from memory.errors import (
    InvalidAnswerError,
    ModelAuthenticationError,
    ModelError,
    ModelNotFoundError,
    ModelRateLimitError,
    ModelRequestError,
    ModelTimeoutError,
    ModelUnreachableError,
    RefusedAnswerError,
    TruncatedAnswerError,
)
from memory.language_model import ChatMessage
from memory.models.openai_model import OpenAILanguageModel
from memory.openai_client import (
    choose_api,
    expect,
    host_of,
    name_of,
    open_client,
    read_retry_after,
    translate,
)

REQUEST = httpx2.Request("POST", "http://localhost/v1", headers={"Authorization": "marked-key"})


def client(**changes):
    values = {"api_key": "k", "base_url": None, "timeout_seconds": 5, "max_retries": 0, **changes}
    return open_client(**values)


def kinds_below(kind):
    """Every error class there is, exported by the package or not."""
    return {kind}.union(*map(kinds_below, kind.__subclasses__()))


ERRORS_OF_THE_CLIENT = sorted(
    kinds_below(openai.OpenAIError) - {openai.OpenAIError}, key=lambda kind: kind.__name__
)

MEANT = {
    openai.APITimeoutError: ModelTimeoutError,
    openai.APIConnectionError: ModelUnreachableError,
    openai.AuthenticationError: ModelAuthenticationError,
    openai.OAuthError: ModelAuthenticationError,
    openai.PermissionDeniedError: ModelAuthenticationError,
    openai.NotFoundError: ModelNotFoundError,
    openai.RateLimitError: ModelRateLimitError,
    openai.APIResponseValidationError: InvalidAnswerError,
    openai.LengthFinishReasonError: TruncatedAnswerError,
    openai.ContentFilterFinishReasonError: RefusedAnswerError,
}
"""All others are refusals of the request."""


def build(kind):
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
    assert type(ours) is MEANT.get(kind, ModelRequestError)
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
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "Tue, 01 Dec 2026 12:00:30 -0000"}, 30),
        ({"retry-after-ms": "soon", "retry-after": "9"}, 9),
        ({}, None),
    ],
)
def test_how_long_to_wait_is_read_in_every_form(headers, seconds):
    noon = datetime(2026, 12, 1, 12, tzinfo=UTC)

    assert read_retry_after(headers, now=noon) == seconds


@given(st.text() | st.floats().map(str), st.text())
def test_no_header_makes_the_wait_anything_but_seconds(seconds, milliseconds):
    wait = read_retry_after({"retry-after": seconds, "retry-after-ms": milliseconds})

    assert wait is None or 0 <= wait < float("inf")


def test_what_is_not_of_the_shape_is_named_by_its_type_alone():
    assert expect(1, int) == 1
    with pytest.raises(InvalidAnswerError, match="expected int, found str") as caught:
        expect("marked-words", int)

    assert "marked" not in repr(caught.value)


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("rate_limit_exceeded", "rate_limit_exceeded"),
        ("you said: I live in Taipei", "an unnamed error"),
        ("x" * 41, "an unnamed error"),
        ("", "an unnamed error"),
        (500, "an unnamed error"),
        (None, "an unnamed error"),
    ],
)
def test_a_servers_code_is_named_unless_it_is_a_text(code, name):
    assert name_of(code) == name


@pytest.mark.parametrize("api", ["responses", "chat_completions"])
@pytest.mark.parametrize("marked", ["marked", ""])
async def test_nothing_of_the_environment_is_sent(monkeypatch, api, marked):
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    for name in ("API_KEY", "ADMIN_KEY", "ORG_ID", "PROJECT_ID", "WEBHOOK_SECRET"):
        monkeypatch.setenv(f"OPENAI_{name}", marked)
    custom = f"X-Own: {marked}\nAuthorization: {marked}\nOpenAI-Organization: {marked}"
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", custom)
    async with openai_server(Reply("ok")) as server:
        opened = client(api_key=KEY, base_url=server.url)
        model = OpenAILanguageModel(opened, "gpt", api=api, max_output_tokens=50)
        async for _ in model.stream([ChatMessage("user", "hi")], purpose="reply"):
            pass
        await opened.close()
        ((_, _, headers),) = server.requests

    names = {name.lower() for name in headers}
    assert not names & {"openai-organization", "openai-project", "x-own"}
    assert not any("marked" in value for value in headers.values() if value != f"Bearer {KEY}")
    assert headers["Authorization"] == f"Bearer {KEY}"


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
        ("auto", "https://eu.api.openai.com/v1", "responses"),
        ("auto", "http://localhost:11434/v1", "chat_completions"),
        ("auto", "https://notapi.openai.com/v1", "chat_completions"),
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
