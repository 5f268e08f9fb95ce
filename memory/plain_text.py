"""Text in one form, however it was typed.

Only the way of writing goes (width, invisible characters, digits of other scripts), never a word.
"""

import re
import unicodedata

_INVISIBLE = re.compile(
    r"[\u00ad\u034f\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff"
    r"\U000e0000-\U000e007f]"
)
_FOREIGN_DIGIT = re.compile(r"(?![0-9])\d")


def plain(text: str) -> str:
    """Return ``text`` as NFKC without invisible characters, its digits as 0 to 9."""
    visible = _INVISIBLE.sub("", unicodedata.normalize("NFKC", text))
    return _FOREIGN_DIGIT.sub(lambda digit: str(unicodedata.decimal(digit[0])), visible)
