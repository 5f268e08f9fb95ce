"""One person on two platforms: joining, refusing, and parting."""

import asyncio
from zoneinfo import ZoneInfo

import pytest
from memora_testing.application import Speaker, application_in
from memora_testing.values import counting_ids

from bot.linking import ALPHABET, CODE_LENGTH, MAX_GUESSES, new_code
from bot.messages import Place
from bot.views import LinkCode, Linked, Separated
from memory.errors import VectorStoreError
from memory.extraction import LearnerMessage
from memory.models.offline import OfflineLanguageModel
from memory.store import LongTermMemoryStore
from memory.usage import TokenUsage

GOAL = "My goal is to reach IELTS 7 by June 2027."
NURSE = "I work as a nurse."
SONGS = "I like English songs."


@pytest.fixture
async def application(tmp_path, clock):
    async with application_in(
        tmp_path / "data", model=OfflineLanguageModel(), clock=clock, ids=counting_ids()
    ) as running:
        yield running


@pytest.fixture
def ada(application):
    return Speaker(application, "1", platform="telegram")


@pytest.fixture
def there(application):
    """The same learner on the other platform."""
    return Speaker(application, "2", platform="discord")


async def code_of(speaker):
    view = await speaker.view("/link")
    assert isinstance(view, LinkCode)
    return view.code


async def join(ada, there):
    return await there.view(f"/link {await code_of(ada)}")


async def test_memories_profile_settings_and_history_become_one(application, ada, there):
    await ada.say(GOAL)
    await ada.command("/profile level B1")
    await there.command(f"/remember {SONGS}")
    await there.command("/profile name Ada")
    await there.say("How are you?")
    await ada.command("/settings kept off")

    assert await join(ada, there) == Linked(("discord", "telegram"), 2)

    person = await there.person()
    assert person.person_id == (await ada.person()).person_id
    for speaker in (ada, there):
        assert {"IELTS", "songs."} <= set((await speaker.command("/memories")).split())
        profile = await speaker.command("/profile")
        assert "B1" in profile
        assert "Ada" in profile
        assert "off" in await speaker.command("/settings")
    conversation = await application.people.conversation(person, there.place)
    assert (await conversation.context()).turns[0].text == "How are you?"
    assert await ada.say("How should I prepare for IELTS?")


async def test_what_is_said_on_one_platform_is_known_on_the_other_and_not_in_its_groups(
    ada, there, application
):
    await join(ada, there)
    await ada.say(GOAL)
    club = Speaker(application, "2", platform="discord", place=Place("discord", "9", is_group=True))

    assert "IELTS 7" in await there.say("When is my IELTS goal due?")
    assert "IELTS 7" not in await club.say("When is my IELTS goal due?")


async def test_what_both_know_is_kept_once(ada, there):
    await ada.command(f"/remember {SONGS}")
    await there.command("/remember i like english songs!")
    await there.command(f"/remember {NURSE}")

    assert (await join(ada, there)).memories == 2


async def test_both_collections_contents_are_in_one(application, ada, there):
    await ada.command(f"/remember {SONGS}")
    await there.command(f"/remember {NURSE}")
    await join(ada, there)
    await application.worker.drain()

    names = [item.name for item in application.people.chroma.list_collections()]
    assert names == [f"person-{(await ada.person()).person_id}"]


async def test_the_one_who_asked_is_told_on_their_platform(application, ada, there):
    await join(ada, there)

    assert [notice.view for notice in ada.notices] == [Linked(("discord", "telegram"), 0)]
    assert ada.notices[0].place == ada.place


async def test_tokens_are_added_up(application, ada, there):
    for speaker in (ada, there):
        usage = (await speaker.person()).usage
        await usage.record("reply", "m", usage_of(10))
    await usage_kept_apart(there)
    await join(ada, there)

    totals = await (await ada.person()).usage.totals()
    assert totals["reply"].input_tokens == 20
    assert totals["summary"].input_tokens == 3


def usage_of(tokens):
    return TokenUsage(input_tokens=tokens, output_tokens=0)


async def usage_kept_apart(speaker):
    await (await speaker.person()).usage.record("summary", "m", usage_of(3))


@pytest.mark.parametrize("written", ["{}", " {} ", "lower", "no dash"])
async def test_how_a_code_is_written_makes_no_difference(ada, there, written):
    code = await code_of(ada)
    forms = {"lower": code.lower(), "no dash": code.replace("-", "")}

    view = await there.view("/link " + forms.get(written, written.format(code)))

    assert isinstance(view, Linked)


async def test_a_code_works_once_and_for_ten_minutes(application, ada, there, clock):
    old = await code_of(ada)
    await clock.advance(minutes=10)
    assert "10 minutes old" in await there.command(f"/link {old}")

    code = await code_of(ada)
    third = Speaker(application, "3", platform="console")
    assert isinstance(await there.view(f"/link {code}"), Linked)
    assert "isn't right" in await third.command(f"/link {code}")
    assert isinstance(await there.view(f"/link {code}"), Linked)  # the same command, twice


async def test_a_new_code_makes_the_one_before_void(ada, there):
    first = await code_of(ada)
    await code_of(ada)

    assert "isn't right" in await there.command(f"/link {first}")


async def test_ones_own_code_and_a_second_account_on_a_platform_are_refused(
    application, ada, there
):
    code = await code_of(ada)
    assert "your own code" in await ada.command(f"/link {code}")

    second = Speaker(application, "9", platform="telegram")
    assert "each platform" in await second.command(f"/link {code}")
    assert isinstance(await there.view(f"/link {code}"), Linked)


async def test_codes_cannot_be_guessed_at_speed(ada, there, clock):
    code = await code_of(ada)
    for _ in range(MAX_GUESSES):
        assert "isn't right" in await there.command("/link AAAA-AAAA")
    assert "wait ten minutes" in await there.command(f"/link {code}")

    await clock.advance(minutes=10)
    assert isinstance(await there.view(f"/link {await code_of(ada)}"), Linked)


async def test_two_who_enter_one_code_at_once_do_not_both_get_in(application, ada, there):
    code = await code_of(ada)
    third = Speaker(application, "3", platform="console")

    views = await asyncio.gather(there.view(f"/link {code}"), third.view(f"/link {code}"))

    assert sum(isinstance(view, Linked) for view in views) == 1


def test_codes_are_long_enough_and_all_different():
    codes = {new_code() for _ in range(1000)}

    assert len(codes) == 1000
    assert len(ALPHABET) ** CODE_LENGTH >= 2**40
    assert not set(ALPHABET) & set("01IO")


async def test_parting_says_what_stays_where(ada, there):
    await ada.command(f"/remember {SONGS}")
    await ada.command("/profile level B1")
    await there.command(f"/remember {NURSE}")
    await there.command("/profile name Ada")
    await join(ada, there)
    await ada.command(f"/remember {GOAL}")
    await there.command("/remember I find phrasal verbs difficult.")

    view = await there.view("/unlink")

    assert view == Separated(("telegram",), here=2, there=2, is_complete=True)
    mine, theirs = await ada.command("/memories"), await there.command("/memories")
    assert {"songs.", "IELTS"} <= set(mine.split())
    assert {"nurse.", "phrasal"} <= set(theirs.split())
    assert not {"nurse.", "phrasal"} & set(mine.split())
    assert not {"songs.", "IELTS"} & set(theirs.split())
    assert "B1" in await ada.command("/profile")
    assert "B1" not in await there.command("/profile")
    assert "Ada" in await there.command("/profile")


async def test_conversations_stay_with_their_platform(application, ada, there):
    await ada.say("Hello from Telegram")
    await there.say("Hello from Discord")
    await join(ada, there)
    await there.view("/unlink")

    conversation = await application.people.conversation(await there.person(), there.place)
    turns = [turn.text for turn in (await conversation.context()).turns]
    assert "Hello from Discord" in turns


async def test_an_account_alone_has_nothing_to_part_from(ada):
    assert "isn't linked" in await ada.command("/unlink")


async def test_after_parting_neither_knows_what_the_other_says(ada, there):
    await join(ada, there)
    await there.view("/unlink")
    await ada.say(GOAL)

    assert "IELTS" not in await there.command("/memories")


async def test_parted_accounts_can_be_joined_again(ada, there):
    await ada.command(f"/remember {SONGS}")
    await join(ada, there)
    await there.view("/unlink")

    assert (await join(ada, there)).memories == 1


async def test_what_was_waiting_to_be_kept_is_kept_for_the_one_person(application, ada, there):
    events = await there.events(GOAL)
    assert events
    assert await application.queue.count("queued") == 1

    await join(ada, there)
    await application.worker.drain()

    assert "IELTS 7" in await ada.command("/memories")


async def test_what_was_being_kept_while_accounts_were_joined_is_not_lost(
    application, ada, there, monkeypatch
):
    model = application.model
    joined = asyncio.Event()
    parse = model.parse

    async def slowly(*arguments, **options):
        await joined.wait()
        return await parse(*arguments, **options)

    monkeypatch.setattr(model, "parse", slowly)
    await there.events(GOAL)
    working = asyncio.create_task(application.worker.drain())
    while not await application.queue.count("running"):
        await asyncio.sleep(0.01)
    await join(ada, there)
    joined.set()
    await working
    await application.worker.drain()

    assert "IELTS 7" in await ada.command("/memories")


async def test_memories_that_cannot_follow_at_once_follow_later(
    application, ada, there, monkeypatch
):
    await there.command(f"/remember {NURSE}")

    async def broken(*_arguments):
        raise VectorStoreError("marked")

    with monkeypatch.context() as patch:
        patch.setattr(LongTermMemoryStore, "write_records", broken)
        assert isinstance(await join(ada, there), Linked)
    assert "nurse" not in await ada.command("/memories")
    await application.worker.drain()

    assert "nurse" in await ada.command("/memories")


async def test_memories_that_could_not_follow_at_all_are_swept_up(
    application, ada, there, monkeypatch, clock
):
    await there.command(f"/remember {NURSE}")

    async def broken(*_arguments):
        raise VectorStoreError("marked")

    with monkeypatch.context() as patch:
        patch.setattr(LongTermMemoryStore, "write_records", broken)
        await join(ada, there)
        for _ in range(6):
            await application.worker.drain()
            await clock.advance(hours=1)
    assert await application.queue.count("failed") == 1
    await application.linking.sweep()
    await application.worker.drain()

    assert "nurse" in await ada.command("/memories")
    assert await application.queue.count("failed") == 0


async def test_what_still_came_for_a_person_that_was_joined_is_swept_up(application, ada, there):
    before = await there.person()
    await join(ada, there)
    await application.worker.drain()
    await before.memory.remember(message_for(there))
    assert "nurse" not in await ada.command("/memories")

    await application.linking.sweep()

    assert "nurse" in await ada.command("/memories")


def message_for(speaker):
    return LearnerMessage(
        message_id="m",
        text=NURSE,
        sent_at=speaker.application.clock.now(),
        time_zone=ZoneInfo("Asia/Taipei"),
    )


async def test_a_kill_between_joining_and_moving_is_made_good_at_the_next_start(
    tmp_path, clock, monkeypatch
):
    async def killed(*_arguments):
        raise asyncio.CancelledError

    folder = tmp_path / "killed"
    async with application_in(folder, model=OfflineLanguageModel(), clock=clock) as application:
        ada = Speaker(application, "1", platform="telegram")
        there = Speaker(application, "2", platform="discord")
        await there.command(f"/remember {NURSE}")
        code = await code_of(ada)
        with monkeypatch.context() as patch:
            patch.setattr("bot.linking.merge_memories", killed)
            patch.setattr("bot.jobs.JobQueue.release", killed)
            with pytest.raises(asyncio.CancelledError):
                await there.view(f"/link {code}")
    async with application_in(folder, model=OfflineLanguageModel(), clock=clock) as application:
        await application.worker.drain()

        ada = Speaker(application, "1", platform="telegram")
        assert "nurse" in await ada.command("/memories")
        assert await application.queue.count("queued") == 0
