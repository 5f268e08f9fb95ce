"""Payment cards: a number that a card network could have given out.

A card number is 13 to 19 digits with a network's first digits, of a length that network uses, and
the check digit of ISO/IEC 7812-1 (Luhn). Digits glued to more digits are another number; digits
beside it, after a space or a dash, are not part of it.
"""

import re
from itertools import accumulate, takewhile
from typing import NamedTuple

from stdnum import luhn

from memory.plain_text import plain

_RUN = re.compile(r"\d+(?:[\s.·_/\-\u2010-\u2015]{1,3}\d+)*")
_GROUP = re.compile(r"\d+")
MIN_DIGITS, MAX_DIGITS = 13, 19
MAX_GROUPS = MAX_DIGITS // 3
MIN_GROUP = 3
"""Inside a longer row of numbers only groups as long as cards are printed in are joined."""


class _Network(NamedTuple):
    """First digits from ``first`` to ``last``, both of one length, and the lengths of numbers."""

    first: str
    last: str
    lengths: tuple[int, ...]


_LONG = (16, 17, 18, 19)
_NETWORKS = (
    _Network("4", "4", (13, 16, 19)),  # Visa
    _Network("51", "55", (16,)),  # Mastercard
    _Network("2221", "2720", (16,)),
    _Network("34", "34", (15,)),  # American Express
    _Network("37", "37", (15,)),
    _Network("300", "305", (14, *_LONG)),  # Diners Club
    _Network("36", "36", (14, *_LONG)),
    _Network("38", "39", (14, *_LONG)),
    _Network("3528", "3589", _LONG),  # JCB
    _Network("6011", "6011", _LONG),  # Discover
    _Network("644", "659", _LONG),
    _Network("62", "62", _LONG),  # UnionPay
    _Network("50", "50", tuple(range(13, 20))),  # Maestro
    _Network("56", "58", tuple(range(13, 20))),
    _Network("60", "69", tuple(range(13, 20))),
)
"""Source: ISO/IEC 7812 issuer ranges as the networks publish them."""


def holds_payment_card(text: str) -> bool:
    """Say whether ``text`` holds the number of a payment card, in groups or not."""
    return any(_run_holds_card(match[0]) for match in _RUN.finditer(plain(text)))


def _run_holds_card(run: str) -> bool:
    groups = _GROUP.findall(run)
    return _is_card("".join(groups)) or any(
        _is_card(number)
        for start in range(len(groups))
        for number in _numbers_from(groups[start : start + MAX_GROUPS])
    )


def _numbers_from(groups: list[str]) -> list[str]:
    """Return what the first one, two, three ... groups make, while each is as long as printed."""
    printed = takewhile(lambda group: MIN_GROUP <= len(group) <= MAX_DIGITS, groups)
    return list(accumulate(printed))


def _is_card(number: str) -> bool:
    return (
        MIN_DIGITS <= len(number) <= MAX_DIGITS
        and any(_belongs_to(number, network) for network in _NETWORKS)
        and luhn.is_valid(number)
    )


def _belongs_to(number: str, network: _Network) -> bool:
    beginning = number[: len(network.first)]
    return len(number) in network.lengths and network.first <= beginning <= network.last
