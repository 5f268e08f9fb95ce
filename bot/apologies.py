"""The one place where errors become words for people.

Each class of error has its own text, named for it; a class without one speaks with its parent's.
"""

from bot.texts import Texts
from memory.errors import MemoraError


def apologize(error: MemoraError, texts: Texts) -> str:
    """Say what went wrong and what a person can do, without anything internal."""
    names = (f"error.{kind.__name__}" for kind in type(error).__mro__)
    key = next((name for name in names if texts.has(name)), "error.MemoraError")
    return texts(key, **_values(error, texts))


def _values(error: MemoraError, texts: Texts) -> dict[str, object]:
    """Return what an error offers to its text."""
    return {
        "memory_id": getattr(error, "memory_id", ""),
        "matches": getattr(error, "matches", ""),
        "characters": texts.number(getattr(error, "characters", 0)),
        "limit": texts.number(getattr(error, "limit", 0)),
    }
