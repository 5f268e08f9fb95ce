"""A stand-in for OpenAI's API on loopback: its shapes, its errors, and faults on demand.

Each request takes the next of ``replies``; what was asked stands in ``requests``. A request without
the key gets 401, a malformed one 400, one for a model that is not among ``models`` 404, one without
a script 500.
"""

import asyncio
import json
from collections.abc import Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from aiohttp import web

KEY = "sk-marked-key"
USAGE = (11, 7)


@dataclass(frozen=True)
class Reply:
    """One scripted answer; ``text`` is streamed in ``pieces`` where a stream is asked for."""

    text: str = ""
    pieces: Sequence[str] = ()
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    finish: str = "stop"
    """stop, length, content_filter or refusal."""
    has_usage: bool = True
    fault: str = ""
    """hang, reset, hang_in_stream, reset_in_stream, no_end, error_in_stream or failed."""
    vectors: Sequence[tuple[int, Sequence[float]]] | None = None
    """(index, vector) pairs, in the order they are sent."""
    raw: bytes | None = None
    """Sent as it is, in place of an answer, as ``content_type``."""
    content_type: str = "application/json"

    @property
    def parts(self) -> Sequence[str]:
        return self.pieces or ([self.text] if self.text else [])

    @property
    def whole(self) -> str:
        return "".join(self.parts)


class OpenAIServer:
    """The endpoints of one server."""

    def __init__(self, *replies: Reply) -> None:
        self.replies = list(replies)
        self.requests: list[tuple[str, dict, dict]] = []
        self.disconnected = asyncio.Event()
        self.released = asyncio.Event()
        self.url = ""
        self.models: set[str] | None = None
        """The models there are; None where every name will do."""

    def application(self) -> web.Application:
        application = web.Application()
        application.router.add_post("/v1/responses", self._answer(Responses))
        application.router.add_post("/v1/chat/completions", self._answer(ChatCompletions))
        application.router.add_post("/v1/embeddings", self._embed)
        application.router.add_post("/v1/audio/transcriptions", self._transcribe)
        application.router.add_get("/v1/models", self._list_models)
        return application

    def _refusal(self, request: web.Request, body) -> web.Response | None:
        """Return what the API says to a request that it does not take."""
        asked = "messages" if request.path.endswith("/completions") else "input"
        if request.headers.get("Authorization") != f"Bearer {KEY}":
            return error_response(401, "invalid_api_key")
        if not isinstance(body, dict) or not body.get("model") or not body.get(asked):
            return error_response(400, "invalid_request")
        if self.models is not None and body["model"] not in self.models:
            return error_response(404, "model_not_found")
        return None

    async def _next(self, request: web.Request) -> Reply | web.Response:
        body = await self._body(request)
        self.requests.append((request.path, body, dict(request.headers)))
        if (refusal := self._refusal(request, body)) is not None:
            return refusal
        if not self.replies:
            return error_response(500, "no_script")
        reply = self.replies.pop(0)
        if reply.fault == "hang":
            await self.released.wait()
        if reply.fault == "reset":
            request.transport.abort()
        if reply.status != 200:
            return error_response(reply.status, "scripted", reply.headers)
        if reply.raw is not None:
            return web.Response(body=reply.raw, content_type=reply.content_type)
        return reply

    async def _body(self, request: web.Request) -> dict | None:
        if request.content_type == "multipart/form-data":
            form = dict(await request.post())
            file = form.pop("file", None)
            return form if file is None else {**form, "input": (file.filename, file.file.read())}
        try:
            return await request.json()
        except json.JSONDecodeError:
            return None

    def _answer(self, shape):
        async def handler(request: web.Request) -> web.StreamResponse:
            reply = await self._next(request)
            if isinstance(reply, web.Response):
                return reply
            body = self.requests[-1][1]
            if not body.get("stream"):
                return web.json_response(shape.whole(body, reply))
            return await self._stream(request, shape, body, reply)

        return handler

    async def _stream(self, request, shape, body, reply) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        try:
            for number, event in enumerate(shape.events(body, reply)):
                if reply.fault == "reset_in_stream" and number == shape.events_before_end:
                    request.transport.abort()
                    return response
                await response.write(event.encode())
                if reply.fault == "hang_in_stream" and number == shape.events_before_end:
                    await self.released.wait()
            await response.write_eof()
        except (ConnectionError, asyncio.CancelledError):
            self.disconnected.set()
            raise
        return response

    async def _transcribe(self, request: web.Request) -> web.Response:
        reply = await self._next(request)
        if isinstance(reply, web.Response):
            return reply
        return web.json_response({"text": reply.whole})

    async def _list_models(self, request: web.Request) -> web.Response:
        if request.headers.get("Authorization") != f"Bearer {KEY}":
            return error_response(401, "invalid_api_key")
        kind = {"object": "model", "created": 1, "owned_by": "memora"}
        data = [{"id": name, **kind} for name in sorted(self.models or ())]
        return web.json_response({"object": "list", "data": data})

    async def _embed(self, request: web.Request) -> web.Response:
        reply = await self._next(request)
        if isinstance(reply, web.Response):
            return reply
        body = self.requests[-1][1]
        vectors = reply.vectors
        if vectors is None:
            rest = [0.0] * (body.get("dimensions", 2) - 2)
            vectors = [(i, [1.0, float(len(text)), *rest]) for i, text in enumerate(body["input"])]
        return web.json_response(
            {
                "object": "list",
                "model": body["model"],
                "data": [
                    {"object": "embedding", "index": index, "embedding": list(vector)}
                    for index, vector in vectors
                ],
                "usage": {"prompt_tokens": USAGE[0], "total_tokens": USAGE[0]},
            }
        )


def error_response(status, code, headers=None) -> web.Response:
    """An error as the API writes it; its message quotes the request, as real ones do."""
    message = "marked-response-body: you sent marked-words"
    kind = "server_error" if status >= 500 else "invalid_request_error"
    body = {"error": {"message": message, "type": kind, "param": None, "code": code}}
    return web.json_response(body, status=status, headers=headers or {})


def event(data, name=None) -> str:
    head = f"event: {name}\n" if name else ""
    return f"{head}data: {data if isinstance(data, str) else json.dumps(data)}\n\n"


class ChatCompletions:
    """The shapes of Chat Completions."""

    events_before_end = 1

    @staticmethod
    def _usage(reply):
        if not reply.has_usage:
            return None
        total = sum(USAGE)
        return {"prompt_tokens": USAGE[0], "completion_tokens": USAGE[1], "total_tokens": total}

    @staticmethod
    def _finish(reply):
        return "stop" if reply.finish == "refusal" else reply.finish

    @classmethod
    def whole(cls, body, reply):
        refused = reply.finish == "refusal"
        message = {
            "role": "assistant",
            "content": None if refused else reply.whole,
            "refusal": reply.whole if refused else None,
        }
        choice = {"index": 0, "message": message, "finish_reason": cls._finish(reply)}
        return {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1,
            "model": body["model"],
            "choices": [choice],
            "usage": cls._usage(reply),
        }

    @classmethod
    def events(cls, body, reply):
        def chunk(delta, finish=None):
            choice = {"index": 0, "delta": delta, "finish_reason": finish}
            return event({**head, "choices": [choice]})

        head = {
            "id": "chatcmpl-1",
            "object": "chat.completion.chunk",
            "created": 1,
            "model": body["model"],
        }
        yield chunk({"role": "assistant", "content": ""})
        name = "refusal" if reply.finish == "refusal" else "content"
        for part in reply.parts:
            yield chunk({name: part})
        if reply.fault in {"error_in_stream", "failed"}:
            yield event({"error": {"message": "marked-response-body", "code": "server_error"}})
            return
        if reply.fault == "no_end":
            return
        yield chunk({}, cls._finish(reply))
        if reply.has_usage:
            yield event({**head, "choices": [], "usage": cls._usage(reply)})
        yield event("[DONE]")


class Responses:
    """The shapes of Responses."""

    events_before_end = 1

    @classmethod
    def whole(cls, body, reply, status=None):
        incomplete = {"length": "max_output_tokens", "content_filter": "content_filter"}
        reason = incomplete.get(reply.finish)
        refused = reply.finish == "refusal"
        part = (
            {"type": "refusal", "refusal": reply.whole}
            if refused
            else {"type": "output_text", "text": reply.whole, "annotations": [], "logprobs": []}
        )
        usage = {
            "input_tokens": USAGE[0],
            "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
            "output_tokens": USAGE[1],
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": sum(USAGE),
        }
        return {
            "id": "resp_1",
            "object": "response",
            "created_at": 1,
            "model": body["model"],
            "status": status or ("incomplete" if reason else "completed"),
            "error": {"code": "server_error", "message": "marked-response-body"}
            if status == "failed"
            else None,
            "incomplete_details": {"reason": reason} if reason else None,
            "instructions": None,
            "metadata": {},
            "parallel_tool_calls": True,
            "tool_choice": "auto",
            "tools": [],
            "temperature": 1.0,
            "top_p": 1.0,
            "output": [
                {
                    "id": "msg_1",
                    "type": "message",
                    "role": "assistant",
                    "status": "completed",
                    "content": [part],
                }
            ],
            "usage": usage if reply.has_usage else None,
        }

    @classmethod
    def events(cls, body, reply):
        def numbered(name, **values):
            data = {"type": name, "sequence_number": next(numbers), **values}
            return event(data, name)

        numbers = iter(range(1000))
        started = {**cls.whole(body, Reply()), "status": "in_progress", "output": []}
        yield numbered("response.created", response=started)
        place = {"item_id": "msg_1", "output_index": 0, "content_index": 0}
        name = "refusal" if reply.finish == "refusal" else "output_text"
        for part in reply.parts:
            yield numbered(f"response.{name}.delta", delta=part, logprobs=[], **place)
        if reply.fault == "error_in_stream":
            yield numbered("error", code="server_error", message="marked-response-body", param=None)
            return
        if reply.fault == "no_end":
            return
        status = "failed" if reply.fault == "failed" else None
        final = cls.whole(body, reply, status)
        yield numbered(f"response.{final['status']}", response=final)


@asynccontextmanager
async def openai_server(*replies: Reply):
    """Serve ``replies`` on loopback for the time of the block."""
    server = OpenAIServer(*replies)
    runner = web.AppRunner(server.application(), handler_cancellation=True, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    host, port = site._server.sockets[0].getsockname()
    server.url = f"http://{host}:{port}/v1"
    try:
        yield server
    finally:
        server.released.set()
        await runner.cleanup()
