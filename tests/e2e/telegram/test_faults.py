"""Every send, and everything that can go wrong with it: one message gets one answer."""

import asyncio
import logging
from functools import partial

import pytest
from memora_testing.telegram_bot import telegram_bot
from memora_testing.telegram_people import TelegramPerson
from memora_testing.telegram_server import (
    BAD_GATEWAY,
    FLOOD,
    LOST_WORD,
    RESET,
    SILENCE,
    Fault,
    telegram_server,
)

from bot.inbox import Inbox
from bot.telegram import client
from memory.errors import DatabaseError

FAULTS = (FLOOD, BAD_GATEWAY, Fault(500, "Internal Server Error"), LOST_WORD)
"""What can happen to a message that is sent, short of losing it."""
NOT_FOUND = Fault(400, "Bad Request: message to edit not found")


def describe(fault):
    """Name a fault in a test's id."""
    how = "cut" if fault.cuts else "silent" if fault.hangs else str(fault.status)
    return f"{how} after it was done" if fault.is_done else how


@pytest.mark.parametrize("fault", FAULTS, ids=describe)
async def test_a_private_reply_arrives_once(server, bot, ada, fault):
    server.fail("sendMessage", fault)

    await ada.say("Hi")
    await ada.barrier()

    assert ada.screen == ["You said: Hi", "You said: barrier"]
    assert ada.private.drafts == {}


@pytest.mark.parametrize("fault", FAULTS, ids=describe)
async def test_a_commands_answer_arrives_once(server, bot, ada, fault):
    server.fail("sendMessage", fault)

    await ada.say("/usage")
    await server.until(lambda: ada.screen)
    await ada.barrier()

    assert len(ada.screen) == 2


@pytest.mark.parametrize("fault", [FLOOD, BAD_GATEWAY, LOST_WORD], ids=describe)
async def test_each_part_of_a_long_reply_arrives_once(server, bot, ada, model, fault):
    server.fail("sendMessage", fault, fault)
    model.replies.append(["\n\n".join(f"Part {n}. " + "word " * 700 for n in range(4))])

    await ada.say("Long")
    await server.until(lambda: any("Part 3." in text for text in ada.screen))
    await ada.barrier()

    assert [text[:7] for text in ada.screen[:-1]] == ["Part 0.", "Part 1.", "Part 2.", "Part 3."]


async def test_retry_after_is_kept_to_and_other_chats_go_on(server, bot, ada, bob):
    server.fail("sendMessage", Fault(429, "Too Many Requests: retry after 2", retry_after=2))

    await ada.say("Hi")
    await server.until(lambda: server.count("sendMessage"))
    await bob.say("Hello")
    await server.until(lambda: bob.screen and ada.screen)

    assert bob.screen == ["You said: Hello"]
    assert 2 in bot.application.clock.slept


async def test_a_time_out_after_sending_is_not_sent_again(
    tmp_path, server, model, monkeypatch, ada
):
    monkeypatch.setattr(client, "ANSWER_SECONDS", 0.5)
    server.fail("sendMessage", SILENCE)
    async with telegram_bot(tmp_path / "data", server, model):
        await ada.say("Hi")
        await ada.barrier()

        assert ada.screen == ["You said: Hi", "You said: barrier"]


async def test_an_unreachable_network_is_waited_for(server, bot, ada, monkeypatch):
    real = client.DeadlineRequest.do_request
    failures = iter([True, True, False])

    async def do_request(self, url, *args, **kwargs):
        if url.endswith("/sendMessage") and next(failures, False):
            url = "http://127.0.0.1:9/nobody/listens"
        return await real(self, url, *args, **kwargs)

    monkeypatch.setattr(client.DeadlineRequest, "do_request", do_request)
    await ada.say("Hi")
    await ada.barrier()

    assert ada.screen == ["You said: Hi", "You said: barrier"]


@pytest.mark.parametrize(
    "fault",
    [FLOOD, RESET, BAD_GATEWAY, LOST_WORD, Fault(400, "Bad Request: PEER_ID_INVALID")],
    ids=describe,
)
async def test_a_draft_that_fails_costs_nothing(server, bot, ada, model, fault):
    more = asyncio.Event()
    server.fail("sendMessageDraft", fault)
    model.replies.append(["Half ", more, "whole"])

    await ada.say("Hi")
    await server.until(lambda: server.count("sendMessageDraft"))
    more.set()
    await ada.barrier()

    assert ada.screen == ["Half whole", "You said: barrier"]
    assert ada.private.drafts == {}


async def test_a_draft_on_its_way_never_stands_beside_the_answer(server, bot, ada, model):
    late, more = asyncio.Event(), asyncio.Event()
    server.fail("sendMessageDraft", Fault(waits_for=late))
    model.replies.append(["Half ", more, "whole"])

    await ada.say("Hi")
    await server.until(lambda: "sendMessageDraft" in server.begun)
    more.set()
    late.set()
    await ada.barrier()

    assert ada.screen == ["Half whole", "You said: barrier"]
    assert ada.private.drafts == {}


async def test_where_there_are_no_drafts_a_message_grows(server, bot, ada, model, monkeypatch):
    monkeypatch.setattr("bot.telegram.outlet.EDIT_SECONDS", 0.05)
    more = asyncio.Event()
    server.fail("sendMessageDraft", *[Fault(404, "Not Found")] * 9)
    model.replies.append(["Half ", more, "whole"])

    await ada.say("Hi")
    await server.until(lambda: "Half" in ada.screen)
    more.set()
    await ada.barrier()

    assert ada.screen == ["Half whole", "You said: barrier"]


@pytest.mark.parametrize(
    "refusal",
    [
        (403, "Forbidden: bot was blocked by the user"),
        (403, "Forbidden: user is deactivated"),
        (400, "Bad Request: chat not found"),
    ],
)
async def test_a_chat_that_refuses_us_is_left_alone_until_someone_writes(
    server, bot, ada, bob, refusal
):
    ada.private.refusal = refusal

    await ada.say("My goal is to reach IELTS 7 by June 2027.")
    await server.until(lambda: server.count("sendMessage"))
    await bot.application.worker.drain()
    await bob.barrier()
    refused = [name for name, _, outcome in server.calls if outcome.startswith(str(refusal[0]))]

    assert refused.count("sendMessage") == 1
    ada.private.refusal = None
    await ada.say("I am back")
    await server.until(lambda: ada.screen)
    assert ada.screen == ["You said: I am back"]


async def test_blocking_stops_what_was_on_its_way(server, bot, ada, bob, model):
    await ada.block()
    await bob.barrier()

    assert ada.screen == []
    await ada.unblock()
    await ada.say("Hello")
    await server.until(lambda: ada.screen)


async def test_a_refused_format_goes_out_plain_and_counts_as_a_fault(bot, ada, server, caplog):
    server.fail("sendMessage", Fault(400, "Bad Request: can't parse entities: unknown"))
    with caplog.at_level(logging.ERROR):
        await ada.say("**Hi**")
        await ada.barrier()

    assert ada.screen == ["You said: **Hi**", "You said: barrier"]
    assert "refused a format" in caplog.text


async def test_an_expired_button_is_no_error(server, bot, ada):
    await ada.say("My goal is to reach IELTS 7 by June 2027.")
    await server.until(lambda: len(ada.screen) == 2)
    server.fail(
        "answerCallbackQuery",
        Fault(400, "Bad Request: query is too old and response timeout expired"),
    )

    await ada.press(server.from_bot(77)[1], "Undo")
    await server.until(lambda: ada.screen[1].startswith("Forgotten"))
    await ada.barrier()


@pytest.mark.parametrize("fault", [FLOOD, BAD_GATEWAY, LOST_WORD, RESET], ids=describe)
async def test_a_panel_changes_whatever_happens(server, bot, ada, fault):
    await ada.say("My goal is to reach IELTS 7 by June 2027.")
    await server.until(lambda: len(ada.screen) == 2)
    server.fail("editMessageText", fault)

    await ada.press(server.from_bot(77)[1], "Undo")

    await server.until(lambda: ada.screen[1].startswith("Forgotten"))
    assert len(ada.screen) == 2


async def test_a_fault_in_an_update_does_not_hold_up_the_next(server, bot, ada, monkeypatch):
    async def broken(self, message):
        raise RuntimeError("boom")

    monkeypatch.setattr(type(bot.application.conversation), "take_edit", broken)
    message_id = await ada.say("Hi")
    await server.until(lambda: ada.screen)
    await ada.edit(message_id, "Hi there")
    await ada.barrier()


async def test_an_update_nobody_can_read_is_passed_over_and_its_words_are_not_logged(
    server, bot, ada, caplog
):
    poll = {"id": "1", "question": "my marked private words", "options": []}
    await ada.send(poll=poll)
    await ada.barrier()

    assert ada.screen == ["You said: barrier"]
    assert "cannot be read" in caplog.text
    assert "marked private" not in caplog.text


async def test_an_update_that_cannot_be_kept_is_asked_for_again(server, bot, ada, monkeypatch):
    real, failures = Inbox.receive, iter([True, True])

    async def receive(self, entries):
        if next(failures, False):
            raise DatabaseError("database is locked")
        await real(self, entries)

    monkeypatch.setattr(Inbox, "receive", receive)
    await ada.say("Hi")
    await ada.barrier()

    assert ada.screen == ["You said: Hi", "You said: barrier"]


async def test_a_kill_in_mid_reply_is_made_good_at_the_next_start(tmp_path, server, model, ada):
    never = asyncio.Event()
    model.replies.append(["Half", never])
    in_a_hurry = {"exit_grace_seconds": 0.01}
    async with telegram_bot(tmp_path / "data", server, model, jobs=in_a_hurry) as bot:
        await ada.say("Hi")
        await server.until(lambda: ada.private.shown_drafts)
        await bot.break_off()
    async with telegram_bot(tmp_path / "data", server, model):
        await ada.barrier()

    assert ada.screen[-1] == "You said: barrier"
    assert len(ada.screen) == 2


async def test_a_confirmed_answer_is_not_sent_again_at_the_next_start(tmp_path, server, model, ada):
    async with telegram_bot(tmp_path / "data", server, model):
        await ada.say("Hi")
        await server.until(lambda: ada.screen)
        await server.repeat_last_update()
    async with telegram_bot(tmp_path / "data", server, model):
        await ada.barrier()

    assert ada.screen == ["You said: Hi", "You said: barrier"]
    assert model.asked == ["Hi", "barrier"]


async def test_what_comes_while_the_bot_is_away_is_answered_in_order(tmp_path, server, model, ada):
    for text in ("one", "two", "three"):
        await ada.say(text)
    async with telegram_bot(tmp_path / "data", server, model):
        await server.until(lambda: len(ada.screen) == 3)

    assert ada.screen == ["You said: one", "You said: two", "You said: three"]


async def test_a_graceful_stop_lets_a_running_reply_finish(tmp_path, server, model, ada):
    more = asyncio.Event()
    model.replies.append(["Half ", more, "whole"])
    async with telegram_bot(tmp_path / "data", server, model) as bot:
        await ada.say("Hi")
        await server.until(lambda: ada.private.shown_drafts)
        stopping = asyncio.create_task(bot.stop())
        await asyncio.sleep(0)
        more.set()
        await stopping

    assert ada.screen == ["Half whole"]


async def test_another_bots_updates_are_not_taken_for_seen(tmp_path, model):
    """An update's number means something for one bot alone."""
    for token in (
        "111:AAmarked-token-of-one-bot-0123456789",
        "222:AAmarked-token-of-two-0123456789",
    ):
        async with telegram_server() as server:
            server.token = token
            server.me["id"] = int(token.partition(":")[0])
            person = TelegramPerson(server, 77)
            async with telegram_bot(tmp_path / "data", server, model):
                await person.say(f"to {token[:3]}")
                await server.until(partial(server.texts, 77))
                assert person.screen == [f"You said: to {token[:3]}"]
