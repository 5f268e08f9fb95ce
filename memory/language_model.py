"""The language model as the memory system and the conversation see it."""

from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeVar

from pydantic import BaseModel

from memory.errors import ModelAnswerError
from memory.usage import Purpose, TokenUsage

Answer = TypeVar("Answer", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message to the model."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class TextDelta:
    """The next piece of a streamed text; never empty."""

    text: str


class LanguageModel(Protocol):
    """A chat model. All its errors are ``ModelError``."""

    @property
    def name(self) -> str:
        """The model's name, as people are shown it."""
        ...

    @property
    def is_offline(self) -> bool:
        """True where the answers come from rules in this process instead of a model."""
        ...

    async def parse(
        self,
        messages: Sequence[ChatMessage],
        answer_type: type[Answer],
        *,
        purpose: Purpose,
    ) -> tuple[Answer, TokenUsage]:
        """Return one answer of ``answer_type`` and what it cost.

        Raises ``ModelAnswerError`` where an answer came that cannot be used, and another
        ``ModelError`` where none came.
        """
        ...

    def stream(
        self,
        messages: Sequence[ChatMessage],
        *,
        purpose: Purpose,
    ) -> AsyncGenerator[TextDelta | TokenUsage, None]:
        """Yield a text piece by piece, then its usage, once and last.

        Raises ``ModelError`` before the first piece or between two.
        """
        ...


def accept_any(answer: BaseModel) -> None:
    """Accept every answer that follows its schema."""


async def parse_checked(
    model: LanguageModel,
    messages: Sequence[ChatMessage],
    answer_type: type[Answer],
    *,
    purpose: Purpose,
    check: Callable[[Answer], None] = accept_any,
) -> tuple[Answer, TokenUsage]:
    """Ask for one answer, check it beyond its schema, and ask once more if it cannot be used.

    ``check`` raises ``ModelAnswerError`` for an answer that follows its schema and is wrong all
    the same. The usage counts both attempts. Raises the second attempt's error.
    """
    spent = TokenUsage()
    try:
        answer, usage = await model.parse(messages, answer_type, purpose=purpose)
        spent = usage
        check(answer)
    except ModelAnswerError as error:
        spent += error.usage
    else:
        return answer, spent
    answer, usage = await model.parse(messages, answer_type, purpose=purpose)
    check(answer)
    return answer, spent + usage
