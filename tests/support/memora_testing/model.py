"""A language model that gives the answers it was handed, in their order, and no other."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass

from pydantic import BaseModel

from memory.errors import InvalidAnswerError
from memory.language_model import Answer, ChatMessage, TextDelta
from memory.models.offline import OfflineLanguageModel
from memory.usage import Purpose, TokenUsage

USAGE = TokenUsage(input_tokens=10, output_tokens=5)


@dataclass(frozen=True)
class Call:
    """One request the model got."""

    purpose: Purpose
    messages: tuple[ChatMessage, ...]


class ScriptedModel:
    """Fails the test when it is asked more often than it was scripted.

    A step is an answer (a pydantic value, or the pieces of a text), an error to raise, or, among a
    text's pieces, an error or an event to wait for.
    """

    name = "scripted"
    is_offline = False

    def __init__(self, *steps: BaseModel | Iterable[object] | Exception) -> None:
        self.steps = list(steps)
        self.calls: list[Call] = []

    def _next(self, messages: Sequence[ChatMessage], purpose: Purpose) -> object:
        self.calls.append(Call(purpose, tuple(messages)))
        if not self.steps:
            raise AssertionError(f"the model was asked once too often, for {purpose}")
        step = self.steps.pop(0)
        if isinstance(step, Exception):
            raise step
        return step

    async def parse(
        self, messages: Sequence[ChatMessage], answer_type: type[Answer], *, purpose: Purpose
    ) -> tuple[Answer, TokenUsage]:
        step = self._next(messages, purpose)
        if not isinstance(step, answer_type):
            raise InvalidAnswerError(
                f"expected {answer_type.__name__}, found {type(step).__name__}", usage=USAGE
            )
        return step, USAGE

    async def stream(
        self, messages: Sequence[ChatMessage], *, purpose: Purpose
    ) -> AsyncIterator[TextDelta | TokenUsage]:
        for piece in self._next(messages, purpose):
            if isinstance(piece, Exception):
                raise piece
            if isinstance(piece, asyncio.Event):
                await piece.wait()
                continue
            yield TextDelta(piece)
        yield USAGE


class TalkingModel:
    """Reads messages by the offline rules, and replies with what it was handed, else an echo."""

    name = "talking"
    is_offline = False

    def __init__(self, *replies: Iterable[object]) -> None:
        self.replies = list(replies)
        """Of each reply its pieces: texts, errors to raise, events to wait for."""
        self.asked: list[str] = []
        """The newest message of each reply, in the order they were asked for."""
        self._reader = OfflineLanguageModel()

    async def parse(
        self, messages: Sequence[ChatMessage], answer_type: type[Answer], *, purpose: Purpose
    ) -> tuple[Answer, TokenUsage]:
        return await self._reader.parse(messages, answer_type, purpose=purpose)

    async def stream(
        self, messages: Sequence[ChatMessage], *, purpose: Purpose
    ) -> AsyncIterator[TextDelta | TokenUsage]:
        if purpose != "reply":
            raise AssertionError(f"expected to be asked for a reply, found {purpose}")
        said = messages[-1].content
        self.asked.append(said)
        for piece in self.replies.pop(0) if self.replies else [f"You said: {said}"]:
            if isinstance(piece, Exception):
                raise piece
            if isinstance(piece, asyncio.Event):
                await piece.wait()
            else:
                yield TextDelta(piece)
        yield USAGE
