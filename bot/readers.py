"""Whom a text is written for: the language and the time zone of the one who reads it."""

from collections.abc import Mapping
from dataclasses import dataclass

from bot.language import LanguageChoice
from bot.messages import Account, IncomingMessage
from bot.people import People, Person
from bot.rendering import Reader
from bot.texts import Texts
from memory.errors import MemoraError


@dataclass(frozen=True, slots=True)
class Readers:
    """Finds the reader behind a message or an account."""

    people: People
    texts: Mapping[str, Texts]
    language: LanguageChoice

    async def of(self, message: IncomingMessage) -> Reader:
        """Return the reader of an answer to ``message``."""
        return await self.behind(message.account, self.language(message.text, message.locale))

    async def behind(self, account: Account, language: str) -> Reader:
        """Return the reader behind an account; the default zone where theirs cannot be read."""
        try:
            return await self.of_person(await self.people.of(account), language)
        except MemoraError:
            return Reader(self.texts[language], self.people.default_time_zone)

    async def of_person(self, person: Person, language: str) -> Reader:
        """Return a person as a reader of ``language``; raises ``DatabaseError``."""
        zone = self.people.time_zone(await person.profile.get())
        return Reader(self.texts[language], zone)
