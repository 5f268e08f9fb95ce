"""Where the log goes. It names persons by id and holds no message's text."""

import logging
from logging.handlers import RotatingFileHandler
from pathlib import Path

LINE = "%(asctime)s %(levelname)s %(name)s: %(message)s"
MAX_BYTES = 1_000_000
TALKATIVE = ("httpx", "httpx2", "httpcore", "openai", "chromadb", "alembic", "asyncio")
"""Loggers that name URLs or much more than we want: from warnings on."""


def write_logs(level: str, file: Path | None) -> None:
    """Log from ``level`` on to ``file``, or to standard error where there is none."""
    handler: logging.Handler = logging.StreamHandler()
    if file is not None:
        file.touch(mode=0o600)
        handler = RotatingFileHandler(file, maxBytes=MAX_BYTES, backupCount=1, encoding="utf-8")
    logging.basicConfig(level=level.upper(), format=LINE, handlers=[handler], force=True)
    for name in TALKATIVE:
        logging.getLogger(name).setLevel(logging.WARNING)
