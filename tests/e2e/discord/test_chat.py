"""A private chat: replies that grow, order, edits, and what is no text."""

import asyncio

import pytest
from memora_testing.discord_bot import answers, discord_bot, from_bot, labels
from simcord.backend import serializers

GOAL = "My goal is to reach IELTS 7 by June 2027."


@pytest.fixture(autouse=True)
def _quick_edits(monkeypatch):
    monkeypatch.setattr("bot.discord.outlet.EDIT_SECONDS", 0.05)


async def test_a_message_is_answered_once_and_what_it_holds_is_kept(world, ada):
    await ada.send_dm(GOAL)
    await world.settled()

    assert answers(world, ada.dm_channel)[0] == f"You said: {GOAL}"
    assert answers(world, ada.dm_channel)[1].startswith(f"Remembered: {GOAL}")
    assert len(answers(world, ada.dm_channel)) == 2


async def test_a_reply_grows_in_one_message(world, ada, model):
    goes_on, ends = asyncio.Event(), asyncio.Event()
    model.replies.append(["Once", goes_on, " upon a time", ends, " there was an end."])
    world.write(ada, ada.dm_channel, "Tell me a story")
    await world.until(lambda: answers(world, ada.dm_channel) == ["Once"])
    assert labels(from_bot(world, ada.dm_channel)[0]) == ["Stop"]

    goes_on.set()
    await world.until(lambda: answers(world, ada.dm_channel) == ["Once upon a time"])
    ends.set()
    await world.settled()

    assert answers(world, ada.dm_channel) == ["Once upon a time there was an end."]
    assert labels(from_bot(world, ada.dm_channel)[0]) == []


async def test_a_reply_is_not_changed_more_often_than_discord_takes(world, ada, model, monkeypatch):
    monkeypatch.setattr("bot.discord.outlet.EDIT_SECONDS", 0.5)
    pause = asyncio.Event()
    asyncio.get_running_loop().call_later(1.0, pause.set)
    model.replies.append([f"word {n} " for n in range(300)] + [pause] + ["end"])
    await ada.send_dm("Go on")
    await world.settled()

    edits = world.requests("PATCH", "/channels/")
    assert 1 <= len(edits) <= 4


async def test_a_reply_can_be_stopped_and_what_was_written_stays(world, ada, model):
    model.replies.append(["Once upon a time", asyncio.Event()])
    world.write(ada, ada.dm_channel, "Tell me a story")
    await world.until(lambda: answers(world, ada.dm_channel) == ["Once upon a time"])

    await ada.click(from_bot(world, ada.dm_channel)[0], label="Stop")
    await world.settled()

    assert answers(world, ada.dm_channel)[0].startswith("Once upon a time\n\n")
    assert labels(from_bot(world, ada.dm_channel)[0]) == []


async def test_a_long_reply_comes_in_parts_that_fit_and_nothing_is_lost(world, ada, model):
    words = " ".join(f"word{n}" for n in range(900))
    model.replies.append([words])
    await ada.send_dm("Write much")
    await world.settled()

    parts = [message.content for message in from_bot(world, ada.dm_channel)]
    assert len(parts) > 2
    assert all(len(part) <= 2000 for part in parts)
    assert " ".join(parts).split() == words.split()


async def test_a_fence_of_code_goes_on_in_the_next_part_with_room_for_its_marks(world, ada, model):
    code = "\n".join(f"print({n:05d})" for n in range(400))
    model.replies.append([f"Look:\n\n```python\n{code}\n```\n\nThat is all."])
    await ada.send_dm("Show me code")
    await world.settled()

    parts = [message.content for message in from_bot(world, ada.dm_channel)]
    assert all(len(part) <= 2000 for part in parts)
    assert all(part.count("```") % 2 == 0 for part in parts)
    assert "".join(parts).count("print(") == 400


async def test_a_turn_after_a_long_reply_works(world, ada, model):
    model.replies.append(["long " * 1000])
    await ada.send_dm("Write much")
    await ada.send_dm("And now?")
    await world.settled()

    assert answers(world, ada.dm_channel)[-1] == "You said: And now?"


async def test_nobody_is_pinged_by_what_a_model_writes(world, member, club, model):
    model.replies.append(["@everyone and @here and <@&5> and <@7>: look!"])
    await member.send(club, f"{world.mention} call them")
    await world.settled()

    sent = world.requests("POST", f"/channels/{club.id}/messages")
    assert [call.json["allowed_mentions"].get("parse") for call in sent] == [[]]
    assert not from_bot(world, club)[0].mention_everyone


async def test_messages_of_one_chat_are_answered_in_order(world, ada, model):
    first = asyncio.Event()
    model.replies.append([first, "one"])
    for text in ("1", "2", "3"):
        world.write(ada, ada.dm_channel, text)
    await world.until(lambda: model.asked == ["1"])
    first.set()
    await world.settled()

    assert model.asked == ["1", "2", "3"]
    assert answers(world, ada.dm_channel) == ["one", "You said: 2", "You said: 3"]


async def test_a_command_passes_a_long_reply(world, ada, model):
    model.replies.append(["Once", asyncio.Event()])
    world.write(ada, ada.dm_channel, "Tell me a story")
    await world.until(lambda: answers(world, ada.dm_channel) == ["Once"])

    world.write(ada, ada.dm_channel, "/stop")

    await world.settled()
    assert model.asked == ["Tell me a story"]
    assert any("topped" in text for text in answers(world, ada.dm_channel)[1:])


async def test_an_edited_message_is_noted_and_not_answered_again(world, ada):
    said = await ada.send_dm("My goal is to reach IELTS 6 by June 2027.")
    await world.settled()
    await ada.edit(said, GOAL)
    await world.settled()
    await ada.slash("memories")
    await world.settled()

    seen = answers(world, ada.dm_channel)
    assert sum(text.startswith("You said") for text in seen) == 1
    assert "IELTS 7" in seen[-1]
    assert "IELTS 6" not in seen[-1]


async def test_the_same_event_twice_is_answered_once(world, ada, model):
    said = await ada.send_dm("Hello")
    stored = world.env.backend.get_message(ada.dm_channel.id, said.id)
    world.env.backend.emit(
        "MESSAGE_CREATE", dict(serializers.message_payload(world.env.backend, stored))
    )
    await ada.send_dm("And again")
    await world.settled()

    assert model.asked == ["Hello", "And again"]


async def test_other_bots_are_ignored(world, model, ada):
    robot = world.env.create_user("robot", bot=True)
    world.write(robot, robot.dm_channel, "Hello, bot")
    await ada.send_dm("barrier")
    await world.settled()

    assert model.asked == ["barrier"]


async def test_a_picture_without_words_gets_a_friendly_line(world, ada):
    attachments = world.env.backend.store_attachments(ada.dm_channel.id, [("cat.png", b"\x89PNG")])
    await ada.send_dm("", attachments=attachments)
    await world.settled()

    assert "I can read text" in answers(world, ada.dm_channel)[0]


async def test_what_others_wrote_is_answered_and_not_taken_as_the_persons_own(
    world, ada, member, other, club
):
    theirs = await other.send(club, "My level is B1 and I live in Tainan.")
    await member.forward(theirs, ada.dm_channel)
    await world.settled()

    assert answers(world, ada.dm_channel)
    assert not any("Remembered" in text for text in answers(world, ada.dm_channel))


async def test_chinese_is_answered_in_chinese(world, ada):
    await ada.send_dm("我的目標是多益考到九百分。")
    await world.settled()

    assert "記住了" in answers(world, ada.dm_channel)[1]


async def test_what_is_waiting_at_a_stop_is_answered_after_it(world, ada, model):
    model.replies.append([asyncio.Event()])
    world.write(ada, ada.dm_channel, "Hello")
    await world.until(lambda: model.asked == ["Hello"])

    world.application.settings.jobs.__dict__["exit_grace_seconds"] = 0.1
    await world.restart()
    await world.settled()

    assert answers(world, ada.dm_channel) == ["You said: Hello"]


async def test_voice_is_heard_where_a_model_hears(tmp_path, model):
    class Ears:
        async def transcribe(self, audio, *, file_name):
            assert (audio, file_name) == (b"OggS", "speech.ogg")
            return "How do I say this?"

    async with discord_bot(tmp_path / "data", model, transcriber=Ears()) as world:
        ada = world.env.create_user("ada")
        attachments = world.env.backend.store_attachments(
            ada.dm_channel.id, [("voice-message.ogg", b"OggS")]
        )
        for attachment in attachments:
            attachment["duration_secs"] = 2.0
        await ada.send_dm("", attachments=attachments, flags=1 << 13)
        await world.settled()

        assert answers(world, ada.dm_channel) == [
            "🎙️ “How do I say this?”\n\nYou said: How do I say this?"
        ]
