"""The platform over real sockets: it connects, answers, is cut off, comes back, and stops."""

import asyncio
from contextlib import asynccontextmanager

import discord
import pytest
import yarl
from memora_testing.application import configuration
from memora_testing.clock import HastyClock
from memora_testing.discord_server import (
    FLOOD,
    LOST_WORD,
    RESET,
    TOKEN,
    discord_server,
)
from memora_testing.embedder import HashingEmbedder

from bot.bootstrap import open_application
from bot.discord.platform import DiscordPlatform
from bot.doctor import examine
from bot.settings import Secrets
from memory.errors import ConfigError


@pytest.fixture
async def server(monkeypatch):
    async with discord_server() as running:
        monkeypatch.setattr(discord.http.Route, "BASE", running.url)
        gateway = yarl.URL(running.gateway_url)
        monkeypatch.setattr(discord.gateway.DiscordWebSocket, "DEFAULT_GATEWAY", gateway)
        yield running


@asynccontextmanager
async def platform_at(folder, model, *, token=TOKEN, **sections):
    """Run the platform as ``memora run`` does; yields what it announced and the way to stop it."""
    async with open_application(
        configuration(folder, **sections),
        clock=HastyClock(),
        model=model,
        embedder=HashingEmbedder(),
    ) as application:
        said, stop = [], asyncio.Event()
        running = asyncio.create_task(DiscordPlatform(application, token, said.append).run(stop))
        try:
            yield said, running
        finally:
            stop.set()
            await asyncio.gather(running, return_exceptions=True)


@pytest.fixture
async def running(tmp_path, server, model):
    async with platform_at(tmp_path / "data", model) as (said, task):
        await server.until(lambda: said)
        yield task


async def test_it_connects_says_so_publishes_its_menu_and_answers(tmp_path, server, model):
    async with platform_at(tmp_path / "data", model) as (said, task):
        await server.until(lambda: said)
        assert said[0].startswith("Discord: memora")
        await server.say("Hello")
        await server.until(lambda: server.screen == ["You said: Hello"])
    assert task.done()
    assert task.exception() is None
    assert {command["name"] for command in server.commands} >= {"remember", "link"}


@pytest.mark.parametrize("fault", [FLOOD, RESET, LOST_WORD], ids=["flood", "reset", "lost word"])
async def test_an_answer_arrives_once(server, running, fault):
    server.fault("POST", "/messages", fault)
    await server.say("Hello")
    await server.until(lambda: server.screen)
    await server.say("And again")
    await server.until(lambda: "You said: And again" in server.screen)

    assert server.screen == ["You said: Hello", "You said: And again"]


async def test_a_command_is_answered_in_the_place_that_was_kept_for_it(server, running):
    await server.call("memories")
    await server.until(lambda: any("remember" in text for text in server.screen))

    assert len(server.screen) == 1


async def test_what_was_missed_while_cut_off_is_answered_once(server, running, monkeypatch):
    await server.say("One")
    await server.until(lambda: server.screen)
    await server.drop_connections()
    await server.say("Two")
    await server.until(lambda: len(server.screen) == 2)

    assert server.resumed == 1
    assert server.screen == ["You said: One", "You said: Two"]


async def test_a_session_that_cannot_be_resumed_begins_anew(server, running):
    server.accepts_resumes = False
    await server.drop_connections()
    await server.until(lambda: server.identified == 2, seconds=40)
    await server.say("Hello")

    await server.until(lambda: server.screen == ["You said: Hello"])


async def test_the_menu_is_not_published_again_at_the_next_start(tmp_path, server, model):
    for _ in range(2):
        async with platform_at(tmp_path / "data", model) as (said, _task):
            await server.until(lambda said=said: said)

    puts = [path for method, path, _status in server.calls if method == "PUT"]
    assert len(puts) == 1


async def test_a_token_that_discord_does_not_know_ends_it_with_a_clear_line(
    tmp_path, server, model
):
    async with platform_at(tmp_path / "data", model, token="marked.wrong") as (_said, task):
        with pytest.raises(ConfigError, match="DISCORD_BOT_TOKEN: Discord does not know it"):
            await task


@pytest.mark.parametrize(
    ("code", "complaint"), [(4014, "message content intent"), (4004, "DISCORD_BOT_TOKEN")]
)
async def test_what_the_gateway_refuses_ends_it_with_a_clear_line(
    tmp_path, server, model, code, complaint
):
    server.close_code = code
    async with platform_at(tmp_path / "data", model, discord={"open_channels": [5]}) as (_, task):
        with pytest.raises(ConfigError, match=complaint):
            await task


async def test_a_discord_that_cannot_be_reached_is_waited_for(tmp_path, server, model, monkeypatch):
    monkeypatch.setattr("bot.waiting.FIRST_DELAY_SECONDS", 0.01)
    server.fault("GET", "/users/@me", RESET)
    server.fault("GET", "/gateway/bot", RESET, RESET)
    async with platform_at(tmp_path / "data", model) as (said, _task):
        await server.until(lambda: said)
        await server.say("Hello")
        await server.until(lambda: server.screen == ["You said: Hello"])


async def test_neither_token_nor_words_are_logged(tmp_path, server, model, caplog):
    with caplog.at_level("INFO"):
        async with platform_at(tmp_path / "data", model) as (said, _task):
            await server.until(lambda: said)
            await server.say("my marked private words")
            await server.until(lambda: server.screen)

    assert TOKEN not in caplog.text
    assert "marked private" not in caplog.text


async def test_the_doctor_says_who_it_is_and_how_to_add_it(tmp_path, server):
    found = await examined(tmp_path)

    assert found.level == "ok"
    assert "memora" in found.detail
    assert "in 3 servers" in found.detail
    assert "client_id=1000" in found.detail


async def test_the_doctor_finds_a_token_that_is_not_known_and_an_intent_that_is_off(
    tmp_path, server
):
    unknown = await examined(tmp_path, token="marked.wrong")
    deaf = await examined(tmp_path, discord={"open_channels": [5]})

    assert (unknown.level, deaf.level) == ("fault", "fault")
    assert "marked.wrong" not in f"{unknown}"
    assert "message content intent" in deaf.detail


async def test_the_doctor_says_that_discord_cannot_be_reached(tmp_path, server):
    server.fault("GET", "/users/@me", *[RESET] * 9)

    assert "cannot be reached" in (await examined(tmp_path)).detail


async def examined(folder, *, token=TOKEN, **sections):
    """Return what the doctor finds about Discord."""
    given = configuration(folder / "data", **sections)
    secrets = Secrets(discord_bot_token=token)
    findings = [item async for item in examine(given.model_copy(update={"secrets": secrets}))]
    return next(item for item in findings if item.subject == "discord")
