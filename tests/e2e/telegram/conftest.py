import pytest
from memora_testing.model import TalkingModel
from memora_testing.telegram_bot import telegram_bot
from memora_testing.telegram_people import TelegramPerson, group
from memora_testing.telegram_server import telegram_server


@pytest.fixture
async def server():
    async with telegram_server() as running:
        yield running
        assert running.refused_formats == []


@pytest.fixture
def model():
    return TalkingModel()


@pytest.fixture
async def bot(tmp_path, server, model):
    async with telegram_bot(tmp_path / "data", server, model) as running:
        yield running


@pytest.fixture
def ada(server):
    return TelegramPerson(server, 77)


@pytest.fixture
def bob(server):
    return TelegramPerson(server, 88, "Bob")


@pytest.fixture
def club(server):
    return group(server)
