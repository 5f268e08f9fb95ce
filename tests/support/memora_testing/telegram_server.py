"""A stand-in for Telegram's Bot API on loopback: its rules, its limits, its errors, and its people.

It keeps what a person would see in each chat, every call with its outcome, and, apart, each format
that it refused: a bot that falls back to plain text has still sent something wrong.
"""

import asyncio
import json
import re
import time
from collections import deque
from collections.abc import Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from itertools import count

import aiohttp
from aiohttp import web

TOKEN = "123456789:AAmarked-token-of-the-tests-0123456789"
MAX_TEXT = 4096
MAX_ENTITIES = 100
CALLBACK_BYTES = 64
GROUP_MESSAGES_A_MINUTE = 20
KNOWN_ENTITIES = {
    *("bold", "italic", "underline", "strikethrough", "spoiler", "code", "pre", "text_link"),
    *("blockquote", "expandable_blockquote", "text_mention"),
}


def units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


@dataclass(frozen=True)
class Fault:
    """What happens to one call instead of what should."""

    status: int = 0
    description: str = ""
    retry_after: int | None = None
    is_done: bool = False
    """True where Telegram does what was asked, and only its answer is lost."""
    cuts: bool = False
    """True where the connection breaks off."""
    hangs: bool = False
    """True where no answer ever comes."""
    waits_for: asyncio.Event | None = None
    """Held back until then, and worked like any other."""


FLOOD = Fault(429, "Too Many Requests: retry after 1", retry_after=1)
RESET = Fault(cuts=True)
LOST_WORD = Fault(cuts=True, is_done=True)
SILENCE = Fault(hangs=True, is_done=True)
BAD_GATEWAY = Fault(502, "Bad Gateway")


@dataclass
class SentMessage:
    """A message that stands in a chat."""

    message_id: int
    sender_id: int
    text: str
    entities: list[dict] = field(default_factory=list)
    keyboard: list[list[dict]] = field(default_factory=list)
    thread_id: int | None = None
    reply_to: int | None = None
    is_silent: bool = False
    raw: dict = field(default_factory=dict)

    def button(self, label: str) -> dict:
        """Return the button with this label, or one that contains it."""
        buttons = [button for row in self.keyboard for button in row]
        return next((button for button in buttons if button["text"] == label), None) or next(
            button for button in buttons if label in button["text"]
        )

    def styled(self, kind: str) -> list[str]:
        """Return the words that an entity of this kind covers."""
        raw = self.text.encode("utf-16-le")
        return [
            raw[2 * e["offset"] : 2 * (e["offset"] + e["length"])].decode("utf-16-le")
            for e in self.entities
            if e["type"] == kind
        ]


@dataclass
class Chat:
    """One chat, as its people see it."""

    chat_id: int
    kind: str
    title: str = ""
    messages: dict[int, SentMessage] = field(default_factory=dict)
    drafts: dict[int, str] = field(default_factory=dict)
    shown_drafts: list[str] = field(default_factory=list)
    actions: int = 0
    topics: set[int] = field(default_factory=set)
    refusal: tuple[int, str] | None = None
    """What every message to it is answered with."""
    moved_to: int | None = None
    spent: deque = field(default_factory=deque)

    def to_dict(self) -> dict:
        shown = {"id": self.chat_id, "type": self.kind}
        if self.kind == "private":
            return {**shown, "first_name": self.title}
        return {**shown, "title": self.title, "is_forum": bool(self.topics)}


class Refused(Exception):  # noqa: N818 (an answer of the API)
    """An answer with an error."""

    def __init__(self, status: int, description: str, **parameters: int) -> None:
        super().__init__(description)
        self.status, self.description, self.parameters = status, description, parameters


class TelegramServer:
    """One bot's Telegram."""

    def __init__(self, *, reads_groups: bool = True) -> None:
        self.me = {
            "id": int(TOKEN.partition(":")[0]),
            "is_bot": True,
            "first_name": "Memora",
            "username": "memora_bot",
            "can_join_groups": True,
            "can_read_all_group_messages": reads_groups,
        }
        self.token = TOKEN
        self.url = ""
        self.chats: dict[int, Chat] = {}
        self.calls: list[tuple[str, dict, str]] = []
        self.begun: list[str] = []
        """The methods that were called, also those not answered yet."""
        self.refused_formats: list[str] = []
        self.menus: dict[tuple[str, str], list[dict]] = {}
        self.webhook: dict = {}
        self.files: dict[str, bytes] = {}
        self.answered: dict[str, dict] = {}
        """Callback queries by id: how each was answered."""
        self.confirmed = 0
        """Updates below this number are gone."""
        self._open_queries: set[str] = set()
        self._updates: list[dict] = []
        self._faults: dict[str, deque[Fault]] = {}
        self._changed = asyncio.Condition()
        self._poll = count(1)
        self._newest_poll = 0
        self._message_ids = count(1000)
        self._update_ids = count(5000)
        self._session: aiohttp.ClientSession | None = None
        self._deliveries: set[asyncio.Task] = set()

    # What tests do

    def fail(self, method: str, *faults: Fault) -> None:
        """Have the next calls of ``method`` go wrong, one after the other."""
        self._faults.setdefault(method, deque()).extend(faults)

    def count(self, method: str) -> int:
        return sum(name == method for name, _, _ in self.calls)

    async def until(self, is_so: Callable[[], object], *, seconds: float = 20.0) -> None:
        """Wait until something is so; it is looked at after each call."""
        try:
            async with asyncio.timeout(seconds), self._changed:
                await self._changed.wait_for(lambda: bool(is_so()))
        except TimeoutError:
            raise AssertionError(f"it never came to it:\n{self.transcript()}") from None

    def transcript(self) -> str:
        """Return every call but polls, and what stands in the chats."""
        lines = [
            f"{name} {json.dumps(values, ensure_ascii=False)[:200]} -> {outcome}"
            for name, values, outcome in self.calls
            if name not in ("getUpdates", "getMyCommands", "setMyCommands")
        ]
        for chat in self.chats.values():
            lines.append(f"-- {chat.kind} {chat.chat_id}, drafts {chat.drafts}")
            lines += [
                f"   {m.message_id} {m.sender_id}: {m.text[:200]!r}" for m in chat.messages.values()
            ]
        return "\n".join(lines)

    def chat(self, chat_id: int, kind: str = "private", title: str = "") -> Chat:
        return self.chats.setdefault(chat_id, Chat(chat_id, kind, title))

    def from_bot(self, chat_id: int) -> list[SentMessage]:
        """Return the bot's messages that stand in a chat."""
        chat = self.chats.get(chat_id)
        return [m for m in chat.messages.values() if m.sender_id == self.me["id"]] if chat else []

    def texts(self, chat_id: int) -> list[str]:
        return [message.text for message in self.from_bot(chat_id)]

    def next_message_id(self) -> int:
        return next(self._message_ids)

    async def push(self, kind: str, body: dict) -> None:
        """Give the bot an update, by webhook where one is set."""
        update = {"update_id": next(self._update_ids), kind: body}
        if self.webhook.get("url"):
            task = asyncio.create_task(self._call_webhook(update))
            self._deliveries.add(task)
            task.add_done_callback(self._deliveries.discard)
        else:
            self._updates.append(update)
        await self._notify()

    async def repeat_last_update(self) -> None:
        """Send the last update once more, as after a confirmation that never arrived."""
        self._updates.append(self._last)
        await self._notify()

    def open_query(self, query_id: str) -> None:
        self._open_queries.add(query_id)

    # The API

    def application(self) -> web.Application:
        app = web.Application(client_max_size=2**24)
        app.router.add_route("*", "/bot{token}/{method}", self._serve)
        app.router.add_get("/file/bot{token}/{path:.*}", self._download)
        return app

    async def _serve(self, request: web.Request) -> web.StreamResponse:
        method = request.match_info["method"]
        if request.match_info["token"] != self.token:
            return _error(Refused(401, "Unauthorized"))
        values = {name: _parsed(value) for name, value in (await request.post()).items()}
        fault = self._take_fault(method)
        self.begun.append(method)
        await self._notify()
        if fault is not None and fault.waits_for is not None:
            await fault.waits_for.wait()
            fault = None
        try:
            if fault is not None and not fault.is_done:
                outcome, response = self._fail(fault)
            else:
                result = await self._work(method, values)
                outcome, response = "ok", web.json_response({"ok": True, "result": result})
                if fault is not None:
                    outcome = "done, and the answer lost"
        except Refused as refusal:
            if refusal.status == 400 and _is_about_format(refusal.description):
                self.refused_formats.append(f"{method}: {refusal.description}")
            outcome, response = f"{refusal.status} {refusal.description}", _error(refusal)
        self.calls.append((method, values, outcome))
        await self._notify()
        if fault is not None and fault.cuts and request.transport is not None:
            request.transport.abort()
        if fault is not None and fault.hangs:
            await asyncio.Event().wait()
        return response

    def _take_fault(self, method: str) -> Fault | None:
        waiting = self._faults.get(method)
        return waiting.popleft() if waiting else None

    def _fail(self, fault: Fault) -> tuple[str, web.StreamResponse]:
        if fault.cuts or fault.hangs:
            return "broken off", web.Response()
        extra = {} if fault.retry_after is None else {"retry_after": fault.retry_after}
        refusal = Refused(fault.status, fault.description, **extra)
        return f"{fault.status} {fault.description}", _error(refusal)

    async def _work(self, method: str, values: dict) -> object:
        work = getattr(self, f"_{_snake(method)}", None)
        if work is None:
            raise Refused(404, "Not Found")
        result = work(values)
        return await result if asyncio.iscoroutine(result) else result

    async def _notify(self) -> None:
        async with self._changed:
            self._changed.notify_all()

    def _get_me(self, _values: dict) -> dict:
        return self.me

    async def _get_updates(self, values: dict) -> list[dict]:
        if self.webhook.get("url"):
            raise Refused(409, "Conflict: can't use getUpdates method while webhook is active")
        poll = self._newest_poll = next(self._poll)
        await self._notify()
        offset = int(values.get("offset") or 0)
        if offset:
            self._updates = [u for u in self._updates if u["update_id"] >= offset]
            self.confirmed = max(self.confirmed, offset)
        allowed = values.get("allowed_updates")

        def wanted() -> list[dict]:
            return [u for u in self._updates if not allowed or set(u) & set(allowed)]

        with suppress(TimeoutError):
            async with asyncio.timeout(float(values.get("timeout") or 0) + 0.001), self._changed:
                await self._changed.wait_for(lambda: wanted() or poll != self._newest_poll)
        if poll != self._newest_poll:
            raise Refused(
                409,
                "Conflict: terminated by other getUpdates request; "
                "make sure that only one bot instance is running",
            )
        found = wanted()[: int(values.get("limit") or 100)]
        if found:
            self._last = found[-1]
        return found

    def _set_webhook(self, values: dict) -> bool:
        self.webhook = dict(values)
        return True

    def _delete_webhook(self, values: dict) -> bool:
        self.webhook = {}
        if values.get("drop_pending_updates"):
            self._updates.clear()
        return True

    async def _call_webhook(self, update: dict) -> None:
        """Deliver by webhook until it is taken, as Telegram does."""
        headers = {"X-Telegram-Bot-Api-Secret-Token": self.webhook.get("secret_token", "")}
        self._session = self._session or aiohttp.ClientSession()
        for _attempt in range(50):
            with suppress(aiohttp.ClientError):
                async with self._session.post(
                    self.webhook["url"], json=update, headers=headers
                ) as response:
                    if response.status == 200:
                        return
            await asyncio.sleep(0.05)

    def _set_my_commands(self, values: dict) -> bool:
        for command in values["commands"]:
            if not re.fullmatch(r"[a-z0-9_]{1,32}", command["command"]):
                raise Refused(400, "Bad Request: BOT_COMMAND_INVALID")
            if not 1 <= len(command["description"]) <= 256:
                raise Refused(400, "Bad Request: BOT_COMMAND_DESCRIPTION_INVALID")
        scope = (values.get("scope") or {"type": "default"})["type"]
        self.menus[scope, values.get("language_code") or ""] = values["commands"]
        return True

    def _get_my_commands(self, values: dict) -> list[dict]:
        scope = (values.get("scope") or {"type": "default"})["type"]
        return self.menus.get((scope, values.get("language_code") or ""), [])

    def _send_chat_action(self, values: dict) -> bool:
        self._writable(values).actions += 1
        return True

    def _send_message_draft(self, values: dict) -> bool:
        chat = self._writable(values)
        if chat.kind != "private":
            raise Refused(400, "Bad Request: PEER_ID_INVALID")
        if not int(values.get("draft_id") or 0):
            raise Refused(400, "Bad Request: DRAFT_ID_INVALID")
        text = str(values.get("text") or "")
        self._check_text(text, values.get("entities") or [])
        chat.drafts[int(values["draft_id"])] = text
        chat.shown_drafts.append(text)
        return True

    def _send_message(self, values: dict) -> dict:
        chat = self._writable(values)
        self._spend(chat)
        text, entities, keyboard = self._checked(values)
        thread_id = values.get("message_thread_id")
        if thread_id is not None and int(thread_id) not in chat.topics:
            raise Refused(400, "Bad Request: message thread not found")
        answered = (values.get("reply_parameters") or {}).get("message_id")
        if answered is not None and answered not in chat.messages:
            if not values["reply_parameters"].get("allow_sending_without_reply"):
                raise Refused(400, "Bad Request: message to be replied not found")
            answered = None
        message = SentMessage(
            self.next_message_id(),
            self.me["id"],
            text,
            entities,
            keyboard,
            None if thread_id is None else int(thread_id),
            answered,
            bool(values.get("disable_notification")),
        )
        chat.messages[message.message_id] = message
        chat.drafts.clear()  # clients remove drafts when a message comes
        return self.as_dict(chat, message)

    def _edit_message_text(self, values: dict) -> dict:
        chat = self._writable(values)
        self._spend(chat)
        message = chat.messages.get(int(values["message_id"]))
        if message is None:
            raise Refused(400, "Bad Request: message to edit not found")
        if message.sender_id != self.me["id"]:
            raise Refused(400, "Bad Request: message can't be edited")
        new = self._checked(values)
        if new == (message.text, message.entities, message.keyboard):
            raise Refused(
                400,
                "Bad Request: message is not modified: specified new message content and reply "
                "markup are exactly the same as a current content and reply markup of the message",
            )
        message.text, message.entities, message.keyboard = new
        return self.as_dict(chat, message)

    def _edit_message_reply_markup(self, values: dict) -> dict:
        chat = self._writable(values)
        self._spend(chat)
        message = chat.messages.get(int(values["message_id"]))
        if message is None:
            raise Refused(400, "Bad Request: message to edit not found")
        message.keyboard = (values.get("reply_markup") or {}).get("inline_keyboard", [])
        return self.as_dict(chat, message)

    def _answer_callback_query(self, values: dict) -> bool:
        query_id = str(values["callback_query_id"])
        if query_id not in self._open_queries:
            raise Refused(
                400,
                "Bad Request: query is too old and response timeout expired or query ID is invalid",
            )
        if len(str(values.get("text") or "")) > 200:
            raise Refused(400, "Bad Request: MESSAGE_TOO_LONG")
        self._open_queries.remove(query_id)
        self.answered[query_id] = values
        return True

    def _get_file(self, values: dict) -> dict:
        file_id = str(values["file_id"])
        if file_id not in self.files:
            raise Refused(400, "Bad Request: wrong file_id or the file is temporarily unavailable")
        return {
            "file_id": file_id,
            "file_unique_id": file_id,
            "file_path": f"voice/{file_id}.oga",
            "file_size": len(self.files[file_id]),
        }

    async def _download(self, request: web.Request) -> web.Response:
        file_id = request.match_info["path"].removeprefix("voice/").removesuffix(".oga")
        if request.match_info["token"] != self.token or file_id not in self.files:
            return web.Response(status=404)
        return web.Response(body=self.files[file_id])

    def _writable(self, values: dict) -> Chat:
        chat = self.chats.get(int(values["chat_id"]))
        if chat is None:
            raise Refused(400, "Bad Request: chat not found")
        if chat.moved_to is not None:
            raise Refused(
                400,
                "Bad Request: group chat was upgraded to a supergroup chat",
                migrate_to_chat_id=chat.moved_to,
            )
        if chat.refusal is not None:
            raise Refused(*chat.refusal)
        return chat

    def _spend(self, chat: Chat) -> None:
        """Count a message or an edit; a group takes twenty a minute."""
        if chat.kind == "private":
            return
        now = time.monotonic()
        while chat.spent and chat.spent[0] < now - 60:
            chat.spent.popleft()
        if len(chat.spent) >= GROUP_MESSAGES_A_MINUTE:
            raise Refused(429, "Too Many Requests: retry after 30", retry_after=30)
        chat.spent.append(now)

    def _checked(self, values: dict) -> tuple[str, list[dict], list[list[dict]]]:
        text, entities = str(values.get("text") or ""), values.get("entities") or []
        if values.get("parse_mode"):
            raise Refused(400, "Bad Request: can't parse entities: this bot sends entities")
        if not text.strip():
            raise Refused(400, "Bad Request: message text is empty")
        self._check_text(text, entities)
        keyboard = (values.get("reply_markup") or {}).get("inline_keyboard", [])
        for button in (button for row in keyboard for button in row):
            if not 1 <= len(button.get("callback_data", "").encode()) <= CALLBACK_BYTES:
                raise Refused(400, "Bad Request: BUTTON_DATA_INVALID")
            if not button["text"]:
                raise Refused(400, "Bad Request: text buttons are unallowed: empty")
        return text.strip(), entities, keyboard

    def _check_text(self, text: str, entities: list[dict]) -> None:
        if units(text) > MAX_TEXT:
            raise Refused(400, "Bad Request: message is too long")
        if len(entities) > MAX_ENTITIES:
            self.refused_formats.append(f"{len(entities)} entities: the last are left out")
        raw = text.encode("utf-16-le")
        for entity in entities:
            start, end = entity["offset"], entity["offset"] + entity["length"]
            if entity["type"] not in KNOWN_ENTITIES:
                raise Refused(400, f"Bad Request: can't parse entities: {entity['type']}")
            if not 0 <= start < end <= len(raw) // 2:
                raise Refused(400, "Bad Request: ENTITY_BOUNDS_INVALID")
            try:
                raw[2 * start : 2 * end].decode("utf-16-le")
            except UnicodeDecodeError:
                raise Refused(400, "Bad Request: ENTITY_BOUNDS_INVALID") from None

    def as_dict(self, chat: Chat, message: SentMessage) -> dict:
        shown = {
            "message_id": message.message_id,
            "date": int(time.time()),
            "chat": chat.to_dict(),
            "from": self.me,
            "text": message.text,
        }
        if message.entities:
            shown["entities"] = message.entities
        if message.keyboard:
            shown["reply_markup"] = {"inline_keyboard": message.keyboard}
        return shown

    async def close(self) -> None:
        for task in list(self._deliveries):
            task.cancel()
        await asyncio.gather(*self._deliveries, return_exceptions=True)
        if self._session is not None:
            await self._session.close()


def _parsed(value: object) -> object:
    """Read a form's value as the JSON it may be."""
    if not isinstance(value, str):
        return value
    if value[:1] in "[{" or value in ("true", "false"):
        with suppress(ValueError):
            return json.loads(value)
    return value


def _snake(method: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", method).lower()


def _is_about_format(description: str) -> bool:
    words = ("parse", "ENTITY", "too long", "is empty", "BUTTON_DATA")
    return any(word in description for word in words)


def _error(refusal: Refused) -> web.Response:
    body: dict = {
        "ok": False,
        "error_code": refusal.status,
        "description": refusal.description,
    }
    if refusal.parameters:
        body["parameters"] = refusal.parameters
    return web.json_response(body, status=refusal.status)


@asynccontextmanager
async def telegram_server(**options):
    """Run a stand-in on loopback; print what happened, for the test that fails."""
    server = TelegramServer(**options)
    runner = web.AppRunner(server.application(), access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    server.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        yield server
    finally:
        await server.close()
        await runner.cleanup()
        print(server.transcript())  # noqa: T201 (shown with a failing test alone)
