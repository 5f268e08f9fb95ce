import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.plain_text import plain
from memory.quotes import quote_is_in

MESSAGE = "Yesterday I said “it’s hard”.\nMy   goal is IELTS 7，我最怕口說！"


@pytest.mark.parametrize(
    "quote",
    [
        "My goal is IELTS 7",
        "my GOAL\tis\n ielts 7",
        "  My goal is  ",
        "ＩＥＬＴＳ　７",
        'I said "it\'s hard"',
        "it's hard",
        "我最怕口說",
        "怕口說!",
        "怕\u200b口說",
        "goal",
    ],
)
def test_the_same_words_are_found_however_they_are_written(quote):
    assert quote_is_in(quote, MESSAGE)


@pytest.mark.parametrize(
    "quote",
    [
        "My goal is IELTS 8",
        "my goals",
        "My goal was IELTS 7",
        "oal is",
        "goal is IEL",
        "怕聽力",
        "口説",
        "goal My is",
        "",
        "   ",
        "\u200b",
        "！",
        "“”.,",
    ],
)
def test_other_words_parts_of_words_and_no_words_are_not(quote):
    assert not quote_is_in(quote, MESSAGE)


def test_a_word_cut_in_two_first_may_stand_whole_later():
    assert quote_is_in("art", "I start with art")


@given(message=st.text())
def test_a_message_with_a_letter_or_digit_quotes_itself(message):
    assert quote_is_in(message, message) == any(map(str.isalnum, plain(message)))


@given(before=st.text(), quote=st.text(), after=st.text())
def test_any_text_is_judged(before, quote, after):
    assert quote_is_in(quote, before + " " + quote + " " + after) in {True, False}
