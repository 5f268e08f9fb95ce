"""Days in Chinese text: 「明天」, 「下週五」, 「兩個星期後」, 「六月十二日」."""

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

_DIGITS = {
    digit: value
    for value, digits in enumerate(
        ("零〇", "一", "二兩两", "三", "四", "五", "六", "七", "八", "九")
    )
    for digit in digits
}
_NUMBER = r"(?:\d{1,3}|[一二兩两三四五六七八九十]{1,3})"
_WEEK = r"(?:週|周|星期|禮拜|礼拜)"
_WEEKDAY = r"(?P<weekday>[一二三四五六日天])"
_WEEKDAYS = "一二三四五六日"
_NEAR_DAYS = {
    "大前天": -3,
    "前天": -2,
    "昨天": -1,
    "昨日": -1,
    "昨晚": -1,
    "今天": 0,
    "今日": 0,
    "今晚": 0,
    "今早": 0,
    "明天": 1,
    "明日": 1,
    "明晚": 1,
    "後天": 2,
    "后天": 2,
    "大後天": 3,
    "大后天": 3,
}
_PAST = re.compile(r"了|過|过|上次|剛剛|之前|已經")


def write_day(day: date, *, with_weekday: bool = False) -> str:
    """Write a day: 「2026年12月4日」, or with its weekday in brackets."""
    written = f"{day.year}年{day.month}月{day.day}日"
    return f"{written}（星期{_WEEKDAYS[day.weekday()]}）" if with_weekday else written


def _near(match: re.Match[str], today: date) -> tuple[date, str]:
    day = today + timedelta(days=_NEAR_DAYS[match[0]])
    rest = {"晚": "晚上", "早": "早上"}.get(match[0][-1], "")
    return day, f"{write_day(day)}{rest}"


def _weekday(match: re.Match[str], today: date) -> tuple[date, str]:
    weekday = _WEEKDAYS.index(match["weekday"].replace("天", "日"))
    which = match["which"] or ""
    if which.startswith(("下", "上")):
        weeks = which.count("下") - which.count("上")
        day = weekday_of_week(today, weekday, weeks)
    elif which:
        day = weekday_of_week(today, weekday, 0)
    elif _is_past(match):
        day = last_weekday(today, weekday)
    else:
        day = coming_weekday(today, weekday)
    return day, write_day(day, with_weekday=True)


def _distance(match: re.Match[str], today: date) -> tuple[date, str]:
    days = _number(match["count"]) * (1 if match["unit"] in "天日" else 7)
    day = today + timedelta(days=-days if "前" in match["way"] else days)
    return day, write_day(day)


def _months(match: re.Match[str], today: date) -> tuple[None, str]:
    count = _number(match["count"])
    return None, _write_month(*add_months(today, -count if "前" in match["way"] else count))


def _month(match: re.Match[str], today: date) -> tuple[date | None, str] | None:
    year, month = add_months(today, {"上": -1, "這": 0, "这": 0, "本": 0, "下": 1}[match["which"]])
    if not match["day"]:
        return None, _write_month(year, month)
    return _day(year, month, _number(match["day"]))


def _year(match: re.Match[str], today: date) -> tuple[None, str]:
    year = today.year + {"前年": -2, "去年": -1, "今年": 0, "明年": 1, "後年": 2}[match["which"]]
    return None, f"{year}年"


def _week(match: re.Match[str], today: date) -> tuple[None, str]:
    which = match["which"]
    monday = weekday_of_week(today, 0, which.count("下") - which.count("上"))
    return None, f"{write_day(monday)}那一週"


def _calendar(match: re.Match[str], today: date) -> tuple[date, str] | None:
    month, number = _number(match["month"]), _number(match["day"])
    if match["year"]:
        year = {"明年": today.year + 1, "今年": today.year, "去年": today.year - 1}.get(
            match["year"]
        )
        return _day(year or int(match["year"].rstrip("年")), month, number)
    day = nearest_year(today, month, number, is_past=_is_past(match)) if month else None
    return None if day is None else (day, write_day(day))


def _written_out(match: re.Match[str], today: date) -> tuple[date, str] | None:
    """Leave a day as ``write_day`` writes it: nothing is written out twice."""
    reckoned = _calendar(match, today)
    return None if reckoned is None else (reckoned[0], match[0])


def _month_of_year(match: re.Match[str], today: date) -> tuple[None, str]:
    year = {"明年": today.year + 1, "今年": today.year, "去年": today.year - 1}[match["year"]]
    return None, _write_month(year, _number(match["month"]))


_Reckon = Callable[[re.Match[str], date], tuple[date | None, str] | None]

_RULES: tuple[tuple[re.Pattern[str], _Reckon], ...] = tuple(
    (re.compile(pattern), reckon)
    for pattern, reckon in (
        (
            rf"(?P<year>20\d\d年)(?P<month>{_NUMBER})月(?P<day>{_NUMBER})日（星期[一二三四五六日]）",
            _written_out,
        ),
        ("|".join(sorted(_NEAR_DAYS, key=len, reverse=True)), _near),
        (
            rf"(?<![每個个])(?P<which>下下|上上|下個?|上個?|這個?|这个?|本)?(?<!每){_WEEK}{_WEEKDAY}(?![個个])",
            _weekday,
        ),
        (
            (
                rf"(?P<count>{_NUMBER})\s?(?:個|个)?(?P<unit>天|日|{_WEEK})"
                r"(?P<way>之?[後后]|以[後后]|之?前|以前)"
            ),
            _distance,
        ),
        (
            rf"(?P<count>{_NUMBER})\s?(?:個|个)月(?P<way>之?[後后]|以[後后]|之?前(?!完)|以前)",
            _months,
        ),
        (
            rf"(?P<which>[上下這这本])(?:個|个)?月(?:\s?(?P<day>{_NUMBER})\s?[號号日])?",
            _month,
        ),
        (rf"(?P<which>下下|上上|下個?|上個?|這個?|本){_WEEK}(?![一二三四五六日天])", _week),
        (
            rf"(?P<year>20\d\d年|明年|今年|去年)?(?P<month>{_NUMBER})\s?月\s?(?P<day>{_NUMBER})\s?[號号日]",
            _calendar,
        ),
        (
            r"(?P<year>)(?<![\d/])(?P<month>1[0-2]|0?[1-9])/(?P<day>3[01]|[12]\d|0?[1-9])(?![\d/])",
            _calendar,
        ),
        (
            rf"(?P<year>明年|今年|去年)(?P<month>{_NUMBER})\s?月(?!\s?{_NUMBER}\s?[號号日])",
            _month_of_year,
        ),
        (r"(?P<which>前年|去年|今年|明年|後年)(?!\s?(?:\d|[一二三四五六七八九十])+\s?月)", _year),
    )
)


def find_days(text: str, today: date) -> Iterator[DayMention]:
    """Yield what ``text`` says in Chinese of days, weeks, months and years."""
    if not re.search(r"[\u4e00-\u9fff]", text):
        return
    for pattern, reckon in _RULES:
        for match in pattern.finditer(text):
            reckoned = reckon(match, today)
            if reckoned is not None:
                yield DayMention(match.start(), match.end(), *reckoned)


def _is_past(match: re.Match[str]) -> bool:
    return _PAST.search(match.string[match.end() :].partition("，")[0]) is not None


def _day(year: int, month: int, number: int) -> tuple[date, str] | None:
    try:
        day = date(year, month, number)
    except ValueError:
        return None
    return day, write_day(day)


def _write_month(year: int, month: int) -> str:
    return f"{year}年{month}月"


def _number(text: str) -> int:
    """Read a number up to 99, in digits or in Chinese."""
    if text.isdecimal():
        return int(text)
    tens, ten, ones = text.rpartition("十")
    if not ten:
        return _DIGITS[text] if len(text) == 1 else int("".join(str(_DIGITS[c]) for c in text))
    return (_DIGITS[tens] if tens else 1) * 10 + (_DIGITS[ones] if ones else 0)
