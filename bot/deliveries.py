"""The record of each answer: one message gets one answer, whatever is retried or restarted.

Before a message is sent, the record says that it may be out; after the platform has said so, which
one it is. Between the two nobody knows, and it is not sent again.
"""

from dataclasses import asdict, dataclass, field
from datetime import datetime

from pydantic import TypeAdapter
from sqlalchemy import delete
from sqlalchemy.dialects.sqlite import insert

from bot.messages import OutgoingMessage, Place
from memory.clock import Clock
from memory.database import Database
from memory.database.tables import DeliveryRow, UnreachablePlaceRow

_CONTENT = TypeAdapter(OutgoingMessage)


@dataclass(slots=True)
class Part:
    """One of the platform's messages that carry an answer."""

    message_id: str | None
    """None where the platform has not said yet, or its word was lost."""
    is_final: bool
    """False for a preview, which is still to become the answer's beginning."""


@dataclass(slots=True)
class Delivery:
    """The answer to one message, as far as it has come."""

    place: str
    message_id: str
    state: str = "open"
    """open, done or failed."""
    content: OutgoingMessage | None = None
    """What is to be shown; None while it is being written, and once it is out."""
    parts: list[Part] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Deliveries:
    """The records. Raises ``DatabaseError``."""

    database: Database
    clock: Clock

    async def open(self, place: Place, message_id: str) -> Delivery:
        """Return the delivery of the answer to a message: the one that was begun, or a new one."""
        async with self.database.reading() as session:
            row = await session.get(DeliveryRow, (place.key, message_id))
        if row is None:
            return Delivery(place.key, message_id)
        content = None if row.content is None else _CONTENT.validate_python(row.content)
        parts = [Part(**part) for part in row.parts]
        return Delivery(row.place, row.message_id, row.state, content, parts)

    async def save(self, delivery: Delivery) -> None:
        """Write how far a delivery has come."""
        values = {
            "state": delivery.state,
            "content": None if delivery.content is None else asdict(delivery.content),
            "parts": [asdict(part) for part in delivery.parts],
            "updated_at": self.clock.now(),
        }
        async with self.database.transaction() as session:
            await session.execute(
                insert(DeliveryRow)
                .values(place=delivery.place, message_id=delivery.message_id, **values)
                .on_conflict_do_update(index_elements=["place", "message_id"], set_=values)
            )

    async def finish(self, delivery: Delivery, state: str) -> None:
        """End a delivery; what it said is not kept here."""
        delivery.state, delivery.content = state, None
        await self.save(delivery)

    async def forget_finished(self, before: datetime) -> None:
        """Delete the records of what was out ``before``."""
        async with self.database.transaction() as session:
            await session.execute(
                delete(DeliveryRow).where(
                    DeliveryRow.state != "open", DeliveryRow.updated_at < before
                )
            )

    async def mark_unreachable(self, place: Place) -> None:
        """Remember that a chat refuses our messages."""
        row = insert(UnreachablePlaceRow).values(place=place.key, since=self.clock.now())
        async with self.database.transaction() as session:
            await session.execute(row.on_conflict_do_nothing())

    async def mark_reachable(self, place: Place) -> None:
        """Someone wrote there: it takes messages again."""
        if not await self.is_unreachable(place):
            return
        async with self.database.transaction() as session:
            await session.execute(
                delete(UnreachablePlaceRow).where(UnreachablePlaceRow.place == place.key)
            )

    async def is_unreachable(self, place: Place) -> bool:
        """Say whether a chat refused the last message."""
        async with self.database.reading() as session:
            return await session.get(UnreachablePlaceRow, place.key) is not None
