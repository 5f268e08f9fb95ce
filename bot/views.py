"""What commands answer with: values that say what there is to show, not how it looks."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.browsing import Browse
from bot.options import PersonOption
from memory.errors import MemoraError
from memory.person import WriteOutcome
from memory.profile import UserProfile
from memory.prompts.extraction import ProfileField
from memory.records import MemoryPolicyReason, MemorySearchResult, StoredMemory
from memory.retrieval import Outcome
from memory.usage import TokenUsage


@dataclass(frozen=True, slots=True)
class Line:
    """One fixed text with values to fill in."""

    key: str
    values: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Apology:
    """Something went wrong."""

    error: MemoraError


@dataclass(frozen=True, slots=True)
class Welcome:
    """The first words."""

    is_offline: bool


@dataclass(frozen=True, slots=True)
class Help:
    """What can be done, and by which model."""

    commands: tuple[str, ...]
    model: str
    is_offline: bool


@dataclass(frozen=True, slots=True)
class RememberResult:
    """What came of /remember."""

    outcome: WriteOutcome


@dataclass(frozen=True, slots=True)
class KeptMemories:
    """New memories, once they are stored."""

    memories: tuple[StoredMemory, ...]


@dataclass(frozen=True, slots=True)
class CouldNotRemember:
    """A message that could not be kept after all attempts."""

    text: str
    error: MemoraError | None


@dataclass(frozen=True, slots=True)
class MemoryPage:
    """One page of a person's memories."""

    browse: Browse
    memories: tuple[StoredMemory, ...]
    pages: int
    total: int


@dataclass(frozen=True, slots=True)
class SearchResults:
    """The memories nearest to a query, nearest first."""

    browse: Browse
    results: tuple[MemorySearchResult, ...]


@dataclass(frozen=True, slots=True)
class MemoryDetail:
    """Everything there is to say about one memory."""

    memory: StoredMemory
    asks_to_forget: bool = False
    """True where the next press deletes it."""
    refusal: MemoryPolicyReason | None = None
    """Why it was not changed as the person asked."""


@dataclass(frozen=True, slots=True)
class Forgotten:
    """Memories that were deleted."""

    memories: tuple[StoredMemory, ...]


@dataclass(frozen=True, slots=True)
class SettingsCard:
    """What a person can turn on and off."""

    options: tuple[tuple[PersonOption, bool], ...]


@dataclass(frozen=True, slots=True)
class LinkCode:
    """A code that joins another account."""

    code: str
    valid_for: timedelta


@dataclass(frozen=True, slots=True)
class Linked:
    """Accounts that are one person now."""

    platforms: tuple[str, ...]
    memories: int


@dataclass(frozen=True, slots=True)
class Separated:
    """An account that is a person of its own now."""

    platforms: tuple[str, ...]
    """Those it is no longer linked with."""
    here: int
    """Memories that this account has."""
    there: int
    is_complete: bool
    """False where memories are still to follow."""


@dataclass(frozen=True, slots=True)
class ProfileCard:
    """The profile as it stands."""

    profile: UserProfile
    fields: tuple[ProfileField, ...]


@dataclass(frozen=True, slots=True)
class Considered:
    """One candidate of the last reply."""

    memory: StoredMemory | None
    """None for one that was forgotten since."""
    relevance: float
    importance_score: int
    is_scored: bool
    retrieval_score: float | None
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Why:
    """What the last reply considered, and by which numbers."""

    considered: tuple[Considered, ...]
    replied_at: datetime
    min_score: float
    relevance_weight: float
    importance_weight: float


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens by purpose."""

    model: str
    today: dict[str, TokenUsage]
    in_all: dict[str, TokenUsage]


View = (
    Line
    | Apology
    | Welcome
    | Help
    | RememberResult
    | KeptMemories
    | CouldNotRemember
    | MemoryPage
    | SearchResults
    | MemoryDetail
    | Forgotten
    | SettingsCard
    | LinkCode
    | Linked
    | Separated
    | ProfileCard
    | Why
    | Usage
)
