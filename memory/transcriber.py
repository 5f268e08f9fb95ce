"""What a model that hears must be able to do. The port; this file knows no server."""

from typing import Protocol


class Transcriber(Protocol):
    """Turns speech into the words that were said, in the language they were said in."""

    async def transcribe(self, audio: bytes, *, file_name: str) -> str:
        """Return what is said in ``audio``; empty where nothing is.

        The ending of ``file_name`` tells the format, such as ``.ogg``. Raises ``ModelError``.
        """
        ...
