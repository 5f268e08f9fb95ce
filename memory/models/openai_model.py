"""A language model behind OpenAI's interfaces: Responses, or Chat Completions for other servers.

Answers come bound to a JSON schema and are checked here once more, since a server may ignore it.
The client's own ``parse`` is not used: it throws away what an unusable answer cost, and it cannot
take off the reasoning and the fences that local models put around theirs.
"""

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Protocol, cast

from openai import AsyncOpenAI, AsyncStream, Omit, omit
from openai.types import CompletionUsage
from openai.types.chat import (
    ChatCompletion,
    ChatCompletionChunk,
    ChatCompletionMessage,
    ChatCompletionMessageParam,
)
from openai.types.chat.chat_completion_chunk import ChoiceDelta
from openai.types.responses import (
    Response,
    ResponseCompletedEvent,
    ResponseErrorEvent,
    ResponseFailedEvent,
    ResponseIncompleteEvent,
    ResponseOutputMessage,
    ResponseOutputRefusal,
    ResponseOutputText,
    ResponseStreamEvent,
    ResponseTextDeltaEvent,
    ResponseUsage,
)
from pydantic import BaseModel, ValidationError

from memory.errors import (
    EmptyAnswerError,
    InvalidAnswerError,
    ModelRequestError,
    ModelUnreachableError,
    RefusedAnswerError,
    TruncatedAnswerError,
)
from memory.language_model import Answer, ChatMessage, TextDelta
from memory.models.reasoning import ReasoningFilter, strip_fence, strip_reasoning
from memory.openai_client import Api, expect, host_of, is_openai, name_of, openai_errors
from memory.tokens import estimate_tokens
from memory.usage import Purpose, TokenUsage


@dataclass(frozen=True, slots=True)
class Completion:
    """One whole answer, as text."""

    text: str
    usage: TokenUsage
    is_truncated: bool = False
    is_refused: bool = False


class Interface(Protocol):
    """One way of asking: both speak in these terms."""

    async def complete(
        self, messages: Sequence[ChatMessage], answer_type: type[BaseModel]
    ) -> Completion:
        """Ask for one JSON answer of ``answer_type``."""
        ...

    def stream(self, messages: Sequence[ChatMessage]) -> AsyncGenerator[str | Completion, None]:
        """Yield the pieces of a text, then, last, how it ended, with its usage."""
        ...


class OpenAILanguageModel:
    """A ``LanguageModel`` at OpenAI or at a compatible server."""

    is_offline = False

    def __init__(
        self, client: AsyncOpenAI, model: str, *, api: Api, max_output_tokens: int
    ) -> None:
        self._client = client
        self._model = model
        interfaces: dict[Api, type[Responses | ChatCompletions]] = {
            "responses": Responses,
            "chat_completions": ChatCompletions,
        }
        self._interface: Interface = interfaces[api](client, model, max_output_tokens)

    @property
    def name(self) -> str:
        """The model, and the server where it is."""
        return f"{self._model} at {host_of(self._client)}"

    async def parse(
        self,
        messages: Sequence[ChatMessage],
        answer_type: type[Answer],
        *,
        purpose: Purpose,  # noqa: ARG002 (the port's)
    ) -> tuple[Answer, TokenUsage]:
        """Return one answer of ``answer_type``; see the port for what it raises."""
        with openai_errors(self._client, self._model):
            completion = await self._interface.complete(messages, answer_type)
        usage = completion.usage
        if completion.is_refused:
            raise RefusedAnswerError("expected an answer, found a refusal", usage=usage)
        if completion.is_truncated:
            raise TruncatedAnswerError("expected a whole answer, found a part", usage=usage)
        text = strip_fence(strip_reasoning(completion.text)).strip()
        if not text:
            raise EmptyAnswerError("expected an answer, found nothing", usage=usage)
        try:
            return answer_type.model_validate_json(text), usage
        except ValidationError as error:
            # The error's own text would hold the answer, and with it the person's words.
            faults = ", ".join(sorted({item["type"] for item in error.errors()}))
            raise InvalidAnswerError(
                f"expected {answer_type.__name__} in JSON, found {faults}", usage=usage
            ) from None

    async def stream(
        self,
        messages: Sequence[ChatMessage],
        *,
        purpose: Purpose,  # noqa: ARG002 (the port's)
    ) -> AsyncGenerator[TextDelta | TokenUsage, None]:
        """Yield a text piece by piece, then its usage; see the port for what it raises."""
        visible, said = ReasoningFilter(), False
        end: Completion | None = None
        with openai_errors(self._client, self._model):
            async with aclosing(self._interface.stream(messages)) as pieces:
                async for piece in pieces:
                    if isinstance(piece, Completion):
                        end = piece
                    elif text := visible.feed(piece):
                        said = True
                        yield TextDelta(text)
        if end is None:
            raise ModelUnreachableError("expected the end of the answer, found the connection gone")
        if text := visible.rest():
            said = True
            yield TextDelta(text)
        yield end.usage
        if end.is_refused:
            raise RefusedAnswerError("expected an answer, found a refusal")
        if end.is_truncated:
            raise TruncatedAnswerError("expected a whole answer, found a part")
        if not said:
            raise EmptyAnswerError("expected an answer, found nothing")


@dataclass(frozen=True, slots=True)
class Responses:
    """OpenAI's Responses API. Nothing is stored at the server."""

    client: AsyncOpenAI
    model: str
    max_output_tokens: int

    async def complete(
        self, messages: Sequence[ChatMessage], answer_type: type[BaseModel]
    ) -> Completion:
        """Ask with the schema as the text's format."""
        response = await self.client.responses.create(
            model=self.model,
            input=[{"role": message.role, "content": message.content} for message in messages],
            text={
                "format": {
                    "type": "json_schema",
                    "name": answer_type.__name__,
                    "schema": answer_type.model_json_schema(),
                    "strict": True,
                }
            },
            max_output_tokens=self.max_output_tokens,
            store=False,
        )
        return _read_response(response)

    async def stream(
        self, messages: Sequence[ChatMessage]
    ) -> AsyncGenerator[str | Completion, None]:
        """Stream the text's deltas; the last event says how it ended."""
        events: AsyncStream[ResponseStreamEvent] = await self.client.responses.create(
            model=self.model,
            input=[{"role": message.role, "content": message.content} for message in messages],
            max_output_tokens=self.max_output_tokens,
            store=False,
            stream=True,
        )
        async with events:
            async for event in events:
                match event:
                    case ResponseTextDeltaEvent(delta=str(delta)):
                        yield delta
                    case (
                        ResponseCompletedEvent() | ResponseIncompleteEvent() | ResponseFailedEvent()
                    ):
                        yield _read_response(event.response)
                    case ResponseErrorEvent():
                        raise ModelRequestError(
                            f"expected an answer, found an error of the server: "
                            f"{name_of(event.code)}"
                        )


def _read_response(found: Response) -> Completion:
    response = expect(found, Response)
    if response.status == "failed":
        code = name_of(response.error and response.error.code)
        raise ModelRequestError(f"expected an answer, found a failed response: {code}")
    incomplete = response.incomplete_details.reason if response.incomplete_details else None
    parts = [
        part
        for item in response.output or ()
        if isinstance(item, ResponseOutputMessage)
        for part in item.content or ()
    ]
    text = "".join(part.text or "" for part in parts if isinstance(part, ResponseOutputText))
    refused = any(isinstance(part, ResponseOutputRefusal) for part in parts)
    return Completion(
        text=text,
        usage=_read_usage(response.usage, text),
        is_truncated=response.status == "incomplete" and incomplete != "content_filter",
        is_refused=refused or incomplete == "content_filter",
    )


@dataclass(frozen=True, slots=True)
class Limits:
    """The limit of an answer under the one name that a server knows."""

    max_tokens: int | Omit = omit
    max_completion_tokens: int | Omit = omit


@dataclass(frozen=True, slots=True)
class ChatCompletions:
    """Chat Completions, which every compatible server speaks."""

    client: AsyncOpenAI
    model: str
    max_output_tokens: int

    @property
    def _limits(self) -> "Limits":
        """OpenAI's newer models refuse the old name, which is all that other servers know."""
        if is_openai(str(self.client.base_url)):
            return Limits(max_completion_tokens=self.max_output_tokens)
        return Limits(max_tokens=self.max_output_tokens)

    async def complete(
        self, messages: Sequence[ChatMessage], answer_type: type[BaseModel]
    ) -> Completion:
        """Ask with the schema as the response's format."""
        completion = await self.client.chat.completions.create(
            model=self.model,
            messages=_chat_messages(messages),
            response_format={
                "type": "json_schema",
                "json_schema": {
                    "name": answer_type.__name__,
                    "schema": answer_type.model_json_schema(),
                    "strict": True,
                },
            },
            max_tokens=self._limits.max_tokens,
            max_completion_tokens=self._limits.max_completion_tokens,
        )
        return _read_chat_completion(completion)

    async def stream(
        self, messages: Sequence[ChatMessage]
    ) -> AsyncGenerator[str | Completion, None]:
        """Stream the deltas; the end is known by its finish reason."""
        chunks: AsyncStream[ChatCompletionChunk] = await self.client.chat.completions.create(
            model=self.model,
            messages=_chat_messages(messages),
            max_tokens=self._limits.max_tokens,
            max_completion_tokens=self._limits.max_completion_tokens,
            stream=True,
            stream_options={"include_usage": True},
        )
        text, finish, refused = "", None, False
        usage: CompletionUsage | None = None
        async with chunks:
            async for found in chunks:
                chunk = expect(found, ChatCompletionChunk)
                usage = chunk.usage or usage
                for choice in (chunk.choices or ())[:1]:
                    finish = choice.finish_reason or finish
                    delta = choice.delta or ChoiceDelta()
                    refused = refused or bool(delta.refusal)
                    if delta.content:
                        text += delta.content
                        yield delta.content
        if finish is not None:
            yield Completion(
                text=text,
                usage=_read_usage(usage, text),
                is_truncated=finish == "length",
                is_refused=refused or finish == "content_filter",
            )


def _read_chat_completion(found: ChatCompletion) -> Completion:
    completion = expect(found, ChatCompletion)
    choice = completion.choices[0] if completion.choices else None
    message = choice and choice.message
    if choice is None or not isinstance(message, ChatCompletionMessage):
        return Completion("", _read_usage(completion.usage, ""))
    text = message.content or ""
    return Completion(
        text=text,
        usage=_read_usage(completion.usage, text),
        is_truncated=choice.finish_reason == "length",
        is_refused=bool(message.refusal) or choice.finish_reason == "content_filter",
    )


def _chat_messages(messages: Sequence[ChatMessage]) -> list[ChatCompletionMessageParam]:
    plain = [{"role": item.role, "content": item.content} for item in merge_roles(messages)]
    return cast("list[ChatCompletionMessageParam]", plain)


def merge_roles(messages: Sequence[ChatMessage]) -> list[ChatMessage]:
    """Join neighbours of one role: some models' chat templates refuse two in a row."""
    merged: list[ChatMessage] = []
    for message in messages:
        if merged and merged[-1].role == message.role:
            last = merged.pop()
            message = ChatMessage(last.role, f"{last.content}\n\n{message.content}")  # noqa: PLW2901
        merged.append(message)
    return merged


def _read_usage(usage: ResponseUsage | CompletionUsage | None, text: str) -> TokenUsage:
    """Read a server's count, which may hold gaps; with none, estimate what the answer cost."""
    match usage:
        case ResponseUsage():
            return TokenUsage(usage.input_tokens or 0, usage.output_tokens or 0)
        case CompletionUsage():
            return TokenUsage(usage.prompt_tokens or 0, usage.completion_tokens or 0)
        case None:
            return TokenUsage(output_tokens=estimate_tokens(text))
