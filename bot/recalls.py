"""What the last reply of each conversation considered: ids and numbers, no words."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.ext.asyncio import AsyncSession

from memory.database import Database
from memory.database.tables import RecallRow
from memory.retrieval import ConsideredMemory


@dataclass(frozen=True, slots=True)
class Recall:
    """The candidates of one reply, best first."""

    replied_at: datetime
    considered: list[dict[str, Any]]
    """memory_id, relevance, importance_score, is_scored, retrieval_score, outcome."""


async def save_recall(
    session: AsyncSession,
    conversation_id: str,
    replied_at: datetime,
    considered: Sequence[ConsideredMemory],
) -> None:
    """Keep it in place of the last one, within the caller's transaction."""
    rows = [
        {
            "memory_id": item.memory.memory_id,
            "relevance": item.memory.score,
            "importance_score": item.memory.importance_score,
            "is_scored": item.memory.is_scored,
            "retrieval_score": item.retrieval_score,
            "outcome": item.outcome,
        }
        for item in considered
    ]
    newest = {"replied_at": replied_at, "considered": rows}
    await session.execute(
        insert(RecallRow)
        .values(conversation_id=conversation_id, **newest)
        .on_conflict_do_update(index_elements=["conversation_id"], set_=newest),
    )


async def load_recall(database: Database, conversation_id: str) -> Recall | None:
    """Return the last one; None before the first reply."""
    async with database.reading() as session:
        row = await session.get(RecallRow, conversation_id)
        return None if row is None else Recall(row.replied_at, row.considered)
