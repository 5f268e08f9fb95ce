"""The command line."""

import asyncio
import locale
import os
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from bot.bootstrap import open_application
from bot.console.lines import open_pipe, piped_lines, prompted_lines
from bot.console.platform import ConsolePlatform
from bot.console.screens import PlainScreen, RichScreen
from bot.discord.platform import DiscordPlatform
from bot.doctor import Finding, examine
from bot.evaluation import calibrate, report_lines
from bot.logs import write_logs
from bot.serving import serve
from bot.settings import Configuration, load_configuration
from bot.telegram.platform import TelegramPlatform
from memory.errors import ConfigError, MemoraError

EXIT_FAULT = 1
EXIT_USAGE = 2
HISTORY_FILE = "console_history"
LOG_FILE = "memora.log"

app = typer.Typer(
    name="memora",
    help="An English-learning companion that remembers. Without a command: a chat, right here.",
    epilog=(
        "Settings come from config.yaml (or MEMORA_CONFIG) and MEMORA_... variables, secrets from "
        "the environment or .env. Exit codes: 0 all went well, 1 something failed, "
        "2 the command line or a setting is wrong."
    ),
    no_args_is_help=False,
    pretty_exceptions_enable=False,
    add_completion=False,
)
evaluations = typer.Typer(help="Measure Memora, and fit what comes from measurements.")
app.add_typer(evaluations, name="eval")


@app.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    *,
    show_version: Annotated[
        bool, typer.Option("--version", help="Show the version and leave.")
    ] = False,
) -> None:
    """Open the chat where no command is given."""
    if show_version:
        typer.echo(f"memora {version('memora')}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        chat()


@app.command()
def chat() -> None:
    """Chat in this terminal, or answer the lines of a pipe.

    Example: echo "My IELTS exam is on 12 June" | memora chat
    """
    asyncio.run(_chat(load_configuration(os.environ)))


@app.command()
def run() -> None:
    """Answer on every platform that has a token, until SIGTERM or Ctrl-C.

    Example: TELEGRAM_BOT_TOKEN=... DISCORD_BOT_TOKEN=... memora run
    """
    asyncio.run(_run_platforms(load_configuration(os.environ)))


@app.command()
def doctor() -> None:
    """Check configuration, keys, models, database and vector store."""
    faults = asyncio.run(_doctor(load_configuration(os.environ)))
    if faults:
        raise typer.Exit(EXIT_FAULT)


@evaluations.command("calibrate")
def eval_calibrate(
    output: Annotated[
        Path | None, typer.Option(help="Write the result here, not into the data folder.")
    ] = None,
) -> None:
    """Fit what the configured embedder's similarities mean as relevance."""
    fitted = asyncio.run(calibrate(load_configuration(os.environ), output))
    typer.echo(f"embedder: {fitted.file.embedder}")
    for cosine, relevance in fitted.file.calibration.points:
        typer.echo(f"cosine {cosine:.4f} is relevance {relevance:.2f}")
    typer.echo("\n".join(report_lines(fitted.reports)))
    typer.echo(f"written to {fitted.written_to}")


async def _chat(configuration: Configuration) -> None:
    is_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    folder = configuration.settings.data_folder
    async with open_application(configuration) as application:
        file = folder / LOG_FILE if is_terminal else None
        write_logs(configuration.settings.log_level, file, configuration.secrets.revealed())
        screen = RichScreen(Console()) if is_terminal else PlainScreen(Console(soft_wrap=True))
        platform = ConsolePlatform(application, screen, _locale(), waits_for_memory=not is_terminal)
        platform.greet(version("memora"))
        lines = (
            prompted_lines(folder / HISTORY_FILE)
            if is_terminal
            else piped_lines(open_pipe(sys.stdin))
        )
        try:
            await platform.talk(lines)
        finally:
            await platform.leave()


async def _run_platforms(configuration: Configuration) -> None:
    """Serve until told to stop; raises what ended the platforms."""
    secrets = configuration.secrets
    write_logs(configuration.settings.log_level, None, secrets.revealed())
    given = (
        (TelegramPlatform, secrets.telegram_bot_token),
        (DiscordPlatform, secrets.discord_bot_token),
    )
    tokens = [(platform, token.get_secret_value()) for platform, token in given if token]
    if not tokens:
        raise ConfigError(
            "TELEGRAM_BOT_TOKEN or DISCORD_BOT_TOKEN: expected the token of a platform, found none"
        )
    async with open_application(configuration) as application:
        platforms = [platform(application, token, typer.echo) for platform, token in tokens]
        faults = await serve(application, platforms)
    for fault in faults:
        raise fault
    typer.echo("memora: stopped; everything is saved")


async def _doctor(configuration: Configuration) -> int:
    """Print the findings; return how many faults there are."""
    console = Console(soft_wrap=True, highlight=False)
    faults = 0
    async for finding in examine(configuration):
        _print_finding(console, finding)
        faults += finding.level == "fault"
    return faults


def _print_finding(console: Console, finding: Finding) -> None:
    mark, style = {"ok": ("✓", "green"), "note": ("!", "yellow"), "fault": ("✗", "red")}[
        finding.level
    ]
    console.print(f"[{style}]{mark}[/] ", end="")
    console.out(f"{finding.subject}: {finding.detail}")
    if finding.remedy:
        console.out(f"  → {finding.remedy}")


def _locale() -> str | None:
    """Return the terminal's language, such as zh_TW."""
    variables = ("LC_ALL", "LC_MESSAGES", "LANG")
    named = next((os.environ[name] for name in variables if os.environ.get(name)), None)
    return named or locale.getlocale()[0]


def main() -> None:
    """Run the command line; each fault is one line and an exit code, never a traceback."""
    os.umask(0o077)  # whatever is written is the owner's alone
    try:
        app()
    except ConfigError as error:
        _complain(error)
        sys.exit(EXIT_USAGE)
    except MemoraError as error:
        _complain(error)
        sys.exit(EXIT_FAULT)
    except KeyboardInterrupt:
        sys.exit(130)


def _complain(error: MemoraError) -> None:
    for line in str(error).splitlines():
        typer.echo(f"memora: {line}", err=True)


if __name__ == "__main__":
    main()
