"""A small stand-in for Discord over real sockets: a REST server and a gateway.

It keeps what the smoke test needs, as Discord does it: tokens, sessions that can be resumed with
what was missed, nonces that are known, rate limits with their headers, and answers that get lost.
For everything else there is the simulation.
"""

import asyncio
import json
from collections import defaultdict, deque
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count

from aiohttp import WSMsgType, web

TOKEN = "marked.discord.token-for-tests-only-0123456789"
APPLICATION, BOT, ADA, PRIVATE = 1000, 1001, 7, 70
FIRST_ID = 10_000

HELLO, HEARTBEAT, IDENTIFY, RESUME, RECONNECT, INVALID_SESSION, ACK = 10, 1, 2, 6, 7, 9, 11


@dataclass(frozen=True)
class Fault:
    """What happens to one request instead of an answer, or after it was done."""

    status: int = 0
    retry_after: float = 0.0
    is_done: bool = False
    """True where the work is done and only the word of it gets lost."""


FLOOD = Fault(429, retry_after=0.05)
RESET = Fault()
LOST_WORD = Fault(is_done=True)


@dataclass
class DiscordServer:
    """One bot, one person, and the private chat between them."""

    messages: dict[int, dict] = field(default_factory=dict)
    calls: list[tuple[str, str, int]] = field(default_factory=list)
    """Method, path and status of each request."""
    commands: list[dict] = field(default_factory=list)
    identified: int = 0
    resumed: int = 0
    accepts_resumes: bool = True
    close_code: int | None = None
    """What the gateway answers to whoever identifies; None to let them in."""
    _port: int = 0
    _ids: count = field(default_factory=lambda: count(FIRST_ID))
    _sequence: int = 0
    _events: list[dict] = field(default_factory=list)
    _sockets: set = field(default_factory=set)
    _nonces: dict[str, int] = field(default_factory=dict)
    _faults: dict = field(default_factory=lambda: defaultdict(deque))
    _waiting: dict[str, int] = field(default_factory=dict)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}/api/v10"

    @property
    def gateway_url(self) -> str:
        return f"ws://127.0.0.1:{self._port}/gateway"

    @property
    def screen(self) -> list[str]:
        """What the bot's messages say now."""
        return [item["content"] for item in self.messages.values() if item["author"]["bot"]]

    def fault(self, method: str, part: str, *faults: Fault) -> None:
        """Have the next requests to addresses that hold ``part`` go wrong."""
        self._faults[method, part].extend(faults)

    async def until(self, condition, seconds: float = 20.0) -> None:
        async with asyncio.timeout(seconds):
            while not condition():
                await asyncio.sleep(0.01)

    # What people and Discord do

    async def say(self, text: str) -> None:
        """Have the person write to the bot."""
        await self.emit("MESSAGE_CREATE", self._message(ADA, text))

    async def call(self, name: str, **options: str) -> str:
        """Have the person call a command; return the token of the interaction."""
        token = f"aW50ZXJhY3Rpb24-{next(self._ids)}"
        await self.emit(
            "INTERACTION_CREATE",
            {
                "id": str(next(self._ids)),
                "application_id": str(APPLICATION),
                "type": 2,
                "token": token,
                "version": 1,
                "locale": "en-US",
                "context": 1,
                "attachment_size_limit": 1,
                "channel_id": str(PRIVATE),
                "channel": {"id": str(PRIVATE), "type": 1, "recipients": [_user(ADA)]},
                "user": _user(ADA),
                "data": {
                    "id": "1",
                    "name": name,
                    "type": 1,
                    "options": [
                        {"name": item, "type": 3, "value": value} for item, value in options.items()
                    ],
                },
            },
        )
        return token

    async def emit(self, kind: str, body: dict) -> None:
        self._sequence += 1
        event = {"op": 0, "t": kind, "s": self._sequence, "d": body}
        self._events.append(event)
        for socket in list(self._sockets):
            with suppress(ConnectionError):
                await socket.send_str(json.dumps(event))

    async def drop_connections(self) -> None:
        """Break the gateway's connections off."""
        for socket in list(self._sockets):
            self._sockets.discard(socket)
            await socket.close(code=4000)

    # The gateway

    async def gateway(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await socket.send_json({"op": HELLO, "d": {"heartbeat_interval": 45_000}})
        try:
            async for frame in socket:
                if frame.type == WSMsgType.TEXT:
                    await self._hear(socket, json.loads(frame.data))
        finally:
            self._sockets.discard(socket)
        return socket

    async def _hear(self, socket: web.WebSocketResponse, said: dict) -> None:
        match said["op"]:
            case 1:
                await socket.send_json({"op": ACK})
            case 2:
                if self.close_code is not None:
                    await socket.close(code=self.close_code)
                    return
                self.identified += 1
                self._sockets.add(socket)
                await socket.send_json(
                    {"op": 0, "t": "READY", "s": self._sequence, "d": self._ready}
                )
            case 6:
                if not self.accepts_resumes:
                    await socket.send_json({"op": INVALID_SESSION, "d": False})
                    return
                self.resumed += 1
                self._sockets.add(socket)
                for event in self._events:
                    if event["s"] > said["d"]["seq"]:
                        await socket.send_str(json.dumps(event))
                await socket.send_json({"op": 0, "t": "RESUMED", "s": self._sequence, "d": {}})

    @property
    def _ready(self) -> dict:
        return {
            "v": 10,
            "user": _user(BOT, is_bot=True),
            "guilds": [],
            "session_id": "session",
            "resume_gateway_url": self.gateway_url,
            "shard": [0, 1],
            "application": {"id": str(APPLICATION), "flags": 0},
        }

    # The API

    def application(self) -> web.Application:
        app = web.Application(middlewares=[self._served])
        api = "/api/v10"
        app.add_routes(
            [
                web.get("/gateway", self.gateway),
                web.get("/gateway/", self.gateway),
                web.get(f"{api}/users/@me", self._me),
                web.get(f"{api}/oauth2/applications/@me", self._application_info),
                web.get(f"{api}/gateway/bot", self._gateway_bot),
                web.put(f"{api}/applications/{{id}}/commands", self._put_commands),
                web.post(f"{api}/users/@me/channels", self._open_channel),
                web.post(f"{api}/channels/{{id}}/typing", self._typing),
                web.post(f"{api}/channels/{{id}}/messages", self._post),
                web.patch(f"{api}/channels/{{id}}/messages/{{message}}", self._edit),
                web.post(f"{api}/interactions/{{id}}/{{token}}/callback", self._callback),
                web.post(f"{api}/webhooks/{{id}}/{{token}}", self._post),
                web.patch(f"{api}/webhooks/{{id}}/{{token}}/messages/{{message}}", self._edit),
            ]
        )
        return app

    @web.middleware
    async def _served(self, request: web.Request, handler) -> web.StreamResponse:
        if request.path.startswith("/gateway"):
            return await handler(request)
        if not self._is_allowed(request):
            return self._answer(request, {"message": "401: Unauthorized", "code": 0}, 401)
        fault = self._take_fault(request)
        if fault is None:
            return self._answer(request, *await handler(request))
        if fault.is_done:
            await handler(request)
        if fault.status:
            body = {"message": "You are being rate limited.", "retry_after": fault.retry_after}
            return self._answer(request, {**body, "global": False}, fault.status)
        self.calls.append((request.method, request.path, 0))
        request.transport.abort()
        return web.Response()

    def _is_allowed(self, request: web.Request) -> bool:
        by_token = "/webhooks/" in request.path or "/interactions/" in request.path
        return by_token or request.headers.get("Authorization") == f"Bot {TOKEN}"

    def _take_fault(self, request: web.Request) -> Fault | None:
        for (method, part), waiting in self._faults.items():
            if waiting and method == request.method and part in request.path:
                return waiting.popleft()
        return None

    def _answer(self, request: web.Request, body: object, status: int = 200) -> web.Response:
        self.calls.append((request.method, request.path, status))
        if status == 204:
            return web.Response(status=204)
        headers = {"Via": "1.1 google"}
        if status == 429:
            headers |= {"X-Ratelimit-Remaining": "0", "X-Ratelimit-Bucket": "messages"}
            headers |= {"X-Ratelimit-Limit": "5", "X-Ratelimit-Reset-After": "0.05"}
            headers |= {"X-Ratelimit-Reset": str(datetime.now(UTC).timestamp())}
        headers["Content-Type"] = "application/json"  # and no charset, as Discord
        return web.Response(body=json.dumps(body).encode(), status=status, headers=headers)

    async def _me(self, _request: web.Request) -> tuple:
        return (_user(BOT, is_bot=True),)

    async def _application_info(self, _request: web.Request) -> tuple:
        return (
            {
                "id": str(APPLICATION),
                "name": "Memora",
                "icon": None,
                "description": "",
                "bot_public": True,
                "bot_require_code_grant": False,
                "verify_key": "x",
                "flags": 0,
                "owner": _user(ADA),
                "approximate_guild_count": 3,
                "approximate_user_install_count": 2,
            },
        )

    async def _gateway_bot(self, _request: web.Request) -> tuple:
        limit = {"total": 9, "remaining": 9, "reset_after": 1, "max_concurrency": 1}
        return ({"url": self.gateway_url, "shards": 1, "session_start_limit": limit},)

    async def _put_commands(self, request: web.Request) -> tuple:
        self.commands = await request.json()
        told = [
            {**command, "id": str(next(self._ids)), "application_id": str(APPLICATION)}
            for command in self.commands
        ]
        return ([{"version": "1", "description": "", **command} for command in told],)

    async def _open_channel(self, _request: web.Request) -> tuple:
        return ({"id": str(PRIVATE), "type": 1, "recipients": [_user(ADA)]},)

    async def _typing(self, _request: web.Request) -> tuple:
        return None, 204

    async def _post(self, request: web.Request) -> tuple:
        body = await request.json()
        refusal = _refusal(body)
        if refusal is not None:
            return refusal, 400
        nonce = body.get("nonce")
        if nonce is not None and body.get("enforce_nonce") and nonce in self._nonces:
            return (self.messages[self._nonces[nonce]],)
        message = self._message(BOT, body.get("content") or "", body)
        if nonce is not None:
            self._nonces[nonce] = int(message["id"])
        return (message,)

    async def _edit(self, request: web.Request) -> tuple:
        body = await request.json()
        message = self.messages.get(int(request.match_info["message"]))
        if message is None:
            return {"message": "Unknown Message", "code": 10008}, 404
        if _refusal(body) is not None:
            return _refusal(body), 400
        message["content"] = body.get("content") or ""
        message["embeds"] = [
            embed for embed in [body.get("embed"), *(body.get("embeds") or [])] if embed
        ]
        message["components"] = body.get("components") or []
        return (message,)

    async def _callback(self, request: web.Request) -> tuple:
        body = await request.json()
        waiting = self._message(BOT, "")
        self._waiting[request.match_info["token"]] = int(waiting["id"])
        interaction = {
            "id": request.match_info["id"],
            "type": body["type"],
            "response_message_id": waiting["id"],
            "response_message_loading": True,
            "response_message_ephemeral": False,
        }
        return ({"interaction": interaction},)

    def _message(self, author: int, text: str, body: dict | None = None) -> dict:
        message_id = next(self._ids)
        message = {
            "id": str(message_id),
            "channel_id": str(PRIVATE),
            "author": _user(author, is_bot=author == BOT),
            "content": text,
            "timestamp": datetime.now(UTC).isoformat(),
            "edited_timestamp": None,
            "tts": False,
            "mention_everyone": False,
            "mentions": [],
            "mention_roles": [],
            "attachments": [],
            "embeds": (body or {}).get("embeds") or [],
            "components": (body or {}).get("components") or [],
            "pinned": False,
            "type": 0,
            "flags": 0,
        }
        self.messages[message_id] = message
        return message


def _refusal(body: dict) -> dict | None:
    """Say what Discord would not take."""
    content, embeds = body.get("content") or "", body.get("embeds") or []
    if len(content) > 2000 or not (content or embeds):
        return {"message": "Invalid Form Body", "code": 50035}
    return None


def _user(user_id: int, *, is_bot: bool = False) -> dict:
    return {
        "id": str(user_id),
        "username": "memora" if is_bot else "ada",
        "discriminator": "0",
        "global_name": None,
        "avatar": None,
        "bot": is_bot,
    }


@asynccontextmanager
async def discord_server():
    """Run the stand-in on a free port of this machine."""
    server = DiscordServer()
    runner = web.AppRunner(server.application(), shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    server._port = site._server.sockets[0].getsockname()[1]
    try:
        yield server
    finally:
        await runner.cleanup()
