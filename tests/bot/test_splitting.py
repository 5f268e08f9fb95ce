import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.splitting import split_text


def split(text, limit, *, is_markdown=True, measure=len):
    return split_text(text, limit=limit, measure=measure, is_markdown=is_markdown)


def utf16(text):
    return len(text.encode("utf-16-le")) // 2


def squeezed(text):
    return re.sub(r"\s+", "", text)


def test_what_fits_stays_whole():
    assert split("one\n\ntwo", 20) == ["one\n\ntwo"]


@pytest.mark.parametrize("text", ["", "\n\n", "   "])
def test_a_blank_text_has_no_parts(text):
    assert split(text, 10) == []


def test_it_is_cut_between_paragraphs_first():
    assert split("First one. More.\n\nSecond one.", 20) == ["First one. More.", "Second one."]


def test_then_between_lines():
    assert split("- one thing\n- two things\n- three", 26) == [
        "- one thing\n- two things",
        "- three",
    ]


def test_then_between_sentences():
    assert split("He went home. She stayed there. They met.", 32) == [
        "He went home. She stayed there.",
        "They met.",
    ]


def test_chinese_sentences_end_without_a_space():
    assert split("我昨天去圖書館。今天在家練習。", 8) == ["我昨天去圖書館。", "今天在家練習。"]


def test_then_between_words_and_at_last_inside_one():
    assert split("seven words without any mark", 12) == ["seven words", "without any", "mark"]
    assert split("abcdefghij", 4) == ["abcd", "efgh", "ij"]


def test_a_fence_is_closed_and_opened_again():
    code = "```python\n" + "\n".join(f"line_{n} = {n}" for n in range(10)) + "\n```"

    parts = split(code, 60)

    assert len(parts) > 1
    assert all(part.startswith("```python\n") and part.endswith("\n```") for part in parts)
    assert all(len(part) <= 60 for part in parts)
    lines = [line for part in parts for line in part.split("\n")[1:-1]]
    assert lines == [f"line_{n} = {n}" for n in range(10)]


def test_an_empty_line_in_a_fence_is_no_cut():
    text = "Look:\n\n```\na\n\nb\n```\n\nDone with it."

    assert split(text, 24) == ["Look:\n\n```\na\n\nb\n```", "Done with it."]


def test_a_fence_that_never_ends_is_closed():
    assert split("Look at this now:\n\n```py\nx = 1", 20)[-1] == "```py\nx = 1\n```"


def test_a_fence_of_four_marks_may_hold_three():
    text = "````md\n```\nx\n```\n````\n\n" + "word " * 10

    assert split(text, 30)[0] == "````md\n```\nx\n```\n````"


def test_plain_text_knows_no_fences():
    assert split("```\none\n\ntwo\n```", 8, is_markdown=False) == ["```\none", "two\n```"]


def test_the_unit_is_the_platforms():
    assert split("👍" * 6, 4, measure=utf16) == ["👍👍", "👍👍", "👍👍"]


def test_a_picture_made_of_several_is_not_torn():
    family = "👩\u200d👩\u200d👧"

    assert split(family * 2, 10, measure=utf16) == [family, family]


@given(st.text(alphabet="ab .。!\n`~漢👍", max_size=400), st.integers(20, 60))
def test_every_part_fits_and_no_word_is_lost(text, limit):
    parts = split(text, limit, is_markdown=False, measure=utf16)

    assert all(utf16(part) <= limit and part.strip() for part in parts)
    assert squeezed("".join(parts)) == squeezed(text)


@given(st.text(alphabet="ab .\n`", max_size=400), st.integers(30, 60))
def test_markdown_parts_fit_too(text, limit):
    assert all(len(part) <= limit or "`" * 8 in part for part in split(text, limit))
