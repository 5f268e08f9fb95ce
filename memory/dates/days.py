"""Mentions of days, and a text with them written out."""

from collections.abc import Callable, Iterator, Sequence
from datetime import date

from memory.dates import chinese, english
from memory.dates.mentions import DayMention

Finder = Callable[[str, date], Iterator[DayMention]]

_FINDERS: Sequence[Finder] = (english.find_days, chinese.find_days)


def find_days(text: str, today: date) -> list[DayMention]:
    """Return the mentions in ``text``, in their order; of two that overlap the longer one."""
    found = [mention for finder in _FINDERS for mention in finder(text, today)]
    found.sort(key=lambda mention: (mention.start, -mention.end))
    mentions: list[DayMention] = []
    for mention in found:
        if not mentions or mention.start >= mentions[-1].end:
            mentions.append(mention)
    return mentions


def write_out_days(text: str, today: date) -> tuple[str, date | None]:
    """Return ``text`` with its days as dates, and the day it speaks of.

    The day is the first one that can be told to the day; None where there is none.
    """
    mentions = find_days(text, today)
    pieces: list[str] = []
    end = 0
    for mention in mentions:
        pieces += [text[end : mention.start], mention.written_out]
        end = mention.end
    pieces.append(text[end:])
    days = [mention.day for mention in mentions if mention.day is not None]
    return "".join(pieces), days[0] if days else None


def speaks_of_time(text: str) -> bool:
    """Say whether anything in ``text`` could be a day: a mention, or a number to make one of."""
    return any(map(str.isdigit, text)) or bool(find_days(text, date(2000, 1, 1)))
