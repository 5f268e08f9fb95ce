"""One person's collection in Chroma: nothing but vector-database work, no ranking policy.

Every call runs in a worker thread, since Chroma's client blocks.
"""

import asyncio
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from math import inf
from typing import Any, TypeVar, cast, get_args

import numpy as np
from chromadb.api import ClientAPI
from chromadb.api.models.Collection import Collection
from chromadb.api.types import Where
from chromadb.errors import ChromaError, InvalidArgumentError, NotFoundError
from numpy.typing import NDArray

from memory.calibration import Calibration
from memory.errors import (
    DiskFullError,
    EmbedderMismatchError,
    MemoryNotFoundError,
    VectorStoreError,
)
from memory.importance import find_importance_score, read_importance_score
from memory.records import (
    PRIVATE_SCOPE,
    EmbeddedMemoryCandidate,
    Evidence,
    MemorySearchResult,
    MemorySource,
    StoredMemory,
    StoredMemoryType,
)

COLLECTION_CONFIGURATION = {
    # Chroma 1.5 loses an index that is evicted from its cache before it was ever written out
    # ("Nothing found on disk"), so each write is written out at once.
    "hnsw": {"space": "cosine", "sync_threshold": 1, "batch_size": 1},
}

LEAST_FREE_BYTES = 2**20
"""A write that fails with less space than this is taken to have failed for it."""

ORIGIN_SEPARATOR = "\n"

Metadata = dict[str, str | int | float | bool]
Result = TypeVar("Result")
Known = TypeVar("Known")


@dataclass(frozen=True, slots=True)
class VectorSpace:
    """Which embedder made the vectors, how long they are, and what their cosines mean."""

    fingerprint: str
    dimensions: int
    calibration: Calibration


@dataclass(frozen=True, slots=True)
class StoredRecord:
    """A memory with its vector, exactly as it is stored."""

    memory_id: str
    content: str
    metadata: Mapping[str, Any]
    embedding: Sequence[float]

    @property
    def origins(self) -> tuple[str, ...]:
        """The accounts it was said from."""
        return _read_origins(self.metadata)

    def with_origins(self, origins: Sequence[str]) -> "StoredRecord":
        """Return it as one that was said from ``origins``."""
        metadata = {**self.metadata, "origins": ORIGIN_SEPARATOR.join(origins)}
        return replace(self, metadata=metadata)


@dataclass(slots=True)
class LongTermMemoryStore:
    """One person's memories. The collection comes into being with the first memory.

    Methods raise ``VectorStoreError`` where Chroma fails, ``DiskFullError`` where it cannot
    write, and ``EmbedderMismatchError`` where the collection was made in another vector space.
    """

    client: ClientAPI
    person_id: str
    space: VectorSpace
    _collection: Collection | None = field(default=None, init=False)

    @property
    def collection_name(self) -> str:
        """The collection's name in Chroma."""
        return f"person-{self.person_id}"

    async def add(
        self,
        memories: Sequence[EmbeddedMemoryCandidate],
        *,
        memory_ids: Sequence[str],
        source: MemorySource,
        created_at: datetime,
    ) -> None:
        """Write all ``memories`` in one call; an id that exists is overwritten."""
        if not memories:
            return
        await self._run(
            lambda collection: collection.upsert(
                ids=list(memory_ids),
                documents=[item.content for item in memories],
                embeddings=_matrix([item.embedding for item in memories]),
                metadatas=[
                    write_metadata(item, source=source, created_at=created_at) for item in memories
                ],
            ),
            create=True,
        )

    async def search(
        self, vector: Sequence[float], top_k: int, *, scope: str | None = None
    ) -> list[MemorySearchResult]:
        """Return the ``top_k`` nearest memories, nearest first.

        ``scope`` limits them to those made there; None takes all.
        """
        found = await self._run(
            lambda collection: collection.query(
                query_embeddings=_matrix([vector]),
                n_results=top_k,
                where=None if scope is None else {"scope": scope},
                include=["documents", "metadatas", "distances"],
            ),
        )
        if found is None:
            return []
        columns = (found["ids"], found["documents"], found["metadatas"], found["distances"])
        rows = zip(*(cast("list[list[Any]]", column)[0] for column in columns), strict=True)
        return [self._result(*row) for row in rows]

    async def list_all(self, *, scope: str | None = None) -> list[StoredMemory]:
        """Return all memories, newest first; those without a date come last."""
        memories = await self._get(where=None if scope is None else {"scope": scope})
        oldest = datetime.min.replace(tzinfo=UTC)
        return sorted(memories, key=lambda item: item.created_at or oldest, reverse=True)

    async def list_from_message(self, message_id: str) -> list[StoredMemory]:
        """Return the memories that rest on one message."""
        return await self._get(where={"message_id": message_id})

    async def get(self, memory_id: str) -> StoredMemory:
        """Return one memory; raises ``MemoryNotFoundError``."""
        found = await self._get(ids=[memory_id])
        if not found:
            raise MemoryNotFoundError(memory_id)
        return found[0]

    async def update(
        self, memory_id: str, *, content: str, embedding: Sequence[float]
    ) -> StoredMemory:
        """Give a memory another text and its vector; raises ``MemoryNotFoundError``."""
        await self.get(memory_id)
        await self._run(
            lambda collection: collection.update(
                ids=[memory_id], documents=[content], embeddings=_matrix([embedding])
            ),
        )
        return await self.get(memory_id)

    async def delete(self, memory_id: str) -> StoredMemory:
        """Delete a memory and return what it was; raises ``MemoryNotFoundError``."""
        memory = await self.get(memory_id)
        await self._run(lambda collection: collection.delete(ids=[memory_id]))
        return memory

    async def read_records(self) -> list[StoredRecord]:
        """Return everything there is, with its vectors, in no particular order."""
        found = await self._run(
            lambda collection: collection.get(include=["documents", "metadatas", "embeddings"])
        )
        if found is None:
            return []
        columns = (found["ids"], found["documents"], found["metadatas"], found["embeddings"])
        rows = zip(*(cast("list[Any]", column) for column in columns), strict=True)
        return [
            StoredRecord(memory_id, document or "", metadata or {}, vector)
            for memory_id, document, metadata, vector in rows
        ]

    async def write_records(self, records: Sequence[StoredRecord]) -> None:
        """Write records as they are, in one call; an id that exists is overwritten."""
        if not records:
            return
        await self._run(
            lambda collection: collection.upsert(
                ids=[record.memory_id for record in records],
                documents=[record.content for record in records],
                embeddings=_matrix([record.embedding for record in records]),
                metadatas=[dict(record.metadata) for record in records],
            ),
            create=True,
        )

    async def delete_records(self, memory_ids: Sequence[str]) -> None:
        """Delete memories; those that are gone already do not matter."""
        if memory_ids:
            await self._run(lambda collection: collection.delete(ids=list(memory_ids)))

    async def drop(self) -> None:
        """Delete the whole collection; where there is none, that is all right."""
        await asyncio.to_thread(self._drop_blocking)

    async def count(self) -> int:
        """Return how many memories there are."""
        return await self._run(lambda collection: collection.count()) or 0

    async def _get(
        self, *, ids: list[str] | None = None, where: Where | None = None
    ) -> list[StoredMemory]:
        found = await self._run(
            lambda collection: collection.get(
                ids=ids, where=where, include=["documents", "metadatas"]
            ),
        )
        if found is None:
            return []
        columns = (found["ids"], found["documents"], found["metadatas"])
        rows = zip(*(cast("list[Any]", column) for column in columns), strict=True)
        return [read_memory(*row) for row in rows]

    def _result(
        self, memory_id: str, document: str | None, metadata: Mapping[str, Any], distance: float
    ) -> MemorySearchResult:
        memory = read_memory(memory_id, document, metadata)
        relevance = self.space.calibration.relevance(1 - distance)
        return MemorySearchResult(**dict(memory), distance=distance, score=relevance)

    async def _run(
        self, operation: Callable[[Collection], Result], *, create: bool = False
    ) -> Result | None:
        """Run one operation on the collection; None where there is no collection."""
        return await asyncio.to_thread(self._run_blocking, operation, create=create)

    def _run_blocking(
        self, operation: Callable[[Collection], Result], *, create: bool
    ) -> Result | None:
        with chroma_errors(self.client, self.space):
            if self._collection is not None:
                with suppress(NotFoundError):  # deleted since it was opened
                    return operation(self._collection)
            self._collection = self._open(create=create)
            if self._collection is None:
                return None
            return operation(self._collection)

    def _drop_blocking(self) -> None:
        self._collection = None
        with chroma_errors(self.client, self.space), suppress(NotFoundError):
            self.client.delete_collection(self.collection_name)

    def _open(self, *, create: bool) -> Collection | None:
        try:
            collection = self.client.get_collection(self.collection_name, embedding_function=None)
        except NotFoundError:
            if not create:
                return None
            collection = self.client.create_collection(
                self.collection_name,
                embedding_function=None,
                configuration=cast("Any", COLLECTION_CONFIGURATION),
                metadata={
                    "embedder": self.space.fingerprint,
                    "dimensions": self.space.dimensions,
                },
                get_or_create=True,
            )
        stored = (collection.metadata or {}).get("embedder", self.space.fingerprint)
        if stored != self.space.fingerprint:
            raise EmbedderMismatchError(stored=str(stored), configured=self.space.fingerprint)
        return collection


@contextmanager
def chroma_errors(client: ClientAPI, space: VectorSpace) -> Iterator[None]:
    """Turn Chroma's errors into ours.

    What Chroma says of a full disk names anything but the disk, so the disk is asked.
    """
    try:
        yield
    except InvalidArgumentError as error:
        if "dimension" in str(error):
            raise EmbedderMismatchError(
                stored="an embedder with other dimensions", configured=space.fingerprint
            ) from error
        raise VectorStoreError(f"Chroma refused the call: {error}") from error
    except (ChromaError, OSError) as error:
        reason = str(error)
        if free_bytes(client) < LEAST_FREE_BYTES:
            raise DiskFullError("Chroma found no space left on the disk") from error
        raise VectorStoreError(f"Chroma failed: {reason}") from error


def free_bytes(client: ClientAPI) -> float:
    """Return the space left where an embedded Chroma keeps its data; infinite for a server's."""
    settings = client.get_settings()
    if not settings.is_persistent:
        return inf
    try:
        return float(shutil.disk_usage(settings.persist_directory).free)
    except OSError:
        return inf


def write_metadata(
    memory: EmbeddedMemoryCandidate, *, source: MemorySource, created_at: datetime
) -> Metadata:
    """Return what stands beside a memory's text in Chroma; times are UTC in ISO 8601."""
    evidence = memory.evidence
    metadata: Metadata = {
        "source": source,
        "created_at": created_at.astimezone(UTC).isoformat(),
        "memory_type": memory.memory_type,
        "importance_score": memory.importance_score,
        "scope": evidence.scope,
        "message_id": evidence.message_id,
        "quote": evidence.quote,
        "said_at": evidence.said_at.astimezone(UTC).isoformat(),
    }
    if evidence.event_on is not None:
        metadata["event_on"] = evidence.event_on.isoformat()
    if evidence.origins:
        metadata["origins"] = ORIGIN_SEPARATOR.join(evidence.origins)
    return metadata


def read_memory(
    memory_id: str, document: str | None, metadata: Mapping[str, Any] | None
) -> StoredMemory:
    """Read a record, however old: what it lacks reads as unknown, never as an error."""
    metadata = metadata or {}
    return StoredMemory(
        memory_id=memory_id,
        content=document or "",
        memory_type=_one_of(get_args(StoredMemoryType), metadata.get("memory_type"))
        or "unclassified",
        importance_score=read_importance_score(metadata),
        is_scored=find_importance_score(metadata) is not None,
        source=_one_of(get_args(MemorySource), metadata.get("source")),
        created_at=_read_time(metadata.get("created_at")),
        evidence=_read_evidence(metadata),
    )


def _matrix(vectors: Sequence[Sequence[float]]) -> NDArray[np.float32]:
    return np.asarray(vectors, dtype=np.float32)


def _read_evidence(metadata: Mapping[str, Any]) -> Evidence | None:
    said_at = _read_time(metadata.get("said_at"))
    message_id, quote = metadata.get("message_id"), metadata.get("quote")
    if said_at is None or not isinstance(message_id, str) or not isinstance(quote, str):
        return None
    return Evidence(
        message_id=message_id,
        quote=quote,
        said_at=said_at,
        event_on=_read_day(metadata.get("event_on")),
        scope=str(metadata.get("scope", PRIVATE_SCOPE)),
        origins=_read_origins(metadata),
    )


def _read_origins(metadata: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(filter(None, str(metadata.get("origins", "")).split(ORIGIN_SEPARATOR)))


def _one_of(known: tuple[Known, ...], value: object) -> Known | None:
    return next((item for item in known if item == value), None)


def _read_time(value: object) -> datetime | None:
    try:
        moment = datetime.fromisoformat(str(value))
    except ValueError:
        return None
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def _read_day(value: object) -> date | None:
    try:
        return date.fromisoformat(str(value))
    except ValueError:
        return None
