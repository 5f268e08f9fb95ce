"""Quotes: are these the person's own words?

Tolerant of how words are written down (spaces, case, kinds of quotation marks, Unicode forms),
never of which words they are.
"""

import re
import unicodedata

_MARKS = str.maketrans("‘’‚‛“”„‟「」『』", '\'\'\'\'""""""""')
_INVISIBLE = re.compile(r"[\u200b-\u200f\u2060\ufeff\u00ad]")


def fold(text: str) -> str:
    """Return ``text`` in one form: NFKC, without case, invisible characters or runs of space."""
    visible = _INVISIBLE.sub("", unicodedata.normalize("NFKC", text))
    return " ".join(visible.translate(_MARKS).casefold().split())


def quote_is_in(quote: str, message: str) -> bool:
    """Say whether ``quote`` holds a letter or digit and stands in ``message``, word for word."""
    words = fold(quote)
    return any(character.isalnum() for character in words) and words in fold(message)
