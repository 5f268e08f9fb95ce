"""Chats that Telegram gave another id: a group that becomes a supergroup stays the same place."""

from dataclasses import dataclass, field

from sqlalchemy import select
from sqlalchemy.dialects.sqlite import insert

from bot.messages import Place
from memory.database import Database
from memory.database.tables import MovedChatRow


@dataclass(slots=True)
class ChatIds:
    """Which id a place had first, and which its chat has now."""

    platform: str
    database: Database
    _known_as: dict[str, str] = field(default_factory=dict)

    async def load(self) -> None:
        """Read what is known; raises ``DatabaseError``."""
        async with self.database.reading() as session:
            rows = await session.scalars(
                select(MovedChatRow).where(MovedChatRow.platform == self.platform)
            )
            self._known_as = {row.chat_id: row.known_as for row in rows}

    async def move(self, old_chat_id: int, new_chat_id: int) -> None:
        """Note that a chat has another id; raises ``DatabaseError``."""
        first = self.first_id(str(old_chat_id))
        values = {"platform": self.platform, "chat_id": str(new_chat_id), "known_as": first}
        async with self.database.transaction() as session:
            await session.execute(insert(MovedChatRow).values(values).on_conflict_do_nothing())
        self._known_as[str(new_chat_id)] = first

    def first_id(self, chat_id: str) -> str:
        """Return the id under which a chat is known here."""
        return self._known_as.get(chat_id, chat_id)

    def id_now(self, place: Place) -> int:
        """Return the id to write to."""
        moved = [now for now, first in self._known_as.items() if first == place.chat_id]
        return int(moved[-1] if moved else place.chat_id)
