"""People who use Telegram: what they write reaches the bot as their apps would send it."""

import re
import time
from dataclasses import dataclass, field
from itertools import count

from memora_testing.telegram_server import Chat, SentMessage, TelegramServer, units

_COMMAND = re.compile(r"(?<!\S)/[A-Za-z0-9_]+(?:@[A-Za-z0-9_]+)?")
_MENTION = re.compile(r"(?<![\w@])@[A-Za-z0-9_]{5,}")
_query_ids = count(1)


def found_entities(text: str) -> list[dict]:
    """Return the commands and mentions that Telegram finds by itself, in UTF-16 units."""
    kinds = (("bot_command", _COMMAND), ("mention", _MENTION))
    return [
        {
            "type": kind,
            "offset": units(text[: found.start()]),
            "length": units(found.group()),
        }
        for kind, pattern in kinds
        for found in pattern.finditer(text)
    ]


@dataclass
class TelegramPerson:
    """Someone with a private chat with the bot."""

    server: TelegramServer
    user_id: int
    name: str = "Ada"
    language: str = "en"
    sent: dict[int, dict] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.server.chat(self.user_id, title=self.name)

    @property
    def user(self) -> dict:
        return {
            "id": self.user_id,
            "is_bot": False,
            "first_name": self.name,
            "language_code": self.language,
        }

    @property
    def private(self) -> Chat:
        return self.server.chat(self.user_id)

    @property
    def screen(self) -> list[str]:
        """What the bot's messages in the private chat say now."""
        return self.server.texts(self.user_id)

    async def say(self, text: str, chat: Chat | None = None, **fields) -> int:
        """Send a text; return the id of the message."""
        body = self._body(chat or self.private, fields)
        body |= {"text": text}
        entities = found_entities(text)
        if entities:
            body["entities"] = entities
        return await self._send(chat or self.private, body, text)

    async def barrier(self, chat: Chat | None = None) -> None:
        """Wait until whatever came before is over: this message is answered after it."""
        await self.say("@memora_bot barrier" if chat else "barrier", chat)
        where = (chat or self.private).chat_id
        await self.server.until(lambda: "You said: barrier" in self.server.texts(where))

    async def send(self, chat: Chat | None = None, *, caption: str = "", **fields) -> int:
        """Send something that is no text: a photo, a sticker, a voice message."""
        body = self._body(chat or self.private, fields)
        if caption:
            body |= {"caption": caption, "caption_entities": found_entities(caption)}
        return await self._send(chat or self.private, body, caption)

    async def edit(self, message_id: int, text: str) -> None:
        body = self.sent[message_id] | {"text": text, "edit_date": int(time.time())}
        body["entities"] = found_entities(text)
        await self.server.push("edited_message", body)

    async def press(self, message: SentMessage, label: str, chat: Chat | None = None) -> str:
        """Press a button of a message; return the id of the query."""
        return await self.press_data(message, message.button(label)["callback_data"], chat)

    async def press_data(self, message: SentMessage, data: str, chat: Chat | None = None) -> str:
        query_id = str(next(_query_ids))
        self.server.open_query(query_id)
        await self.server.push(
            "callback_query",
            {
                "id": query_id,
                "from": self.user,
                "chat_instance": "1",
                "data": data,
                "message": self.server.as_dict(chat or self.private, message),
            },
        )
        return query_id

    async def block(self) -> None:
        """Block the bot."""
        self.private.refusal = (403, "Forbidden: bot was blocked by the user")
        await self._change_membership("member", "kicked")

    async def unblock(self) -> None:
        self.private.refusal = None
        await self._change_membership("kicked", "member")

    async def _change_membership(self, old: str, new: str) -> None:
        bot = self.server.me

        def member(status: str) -> dict:
            return {"user": bot, "status": status} | ({"until_date": 0} if "k" in status else {})

        await self.server.push(
            "my_chat_member",
            {
                "chat": self.private.to_dict(),
                "from": self.user,
                "date": int(time.time()),
                "old_chat_member": member(old),
                "new_chat_member": member(new),
            },
        )

    def _body(self, chat: Chat, fields: dict) -> dict:
        return {
            "message_id": self.server.next_message_id(),
            "date": int(time.time()),
            "chat": chat.to_dict(),
            "from": self.user,
            **fields,
        }

    async def _send(self, chat: Chat, body: dict, text: str) -> int:
        message_id = body["message_id"]
        self.sent[message_id] = body
        chat.messages[message_id] = SentMessage(message_id, self.user_id, text, raw=body)
        if self._reaches_the_bot(chat, body, text):
            await self.server.push("message", body)
        return message_id

    def _reaches_the_bot(self, chat: Chat, body: dict, text: str) -> bool:
        """A bot in privacy mode sees commands and replies to it in a group, nothing else."""
        bot = self.server.me
        if chat.kind == "private" or bot["can_read_all_group_messages"]:
            return True
        answered = body.get("reply_to_message", {}).get("from", {}).get("id")
        return text.startswith("/") or answered == bot["id"]


def group(server: TelegramServer, chat_id: int = -1001234, *, topics: tuple[int, ...] = ()) -> Chat:
    """Return a supergroup, with topics where there are any."""
    chat = server.chat(chat_id, "supergroup", "English club")
    chat.topics.update(topics)
    return chat


def as_reply_to(server: TelegramServer, chat: Chat, message: SentMessage) -> dict:
    """Return the fields of a message that replies to ``message``."""
    shown = message.raw or server.as_dict(chat, message)
    return {"reply_to_message": {k: v for k, v in shown.items() if k != "reply_to_message"}}


def in_topic(server: TelegramServer, chat: Chat, topic: int) -> dict:
    """Return the fields of a message in a topic: it replies to what opened the topic."""
    return {
        "is_topic_message": True,
        "message_thread_id": topic,
        "reply_to_message": {
            "message_id": topic,
            "date": int(time.time()),
            "chat": chat.to_dict(),
            "from": server.me,
            "forum_topic_created": {"name": "Grammar", "icon_color": 7322096},
        },
    }
