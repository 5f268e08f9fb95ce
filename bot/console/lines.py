"""Where the console's lines come from: a prompt with history, or a pipe."""

import asyncio
import os
import threading
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import TextIO

from prompt_toolkit import PromptSession
from prompt_toolkit.auto_suggest import AutoSuggestFromHistory
from prompt_toolkit.completion import WordCompleter
from prompt_toolkit.history import FileHistory
from prompt_toolkit.patch_stdout import patch_stdout

from bot.commands import COMMANDS

PROMPT = "› "


async def piped_lines(stream: TextIO) -> AsyncIterator[str]:
    """Yield the lines of ``stream`` until it ends."""
    loop = asyncio.get_running_loop()
    lines: asyncio.Queue[str | None] = asyncio.Queue()

    def read() -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody waits for lines any more
            for line in stream:
                loop.call_soon_threadsafe(lines.put_nowait, line.lstrip("\ufeff"))
            loop.call_soon_threadsafe(lines.put_nowait, None)

    # A thread that waits for a line cannot be cancelled: only a daemon lets the process leave.
    threading.Thread(target=read, name="piped-lines", daemon=True).start()
    while (line := await lines.get()) is not None:
        yield line


def open_pipe(stream: TextIO) -> TextIO:
    """Return a reader of its own on what ``stream`` reads.

    The interpreter closes its standard input at the end, and dies where a thread still waits in it.
    """
    return open(os.dup(stream.fileno()), encoding="utf-8", errors="replace")  # noqa: PTH123


async def prompted_lines(history: Path) -> AsyncIterator[str]:
    """Yield what is typed at a prompt until Ctrl-D or Ctrl-C; ``history`` keeps it."""
    await asyncio.to_thread(history.touch, mode=0o600)
    commands = WordCompleter([f"/{name}" for name in COMMANDS], sentence=True)
    session: PromptSession[str] = PromptSession(
        PROMPT,
        history=FileHistory(history),
        auto_suggest=AutoSuggestFromHistory(),
        completer=commands,
        complete_while_typing=False,
    )
    while True:
        try:
            with patch_stdout(raw=True):
                line = await session.prompt_async()
        except (EOFError, KeyboardInterrupt):
            return
        yield line
