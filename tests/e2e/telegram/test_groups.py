"""A group: who is answered, what is seen there, and what stays between the bot and one person."""

import asyncio

import pytest
from memora_testing.telegram_bot import telegram_bot
from memora_testing.telegram_people import TelegramPerson, as_reply_to, group, in_topic
from memora_testing.telegram_server import (
    BAD_GATEWAY,
    FLOOD,
    LOST_WORD,
    RESET,
    Fault,
    telegram_server,
)

GOAL = "My goal is to reach IELTS 7 by June 2027."


@pytest.fixture(autouse=True)
def _quick_edits(monkeypatch):
    monkeypatch.setattr("bot.telegram.outlet.EDIT_SECONDS", 0.05)


@pytest.fixture
async def server(server, bot):
    """A server with a bot at it."""
    return server


def answers(server, club):
    return [message.text for message in server.from_bot(club.chat_id)]


async def test_it_answers_where_it_is_mentioned_and_nowhere_else(server, ada, club):
    await ada.say("Good morning everyone", club)
    await ada.say("Ask @memora_bot_test about it", club)
    await ada.say("@memora_bot what is a noun?", club)
    await server.until(lambda: answers(server, club) == ["You said: what is a noun?"])

    assert server.from_bot(club.chat_id)[0].reply_to == max(ada.sent)


@pytest.mark.parametrize(
    "text", ["👍🏽👩‍👩‍👧 @memora_bot hello", "你好 @Memora_Bot hello", "hello,@memora_bot"]
)
async def test_an_emoji_before_the_mention_does_not_make_it_deaf(server, ada, club, text):
    await ada.say(text, club)

    await server.until(lambda: "hello" in "".join(answers(server, club)))
    assert "emora" not in answers(server, club)[0]


async def test_a_name_that_points_to_it_counts_as_a_mention(server, ada, club):
    entity = {"type": "text_mention", "offset": 0, "length": 4, "user": server.me}
    await server.push(
        "message",
        {
            "message_id": server.next_message_id(),
            "date": 1,
            "chat": club.to_dict(),
            "from": ada.user,
            "text": "Memo hello",
            "entities": [entity],
        },
    )

    await server.until(lambda: answers(server, club) == ["You said: hello"])


async def test_a_reply_to_it_is_answered_and_one_to_others_is_not(server, ada, bob, club):
    await ada.say("@memora_bot hello", club)
    await server.until(lambda: answers(server, club))
    mine = server.from_bot(club.chat_id)[0]
    theirs = club.messages[max(ada.sent)]

    await bob.say("Not for the bot", club, **as_reply_to(server, club, theirs))
    await bob.say("And why?", club, **as_reply_to(server, club, mine))

    await server.until(lambda: answers(server, club)[1:] == ["You said: And why?"])


async def test_commands_are_taken_only_where_they_are_for_it(server, ada, club):
    await ada.say("/help@other_bot", club)
    await ada.say("/weather", club)
    await ada.say("/stop@memora_bot", club)

    await server.until(lambda: answers(server, club))
    assert answers(server, club) == ["I'm not writing anything right now."]


async def test_a_command_for_another_bot_in_reply_to_it_is_not_for_it(server, ada, club):
    await ada.say("@memora_bot hello", club)
    await server.until(lambda: answers(server, club))
    await ada.say("/ban@other_bot", club, **as_reply_to(server, club, server.from_bot(-1001234)[0]))
    await ada.barrier(club)
    assert len(answers(server, club)) == 2


async def test_its_name_alone_is_answered_with_what_to_do(server, ada, club):
    await ada.say("@memora_bot", club)

    await server.until(lambda: answers(server, club))
    assert "You said" not in answers(server, club)[0]


async def test_without_sight_of_the_group_it_still_answers_commands_and_says_why(tmp_path, model):
    async with telegram_server(reads_groups=False) as server:
        person, club = TelegramPerson(server, 77), group(server)
        async with telegram_bot(tmp_path / "data", server, model) as bot:
            await person.say("/stop@memora_bot", club)
            await server.until(lambda: answers(server, club))

            assert "/setprivacy" in bot.said[0]


async def test_two_people_in_one_group_keep_their_memories_apart(server, ada, bob, club):
    await ada.say(f"@memora_bot {GOAL}", club)
    await server.until(lambda: any("Remembered" in text for text in ada.screen + bob.screen))
    await bob.say("/memories", club)
    await ada.say("/memories", club)
    await server.until(lambda: any("I remember 1 thing" in text for text in ada.screen))

    await server.until(lambda: bob.screen)
    assert not any("IELTS" in text for text in bob.screen)
    assert not any("Remembered" in text for text in answers(server, club))


async def test_what_was_said_in_private_stays_out_of_the_group(server, ada, club, model):
    await ada.say(GOAL)
    await server.until(lambda: any("Remembered" in text for text in ada.screen))
    seen = _prompts(model)

    await ada.say("@memora_bot When is my IELTS goal due?", club)
    await server.until(lambda: answers(server, club))
    assert "June 2027" not in seen[-1]

    await ada.say("When is my IELTS goal due?")
    await server.until(lambda: "You said: When is my IELTS goal due?" in ada.screen)
    assert "June 2027" in seen[-1]


async def test_sharing_can_be_turned_on_by_the_person(server, ada, club, model):
    await ada.say(GOAL)
    await server.until(lambda: any("Remembered" in text for text in ada.screen))
    await ada.say("/settings sharing on")
    await server.until(lambda: len(ada.screen) == 3)
    seen = _prompts(model)

    await ada.say("@memora_bot When is my IELTS goal due?", club)
    await server.until(lambda: answers(server, club))

    assert "June 2027" in seen[-1]


async def test_answers_about_a_person_go_to_their_private_chat(server, ada, club):
    await ada.say("/profile", club)

    await server.until(lambda: ada.screen and answers(server, club))
    assert "profile" in ada.screen[0].lower()
    assert len(answers(server, club)) == 1


async def test_where_the_private_chat_is_closed_the_group_is_told_how_to_open_it(server, ada, club):
    ada.private.refusal = (403, "Forbidden: bot can't initiate conversation with a user")

    await ada.say("/memories", club)

    await server.until(lambda: answers(server, club))
    assert ada.screen == []
    assert len(answers(server, club)) == 1


async def test_topics_keep_a_conversation_each(server, ada, model):
    club = group(server, topics=(11, 12))
    await ada.say("@memora_bot about verbs", club, **in_topic(server, club, 11))
    await server.until(lambda: len(answers(server, club)) == 1)
    seen = _prompts(model)
    await ada.say("@memora_bot and now?", club, **in_topic(server, club, 12))
    await server.until(lambda: len(answers(server, club)) == 2)
    assert "verbs" not in seen[-1]
    await ada.say("@memora_bot and here?", club, **in_topic(server, club, 11))
    await server.until(lambda: len(answers(server, club)) == 3)

    assert "verbs" in seen[-1]
    assert [message.thread_id for message in server.from_bot(club.chat_id)] == [11, 12, 11]


async def test_a_message_in_a_topic_it_opened_is_not_taken_for_a_reply(server, ada):
    club = group(server, topics=(11,))
    await ada.say("Just talking", club, **in_topic(server, club, 11))
    await ada.say("@memora_bot barrier", club, **in_topic(server, club, 11))

    await server.until(lambda: answers(server, club) == ["You said: barrier"])


async def test_it_says_hello_where_it_is_added(server, ada, club):
    await server.push(
        "my_chat_member",
        {
            "chat": club.to_dict(),
            "from": ada.user,
            "date": 1,
            "old_chat_member": {"user": server.me, "status": "left"},
            "new_chat_member": {"user": server.me, "status": "member"},
        },
    )

    await server.until(lambda: answers(server, club))
    assert "@memora_bot" in answers(server, club)[0]


async def test_a_group_that_becomes_a_supergroup_stays_the_same_place(server, ada, model):
    old = server.chat(-50, "group", "Club")
    await ada.say("@memora_bot about verbs", old)
    await server.until(lambda: answers(server, old) == ["You said: about verbs"])
    new = group(server, -1000050)
    old.moved_to = new.chat_id
    await ada.send(old, migrate_to_chat_id=new.chat_id)
    seen = _prompts(model)

    await ada.say("@memora_bot and now?", new)

    await server.until(lambda: answers(server, new))
    assert "verbs" in seen[-1]


async def test_a_move_nobody_announced_is_followed(server, ada, model):
    old = server.chat(-51, "group", "Club")
    new = group(server, -1000051)
    more = asyncio.Event()
    model.replies.append([more, "late"])
    await ada.say("@memora_bot wait", old)
    await server.until(lambda: model.asked)
    old.moved_to = new.chat_id
    more.set()

    await server.until(lambda: answers(server, new) == ["late"])


async def test_a_reply_grows_in_one_message(server, ada, club, model):
    more = asyncio.Event()
    model.replies.append(["Half ", more, "whole"])

    await ada.say("@memora_bot go", club)
    await server.until(lambda: answers(server, club) == ["Half"])
    assert server.from_bot(club.chat_id)[0].keyboard
    more.set()

    await server.until(lambda: answers(server, club) == ["Half whole"])
    assert not server.from_bot(club.chat_id)[0].keyboard
    assert server.count("sendMessage") == 1


async def test_a_button_stops_the_reply_for_its_owner_alone(server, ada, bob, club, model):
    never = asyncio.Event()
    model.replies.append(["This much", never])
    await ada.say("@memora_bot go", club)
    await server.until(lambda: answers(server, club) == ["This much"])
    (growing,) = server.from_bot(club.chat_id)

    not_his = await bob.press(growing, "Stop", club)
    await server.until(lambda: not_his in server.answered)
    assert answers(server, club) == ["This much"]
    await ada.press(growing, "Stop", club)

    await server.until(lambda: answers(server, club) == ["This much\n\n(stopped)"])
    assert server.answered[not_his]["text"]


async def test_a_very_long_reply_grows_and_is_then_split(server, ada, club, model):
    more = asyncio.Event()
    model.replies.append(["Start. " + "Some words. " * 400, more, "More words. " * 200 + "End."])
    await ada.say("@memora_bot go", club)
    await server.until(lambda: any("Start." in text for text in answers(server, club)))
    more.set()

    await server.until(lambda: "".join(answers(server, club)).count("words") == 600)
    assert len(answers(server, club)) == 2


FAULTS = {
    "flood": FLOOD,
    "gateway": BAD_GATEWAY,
    "lost word": LOST_WORD,
    "not found": Fault(400, "Bad Request: message to edit not found"),
    "same already": Fault(400, "Bad Request: message is not modified"),
    "reset": RESET,
}


@pytest.mark.parametrize("name", [name for name in FAULTS if name != "same already"])
async def test_an_edit_that_fails_costs_nothing(server, ada, club, model, name):
    more = asyncio.Event()
    model.replies.append(["Half ", more, "whole"])
    await ada.say("@memora_bot go", club)
    await server.until(lambda: answers(server, club) == ["Half"])
    if name == "not found":
        del club.messages[server.from_bot(club.chat_id)[0].message_id]
    else:
        server.fail("editMessageText", FAULTS[name])
    more.set()
    await server.until(lambda: "Half whole" in answers(server, club))
    await ada.barrier(club)
    assert answers(server, club) == ["Half whole", "You said: barrier"]


async def test_that_nothing_changed_is_no_error(server, ada, club, model, caplog):
    more = asyncio.Event()
    model.replies.append(["Half ", more, "whole"])
    server.fail("editMessageText", FAULTS["same already"])
    await ada.say("@memora_bot go", club)
    await server.until(lambda: server.count("editMessageText"))
    more.set()

    await server.until(lambda: answers(server, club) == ["Half whole"])
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


@pytest.mark.parametrize("name", ["flood", "gateway"])
async def test_a_placeholder_that_fails_costs_nothing(server, ada, club, model, name):
    more = asyncio.Event()
    server.fail("sendMessage", FAULTS[name])
    model.replies.append(["Half ", more, "whole"])
    await ada.say("@memora_bot go", club)
    await server.until(lambda: server.count("sendMessage"))
    more.set()

    await server.until(lambda: "Half whole" in answers(server, club))
    await ada.barrier(club)
    assert answers(server, club) == ["Half whole", "You said: barrier"]


async def test_where_the_placeholders_word_is_lost_the_answer_still_comes_once(
    server, ada, club, model
):
    more = asyncio.Event()
    server.fail("sendMessage", LOST_WORD)
    model.replies.append(["Half ", more, "whole"])
    await ada.say("@memora_bot go", club)
    await server.until(lambda: server.count("sendMessage"))
    more.set()
    await server.until(lambda: "Half whole" in answers(server, club))
    await ada.barrier(club)
    assert [text for text in answers(server, club) if "Half" in text] == ["Half whole"]


async def test_a_group_without_the_right_to_write_is_left_alone(server, ada, bob, club):
    club.refusal = (400, "Bad Request: not enough rights to send text messages to the chat")
    await ada.say("@memora_bot hello", club)
    await bob.say("barrier")
    await server.until(lambda: bob.screen and server.count("sendMessage") >= 2)

    assert answers(server, club) == []


def _prompts(model):
    """Note every prompt of a reply from now on, as one text each."""
    seen, stream = [], model.stream

    def noting(messages, *, purpose):
        seen.append("\n".join(message.content for message in messages))
        return stream(messages, purpose=purpose)

    model.stream = noting
    return seen
