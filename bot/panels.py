"""Panels: messages with buttons, for browsing and taking back memories.

A panel is a row: whose it is, and what it shows. A button carries the panel's id and what to do; it
may be forged, so what counts is who pressed it. Panels work after a restart, and on every platform
that has buttons.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import delete

from bot.browsing import KINDS, ORDERS, Browse
from bot.commands import browse_memories, settings_card
from bot.messages import Button, Form, Menu, OutgoingMessage, Place, Press, Row
from bot.options import OPTIONS
from bot.people import People, Person
from bot.readers import Readers
from bot.rendering import Reader, excerpt, render
from bot.texts import Texts
from bot.views import (
    Apology,
    Forgotten,
    KeptMemories,
    Line,
    MemoryDetail,
    MemoryPage,
    SearchResults,
    SettingsCard,
    View,
)
from memory.clock import Clock
from memory.database import Database
from memory.database.tables import PanelRow
from memory.errors import MemoraError, MemoryNotFoundError
from memory.extraction import LearnerMessage
from memory.records import StoredMemory

KEPT_FOR = timedelta(days=60)
ID_LENGTH = 12
LABEL_CHARACTERS = 100
STALE = Line("panel.stale")
STOP = "stop"
"""The data of a button that ends the presser's own running reply."""


@dataclass(frozen=True, slots=True)
class Panel:
    """What a message with buttons is about."""

    panel_id: str
    person_id: str
    language: str
    scope: str | None
    """Which memories it may show; None for all."""
    browse: Browse = field(default_factory=Browse)
    memory_ids: tuple[str, ...] = ()
    """What a line about kept memories speaks of."""


@dataclass(frozen=True, slots=True)
class Panels:
    """Opens panels and does what their buttons say.

    ``open`` and ``find`` raise ``DatabaseError``.
    """

    database: Database
    people: People
    readers: Readers
    clock: Clock
    new_id: Callable[[], str]

    async def open(
        self, person: Person, place: Place, view: View, reader: Reader
    ) -> OutgoingMessage:
        """Return a view with its buttons, if it has any."""
        panel = Panel(
            self.new_id()[:ID_LENGTH],
            person.person_id,
            reader.texts.language,
            person.visible_scope(place),
            browse=view.browse if isinstance(view, MemoryPage | SearchResults) else Browse(),
            memory_ids=_ids(view.memories) if isinstance(view, KeptMemories) else (),
        )
        message = _message(view, panel, reader)
        if message.buttons:
            await self._save(panel)
        return message

    async def find(self, press: Press) -> Panel | Line:
        """Return the panel a button belongs to, or a hint why it cannot be used."""
        panel_id, _, _ = press.data.partition(".")
        async with self.database.reading() as session:
            row = await session.get(PanelRow, panel_id)
        if row is None:
            return STALE
        person = await self.people.of(press.account)
        if person.person_id != row.person_id:
            return Line("panel.not_yours")
        return _panel(row.id, row.person_id, row.state)

    async def form(self, press: Press) -> Form | Line:
        """Return the form that a button opens, or a hint why it cannot be used.

        Raises ``StorageError``.
        """
        panel = await self.find(press)
        if isinstance(panel, Line):
            return panel
        person = await self.people.by_id(panel.person_id)
        reader = await self.readers.behind(press.account, panel.language)
        _verb, memory_id = _said_by(press)
        try:
            memory = await _visible_memory(person, panel, memory_id)
        except MemoryNotFoundError:
            return Line("forget.already")
        return Form(reader.texts("correct.title"), memory.content)

    async def act(self, panel: Panel, press: Press) -> OutgoingMessage:
        """Do what a button says; return what the panel shows now. Never raises ``MemoraError``."""
        reader = await self.readers.behind(press.account, panel.language)
        try:
            person = await self.people.by_id(panel.person_id)
            verb, argument = _said_by(press)
            if verb == "edit" and press.text is not None:
                changed, view = panel, await self._correct(person, panel, argument, press)
            else:
                changed, view = await self._do(person, panel, verb, argument)
            if changed != panel:
                await self._save(changed)
        except MemoraError as error:
            view = Apology(error)
        return _message(view, panel, reader)

    async def forget_old(self, before: datetime) -> None:
        """Delete the panels that nobody used since ``before``."""
        async with self.database.transaction() as session:
            await session.execute(delete(PanelRow).where(PanelRow.updated_at < before))

    async def _do(
        self, person: Person, panel: Panel, verb: str, argument: str
    ) -> tuple[Panel, View]:
        match verb:
            case "undo":
                return panel, Forgotten(await _forget_all(person, panel.memory_ids))
            case "option":
                return panel, await self._switch(person, argument)
            case "open" | "ask" | "forget":
                try:
                    return panel, await _one_memory(person, panel, verb, argument)
                except MemoryNotFoundError:
                    return panel, Forgotten(())
        browse = _next_browse(panel.browse, verb, argument)
        view = await browse_memories(person, panel.scope, browse)
        if isinstance(view, Line) and browse.page > 1:  # the last one of that page is gone
            browse = replace(browse, page=browse.page - 1)
            view = await browse_memories(person, panel.scope, browse)
        return replace(panel, browse=browse), view

    async def _correct(self, person: Person, panel: Panel, memory_id: str, press: Press) -> View:
        """Change a memory's words; show it as it is then."""
        try:
            memory = await _visible_memory(person, panel, memory_id)
            message = LearnerMessage(
                message_id=self.new_id(),
                text=press.text or "",
                sent_at=self.clock.now(),
                time_zone=self.people.time_zone(await person.profile.get()),
                origin=press.account.key,
            )
            outcome = await person.memory.correct(memory_id, message)
        except MemoryNotFoundError:
            return Forgotten(())
        if outcome.rejected:
            return MemoryDetail(memory, refusal=outcome.rejected[0].policy_reason)
        return MemoryDetail((*outcome.kept, *outcome.known)[0])

    async def _switch(self, person: Person, argument: str) -> View:
        name, _, state = argument.partition(".")
        option = next((option for option in OPTIONS if option == name), None)
        if option is not None:
            await self.people.set_option(person, option, is_on=state == "on")
        return settings_card(await self.people.by_id(person.person_id))

    async def _save(self, panel: Panel) -> None:
        state = asdict(panel)
        del state["panel_id"], state["person_id"]
        async with self.database.transaction() as session:
            await session.merge(
                PanelRow(
                    id=panel.panel_id,
                    person_id=panel.person_id,
                    state=state,
                    updated_at=self.clock.now(),
                )
            )


def _panel(panel_id: str, person_id: str, state: dict[str, Any]) -> Panel:
    return Panel(
        panel_id,
        person_id,
        state["language"],
        state["scope"],
        Browse(**state["browse"]),
        tuple(state["memory_ids"]),
    )


def _next_browse(browse: Browse, verb: str, argument: str) -> Browse:
    """Return where a button leads to; what it does not understand leads nowhere."""
    if verb == "page" and argument.isdecimal():
        return replace(browse, page=max(int(argument), 1))
    if verb == "kind" and argument in KINDS:
        return replace(browse, kind=next(kind for kind in KINDS if kind == argument), page=1)
    if verb == "order" and argument in ORDERS:
        return replace(browse, order=next(order for order in ORDERS if order == argument), page=1)
    return browse


def _said_by(press: Press) -> tuple[str, str]:
    """Return what a button's data says: a verb and an argument, each maybe empty."""
    _panel_id, verb, argument = (*press.data.split(".", 2), "", "")[:3]
    return verb, argument


async def _visible_memory(person: Person, panel: Panel, memory_id: str) -> StoredMemory:
    """Return a memory that the panel may show; raises ``MemoryNotFoundError``."""
    memory = await person.memory.get(memory_id)
    scope = memory.evidence.scope if memory.evidence else None
    if panel.scope not in (None, scope):
        raise MemoryNotFoundError(memory_id)
    return memory


async def _one_memory(person: Person, panel: Panel, verb: str, memory_id: str) -> View:
    memory = await _visible_memory(person, panel, memory_id)
    if verb == "forget":
        return Forgotten((await person.memory.forget(memory_id),))
    return MemoryDetail(memory, asks_to_forget=verb == "ask")


async def _forget_all(person: Person, memory_ids: Sequence[str]) -> tuple[StoredMemory, ...]:
    """Forget those that are still there."""
    forgotten = []
    for memory_id in memory_ids:
        try:
            forgotten.append(await person.memory.forget(memory_id))
        except MemoryNotFoundError:
            continue
    return tuple(forgotten)


def _ids(memories: Sequence[StoredMemory]) -> tuple[str, ...]:
    return tuple(memory.memory_id for memory in memories)


def _message(view: View, panel: Panel, reader: Reader) -> OutgoingMessage:
    reader = replace(reader, has_buttons=True)
    return OutgoingMessage(render(view, reader), buttons=panel_rows(view, panel, reader.texts))


def panel_rows(view: View, panel: Panel, texts: Texts) -> tuple[Row, ...]:
    """Return the buttons of a view, row by row; none for most."""

    def button(
        text: str, *data: str, label: str = "", is_chosen: bool = False, opens_form: bool = False
    ) -> Button:
        return Button(text, ".".join([panel.panel_id, *data]), label, is_chosen, opens_form)

    match view:
        case MemoryPage():
            return _page_rows(view, texts, button)
        case SearchResults():
            return (_opening(view.results, texts, button),)
        case MemoryDetail(memory, asks_to_forget=True):
            yes = button(texts("button.forget_yes"), "forget", memory.memory_id)
            return ((yes, button(texts("button.forget_no"), "open", memory.memory_id)),)
        case MemoryDetail(memory):
            edit = button(texts("button.edit"), "edit", memory.memory_id, opens_form=True)
            ask = button(texts("button.forget"), "ask", memory.memory_id)
            return ((edit, ask, button(texts("button.back"), "back")),)
        case Forgotten() if not panel.memory_ids:
            return ((button(texts("button.back"), "back"),),)
        case KeptMemories():
            return ((button(texts("button.undo"), "undo"),),)
        case SettingsCard(options):
            return tuple(
                (
                    button(
                        texts(f"option.{name}"),
                        "option",
                        name,
                        "off" if is_on else "on",
                        is_chosen=is_on,
                    ),
                )
                for name, is_on in options
            )
        case _:
            return ()


def _page_rows(view: MemoryPage, texts: Texts, button: Callable[..., Button]) -> tuple[Row, ...]:
    browse = view.browse
    kinds = [kind for kind in KINDS if kind != "unclassified" or kind == browse.kind]
    rows: list[Row] = [
        _opening(view.memories, texts, button),
        Menu(
            texts("menu.kind"),
            tuple(
                button(texts(f"kind.{kind}"), "kind", kind, is_chosen=kind == browse.kind)
                for kind in kinds
            ),
        ),
        Menu(
            texts("menu.order"),
            tuple(
                button(texts(f"order.{order}"), "order", order, is_chosen=order == browse.order)
                for order in ORDERS
            ),
        ),
    ]
    arrows = []
    if browse.page > 1:
        arrows.append(button("‹", "page", str(browse.page - 1)))
    if browse.page < view.pages:
        arrows.append(button("›", "page", str(browse.page + 1)))
    return (*rows, tuple(arrows)) if arrows else tuple(rows)


def _opening(memories: Sequence[StoredMemory], texts: Texts, button: Callable[..., Button]) -> Menu:
    """Return the choice of a memory to open, by its number in the list."""
    options = [
        button(
            str(number),
            "open",
            memory.memory_id,
            label=excerpt(f"{number}. {memory.content}", LABEL_CHARACTERS),
        )
        for number, memory in enumerate(memories, start=1)
    ]
    return Menu(texts("menu.open"), tuple(options))
