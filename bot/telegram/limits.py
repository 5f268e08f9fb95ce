"""How fast Telegram may be written to: its limits, each chat for itself.

Messages and edits count: about thirty a second in all, one a second in a private chat with some
slack, twenty a minute in a group. A chat that answered 429 is left alone for as long as it asked;
the others go on. Previews never wait: without room to spare they are left out.
"""

import asyncio
from collections.abc import Callable, Coroutine
from datetime import timedelta
from typing import Any

from aiolimiter import AsyncLimiter
from telegram.constants import FloodLimit
from telegram.error import RetryAfter
from telegram.ext import BaseRateLimiter

PREVIEW = 1
"""Marks a request as one that can be left out."""
COUNTED = frozenset({"sendMessage", "editMessageText", "editMessageReplyMarkup"})
PRIVATE_BURST = 5
RESERVED = 3
"""Messages that previews leave room for."""
MAX_IDLE_LIMITERS = 1000


class ChatRateLimiter(BaseRateLimiter[int]):
    """Waits for room before each message; raises ``RetryAfter`` for a chat that asked for rest."""

    def __init__(self, messages_per_second: float) -> None:
        self._overall = AsyncLimiter(messages_per_second, 1)
        self._chats: dict[str, AsyncLimiter] = {}
        self._rests_until: dict[str, float] = {}

    async def initialize(self) -> None:
        """Nothing has to be opened."""

    async def shutdown(self) -> None:
        """Nothing has to be closed."""

    async def process_request(  # noqa: PLR0917 (the library's signature)
        self,
        callback: Callable[..., Coroutine[Any, Any, Any]],
        args: Any,  # noqa: ANN401 (the library's signature)
        kwargs: dict[str, Any],
        endpoint: str,
        data: dict[str, Any],
        rate_limit_args: int | None,
    ) -> Any:  # noqa: ANN401 (the library's signature)
        """Send a request when there is room for it."""
        chat = data.get("chat_id")
        if chat is None:
            return await callback(*args, **kwargs)
        key = str(chat)
        self._check_rest(key)
        if endpoint in COUNTED:
            await self._find_room(key, is_preview=rate_limit_args == PREVIEW)
        try:
            return await callback(*args, **kwargs)
        except RetryAfter as error:
            asked = seconds_in(error.retry_after)
            self._rests_until[key] = asyncio.get_running_loop().time() + asked
            raise

    def _check_rest(self, chat: str) -> None:
        left = self._rests_until.get(chat, 0.0) - asyncio.get_running_loop().time()
        if left > 0:
            raise RetryAfter(max(1, round(left)))
        self._rests_until.pop(chat, None)

    async def _find_room(self, chat: str, *, is_preview: bool) -> None:
        limiter = self._limiter(chat)
        has_room = limiter.has_capacity(1 + RESERVED) and self._overall.has_capacity(1 + RESERVED)
        if is_preview and not has_room:
            raise RetryAfter(1)
        await limiter.acquire()
        await self._overall.acquire()

    def _limiter(self, chat: str) -> AsyncLimiter:
        if chat not in self._chats:
            if len(self._chats) >= MAX_IDLE_LIMITERS:
                self._forget_idle()
            is_group = chat.startswith(("-", "@"))
            rate = float(FloodLimit.MESSAGES_PER_MINUTE_PER_GROUP) if is_group else PRIVATE_BURST
            self._chats[chat] = AsyncLimiter(rate, 60 if is_group else PRIVATE_BURST)
        return self._chats[chat]

    def _forget_idle(self) -> None:
        self._chats = {
            chat: limiter
            for chat, limiter in self._chats.items()
            if not limiter.has_capacity(limiter.max_rate)
        }


def seconds_in(span: float | timedelta) -> float:
    """Return a span of time in seconds; the client gives it either way."""
    return span.total_seconds() if isinstance(span, timedelta) else float(span)
