import asyncio

import pytest
from memora_testing.application import Speaker, application_in
from memora_testing.embedder import HashingEmbedder
from memora_testing.model import ScriptedModel
from memora_testing.values import importance

from bot.messages import Place, ReplyFailed, ReplyText, ReplyWithoutMemory
from bot.views import CouldNotRemember, KeptMemories, Why
from memory.errors import DataFolderInUseError, ModelTimeoutError, ModelUnreachableError
from memory.prompts.extraction import ExtractedMemory, ExtractionAnswer, ProfileFact
from memory.prompts.reply import BACKGROUND_HEADING
from memory.prompts.summary import SummaryAnswer

NOTHING = ExtractionAnswer(memories=[], profile=[])
GOAL = "I want to reach IELTS 7 by June."


def extracted(content, quote=None, profile=()):
    memory = ExtractedMemory(
        content=content,
        memory_type="semantic",
        should_store=True,
        policy_reason="learning_goal",
        quote=quote or content,
        event_on=None,
    )
    return ExtractionAnswer(memories=[memory], profile=list(profile))


@pytest.fixture
def model():
    return ScriptedModel()


@pytest.fixture
def embedder():
    return HashingEmbedder()


@pytest.fixture
async def application(tmp_path, model, embedder, clock):
    async with application_in(
        tmp_path / "data", model=model, embedder=embedder, clock=clock
    ) as opened:
        yield opened


@pytest.fixture
def ada(application):
    return Speaker(application)


def prompt_of(call):
    return [message.content for message in call.messages]


def background_of(model):
    replies = [call for call in model.calls if call.purpose == "reply"]
    return next(text for text in prompt_of(replies[-1]) if text.startswith(BACKGROUND_HEADING))


async def test_what_was_said_is_remembered_and_used_in_the_next_reply(ada, model):
    model.steps += [["Good ", "goal!"], extracted(GOAL), importance(5)]
    assert await ada.say(GOAL) == "Good goal!"

    model.steps += [["Here is a plan."], NOTHING]
    await ada.say("How do I reach IELTS 7 by June?")

    assert GOAL in background_of(model)


async def test_the_kept_line_comes_from_what_was_stored(ada, model):
    model.steps += [["ok"], extracted(GOAL), importance(5)]

    await ada.say(GOAL)

    (notice,) = ada.notices
    assert isinstance(notice.view, KeptMemories)
    assert [memory.content for memory in notice.view.memories] == [GOAL]


async def test_nothing_kept_says_nothing(ada, model):
    model.steps += [["Yum!"], NOTHING]

    await ada.say("I had noodles.")

    assert ada.notices == []


async def test_the_reply_does_not_wait_for_the_memory(ada, model, application):
    model.steps += [["ok"], extracted(GOAL), importance(5)]

    await ada.events(GOAL)

    assert [call.purpose for call in model.calls] == ["reply"]
    assert await application.queue.count("queued") == 1


async def test_the_reply_is_streamed_piece_by_piece(ada, model):
    gate = asyncio.Event()
    model.steps += [["one ", gate, "two"], NOTHING]
    reply = ada.application.conversation.reply(ada.message("count"))

    assert await anext(reply) == ReplyText("one ")
    gate.set()
    assert [event async for event in reply] == [ReplyText("two")]


async def test_earlier_turns_are_in_the_conversation(ada, model):
    model.steps += [["Hello!"], NOTHING, ["Yes."], NOTHING]
    await ada.say("hi")
    await ada.say("again")

    reply = [call for call in model.calls if call.purpose == "reply"][-1]
    assert [(m.role, m.content) for m in reply.messages[2:]] == [
        ("user", "hi"),
        ("assistant", "Hello!"),
        ("user", "again"),
    ]


async def test_a_message_that_comes_twice_is_answered_once(ada, model):
    model.steps += [["Hello!"], NOTHING]

    assert await ada.say("hi", message_id="m1") == "Hello!"
    assert await ada.events("hi", message_id="m1") == [ReplyText("Hello!")]
    assert [call.purpose for call in model.calls].count("reply") == 1
    await ada.application.worker.drain()


async def test_a_failing_model_says_why_and_the_message_is_remembered_all_the_same(ada, model):
    model.steps += [ModelTimeoutError("late"), extracted(GOAL), importance(5)]

    (event,) = await ada.events(GOAL)
    await ada.application.worker.drain()

    assert isinstance(event, ReplyFailed)
    assert isinstance(event.error, ModelTimeoutError)
    assert len(ada.notices) == 1


async def test_a_reply_that_breaks_off_stands_as_far_as_it_came(ada, model):
    model.steps += [["Once upon", ModelUnreachableError("gone")], NOTHING, ["ok"], NOTHING]

    first, second = await ada.events("tell me a story")
    await ada.application.worker.drain()
    await ada.say("go on")

    assert first == ReplyText("Once upon")
    assert isinstance(second, ReplyFailed)
    assert "Once upon" in prompt_of([c for c in model.calls if c.purpose == "reply"][-1])


async def test_a_reply_that_is_stopped_stands_as_far_as_it_came(ada, model, application):
    model.steps += [["one ", asyncio.Event(), "never"], NOTHING, ["ok"], NOTHING]
    reply = application.conversation.reply(ada.message("count"))
    await anext(reply)

    await reply.aclose()

    await application.worker.drain()
    await ada.say("go on")
    assert "one " in prompt_of([c for c in model.calls if c.purpose == "reply"][-1])


async def test_without_memories_the_reply_goes_on_and_says_so(ada, model, embedder):
    model.steps += [["ok"], extracted(GOAL), importance(5)]
    await ada.say(GOAL)

    async def broken(texts, *, role):
        raise ModelUnreachableError("embedder gone")

    embedder.embed = broken
    model.steps += [["I go on."], NOTHING]
    note, text = await ada.events("what is my goal?")
    await ada.application.worker.drain()

    assert isinstance(note, ReplyWithoutMemory)
    assert text == ReplyText("I go on.")


async def test_memory_that_fails_is_tried_again_and_given_up_aloud(ada, model, clock):
    gone = [ModelUnreachableError("gone") for _ in range(4)]
    model.steps += [["ok"], *gone]
    await ada.say(GOAL)
    for _ in range(3):
        await clock.advance(minutes=10)
        await ada.application.worker.drain()

    (notice,) = ada.notices
    assert isinstance(notice.view, CouldNotRemember)
    assert notice.view.text == GOAL
    assert await ada.application.queue.count("failed") == 1


async def test_a_restart_in_mid_reply_still_remembers_the_message(tmp_path, model, embedder):
    async with application_in(tmp_path / "data", model=model, embedder=embedder) as first:
        # What is on the disk when the process is killed before the reply's first word.
        await first.conversation._accept(Speaker(first).message(GOAL))
        assert await first.queue.count("held") == 1

    model.steps += [extracted(GOAL), importance(5)]
    async with application_in(tmp_path / "data", model=model, embedder=embedder) as second:
        ada = Speaker(second)
        await second.worker.drain()
        assert GOAL in await ada.command("/memories")


async def test_work_done_twice_keeps_a_memory_once(ada, model, application):
    model.steps += [["ok"], extracted(GOAL), importance(5)]
    await ada.events(GOAL)
    job = await application.queue.take()

    await application.worker.work[job.kind](job)
    await application.worker.work[job.kind](job)

    assert (await ada.command("/memories")).count(GOAL) == 1


async def test_conversation_and_profile_survive_a_restart(tmp_path, model):
    name = ProfileFact(field="name", value="Mei", quote="I'm Mei")
    model.steps += [["Hello Mei!"], ExtractionAnswer(memories=[], profile=[name])]
    async with application_in(tmp_path / "data", model=model) as first:
        await Speaker(first).say("Hi, I'm Mei")

    model.steps += [["Mei, of course."], NOTHING]
    async with application_in(tmp_path / "data", model=model) as second:
        await Speaker(second).say("Who am I?")

    assert '"name":"Mei"' in background_of(model)
    assert "Hello Mei!" in prompt_of([c for c in model.calls if c.purpose == "reply"][-1])


async def test_a_long_conversation_is_summed_up_in_the_background(tmp_path, model):
    short = {"time_zone": "UTC", "short_term": {"max_tokens": 100}}
    async with application_in(tmp_path / "data", model=model, conversation=short) as application:
        ada = Speaker(application)
        for _ in range(3):
            model.steps += [["好" * 20], NOTHING]
        model.steps += [SummaryAnswer(summary="They talked about cats.")]
        for _ in range(3):
            await ada.say("貓" * 20)

        model.steps += [["ok"], NOTHING]
        await ada.say("hi")

    assert "They talked about cats." in background_of(model)


async def test_two_persons_never_see_each_other(application, model):
    ada, ben = Speaker(application, "ada"), Speaker(application, "ben")
    model.steps += [["ok"], extracted(GOAL), importance(5)]
    await ada.say(GOAL)

    model.steps += [["ok"], NOTHING]
    await ben.say("Who wants to reach IELTS 7 by June?")

    replies = [call for call in model.calls if call.purpose == "reply"]
    assert GOAL not in "".join(prompt_of(replies[-1]))
    assert GOAL not in await ben.command("/memories")
    assert GOAL not in await ben.command("/search IELTS")
    memory_id = (await ada.view("/memories")).memories[0].memory_id
    assert GOAL not in await ben.command(f"/forget {memory_id}")
    assert GOAL in await ada.command("/memories")


async def test_in_a_group_only_what_was_said_there_is_used(application, model):
    private = Speaker(application, "ada")
    group = Speaker(application, "ada", place=Place("console", "club", is_group=True))
    model.steps += [["ok"], extracted(GOAL), importance(5)]
    await private.say(GOAL)
    model.steps += [["ok"], extracted("I want to reach the summit."), importance(2)]
    await group.say("I want to reach the summit.")

    model.steps += [["ok"], NOTHING]
    await group.say("What do I want to reach by June?")
    in_group = background_of(model)
    model.steps += [["ok"], NOTHING]
    await private.say("What do I want to reach by June?")
    in_private = background_of(model)

    assert GOAL not in in_group
    assert "summit" in in_group
    assert GOAL in in_private
    assert GOAL not in await group.command("/memories")
    assert "summit" in await private.command("/memories")


async def test_why_shows_what_the_last_reply_considered(ada, model):
    model.steps += [["ok"], extracted(GOAL), importance(5)]
    await ada.say(GOAL)
    model.steps += [["ok"], NOTHING]
    await ada.say("I want to reach IELTS 7")

    why = await ada.view("/why")

    assert isinstance(why, Why)
    (item,) = why.considered
    assert item.outcome == "used"
    assert item.memory.content == GOAL
    assert item.retrieval_score == pytest.approx(0.8 * item.relevance + 0.2)


async def test_usage_counts_each_purpose(ada, model):
    model.steps += [["ok"], extracted(GOAL), importance(5)]
    await ada.say(GOAL)

    usage = await ada.view("/usage")

    assert {purpose: usage.in_all[purpose].total_tokens for purpose in usage.in_all} == {
        "reply": 15,
        "extraction": 15,
        "importance": 15,
        "embedding": 8,
    }


async def test_an_over_long_message_is_refused_kindly(ada, model, application):
    (event,) = await ada.events("x" * 8001)

    assert isinstance(event, ReplyFailed)
    assert model.calls == []


async def test_a_second_application_cannot_work_in_the_same_folder(tmp_path, application, model):
    with pytest.raises(DataFolderInUseError):
        async with application_in(tmp_path / "data", model=model):
            pass


async def test_text_that_databases_refuse_is_made_storable(ada, model):
    model.steps += [["ok"], NOTHING, ["ok"], NOTHING]

    await ada.say("half \ud83d and \0null")
    await ada.say("next")

    reply = [call for call in model.calls if call.purpose == "reply"][-1]
    assert "half ? and null" in [message.content for message in reply.messages]


async def test_what_is_forgotten_leaves_the_profile_too(ada, model):
    goal = ProfileFact(field="goal", value="reach IELTS 7", quote="reach IELTS 7")
    name = ProfileFact(field="name", value="Mei", quote="I'm Mei")
    model.steps += [["ok"], extracted(GOAL, profile=[goal, name]), importance(5)]
    await ada.say(f"I'm Mei. {GOAL}")
    memory_id = (await ada.view("/memories")).memories[0].memory_id

    await ada.view(f"/forget {memory_id}")

    profile = (await ada.view("/profile")).profile
    assert profile.goals == ()
    assert profile.name == "Mei"
