"""Policy: may a candidate be kept?

Hard rules decide first, in the order of their table, and nothing talks them round: not the model's
advice, not an explicit request. Only what passes them all is left to the advice. Policy knows
nothing of importance (what it is worth) and of relevance (what it fits).

What no rule here can decide is whether a statement belongs to what the product is for: that is the
model's advice ("out_of_scope"). A person who asks to remember something has decided it themselves.
"""

import re
from collections.abc import Callable, Sequence
from functools import cache

from memory.injection import is_instruction
from memory.prompts import extraction, importance, reply, summary
from memory.quotes import fold
from memory.records import MemoryCandidate, MemoryPolicyReason
from memory.sensitive import (
    holds_national_id,
    holds_payment_card,
    holds_private_contact,
    holds_secret,
)
from memory.settings import PolicySettings

TextRule = Callable[[str], bool]

_SENSITIVE_RULES: tuple[tuple[MemoryPolicyReason, TextRule], ...] = (
    ("secret", holds_secret),
    ("payment_card", holds_payment_card),
    ("national_id", holds_national_id),
    ("private_contact", holds_private_contact),
    ("instruction", is_instruction),
)
"""What must stand neither in a memory nor in its quote."""

_REASONING = re.compile(
    r"</?(?:think|thinking|reasoning|scratchpad|analysis|reflection)\b", re.IGNORECASE
)
_PLACEHOLDER = re.compile(
    r"[<\[{(]?(?:string|str|text|content|memory|value|example|placeholder|null|none|n/?a|unknown"
    r"|undefined|todo|tbd|lorem ipsum.*|\.{2,}|…+|memory text(?: here)?|content here"
    r"|(?:one )?self-contained statement.*|the learner'?s? (?:statement|memory|content))"
    r"[>\]})]?\.?",
    re.IGNORECASE,
)
_SCHEMA = re.compile(
    r"\"?(?:should_store|policy_reason|memory_type|candidate_index|importance_score|event_on)\"?\s?[:=]"
)
_CHINESE = re.compile(r"[\u3400-\u9fff]")
_LATIN_WORD = re.compile(r"[^\W_\u3400-\u9fff]+(?:['’-][^\W_\u3400-\u9fff]+)*")
OWN_TEXT_MIN_CHARACTERS = 24
MIN_WORDS = 3
MIN_CHINESE_UNITS = 3
SURE_CHINESE_UNITS = 9
"""A character is one unit, a Latin word in a Chinese text two."""
_STATES_SOMETHING = re.compile(
    r"[我你您他她]|[是有在要想能怕很不沒更最了過讀背練]|會(?![議計話員])|可以|喜歡|喜欢|討厭|覺得|希望"
    r"|打算|準備|每[天日週周月次]|常常|總是|經常"
)


def apply_memory_policy(
    candidates: Sequence[MemoryCandidate], *, settings: PolicySettings
) -> tuple[list[MemoryCandidate], list[MemoryCandidate]]:
    """Part ``candidates`` into accepted and rejected, each in their order.

    A rejected one carries the reason that decided, as its ``policy_reason``.
    """
    accepted: list[MemoryCandidate] = []
    rejected: list[MemoryCandidate] = []
    for candidate in candidates:
        violation = _find_hard_violation(candidate, settings)
        if violation is not None:
            refusal = {"should_store": False, "policy_reason": violation}
            rejected.append(candidate.model_copy(update=refusal))
        elif candidate.should_store:
            accepted.append(candidate)
        else:
            rejected.append(candidate)
    return accepted, rejected


def find_violation(text: str) -> MemoryPolicyReason | None:
    """Return why ``text`` may not be kept anywhere, or None: it is sensitive, or an instruction."""
    return next((reason for reason, breaks in _SENSITIVE_RULES if breaks(text)), None)


def _find_hard_violation(
    candidate: MemoryCandidate, settings: PolicySettings
) -> MemoryPolicyReason | None:
    """Return the first hard rule that ``candidate`` breaks.

    What is dangerous is named before what is only useless, and the length before all: no detector
    reads more than it must.
    """
    content, quote = candidate.content.strip(), candidate.evidence.quote.strip()
    if is_empty(content):
        return "empty"
    if len(content) > settings.max_characters:
        return "too_long"
    violation = find_violation(content) or find_violation(quote)
    if violation is not None:
        return violation
    if is_own_text(content):
        return "own_text"
    if is_empty(quote):
        return "no_quote"
    return "fragment" if is_fragment(content) else None


def is_empty(text: str) -> bool:
    """Say whether ``text`` holds no letter and no digit."""
    return not any(character.isalnum() for character in text)


def is_own_text(content: str) -> bool:
    """Say whether ``content`` is the model's reasoning, a placeholder, or text of our prompts."""
    if _REASONING.search(content) or _SCHEMA.search(content):
        return True
    if _PLACEHOLDER.fullmatch(content.strip()):
        return True
    words = fold(content)
    return len(words) >= OWN_TEXT_MIN_CHARACTERS and words in _own_texts()


@cache
def _own_texts() -> str:
    """Return everything our prompts say, folded as quotes are."""
    instructions = (
        extraction.extraction_instructions(""),
        importance.importance_instructions(""),
        summary.summary_instructions(),
        reply.reply_instructions(""),
    )
    return fold("\n".join(instructions))


def is_fragment(content: str) -> bool:
    """Say whether ``content`` states nothing: a word or two that will mean nothing later."""
    words = len(_LATIN_WORD.findall(content))
    characters = len(_CHINESE.findall(content))
    if not characters:
        return words < MIN_WORDS
    units = characters + 2 * words
    return units < MIN_CHINESE_UNITS or (
        units < SURE_CHINESE_UNITS and _STATES_SOMETHING.search(content) is None
    )
