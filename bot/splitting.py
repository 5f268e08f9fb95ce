"""Long texts in parts that a platform takes: cut between paragraphs, else lines, sentences, words.

A fence of code that is cut is closed in one part and opened again in the next. What a part may
measure, and in which unit, is the platform's to say.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

Measure = Callable[[str], int]

FENCE = re.compile(r"^ {0,3}(`{3,9}|~{3,9})(.{0,60})$")
_LINE_END = re.compile(r"(?<=\n)")
_SENTENCE_END = re.compile(r"(?<=[.!?…][\s\"”’)])|(?<=[。！？；…])")
_WORD_END = re.compile(r"(?<=\s)")
_JOINER = "\u200d"


@dataclass(frozen=True, slots=True)
class _Block:
    """A paragraph, or a fence with everything in it."""

    text: str
    fence: str = ""
    """The line that opens it; empty for a paragraph."""

    @property
    def marks(self) -> str:
        """The marks that close the fence."""
        found = FENCE.match(self.fence)
        return found[1] if found else ""


def split_text(text: str, *, limit: int, measure: Measure, is_markdown: bool) -> list[str]:
    """Split ``text`` into parts that measure at most ``limit`` each; none is blank.

    ``measure`` must not grow when a text is cut, and a single character must fit.
    """
    if not text.strip():
        return []
    if measure(text) <= limit:
        return [text.strip("\n")]
    fits = _fitter(limit, measure)
    parts: list[str] = []
    for block in _blocks(text, is_markdown=is_markdown):
        joined = f"{parts[-1]}\n\n{block.text}" if parts else block.text
        if parts and fits(joined):
            parts[-1] = joined
        elif fits(block.text):
            parts.append(block.text)
        else:
            parts += _cut_fence(block, fits) if block.fence else _cut_paragraph(block.text, fits)
    return [part for part in parts if part.strip()]


def _fitter(limit: int, measure: Measure) -> Callable[[str], bool]:
    return lambda text: measure(text) <= limit


def _blocks(text: str, *, is_markdown: bool) -> Iterator[_Block]:
    """Cut a text at its empty lines, except inside fences."""
    lines: list[str] = []
    fence = ""
    for line in text.split("\n"):
        found = FENCE.match(line) if is_markdown else None
        if fence:
            lines.append(line)
            if found and _closes(found, fence):
                yield _Block("\n".join(lines), fence)
                lines, fence = [], ""
        elif found:
            yield from _paragraph(lines)
            lines, fence = [line], line
        elif line.strip():
            lines.append(line)
        else:
            yield from _paragraph(lines)
            lines = []
    if fence:
        yield _Block("\n".join([*lines, _Block("", fence).marks]), fence)
    else:
        yield from _paragraph(lines)


def _paragraph(lines: list[str]) -> Iterator[_Block]:
    if lines:
        yield _Block("\n".join(lines))


def _closes(found: re.Match[str], fence: str) -> bool:
    """Say whether a line of marks ends the fence: the same mark, as often or more, and no word."""
    marks = _Block("", fence).marks
    return found[1].startswith(marks) and not found[2].strip()


def _cut_fence(block: _Block, fits: Callable[[str], bool]) -> list[str]:
    lines = block.text.split("\n")[1:-1]

    def fenced(text: str) -> str:
        return f"{block.fence}\n{text.rstrip(chr(10))}\n{block.marks}"

    pieces = _pack((f"{line}\n" for line in lines), lambda text: fits(fenced(text)), (_WORD_END,))
    return [fenced(piece) for piece in pieces]


def _cut_paragraph(text: str, fits: Callable[[str], bool]) -> list[str]:
    pieces = _pack(_LINE_END.split(text), fits, (_SENTENCE_END, _WORD_END))
    return [piece.strip("\n").rstrip() for piece in pieces]


def _pack(
    pieces: Iterable[str], fits: Callable[[str], bool], finer: tuple[re.Pattern[str], ...]
) -> list[str]:
    """Join pieces as long as they fit; cut one that does not fit alone at a finer boundary."""
    packed: list[str] = []
    for piece in pieces:
        if packed and fits(packed[-1] + piece):
            packed[-1] += piece
        elif fits(piece):
            packed.append(piece)
        elif finer:
            packed += _pack(finer[0].split(piece), fits, finer[1:])
        else:
            packed += _pack(_characters(piece), fits, ()) if len(piece) > 1 else [piece]
    return packed


def _characters(text: str) -> Iterator[str]:
    """Yield characters, each with the marks and joined pictures that belong to it."""
    cluster = ""
    for character in text:
        belongs = unicodedata.combining(character) or character in (_JOINER, "\ufe0f")
        is_tone = "\U0001f3fb" <= character <= "\U0001f3ff"
        if cluster and not (belongs or is_tone or cluster.endswith(_JOINER)):
            yield cluster
            cluster = ""
        cluster += character
    if cluster:
        yield cluster
