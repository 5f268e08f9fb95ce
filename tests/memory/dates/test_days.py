from datetime import date
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.dates import find_days, speaks_of_time, write_out_days

TUESDAY = date(2026, 12, 1)


@pytest.mark.parametrize(
    ("text", "written", "day"),
    [
        ("I have an interview next Friday", "I have an interview on Friday, 11 December 2026", 11),
        ("My interview is on Friday.", "My interview is on Friday, 4 December 2026.", 4),
        ("See you tomorrow!", "See you on 2 December 2026!", 2),
        ("the day after tomorrow", "on 3 December 2026", 3),
        ("in two weeks I fly", "on 15 December 2026 I fly", 15),
        ("我下週五有面試", "我2026年12月11日（星期五）有面試", 11),
        ("星期五有面試", "2026年12月4日（星期五）有面試", 4),
        ("大後天要交報告", "2026年12月4日要交報告", 4),
        ("兩個星期後要去新加坡", "2026年12月15日要去新加坡", 15),
        ("這個禮拜天要考試", "2026年12月6日（星期日）要考試", 6),
        ("十二月二十五號", "2026年12月25日", 25),
    ],
)
def test_days_to_come_are_reckoned_from_the_day_of_the_message(text, written, day):
    assert write_out_days(text, TUESDAY) == (written, date(2026, 12, day))


@pytest.mark.parametrize(
    ("text", "written", "day"),
    [
        ("I had my exam yesterday", "I had my exam on 30 November 2026", date(2026, 11, 30)),
        ("three days ago I met her", "on 28 November 2026 I met her", date(2026, 11, 28)),
        (
            "last Friday I gave a talk",
            "on Friday, 27 November 2026 I gave a talk",
            date(2026, 11, 27),
        ),
        ("I met him on Friday", "I met him on Friday, 27 November 2026", date(2026, 11, 27)),
        ("I passed the test on 3 May", "I passed the test on 3 May 2026", date(2026, 5, 3)),
        ("yesterday's lesson was hard", "the 30 November 2026 lesson was hard", date(2026, 11, 30)),
        ("我昨天考了多益", "我2026年11月30日考了多益", date(2026, 11, 30)),
        ("上星期三我用英文開會", "2026年11月25日（星期三）我用英文開會", date(2026, 11, 25)),
        ("三天前我去面試", "2026年11月28日我去面試", date(2026, 11, 28)),
    ],
)
def test_days_gone_by_are_reckoned_from_the_day_of_the_message(text, written, day):
    assert write_out_days(text, TUESDAY) == (written, day)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("The exam is on 12 June", date(2027, 6, 12)),
        ("My test is June 12th, 2028", date(2028, 6, 12)),
        ("it is 2027-06-12", date(2027, 6, 12)),
        ("六月十二日考雅思", date(2027, 6, 12)),
        ("我6/12考試", date(2027, 6, 12)),
        ("下個月五號要考試", date(2027, 1, 5)),
        ("明年3月4號報告", date(2027, 3, 4)),
    ],
)
def test_a_calendar_day_is_the_next_such_day(text, day):
    assert write_out_days(text, TUESDAY)[1] == day


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("I want B2 in three months", "I want B2 in March 2027"),
        ("I move next month", "I move in January 2027"),
        ("next week is busy", "in the week of 7 December 2026 is busy"),
        ("I was there last year", "I was there in 2025"),
        ("下個月要考試", "2027年1月要考試"),
        ("明年六月要考雅思", "2027年6月要考雅思"),
        ("去年我在美國", "2025年我在美國"),
    ],
)
def test_a_longer_time_is_written_out_and_is_no_day(text, written):
    assert write_out_days(text, TUESDAY) == (written, None)


@pytest.mark.parametrize(
    "text",
    [
        "I study every Friday and on Mondays",
        "It took 3 weeks",
        "I am 30 years old",
        "I have one goal",
        "我每週五上課",
        "半年內要考到七分",
        "我考了3個月",
        "2月30日",
        "February 30",
        "one day I will be fluent",
    ],
)
def test_what_is_no_day_is_left_as_it_is(text):
    assert write_out_days(text, TUESDAY) == (text, None)


def test_the_turn_of_the_year_is_kept_in_mind():
    new_years_eve = date(2026, 12, 31)

    assert write_out_days("tomorrow", new_years_eve)[1] == date(2027, 1, 1)
    assert write_out_days("next month", new_years_eve)[0] == "in January 2027"
    assert write_out_days("上個月", date(2027, 1, 15))[0] == "2026年12月"


def test_of_two_mentions_the_first_day_counts():
    text = "next month, or rather on Friday and not on Saturday"

    assert write_out_days(text, TUESDAY)[1] == date(2026, 12, 4)


@pytest.mark.parametrize("text", ["tomorrow", "下週五", "at 7", "12 June", "in 2027"])
def test_text_that_could_hold_a_day(text):
    assert speaks_of_time(text)


@pytest.mark.parametrize("text", ["I have an exam.", "我有考試", ""])
def test_text_that_holds_no_day(text):
    assert not speaks_of_time(text)


@given(st.text(), st.dates(min_value=date(1990, 1, 1), max_value=date(2090, 1, 1)))
def test_any_text_can_be_read_and_mentions_never_overlap(text, today):
    mentions = find_days(text, today)

    assert all(0 <= m.start < m.end <= len(text) for m in mentions)
    assert all(a.end <= b.start for a, b in pairwise(mentions))


@given(st.lists(st.sampled_from(["下週五", "tomorrow", "我", " ", "in 3 days", "三月", "了", "3"])))
def test_reckoning_never_fails_on_pieces_of_days(pieces):
    write_out_days("".join(pieces), TUESDAY)


PIECES = [
    "下週五",
    "tomorrow",
    "on Friday",
    "yesterday's",
    "next month",
    "12 June",
    "六月十二日",
    "有",
]


@given(st.lists(st.sampled_from(PIECES), max_size=6), st.sampled_from([" ", "，", ". "]))
def test_what_is_written_out_stays_as_it_is(pieces, between):
    once, _ = write_out_days(between.join(pieces), TUESDAY)

    assert write_out_days(once, TUESDAY)[0] == once
