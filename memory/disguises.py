"""Disguises: the readings a text has for someone who knows how to look.

A model reads through look-alike letters, spaced-out words, digits for letters and simple encodings;
so must a rule about what text says. Readings are only for judging, never for keeping.
"""

import base64
import binascii
import codecs
import html
import re
import unicodedata
from urllib.parse import unquote

from memory.plain_text import plain

_LOOKALIKES = str.maketrans(
    "абвгеёзіїјкмнорстухѕԁԛԝһӏɡıαβεηικμνορτυχ",
    "a6breeзiijkmhopctyxsdqwhlgiabenikuvoptux",
)
"""Small Cyrillic and Greek letters, and the Latin ones they are taken for."""
_DIGITS_FOR_LETTERS = str.maketrans("0134578@$", "oieastbas")
_SPACED_OUT = re.compile(r"(?<!\w)(?:\w[\s._*|-]{1,2}){4,200}\w(?!\w)")
_SEPARATOR = re.compile(r"[\s._*|-]")
_INSIDE_WORD = re.compile(r"(?<=[^\W\d_])[*_.|-](?=[^\W\d_])")
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{16,20000}={0,2}")


def readings(text: str) -> list[str]:
    """Return every reading of ``text``, without case, each run of spaces as one."""
    clear = plain(text)
    decoded = [_from_base64(item) for item in _BASE64.findall(clear)]
    decoded += [html.unescape(clear), unquote(clear), codecs.encode(clear, "rot13")]
    found = [
        reading
        for version in (clear, *decoded)
        if version
        for reading in _undisguised(plain(version).casefold())
    ]
    return list(dict.fromkeys(map(_one_spaced, found)))


def compact_readings(text: str) -> list[str]:
    """Return the readings of spaced-out text with no space at all, for text that has such words."""
    return [
        _SEPARATOR.sub("", reading)
        for reading in readings(text)
        if _SPACED_OUT.search(reading) is not None
    ]


def _undisguised(clear: str) -> list[str]:
    latin = _without_accents(clear).translate(_LOOKALIKES)
    return [
        clear,
        latin,
        _SPACED_OUT.sub(lambda match: _SEPARATOR.sub("", match[0]), latin),
        _INSIDE_WORD.sub("", latin),
        latin.translate(_DIGITS_FOR_LETTERS),
    ]


def _without_accents(text: str) -> str:
    return "".join(
        character
        for character in unicodedata.normalize("NFD", text)
        if not unicodedata.combining(character)
    )


def _one_spaced(text: str) -> str:
    return re.sub(r"[^\S\n]+", " ", text)


def _from_base64(text: str) -> str:
    """Return what base64 says, or nothing where it says no text."""
    standard = text.rstrip("=").translate(str.maketrans("-_", "+/"))
    try:
        decoded = base64.b64decode(standard + "=" * (-len(standard) % 4), validate=True).decode()
    except (binascii.Error, ValueError):
        return ""
    return decoded if decoded.isprintable() else ""
