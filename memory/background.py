"""The background of a reply: profile, summary and memories as quoted data, never as orders."""

from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from memory.language_model import ChatMessage
from memory.profile import UserProfile
from memory.prompts.reply import (
    BACKGROUND_HEADING,
    Background,
    BackgroundMemory,
    reply_instructions,
)
from memory.records import StoredMemory


def build_background_messages(
    *,
    profile: UserProfile,
    summary: str,
    memories: Sequence[StoredMemory],
    now: datetime,
    time_zone: ZoneInfo,
    product_scope: str,
) -> list[ChatMessage]:
    """Return the messages that open every reply: the instructions, then the data.

    The data is one JSON document, so nothing in it can end its own quotation. Each memory carries
    the day it was said and the day it speaks of, in ``time_zone``.
    """
    local_now = now.astimezone(time_zone)
    background = Background(
        now=local_now,
        weekday=f"{local_now:%A}",
        profile=profile.as_text(),
        conversation_summary=summary,
        memories=[_background_memory(memory, time_zone) for memory in memories],
    )
    return [
        ChatMessage("system", reply_instructions(product_scope)),
        ChatMessage("user", f"{BACKGROUND_HEADING}\n{background.model_dump_json()}"),
    ]


def _background_memory(memory: StoredMemory, time_zone: ZoneInfo) -> BackgroundMemory:
    said_at = memory.evidence.said_at if memory.evidence else memory.created_at
    return BackgroundMemory(
        content=memory.content,
        said_on=said_at.astimezone(time_zone).date() if said_at else None,
        event_on=memory.evidence.event_on if memory.evidence else None,
    )
