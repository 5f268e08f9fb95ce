"""Quotes: are these the person's own words?

Tolerant of how words are written down (spaces, case, kinds of quotation marks, Unicode forms),
never of which words they are.
"""

from memory.plain_text import plain

_MARKS = str.maketrans("‘’‚‛′“”„‟″「」『』", '\'\'\'\'\'"""""""""')


def fold(text: str) -> str:
    """Return ``text`` in one form: plain, without case or runs of space, with straight marks."""
    return " ".join(plain(text.translate(_MARKS)).translate(_MARKS).casefold().split())


def quote_is_in(quote: str, message: str) -> bool:
    """Say whether ``quote`` holds a letter or digit and stands in ``message``, word for word."""
    words = fold(quote)
    return any(character.isalnum() for character in words) and _stands_in(words, fold(message))


def _stands_in(words: str, text: str) -> bool:
    """Find ``words`` where they cut no Latin word in two: "art" does not stand in "start"."""
    start = text.find(words)
    while start >= 0:
        end = start + len(words)
        if not (_joins(text, start) or _joins(text, end)):
            return True
        start = text.find(words, start + 1)
    return False


def _joins(text: str, at: int) -> bool:
    """Say whether the characters on both sides of ``at`` belong to one word of an alphabet.

    Chinese and Japanese write no space between words: any place is an edge there.
    """
    return 0 < at < len(text) and all(
        _is_alphabetic(character) for character in text[at - 1 : at + 1]
    )


def _is_alphabetic(character: str) -> bool:
    return character.isalnum() and not "\u2e80" <= character <= "\ud7ff"
