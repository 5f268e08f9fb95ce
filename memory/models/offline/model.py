"""The offline model: the port, with rules behind it."""

import re
from collections.abc import AsyncGenerator, Callable, Sequence

from pydantic import BaseModel

from memory.errors import ModelRequestError
from memory.language_model import Answer, ChatMessage, TextDelta
from memory.models.offline.extraction import extract
from memory.models.offline.importance import assess
from memory.models.offline.reply import reply
from memory.models.offline.summary import summarize
from memory.prompts.extraction import ExtractionAnswer, ExtractionInput
from memory.prompts.importance import ImportanceAssessmentResult, ImportanceTasks
from memory.prompts.summary import SummaryAnswer, SummaryInput
from memory.usage import Purpose, TokenUsage

_PIECE = re.compile(r"\s*[^\s\u3400-\u9fff]+|\s*[\u3400-\u9fff]{1,4}|\s+")

_TASKS: dict[type[BaseModel], Callable[[str], BaseModel]] = {
    ExtractionAnswer: lambda task: extract(ExtractionInput.model_validate_json(task)),
    ImportanceAssessmentResult: lambda task: assess(ImportanceTasks.validate_json(task)),
    SummaryAnswer: lambda task: summarize(SummaryInput.model_validate_json(task)),
}


class OfflineLanguageModel:
    """A ``LanguageModel`` without a network. The same input always gives the same answer.

    No model is paid, so its usage is zero.
    """

    name = "offline rules"
    is_offline = True

    async def parse(
        self,
        messages: Sequence[ChatMessage],
        answer_type: type[Answer],
        *,
        purpose: Purpose,  # noqa: ARG002 (the port's)
    ) -> tuple[Answer, TokenUsage]:
        """Return the answer for the task in the last message.

        Raises ``ModelRequestError`` for a kind of answer there are no rules for.
        """
        task = _TASKS.get(answer_type)
        if task is None:
            raise ModelRequestError(f"expected a task with rules, found {answer_type.__name__}")
        answer = task(messages[-1].content)
        return answer_type.model_validate(answer.model_dump()), TokenUsage()

    async def stream(
        self,
        messages: Sequence[ChatMessage],
        *,
        purpose: Purpose,  # noqa: ARG002 (the port's)
    ) -> AsyncGenerator[TextDelta | TokenUsage, None]:
        """Yield the reply a few words at a time."""
        for piece in _PIECE.findall(reply(messages)):
            yield TextDelta(piece)
        yield TokenUsage()
