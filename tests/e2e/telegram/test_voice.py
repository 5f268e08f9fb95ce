"""Voice messages: heard where a model hears them, else answered with what can be read."""

import pytest
from memora_testing.openai_server import KEY, Reply, openai_server
from memora_testing.telegram_bot import telegram_bot

from memory.models.openai_transcriber import OpenAITranscriber
from memory.openai_client import open_client


def voice(server, seconds=3):
    server.files["v1"] = b"OggS marked"
    return {
        "voice": {
            "file_id": "v1",
            "file_unique_id": "v1",
            "duration": seconds,
            "mime_type": "audio/ogg",
            "file_size": 11,
        }
    }


@pytest.fixture
async def ears():
    async with openai_server() as openai:
        client = open_client(api_key=KEY, base_url=openai.url, timeout_seconds=5, max_retries=0)
        openai.transcriber = OpenAITranscriber(client, "hearing-model")
        yield openai
        await client.close()


@pytest.fixture
async def hearing(tmp_path, server, model, ears):
    async with telegram_bot(
        tmp_path / "hearing", server, model, transcriber=ears.transcriber
    ) as running:
        yield running


async def test_what_is_said_is_shown_answered_and_remembered(server, hearing, ears, ada):
    ears.replies.append(Reply(text="My goal is to reach IELTS 7 by June 2027."))

    await ada.send(**voice(server))
    await server.until(lambda: len(ada.screen) == 2)

    said = "My goal is to reach IELTS 7 by June 2027."
    assert ada.screen[0] == f"🎙️ “{said}”\n\nYou said: {said}"
    assert ada.screen[1].startswith("Remembered")
    assert ears.requests[0][1]["input"][1] == b"OggS marked"


async def test_without_a_model_that_hears_it_says_what_it_reads(server, bot, ada):
    await ada.send(**voice(server))

    await server.until(lambda: ada.screen)
    assert ada.screen[0].startswith("I can read text")


@pytest.mark.parametrize("reply", [Reply(text="  "), Reply(status=500), Reply(raw=b"<html>")])
async def test_what_cannot_be_heard_is_said_kindly_and_once(server, hearing, ears, ada, reply):
    ears.replies.append(reply)

    await ada.send(**voice(server))
    await ada.say("barrier")
    await server.until(lambda: "You said: barrier" in ada.screen)

    assert len(ada.screen) == 2


async def test_a_sound_that_cannot_be_fetched_is_said_kindly(server, hearing, ears, ada):
    fields = voice(server)
    server.files.clear()

    await ada.send(**fields)

    await server.until(lambda: ada.screen)
    assert ears.requests == []
    assert "words" in ada.screen[0]


async def test_a_very_long_one_is_not_listened_to(server, hearing, ears, ada):
    await ada.send(**voice(server, seconds=3000))

    await server.until(lambda: ada.screen)
    assert ears.requests == []
    assert "5 min" in ada.screen[0]
