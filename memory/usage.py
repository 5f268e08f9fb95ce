"""What a model call costs, in tokens, and for which purpose it was made."""

from dataclasses import dataclass
from typing import Literal

Purpose = Literal["reply", "extraction", "importance", "embedding", "query", "summary"]


@dataclass(frozen=True, slots=True)
class TokenUsage:
    """Tokens of one or more calls, as the model's server counts them; never negative."""

    input_tokens: int = 0
    output_tokens: int = 0

    @property
    def total_tokens(self) -> int:
        """Input and output together."""
        return self.input_tokens + self.output_tokens

    def __add__(self, other: "TokenUsage") -> "TokenUsage":
        return TokenUsage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
        )
