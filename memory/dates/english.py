"""Days in English text: "tomorrow", "next Friday", "in two weeks", "12 June"."""

import re
from collections.abc import Callable, Iterator
from datetime import date, timedelta

from memory.dates.mentions import (
    DayMention,
    add_months,
    coming_weekday,
    last_weekday,
    nearest_year,
    weekday_of_week,
)

MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_NUMBERS = {
    word: number
    for number, word in enumerate(
        ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"), start=1
    )
} | {"a": 1, "an": 1, "eleven": 11, "twelve": 12}

_MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_DAY = r"(?P<day>[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th)?"
_YEAR = r"(?:,?\s(?P<year>20\d\d))?"
_WEEKDAY = r"(?P<weekday>mon|tues|wednes|thurs|fri|satur|sun)day"
_COUNT = rf"(?P<count>\d{{1,3}}|{'|'.join(_NUMBERS)})"
_PAST = re.compile(
    r"\b(?:was|were|had|did|took|went|got|passed|failed|started|finished|met|gave|made|ago|last)\b",
    re.IGNORECASE,
)


def write_day(day: date, *, with_weekday: bool = False) -> str:
    """Write a day: "4 December 2026", or "Friday, 4 December 2026"."""
    written = f"{day.day} {MONTHS[day.month - 1]} {day.year}"
    return f"{WEEKDAYS[day.weekday()]}, {written}" if with_weekday else written


def _near(match: re.Match[str], today: date) -> tuple[date, str]:
    days = {
        "the day before yesterday": -2,
        "yesterday": -1,
        "last night": -1,
        "today": 0,
        "tonight": 0,
        "this morning": 0,
        "this afternoon": 0,
        "this evening": 0,
        "tomorrow": 1,
        "the day after tomorrow": 2,
    }
    words, possessive = re.subn(r"['’]s$", "", " ".join(match[0].lower().split()))
    day = today + timedelta(days=days[words])
    return day, f"the {write_day(day)}" if possessive else f"on {write_day(day)}"


def _weekday(match: re.Match[str], today: date) -> tuple[date, str]:
    weekday = _index(WEEKDAYS, match["weekday"])
    which = (match["which"] or "").lower()
    if which == "next":
        day = weekday_of_week(today, weekday, 1)
    elif which == "last" or (not which and _PAST.search(match.string[: match.start()])):
        day = last_weekday(today, weekday)
    else:
        day = coming_weekday(today, weekday)
    return day, f"on {write_day(day, with_weekday=True)}"


def _distance(match: re.Match[str], today: date) -> tuple[date | None, str]:
    count = _count(match["count"])
    days = count * (7 if match["unit"].lower() == "week" else 1)
    day = today + timedelta(days=-days if match["ago"] else days)
    return day, f"on {write_day(day)}"


def _months(match: re.Match[str], today: date) -> tuple[None, str]:
    count = _count(match["count"])
    year, month = add_months(today, -count if match["ago"] else count)
    return None, f"in {MONTHS[month - 1]} {year}"


def _week(match: re.Match[str], today: date) -> tuple[None, str]:
    weeks = {"last": -1, "this": 0, "next": 1}[match["which"].lower()]
    monday = weekday_of_week(today, 0, weeks)
    return None, f"in the week of {write_day(monday)}"


def _month(match: re.Match[str], today: date) -> tuple[None, str]:
    year, month = add_months(today, {"last": -1, "this": 0, "next": 1}[match["which"].lower()])
    return None, f"in {MONTHS[month - 1]} {year}"


def _year(match: re.Match[str], today: date) -> tuple[None, str]:
    return None, f"in {today.year + {'last': -1, 'this': 0, 'next': 1}[match['which'].lower()]}"


def _calendar(match: re.Match[str], today: date) -> tuple[date, str] | None:
    month, number = _index(MONTHS, match["month"]) + 1, int(match["day"])
    if match["year"]:
        try:
            day: date | None = date(int(match["year"]), month, number)
        except ValueError:
            return None
    else:
        is_past = _PAST.search(match.string[: match.start()]) is not None
        day = nearest_year(today, month, number, is_past=is_past)
    if day is None:
        return None
    return day, match[0] if match["year"] else f"{match['on'] or ''}{write_day(day)}"


def _written_out(match: re.Match[str], today: date) -> tuple[date, str] | None:
    """Leave a day as ``write_day`` writes it: nothing is written out twice."""
    reckoned = _calendar(match, today)
    return None if reckoned is None else (reckoned[0], match[0])


def _iso(match: re.Match[str], today: date) -> tuple[date, str] | None:  # noqa: ARG001 (one shape)
    try:
        return date.fromisoformat(match[0]), match[0]
    except ValueError:
        return None


_Reckon = Callable[[re.Match[str], date], tuple[date | None, str] | None]

_RULES: tuple[tuple[re.Pattern[str], _Reckon], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), reckon)
    for pattern, reckon in (
        (rf"\b(?P<on>on\s)?{_WEEKDAY},\s{_DAY}\s{_MONTH}\s(?P<year>20\d\d)\b", _written_out),
        (r"\b\d{4}-\d{2}-\d{2}\b", _iso),
        (
            (
                r"\b(?:the\sday\s(?:before\syesterday|after\stomorrow)|yesterday|today|tonight|tomorrow"
                r"|last\snight|this\s(?:morning|afternoon|evening))(?:['’]s)?\b"
            ),
            _near,
        ),
        (
            rf"(?<!every\s)(?<!each\s)\b(?:on\s)?(?:(?P<which>this|next|last|coming)\s)?{_WEEKDAY}\b(?!s)",
            _weekday,
        ),
        (rf"\b(?:in\s)?{_COUNT}\s(?P<unit>day|week)s?\s(?P<ago>ago)\b", _distance),
        (rf"\bin\s{_COUNT}\s(?P<unit>day|week)s?(?P<ago>(?!))?(?!\s*['’])\b", _distance),
        (rf"\b{_COUNT}\s(?P<unit>day|week)s?\sfrom\s(?:now|today)(?P<ago>(?!))?\b", _distance),
        (rf"\b{_COUNT}\smonths?\s(?P<ago>ago)\b", _months),
        (rf"\bin\s{_COUNT}\smonths?(?P<ago>(?!))?\b", _months),
        (r"\b(?:in\s)?(?P<which>last|this|next)\sweek\b", _week),
        (r"\b(?:in\s)?(?P<which>last|this|next)\smonth\b", _month),
        (r"\b(?:in\s)?(?P<which>last|this|next)\syear\b", _year),
        (rf"\b(?P<on>on\s)?(?:the\s)?{_DAY}\s(?:of\s)?{_MONTH}\b{_YEAR}", _calendar),
        (rf"\b(?P<on>on\s)?{_MONTH}\s{_DAY}\b{_YEAR}", _calendar),
    )
)


def find_days(text: str, today: date) -> Iterator[DayMention]:
    """Yield what ``text`` says in English of days, weeks, months and years."""
    for pattern, reckon in _RULES:
        for match in pattern.finditer(text):
            reckoned = reckon(match, today)
            if reckoned is not None:
                yield DayMention(match.start(), match.end(), *reckoned)


def _index(names: tuple[str, ...], beginning: str) -> int:
    start = beginning.lower()[:3]
    return next(index for index, name in enumerate(names) if name.lower().startswith(start))


def _count(text: str) -> int:
    return int(text) if text.isdecimal() else _NUMBERS[text.lower()]
