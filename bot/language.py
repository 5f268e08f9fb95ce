"""Which language a person is written to in."""

import re
from collections.abc import Callable

ENGLISH = "en"
TRADITIONAL_CHINESE = "zh_Hant_TW"
LANGUAGES = (ENGLISH, TRADITIONAL_CHINESE)

LanguageChoice = Callable[[str, str | None], str]
"""Chooses by a text and the platform's locale."""

_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")


def choose_language(text: str, locale: str | None, *, fixed: str = "auto") -> str:
    """Return the language for an answer to ``text``.

    A language that is set is taken; then Chinese for a text with Chinese characters; then the
    platform's ``locale``, such as ``zh-TW``; then English.
    """
    if fixed != "auto":
        return fixed
    if _HAN.search(text) or (locale or "").lower().startswith("zh"):
        return TRADITIONAL_CHINESE
    return ENGLISH
