from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memory.models.reasoning import ReasoningFilter, strip_fence, strip_reasoning

WITH_REASONING = "\n<think>\nfirst this,\n then <that>\n</think>\n\nHello <b>Mei</b>"


def filtered(pieces):
    reasoning = ReasoningFilter()
    return "".join(map(reasoning.feed, pieces)) + reasoning.rest()


def cut(text, places):
    ends = sorted({min(place, len(text)) for place in places} | {0, len(text)})
    return [text[a:b] for a, b in pairwise(ends)]


@given(st.lists(st.integers(min_value=0, max_value=len(WITH_REASONING))))
def test_reasoning_is_taken_out_wherever_it_is_cut(places):
    assert filtered(cut(WITH_REASONING, places)) == "Hello <b>Mei</b>"


@given(st.text(), st.lists(st.integers(min_value=0, max_value=50)))
def test_a_text_without_reasoning_comes_through_whole(text, places):
    if not text.lstrip().startswith("<think>"):
        assert filtered(cut(text, places)).strip() == text.strip()


@pytest.mark.parametrize("text", ["<think>never ends", "<think></think>", "  <think>a</think> \n"])
def test_nothing_but_reasoning_is_nothing(text):
    assert filtered([text]) == ""
    assert strip_reasoning(text) == ""


def test_tags_later_in_the_text_are_the_texts_own():
    text = "Write <think> like this </think>."
    assert filtered([text]) == text
    assert strip_reasoning(text) == text


@pytest.mark.parametrize(
    ("text", "inside"),
    [
        ("```json\n{}\n```", "{}"),
        ("```\n{}\n```\n", "{}"),
        ("{}", "{}"),
        ("see ```json\n{}\n```", "see ```json\n{}\n```"),
    ],
)
def test_a_fence_around_everything_is_taken_off(text, inside):
    assert strip_fence(text) == inside


@given(
    st.lists(st.sampled_from(["<think>", "</think>", "<thi", "nk>", " ", "\n", "a", "<b>"])),
    st.lists(st.integers(min_value=0, max_value=60)),
)
@example(["<think>", "</think>", "<think>", "a"], [15])
def test_a_text_in_pieces_gives_what_the_whole_text_gives(parts, places):
    text = "".join(parts)

    assert filtered(cut(text, places)).strip() == strip_reasoning(text).strip()
