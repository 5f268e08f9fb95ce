"""When two statements are the same: which words they are, not how they are written down.

Careful on purpose: case, spaces, marks at the edges of words and articles make no difference, every
other word, number and sign does. What means the same in other words is for a model to say.
"""

from memory.quotes import fold

_MARKS = ".,;:!?…\"'()[]{}<>*_~`|。，、；：！？「」『』（）《》〈〉·-–—"
_ARTICLES = frozenset({"a", "an", "the"})


def statement_key(text: str) -> str:
    """Return what two statements share that are the same; the text itself where no word is left."""
    words = (word.strip(_MARKS) for word in fold(text).split())
    return " ".join(word for word in words if word and word not in _ARTICLES) or fold(text)
