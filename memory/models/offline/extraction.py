"""Extraction by rules: a sentence at a time, guards first, then the table of kinds."""

from collections.abc import Iterator
from datetime import date
from types import ModuleType

from memory.dates import write_out_days
from memory.models.offline import chinese, english
from memory.models.offline.cities import find_time_zone
from memory.models.offline.kinds import Kind
from memory.models.offline.sentences import Sentence, split_sentences, without_opener
from memory.prompts.extraction import (
    ExtractedMemory,
    ExtractionAnswer,
    ExtractionInput,
    ProfileFact,
)
from memory.records import AdvisedPolicyReason, ExtractedMemoryType

MAX_SENTENCE_CHARACTERS = 400
_DIFFICULTY: AdvisedPolicyReason = "recurring_difficulty"


def extract(task: ExtractionInput) -> ExtractionAnswer:
    """Return the statements and profile facts of one message."""
    sentences = [
        sentence
        for sentence in split_sentences(task.message)
        if len(sentence.text) <= MAX_SENTENCE_CHARACTERS
    ]
    today = task.sent_at.date()
    memories = [memory for sentence in sentences for memory in _memories(sentence, today)]
    facts = [fact for sentence in sentences for fact in _profile_facts(sentence, today)]
    return ExtractionAnswer(memories=memories, profile=facts)


def _memories(sentence: Sentence, today: date) -> Iterator[ExtractedMemory]:
    rules = chinese if sentence.is_chinese else english
    text = without_opener(sentence.text)
    asked = rules.EXPLICIT.match(text) or rules.EXPLICIT.match(sentence.text)
    if asked is not None:
        yield _explicit(sentence, asked["rest"], rules, today)
        return
    if sentence.is_question or rules.QUESTION.search(text):
        return
    if rules.HYPOTHETICAL.search(f"{sentence.before} {text}"):
        return
    kind = next((row for row in rules.KINDS if row.pattern.search(text)), None)
    if kind is None or _is_denied(text, kind, rules):
        return
    doubt = _find_doubt(text, rules)
    yield _memory(
        sentence,
        text,
        today,
        memory_type=kind.memory_type,
        reason=doubt or kind.reason,
        should_store=kind.should_store and doubt is None,
    )


def _is_denied(text: str, kind: Kind, rules: ModuleType) -> bool:
    """Say whether a statement denies what its kind says; a difficulty often is a denial."""
    may_deny = kind.reason in {_DIFFICULTY, "preference", "out_of_scope"}
    return not may_deny and rules.DENIED.search(text) is not None


def _find_doubt(text: str, rules: ModuleType) -> AdvisedPolicyReason | None:
    if rules.OTHERS.search(text) or rules.REPORTED.search(text):
        return "not_about_the_learner"
    return "uncertain" if rules.UNCERTAIN.search(text) else None


def _explicit(sentence: Sentence, rest: str, rules: ModuleType, today: date) -> ExtractedMemory:
    kind = next((row for row in rules.KINDS if row.pattern.search(rest)), None)
    return _memory(
        sentence,
        rest,
        today,
        memory_type=kind.memory_type if kind else "semantic",
        reason="explicit_request",
        should_store=True,
    )


def _memory(
    sentence: Sentence,
    text: str,
    today: date,
    *,
    memory_type: ExtractedMemoryType,
    reason: AdvisedPolicyReason,
    should_store: bool,
) -> ExtractedMemory:
    content, event_on = write_out_days(text, today)
    return ExtractedMemory(
        content=as_sentence(content),
        memory_type=memory_type,
        should_store=should_store,
        policy_reason=reason,
        quote=sentence.text,
        event_on=event_on,
    )


def as_sentence(text: str) -> str:
    """Return ``text`` with a capital first letter and a mark at its end."""
    bare = text.strip().rstrip(",，、;；:：")
    sentence = bare[:1].upper() + bare[1:]
    if sentence.endswith((".", "!", "。", "！", "…", "?", "？")):
        return sentence
    return sentence + ("。" if Sentence(sentence, is_question=False).is_chinese else ".")


def _profile_facts(sentence: Sentence, today: date) -> Iterator[ProfileFact]:
    rules = chinese if sentence.is_chinese else english
    text = sentence.text
    if sentence.is_question or rules.HYPOTHETICAL.search(text) or _find_doubt(text, rules):
        return
    seen: set[str] = set()
    for field, pattern in rules.PROFILE:
        match = pattern.search(text)
        value = match and next((group for group in match.groups() if group), None)
        if match and value and field not in seen and not rules.DENIED.search(text):
            seen.add(field)
            dated, _ = write_out_days(value.strip(" ,，"), today)
            yield ProfileFact(field=field, value=dated, quote=match[0])
    zone = find_time_zone(text)
    if zone is not None:
        yield ProfileFact(field="time_zone", value=zone[0], quote=zone[1])
