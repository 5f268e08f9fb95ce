"""What goes wrong on the way to Discord: each answer arrives once, and nobody else waits for it."""

import asyncio

import pytest
from memora_testing.discord_bot import answers, from_bot

from bot.inbox import Inbox
from bot.messages import Account
from memory.errors import DatabaseError

GOAL = "My goal is to reach IELTS 7 by June 2027."
MESSAGES = "/channels/*/messages"


@pytest.fixture
def quick_edits(monkeypatch):
    monkeypatch.setattr("bot.discord.outlet.EDIT_SECONDS", 0.05)


@pytest.mark.parametrize("status", [429, 500, 502, 503])
async def test_a_reply_arrives_once(world, ada, status):
    world.env.inject_error("POST", MESSAGES, status=status, times=2)
    await ada.send_dm("Hello")
    await world.settled()

    assert answers(world, ada.dm_channel) == ["You said: Hello"]


async def test_what_is_sent_again_carries_the_same_nonce(world, ada):
    world.env.inject_error("POST", MESSAGES, status=503, times=3)
    await ada.send_dm("Hello")
    await ada.send_dm("Hello")
    await world.settled()

    nonces = [call.json["nonce"] for call in world.requests("POST", "/messages")]
    assert len(nonces) == 5
    assert len(set(nonces[:4])) == 1
    assert nonces[4] != nonces[0]
    assert all(len(nonce) <= 25 for nonce in nonces)


async def test_after_some_minutes_of_doubt_it_is_not_sent_again(world, ada, monkeypatch, caplog):
    monkeypatch.setattr("bot.discord.outlet.NONCE_SECONDS", -1.0)
    world.env.inject_error("POST", MESSAGES, status=503, times=1)
    await ada.send_dm("Hello")
    await world.settled()

    assert answers(world, ada.dm_channel) == []
    assert "never confirmed" in caplog.text


async def test_each_part_of_a_long_reply_arrives_once(world, ada, model):
    words = " ".join(f"word{n}" for n in range(900))
    model.replies.append([words])
    world.env.inject_error("POST", MESSAGES, status=502, times=1)
    await ada.send_dm("Write much")
    await world.settled()

    assert " ".join(answers(world, ada.dm_channel)).split() == words.split()


@pytest.mark.usefixtures("quick_edits")
@pytest.mark.parametrize("status", [429, 500])
async def test_a_preview_that_fails_costs_nothing(world, ada, model, status):
    goes_on = asyncio.Event()
    model.replies.append(["Once", goes_on, " upon a time"])
    world.env.inject_error("PATCH", "/channels/*", status=status, times=2)
    world.write(ada, ada.dm_channel, "Tell me a story")
    await world.until(lambda: answers(world, ada.dm_channel))
    goes_on.set()
    await world.settled()

    assert answers(world, ada.dm_channel) == ["Once upon a time"]


@pytest.mark.usefixtures("quick_edits")
async def test_a_message_deleted_while_it_grows_comes_again_at_the_end(world, member, club, model):
    goes_on = asyncio.Event()
    model.replies.append(["Once", goes_on, " upon a time"])
    world.write(member, club, f"{world.mention} tell me a story")
    await world.until(lambda: answers(world, club) == ["Once"])

    world.env.backend.delete_message(club.id, from_bot(world, club)[0].id)
    goes_on.set()
    await world.settled()

    assert answers(world, club) == ["Once upon a time"]


async def test_a_question_deleted_while_it_is_answered_is_answered_all_the_same(
    world, member, club, model
):
    goes_on = asyncio.Event()
    model.replies.append([goes_on, "Here you are"])
    said = world.write(member, club, f"{world.mention} hello")
    await world.until(lambda: model.asked)
    world.env.backend.delete_message(club.id, said.id)
    goes_on.set()
    await world.settled()

    assert answers(world, club) == ["Here you are"]


async def test_a_channel_it_may_not_write_in_is_left_alone_until_someone_writes(
    world, member, club, model
):
    world.env.inject_error("POST", MESSAGES, status=403, code=50013, times=1)
    await member.send(club, f"{world.mention} hello")
    await world.settled()
    assert answers(world, club) == []

    await member.send(club, f"{world.mention} hello again")
    await world.settled()

    assert answers(world, club) == ["You said: hello again"]


async def test_a_person_who_takes_no_messages_is_left_alone(world, ada):
    world.env.inject_error("POST", MESSAGES, status=403, code=50007, times=None)
    await ada.send_dm(GOAL)
    await world.settled()

    assert len(world.requests("POST", "/messages")) == 1
    assert await world.application.queue.count("failed") == 0


async def test_one_channels_trouble_holds_up_no_other(world, ada, server, member):
    troubled = server.create_text_channel("troubled")
    world.env.inject_error("POST", f"/channels/{troubled.id}/messages", status=503, times=None)
    world.write(member, troubled, f"{world.mention} hello")
    await world.until(lambda: world.requests("POST", f"/channels/{troubled.id}/messages"))
    world.write(ada, ada.dm_channel, "Hello")

    await world.until(lambda: answers(world, ada.dm_channel) == ["You said: Hello"])
    world.env.backend.faults.clear()
    await world.settled()
    assert answers(world, troubled) == ["You said: hello"]


async def test_a_fault_in_an_event_does_not_hold_up_the_next(world, ada, monkeypatch):
    reply = type(world.application.responder).reply
    faults = [ValueError("marked")]

    async def broken(responder, message, outlet):
        if faults:
            raise faults.pop()
        await reply(responder, message, outlet)

    monkeypatch.setattr(type(world.application.responder), "reply", broken)
    await ada.send_dm("Hello")
    await ada.send_dm("Hello again")
    await world.settled()

    assert answers(world, ada.dm_channel) == ["You said: Hello again"]


async def test_an_event_that_cannot_be_kept_is_kept_as_soon_as_it_can_in_order(
    world, ada, monkeypatch, model
):
    receive = Inbox.receive
    faults = [DatabaseError("full"), DatabaseError("full")]

    async def troubled(inbox, entries):
        if faults:
            raise faults.pop()
        await receive(inbox, entries)

    monkeypatch.setattr(Inbox, "receive", troubled)
    for text in ("1", "2", "3"):
        world.write(ada, ada.dm_channel, text)
    await world.settled()

    assert model.asked == ["1", "2", "3"]
    assert faults == []


@pytest.mark.parametrize("status", [429, 500])
async def test_a_commands_answer_arrives_once(world, ada, status):
    world.env.inject_error("PATCH", "/webhooks/*", status=status, times=2)
    await ada.slash("help")
    await world.settled()

    assert len(answers(world, ada.dm_channel)) == 1
    assert "/remember" in answers(world, ada.dm_channel)[0]


@pytest.mark.parametrize("status", [429, 500])
async def test_a_panel_changes_whatever_happens(world, ada, status):
    await ada.slash("settings")
    await world.settled()
    card = from_bot(world, ada.dm_channel)[0]
    world.env.inject_error("PATCH", "/webhooks/*", status=status, times=2)
    await ada.click(card, label="tell me when you keep something")
    await world.settled()

    person = await world.application.people.of(account_of(ada))
    assert not person.tells_kept
    assert "off" in answers(world, ada.dm_channel)[0]


def account_of(user):
    return Account("discord", str(user.id))


async def test_an_expired_button_is_no_error(world, ada, caplog):
    await ada.slash("settings")
    await world.settled()
    world.env.inject_error("POST", "/interactions/*", status=404, code=10062)
    await ada.click(from_bot(world, ada.dm_channel)[0], label="tell me when you keep something")
    await world.settled()

    assert "not acknowledged in time" in caplog.text
