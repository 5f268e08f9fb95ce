"""The contract of every platform: who says the same things sees the same come of them."""

import re

import pytest
from memora_testing.worlds import WORLDS

from bot.commands import COMMANDS

GOAL = "My goal is to reach IELTS 7 by June 2027."


@pytest.fixture(params=sorted(WORLDS))
async def person(request, tmp_path):
    async with WORLDS[request.param](tmp_path / "data") as someone:
        yield someone


async def test_what_matters_is_kept_said_to_be_kept_and_used(person):
    seen = await person.say(GOAL)
    assert f"Remembered: {GOAL}" in seen

    seen = await person.say("How should I prepare for IELTS?")

    assert "IELTS 7 by June 2027" in seen
    seen = await person.say("/why")
    assert "used" in seen
    assert "relevance 0." in seen


async def test_what_does_not_matter_is_answered_and_not_kept(person):
    seen = await person.say("I had noodles for lunch.")
    assert seen.strip()
    assert "Remembered" not in seen

    assert "IELTS" not in await person.say("/memories")


async def test_remember_memories_and_search(person):
    assert "difficult" in await person.say("/remember I find phrasal verbs difficult.")
    assert "bank" in await person.say("/remember I am preparing for an interview at a bank.")

    everything = await person.say("/memories")
    found = await person.say("/search phrasal verbs")

    assert "bank" in everything
    assert "phrasal" in everything
    assert "importance" in everything
    assert "phrasal verbs difficult" in found.partition("bank")[0]


async def test_policy_has_the_last_word_and_says_why(person):
    seen = await person.say("/remember My password is hunter2-marked.")

    assert "Remembered" not in seen
    assert "hunter2" not in await person.say("/memories")


async def test_a_memory_can_be_forgotten(person):
    seen = await person.say(f"/remember {GOAL}")
    wanted = re.findall(r"\(([0-9a-f]{6})\)", seen)[0]

    assert "Forgotten" in await person.say(f"/forget {wanted}")
    assert "IELTS" not in await person.say("/memories")


async def test_it_answers_in_the_language_one_writes(person):
    assert "記住了" in await person.say("我的目標是多益考到九百分。")
    assert "多益" in await person.say("/search 多益")


async def test_the_profile_is_shown_set_and_cleared(person):
    assert "B2" in await person.say("/profile level B2")
    assert "B2" not in await person.say("/profile level -")


async def test_reset_starts_afresh_and_keeps_memories(person):
    await person.say(f"/remember {GOAL}")
    await person.say("/reset")

    assert "IELTS" in await person.say("/memories")


@pytest.mark.parametrize("name", sorted(COMMANDS))
async def test_every_command_is_there(person, name):
    seen = await person.say(f"/{name}")

    assert seen.strip()
    assert "went wrong" not in seen


async def test_a_misspelt_command_is_helped(person):
    assert "/memories" in await person.say("/memorys")
