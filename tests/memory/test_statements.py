import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.statements import is_empty, is_fragment

STATEMENTS = """\
I like tea
I'm Amy
I'm tired
Call me Amy
Loves jazz
Hates phonics
Passed TOEIC
The learner wants to pass IELTS
Preparing for the GEPT
IELTS exam on 2027-03-01
My exam is in May.
我怕口說
我很累
喜歡看電影
怕口說
想考雅思
在台北工作
準備 IELTS
目標 TOEIC 900
明天要面試
下週二考多益
下個月去英國
每天背單字
在學英文
住台中
討厭文法
不擅長聽力
我是工程師
英語を勉強しています
영어를 공부해요
ฉันเรียนภาษาอังกฤษ
Я учу английский
""".splitlines()

FRAGMENTS = """\
服務
工作
英文
英文面試
學習計畫
考試焦慮
大學生
小學老師
會議
口說
聽力
多益考試
台積電
IELTS
grammar
time zones
job interview
TOEIC 900
2027
B2
Amy
""".splitlines()


@pytest.mark.parametrize("text", STATEMENTS)
def test_short_statements_are_no_fragments(text):
    assert not is_fragment(text)


@pytest.mark.parametrize("text", FRAGMENTS)
def test_bare_words_and_nouns_are_fragments(text):
    assert is_fragment(text)


@pytest.mark.parametrize(
    "text", ["", "  \n\t", "\u200b\u200b", "\x00\x07", "…!?", "👍🏽 🎉", "。，「」", "—"]
)
def test_text_without_a_letter_or_digit_is_empty(text):
    assert is_empty(text)


@given(text=st.text())
def test_any_text_is_judged(text):
    assert {is_empty(text), is_fragment(text)} <= {True, False}
    assert is_fragment(text) or not is_empty(text)
