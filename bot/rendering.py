"""Views as plain text in a person's language: what every platform can show."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

from bot.apologies import apologize
from bot.texts import Texts
from bot.views import (
    Apology,
    Considered,
    CouldNotRemember,
    Forgotten,
    Help,
    KeptMemories,
    Line,
    LinkCode,
    Linked,
    MemoryDetail,
    MemoryPage,
    ProfileCard,
    RememberResult,
    SearchResults,
    Separated,
    SettingsCard,
    Usage,
    View,
    Welcome,
    Why,
)
from memory.records import MemoryCandidate, StoredMemory
from memory.usage import TokenUsage

SHORT_ID_LENGTH = 6
EXCERPT_CHARACTERS = 60
LISTED_CHARACTERS = 200
"""Of a memory in a list whose entries can be opened."""
QUOTED_CHARACTERS = 500


@dataclass(frozen=True, slots=True)
class Reader:
    """Whom a view is written for."""

    texts: Texts
    time_zone: ZoneInfo
    has_buttons: bool = False
    """True where memories are chosen by number, false where they are named by their ids."""


def render(view: View, reader: Reader) -> str:
    """Return ``view`` as plain text, lines separated by newlines."""
    return _RENDERERS[type(view)](view, reader)


def short_id(memory_id: str) -> str:
    """Return the beginning of an id, as people are shown it."""
    return memory_id[:SHORT_ID_LENGTH]


def excerpt(text: str, limit: int = EXCERPT_CHARACTERS) -> str:
    """Return the beginning of a text on one line, at most ``limit`` characters long."""
    line = " ".join(text.split())
    return line if len(line) <= limit else f"{line[: limit - 1]}…"


def _line(view: Line, reader: Reader) -> str:
    return reader.texts(view.key, **dict(view.values))


def _apology(view: Apology, reader: Reader) -> str:
    return apologize(view.error, reader.texts)


def _welcome(view: Welcome, reader: Reader) -> str:
    lines = [reader.texts("welcome")]
    if view.is_offline:
        lines.append(reader.texts("offline.notice"))
    return "\n\n".join(lines)


def _help(view: Help, reader: Reader) -> str:
    texts = reader.texts
    model = "help.model_offline" if view.is_offline else "help.model"
    commands = [
        texts("help.command", call=texts(f"call.{name}"), what=texts(f"command.{name}"))
        for name in view.commands
    ]
    return "\n".join([texts("help.intro"), "", *commands, "", texts(model, model=view.model)])


def _remember_result(view: RememberResult, reader: Reader) -> str:
    outcome = view.outcome
    lines = [_kept(memory, reader) for memory in outcome.kept]
    lines += [
        reader.texts("remember.known", id=short_id(memory.memory_id)) for memory in outcome.known
    ]
    lines += [_rejected(candidate, reader) for candidate in outcome.rejected]
    return "\n".join(lines)


def _kept(memory: StoredMemory, reader: Reader) -> str:
    return reader.texts("remember.kept", content=memory.content, id=short_id(memory.memory_id))


def _rejected(candidate: MemoryCandidate, reader: Reader) -> str:
    reason = reader.texts(f"reason.{candidate.policy_reason}")
    return reader.texts("remember.rejected", reason=reason)


def _kept_memories(view: KeptMemories, reader: Reader) -> str:
    return "\n".join(_kept(memory, reader) for memory in view.memories)


def _could_not_remember(view: CouldNotRemember, reader: Reader) -> str:
    line = reader.texts("remember.gave_up", text=excerpt(view.text))
    return line if view.error is None else f"{line}\n{apologize(view.error, reader.texts)}"


def _memory_page(view: MemoryPage, reader: Reader) -> str:
    texts = reader.texts
    page = view.browse.page
    title = texts.plural("memories.title", view.total)
    if view.browse.kind != "all":
        title += texts("memories.of_kind", kind=texts(f"type.{view.browse.kind}"))
    if view.pages > 1:
        title += texts("memories.page", page=page, pages=view.pages)
    blocks = [_memory(memory, number, reader) for number, memory in enumerate(view.memories, 1)]
    if page < view.pages and not reader.has_buttons:
        blocks.append(texts("memories.next", page=page + 1))
    return "\n\n".join([title, *blocks])


def _memory(memory: StoredMemory, number: int, reader: Reader, *more: str) -> str:
    details = reader.texts("list.dot").join([*more, *_details(memory, reader)])
    if reader.has_buttons:
        return f"{number}. {excerpt(memory.content, LISTED_CHARACTERS)}\n{details}"
    return f"{short_id(memory.memory_id)}  {memory.content}\n        {details}"


def _details(memory: StoredMemory, reader: Reader) -> list[str]:
    """Return type, importance, source and date, each as it is, unknown where it is unknown."""
    texts = reader.texts
    details = [
        texts(f"type.{memory.memory_type}"),
        _importance(memory.importance_score, reader, is_scored=memory.is_scored),
        texts(f"source.{memory.source or 'unknown'}"),
    ]
    if memory.created_at is not None:
        details.append(texts.day(memory.created_at.astimezone(reader.time_zone).date()))
    if memory.evidence and memory.evidence.event_on:
        details.append(texts("memory.event_on", day=texts.day(memory.evidence.event_on)))
    return details


def _importance(score: int, reader: Reader, *, is_scored: bool) -> str:
    if not is_scored:
        return reader.texts("importance.not_scored")
    return reader.texts("importance.score", score=score)


def _search_results(view: SearchResults, reader: Reader) -> str:
    texts = reader.texts
    blocks = [
        _memory(result, number, reader, texts("search.relevance", relevance=f"{result.score:.2f}"))
        for number, result in enumerate(view.results, 1)
    ]
    return "\n\n".join([texts("search.title", query=excerpt(view.browse.query or "")), *blocks])


def _memory_detail(view: MemoryDetail, reader: Reader) -> str:
    texts, memory = reader.texts, view.memory
    lines = [memory.content, "", *_details(memory, reader)]
    if memory.evidence is not None:
        lines.append(texts("memory.quote", quote=excerpt(memory.evidence.quote, QUOTED_CHARACTERS)))
    lines.append(texts("memory.id", id=short_id(memory.memory_id)))
    if view.refusal is not None:
        lines += ["", texts("correct.refused", reason=texts(f"reason.{view.refusal}"))]
    if view.asks_to_forget:
        lines += ["", texts("forget.confirm")]
    return "\n".join(lines)


def _forgotten(view: Forgotten, reader: Reader) -> str:
    if not view.memories:
        return reader.texts("forget.already")
    return "\n".join(
        reader.texts("forget.done", content=memory.content) for memory in view.memories
    )


def _settings(view: SettingsCard, reader: Reader) -> str:
    texts = reader.texts
    rows = [
        texts(
            "settings.row",
            name=name,
            what=texts(f"option.{name}"),
            state=texts("settings.on" if is_on else "settings.off"),
        )
        for name, is_on in view.options
    ]
    lines = [texts("settings.title"), *rows]
    if not reader.has_buttons:
        lines += ["", texts("settings.change")]
    return "\n".join(lines)


def _link_code(view: LinkCode, reader: Reader) -> str:
    minutes = round(view.valid_for.total_seconds() / 60)
    return reader.texts("link.code", code=view.code, minutes=minutes)


def _linked(view: Linked, reader: Reader) -> str:
    return reader.texts.plural("link.done", view.memories, platforms=_platforms(view, reader))


def _separated(view: Separated, reader: Reader) -> str:
    texts = reader.texts
    line = texts(
        "unlink.done",
        platforms=_platforms(view, reader),
        here=texts.plural("unlink.memories", view.here),
        there=texts.plural("unlink.memories", view.there),
    )
    return line if view.is_complete else f"{line}\n{texts('unlink.later')}"


def _platforms(view: Linked | Separated, reader: Reader) -> str:
    return reader.texts.listed([reader.texts(f"platform.{name}") for name in view.platforms])


def _profile(view: ProfileCard, reader: Reader) -> str:
    texts = reader.texts
    known = view.profile.as_text()
    if not known:
        return texts("profile.empty")
    rows = [
        texts("profile.row", field=texts(f"profile.{name}"), value=value)
        for name, value in known.items()
    ]
    return "\n".join([texts("profile.title"), *rows, "", texts("profile.change")])


def _why(view: Why, reader: Reader) -> str:
    texts = reader.texts
    title = texts(
        "why.title",
        relevance=f"{view.relevance_weight:g}",
        importance=f"{view.importance_weight:g}",
        min_score=f"{view.min_score:g}",
    )
    return "\n\n".join([title, *(_considered(item, reader) for item in view.considered)])


def _considered(item: Considered, reader: Reader) -> str:
    texts = reader.texts
    if item.memory is None:
        words = texts("why.forgotten")
    else:
        words = f"{short_id(item.memory.memory_id)}  {item.memory.content}"
    numbers = [
        texts(f"why.{item.outcome}"),
        texts("search.relevance", relevance=f"{item.relevance:.3f}"),
        _importance(item.importance_score, reader, is_scored=item.is_scored),
    ]
    if item.retrieval_score is not None:
        numbers.append(texts("why.score", score=f"{item.retrieval_score:.3f}"))
    return f"{words}\n        {texts('list.dot').join(numbers)}"


def _usage(view: Usage, reader: Reader) -> str:
    texts = reader.texts
    if not view.in_all:
        return texts("usage.none", model=view.model)
    rows = [
        texts(
            "usage.row",
            purpose=texts(f"purpose.{purpose}"),
            today=texts.number(view.today.get(purpose, TokenUsage()).total_tokens),
            in_all=texts.number(usage.total_tokens),
        )
        for purpose, usage in sorted(view.in_all.items())
    ]
    total = texts(
        "usage.total",
        today=texts.number(sum(usage.total_tokens for usage in view.today.values())),
        in_all=texts.number(sum(usage.total_tokens for usage in view.in_all.values())),
    )
    return "\n".join([texts("usage.title", model=view.model), *rows, total])


_RENDERERS: dict[type, Callable[[Any, Reader], str]] = {
    Line: _line,
    Apology: _apology,
    Welcome: _welcome,
    Help: _help,
    RememberResult: _remember_result,
    KeptMemories: _kept_memories,
    CouldNotRemember: _could_not_remember,
    MemoryPage: _memory_page,
    SearchResults: _search_results,
    MemoryDetail: _memory_detail,
    Forgotten: _forgotten,
    SettingsCard: _settings,
    LinkCode: _link_code,
    Linked: _linked,
    Separated: _separated,
    ProfileCard: _profile,
    Why: _why,
    Usage: _usage,
}
