"""Rules in place of a language model: no network, no key, and honest about it."""

from memory.models.offline.model import OfflineLanguageModel

__all__ = ["OfflineLanguageModel"]
