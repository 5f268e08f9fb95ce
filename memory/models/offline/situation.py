"""What a reply answers: the message, and what is known, taken apart from the request."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from pydantic import ValidationError

from memory.dates import chinese as chinese_dates
from memory.dates import english as english_dates
from memory.language_model import ChatMessage
from memory.models.offline.phrases import say
from memory.models.offline.sentences import HAN
from memory.prompts.reply import BACKGROUND_HEADING, Background, BackgroundMemory


@dataclass(frozen=True, slots=True)
class Situation:
    """What a reply answers: the message, what is known, and whether Chinese is spoken."""

    message: str
    background: Background | None
    earlier_replies: tuple[str, ...]
    chinese: bool

    def say(self, key: str, **values: str) -> str:
        """Return a phrase in the learner's language."""
        return say(key, chinese=self.chinese, **values)

    def join(self, *sentences: str) -> str:
        """Put sentences after one another: Chinese needs no space."""
        return ("" if self.chinese else " ").join(sentences)

    @property
    def memories(self) -> Sequence[BackgroundMemory]:
        """What was retrieved for this message, best first."""
        return self.background.memories if self.background else ()

    @property
    def today(self) -> date | None:
        """The present day, where it is known."""
        return self.background.now.date() if self.background else None

    def profile(self, field: str) -> str:
        """Return a field of the profile, empty where it is not known."""
        return self.background.profile.get(field, "") if self.background else ""

    def write_day(self, day: date) -> str:
        """Write a day in the learner's language."""
        return chinese_dates.write_day(day) if self.chinese else english_dates.write_day(day)


def read_situation(messages: Sequence[ChatMessage]) -> Situation:
    """Take apart what was sent to the model."""
    message = next((m.content for m in reversed(messages) if m.role == "user"), "")
    if message.startswith(BACKGROUND_HEADING):
        message = ""
    replies = tuple(m.content for m in messages if m.role == "assistant")
    return Situation(
        message=message.strip(),
        background=_find_background(messages),
        earlier_replies=replies,
        chinese=HAN.search(message) is not None,
    )


def _find_background(messages: Sequence[ChatMessage]) -> Background | None:
    for message in messages:
        heading, found, document = message.content.partition(f"{BACKGROUND_HEADING}\n")
        if found and not heading:
            try:
                return Background.model_validate_json(document)
            except ValidationError:
                return None
    return None
