"""Every error the memory system raises.

::

    MemoraError
    ├── ConfigError                     a setting is missing, unknown or out of range
    ├── InputError                      what a person typed cannot be used
    │   ├── MessageTooLongError         longer than the configured limit
    │   ├── MemoryNotFoundError         no memory of this person has that id
    │   └── AmbiguousMemoryIdError      more than one memory's id begins so
    ├── ModelError                      the language model or the embedder did not do its work
    │   ├── ModelUnreachableError       no connection, or the server broke it off
    │   ├── ModelTimeoutError           no answer in time
    │   ├── ModelAuthenticationError    401 or 403: the key
    │   ├── ModelNotFoundError          404: the model's name or the URL
    │   ├── ModelRateLimitError         429: too fast, or the quota is used up
    │   ├── ModelRequestError           any other refusal of the request
    │   └── ModelAnswerError            an answer came, and it cannot be used
    │       ├── RefusedAnswerError      the model declined
    │       ├── EmptyAnswerError        nothing in it
    │       ├── TruncatedAnswerError    cut off at the token limit
    │       ├── InvalidAnswerError      not of the promised schema
    │       ├── ImportanceAnswerError   an importance missing, unknown or given twice
    │       └── EmbeddingAnswerError    another number or size of vectors than asked for
    └── StorageError                    the data could not be read or written
        ├── DataFolderError             the folder cannot be used
        ├── DataFolderInUseError        another process works in it
        ├── DiskFullError               no space left
        ├── DatabaseError               the relational database
        ├── VectorStoreError            the vector database
        └── EmbedderMismatchError       the collection was made with another embedder

Messages say what was expected and what was found, for the log and for whoever runs the bot. They
never hold a person's words or a secret. ``bot.apologies`` turns them into words for people.
"""

from memory.usage import TokenUsage


class MemoraError(Exception):
    """The root: whatever Memora raises on purpose is one of these."""


class ConfigError(MemoraError):
    """A setting is missing, unknown, of the wrong type or out of range."""


class InputError(MemoraError):
    """What a person typed cannot be used as it is."""


class MessageTooLongError(InputError):
    """A message is longer than it may be."""

    def __init__(self, *, characters: int, limit: int) -> None:
        super().__init__(f"expected at most {limit} characters, found {characters}")
        self.characters = characters
        self.limit = limit


class MemoryNotFoundError(InputError):
    """No memory of this person has such an id."""

    def __init__(self, memory_id: str) -> None:
        super().__init__(f"expected the id of a memory, found {memory_id!r}")
        self.memory_id = memory_id


class AmbiguousMemoryIdError(InputError):
    """More than one memory's id begins with what was given."""

    def __init__(self, memory_id: str, matches: int) -> None:
        super().__init__(f"expected the beginning of one id, found {matches} for {memory_id!r}")
        self.memory_id = memory_id
        self.matches = matches


class ModelError(MemoraError):
    """The language model or the embedder did not do its work."""


class ModelUnreachableError(ModelError):
    """No connection to the model's server, or it broke off."""


class ModelTimeoutError(ModelError):
    """The model's server did not answer within the time allowed."""


class ModelAuthenticationError(ModelError):
    """The model's server did not accept the key (HTTP 401 or 403)."""


class ModelNotFoundError(ModelError):
    """The model's server knows no such model or path (HTTP 404)."""


class ModelRateLimitError(ModelError):
    """Too many requests or no quota left (HTTP 429).

    ``retry_after`` is in seconds, or None where the server named no time.
    """

    def __init__(self, message: str, *, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class ModelRequestError(ModelError):
    """The model's server refused or failed the request for another reason."""


class ModelAnswerError(ModelError):
    """An answer came and cannot be used. ``usage`` is what it cost all the same."""

    def __init__(self, message: str, *, usage: TokenUsage | None = None) -> None:
        super().__init__(message)
        self.usage = usage or TokenUsage()


class RefusedAnswerError(ModelAnswerError):
    """The model declined to answer."""


class EmptyAnswerError(ModelAnswerError):
    """The answer holds nothing."""


class TruncatedAnswerError(ModelAnswerError):
    """The answer was cut off at the token limit."""


class InvalidAnswerError(ModelAnswerError):
    """The answer does not follow the schema it was asked in."""


class ImportanceAnswerError(ModelAnswerError):
    """An importance is missing, given twice, or given for a candidate that does not exist."""


class EmbeddingAnswerError(ModelAnswerError):
    """The embedder returned another number of vectors, or vectors of another size, than asked."""


class StorageError(MemoraError):
    """The data could not be read or written."""


class DataFolderError(StorageError):
    """The data folder cannot be created, read or written."""


class DataFolderInUseError(StorageError):
    """Another process is working in the data folder."""


class DiskFullError(StorageError):
    """There is no space left where the data is."""


class DatabaseError(StorageError):
    """The relational database could not be read or written."""


class VectorStoreError(StorageError):
    """The vector database could not be read or written."""


class EmbedderMismatchError(StorageError):
    """A collection holds vectors of another embedder than the configured one."""

    def __init__(self, *, stored: str, configured: str) -> None:
        super().__init__(
            f"the memories were embedded by {stored!r}, but {configured!r} is configured: "
            f"set the embedding section back to it, or use another data folder",
        )
        self.stored = stored
        self.configured = configured
