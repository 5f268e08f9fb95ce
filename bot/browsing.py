"""Ways through a person's memories: which kind, in which order, which page."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Literal, get_args

from memory.records import StoredMemory, StoredMemoryType

PAGE_SIZE = 8

KindFilter = Literal["all"] | StoredMemoryType
Order = Literal["newest", "importance"]
KINDS: tuple[KindFilter, ...] = ("all", *get_args(StoredMemoryType))
ORDERS: tuple[Order, ...] = get_args(Order)


@dataclass(frozen=True, slots=True)
class Browse:
    """Which memories are asked for."""

    query: str | None = None
    """Words to search for; None to list everything."""
    kind: KindFilter = "all"
    order: Order = "newest"
    page: int = 1
    """From 1."""


def pick_page(
    memories: Sequence[StoredMemory], browse: Browse
) -> tuple[list[StoredMemory], int, int]:
    """Return the memories of one page, the number of pages and of memories on all of them.

    ``memories`` come newest first. A page that does not exist is empty.
    """
    chosen = [item for item in memories if browse.kind in ("all", item.memory_type)]
    if browse.order == "importance":
        chosen.sort(key=lambda item: -item.importance_score)
    start = (browse.page - 1) * PAGE_SIZE
    return chosen[start : start + PAGE_SIZE], ceil(len(chosen) / PAGE_SIZE), len(chosen)
