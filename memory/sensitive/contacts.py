"""Ways to reach a person: phone numbers, e-mails, street addresses, messenger names.

Refused for everyone, the learner included: a companion for learning needs none of them, and whose
they are cannot be told from the text. A city, a district, a road without a house number, a school
and a company say where somebody's life is, not how to find them: they pass.
"""

import re

from phonenumbers import Leniency, PhoneNumberMatcher

from memory.plain_text import plain

_REGIONS = (
    ("TW", Leniency.VALID),
    ("US", Leniency.STRICT_GROUPING),
    ("GB", Leniency.STRICT_GROUPING),
    ("JP", Leniency.STRICT_GROUPING),
)
"""Where a number without a country code may come from, and how surely it must look like one."""
_MANY_DIGITS = re.compile(r"\d(?:[\s().\-/\u2010-\u2015]{0,3}\d){6}")
_MOBILE_IN_CHINA = re.compile(r"(?<!\d)1[3-9]\d[ -]?\d{4}[ -]?\d{4}(?!\d)")

_EMAIL = re.compile(r"[\w.%+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}")
_SPELT_EMAIL = re.compile(
    r"[\w.+-]{1,64}\s?(?:\(at\)|\[at\]|\sat\s)\s?[\w-]{1,63}\s?(?:\(dot\)|\[dot\]|\sdot\s)\s?\w{2,6}\b",
    re.IGNORECASE,
)

_ROAD = r"(?:street|avenue|road|lane|drive|boulevard|court|square|terrace|crescent|close|mews|way)"
_STREET = re.compile(
    rf"(?<![\w.$€£])\d{{1,5}}[A-Za-z]?(?:-\d{{1,4}})?,?\s(?:(?:[A-Z][\w'.-]{{0,20}}|\d{{1,3}}(?:st|nd|rd|th))\s){{1,3}}"
    rf"(?:(?i:{_ROAD})\b|(?:St|Ave|Rd|Ln|Dr|Blvd|Ct|Sq|Pl|Hwy)\b)"
)
_HOME_STREET = re.compile(
    r"\b(?:live[sd]?|living|stay(?:s|ed|ing)?|home|house|address|flat|apartment)\b[^.\n]{0,20}"
    rf"\s\d{{1,5}}[a-z]?,?\s(?:[\w'-]{{1,20}}\s){{1,3}}{_ROAD}\b",
    re.IGNORECASE,
)
_NUMBERED_STREET = re.compile(
    r"\bno\.?\s?\d{1,4}(?:-\d{1,3})?,\s?(?:(?:lane|ln|alley|aly|sec|section)\.?\s?\d{1,4},\s?){0,3}"
    r"[A-Za-z][\w' -]{1,30}\s(?:rd|road|st|street|blvd|boulevard|ave|avenue)\b",
    re.IGNORECASE,
)
_POST_BOX = re.compile(r"\bp\.?\s?o\.?\s?box\s\d{1,6}", re.IGNORECASE)

_NUMERAL = r"[\d〇零一二三四五六七八九十百]"
_STREET_IN_CHINESE = re.compile(
    rf"[\u4e00-\u9fff]{{1,8}}(?:路|街|大道|巷|段|弄)(?:\s?{_NUMERAL}{{1,3}}\s?段)?"
    rf"(?:\s?{_NUMERAL}{{1,4}}\s?巷)?(?:\s?{_NUMERAL}{{1,4}}\s?弄)?"
    rf"\s?{_NUMERAL}{{1,5}}(?:\s?[之-]\s?{_NUMERAL}{{1,3}})?\s?[號号](?!\s?(?:公車|出口|線|館|門))"
    rf"|[\u4e00-\u9fff](?:村|里)\s?(?:{_NUMERAL}{{1,3}}\s?[鄰邻]\s?)?{_NUMERAL}{{1,4}}\s?[號号]"
)

_APPS = (
    r"(?:line|wechat|whatsapp|telegram|instagram|ig|discord|skype|kakao(?:talk)?|messenger"
    r"|signal|snapchat|twitter)"
)
_APPS_IN_CHINESE = r"(?:賴|line|微信|ig|臉書|telegram|discord|whatsapp|skype)"
_NAMED_ACCOUNT = r"@?[\w.-]{3,40}"
_SURE_ACCOUNT = r"(?:@[\w.-]{3,40}|(?=[a-z._-]{0,30}[\d_])[\w.-]{4,40}|[\w.-]{2,32}#\d{4})"
_MESSENGER = re.compile(
    rf"\b{_APPS}(?:'s)?\s?(?:user\s?)?(?:id|account|handle|name)\s?(?:is|:|=)\s?{_NAMED_ACCOUNT}"
    rf"|\b(?:my|his|her|their|our|'s)\s{_APPS}\s?(?:is|:|=)\s?{_SURE_ACCOUNT}"
    rf"|\b(?:on|via)\s{_APPS}\s?(?::|as|at|is|\()?\s?@[\w.-]{{3,40}}"
    rf"|\b{_APPS}\s?:\s?{_SURE_ACCOUNT}"
    rf"|{_APPS_IN_CHINESE}\s?的?\s?(?:id|帳號|账号)\s?(?:是|叫|:|=)?\s?{_NAMED_ACCOUNT}"
    rf"|{_APPS_IN_CHINESE}\s?(?:是|:|=)\s?{_SURE_ACCOUNT}",
    re.IGNORECASE | re.ASCII,
)

_PATTERNS = (
    _EMAIL,
    _SPELT_EMAIL,
    _STREET,
    _HOME_STREET,
    _NUMBERED_STREET,
    _POST_BOX,
    _STREET_IN_CHINESE,
    _MESSENGER,
    _MOBILE_IN_CHINA,
)


def holds_private_contact(text: str) -> bool:
    """Say whether ``text`` holds a phone number, e-mail, street address or messenger name."""
    words = plain(text)
    return any(pattern.search(words) for pattern in _PATTERNS) or _holds_phone_number(words)


def _holds_phone_number(words: str) -> bool:
    return _MANY_DIGITS.search(words) is not None and any(
        True
        for region, leniency in _REGIONS
        for _ in PhoneNumberMatcher(words, region, leniency=leniency)
    )
