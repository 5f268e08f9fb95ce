"""Moving memories between two collections: when accounts become one person, and when they part.

What moves keeps its id, its vector and everything that is known of it: nothing is scored or
embedded again. Everything here can be run again, after a failure in the middle too: it is written
where it goes before it is taken from where it was.
"""

from dataclasses import dataclass, replace

from memory.records import PRIVATE_SCOPE
from memory.sameness import statement_key
from memory.store import LongTermMemoryStore, StoredRecord


@dataclass(frozen=True, slots=True)
class Moved:
    """What came of it."""

    moved: int = 0
    same: int = 0
    """Memories that the target had already, in the same words: they are kept once."""


async def merge_memories(
    source: LongTermMemoryStore,
    target: LongTermMemoryStore,
    *,
    source_origin: str,
    target_origin: str,
) -> Moved:
    """Move all of ``source`` to ``target``, and delete the collection that is empty then.

    The origins are those of memories whose own was never noted. Raises ``VectorStoreError`` and
    ``DiskFullError``; then some may be in both, and none is lost.
    """
    coming = [_from(record, source_origin) for record in await source.read_records()]
    there = [_from(record, target_origin) for record in await target.read_records()]
    known = {_sameness(record): record for record in there}
    joined: dict[str, StoredRecord] = {record.memory_id: record for record in there}
    moved = Moved()
    for record in coming:
        same = known.get(_sameness(record))
        if same is None:
            known[_sameness(record)] = joined[record.memory_id] = record
            moved = replace(moved, moved=moved.moved + 1)
        elif same.memory_id != record.memory_id:
            both = tuple(dict.fromkeys([*joined[same.memory_id].origins, *record.origins]))
            joined[same.memory_id] = joined[same.memory_id].with_origins(both)
            moved = replace(moved, same=moved.same + 1)
    if coming:
        await target.write_records(list(joined.values()))
    await source.drop()
    return moved


async def split_memories(
    source: LongTermMemoryStore, target: LongTermMemoryStore, *, origin: str
) -> Moved:
    """Move what was said from ``origin`` to ``target``; what was said elsewhere too stays as well.

    Raises ``VectorStoreError`` and ``DiskFullError``; then some may be in both, and none is lost.
    """
    leaving = [record for record in await source.read_records() if origin in record.origins]
    if not leaving:
        return Moved()
    await target.write_records([record.with_origins([origin]) for record in leaving])
    others = [(record, [item for item in record.origins if item != origin]) for record in leaving]
    staying = [record.with_origins(rest) for record, rest in others if rest]
    if staying:
        await source.write_records(staying)
    await source.delete_records([record.memory_id for record, rest in others if not rest])
    return Moved(moved=len(leaving) - len(staying), same=len(staying))


def _from(record: StoredRecord, origin: str) -> StoredRecord:
    return record if record.origins else record.with_origins([origin])


def _sameness(record: StoredRecord) -> tuple[str, str]:
    """Return what makes two memories the same: where they were made, and their words."""
    return str(record.metadata.get("scope", PRIVATE_SCOPE)), statement_key(record.content)
