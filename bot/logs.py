"""Where the log goes. It names persons by id, and holds no message's text and no secret."""

import logging
import re
from collections.abc import Sequence
from logging.handlers import RotatingFileHandler
from pathlib import Path

LINE = "%(asctime)s %(levelname)s %(name)s: %(message)s"
MAX_BYTES = 1_000_000
TALKATIVE = (
    *("httpx", "httpx2", "httpcore", "openai", "telegram", "tornado"),
    *("discord", "chromadb", "alembic", "asyncio", "aiosqlite"),
)
"""Loggers that name URLs, bodies or much more than we want: from warnings on."""
HIDDEN = "[secret]"

_WITH_BODIES = re.compile("received data was", re.IGNORECASE)
_TOKENS = re.compile(
    r"\b\d{5,}:[A-Za-z0-9_-]{30,}"  # Telegram's
    r"|\b[\w-]{23,30}\.[\w-]{6,7}\.[\w-]{27,}"  # Discord's
    r"|(?<=/webhooks/)\d+/[\w-]+|(?<=/interactions/)\d+/[\w-]+"  # of Discord's interactions
)


class SecretsHidden(logging.Formatter):
    """Writes each line, tracebacks included, without secrets."""

    def __init__(self, secrets: Sequence[str]) -> None:
        super().__init__(LINE)
        self._secrets = [secret for secret in secrets if secret]

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, with each secret and whatever looks like a bot's token hidden."""
        line = super().format(record)
        for secret in self._secrets:
            line = line.replace(secret, HIDDEN)
        return _TOKENS.sub(HIDDEN, line)


def leave_bodies_out(record: logging.LogRecord) -> bool:
    """Take out of a library's line the update it could not read: it holds a person's words."""
    if record.name.startswith("telegram") and _WITH_BODIES.search(str(record.msg)):
        record.msg, record.args = f"{record.msg}".replace("%r", "[left out]"), ()
    return True


def write_logs(level: str, file: Path | None, secrets: Sequence[str] = ()) -> None:
    """Log from ``level`` on to ``file``, or to standard error where there is none.

    None of ``secrets`` is ever written.
    """
    handler: logging.Handler = logging.StreamHandler()
    if file is not None:
        file.touch(mode=0o600)
        handler = RotatingFileHandler(file, maxBytes=MAX_BYTES, backupCount=1, encoding="utf-8")
    handler.addFilter(leave_bodies_out)
    handler.setFormatter(SecretsHidden(secrets))
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    for name in TALKATIVE:
        logging.getLogger(name).setLevel(logging.WARNING)
