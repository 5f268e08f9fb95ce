from hypothesis import given
from hypothesis import strategies as st

from memory.tokens import estimate_tokens


def test_a_wide_character_counts_as_a_token_and_latin_text_as_less():
    assert estimate_tokens("") == 0
    assert estimate_tokens("我想學英文") == 5
    assert estimate_tokens("I want to learn") == 5


@given(st.text(), st.text())
def test_two_texts_are_about_as_long_as_both(first, second):
    together = estimate_tokens(first + second)
    assert together <= estimate_tokens(first) + estimate_tokens(second) <= together + 1
