import pytest

from memory.sameness import statement_key


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I like English songs.", "i like english songs"),
        ("I want to pass the IELTS!", "I want to pass  IELTS."),
        ("My goal is “IELTS 7”.", "My goal is IELTS 7"),
        ("ＩＥＬＴＳ ７", "IELTS 7"),
        ("我想考多益。", "我想考多益"),
    ],
)
def test_how_it_is_written_down_makes_no_difference(one, other):
    assert statement_key(one) == statement_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I need IELTS 6.5", "I need IELTS 65"),
        ("I need IELTS 7", "I need IELTS 7.5"),
        ("I like tea", "I do not like tea"),
        ("I like tea", "I don't like tea"),
        ("I code in C", "I code in C++"),
        ("My exam is on 5/6", "My exam is on 6/5"),
        ("我喜歡英文歌", "我不喜歡英文歌"),
        ("!!!", "???"),
    ],
)
def test_what_it_says_does(one, other):
    assert statement_key(one) != statement_key(other)
