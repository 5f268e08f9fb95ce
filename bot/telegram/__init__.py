"""Telegram: native updates become messages and commands, answers become native messages."""

import os

# The client warns at each span of time that it gives in seconds; spans are what it will give.
os.environ.setdefault("PTB_TIMEDELTA", "1")
