"""The OpenAI client: how it is opened, which interface a server speaks, what its errors mean.

Works with OpenAI and with every server that is compatible with it. Our errors name status, model
and host; never the key, the request or the response, which may hold a person's words.
"""

import json
import math
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Literal, TypeVar
from urllib.parse import urlsplit

import openai
from openai import AsyncOpenAI

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

OPENAI_BASE_URL = "https://api.openai.com/v1"
OPENAI_HOST = "api.openai.com"
NO_KEY = "none"
"""Sent to servers that ask for no key: the client insists on one."""

ApiSetting = Literal["auto", "responses", "chat_completions"]
Api = Literal["responses", "chat_completions"]
Shape = TypeVar("Shape")

_CODE = re.compile(r"[A-Za-z0-9_.-]{1,40}")


def open_client(
    *,
    api_key: str | None,
    base_url: str | None,
    timeout_seconds: float,
    max_retries: int,
) -> AsyncOpenAI:
    """Return a client; close it with ``close``.

    It takes neither address nor key, organisation, project or headers from the environment.

    ``max_retries`` counts repetitions of a request that brought no answer at all: a stream that
    has begun is never repeated.
    """
    client = AsyncOpenAI(
        api_key=api_key or NO_KEY,
        base_url=base_url or OPENAI_BASE_URL,
        timeout=timeout_seconds,
        max_retries=max_retries,
    )
    # None given to the constructor means the environment; an empty one would be sent.
    client.organization = client.project = None
    # OPENAI_CUSTOM_HEADERS, which no argument turns off; it could even replace the key.
    client._custom_headers = {}  # noqa: SLF001
    return client


def choose_api(setting: ApiSetting, base_url: str | None) -> Api:
    """Return the interface to speak; auto means Responses at OpenAI itself, else Chat Completions.

    Other servers may accept Responses and ignore the schema in it.
    """
    if setting != "auto":
        return setting
    return "responses" if is_openai(base_url or OPENAI_BASE_URL) else "chat_completions"


def is_openai(base_url: str) -> bool:
    """Say whether OpenAI itself is there, in whichever region."""
    host = urlsplit(base_url).hostname or ""
    return host == OPENAI_HOST or host.endswith(f".{OPENAI_HOST}")


def host_of(client: AsyncOpenAI) -> str:
    """Return the server's host and port, for messages."""
    return urlsplit(str(client.base_url)).netloc.rpartition("@")[2]


@contextmanager
def openai_errors(client: AsyncOpenAI, model: str) -> Iterator[None]:
    """Turn the client's errors into ours."""
    where = f"{model} at {host_of(client)}"
    try:
        yield
    except openai.OpenAIError as error:
        raise translate(error, where=where) from None
    except (json.JSONDecodeError, UnicodeDecodeError):
        # The client reads bodies and events without a look at what they are.
        raise InvalidAnswerError(f"{where}: expected JSON, found other data") from None


def expect(value: object, shape: type[Shape]) -> Shape:
    """Return ``value`` if it is what its type says: the client builds it without checking.

    A page of text, as an address without its ``/v1`` gives, comes through as a string.
    """
    if not isinstance(value, shape):
        raise InvalidAnswerError(f"expected {shape.__name__}, found {type(value).__name__}")
    return value


def name_of(code: object) -> str:
    """Return a server's error code for a message, unless it is a text of another kind."""
    return code if isinstance(code, str) and _CODE.fullmatch(code) else "an unnamed error"


_MEANINGS: tuple[tuple[type[openai.OpenAIError], type[ModelError], str], ...] = (
    (openai.APITimeoutError, ModelTimeoutError, "an answer in time, found none"),
    (openai.APIConnectionError, ModelUnreachableError, "a connection, found none"),
    (openai.AuthenticationError, ModelAuthenticationError, "the key to be accepted"),
    (openai.PermissionDeniedError, ModelAuthenticationError, "the key to be allowed this"),
    (openai.NotFoundError, ModelNotFoundError, "model and path to exist"),
    (openai.RateLimitError, ModelRateLimitError, "room for the request"),
    (openai.APIStatusError, ModelRequestError, "the request to be taken"),
    (openai.APIResponseValidationError, InvalidAnswerError, "its interface, found other data"),
    (openai.LengthFinishReasonError, TruncatedAnswerError, "a whole answer, found a part"),
    (openai.ContentFilterFinishReasonError, RefusedAnswerError, "an answer, found a filter"),
    (openai.OpenAIError, ModelRequestError, "an answer, found an error"),
)
"""Each of the client's errors, the more special first, with ours and what was expected."""


def translate(error: openai.OpenAIError, *, where: str) -> ModelError:
    """Return our error for one of the client's."""
    kind, expected = next(
        (ours, text) for theirs, ours, text in _MEANINGS if isinstance(error, theirs)
    )
    found = (
        f", found status {error.status_code}" if isinstance(error, openai.APIStatusError) else ""
    )
    message = f"{where}: expected {expected}{found}"
    if isinstance(error, openai.RateLimitError):
        retry_after = read_retry_after(error.response.headers)
        return ModelRateLimitError(message, retry_after=retry_after)
    return kind(message)


def read_retry_after(headers: Mapping[str, str], *, now: datetime | None = None) -> float | None:
    """Return the seconds a server asks to wait: retry-after-ms, or retry-after in either form.

    None where it asks for nothing that can be read. ``now`` is the moment a date is counted from.
    """
    milliseconds = headers.get("retry-after-ms", "")
    seconds = headers.get("retry-after", "")
    for text, scale in ((milliseconds, 0.001), (seconds, 1.0)):
        try:
            wait = float(text) * scale
        except ValueError:
            continue
        return max(wait, 0.0) if math.isfinite(wait) else None
    try:
        moment = parsedate_to_datetime(seconds)
    except ValueError:
        return None
    if moment.tzinfo is None:  # written as -0000: it is in UTC all the same
        moment = moment.replace(tzinfo=UTC)
    return max((moment - (now or datetime.now(UTC))).total_seconds(), 0.0)
