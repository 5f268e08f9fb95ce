"""Passwords and codes that people say: a name ("my PIN"), and a value that can be one.

A word that only tells something about a password ("is too long") is no value. A value of letters
alone counts only where the password is somebody's ("my wifi password is sunshine"), so that a
sentence about the word "password" passes.
"""

import re

from memory.plain_text import plain

_CODE = (
    r"(?:pass\s?words?|passcodes?|passphrases?|pwd|pw|pins?(?:\s(?:codes?|numbers?))?|cvv2?|cvc"
    r"|otps?|one[- ]time\s(?:codes?|passwords?|pins?)"
    r"|(?:verification|security|login|unlock|door|gate|alarm|recovery|backup|2fa|auth\w{0,10})"
    r"\s(?:codes?|pins?)"
    r"|(?:code|combination)(?=\s(?:for|of|to)\s[\w\s]{0,20}"
    r"(?:door|gate|alarm|safe|lock|phone|card|suitcase|building)\b))"
)
_KEY = (
    r"(?:(?:secret|private|access|api|encryption|recovery|licen[cs]e)\s?keys?|client\ssecret"
    r"|(?:(?:access|auth|bearer|refresh|bot|session)\s)?tokens?)"
)
_VERB = r"(?:is|was|are|ha[sd]\sbeen|=|:|->|→|(?:changed|set|reset)\sto)"
_MARK = r"[\"'`(“「『]"
_SAID = re.compile(
    rf"""
    (?<![A-Za-z])(?:(?P<code>{_CODE})|(?P<key>{_KEY}))(?![A-Za-z])
    (?:
      (?:\s(?:for|of|to|on|at)\s[\w\s'.-]{{1,30}}?)?
      \s{{0,3}}(?P<verb>{_VERB})\s{{0,3}}(?:(?:now|still|just|called)\s)?
    | \s{{0,3}}
    )
    (?P<mark>{_MARK}?)(?P<value>[^\s"'`,)”」』]{{3,200}})(?P<after>[^\n]{{0,12}})
    """,
    re.VERBOSE | re.IGNORECASE,
)
_SAID_BEFORE = re.compile(
    rf"(?<!\S)[\"'`]?(?P<value>\S{{4,60}}?)[\"'`]?\s(?:is|was)\s(?:my|our|his|her|their|the)\s"
    rf"(?:[\w-]{{1,20}}\s){{0,3}}{_CODE}(?![A-Za-z])",
    re.IGNORECASE,
)
_LOGIN = re.compile(
    r"\b(?:user(?:\s?name)?|login|account|帳號|账号)\s?[:=]\s?\S{1,60}[\s,;/]{1,4}"
    r"(?:pass|pw|密碼|密码)\s?[:=]\s?(?P<value>\S{4,60})",
    re.IGNORECASE,
)

_CODE_IN_CHINESE = (
    r"(?:密碼|密码|口令|通行碼|通關碼|驗證碼|验证码|安全碼|檢查碼|識別碼|金鑰|密鑰|密钥|私鑰|PIN\s?碼)"
    r"(?!學|学)"
)
_CHINESE_VALUE = (
    r"(?P<value>[!-~]{3,200}|[零〇一二三四五六七八九]{4,12})(?!\s?[年個个位次秒分天種种])"
)
_SAID_IN_CHINESE = re.compile(
    rf"(?P<whose>[^。！？!?\n]{{0,12}}){_CODE_IN_CHINESE}"
    r"(?:(?P<verb>[^。！？!?\n!-~]{0,8}?(?:是|為|为|叫|用|設成|設為|改成|改為|換成|:|：|=))\s{0,3}|\s{0,3})"
    rf"(?P<mark>{_MARK}?){_CHINESE_VALUE}",
    re.IGNORECASE,
)
_SAID_BEFORE_IN_CHINESE = re.compile(
    rf"(?<![!-~])(?P<value>[!-~]{{4,60}})\s?就?是(?:我|他|她|我們|家)[^。！？\n]{{0,8}}?{_CODE_IN_CHINESE}"
)
_ABOUT_THE_WORD = re.compile(r"英文|中文|意思|翻譯|翻译|怎麼說|怎么说|單字|单词|發音")

_SEED_NAME = re.compile(
    r"(?:seed|recovery|mnemonic|backup|secret|wallet)\s(?:phrase|words?)|助記詞|助记词|註記詞|恢復短語|恢復片語",
    re.IGNORECASE,
)
_SEED_WORDS = re.compile(
    r"(?<![a-z])(?:[a-z]{3,8}[\s,.\d)]{1,5}){11}[a-z]{3,8}(?![a-z])", re.IGNORECASE
)
_BARE_SEED = re.compile(r"\s*(?:[a-z]{3,8} ){11}(?:(?:[a-z]{3,8} ){3}){0,4}[a-z]{3,8}\s*")
_NEVER_IN_SEEDS = frozenset(
    [
        "the",
        "and",
        "for",
        "but",
        "are",
        "was",
        "were",
        "has",
        "his",
        "her",
        "him",
        "she",
        "they",
        "our",
        "how",
        "why",
    ]
)
"""Words of nearly every sentence of that length which no wallet's word list (BIP 39) has."""

_WHOSE = re.compile(
    r"\b(?:my|our|his|her|their|your|wi-?fi|router|account|bank|phone|door|email|e-mail)\b|'s\b",
    re.IGNORECASE,
)
_WHOSE_IN_CHINESE = re.compile(
    r"我|他|她|你|家|公司|wi-?fi|網路|帳號|帳戶|銀行|手機|信箱|電腦|門", re.IGNORECASE
)
_WHOSE_WITHIN = 40
"""Characters before the name in which its owner is looked for."""
_VALUE_ENDS = re.compile(r"[\"'`.,;!?)。」』]|\s?$|\s(?:and|but|so|because|since|for|on|,)\b")
_SAID_OF_SECRETS = frozenset(
    [
        "always",
        "bad",
        "better",
        "broken",
        "changed",
        "complicated",
        "correct",
        "difficult",
        "easy",
        "expired",
        "fine",
        "forgotten",
        "gone",
        "good",
        "hard",
        "harder",
        "important",
        "incorrect",
        "invalid",
        "known",
        "long",
        "lost",
        "missing",
        "necessary",
        "needed",
        "never",
        "new",
        "not",
        "old",
        "okay",
        "out",
        "password",
        "passcode",
        "private",
        "required",
        "ready",
        "right",
        "safe",
        "same",
        "saved",
        "secret",
        "secure",
        "short",
        "simple",
        "soon",
        "strange",
        "strong",
        "stupid",
        "terrible",
        "that",
        "this",
        "tricky",
        "unknown",
        "useful",
        "valid",
        "weak",
        "weird",
        "what",
        "wrong",
    ]
)
"""What people say about a password without giving it away."""
_ADJECTIVE = re.compile(r"(?:ed|ing|able|ible|ly|ful|less|en)$", re.IGNORECASE)
_COUNTED = re.compile(r"\d{1,2}-[a-z]+", re.IGNORECASE)
_PUNCTUATION = ".,;:!?。，！？\"'`()<>[]"
MIN_DIGITS = 3
MIN_LETTERS = 4
MIN_KEY = 8


def holds_password(text: str) -> bool:
    """Say whether ``text`` gives a password, a PIN, a one-time code or a recovery phrase away."""
    words = plain(text)
    return (
        any(_gives_away(match) for match in _SAID.finditer(words))
        or any(_gives_away_in_chinese(match) for match in _SAID_IN_CHINESE.finditer(words))
        or any(
            looks_secret(match["value"])
            for pattern in (_SAID_BEFORE, _LOGIN, _SAID_BEFORE_IN_CHINESE)
            for match in pattern.finditer(words)
        )
        or _holds_seed(words)
    )


def _gives_away(match: re.Match[str]) -> bool:
    value = match["value"]
    if match["key"]:
        return len(value) >= MIN_KEY and looks_secret(value)
    if looks_secret(value):
        return True
    before = match.string[max(0, match.start() - _WHOSE_WITHIN) : match.start()]
    return (
        match["verb"] is not None
        and _WHOSE.search(before) is not None
        and (
            len(value) >= MIN_LETTERS
            if match["mark"]
            else _is_lone_word(value) and _value_ends(value, match["after"])
        )
    )


def _gives_away_in_chinese(match: re.Match[str]) -> bool:
    value = match["value"].strip(_PUNCTUATION)
    if looks_secret(value) or not value.isascii():
        return True
    said = f"{match['whose']}{match['verb'] or ''}"
    return (
        match["verb"] is not None
        and _WHOSE_IN_CHINESE.search(said) is not None
        and _ABOUT_THE_WORD.search(said) is None
        and _is_lone_word(value)
    )


def looks_secret(value: str) -> bool:
    """Tell "hunter2" and "1234" from "important" and "10-digit": what follows "password is"."""
    core = value.strip(_PUNCTUATION)
    if len(core) < MIN_DIGITS or _COUNTED.fullmatch(core):
        return False
    digits = sum(map(str.isdigit, core))
    kinds = sum(
        any(map(is_kind, core))
        for is_kind in (str.islower, str.isupper, str.isdigit, lambda c: not c.isalnum())
    )
    return digits >= MIN_DIGITS or (digits > 0 and kinds > 1) or kinds > 2  # noqa: PLR2004 (of four)


def _is_lone_word(value: str) -> bool:
    core = value.strip(_PUNCTUATION)
    return (
        len(core) >= MIN_LETTERS
        and core.casefold() not in _SAID_OF_SECRETS
        and _ADJECTIVE.search(core) is None
    )


def _value_ends(value: str, after: str) -> bool:
    return value[-1] in _PUNCTUATION or _VALUE_ENDS.match(after) is not None


def _holds_seed(words: str) -> bool:
    if _SEED_NAME.search(words) and _SEED_WORDS.search(words):
        return True
    return _BARE_SEED.fullmatch(words) is not None and _NEVER_IN_SEEDS.isdisjoint(words.split())
