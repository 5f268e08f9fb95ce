import pytest
from memora_testing.openai_server import KEY, Reply, openai_server

from memory.errors import InvalidAnswerError, ModelAuthenticationError, ModelNotFoundError
from memory.models.openai_transcriber import OpenAITranscriber
from memory.openai_client import open_client


async def heard(server, *, key=KEY):
    client = open_client(api_key=key, base_url=server.url, timeout_seconds=5, max_retries=0)
    async with client:
        model = OpenAITranscriber(client, "hearing-model")
        return await model.transcribe(b"OggS marked", file_name="voice.ogg")


async def test_the_sound_goes_to_the_model_and_the_words_come_back():
    async with openai_server(Reply(text=" I goed home. ")) as server:
        words = await heard(server)

    assert words == "I goed home."
    (path, asked, _headers) = server.requests[0]
    assert path == "/v1/audio/transcriptions"
    assert asked["model"] == "hearing-model"
    assert asked["input"] == ("voice.ogg", b"OggS marked")


async def test_silence_is_an_empty_text():
    async with openai_server(Reply(text="  ")) as server:
        assert not await heard(server)


async def test_its_errors_are_ours():
    async with openai_server(Reply(raw=b'{"words": 1}'), Reply(raw=b"<html>")) as server:
        for _ in range(2):
            with pytest.raises(InvalidAnswerError):
                await heard(server)
        with pytest.raises(ModelAuthenticationError):
            await heard(server, key="sk-other")
        server.models = set()
        with pytest.raises(ModelNotFoundError):
            await heard(server)
