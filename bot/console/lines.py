"""Where the console's lines come from: a prompt with history, or a pipe."""

import asyncio
from collections.abc import AsyncIterator
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
    while line := await asyncio.to_thread(stream.readline):
        yield line.lstrip("\ufeff")


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
