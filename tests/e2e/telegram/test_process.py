"""The process itself: ``memora run`` as it is started, stopped, killed and refused."""

import asyncio
import os
import signal
import socket
import sys
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest
from memora_testing.openai_server import KEY, Reply, openai_server
from memora_testing.telegram_bot import telegram_bot
from memora_testing.telegram_server import TOKEN

from bot.telegram.receiving import PollHealth

SECRET_WORDS = "my marked private words"


@asynccontextmanager
async def memora_run(folder, server, **environment):
    """Run ``memora run`` against the stand-in; kill it at the end if it still runs."""
    inherited = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", "run"),
        cwd=folder,
        env={
            **inherited,
            "PYTHONPATH": str(Path.cwd()),
            "MEMORA_DATA_DIR": str(folder / "data"),
            "MEMORA_TELEGRAM_BASE_URL": server.url,
            "TELEGRAM_BOT_TOKEN": TOKEN,
            **environment,
        },
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def test_a_kill_in_mid_reply_and_a_restart_make_one_answer(tmp_path, server, ada):
    whole = [Reply(text="The whole of it")] * 20
    async with openai_server(Reply(text="Half of it", fault="hang_in_stream"), *whole) as openai:
        environment = {
            "MEMORA_LLM_BASE_URL": openai.url,
            "OPENAI_API_KEY": KEY,
            "MEMORA_LLM_PROVIDER": "openai",
        }
        async with memora_run(tmp_path, server, **environment) as process:
            await ada.say("Tell me something")
            await server.until(lambda: ada.private.shown_drafts, seconds=60)
            process.send_signal(signal.SIGKILL)
            await process.wait()
        async with memora_run(tmp_path, server, **environment) as process:
            await server.until(lambda: ada.screen, seconds=60)
            await ada.say("/stop")  # answered after it, in the same chat
            await server.until(lambda: len(ada.screen) == 2)
            process.send_signal(signal.SIGTERM)
            assert await process.wait() == 0

    assert ada.screen[0] == "The whole of it"


async def test_sigterm_lets_it_finish_and_neither_token_nor_words_are_logged(tmp_path, server, ada):
    async with memora_run(tmp_path, server, MEMORA_LOG_LEVEL="info") as process:
        await ada.say(f"Please explain this: {SECRET_WORDS}")
        await server.until(lambda: ada.screen, seconds=60)
        process.send_signal(signal.SIGTERM)
        printed, _ = await process.communicate()

    assert process.returncode == 0
    assert b"@memora_bot listens" in printed
    assert TOKEN.partition(":")[2].encode() not in printed
    assert SECRET_WORDS.encode() not in printed


async def test_a_token_that_telegram_does_not_know_ends_it_with_a_clear_line(tmp_path, server):
    other = "123456789:AAmarked-another-token-0123456789abcdef"
    async with memora_run(tmp_path, server, TELEGRAM_BOT_TOKEN=other) as process:
        printed, _ = await process.communicate()

    assert process.returncode == 2
    assert b"TELEGRAM_BOT_TOKEN: expected a token from @BotFather" in printed
    assert other.encode() not in printed


async def test_without_any_token_it_says_what_to_set(tmp_path, server):
    async with memora_run(tmp_path, server, TELEGRAM_BOT_TOKEN="") as process:
        printed, _ = await process.communicate()

    assert process.returncode != 0
    assert b"TELEGRAM_BOT_TOKEN" in printed


async def test_another_poller_is_named_once_and_waited_for(server, bot, ada, caplog):
    await server.until(lambda: "getUpdates" in server.begun)
    address = f"{server.url}/bot{TOKEN}/getUpdates"
    async with aiohttp.ClientSession() as other:
        async with other.post(address, data={"timeout": 0}) as response:
            assert response.status == 200
        await server.until(lambda: any("409" in outcome for _, _, outcome in server.calls))
    await ada.say("Hi")

    await server.until(lambda: ada.screen)
    assert caplog.text.count("someone else polls with this token") == 1


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def test_the_log_tells_each_trouble_once_and_its_end(caplog):
    health = PollHealth()

    for outcome in (200, 502, 502, TimeoutError(), TimeoutError(), 200, 200):
        health.watch(outcome)

    assert len(caplog.records) == 3
    assert "works again" in caplog.text
    assert not health.refused.is_set()


async def test_a_token_that_is_taken_away_ends_the_platform(server, bot, ada):
    await server.until(lambda: "getUpdates" in server.begun)
    server.token = "123456789:AAmarked-new-token-0123456789abcdefgh"
    await ada.say("Hi")

    with pytest.raises(Exception, match="does not accept it any more"):
        await bot.ended()


async def test_a_webhook_is_set_with_a_secret_and_answers(tmp_path, model, ada, server):
    port = free_port()
    url = f"http://127.0.0.1:{port}/telegram"
    telegram = {"webhook": {"url": url, "port": port}}
    async with telegram_bot(tmp_path / "data", server, model, telegram=telegram):
        await server.until(lambda: server.webhook)
        await ada.say("Hi")
        await server.until(lambda: ada.screen)
        forged = {"X-Telegram-Bot-Api-Secret-Token": "guessed"}
        async with (
            aiohttp.ClientSession() as stranger,
            stranger.post(url, json={"update_id": 1}, headers=forged) as response,
        ):
            assert response.status == 403

    assert ada.screen == ["You said: Hi"]
    assert len(server.webhook["secret_token"]) >= 32
