import pytest
from memora_testing.model import ScriptedModel
from memora_testing.values import importance

from memory.database.tables import PersonRow
from memory.errors import InvalidAnswerError
from memory.language_model import ChatMessage
from memory.metering import MeteredEmbedder, MeteredModel, UsageLedger
from memory.prompts.importance import ImportanceAssessmentResult
from memory.usage import TokenUsage

MESSAGES = [ChatMessage("user", "hello")]


@pytest.fixture
async def ledger(database, clock):
    async with database.transaction() as session:
        session.add_all([PersonRow(id=name, created_at=clock.now()) for name in ("ada", "ben")])
    return UsageLedger(database, "ada", clock)


async def test_calls_add_up_by_purpose(ledger, embedder):
    model = MeteredModel(ScriptedModel(["hi"], importance(3), ["hi"]), ledger)

    async for _ in model.stream(MESSAGES, purpose="reply"):
        pass
    await model.parse(MESSAGES, ImportanceAssessmentResult, purpose="importance")
    async for _ in model.stream(MESSAGES, purpose="reply"):
        pass
    await MeteredEmbedder(embedder, ledger).embed(["two words"], role="query")

    assert await ledger.totals() == {
        "reply": TokenUsage(20, 10),
        "importance": TokenUsage(10, 5),
        "query": TokenUsage(2, 0),
    }


async def test_an_unusable_answer_is_counted_too(ledger):
    error = InvalidAnswerError("no JSON", usage=TokenUsage(7, 3))
    model = MeteredModel(ScriptedModel(error), ledger)

    with pytest.raises(InvalidAnswerError):
        await model.parse(MESSAGES, ImportanceAssessmentResult, purpose="importance")

    assert await ledger.totals() == {"importance": TokenUsage(7, 3)}


async def test_today_is_told_from_the_days_before(ledger, clock):
    await ledger.record("reply", "m", TokenUsage(1, 1))
    await clock.advance(days=1)
    await ledger.record("reply", "m", TokenUsage(5, 5))

    assert await ledger.totals(today_only=True) == {"reply": TokenUsage(5, 5)}
    assert await ledger.totals() == {"reply": TokenUsage(6, 6)}


async def test_a_ledger_counts_one_person(ledger, database, clock):
    await ledger.record("reply", "m", TokenUsage(1, 1))

    assert await UsageLedger(database, "ben", clock).totals() == {}


async def test_nothing_used_writes_nothing(ledger):
    await ledger.record("reply", "m", TokenUsage())

    assert await ledger.totals() == {}
