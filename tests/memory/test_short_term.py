import pytest
from memora_testing.model import ScriptedModel
from memora_testing.values import counting_ids
from sqlalchemy import func, select

from memory.database.tables import ConversationRow, PersonRow, TurnRow
from memory.errors import ModelUnreachableError
from memory.prompts.summary import SummaryAnswer, SummaryInput
from memory.settings import ShortTermSettings
from memory.short_term import ShortTermMemory
from memory.tokens import estimate_tokens

TEN_TOKENS = "十" * 10


@pytest.fixture
async def conversation(database, clock):
    async with database.transaction() as session:
        session.add(PersonRow(id="ada", created_at=clock.now()))
        await session.flush()
        session.add(ConversationRow(id="c1", person_id="ada", place="console:main"))
    return ShortTermMemory(
        database, "c1", ShortTermSettings(max_tokens=100), clock, counting_ids("t")
    )


async def say(conversation, *texts, speaker="learner", **changes):
    turns = []
    for text in texts:
        async with conversation.database.transaction() as session:
            turns.append(await conversation.add_turn(session, speaker, text, **changes))
    return turns


async def test_turns_come_back_in_their_order(conversation):
    await say(conversation, "hello")
    await say(conversation, "hi there", speaker="assistant")

    context = await conversation.context()

    assert [(turn.speaker, turn.text) for turn in context.turns] == [
        ("learner", "hello"),
        ("assistant", "hi there"),
    ]
    assert context.tokens == estimate_tokens("hello") + estimate_tokens("hi there")


async def test_a_platform_message_is_taken_once(conversation):
    (first,) = await say(conversation, "hello", platform_message_id="9")
    (again,) = await say(conversation, "hello", platform_message_id="9")

    assert first is not None
    assert again is None
    assert len((await conversation.context()).turns) == 1


async def test_the_budget_keeps_the_newest_turns(conversation):
    await say(conversation, *[f"{TEN_TOKENS}"] * 12)

    context = await conversation.context()

    assert len(context.turns) == 10
    assert context.tokens == 100
    assert len(context.overflow) == 2


async def test_the_newest_message_can_be_left_out(conversation):
    *_, newest = await say(conversation, "one", "two", "three")

    context = await conversation.context(before=newest.number)

    assert [turn.text for turn in context.turns] == ["one", "two"]
    last = await conversation.turns_before(newest.number, 1)
    assert [turn.text for turn in last] == ["two"]
    assert len(await conversation.turns_before(newest.number, 9)) == 2
    assert await conversation.turns_before(newest.number, 0) == []


async def test_older_turns_are_folded_into_the_summary(conversation):
    await say(conversation, *[f"{number:02}{TEN_TOKENS}" for number in range(12)])
    model = ScriptedModel(SummaryAnswer(summary="They counted."))

    assert await conversation.summarize(model)

    task = SummaryInput.model_validate_json(model.calls[0].messages[-1].content)
    context = await conversation.context()
    assert context.summary == "They counted."
    assert context.overflow == ()
    assert len(task.turns) + len(context.turns) == 12
    assert task.turns[0].text.startswith("00")
    assert context.tokens <= 100 // 2 + estimate_tokens("They counted.")


async def test_what_fits_is_not_summed_up(conversation):
    await say(conversation, "hello")

    assert not await conversation.summarize(ScriptedModel())


async def test_a_failed_summary_loses_nothing(conversation):
    await say(conversation, *[TEN_TOKENS] * 12)

    with pytest.raises(ModelUnreachableError):
        await conversation.summarize(ScriptedModel(ModelUnreachableError("gone")))

    context = await conversation.context()
    assert len(context.turns) + len(context.overflow) == 12


async def test_a_reset_leaves_the_conversation_behind_and_deletes_no_turn(conversation, database):
    await say(conversation, "hello", "again")

    await conversation.reset()

    context = await conversation.context()
    assert (context.summary, context.turns) == ("", ())
    async with database.reading() as session:
        assert await session.scalar(select(func.count()).select_from(TurnRow)) == 2
    await say(conversation, "afresh")
    assert [turn.text for turn in (await conversation.context()).turns] == ["afresh"]


async def test_a_reset_during_a_summary_has_the_last_word(conversation):
    await say(conversation, *[TEN_TOKENS] * 12)

    class ResettingModel(ScriptedModel):
        async def parse(self, messages, answer_type, *, purpose):
            await conversation.reset()
            return await super().parse(messages, answer_type, purpose=purpose)

    await conversation.summarize(ResettingModel(SummaryAnswer(summary="They counted.")))

    assert (await conversation.context()).summary == ""
