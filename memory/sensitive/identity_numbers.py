"""Identity numbers: what a state knows a person by.

By check digit: Taiwan (national id and resident certificate), mainland China, South Korea, Hong
Kong. By form: United States, United Kingdom. By name and form: passports, licences, Japan's My
Number and others whose bare number could be anything.
"""

import re
from collections.abc import Callable, Iterable

from stdnum.cn import ric
from stdnum.kr import rrn
from stdnum.us import ssn

from memory.plain_text import plain

_TAIWAN = re.compile(r"([A-Za-z])[ .-]?([1289A-Da-d])((?:[ .-]?\d){8})(?!\d)")
_TAIWAN_LETTERS = "ABCDEFGHJKLMNPQRSTUVXYWZIO"
"""In the order of their codes, from 10 on."""
_TAIWAN_WEIGHTS = (1, 9, 8, 7, 6, 5, 4, 3, 2, 1, 1)
_CHINA = re.compile(r"(?<!\d)\d{6}[ -]?\d{8}[ -]?\d{3}[\dXx](?!\d)")
_KOREA = re.compile(r"(?<!\d)\d{6}[ -]?[1-8]\d{6}(?!\d)")
_HONG_KONG = re.compile(r"(?<![A-Za-z])([A-Za-z]{1,2}) ?(\d{6}) ?\(([\dAa])\)")
_UNITED_STATES = re.compile(r"(?<!\d)\d{3}[ -]\d{2}[ -]\d{4}(?!\d)")
_UNITED_KINGDOM = re.compile(
    r"(?<![A-Za-z0-9])(?:[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\s?\d{2}\s?\d{2}\s?\d{2}\s?[A-D]"
    r"|[a-ceghj-pr-tw-z][a-ceghj-nprtw-z]\d{6}[a-d])(?![A-Za-z])"
)
_NAMES = (
    r"(?:passport|national\s(?:id|insurance)|identity\s(?:card|number)|id\s(?:card|number|no)"
    r"|\bhkid|social\ssecurity|\bssn|\bnric|aadhaar|driver'?s?\slicen[cs]e|driving\slicen[cs]e"
    r"|my\snumber|individual\snumber|residence\s(?:permit|card)|身[分份]證|身份证|居留證|居留证"
    r"|護照|护照|健保卡|駕照|驾照|統一證號|マイナンバー|個人番号)"
)
_NUMBER = r"(?<![A-Za-z0-9])[A-Z]{0,3}(?:\d{6,14}|\d{4}[ -]\d{4}[ -]\d{4})[A-Z]?(?![A-Za-z0-9])"
_PASSPORT = re.compile(
    r"(?i:passport|護照|护照)[^\n.。!?]{0,16}(?i:no\.\s?)?[^\n.。!?]{0,8}"
    r"(?<![A-Za-z0-9])(?=[A-Z0-9]{0,8}\d{2})[A-Z][A-Z0-9]{7,8}(?![A-Za-z0-9])"
)
_NAMED = re.compile(
    rf"{_NAMES}[^\n.。!?]{{0,24}}?{_NUMBER}|{_NUMBER}\s?(?:is|was|是)[^\n.。!?]{{0,16}}?{_NAMES}",
    re.IGNORECASE,
)


def holds_national_id(text: str) -> bool:
    """Say whether ``text`` holds an identity number."""
    words = plain(text)
    return any(is_id(match) for pattern, is_id in _RULES for match in pattern.finditer(words))


def _is_taiwan_id(match: re.Match[str]) -> bool:
    """Check a national id (A123456789) or a resident certificate (A800000014, AC01234567).

    Letters become the two digits of their code, of the second letter the last one only; the sum
    with weights 1, 9, 8, ... 1, 1 is a multiple of 10 (National Immigration Agency, Taiwan).
    """
    first, second = match[1].upper(), match[2].upper()
    if second.isalpha():
        second = str(_TAIWAN_LETTERS.index(second) % 10)
    code = _TAIWAN_LETTERS.index(first) + 10
    return _weighted(f"{code}{second}{_digits(match[3])}", _TAIWAN_WEIGHTS) % 10 == 0


def _is_hong_kong_id(match: re.Match[str]) -> bool:
    """Check by weights 9 to 1 modulo 11; a missing first letter counts 36, A as check digit 10."""
    letters, digits, check = match.groups()
    values = [36] * (2 - len(letters)) + [ord(letter) - 55 for letter in letters.upper()]
    values += [int(digit) for digit in digits]
    values.append(10 if check in "Aa" else int(check))
    return _weighted(values, range(9, 0, -1)) % 11 == 0


def _weighted(values: Iterable[int | str], weights: Iterable[int]) -> int:
    return sum(int(value) * weight for value, weight in zip(values, weights, strict=True))


def _digits(text: str) -> str:
    return re.sub(r"\D", "", text)


_RULES: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], bool]], ...] = (
    (_TAIWAN, _is_taiwan_id),
    (_CHINA, lambda match: bool(ric.is_valid(re.sub(r"[ -]", "", match[0])))),
    (_KOREA, lambda match: bool(rrn.is_valid(_digits(match[0])))),
    (_HONG_KONG, _is_hong_kong_id),
    (_UNITED_STATES, lambda match: bool(ssn.is_valid(_digits(match[0])))),
    (_UNITED_KINGDOM, bool),
    (_PASSPORT, bool),
    (_NAMED, bool),
)
