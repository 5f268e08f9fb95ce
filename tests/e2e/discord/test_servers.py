"""A server: who is answered, what is seen there, and what stays between the bot and one person."""

import asyncio

import discord
import pytest
from memora_testing.discord_bot import UNPRIVILEGED, answers, discord_bot, from_bot, labels
from simcord.backend import serializers
from simcord.builders import ChannelHandle

GOAL = "My goal is to reach IELTS 7 by June 2027."


@pytest.fixture(autouse=True)
def _quick_edits(monkeypatch):
    monkeypatch.setattr("bot.discord.outlet.EDIT_SECONDS", 0.05)


async def test_nothing_privileged_is_asked_for(world):
    intents = world.env.bot.intents

    assert not intents.message_content
    assert not intents.members
    assert not intents.presences


async def test_it_answers_where_it_is_mentioned_and_nowhere_else(world, member, club, model):
    await member.send(club, "Good morning everyone")
    said = await member.send(club, f"👍🏽👩‍👩‍👧 {world.mention} what is a noun?")
    await world.settled()

    assert [text.split() for text in model.asked] == [["👍🏽👩‍👩‍👧", "what", "is", "a", "noun?"]]
    assert len(answers(world, club)) == 1
    assert from_bot(world, club)[0].reference.message_id == said.id


async def test_a_reply_to_it_is_answered_and_one_to_others_is_not(
    world, member, other, club, model
):
    said = await member.send(club, f"{world.mention} hello")
    await world.settled()
    await other.send(club, "Not for the bot", reply_to=said)
    await other.send(club, f"{world.mention} And why?", reply_to=from_bot(world, club)[0])
    await world.settled()

    assert model.asked == ["hello", "And why?"]


async def test_a_reply_whose_words_are_hidden_gets_a_hint(world, member, club, model):
    await member.send(club, f"{world.mention} hello")
    await world.settled()
    said = await member.send(club, "And why?", reply_to=from_bot(world, club)[0])
    await world.settled()
    backend = world.env.backend
    payload = serializers.message_payload(backend, backend.get_message(club.id, said.id))
    hidden = {"id": str(said.id + 1), "content": "", "mentions": []}
    backend.emit("MESSAGE_CREATE", {**payload, **hidden})
    await world.settled()

    assert model.asked == ["hello", "And why?"]
    assert "Please mention me" in answers(world, club)[-1]


async def test_its_name_alone_is_answered_with_what_to_do(world, member, club):
    await member.send(club, world.mention)
    await world.settled()

    assert "after my name" in answers(world, club)[0]


async def test_the_names_of_others_are_read_as_people_see_them(world, member, other, club, model):
    await member.send(club, f"{world.mention} {other.mention} said <:wow:123> hi")
    await world.settled()

    assert model.asked == ["@bob said :wow: hi"]


async def test_an_open_channel_needs_no_mention(tmp_path, model):
    intents = discord.Intents.all()
    async with discord_bot(
        tmp_path / "data", model, intents=intents, discord={"open_channels": ["5", "7"]}
    ) as world:
        server = world.env.create_guild("English club")
        club = server.create_text_channel("general")
        member = server.add_member(world.env.create_user("ada"))
        world.env.bot.open_channels = frozenset({club.id})
        await member.send(club, "What is a noun?")
        await world.settled()

        assert answers(world, club) == ["You said: What is a noun?"]


async def test_an_open_channel_without_the_intent_is_refused_at_the_start(tmp_path, model):
    with pytest.raises(discord.PrivilegedIntentsRequired):
        async with discord_bot(
            tmp_path / "data", model, intents=UNPRIVILEGED, discord={"open_channels": ["5"]}
        ):
            pass


async def test_two_people_in_one_channel_keep_their_memories_apart(world, ada, member, other, club):
    await member.send(club, f"{world.mention} {GOAL}")
    await other.send(club, f"{world.mention} I find phrasal verbs difficult.")
    await world.settled()

    for person, own, theirs in ((member, "IELTS", "phrasal"), (other, "phrasal", "IELTS")):
        result = await person.slash(club, "memories")
        await world.settled()
        seen = result.response.embeds[0].description
        assert own in seen
        assert theirs not in seen
    assert any("Remembered" in text for text in answers(world, ada.dm_channel))
    assert not any("Remembered" in text for text in answers(world, club))


async def test_what_was_said_in_private_stays_out_of_the_server(world, ada, member, club, model):
    await ada.send_dm(GOAL)
    await world.settled()
    seen = prompts(model)

    await member.send(club, f"{world.mention} When is my IELTS goal due?")
    await world.settled()
    assert "June 2027" not in seen[-1]
    await ada.send_dm("When is my IELTS goal due?")
    await world.settled()
    assert "June 2027" in seen[-1]


async def test_what_was_said_in_one_channel_stays_out_of_another(
    world, server, member, club, model
):
    await member.send(club, f"{world.mention} {GOAL}")
    await world.settled()
    seen = prompts(model)
    elsewhere = server.create_text_channel("elsewhere")

    await member.send(elsewhere, f"{world.mention} When is my IELTS goal due?")
    await world.settled()
    assert "June 2027" not in seen[-1]
    await member.send(club, f"{world.mention} When is my IELTS goal due?")
    await world.settled()
    assert "June 2027" in seen[-1]


def prompts(model):
    """Return what the model is asked from now on, each as one text."""
    seen = []
    stream = model.stream

    def noted(messages, *, purpose):
        seen.append("\n".join(message.content for message in messages))
        return stream(messages, purpose=purpose)

    model.stream = noted
    return seen


async def test_threads_keep_a_conversation_each_and_share_their_channels_memories(
    world, server, member, club, model
):
    await member.send(club, f"{world.mention} {GOAL}")
    await world.settled()
    seen = prompts(model)
    thread = club_thread(world, server, club, member)
    await member.send(thread, f"{world.mention} When is my IELTS goal due?")
    await world.settled()

    assert answers(world, thread) == ["You said: When is my IELTS goal due?"]
    assert "June 2027" in seen[-1]
    assert f"You said: {GOAL}" not in seen[-1]


async def test_a_private_thread_is_a_group_of_its_own(world, server, member, club, model):
    thread = club_thread(world, server, club, member, is_private=True)
    await member.send(thread, f"{world.mention} {GOAL}")
    await world.settled()
    seen = prompts(model)
    await member.send(club, f"{world.mention} When is my IELTS goal due?")
    await world.settled()

    assert answers(world, club)
    assert "June 2027" not in seen[-1]


def club_thread(world, server, club, member, *, is_private=False):
    backend = world.env.backend
    kind = discord.ChannelType.private_thread if is_private else discord.ChannelType.public_thread
    thread = backend.create_thread(club.id, "Grammar", type=kind.value, owner_id=member.id)
    backend.add_thread_member(thread.id, world.env.bot.me.id)
    return ChannelHandle(world.env, server, thread)


async def test_a_button_stops_the_reply_for_its_owner_alone(world, member, other, club, model):
    model.replies.append(["Once upon a time", asyncio.Event()])
    world.write(member, club, f"{world.mention} tell me a story")
    await world.until(lambda: answers(world, club) == ["Once upon a time"])

    await other.click(from_bot(world, club)[0], label="Stop")
    await world.env.settle()
    await world.until(lambda: world.requests("POST", "/webhooks/"))
    assert labels(from_bot(world, club)[0]) == ["Stop"]
    await member.click(from_bot(world, club)[0], label="Stop")
    await world.settled()

    assert labels(from_bot(world, club)[0]) == []


async def test_it_says_hello_where_it_is_added(world):
    server = world.env.create_guild("New place")
    await world.settled()
    backend = world.env.backend
    guild = backend.guilds[server.id]
    channel = server.create_text_channel("welcome")
    backend.emit("GUILD_DELETE", {"id": str(server.id)})
    await world.env.settle()
    payload = serializers.guild_create_payload(backend, guild)
    backend.emit(
        "GUILD_CREATE", {name: item for name, item in payload.items() if name != "unavailable"}
    )
    await world.settled()

    assert "Hi everyone" in answers(world, channel)[0]


async def test_commands_written_after_the_name_answer_in_private(world, ada, member, club):
    await member.send(club, f"{world.mention} /memories")
    await world.settled()

    assert "don't remember anything" in answers(world, ada.dm_channel)[0]
    assert answers(world, club) == ["I've answered you in our private chat."]
