"""One learner on Telegram and Discord at once, with both real clients."""

import re

import pytest
from memora_testing.discord_bot import answers, discord_in, shown
from memora_testing.telegram_bot import telegram_bot
from memora_testing.telegram_people import TelegramPerson, group
from memora_testing.telegram_server import telegram_server

from memory.models.offline import OfflineLanguageModel

GOAL = "My goal is to reach IELTS 7 by June 2027."
NURSE = "I work as a nurse."


@pytest.fixture
async def server():
    async with telegram_server() as running:
        yield running
        assert running.refused_formats == []


@pytest.fixture
async def bot(tmp_path, server):
    async with telegram_bot(tmp_path / "data", server, OfflineLanguageModel()) as running:
        yield running


@pytest.fixture
async def world(bot):
    async with discord_in(bot.application) as running:
        yield running


@pytest.fixture
def ada(server):
    return TelegramPerson(server, 77)


@pytest.fixture
def there(world):
    """The same learner at Discord."""
    return world.env.create_user("ada")


async def says(server, bot, person, text):
    """Have someone write on Telegram; return what they see then."""
    before = len(person.screen)
    await person.say(text)
    await server.until(lambda: len(person.screen) > before)
    await bot.settled()
    return "\n".join(person.screen[before:])


async def calls(world, user, name, **options):
    """Have someone call a command at Discord; return what they see then."""
    result = await user.slash(name, **options)
    await world.settled()
    return shown(result.response)


def code_in(text):
    return re.search(r"[A-Z2-9]{4}-[A-Z2-9]{4}", text)[0]


@pytest.fixture
async def linked(server, bot, world, ada, there):
    """Both accounts, once they are one person's."""
    assert "Remembered" in await says(server, bot, ada, GOAL)
    await calls(world, there, "remember", text=NURSE)
    code = code_in(await says(server, bot, ada, "/link"))
    assert "one person on Discord, Telegram" in await calls(world, there, "link", code=code)


@pytest.mark.usefixtures("linked")
async def test_a_code_from_telegram_makes_them_one_person_and_both_are_told(
    server, bot, world, ada, there
):
    await server.until(lambda: any("one person on" in text for text in ada.screen))

    seen = await says(server, bot, ada, "/memories")
    assert "nurse" in seen
    assert "IELTS" in await calls(world, there, "memories")
    await there.send_dm("How should I prepare for IELTS?")
    await world.settled()
    assert "IELTS 7 by June 2027" in answers(world, there.dm_channel)[-1]


async def test_a_code_from_discord_works_on_telegram(server, bot, world, ada, there):
    await calls(world, there, "remember", text=NURSE)
    code = code_in(await calls(world, there, "link"))

    assert "one person on" in await says(server, bot, ada, f"/link {code.lower()}")
    assert "nurse" in await says(server, bot, ada, "/memories")
    assert any("one person on" in text for text in answers(world, there.dm_channel)[2:])


async def test_a_code_is_shown_to_its_person_alone(server, bot, world, ada, there):
    club = group(server)
    await ada.say("/link", club)
    await server.until(lambda: server.from_bot(club.chat_id))
    assert code_in("\n".join(ada.screen))
    assert not re.search("[A-Z2-9]{4}-", server.from_bot(club.chat_id)[0].text)

    guild = world.env.create_guild("English club")
    channel = guild.create_text_channel("general")
    result = await guild.add_member(there).slash(channel, "link")
    await world.settled()
    assert result.ephemeral
    assert code_in(shown(result.response))


async def test_a_panel_opened_before_still_works_after_joining(server, bot, world, ada, there):
    await calls(world, there, "remember", text=NURSE)
    panel = (await there.slash("memories")).response
    await world.settled()
    code = code_in(await says(server, bot, ada, "/link"))
    await calls(world, there, "link", code=code)
    menu = panel.components[0]["components"][0]
    await there.select(panel, [menu["options"][0]["value"]], custom_id=menu["custom_id"])
    await world.settled()

    assert "You said" in shown(panel)


@pytest.mark.usefixtures("linked")
async def test_separating_says_what_stays_where(server, bot, world, ada, there):
    seen = await calls(world, there, "unlink")

    assert "this account: 1 memory" in seen
    assert "Telegram: 1 memory" in seen
    assert "IELTS" not in await calls(world, there, "memories")
    assert "nurse" not in await says(server, bot, ada, "/memories")
