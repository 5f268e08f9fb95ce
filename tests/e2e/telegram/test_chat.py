"""A private chat, as a person sees it."""

import asyncio

import pytest
from memora_testing.telegram_people import TelegramPerson
from memora_testing.telegram_server import SentMessage, units

from bot.messages import Account, Place

GOAL = "My goal is to reach IELTS 7 by June 2027."


async def test_a_reply_streams_as_a_draft_and_stands_as_one_message(server, bot, ada, model):
    more = asyncio.Event()
    model.replies.append(["Good ", "morning", more, ", Ada!"])

    await ada.say("Hi")
    await server.until(lambda: ada.private.shown_drafts)
    assert ada.private.actions == 1
    assert ada.screen == []
    more.set()
    await server.until(lambda: ada.screen)

    assert ada.screen == ["Good morning, Ada!"]
    assert ada.private.drafts == {}
    assert ada.private.shown_drafts[0] == "Good morning"


async def test_typing_is_shown_before_the_model_says_a_word(server, bot, ada, model):
    silence = asyncio.Event()
    model.replies.append([silence, "Here I am."])

    await ada.say("Hi")
    await server.until(lambda: ada.private.actions)
    assert server.count("sendMessageDraft") == 0
    silence.set()
    await server.until(lambda: ada.screen)


async def test_markdown_arrives_as_entities(server, bot, ada, model):
    model.replies.append(["## Past simple\n\nI **went**, not `goed`. 我*去*了 👍 **ok**"])

    await ada.say("Explain")
    await server.until(lambda: ada.screen)

    (message,) = server.from_bot(77)
    assert message.text == "Past simple\n\nI went, not goed. 我去了 👍 ok"
    assert message.styled("bold") == ["Past simple", "went", "ok"]
    assert message.styled("code") == ["goed"]
    assert message.styled("italic") == ["去"]


@pytest.mark.parametrize(
    "case",
    [
        ("An unclosed **star and a `tick", "An unclosed **star and a `tick"),
        ("<b>tags</b> & <unknown> stay", "<b>tags</b> & <unknown> stay"),
        ("[link](not a url) _under_ * star", "under * star"),
        ("| a | b |\n|---|---|\n| 1 | 2 |", "1 | 2"),
        ("snake_case and 2 * 3 * 4", "snake_case and 2 * 3 * 4"),
        ("\\*escaped\\* \\_marks\\_", "*escaped* _marks_"),
    ],
)
async def test_any_markdown_arrives_and_no_format_is_refused(bot, server, ada, model, case):
    text, words = case
    model.replies.append([text])

    await ada.say("Say something odd")
    await server.until(lambda: ada.screen)

    assert words in ada.screen[0]


async def test_a_long_reply_comes_in_parts_that_fit_and_nothing_is_lost(server, bot, ada, model):
    paragraphs = [f"**{n}.** " + f"Sentence {n} about 時態 👍. " * 12 for n in range(40)]
    model.replies.append(["\n\n".join(paragraphs)])

    await ada.say("Tell me everything")
    await server.until(lambda: "Sentence 39" in "".join(ada.screen))
    await ada.say("barrier")
    await server.until(lambda: ada.screen[-1] == "You said: barrier")

    parts = ada.screen[:-1]
    assert len(parts) > 2
    assert all(units(part) <= 4096 for part in parts)
    assert [part.count("Sentence") for part in parts].count(0) == 0
    assert sum(part.count("Sentence") for part in parts) == 480
    assert all(part.startswith(tuple("0123456789")) for part in parts)
    assert ada.private.drafts == {}


async def test_a_turn_after_a_long_reply_works(server, bot, ada, model):
    model.replies.append(["word " * 2000])
    await ada.say("Long please")
    await server.until(lambda: len(ada.screen) >= 3)

    await ada.say("And now?")

    await server.until(lambda: ada.screen[-1] == "You said: And now?")


async def test_a_fence_of_code_goes_on_in_the_next_part(server, bot, ada, model):
    code = "\n".join(f"print({n})  # {'x' * 60}" for n in range(120))
    model.replies.append([f"Look:\n\n```python\n{code}\n```\n\nThat is all."])

    await ada.say("Code")
    await server.until(lambda: ada.screen and "That is all." in ada.screen[-1])

    parts = server.from_bot(77)
    assert len(parts) > 2
    assert all(part.styled("pre") for part in parts[1:])
    assert not any("```" in part.text for part in parts)


@pytest.mark.parametrize("pieces", [[], ["  \n "], ["<!-- only a comment -->"]])
async def test_a_reply_without_a_visible_word_is_an_apology_or_shown_as_it_is(
    server, bot, ada, model, pieces
):
    model.replies.append(pieces)

    await ada.say("Hi")
    await server.until(lambda: ada.screen)

    assert ada.screen[0].strip()
    assert server.refused_formats == []


async def test_messages_of_one_chat_are_answered_in_order(server, bot, ada, model):
    slow = asyncio.Event()
    model.replies.append([slow, "first"])

    await ada.say("one")
    await server.until(lambda: model.asked)
    await ada.say("two")
    await ada.say("three")
    slow.set()
    await server.until(lambda: len(ada.screen) == 3)

    assert ada.screen == ["first", "You said: two", "You said: three"]


async def test_chats_do_not_wait_for_each_other(server, bot, ada, bob, model):
    never = asyncio.Event()
    model.replies.append([never, "late"])

    await ada.say("slow one")
    await server.until(lambda: model.asked)
    await bob.say("quick one")

    await server.until(lambda: bob.screen)
    assert bob.screen == ["You said: quick one"]
    assert ada.screen == []
    never.set()


async def test_a_command_passes_a_long_reply(server, bot, ada, model):
    slow = asyncio.Event()
    model.replies.append(["I think", slow, " so."])

    await ada.say("Think long")
    await server.until(lambda: ada.private.shown_drafts)
    await ada.say("/help")
    await server.until(lambda: ada.screen)
    assert "/remember" in ada.screen[0]
    slow.set()

    await server.until(lambda: len(ada.screen) == 2)
    assert ada.screen[1] == "I think so."


async def test_a_reply_can_be_stopped_and_what_was_written_stays(server, bot, ada, model):
    never = asyncio.Event()
    model.replies.append(["This much is written", never, " and this is not"])

    await ada.say("Write a lot")
    await server.until(lambda: ada.private.shown_drafts)
    await ada.say("/stop")
    await server.until(lambda: len(ada.screen) == 2)

    assert sorted(ada.screen) == ["Stopped.", "This much is written\n\n(stopped)"]
    assert ada.private.drafts == {}
    await ada.say("Go on")
    await server.until(lambda: ada.screen[-1] == "You said: Go on")


async def test_stop_without_a_reply_says_so(server, bot, ada):
    await ada.say("/stop")

    await server.until(lambda: ada.screen == ["I'm not writing anything right now."])


async def test_reset_during_a_reply_is_answered_and_starts_afresh(server, bot, ada, model):
    never = asyncio.Event()
    model.replies.append(["Once upon", never])
    await ada.say("Tell a story")
    await server.until(lambda: ada.private.shown_drafts)

    await ada.say("/reset")
    await server.until(lambda: len(ada.screen) == 2)

    await ada.say("Hello again")
    await server.until(lambda: len(ada.screen) == 3)
    person = await bot.application.people.of(_account(77))
    conversation = await bot.application.people.conversation(person, _place(77))
    context = await conversation.context()
    assert [turn.text for turn in context.turns] == ["Hello again", "You said: Hello again"]


async def test_a_model_that_fails_is_an_apology_and_what_was_written_stays(server, bot, ada, model):
    model.replies.append(["So far, so good", ConnectionError("boom")])

    await ada.say("Hi")
    await server.until(lambda: ada.screen)

    assert ada.screen[0].startswith("So far, so good\n\nSorry, something went wrong.")


async def test_an_edited_message_is_noted_and_not_answered_again(server, bot, ada):
    message_id = await ada.say("My exam is on 12 June 2027.")
    await server.until(lambda: len(ada.screen) == 2)

    await ada.edit(message_id, "My exam is on 13 June 2027.")
    await ada.barrier()

    await server.until(lambda: any("13" in text for text in ada.screen[2:]))
    assert sum(text.startswith("You said: My exam") for text in ada.screen) == 1
    await ada.say("/memories")
    await server.until(lambda: "I remember 1 thing" in ada.screen[-1])
    assert "13, 2027" in ada.screen[-1] or "13 June" in ada.screen[-1]


async def test_an_edit_of_something_that_was_never_answered_is_let_be(server, bot, ada):
    ada.sent[4] = {"message_id": 4, "date": 1, "chat": ada.private.to_dict(), "from": ada.user}
    await ada.edit(4, "changed")
    await ada.say("barrier")

    await server.until(lambda: ada.screen)
    assert ada.screen == ["You said: barrier"]


@pytest.mark.parametrize(
    "fields",
    [
        {
            "forward_origin": {
                "type": "user",
                "date": 1,
                "sender_user": {"id": 5, "is_bot": False, "first_name": "Eve"},
            }
        },
        {"via_bot": {"id": 6, "is_bot": True, "first_name": "Other", "username": "other_bot"}},
    ],
)
async def test_what_others_wrote_is_answered_and_not_taken_as_the_persons_own(
    server, bot, ada, fields
):
    await ada.say("My name is Eve and my goal is to pass TOEFL.", **fields)
    await server.until(lambda: ada.screen)
    await ada.say(GOAL)
    await server.until(lambda: any(text.startswith("Remembered") for text in ada.screen))

    await ada.say("/memories")
    await server.until(lambda: "I remember 1 thing" in ada.screen[-1])
    assert "TOEFL" not in ada.screen[-1]


async def test_a_picture_without_words_gets_a_friendly_line(server, bot, ada):
    await ada.send(photo=[_photo()])

    await server.until(lambda: ada.screen)
    assert ada.screen[0].startswith("I can read text")


async def test_an_album_gets_one_line(server, bot, ada):
    for _ in range(3):
        await ada.send(photo=[_photo()], media_group_id="9")
    await ada.barrier()
    assert len(ada.screen) == 2


async def test_a_caption_is_read(server, bot, ada):
    await ada.send(photo=[_photo()], caption="Is this sentence right?")

    await server.until(lambda: ada.screen)
    assert ada.screen == ["You said: Is this sentence right?"]


@pytest.mark.parametrize(
    "fields",
    [
        {"dice": {"emoji": "🎲", "value": 3}},
        {"location": {"latitude": 25.0, "longitude": 121.5}},
        {"contact": {"phone_number": "1", "first_name": "Eve"}},
        {"document": {"file_id": "d", "file_unique_id": "d"}},
        {
            "sticker": {
                "file_id": "s",
                "file_unique_id": "s",
                "type": "regular",
                "width": 1,
                "height": 1,
                "is_animated": False,
                "is_video": False,
            }
        },
        {
            "poll": {
                "id": "1",
                "question": "Tea?",
                "options": [],
                "total_voter_count": 0,
                "is_closed": False,
                "is_anonymous": True,
                "type": "regular",
                "allows_multiple_answers": False,
                "allows_revoting": True,
                "members_only": False,
            }
        },
    ],
)
async def test_whatever_else_is_sent_gets_the_line_too(server, bot, ada, fields):
    await ada.send(**fields)

    await server.until(lambda: ada.screen)
    assert ada.screen[0].startswith("I can read text")


async def test_service_messages_and_other_bots_are_ignored(server, bot, ada):
    await ada.send(pinned_message=server.as_dict(ada.private, _any_message()))
    other = {"id": 9, "is_bot": True, "first_name": "Bot", "username": "nine_bot"}
    body = {
        "message_id": 1,
        "date": 1,
        "chat": ada.private.to_dict(),
        "from": other,
        "text": "hi",
    }
    await server.push("message", body)
    await server.push("channel_post", body | {"chat": {"id": -5, "type": "channel"}})
    await ada.say("barrier")

    await server.until(lambda: ada.screen)
    assert ada.screen == ["You said: barrier"]


async def test_chinese_is_answered_in_chinese(server, bot, ada):
    await ada.say("/search 考試")
    await server.until(lambda: ada.screen)

    assert ada.screen == ["我還沒有記住你的任何事。"]


async def test_the_menus_are_set_once_in_both_languages(server, bot, ada):
    await ada.say("hi")
    await server.until(lambda: ada.screen)

    assert set(server.menus) == {
        (scope, code) for scope in ("all_private_chats", "all_group_chats") for code in ("", "zh")
    }
    names = [command["command"] for command in server.menus["all_private_chats", "zh"]]
    assert names[:3] == ["start", "help", "remember"]


async def test_the_same_update_twice_is_answered_once(server, bot, ada):
    await ada.say("hi")
    await server.until(lambda: ada.screen)
    await server.repeat_last_update()
    await ada.barrier()
    assert ada.screen == ["You said: hi", "You said: barrier"]


async def test_fifty_chats_at_once_with_a_slow_model(server, bot, model):
    people = [TelegramPerson(server, 1000 + n, f"P{n}") for n in range(50)]
    gate = asyncio.Event()
    model.replies += [[gate, "Slow answer"]] * 10

    for person in people:
        await person.say(f"I am number {person.user_id}.")
    await server.until(lambda: len(model.asked) == 50)
    gate.set()
    await server.until(lambda: all(person.screen for person in people))

    for person in people:
        assert len(person.screen) == 1
        assert person.screen[0] in ("Slow answer", f"You said: I am number {person.user_id}.")


def _photo():
    return {"file_id": "p", "file_unique_id": "p", "width": 1, "height": 1}


def _any_message():
    return SentMessage(3, 77, "pinned")


def _account(user_id):
    return Account("telegram", str(user_id))


def _place(chat_id):
    return Place("telegram", str(chat_id))
