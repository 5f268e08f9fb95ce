"""What must never be kept, whoever asks: secrets, cards, identity numbers, ways to reach people.

Detectors take text in any width and spacing and say yes or no. They look for the thing itself, not
for its name: "I forgot my password" is no secret. Phone numbers, e-mails and street addresses are
refused for everyone, the learner included: a companion for learning needs none of them. Where
somebody lives as a city, or which school they go to, is fine.
"""

import re
import unicodedata
from collections.abc import Iterator
from typing import Any

from detect_secrets.plugins.artifactory import ArtifactoryDetector
from detect_secrets.plugins.aws import AWSKeyDetector
from detect_secrets.plugins.azure_storage_key import AzureStorageKeyDetector
from detect_secrets.plugins.basic_auth import BasicAuthDetector
from detect_secrets.plugins.discord import DiscordBotTokenDetector
from detect_secrets.plugins.github_token import GitHubTokenDetector
from detect_secrets.plugins.gitlab_token import GitLabTokenDetector
from detect_secrets.plugins.jwt import JwtTokenDetector
from detect_secrets.plugins.mailchimp import MailchimpDetector
from detect_secrets.plugins.npm import NpmDetector
from detect_secrets.plugins.openai import OpenAIDetector
from detect_secrets.plugins.private_key import PrivateKeyDetector
from detect_secrets.plugins.pypi_token import PypiTokenDetector
from detect_secrets.plugins.sendgrid import SendGridDetector
from detect_secrets.plugins.slack import SlackDetector
from detect_secrets.plugins.square_oauth import SquareOAuthDetector
from detect_secrets.plugins.stripe import StripeDetector
from detect_secrets.plugins.telegram_token import TelegramBotTokenDetector
from detect_secrets.plugins.twilio import TwilioKeyDetector
from phonenumbers import Leniency, PhoneNumberMatcher
from stdnum import luhn
from stdnum.cn import ric
from stdnum.kr import rrn
from stdnum.us import ssn

HOME_REGION = "TW"
"""Where a phone number without a country code is read."""

_INVISIBLE = re.compile(r"[\u200b-\u200f\u2060\ufeff\u00ad]")

_KEY_DETECTORS: tuple[Any, ...] = (
    ArtifactoryDetector(),
    AWSKeyDetector(),
    AzureStorageKeyDetector(),
    BasicAuthDetector(),
    DiscordBotTokenDetector(),
    GitHubTokenDetector(),
    GitLabTokenDetector(),
    JwtTokenDetector(),
    MailchimpDetector(),
    NpmDetector(),
    OpenAIDetector(),
    PrivateKeyDetector(),
    PypiTokenDetector(),
    SendGridDetector(),
    SlackDetector(),
    SquareOAuthDetector(),
    StripeDetector(),
    TelegramBotTokenDetector(),
    TwilioKeyDetector(),
)

_KEYS = re.compile(
    r"""
    \b(?:sk|pk|rk|api|key|token|secret)[-_][A-Za-z0-9_-]{16,}      # sk-..., api_...
    | \bAIza[A-Za-z0-9_-]{30,}                                     # Google
    | \bya29\.[A-Za-z0-9_-]{20,}
    | \bxox[abposr]-[A-Za-z0-9-]{10,}                              # Slack
    | \bgh[pousr]_[A-Za-z0-9]{20,} | \bgithub_pat_[A-Za-z0-9_]{20,}
    | \bhf_[A-Za-z0-9]{20,}
    | \b\d{6,12}:[A-Za-z0-9_-]{30,}                                # Telegram bots
    | \b(?:AKIA|ASIA)[A-Z0-9]{12,}
    | -----BEGIN[ A-Z]*PRIVATE\ KEY
    | \beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}
    | [a-z][a-z0-9+.-]{1,20}://[^\s/:@]{1,100}:[^\s/@]{1,100}@     # user:password in a URL
    """,
    re.VERBOSE,
)

_CREDENTIAL = (
    r"(?:pass\s?words?|passcodes?|passphrases?|pwd|pin(?:\s?(?:code|number))?|cvv2?|cvc"
    r"|one[- ]time\s?(?:code|password)|otp|verification\scode|security\scode|2fa\scode"
    r"|recovery\scodes?|secret\s?key|private\s?key|api\s?keys?|access\s?(?:key|token)|token"
    r"|client\ssecret)"
)
_SECRET_SAID = re.compile(
    rf"""
    \b{_CREDENTIAL}\b
    (?:\s(?:for|of|to|on)\s[\w\s'.-]{{1,30}}?)?
    \s{{0,3}}(?P<verb>is|was|are|=|:|->)\s{{0,3}}
    (?:now\s|still\s|just\s|called\s)?["'`(]?
    (?P<value>[^\s"'`,)]{{3,200}})(?P<after>.?)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_SECRET_SAID_IN_CHINESE = re.compile(
    r"(?:密碼|密码|口令|通行碼|驗證碼|验证码|安全碼|檢查碼|金鑰|密鑰|密钥|私鑰|提款卡密碼|PIN\s?碼)"
    r"[^\s。，,]{0,6}?(?:是|為|为|：|:|=|叫|設成|改成)\s{0,3}[「『\"']?(?P<value>[!-~]{3,200})",
    re.IGNORECASE,
)
_SEED_PHRASE = re.compile(
    r"(?:seed|recovery|mnemonic|backup|secret)\s(?:phrase|words?)|助記詞|助记词|註記詞|恢復短語",
    re.IGNORECASE,
)
_SEED_WORDS = re.compile(r"(?:\b[a-z]{3,8}\b[\s,]{1,3}){11,24}", re.IGNORECASE)
_SAID_OF_SECRETS = frozenset(
    """
    bad better broken changed correct difficult easy expired fine forgotten gone good hard
    harder important incorrect invalid long lost missing necessary needed new not old okay out
    private required ready right safe secret secure short simple strong terrible tricky useful
    valid weak wrong the this that what
    """.split()  # noqa: SIM905 (one word a line would be half a page)
)
"""What people say about a password without giving it away."""
MIN_SECRET_DIGITS = 3


def plain(text: str) -> str:
    """Return ``text`` in the form detectors read: NFKC, without invisible characters."""
    return _INVISIBLE.sub("", unicodedata.normalize("NFKC", text))


def holds_secret(text: str) -> bool:
    """Say whether ``text`` holds a password, a key, a token or a recovery phrase."""
    words = plain(text)
    if _KEYS.search(words) or any(_finds(detector, words) for detector in _KEY_DETECTORS):
        return True
    if _SEED_PHRASE.search(words) and _SEED_WORDS.search(words):
        return True
    return any(map(_says_secret, _SECRET_SAID.finditer(words))) or any(
        _looks_secret(match["value"]) for match in _SECRET_SAID_IN_CHINESE.finditer(words)
    )


def _finds(detector: Any, text: str) -> bool:  # noqa: ANN401 (detect-secrets has no types)
    return any(True for _ in detector.analyze_string(text))


def _says_secret(match: re.Match[str]) -> bool:
    """Judge what follows "my password is"; a last word that says nothing about it is one."""
    value = match["value"].strip(".,;!?")
    ends = not match["after"].strip() or match["value"] != value
    is_word = value.casefold() in _SAID_OF_SECRETS or len(value) < MIN_SECRET_DIGITS
    return _looks_secret(value) or (ends and not is_word and match["after"] != " ")


def _looks_secret(value: str) -> bool:
    """Tell "hunter2" and "1234" from "important" and "too": what follows "my password is"."""
    core = value.strip(".,;!?。，！？")
    kinds = sum(
        any(test(character) for character in core)
        for test in (str.islower, str.isupper, str.isdigit, lambda c: not c.isalnum())
    )
    digits = sum(map(str.isdigit, core))
    return len(core) >= MIN_SECRET_DIGITS and (
        digits >= MIN_SECRET_DIGITS or (digits > 0 and kinds > 1) or kinds > 2  # noqa: PLR2004
    )


_CARD = re.compile(r"(?<![\d.])\d(?:[ .\-_/]{0,2}\d){12,18}(?!\d)")
_CARD_FIRST_DIGITS = frozenset("23456")


def holds_payment_card(text: str) -> bool:
    """Say whether ``text`` holds a payment card's number.

    13 to 19 digits with the check digit of ISO/IEC 7812-1 (Luhn), beginning as cards do.
    """
    return any(
        digits[0] in _CARD_FIRST_DIGITS and luhn.is_valid(digits)
        for digits in _runs_of_digits(plain(text))
    )


def _runs_of_digits(text: str) -> Iterator[str]:
    """Yield every run of 13 to 19 digits inside longer runs too, separators taken out."""
    for match in _CARD.finditer(text):
        yield re.sub(r"\D", "", match[0])


_TAIWAN_ID = re.compile(
    r"(?<![A-Za-z0-9])([A-Za-z])[ -]?([1289A-Da-d])[ -]?(\d{4})[ -]?(\d{4})(?!\d)"
)
_TAIWAN_LETTERS = "ABCDEFGHJKLMNPQRSTUVXYWZIO"
"""In the order of their codes, from 10 on."""
_TAIWAN_WEIGHTS = (1, 9, 8, 7, 6, 5, 4, 3, 2, 1, 1)
_CHINA_ID = re.compile(r"(?<!\d)\d{17}[\dXx](?!\d)")
_KOREA_ID = re.compile(r"(?<!\d)\d{6}-?[1-8]\d{6}(?!\d)")
_HONG_KONG_ID = re.compile(r"(?<![A-Za-z0-9])([A-Za-z]{1,2})(\d{6})\(?([\dAa])\)?(?![A-Za-z0-9])")
_US_SSN = re.compile(r"(?<!\d)\d{3}-\d{2}-\d{4}(?!\d)")
_UK_NINO = re.compile(
    r"(?<![A-Za-z0-9])[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\s?\d{2}\s?\d{2}\s?\d{2}\s?[A-D](?![A-Za-z])",
    re.IGNORECASE,
)
_NAMED_NUMBER = re.compile(
    r"(?:passport|national\sid|identity\s(?:card|number)|id\s(?:card|number)|social\ssecurity"
    r"|driver'?s?\slicen[cs]e|my\snumber|residence\spermit|身[分份]證|身份证|居留證|護照|护照|健保卡"
    r"|駕照|マイナンバー)[^\n]{0,24}?(?<![A-Za-z0-9])[A-Z]{0,3}\d{6,14}(?!\d)",
    re.IGNORECASE,
)


def holds_national_id(text: str) -> bool:
    """Say whether ``text`` holds an identity number.

    By check digit: Taiwan (national id and resident certificate), mainland China, South Korea, Hong
    Kong. By form: United States, United Kingdom. By name and form: passports, licences and others.
    """
    words = plain(text)
    return (
        any(_is_taiwan_id(match) for match in _TAIWAN_ID.finditer(words))
        or any(ric.is_valid(number) for number in _CHINA_ID.findall(words))
        or any(rrn.is_valid(number) for number in _KOREA_ID.findall(words))
        or any(_is_hong_kong_id(match) for match in _HONG_KONG_ID.finditer(words))
        or any(ssn.is_valid(number) for number in _US_SSN.findall(words))
        or _UK_NINO.search(words) is not None
        or _NAMED_NUMBER.search(words) is not None
    )


def _is_taiwan_id(match: re.Match[str]) -> bool:
    """Check a national id (A123456789) or a resident certificate (A800000014, AC01234567).

    Letters become the two digits of their code, of the second letter the last one only; the sum
    with weights 1, 9, 8, ... 1, 1 is a multiple of 10 (National Immigration Agency, Taiwan).
    """
    first, second, *rest = list("".join(match.groups()).upper())
    if second.isalpha():
        second = str((_TAIWAN_LETTERS.index(second) + 10) % 10)
    digits = f"{_TAIWAN_LETTERS.index(first) + 10}{second}{''.join(rest)}"
    weighted = zip(map(int, digits), _TAIWAN_WEIGHTS, strict=True)
    return sum(digit * weight for digit, weight in weighted) % 10 == 0


def _is_hong_kong_id(match: re.Match[str]) -> bool:
    """Check by weights 9 to 1 modulo 11; a missing first letter counts 36, A as check digit 10."""
    letters, digits, check = match.groups()
    values = [36] * (2 - len(letters)) + [ord(letter) - 55 for letter in letters.upper()]
    values += [int(digit) for digit in digits]
    values.append(10 if check in "Aa" else int(check))
    return (
        sum(value * weight for value, weight in zip(values, range(9, 0, -1), strict=True)) % 11 == 0
    )


_EMAIL = re.compile(r"[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,5}")
_STREET = re.compile(
    r"(?<![\w.])\d{1,5}[A-Za-z]?(?:-\d{1,4})?,?\s(?:[A-Z][\w'.-]{0,20}\s){1,3}"
    r"(?i:street|st|avenue|ave|road|rd|lane|ln|drive|dr|boulevard|blvd|court|ct|square|sq|terrace"
    r"|place|pl|crescent)\b"
)
_STREET_IN_CHINESE = re.compile(
    r"[\u4e00-\u9fff]{1,8}(?:路|街|大道|巷)(?:[一二三四五六七八九十\d]{1,3}段)?"
    r"(?:\s?[\d一二三四五六七八九十百]{1,4}\s?巷)?(?:\s?[\d一二三四五六七八九十百]{1,4}\s?弄)?"
    r"\s?[\d一二三四五六七八九十百]{1,5}(?:[之-]\d{1,3})?\s?[號号]"
)
_MESSENGER = re.compile(
    r"\b(?:line|wechat|whatsapp|telegram|instagram|ig|discord|skype|kakao)\s?(?:id|account|handle)"
    r"\s?(?:is|[:=：])\s?@?[\w.#-]{3,40}"
    r"|(?:賴|LINE|微信|IG)\s?(?:的)?(?:ID|帳號|账号)\s?(?:是|[:：])\s?@?[A-Za-z0-9_.#-]{3,40}",
    re.IGNORECASE,
)


def holds_private_contact(text: str) -> bool:
    """Say whether ``text`` holds a phone number, an e-mail, a street address or a messenger id."""
    words = plain(text)
    return any(
        pattern.search(words) is not None
        for pattern in (_EMAIL, _STREET, _STREET_IN_CHINESE, _MESSENGER)
    ) or any(True for _ in PhoneNumberMatcher(words, HOME_REGION, leniency=Leniency.VALID))
