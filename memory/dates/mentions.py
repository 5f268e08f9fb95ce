"""One mention of a day, and the reckoning both languages share."""

from dataclasses import dataclass
from datetime import date, timedelta

DAYS_IN_WEEK = 7
MONTHS_IN_YEAR = 12


@dataclass(frozen=True, slots=True)
class DayMention:
    """Where a text speaks of a day or a longer time, and how that is written as a date."""

    start: int
    end: int
    day: date | None
    """None for a time longer than a day, such as a month."""
    written_out: str


def weekday_of_week(today: date, weekday: int, weeks: int) -> date:
    """Return a weekday (Monday is 0) of the week that is ``weeks`` after today's."""
    monday = today - timedelta(days=today.weekday())
    return monday + timedelta(days=weekday, weeks=weeks)


def coming_weekday(today: date, weekday: int) -> date:
    """Return the next such weekday from today on, today included."""
    return today + timedelta(days=(weekday - today.weekday()) % DAYS_IN_WEEK)


def last_weekday(today: date, weekday: int) -> date:
    """Return the last such weekday before today."""
    return today - timedelta(days=(today.weekday() - weekday - 1) % DAYS_IN_WEEK + 1)


def add_months(today: date, months: int) -> tuple[int, int]:
    """Return the year and month that are ``months`` after today's."""
    count = today.year * MONTHS_IN_YEAR + today.month - 1 + months
    return count // MONTHS_IN_YEAR, count % MONTHS_IN_YEAR + 1


def nearest_year(today: date, month: int, day: int, *, is_past: bool) -> date | None:
    """Return the next such day from today on, or the last one where the text speaks of the past.

    None for a day that does not exist.
    """
    years = (today.year, today.year - 1) if is_past else (today.year, today.year + 1)
    for year in years:
        try:
            moment = date(year, month, day)
        except ValueError:
            continue
        if (moment <= today) if is_past else (moment >= today):
            return moment
    return None
