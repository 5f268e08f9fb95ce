"""Reasoning that local models write before their answer, between ``<think>`` tags: taken out."""

import re
from dataclasses import dataclass

OPENING, CLOSING = "<think>", "</think>"
_REASONING = re.compile(r"\A\s*<think>.*?(?:</think>|\Z)\s*", re.DOTALL)
_FENCE = re.compile(r"\A\s*```[a-z]*\s*\n(.*?)\n?\s*```\s*\Z", re.DOTALL)


def strip_reasoning(text: str) -> str:
    """Return ``text`` without the reasoning it opens with."""
    return _REASONING.sub("", text)


def strip_fence(text: str) -> str:
    """Return what stands in the fence of code that is the whole ``text``, or ``text``."""
    fenced = _FENCE.match(text)
    return fenced[1] if fenced else text


@dataclass(slots=True)
class ReasoningFilter:
    """Takes the reasoning out of a text that comes in pieces, wherever a tag is cut."""

    _waiting: str = ""
    _has_begun: bool = False
    """True once a piece of the answer itself was seen."""

    def feed(self, piece: str) -> str:
        """Return what of the answer is certain after one more piece."""
        if self._has_begun:
            return piece
        self._waiting += piece
        text = self._waiting.lstrip()
        if OPENING.startswith(text[: len(OPENING)]):
            _, closing, answer = text.partition(CLOSING)
            if not closing or not answer.strip():
                return ""
            text = answer.lstrip()
        return self._begin(text or "")

    def rest(self) -> str:
        """Return what was held back and proved to be no reasoning, at the end."""
        if self._has_begun:
            return ""
        return self._begin(strip_reasoning(self._waiting))

    def _begin(self, text: str) -> str:
        self._has_begun = bool(text)
        self._waiting = ""
        return text
