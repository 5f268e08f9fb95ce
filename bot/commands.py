"""The commands, free of any platform: a call in, a view out.

A command that cannot use what was typed answers with one line that helps; it raises nothing for
that. Faults of the model and of the storage are turned into an ``Apology`` in one place here.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from math import ceil

from rapidfuzz import process

from bot.jobs import JobQueue
from bot.language import LanguageChoice
from bot.messages import IncomingMessage
from bot.people import People, Person
from bot.recalls import load_recall
from bot.remembering import REMEMBER_REQUEST, turn_payload
from bot.views import (
    Apology,
    Considered,
    Forgotten,
    Help,
    Line,
    MemoryPage,
    ProfileCard,
    RememberResult,
    SearchResults,
    Usage,
    View,
    Welcome,
    Why,
)
from memory.clock import Clock
from memory.database import Database
from memory.errors import InputError, MemoraError, MemoryNotFoundError, ModelError
from memory.extraction import LearnerMessage
from memory.profile import PROFILE_FIELDS
from memory.prompts.extraction import ProfileField
from memory.records import StoredMemory

PAGE_SIZE = 8
CLEAR_WORD = "-"
NEAREST_COMMAND_MIN_SCORE = 60


@dataclass(frozen=True, slots=True)
class CommandCall:
    """One command as it was called."""

    name: str
    argument: str
    """What stands behind the command, trimmed."""
    message: IncomingMessage


@dataclass(frozen=True, slots=True)
class CommandService:
    """Runs commands; the same for every platform."""

    people: People
    queue: JobQueue
    database: Database
    clock: Clock
    language: LanguageChoice

    async def run(self, call: CommandCall) -> View:
        """Run one command. Never raises ``MemoraError``."""
        command = COMMANDS.get(call.name)
        if command is None:
            return unknown_command(call.name)
        try:
            person = await self.people.of(call.message.account)
            return await command(self, call, person)
        except MemoraError as error:
            return Apology(error)


Command = Callable[[CommandService, CommandCall, Person], Awaitable[View]]


def parse_command(text: str) -> tuple[str, str] | None:
    """Split "/name argument"; None for a text that is no command."""
    head, *rest = text.split(maxsplit=1) or [""]
    if not head.startswith("/") or not head[1:]:
        return None
    return head[1:].lower(), "".join(rest).strip()


def unknown_command(name: str) -> Line:
    """Say that there is no such command, and which is nearest."""
    nearest = process.extractOne(name, list(COMMANDS), score_cutoff=NEAREST_COMMAND_MIN_SCORE)
    if nearest is None:
        return Line("command.unknown", (("name", name),))
    return Line("command.did_you_mean", (("name", name), ("nearest", nearest[0])))


async def start(service: CommandService, call: CommandCall, person: Person) -> View:
    """Greet a person."""
    return Welcome(is_offline=person.model.is_offline)


async def show_help(service: CommandService, call: CommandCall, person: Person) -> View:
    """Show what can be done."""
    return Help(tuple(COMMANDS), person.model.name, person.model.is_offline)


async def remember(service: CommandService, call: CommandCall, person: Person) -> View:
    """Keep a text, if policy allows it; later, if the model cannot be reached now."""
    if not call.argument:
        return Line("remember.usage")
    profile = await person.profile.get()
    message = LearnerMessage(
        message_id=service.people.new_id(),
        text=call.argument,
        sent_at=call.message.sent_at,
        time_zone=service.people.time_zone(profile),
        scope=call.message.place.scope,
    )
    try:
        return RememberResult(await person.memory.remember(message))
    except ModelError:
        await _remember_later(service, call, person, message)
        return Line("remember.later")


async def _remember_later(
    service: CommandService, call: CommandCall, person: Person, message: LearnerMessage
) -> None:
    payload = turn_payload(
        message,
        number=0,
        conversation_id="",
        place=call.message.place,
        language=service.language(call.argument, call.message.locale),
    )
    async with service.database.transaction() as session:
        await service.queue.put(
            session,
            person_id=person.person_id,
            kind=REMEMBER_REQUEST,
            key=message.message_id,
            payload=payload,
        )


async def memories(service: CommandService, call: CommandCall, person: Person) -> View:
    """Show one page of a person's memories."""
    if call.argument and not call.argument.isdecimal():
        return Line("memories.usage")
    scope = person.visible_scope(call.message.place)
    everything = await person.memory.list_all(scope=scope)
    if not everything:
        return Line("memories.none")
    pages = ceil(len(everything) / PAGE_SIZE)
    page = int(call.argument or 1)
    if not 1 <= page <= pages:
        return Line("memories.no_such_page", (("pages", str(pages)),))
    shown = everything[(page - 1) * PAGE_SIZE : page * PAGE_SIZE]
    return MemoryPage(tuple(shown), page, pages, len(everything))


async def search(service: CommandService, call: CommandCall, person: Person) -> View:
    """Show the memories nearest to a query."""
    if not call.argument:
        return Line("search.usage")
    scope = person.visible_scope(call.message.place)
    results = await person.memory.search(call.argument, scope=scope)
    if not results:
        return Line("memories.none")
    return SearchResults(call.argument, tuple(results))


async def forget(service: CommandService, call: CommandCall, person: Person) -> View:
    """Delete one memory."""
    if not call.argument:
        return Line("forget.usage")
    scope = person.visible_scope(call.message.place)
    memory = await person.memory.find(call.argument.lstrip("#"), scope=scope)
    return Forgotten(await person.memory.forget(memory.memory_id))


async def show_profile(service: CommandService, call: CommandCall, person: Person) -> View:
    """Show the profile, or set or clear one field of it."""
    if call.argument:
        name, _, value = call.argument.partition(" ")
        if name not in PROFILE_FIELDS or not value.strip():
            return Line("profile.usage", (("fields", ", ".join(PROFILE_FIELDS)),))
        try:
            await _change_profile(person, name, value.strip())
        except InputError:
            return Line("profile.refused", (("field", name),))
    return ProfileCard(await person.profile.get(), PROFILE_FIELDS)


async def _change_profile(person: Person, field: ProfileField, value: str) -> None:
    if value == CLEAR_WORD:
        await person.profile.clear_field(field)
    else:
        await person.profile.set_field(field, value)


async def why(service: CommandService, call: CommandCall, person: Person) -> View:
    """Show what the last reply considered."""
    conversation = await service.people.conversation(person, call.message.place)
    recall = await load_recall(service.database, conversation.conversation_id)
    if recall is None:
        return Line("why.no_reply")
    if not recall.considered:
        return Line("why.nothing")
    settings = person.memory.retrieval
    considered = [
        Considered(memory=await _still_there(person, item.pop("memory_id")), **item)
        for item in recall.considered
    ]
    return Why(
        tuple(considered),
        recall.replied_at,
        settings.min_score,
        settings.weights.relevance,
        settings.weights.importance,
    )


async def _still_there(person: Person, memory_id: str) -> StoredMemory | None:
    try:
        return await person.memory.get(memory_id)
    except MemoryNotFoundError:
        return None


async def show_usage(service: CommandService, call: CommandCall, person: Person) -> View:
    """Show the tokens a person's calls cost."""
    today = await person.usage.totals(today_only=True)
    in_all = await person.usage.totals()
    return Usage(person.model.name, today, in_all)


async def reset(service: CommandService, call: CommandCall, person: Person) -> View:
    """Start the conversation afresh; memories stay."""
    conversation = await service.people.conversation(person, call.message.place)
    await conversation.reset()
    return Line("reset.done")


COMMANDS: dict[str, Command] = {
    "start": start,
    "help": show_help,
    "remember": remember,
    "memories": memories,
    "search": search,
    "forget": forget,
    "profile": show_profile,
    "why": why,
    "usage": show_usage,
    "reset": reset,
}
"""Every command, in the order people are shown them; each platform offers them all."""
