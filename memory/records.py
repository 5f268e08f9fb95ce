"""The words of the memory system: frozen values, no behaviour that needs anything else.

Three ideas stay apart here and everywhere: policy (may it be kept), importance (how much it is
worth for future teaching, fixed when written), relevance (how near it is to one query).
"""

from datetime import date, datetime
from typing import Annotated, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

ExtractedMemoryType = Literal["semantic", "episodic"]
"""Semantic: true for a while, whenever it was said. Episodic: something that happened."""

StoredMemoryType = Literal["semantic", "episodic", "unclassified"]
"""The same, and "unclassified" for records written before types existed."""

MemorySource = Literal["automatic", "manual", "import"]
"""Extracted from what was said, asked for with /remember, or imported."""

KeepingReason = Literal[
    "stable_fact",
    "learning_goal",
    "recurring_difficulty",
    "learning_progress",
    "preference",
    "meaningful_event",
    "explicit_request",
]
"""Why a candidate may be kept."""

AdvisedPolicyReason = Literal[
    KeepingReason,
    "small_talk",
    "transient",
    "not_about_the_learner",
    "uncertain",
    "out_of_scope",
]
"""What a model may advise, for or against keeping."""

MemoryPolicyReason = Literal[
    AdvisedPolicyReason,
    "secret",
    "payment_card",
    "national_id",
    "private_contact",
    "instruction",
    "own_text",
    "no_quote",
    "empty",
    "fragment",
    "too_long",
]
"""Everything that can decide: the advice, or a hard rule, which only ever refuses."""

ImportanceScore = Annotated[int, Field(ge=1, le=5)]

PRIVATE_SCOPE = "private"
"""The scope of what was said in a private chat; a group's scope is its own name."""


class Record(BaseModel):
    """A frozen value that refuses unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Evidence(Record):
    """Where a memory comes from: the person's own words."""

    message_id: str
    """Our id of the message."""
    quote: str
    """The words themselves, as they stand in the message."""
    said_at: AwareDatetime
    """When the message was sent, UTC."""
    event_on: date | None = None
    """The day the memory speaks of, in the person's zone, where it speaks of one."""
    scope: str = PRIVATE_SCOPE
    """Where it was said: ``PRIVATE_SCOPE``, or the name of a group."""
    origins: tuple[str, ...] = ()
    """The accounts it was said from; empty for what was kept before that was noted."""


class MemoryCandidate(Record):
    """Extracted or asked for, and not yet allowed. It never carries an importance."""

    content: str
    memory_type: ExtractedMemoryType
    should_store: bool
    """The advice of whoever made the candidate; hard rules have the last word."""
    policy_reason: MemoryPolicyReason
    evidence: Evidence


class ScoredMemoryCandidate(Record):
    """Allowed, and scored."""

    content: str
    memory_type: ExtractedMemoryType
    importance_score: ImportanceScore
    evidence: Evidence


class EmbeddedMemoryCandidate(ScoredMemoryCandidate):
    """Scored, with the vector of its content alone: importance is metadata, never embedded."""

    embedding: tuple[float, ...]


class StoredMemory(Record):
    """A memory as the store holds it."""

    memory_id: str
    content: str
    memory_type: StoredMemoryType
    importance_score: ImportanceScore
    """1..5; 3 where ``is_scored`` is false."""
    is_scored: bool
    """False for a record without a valid score: shown as "not scored", not as a 3."""
    source: MemorySource | None
    """None for records written before sources existed."""
    created_at: datetime | None
    """When it was stored, UTC; None for records that never said."""
    evidence: Evidence | None
    """None for records written before evidence was kept."""


class MemorySearchResult(StoredMemory):
    """A memory, and how near it is to one query."""

    distance: float
    """Cosine distance, 0..2, as the vector database returned it."""
    score: float
    """Calibrated relevance, 0..1."""
