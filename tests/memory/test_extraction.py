from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest
from memora_testing.model import ScriptedModel

from memory.errors import InvalidAnswerError
from memory.extraction import LearnerMessage, extract_memories
from memory.prompts.extraction import (
    EarlierTurn,
    ExtractedMemory,
    ExtractionAnswer,
    ExtractionInput,
    ProfileFact,
    extraction_messages,
)

TAIPEI = ZoneInfo("Asia/Taipei")
LATE_EVENING = datetime(2026, 12, 1, 17, 30, tzinfo=UTC)
"""Already Wednesday in Taipei."""


def message(text, **changes):
    values = {"message_id": "m1", "sent_at": LATE_EVENING, "time_zone": TAIPEI, **changes}
    return LearnerMessage(text=text, **values)


def found(content, quote, **changes):
    values = {
        "memory_type": "semantic",
        "should_store": True,
        "policy_reason": "learning_goal",
        "event_on": None,
    }
    return ExtractedMemory(content=content, quote=quote, **{**values, **changes})


async def extract(text, *memories, profile=(), **changes):
    model = ScriptedModel(ExtractionAnswer(memories=list(memories), profile=list(profile)))
    return await extract_memories(message(text, **changes), model=model, product_scope="x")


async def test_a_candidate_carries_its_evidence_and_no_importance():
    extraction = await extract(
        "我下週五有面試",
        found("我在2026年12月11日有面試", "下週五有面試", event_on=date(2026, 12, 11)),
        scope="telegram:5",
    )

    (candidate,) = extraction.candidates
    assert candidate.content == "我在2026年12月11日有面試"
    assert candidate.evidence.message_id == "m1"
    assert candidate.evidence.quote == "下週五有面試"
    assert candidate.evidence.said_at == LATE_EVENING
    assert candidate.evidence.event_on == date(2026, 12, 11)
    assert candidate.evidence.scope == "telegram:5"
    assert not hasattr(candidate, "importance_score")
    assert extraction.tokens == 15


@pytest.mark.parametrize("quote", ["I passed IELTS", "", "   ", "..."])
async def test_words_that_are_not_in_the_message_are_no_quote(quote):
    extraction = await extract("I want to pass IELTS.", found("I passed IELTS.", quote))

    assert extraction.candidates[0].evidence.quote == ""


async def test_a_profile_fact_without_a_quote_is_dropped():
    extraction = await extract(
        "Call me Mei.",
        profile=[
            ProfileFact(field="name", value="Mei", quote="Call me Mei"),
            ProfileFact(field="level", value="C2", quote="I am C2"),
        ],
    )

    assert [fact.field for fact in extraction.profile_facts] == ["name"]


async def test_the_model_sees_message_context_date_time_and_zone():
    model = ScriptedModel(ExtractionAnswer(memories=[], profile=[]))
    earlier = [EarlierTurn(speaker="assistant", text="When is it?")]

    await extract_memories(message("明天"), earlier, model=model, product_scope="x")

    task = ExtractionInput.model_validate_json(model.calls[0].messages[-1].content)
    assert task.message == "明天"
    assert task.earlier_turns == earlier
    assert task.sent_at.isoformat() == "2026-12-02T01:30:00+08:00"
    assert task.weekday == "Wednesday"
    assert task.time_zone == "Asia/Taipei"


async def test_an_empty_message_calls_no_model():
    extraction = await extract_memories(message(" \n"), model=ScriptedModel(), product_scope="x")

    assert (extraction.candidates, extraction.tokens) == ([], 0)


async def test_the_same_statement_twice_is_one_candidate():
    extraction = await extract(
        "I want to pass IELTS.",
        found("I want to pass IELTS.", "pass IELTS"),
        found("I want to pass IELTS. ", "I want to pass IELTS"),
    )

    assert len(extraction.candidates) == 1


async def test_an_unusable_answer_is_asked_for_once_more_then_raised():
    fault = InvalidAnswerError("no JSON")

    with pytest.raises(InvalidAnswerError):
        await extract_memories(
            message("I want to pass IELTS."),
            model=ScriptedModel(fault, fault),
            product_scope="x",
        )


def test_the_scope_of_the_product_is_told_to_the_model():
    task = ExtractionInput(
        message="x", sent_at=LATE_EVENING, weekday="Tuesday", time_zone="UTC", earlier_turns=[]
    )
    assert (
        "learning to sail" in extraction_messages(task, product_scope="learning to sail")[0].content
    )


async def test_yesterday_never_stays_a_word_whatever_the_model_writes():
    extraction = await extract(
        "I gave a talk yesterday", found("I gave a talk yesterday.", "I gave a talk yesterday")
    )

    assert extraction.candidates[0].content == "I gave a talk on 1 December 2026."


async def test_a_day_that_nothing_in_the_message_speaks_of_is_not_kept():
    invented = found("I have an exam.", "I have an exam", event_on=date(2027, 1, 1))

    extraction = await extract("I have an exam.", invented)

    assert extraction.candidates[0].evidence.event_on is None
