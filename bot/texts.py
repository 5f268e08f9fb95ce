"""The words for people: one catalogue a language, in ``locales``.

Adding a language is adding a file.

Code names a text by its key; the catalogue holds the words, its plural forms, and nothing else.
Dates and numbers follow the language's locale.
"""

import gettext
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from io import BytesIO
from pathlib import Path
from typing import Self
from zoneinfo import ZoneInfo

from babel import Locale
from babel.dates import format_date, format_datetime
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import format_decimal

LOCALES = Path(__file__).parent / "locales"


@dataclass(frozen=True, slots=True)
class Texts:
    """The words of one language."""

    language: str
    translations: gettext.NullTranslations

    @classmethod
    def load(cls, language: str) -> Self:
        """Read the catalogue of ``language``; raises ``FileNotFoundError`` where there is none."""
        compiled = BytesIO()
        write_mo(compiled, read_catalog(language))
        compiled.seek(0)
        return cls(language, gettext.GNUTranslations(compiled))

    def __call__(self, key: str, /, **values: object) -> str:
        """Return the text for ``key`` with ``values`` filled in; raises ``KeyError``."""
        return self._found(key, self.translations.gettext(key)).format(**values)

    def plural(self, key: str, count: int, /, **values: object) -> str:
        """Return the text for ``key`` in the form for ``count``, which it may name {count}."""
        text = self._found(key, self.translations.ngettext(key, key, count))
        return text.format(count=self.number(count), **values)

    def has(self, key: str) -> bool:
        """Say whether there is a text for ``key``."""
        return self.translations.gettext(key) != key

    def number(self, value: float) -> str:
        """Write a number."""
        return format_decimal(value, locale=self._locale)

    def day(self, value: date) -> str:
        """Write a day."""
        return format_date(value, format="medium", locale=self._locale)

    def moment(self, value: datetime, time_zone: ZoneInfo) -> str:
        """Write a moment in ``time_zone``, to the minute."""
        local = value.astimezone(time_zone)
        return format_datetime(local, format="medium", locale=self._locale).replace("\u202f", " ")

    def listed(self, items: list[str]) -> str:
        """Join short items."""
        return self("list.separator").join(items)

    @property
    def _locale(self) -> Locale:
        return Locale.parse(self.language)

    @staticmethod
    def _found(key: str, text: str) -> str:
        if text == key:
            raise KeyError(key)
        return text


def read_catalog(language: str) -> Catalog:
    """Read the words of ``language`` as they are written."""
    with (LOCALES / f"{language}.po").open("rb") as file:
        return read_po(file, locale=language)


def load_texts() -> Mapping[str, Texts]:
    """Read every catalogue there is."""
    return {path.stem: Texts.load(path.stem) for path in sorted(LOCALES.glob("*.po"))}
