import pytest
from memora_testing.discord_bot import discord_bot
from memora_testing.model import TalkingModel


@pytest.fixture
def model():
    return TalkingModel()


@pytest.fixture
async def world(tmp_path, model):
    async with discord_bot(tmp_path / "data", model) as running:
        yield running


@pytest.fixture
def ada(world):
    return world.env.create_user("ada")


@pytest.fixture
def server(world):
    return world.env.create_guild("English club")


@pytest.fixture
def club(server):
    return server.create_text_channel("general")


@pytest.fixture
def member(world, server, ada):
    return server.add_member(ada)


@pytest.fixture
def other(world, server):
    return server.add_member(world.env.create_user("bob"))
