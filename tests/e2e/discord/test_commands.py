"""The menu of commands: what it offers, in which language, and who sees the answers."""

import asyncio

import pytest
import simcord
from memora_testing.discord_bot import answers, discord_bot, shown
from sqlalchemy import delete

from bot.commands import COMMANDS
from bot.discord import menu
from memory.database.tables import PublishedMenuRow
from memory.errors import VectorStoreError

GOAL = "My goal is to reach IELTS 7 by June 2027."


async def told(world, result):
    """Return what an interaction is answered with, once it is."""
    await world.settled()
    return shown(result.response)


def test_the_menu_offers_every_command_in_both_languages(world):
    offered = {command["name"]: command for command in _published(world)}

    assert set(offered) == {*COMMANDS, "Remember this"}
    for name in COMMANDS:
        assert offered[name]["description"]
        assert offered[name]["name_localizations"]["zh-TW"] != name
        assert offered[name]["description_localizations"]["zh-TW"]
        for option in offered[name].get("options") or ():
            assert option["name_localizations"]["zh-TW"]
            assert option["description_localizations"]["zh-TW"]
            for choice in option.get("choices") or ():
                assert choice["name_localizations"]["zh-TW"]


def test_the_commands_work_in_servers_in_private_and_wherever_people_talk(world):
    for command in _published(world):
        assert sorted(command["contexts"]) == [0, 1, 2]
        assert sorted(command["integration_types"]) == [0, 1]


def _published(world):
    """The commands as Discord was told them."""
    put = world.requests("PUT", "/commands")
    assert len(put) == 1
    return put[0].json


async def test_the_menu_is_published_once_and_again_only_when_it_changed(world, monkeypatch):
    await world.restart()
    assert len(world.requests("PUT", "/commands")) == 1

    monkeypatch.setitem(menu._CHOICES, "field", ("profile", ("name",)))
    await world.restart()
    assert len(world.requests("PUT", "/commands")) == 2


async def test_a_menu_that_cannot_be_published_does_not_keep_it_from_answering(tmp_path, model):
    async with discord_bot(tmp_path / "data", model) as world:
        ada = world.env.create_user("ada")
        world.env.inject_error("PUT", "/applications/*/commands", status=429, code=0)
        async with world.application.database.transaction() as session:
            await session.execute(delete(PublishedMenuRow))
        await world.restart()
        await ada.send_dm("Hello")
        await world.settled()

        assert answers(world, ada.dm_channel) == ["You said: Hello"]


async def test_remember_memories_search_and_forget(world, ada):
    kept = await told(world, await ada.slash("remember", text=GOAL))
    assert kept.startswith("Remembered")
    await ada.slash("remember", text="I find phrasal verbs difficult.")
    await world.settled()

    assert "I remember 2 things" in await told(world, await ada.slash("memories"))
    assert "page" in await told(world, await ada.slash("memories", page=7))
    facts = await told(world, await ada.slash("memories", kind="semantic", order="importance"))
    assert "phrasal" in facts
    found = await told(world, await ada.slash("search", words="phrasal verbs"))
    assert "phrasal" in found.partition("IELTS")[0]

    offered = await ada.autocomplete("forget", "memory", "phrasal")
    assert [choice["name"] for choice in offered] == ["I find phrasal verbs difficult."]
    gone = await told(world, await ada.slash("forget", memory=offered[0]["value"]))
    assert gone == "Forgotten: I find phrasal verbs difficult."


async def test_memories_are_suggested_to_their_person_alone(world, ada):
    bob = world.env.create_user("bob")
    await ada.slash("remember", text=GOAL)
    await world.settled()

    assert await bob.autocomplete("forget", "memory", "") == []
    assert [choice["name"] for choice in await ada.autocomplete("forget", "memory", "")] == [GOAL]


async def test_a_fault_in_the_store_suggests_nothing_and_breaks_nothing(world, ada, monkeypatch):
    async def broken(*_, **__):
        raise VectorStoreError("marked")

    monkeypatch.setattr("memory.store.LongTermMemoryStore.list_all", broken)

    assert await ada.autocomplete("forget", "memory", "x") == []


async def test_profile_settings_and_the_others(world, ada):
    assert "B2" in await told(world, await ada.slash("profile", field="level", value="B2"))
    assert "B2" not in await told(world, await ada.slash("profile", field="level", value="-"))
    off = await told(world, await ada.slash("settings", option="kept", state="off"))
    assert "off" in off
    for name in ("start", "help", "why", "usage", "stop", "reset"):
        assert await told(world, await ada.slash(name))


async def test_answers_in_a_server_are_for_the_person_alone(world, ada, member, other, club):
    await ada.slash("remember", text=GOAL)
    await world.settled()
    for name, options in (("memories", {}), ("search", {"words": "IELTS"})):
        result = await member.slash(club, name, **options)
        await world.settled()
        assert result.ephemeral
        assert "IELTS" in shown(result.response)

    assert answers(world, club, viewer=other) == []


async def test_among_people_who_talk_without_it_answers_are_for_the_person_alone(
    world, ada, monkeypatch
):
    await ada.slash("remember", text=GOAL)
    await world.settled()
    payload_of = simcord.interactions.base_payload

    def among_people(*arguments, **options):
        record, payload = payload_of(*arguments, **options)
        return record, payload | {"context": 2}

    monkeypatch.setattr("simcord.interactions.base_payload", among_people)
    result = await ada.slash("memories")

    assert "IELTS" in await told(world, result)
    assert result.ephemeral


async def test_they_are_answered_in_private_without_hiding(world, ada):
    result = await ada.slash("memories")
    await world.settled()

    assert not result.ephemeral


async def test_why_in_a_server_is_about_that_server(world, member, club):
    await member.send(club, f"{world.mention} {GOAL}")
    await world.settled()
    await member.send(club, f"{world.mention} How should I prepare for IELTS?")
    await world.settled()

    assert "used" in await told(world, await member.slash(club, "why"))


async def test_ones_own_message_is_kept_from_its_menu_and_anothers_is_not(
    world, member, other, club
):
    mine = await member.send(club, GOAL)
    theirs = await other.send(club, "My level is C1.")

    kept = await member.context_menu(club, "Remember this", mine)
    assert (await told(world, kept)).startswith("Remembered")
    assert kept.ephemeral
    refused = await told(world, await member.context_menu(club, "Remember this", theirs))
    assert "only keep what you said yourself" in refused


async def test_a_command_can_be_written_too_and_a_misspelt_one_is_helped(world, ada):
    await ada.send_dm("/memories")
    await ada.send_dm("/memorys")
    await world.settled()

    assert "don't remember anything" in answers(world, ada.dm_channel)[0]
    assert "/memories" in answers(world, ada.dm_channel)[1]


async def test_chinese_speakers_are_answered_in_chinese(world, ada, monkeypatch):
    payload_of = simcord.interactions.base_payload

    def in_taiwan(*arguments, **options):
        record, payload = payload_of(*arguments, **options)
        return record, payload | {"locale": "zh-TW"}

    monkeypatch.setattr("simcord.interactions.base_payload", in_taiwan)

    assert "還沒" in await told(world, await ada.slash("memories"))


async def test_an_interaction_is_acknowledged_before_anything_slow(world, ada, monkeypatch):
    acknowledged = []
    people_of = type(world.application.people).of

    async def of(people, account):
        acknowledged.append(bool(world.requests("POST", "/interactions/")))
        return await people_of(people, account)

    monkeypatch.setattr(type(world.application.people), "of", of)
    await ada.slash("memories")
    await world.settled()

    assert acknowledged
    assert all(acknowledged)


async def test_an_interaction_that_came_too_late_is_no_error(world, ada, caplog):
    world.env.inject_error("POST", "/interactions/*", status=404, code=10062)
    await ada.slash("memories")
    await world.settled()

    assert "not acknowledged in time" in caplog.text
    await ada.slash("memories")
    await world.settled()
    assert len(answers(world, ada.dm_channel)) == 1


@pytest.mark.parametrize("expiry", [(401, 50027), (404, 10015)])
async def test_an_answer_after_fifteen_minutes_goes_to_the_private_chat(
    world, ada, member, club, expiry
):
    status, code = expiry
    world.env.inject_error("PATCH", "/webhooks/*", status=status, code=code, times=None)
    await member.slash(club, "memories")
    await world.settled()

    assert answers(world, ada.dm_channel) == ["I don't remember anything about you yet."]
    stranger = world.env.guild.add_member(world.env.create_user("bob"))
    assert answers(world, club, viewer=stranger) == []


async def test_a_deferred_answer_that_was_sent_away_comes_as_another(world, ada):
    world.env.inject_error("PATCH", "/webhooks/*", status=404, code=10008)
    await ada.slash("help")
    await world.settled()

    assert any("/remember" in text for text in answers(world, ada.dm_channel))


async def test_a_long_answer_comes_in_parts_for_the_person_alone(world, ada, member, club, other):
    for number in range(40):
        fact = f"I often confuse the words number{number} and similar{number} when I speak fast."
        await ada.slash("remember", text=fact)
    await world.settled()
    result = await member.slash(club, "usage")
    await world.settled()

    assert all(item.ephemeral for item in (result.response, *result.followups))
    assert answers(world, club, viewer=other) == []


async def test_an_interaction_is_finished_after_a_restart(world, ada, monkeypatch):
    began = asyncio.Event()
    run = world.application.commands.run
    waits = [asyncio.Event()]

    async def slowly(service, call):
        began.set()
        if waits:
            await waits.pop().wait()
        return await run(call)

    monkeypatch.setattr(type(world.application.commands), "run", slowly)
    world.application.settings.jobs.__dict__["exit_grace_seconds"] = 0.1
    result = await ada.slash("help")
    await began.wait()
    await world.restart()
    await world.settled()

    assert "/remember" in shown(result.response)
    assert len(answers(world, ada.dm_channel)) == 1
