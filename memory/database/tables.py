"""The tables. A person is one row; everything else hangs on it."""

from datetime import UTC, date, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    DateTime,
    Dialect,
    ForeignKey,
    Index,
    MetaData,
    String,
    Text,
    TypeDecorator,
    UniqueConstraint,
    true,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from memory.records import PRIVATE_SCOPE

ID_LENGTH = 32
ORIGIN_LENGTH = 100


class UtcDateTime(TypeDecorator[datetime]):
    """An aware moment; stored in UTC, since SQLite keeps no zone."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002 (SQLAlchemy's signature)
        """Store UTC; a naive moment is a fault of ours."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"expected an aware datetime, found {value!r}")
        return value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002 (SQLAlchemy's signature)
        """Read UTC."""
        return None if value is None else value.replace(tzinfo=UTC)


class Base(DeclarativeBase):
    """The root of all tables."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(column_0_label)s",
            "uq": "uq_%(table_name)s_%(column_0_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map = {datetime: UtcDateTime}  # noqa: RUF012 (SQLAlchemy reads it as it is)


def person_key(*, primary_key: bool = False) -> Mapped[str]:
    """Return a column that points to a person and goes with them."""
    return mapped_column(
        String(ID_LENGTH), ForeignKey("persons.id", ondelete="CASCADE"), primary_key=primary_key
    )


class PersonRow(Base):
    """A person. The Chroma collection is named for ``id``."""

    __tablename__ = "persons"

    id: Mapped[str] = mapped_column(String(ID_LENGTH), primary_key=True)
    created_at: Mapped[datetime]
    share_in_groups: Mapped[bool] = mapped_column(default=False)
    tells_kept: Mapped[bool] = mapped_column(default=True, server_default=true())
    """Whether a line says what was kept of a message."""
    merged_into: Mapped[str | None] = mapped_column(String(ID_LENGTH))
    """The person this one has become a part of; what still comes for this one is theirs."""


class AccountRow(Base):
    """An account on a platform, and the person behind it."""

    __tablename__ = "accounts"

    platform: Mapped[str] = mapped_column(String(32), primary_key=True)
    platform_user_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    person_id: Mapped[str] = person_key()


class ConversationRow(Base):
    """One person's thread in one place, and its rolling summary."""

    __tablename__ = "conversations"
    __table_args__ = (UniqueConstraint("person_id", "place"),)

    id: Mapped[str] = mapped_column(String(ID_LENGTH), primary_key=True)
    person_id: Mapped[str] = person_key()
    place: Mapped[str] = mapped_column(String(200))
    """Platform, chat and topic."""
    summary: Mapped[str] = mapped_column(Text, default="")
    in_context_after: Mapped[int] = mapped_column(default=0)
    """Turns up to this number are summed up, or were left behind by a reset."""


class TurnRow(Base):
    """One message of a conversation, by the learner or the assistant."""

    __tablename__ = "turns"
    __table_args__ = (
        UniqueConstraint("conversation_id", "platform_message_id"),
        Index("ix_turns_conversation_number", "conversation_id", "number"),
        Index("ix_turns_replies_to", "replies_to", unique=True),
    )

    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    """Rises with time."""
    id: Mapped[str] = mapped_column(String(ID_LENGTH), unique=True)
    conversation_id: Mapped[str] = mapped_column(
        String(ID_LENGTH), ForeignKey("conversations.id", ondelete="CASCADE")
    )
    speaker: Mapped[str] = mapped_column(String(16))
    text: Mapped[str] = mapped_column(Text)
    said_at: Mapped[datetime]
    platform_message_id: Mapped[str | None] = mapped_column(String(64))
    """None for the assistant's turns: a message that comes twice is taken once."""
    replies_to: Mapped[str | None] = mapped_column(String(ID_LENGTH))
    """The learner's turn that an assistant's turn answers: one message has one reply."""


class ProfileFactRow(Base):
    """One fact of a person's profile; a field may hold several (goals)."""

    __tablename__ = "profile_facts"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    person_id: Mapped[str] = person_key()
    field: Mapped[str] = mapped_column(String(32))
    value: Mapped[str] = mapped_column(String(200))
    quote: Mapped[str] = mapped_column(Text)
    scope: Mapped[str] = mapped_column(String(160), server_default=PRIVATE_SCOPE)
    origin: Mapped[str | None] = mapped_column(String(ORIGIN_LENGTH))
    """The account it was said from; None for one that was kept before that was noted."""
    updated_at: Mapped[datetime]

    __table_args__ = (UniqueConstraint("person_id", "field", "value"),)


class UsageRow(Base):
    """Tokens a person's calls cost, a row for each UTC day, purpose and model."""

    __tablename__ = "usage"

    person_id: Mapped[str] = person_key(primary_key=True)
    day: Mapped[date] = mapped_column(primary_key=True)
    purpose: Mapped[str] = mapped_column(String(16), primary_key=True)
    model: Mapped[str] = mapped_column(String(100), primary_key=True)
    input_tokens: Mapped[int]
    output_tokens: Mapped[int]


class JobRow(Base):
    """Background work for one person: it outlives the process."""

    __tablename__ = "jobs"
    __table_args__ = (
        Index("ix_jobs_state_run_at", "state", "run_at"),
        UniqueConstraint("kind", "key"),
    )

    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    """The order in which a person's jobs are run."""
    person_id: Mapped[str] = person_key()
    kind: Mapped[str] = mapped_column(String(32))
    key: Mapped[str] = mapped_column(String(64))
    """What the job is about: the same work is queued once."""
    payload: Mapped[dict[str, Any]] = mapped_column(JSON)
    state: Mapped[str] = mapped_column(String(16))
    attempts: Mapped[int] = mapped_column(default=0)
    run_at: Mapped[datetime]
    error: Mapped[str | None] = mapped_column(Text)
    """The name of the error that ended the last attempt, for people and the log; no words."""


class RecallRow(Base):
    """What the last reply of a conversation considered: ``/why`` shows it."""

    __tablename__ = "recalls"

    conversation_id: Mapped[str] = mapped_column(
        String(ID_LENGTH), ForeignKey("conversations.id", ondelete="CASCADE"), primary_key=True
    )
    replied_at: Mapped[datetime]
    considered: Mapped[list[dict[str, Any]]] = mapped_column(JSON)
    """Ids and numbers only: the words stay in the memories."""


class InboxRow(Base):
    """What a platform handed over, before the platform is told that it was received."""

    __tablename__ = "inbox"
    __table_args__ = (
        UniqueConstraint("source", "update_id"),
        Index("ix_inbox_source_state_lane", "source", "state", "lane", "number"),
    )

    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    """The order in which a lane is worked off."""
    source: Mapped[str] = mapped_column(String(64))
    """A platform and the bot's id there: another bot counts its updates anew."""
    update_id: Mapped[str] = mapped_column(String(64))
    lane: Mapped[str] = mapped_column(String(160))
    payload: Mapped[dict[str, Any] | None] = mapped_column(JSON)
    """None once it is done: what was said is not kept here."""
    state: Mapped[str] = mapped_column(String(16))
    received_at: Mapped[datetime]


class DeliveryRow(Base):
    """The one answer to one message, and how far it has come."""

    __tablename__ = "deliveries"

    place: Mapped[str] = mapped_column(String(160), primary_key=True)
    message_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    state: Mapped[str] = mapped_column(String(16))
    content: Mapped[dict[str, Any] | None] = mapped_column(JSON)
    """What is to be shown, once it is known; None again when it is out."""
    parts: Mapped[list[dict[str, Any]]] = mapped_column(JSON)
    """The platform's messages that carry it, in order."""
    updated_at: Mapped[datetime]


class PanelRow(Base):
    """A message with buttons: whose it is, and what it shows."""

    __tablename__ = "panels"

    id: Mapped[str] = mapped_column(String(16), primary_key=True)
    person_id: Mapped[str] = person_key()
    state: Mapped[dict[str, Any]] = mapped_column(JSON)
    updated_at: Mapped[datetime]


class UnreachablePlaceRow(Base):
    """A chat that refuses messages: nothing is sent there until someone writes in it again."""

    __tablename__ = "unreachable_places"

    place: Mapped[str] = mapped_column(String(160), primary_key=True)
    since: Mapped[datetime]


class MovedChatRow(Base):
    """A chat that a platform gave another id; it keeps its conversations and its scope."""

    __tablename__ = "moved_chats"

    platform: Mapped[str] = mapped_column(String(32), primary_key=True)
    chat_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    """The id it has now."""
    known_as: Mapped[str] = mapped_column(String(64))
    """The id it had when it was first seen."""


class PublishedMenuRow(Base):
    """The commands that a platform was last told, by their digest."""

    __tablename__ = "published_menus"

    platform: Mapped[str] = mapped_column(String(32), primary_key=True)
    bot_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    digest: Mapped[str] = mapped_column(String(64))


class LinkCodeRow(Base):
    """A code that joins another account to a person. The code itself is not kept."""

    __tablename__ = "link_codes"

    person_id: Mapped[str] = person_key(primary_key=True)
    """Each person has one code at most."""
    digest: Mapped[str] = mapped_column(String(64), unique=True)
    expires_at: Mapped[datetime]
    asked: Mapped[dict[str, Any]] = mapped_column(JSON)
    """The account, the place and the language that it was asked for in."""
    used_by: Mapped[str | None] = mapped_column(String(ORIGIN_LENGTH))
    """The account that was joined by it; None as long as it can be used."""


class LinkGuessRow(Base):
    """A code that was entered and was not right."""

    __tablename__ = "link_guesses"

    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    person_id: Mapped[str] = person_key()
    guessed_at: Mapped[datetime]
