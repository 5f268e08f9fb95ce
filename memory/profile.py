"""The profile: the stable few facts that are always in context.

It rests on the learner's own words as the memories do. What the policy would not keep as a memory
because it is sensitive or an instruction is not kept here either.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

from pydantic import Field
from sqlalchemy import delete, select
from sqlalchemy.dialects.sqlite import insert

from memory.clock import Clock
from memory.database import Database
from memory.database.tables import ProfileFactRow
from memory.errors import InputError
from memory.policy import find_violation
from memory.prompts.extraction import ProfileFact, ProfileField
from memory.quotes import quote_is_in
from memory.records import PRIVATE_SCOPE, Record
from memory.time_zones import is_time_zone

PROFILE_FIELDS: tuple[ProfileField, ...] = get_args(ProfileField)
MAX_VALUE_CHARACTERS = 200
MAX_GOALS = 5


class UserProfile(Record):
    """What is known of a learner for good; None and empty where nothing is."""

    name: str | None = None
    native_language: str | None = None
    level: str | None = None
    goals: tuple[str, ...] = Field(default=())
    """Newest last, at most ``MAX_GOALS``."""
    style: str | None = None
    time_zone: str | None = None
    """An IANA name."""

    def as_text(self) -> dict[str, str]:
        """Return the known fields as short texts, in their order."""
        fields = {**dict(self), "goals": "; ".join(self.goals)}
        return {name: value for name, value in fields.items() if value}


@dataclass(frozen=True, slots=True)
class UserProfileStore:
    """Reads and keeps one person's profile. Raises ``DatabaseError``."""

    database: Database
    person_id: str
    clock: Clock

    async def get(self, scope: str | None = None) -> UserProfile:
        """Return the profile as it stands, or what of it was said in ``scope``.

        The time zone is always there: without it no day could be told.
        """
        async with self.database.reading() as session:
            rows = await session.scalars(
                select(ProfileFactRow)
                .where(ProfileFactRow.person_id == self.person_id)
                .order_by(ProfileFactRow.updated_at, ProfileFactRow.id),
            )
            facts = [
                (row.field, row.value)
                for row in rows
                if scope in (None, row.scope) or row.field == "time_zone"
            ]
        single = {field: value for field, value in facts if field != "goal"}
        goals = tuple(value for field, value in facts if field == "goal")
        return UserProfile(**single, goals=goals[-MAX_GOALS:])

    async def apply(
        self,
        facts: Sequence[ProfileFact],
        *,
        scope: str = PRIVATE_SCOPE,
        origin: str | None = None,
    ) -> list[ProfileField]:
        """Keep what may be kept of facts said in ``scope``; return the fields that were set.

        ``origin`` is the account they were said from.
        """
        kept = [fact for fact in facts if find_fault(fact.field, fact.value) is None]
        for fact in kept:
            await self._write(fact, scope, origin)
        return [fact.field for fact in kept]

    async def set_field(
        self, field: ProfileField, value: str, *, origin: str | None = None
    ) -> None:
        """Set a field by hand; raises ``InputError`` where the value may not be kept."""
        fault = find_fault(field, value)
        if fault is not None:
            raise InputError(fault)
        await self.clear_field(field)
        fact = ProfileFact(field=field, value=value, quote=value)
        await self._write(fact, PRIVATE_SCOPE, origin)

    async def clear_field(self, field: ProfileField) -> None:
        """Forget a field."""
        async with self.database.transaction() as session:
            await session.execute(
                delete(ProfileFactRow).where(
                    ProfileFactRow.person_id == self.person_id, ProfileFactRow.field == field
                ),
            )

    async def forget_said(self, words: str) -> None:
        """Forget every fact that rests on ``words``, the quote of a memory that is forgotten."""
        async with self.database.transaction() as session:
            rows = await session.scalars(
                select(ProfileFactRow).where(ProfileFactRow.person_id == self.person_id),
            )
            for row in rows:
                if quote_is_in(row.quote, words):
                    await session.delete(row)

    async def _write(self, fact: ProfileFact, scope: str, origin: str | None) -> None:
        values = {
            "person_id": self.person_id,
            "field": fact.field,
            "value": fact.value.strip(),
            "quote": fact.quote,
            "scope": scope,
            "origin": origin,
            "updated_at": self.clock.now(),
        }
        if fact.field != "goal":
            await self.clear_field(fact.field)
        async with self.database.transaction() as session:
            newer = {"quote": fact.quote, "updated_at": values["updated_at"]}
            if scope != PRIVATE_SCOPE:  # a group that has heard it once may go on hearing it
                newer["scope"] = scope
            await session.execute(
                insert(ProfileFactRow)
                .values(values)
                .on_conflict_do_update(index_elements=["person_id", "field", "value"], set_=newer),
            )


def find_fault(field: ProfileField, value: str) -> str | None:
    """Say why a value may not stand in the profile, or return None."""
    text = value.strip()
    if not 0 < len(text) <= MAX_VALUE_CHARACTERS:
        return f"expected 1 to {MAX_VALUE_CHARACTERS} characters, found {len(text)}"
    violation = find_violation(text)
    if violation is not None:
        return f"expected nothing sensitive, found {violation}"
    if field == "time_zone" and not is_time_zone(text):
        return f"expected an IANA time zone such as Asia/Taipei, found {text!r}"
    return None
