"""Where the console writes: a terminal with formatted text, or a pipe with plain lines."""

from collections.abc import AsyncIterator, Sequence
from typing import Protocol

from rich.console import Console
from rich.live import Live
from rich.markdown import Markdown
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

FENCE = "```"


class Screen(Protocol):
    """What the console needs of an output."""

    def banner(self, title: str, rows: Sequence[tuple[str, str]], notes: Sequence[str]) -> None:
        """Show what is in use, at the top."""
        ...

    async def reply(self, pieces: AsyncIterator[str]) -> None:
        """Show a reply as it comes."""
        ...

    def answer(self, text: str) -> None:
        """Show what a command answered."""
        ...

    def notice(self, text: str) -> None:
        """Show something quiet that is no answer."""
        ...


class PlainScreen:
    """Plain lines, for pipes and files."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def banner(self, title: str, rows: Sequence[tuple[str, str]], notes: Sequence[str]) -> None:
        """Write a line for each row."""
        self._write(title)
        for name, value in rows:
            self._write(f"{name}: {value}")
        for note in notes:
            self._write(note)
        self._write("")

    async def reply(self, pieces: AsyncIterator[str]) -> None:
        """Write the pieces as they come, and end the line."""
        async for piece in pieces:
            self._console.out(piece, end="", highlight=False)
            self._console.file.flush()
        self._write("\n")

    def answer(self, text: str) -> None:
        """Write the text and an empty line."""
        self._write(f"{text}\n")

    def notice(self, text: str) -> None:
        """Write the lines, each with a dot before it."""
        for line in text.splitlines():
            self._write(f"· {line}")
        self._write("")

    def _write(self, text: str) -> None:
        self._console.out(text, highlight=False)


class RichScreen:
    """Formatted text, for a terminal."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def banner(self, title: str, rows: Sequence[tuple[str, str]], notes: Sequence[str]) -> None:
        """Show a frame with the rows, and the notes below."""
        table = Table.grid(padding=(0, 2))
        for name, value in rows:
            table.add_row(Text(name, style="dim"), Text(value))
        self._console.print(
            Panel(table, title=Text(title, style="bold"), title_align="left", expand=False)
        )
        for note in notes:
            self._console.print(Text(note, style="dim"))
        self._console.print()

    async def reply(self, pieces: AsyncIterator[str]) -> None:
        """Show the reply block by block as Markdown, the open block word by word.

        Only the open block is redrawn: what scrolled away would otherwise be drawn twice.
        """
        waiting = ""
        with Live(console=self._console, transient=True, auto_refresh=False) as live:
            async for piece in pieces:
                waiting += piece
                done, waiting = split_finished_blocks(waiting)
                if done:
                    live.update(Text(""), refresh=True)
                    self._block(done)
                live.update(_markdown(waiting), refresh=True)
        self._block(waiting)
        self._console.print()

    def answer(self, text: str) -> None:
        """Show the text as it is: what people wrote is no markup."""
        self._console.print(Padding(Text(text), (0, 0, 1, 2)))

    def notice(self, text: str) -> None:
        """Show dim lines."""
        for line in text.splitlines():
            self._console.print(Text(f"  · {line}", style="dim"))

    def _block(self, markdown: str) -> None:
        if markdown.strip():
            self._console.print(_markdown(markdown))


def _markdown(text: str) -> Padding:
    return Padding(Markdown(text), (0, 0, 0, 2))


def split_finished_blocks(text: str) -> tuple[str, str]:
    """Split a Markdown text that is still growing into finished blocks and the open one.

    A block ends with an empty line, except inside a fence of code.
    """
    lines = text.splitlines(keepends=True)
    end, in_fence = 0, False
    for number, line in enumerate(lines, start=1):
        if line.lstrip().startswith(FENCE):
            in_fence = not in_fence
        if not in_fence and not line.strip() and line.endswith("\n"):
            end = number
    return "".join(lines[:end]), "".join(lines[end:])
