"""A message as sentences, without what is no statement of the learner's own.

Code, links and quotations are left out; a quoted word or two is a word they speak about.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

HAN = re.compile(r"[\u3400-\u9fff]")
_NOT_OWN_WORDS = re.compile(
    r"```.*?(?:```|\Z)|`[^`\n]*`|https?://\S+|^>.*$"
    r"|“[^”\n]*\s[^”\n]*\s[^”\n]*”|\"[^\"\n]*\s[^\"\n]*\s[^\"\n]*\"|「[^」\n]{6,}」|『[^』\n]{6,}』",
    re.DOTALL | re.MULTILINE,
)
_SENTENCE = re.compile(r"[^。！？!?；;\n.]+(?:\.(?=\S)[^。！？!?；;\n.]*)*[。！？!?；;.]*")
_CLAUSE_BREAK = re.compile(
    r",?\s+(?:and|but|also|plus)\s+(?=(?:I|I'm|I've|I'll|my|please)\b)"
    r"|[，,]\s?(?:但是?|不過|而且|另外|還有|然後|也)?(?=我(?!們))",
    re.IGNORECASE,
)
_OPENERS = re.compile(
    r"^(?:(?:hi|hello|hey|oh|ah|um|well|so|ok|okay|yes|yeah|no|btw|by the way|actually|anyway|also|and"
    r"|but|please)\b[\s,!.:—-]*|(?:嗨|哈囉|你好|喔|哦|嗯|對了|其實|那個|還有|另外|而且|但是?|不過|然後|所以)[，,\s]*)+",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """One statement or question, as it stands in the message."""

    text: str
    is_question: bool
    before: str = ""
    """What stands before it in the same sentence: a condition or a joke reaches over it."""

    @property
    def is_chinese(self) -> bool:
        """Whether it is written in Chinese, other words among it or not."""
        return HAN.search(self.text) is not None


def split_sentences(message: str) -> Iterator[Sentence]:
    """Yield the sentences of ``message``; each one's text stands in it letter for letter."""
    covered = _NOT_OWN_WORDS.sub(lambda match: "\0" * len(match[0]), message)
    for match in _SENTENCE.finditer(covered):
        whole = match[0]
        is_question = whole.rstrip().endswith(("?", "？", "嗎。", "呢。"))
        start = match.start()
        for clause_start, clause in _clauses(whole):
            if "\0" in clause:
                continue
            text = message[start + clause_start : start + clause_start + len(clause)].strip()
            if any(character.isalnum() for character in text):
                yield Sentence(text, is_question, whole[:clause_start])


def _clauses(sentence: str) -> Iterator[tuple[int, str]]:
    start = 0
    for match in _CLAUSE_BREAK.finditer(sentence):
        yield start, sentence[start : match.start()]
        start = match.end()
    yield start, sentence[start:]


def without_opener(text: str) -> str:
    """Return a sentence without what people say before they say something."""
    rest = _OPENERS.sub("", text)
    return rest or text
