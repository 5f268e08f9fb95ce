"""Statements: does a text say something that will still mean something later?

No grammar is parsed. A bare word or noun ("IELTS", 「服務」) is recognised; a longer noun phrase
without a verb passes, for a short sentence lost would be worse than a phrase kept. Chinese leaves
its subject out: 「喜歡看電影」 is as much a statement as 「我怕口說」.
"""

import re
import unicodedata

_CHINESE = re.compile(r"[\u3400-\u9fff]")
_WORD = re.compile(r"[^\W_\u3400-\u9fff]+(?:['’.,:/-][^\W_\u3400-\u9fff]+)*")

MIN_WORDS = 3
"""Words in an alphabet that make a statement; two do with a word that states."""
_STATES_IN_TWO = re.compile(
    r"\b(?:i|we|she|he|it|they)(?:['’](?:m|ve|ll|s|re|d))?\b|\b(?:likes?|loves?|hates?|wants?"
    r"|needs?|prefers?|enjoys?|speaks?|knows?|works?|lives?|stud(?:y|ies)|teach(?:es)?|learns?"
    r"|fears?|avoids?|passed|failed|scored|moved|started|finished|quit|aims?|plans?)\b",
    re.IGNORECASE,
)

MIN_CHINESE_UNITS = 3
SURE_CHINESE_UNITS = 9
"""A character is one unit, a Latin word in a Chinese text two."""
_STATES_IN_CHINESE = re.compile(
    r"[我你您妳他她]|[是有在要想能怕很不沒没更最了過讀背練去住叫搬愛爱累忙難难]"
    r"|會(?![議計話員])|会(?![议计话员])|考(?![試试題题卷生場场古慮核])"
    r"|(?<![大小中數文科同留國])(?:學|学)(?![校習习生期院員员科費费位年長姐弟妹店])"
    r"|可以|喜歡|喜欢|討厭|讨厌|覺得|觉得|希望|打算|準備|准备|開始|开始|需要|目標.*\d|目标.*\d"
    r"|每[天日週周月次]|常常|總是|经常|經常|容易|害怕|擅長|負責"
)

MIN_LETTERS = 6
"""Letters of a script that is neither Latin nor Chinese, whose words are not told apart here."""


def is_empty(text: str) -> bool:
    """Say whether ``text`` holds no letter and no digit."""
    return not any(character.isalnum() for character in text)


def is_fragment(text: str) -> bool:
    """Say whether ``text`` states nothing: a word or two that will mean nothing later."""
    if _foreign_letters(text) >= MIN_LETTERS:
        return False
    words = len(_WORD.findall(text))
    characters = len(_CHINESE.findall(text))
    if characters:
        units = characters + 2 * words
        return units < MIN_CHINESE_UNITS or (
            units < SURE_CHINESE_UNITS and _STATES_IN_CHINESE.search(text) is None
        )
    needed = MIN_WORDS - 1 if _STATES_IN_TWO.search(text) else MIN_WORDS
    return words < needed


def _foreign_letters(text: str) -> int:
    return sum(
        character.isalpha() and not unicodedata.name(character, "").startswith("LATIN")
        for character in _CHINESE.sub("", text)
        if not character.isascii()
    )
