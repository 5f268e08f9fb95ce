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

    The origins are those of memories whose own was never noted; "" leaves them as they are. Raises
    ``VectorStoreError`` and ``DiskFullError``; then some may be in both, and none is lost.
    """
    coming = [_from(record, source_origin) for record in await source.read_records()]
    stored = {record.memory_id: record for record in await target.read_records()}
    joined = {key: _from(record, target_origin) for key, record in stored.items()}
    known = {_sameness(record): key for key, record in joined.items()}
    moved = Moved()
    for record in coming:
        key = known.setdefault(_sameness(record), record.memory_id)
        if key not in joined:
            joined[key] = record
            moved = replace(moved, moved=moved.moved + 1)
        elif key != record.memory_id:
            both = dict.fromkeys([*joined[key].origins, *record.origins])
            joined[key] = joined[key].with_origins(list(both))
            moved = replace(moved, same=moved.same + 1)
    # What stands already is not written again: it may have been changed or forgotten meanwhile.
    changed = [record for key, record in joined.items() if record is not stored.get(key)]
    await target.write_records(changed)
    await _leave(source, {record.memory_id for record in coming})
    return moved


async def _leave(source: LongTermMemoryStore, gone: set[str]) -> None:
    """Take from a collection what has moved; all of it, unless something came in meanwhile."""
    if {memory.memory_id for memory in await source.list_all()} <= gone:
        await source.drop()
    else:
        await source.delete_records(list(gone))


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
    await source.write_records(staying)
    await source.delete_records([record.memory_id for record, rest in others if not rest])
    return Moved(moved=len(leaving) - len(staying), same=len(staying))


def _from(record: StoredRecord, origin: str) -> StoredRecord:
    return record.with_origins([origin]) if origin and not record.origins else record


def _sameness(record: StoredRecord) -> tuple[str, str]:
    """Return what makes two memories the same: where they were made, and their words."""
    return str(record.metadata.get("scope", PRIVATE_SCOPE)), statement_key(record.content)
