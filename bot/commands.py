"""The commands, free of any platform: a call in, a view out.

A command that cannot use what was typed answers with one line that helps; it raises nothing for
that. Faults of the model and of the storage are turned into an ``Apology`` in one place here.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime

from rapidfuzz import process

from bot.browsing import KINDS, ORDERS, Browse, pick_page
from bot.jobs import JobQueue
from bot.language import LanguageChoice
from bot.linking import Asked, Linking
from bot.messages import IncomingMessage, Place
from bot.options import OPTIONS
from bot.people import People, Person
from bot.recalls import load_recall
from bot.remembering import REMEMBER_REQUEST, turn_payload
from bot.running import RunningReplies
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
    SettingsCard,
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

CLEAR_WORD = "-"
SWITCH = {"on": True, "off": False, "開": True, "關": False}
NEAREST_COMMAND_MIN_SCORE = 60


@dataclass(frozen=True, slots=True)
class QuotedMessage:
    """An earlier message, shown to a command."""

    text: str
    sent_at: datetime
    is_own_words: bool
    """True where the person who calls the command wrote it themselves."""


@dataclass(frozen=True, slots=True)
class CommandCall:
    """One command as it was called."""

    name: str
    argument: str
    """What stands behind the command, trimmed."""
    message: IncomingMessage
    quoted: QuotedMessage | None = None
    """The message that the command was written in reply to."""


@dataclass(frozen=True, slots=True)
class CommandService:
    """Runs commands; the same for every platform."""

    people: People
    queue: JobQueue
    database: Database
    clock: Clock
    language: LanguageChoice
    running: RunningReplies
    linking: Linking

    async def run(self, call: CommandCall) -> View:
        """Run one command. Never raises ``MemoraError``."""
        command = COMMANDS.get(call.name)
        if command is None:
            return unknown_command(call.name)
        try:
            person = await self.people.of(call.message.account)
            return await command.run(self, call, person)
        except MemoraError as error:
            return Apology(error)


@dataclass(frozen=True, slots=True)
class Command:
    """What a command does."""

    run: Callable[[CommandService, CommandCall, Person], Awaitable[View]]
    is_private: bool = False
    """True where the answer holds what is known of a person: in a group it is for them alone."""
    looks_at_place: bool = False
    """True where a private answer is still about the place the command was given in."""


def answers_in_private(name: str) -> bool:
    """Say whether the answer to a command is for the person alone."""
    command = COMMANDS.get(name)
    return command is not None and command.is_private


def place_asked_about(call: CommandCall, private: Place) -> CommandCall:
    """Return a call whose answer goes to ``private`` as one that asks about that place."""
    command = COMMANDS[call.name]
    if command.looks_at_place:
        return call
    return replace(call, message=replace(call.message, place=private))


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
    quoted = None if call.argument else call.quoted
    if quoted is not None and not quoted.is_own_words:
        return Line("remember.not_yours")
    text = quoted.text if quoted else call.argument
    if not text.strip():
        return Line("remember.usage")
    profile = await person.profile.get()
    message = LearnerMessage(
        message_id=service.people.new_id(),
        text=text,
        sent_at=quoted.sent_at if quoted else call.message.sent_at,
        time_zone=service.people.time_zone(profile),
        scope=call.message.place.scope,
        origin=call.message.account.key,
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
        incoming=call.message,
        language=service.language(message.text, call.message.locale),
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
    browse = Browse()
    for word in call.argument.lower().split():
        if word.isdecimal():
            browse = replace(browse, page=int(word))
        elif word in KINDS:
            browse = replace(browse, kind=word)
        elif word in ORDERS:
            browse = replace(browse, order=word)
        else:
            return Line("memories.usage")
    return await browse_memories(person, person.visible_scope(call.message.place), browse)


async def browse_memories(person: Person, scope: str | None, browse: Browse) -> View:
    """Return what there is to see of a person's memories in ``scope``; None for all."""
    if browse.query is not None:
        results = await person.memory.search(browse.query, scope=scope)
        return SearchResults(browse, tuple(results)) if results else Line("memories.none")
    everything = await person.memory.list_all(scope=scope)
    if not everything:
        return Line("memories.none")
    shown, pages, total = pick_page(everything, browse)
    if not 1 <= browse.page <= max(pages, 1):
        return Line("memories.no_such_page", (("pages", str(pages)),))
    return MemoryPage(browse, tuple(shown), pages, total)


async def search(service: CommandService, call: CommandCall, person: Person) -> View:
    """Show the memories nearest to a query."""
    if not call.argument:
        return Line("search.usage")
    scope = person.visible_scope(call.message.place)
    return await browse_memories(person, scope, Browse(query=call.argument))


async def forget(service: CommandService, call: CommandCall, person: Person) -> View:
    """Delete one memory."""
    if not call.argument:
        return Line("forget.usage")
    scope = person.visible_scope(call.message.place)
    memory = await person.memory.find(call.argument.lstrip("#"), scope=scope)
    return Forgotten((await person.memory.forget(memory.memory_id),))


async def show_profile(service: CommandService, call: CommandCall, person: Person) -> View:
    """Show the profile, or set or clear one field of it."""
    if call.argument:
        name, _, value = call.argument.partition(" ")
        if name not in PROFILE_FIELDS or not value.strip():
            return Line("profile.usage", (("fields", ", ".join(PROFILE_FIELDS)),))
        try:
            await _change_profile(person, name, value.strip(), call.message.account.key)
        except InputError:
            return Line("profile.refused", (("field", name),))
    return ProfileCard(await person.profile.get(), PROFILE_FIELDS)


async def _change_profile(person: Person, field: ProfileField, value: str, origin: str) -> None:
    if value == CLEAR_WORD:
        await person.profile.clear_field(field)
    else:
        await person.profile.set_field(field, value, origin=origin)


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
    """Start the conversation afresh; memories stay, and a reply that runs ends."""
    service.running.stop(call.message.account, call.message.place)
    conversation = await service.people.conversation(person, call.message.place)
    await conversation.reset()
    return Line("reset.done")


async def stop(service: CommandService, call: CommandCall, person: Person) -> View:
    """End the reply that is being written; what was written stays."""
    is_stopped = service.running.stop(call.message.account, call.message.place)
    return Line("stop.done" if is_stopped else "stop.nothing")


async def settings(service: CommandService, call: CommandCall, person: Person) -> View:
    """Show a person's options, or turn one on or off."""
    if call.argument:
        name, _, state = call.argument.lower().partition(" ")
        option = next((option for option in OPTIONS if option == name), None)
        if option is None or state.strip() not in SWITCH:
            return Line("settings.usage", (("options", ", ".join(OPTIONS)),))
        await service.people.set_option(person, option, is_on=SWITCH[state.strip()])
        person = await service.people.by_id(person.person_id)
    return settings_card(person)


def settings_card(person: Person) -> SettingsCard:
    """Return a person's options as they stand."""
    return SettingsCard(tuple((option, person.option(option)) for option in OPTIONS))


async def link(service: CommandService, call: CommandCall, person: Person) -> View:
    """Give a code for another platform, or take one."""
    message = call.message
    language = service.language(message.text, message.locale)
    asked = Asked(message.account, message.place, language)
    if not call.argument:
        return await service.linking.issue(person, asked)
    return await service.linking.redeem(person, asked, call.argument)


async def unlink(service: CommandService, call: CommandCall, person: Person) -> View:
    """Separate this account from the others."""
    return await service.linking.separate(person, call.message.account)


COMMANDS: dict[str, Command] = {
    "start": Command(start),
    "help": Command(show_help),
    "remember": Command(remember),
    "memories": Command(memories, is_private=True),
    "search": Command(search, is_private=True),
    "forget": Command(forget, is_private=True),
    "profile": Command(show_profile, is_private=True),
    "why": Command(why, is_private=True, looks_at_place=True),
    "usage": Command(show_usage, is_private=True),
    "settings": Command(settings, is_private=True),
    "link": Command(link, is_private=True),
    "unlink": Command(unlink, is_private=True),
    "stop": Command(stop),
    "reset": Command(reset),
}
"""Every command, in the order people are shown them; each platform offers them all."""
