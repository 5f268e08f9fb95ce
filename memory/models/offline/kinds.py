"""Kinds of statements: a row each, with the words that show it and what it counts as.

Adding a pattern is adding a row. The first row that matches decides.
"""

import re
from dataclasses import dataclass

from memory.records import AdvisedPolicyReason, ExtractedMemoryType


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of statement."""

    pattern: re.Pattern[str]
    memory_type: ExtractedMemoryType
    reason: AdvisedPolicyReason
    should_store: bool = True


def kind(
    pattern: str,
    memory_type: ExtractedMemoryType,
    reason: AdvisedPolicyReason,
    *,
    should_store: bool = True,
) -> Kind:
    """Make one row; patterns ignore case and the spaces they are written with."""
    compiled = re.compile(pattern, re.IGNORECASE | re.VERBOSE)
    return Kind(compiled, memory_type, reason, should_store)
