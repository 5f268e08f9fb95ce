"""Policy: may a candidate be kept?

Hard rules decide first, in the order of their table, and nothing talks them round: not the model's
advice, not an explicit request. Only what passes them all is left to the advice. Policy knows
nothing of importance (what it is worth) and of relevance (what it fits).

Whether a statement belongs to what the product is for is a judgement that words cannot be counted
for: "my dog is ill" may be the reason for a missed lesson. So the model judges it, against the
product's scope, and its "out_of_scope" is a hard rule. A person who asks to remember something has
no such judge: what they ask for is within the scope of their own learning, and only the other
rules can refuse it.
"""

from collections.abc import Callable, Sequence
from typing import get_args

from memory.injection import is_instruction
from memory.own_text import is_own_text
from memory.records import KeepingReason, MemoryCandidate, MemoryPolicyReason
from memory.sensitive import (
    holds_national_id,
    holds_payment_card,
    holds_private_contact,
    holds_secret,
)
from memory.settings import PolicySettings
from memory.statements import is_empty, is_fragment

TextRule = Callable[[str], bool]
CandidateRule = Callable[[MemoryCandidate, PolicySettings], bool]

KEEPING_REASONS: frozenset[MemoryPolicyReason] = frozenset(get_args(KeepingReason))
"""The reasons to keep something; every other one is a reason not to."""

_DANGEROUS: tuple[tuple[MemoryPolicyReason, TextRule], ...] = (
    ("secret", holds_secret),
    ("payment_card", holds_payment_card),
    ("national_id", holds_national_id),
    ("private_contact", holds_private_contact),
    ("instruction", is_instruction),
)
"""What must stand neither in a memory nor in its quote."""


def find_violation(text: str) -> MemoryPolicyReason | None:
    """Return why ``text`` may not be kept anywhere, or None: it is sensitive, or an instruction."""
    return next((reason for reason, breaks in _DANGEROUS if breaks(text)), None)


def _in_content_or_quote(breaks: TextRule) -> CandidateRule:
    return lambda candidate, _settings: (
        breaks(candidate.content) or breaks(candidate.evidence.quote)
    )


_HARD_RULES: tuple[tuple[MemoryPolicyReason, CandidateRule], ...] = (
    ("empty", lambda candidate, _: is_empty(candidate.content)),
    (
        "too_long",
        lambda candidate, settings: len(candidate.content.strip()) > settings.max_characters,
    ),
    *((reason, _in_content_or_quote(breaks)) for reason, breaks in _DANGEROUS),
    (
        "own_text",
        lambda candidate, settings: is_own_text(candidate.content, product_scope=settings.scope),
    ),
    ("no_quote", lambda candidate, _: is_empty(candidate.evidence.quote)),
    ("fragment", lambda candidate, _: is_fragment(candidate.content)),
    ("out_of_scope", lambda candidate, _: candidate.policy_reason == "out_of_scope"),
)
"""Nothing first, then length, so that no detector reads more than it must; then what is dangerous,
before what is only useless."""


def apply_memory_policy(
    candidates: Sequence[MemoryCandidate], *, settings: PolicySettings
) -> tuple[list[MemoryCandidate], list[MemoryCandidate]]:
    """Part ``candidates`` into accepted and rejected, each in their order.

    An accepted one is as it was. A rejected one has ``should_store`` False and the reason that
    decided as its ``policy_reason``, never one of ``KEEPING_REASONS``.
    """
    accepted: list[MemoryCandidate] = []
    rejected: list[MemoryCandidate] = []
    for candidate in candidates:
        refusal = _find_hard_violation(candidate, settings) or _advised_refusal(candidate)
        if refusal is None:
            accepted.append(candidate)
        else:
            rejected.append(
                candidate.model_copy(update={"should_store": False, "policy_reason": refusal})
            )
    return accepted, rejected


def _find_hard_violation(
    candidate: MemoryCandidate, settings: PolicySettings
) -> MemoryPolicyReason | None:
    return next((reason for reason, breaks in _HARD_RULES if breaks(candidate, settings)), None)


def _advised_refusal(candidate: MemoryCandidate) -> MemoryPolicyReason | None:
    """Return why the advice is not to keep it. Advice that contradicts itself keeps nothing."""
    if candidate.policy_reason not in KEEPING_REASONS:
        return candidate.policy_reason
    return None if candidate.should_store else "uncertain"
