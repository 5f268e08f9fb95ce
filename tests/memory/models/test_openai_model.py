"""One contract over both of OpenAI's interfaces, with the real client against a local server."""

import json
import traceback

import httpx2
import pytest
from memora_testing.openai_server import KEY, USAGE, Reply, openai_server
from openai.lib._pydantic import to_strict_json_schema

from memory.errors import (
    EmptyAnswerError,
    InvalidAnswerError,
    ModelAnswerError,
    ModelAuthenticationError,
    ModelError,
    ModelNotFoundError,
    ModelRateLimitError,
    ModelRequestError,
    ModelTimeoutError,
    ModelUnreachableError,
    RefusedAnswerError,
    TruncatedAnswerError,
)
from memory.language_model import ChatMessage, TextDelta
from memory.models.openai_model import ChatCompletions, OpenAILanguageModel, merge_roles
from memory.openai_client import open_client
from memory.prompts.extraction import ExtractionAnswer
from memory.prompts.importance import ImportanceAssessmentResult
from memory.prompts.summary import SummaryAnswer
from memory.usage import TokenUsage

MESSAGES = [ChatMessage("system", "Be kind."), ChatMessage("user", "marked-words")]
ANSWER = '{"assessments": [{"candidate_index": 0, "importance_score": 4}]}'
COUNTED = TokenUsage(*USAGE)


@pytest.fixture(params=["responses", "chat_completions"])
def api(request):
    return request.param


@pytest.fixture
async def open_model(api):
    clients = []

    def open_(server, *, key=KEY, max_retries=0, timeout_seconds=20.0):
        client = open_client(
            api_key=key,
            base_url=server.url,
            timeout_seconds=timeout_seconds,
            max_retries=max_retries,
        )
        clients.append(client)
        return OpenAILanguageModel(client, "gpt-marked", api=api, max_output_tokens=50)

    yield open_
    for client in clients:
        await client.close()


async def parse(model):
    return await model.parse(MESSAGES, ImportanceAssessmentResult, purpose="importance")


async def collect(model):
    """Return the pieces of a stream, and the error it ended with, if any."""
    pieces = []
    try:
        async for piece in model.stream(MESSAGES, purpose="reply"):
            pieces.append(piece)  # noqa: PERF401 (what came before an error is wanted)
    except ModelError as error:
        return pieces, error
    return pieces, None


def text_of(pieces):
    return "".join(piece.text for piece in pieces if isinstance(piece, TextDelta))


@pytest.mark.parametrize(
    "text",
    [
        ANSWER,
        f"```json\n{ANSWER}\n```",
        f"<think>\nhm, {{}}\n</think>\n\n{ANSWER}",
        f"  {ANSWER}\n",
    ],
)
async def test_an_answer_is_parsed_whatever_stands_around_it(open_model, text):
    async with openai_server(Reply(text)) as server:
        answer, usage = await parse(open_model(server))

    assert answer.assessments[0].importance_score == 4
    assert usage == COUNTED


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        (Reply("I won't.", finish="refusal"), RefusedAnswerError),
        (Reply("", finish="content_filter"), RefusedAnswerError),
        (Reply(ANSWER[:20], finish="length"), TruncatedAnswerError),
        (Reply(""), EmptyAnswerError),
        (Reply("<think>only thinking"), EmptyAnswerError),
        (Reply("marked-words are prose"), InvalidAnswerError),
        (Reply(ANSWER[:-3]), InvalidAnswerError),
        (Reply('{"marked-words": []}'), InvalidAnswerError),
        (
            Reply('{"assessments": [{"candidate_index": -1, "importance_score": 9}]}'),
            InvalidAnswerError,
        ),
    ],
)
async def test_an_unusable_answer_has_an_error_of_its_own_that_counts(open_model, reply, error):
    async with openai_server(reply) as server:
        with pytest.raises(error) as caught:
            await parse(open_model(server))

    assert isinstance(caught.value, ModelAnswerError)
    assert caught.value.usage == COUNTED
    assert "marked" not in str(caught.value)


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (400, ModelRequestError),
        (403, ModelAuthenticationError),
        (404, ModelNotFoundError),
        (409, ModelRequestError),
        (422, ModelRequestError),
        (429, ModelRateLimitError),
        (500, ModelRequestError),
        (503, ModelRequestError),
    ],
)
async def test_each_status_has_its_error_with_status_model_and_host(open_model, status, error):
    async with openai_server(Reply(status=status), Reply(status=status)) as server:
        model = open_model(server)
        with pytest.raises(error) as caught:
            await parse(model)
        pieces, streamed = await collect(model)

    assert pieces == []
    assert type(streamed) is type(caught.value)
    for fault in (caught.value, streamed):
        assert str(status) in str(fault)
        assert "gpt-marked at 127.0.0.1:" in str(fault)
        assert "marked-words" not in repr(fault)
        assert "marked-response-body" not in repr(fault)
        assert fault.__cause__ is None


async def test_a_wrong_key_is_an_error_that_does_not_name_it(open_model):
    async with openai_server() as server:
        with pytest.raises(ModelAuthenticationError) as caught:
            await parse(open_model(server, key="sk-marked-wrong"))

    assert "sk-marked" not in repr(caught.value)


async def test_an_unknown_model_is_an_error_of_its_own(open_model):
    async with openai_server(Reply(ANSWER)) as server:
        server.models = {"another"}
        with pytest.raises(ModelNotFoundError, match="404"):
            await parse(open_model(server))


PAGES = [
    (b"<html>marked</html>", "text/html"),
    (b"null", "application/json"),
    (b'["marked"]', "application/json"),
    (b"{}", "application/json"),
    (b'{"marked', "application/json"),
    (b'{"choices": [null], "output": [null]}', "application/json"),
    (b'{"choices": [{}], "output": [{}]}', "application/json"),
    (b'{"choices": [{"message": "marked"}], "output": ["marked"]}', "application/json"),
    (b'{"output": [{"type": "message", "content": null}]}', "application/json"),
    (b'data: {"marked\n\n', "text/event-stream"),
    (b"data: null\n\n", "text/event-stream"),
    (b'data: "marked"\n\ndata: [DONE]\n\n', "text/event-stream"),
    (b'data: {"choices": [{}], "type": "response.completed"}\n\n', "text/event-stream"),
    (b'data: {"choices": null, "type": "marked"}\n\n', "text/event-stream"),
    (b"data: \xff\n\n", "text/event-stream"),
]


@pytest.mark.parametrize(("raw", "content_type"), PAGES)
async def test_what_is_no_answer_at_all_is_an_error_without_its_words(
    open_model, raw, content_type
):
    reply = Reply(raw=raw, content_type=content_type)
    async with openai_server(reply, reply) as server:
        model = open_model(server)
        with pytest.raises(ModelAnswerError) as caught:
            await parse(model)
        pieces, streamed = await collect(model)

    assert text_of(pieces) == ""
    assert isinstance(streamed, ModelError)
    for error in (caught.value, streamed):
        told = "".join(traceback.format_exception(error))
        assert "marked" not in told.replace("gpt-marked", "")


async def test_a_count_with_gaps_counts_what_is_there(open_model):
    body = (
        b'{"choices": [{"message": {"content": "x"}}], "usage": {"prompt_tokens": 3,'
        b' "input_tokens": 3}, "output": [{"type": "message", "content": []}]}'
    )
    async with openai_server(Reply(raw=body)) as server:
        with pytest.raises(ModelAnswerError) as caught:
            await parse(open_model(server))

    assert caught.value.usage == TokenUsage(3, 0)


async def test_an_error_code_that_is_a_text_is_not_quoted(open_model):
    body = (
        b'data: {"type": "error", "code": "you said: marked words", "message": "marked",'
        b' "error": {"message": "marked words"}}\n\n'
    )
    async with openai_server(Reply(raw=body, content_type="text/event-stream")) as server:
        pieces, error = await collect(open_model(server))

    assert pieces == []
    assert isinstance(error, ModelRequestError)
    assert "marked words" not in repr(error)


async def test_a_full_server_says_how_long_to_wait(open_model):
    async with openai_server(Reply(status=429, headers={"retry-after": "17"})) as server:
        with pytest.raises(ModelRateLimitError) as caught:
            await parse(open_model(server))

    assert caught.value.retry_after == 17


async def test_no_answer_in_time_is_an_error(open_model):
    async with openai_server(Reply(fault="hang"), Reply(fault="hang")) as server:
        model = open_model(server, timeout_seconds=0.05)
        with pytest.raises(ModelTimeoutError):
            await parse(model)
        pieces, error = await collect(model)

    assert pieces == []
    assert isinstance(error, ModelTimeoutError)


async def test_no_next_piece_in_time_is_an_error_after_what_came(open_model):
    reply = Reply(pieces=["a ", "b "], fault="hang_in_stream")
    async with openai_server(reply, Reply("again")) as server:
        pieces, error = await collect(open_model(server, timeout_seconds=0.2, max_retries=2))

    assert text_of(pieces) == "a "
    assert isinstance(error, ModelTimeoutError)
    assert len(server.requests) == 1


async def test_a_broken_connection_is_an_error(open_model):
    async with openai_server(Reply(fault="reset"), Reply(fault="reset")) as server:
        model = open_model(server)
        with pytest.raises(ModelUnreachableError):
            await parse(model)
        _, error = await collect(model)

    assert isinstance(error, ModelUnreachableError)


async def test_a_text_is_streamed_as_it_comes_with_its_usage_last(open_model):
    async with openai_server(Reply(pieces=["Hello ", "Mei", "！"])) as server:
        pieces, error = await collect(open_model(server))

    assert error is None
    assert pieces == [TextDelta("Hello "), TextDelta("Mei"), TextDelta("！"), COUNTED]


async def test_reasoning_is_not_shown(open_model):
    reply = Reply(pieces=["<thi", "nk>secret", " plans</th", "ink>\n\n", "Hello"])
    async with openai_server(reply) as server:
        pieces, _ = await collect(open_model(server))

    assert text_of(pieces) == "Hello"


async def test_where_a_server_counts_nothing_the_answer_is_estimated(open_model):
    async with openai_server(Reply("一二三", has_usage=False)) as server:
        pieces, _ = await collect(open_model(server))

    assert pieces[-1] == TokenUsage(0, 3)


@pytest.mark.parametrize(
    ("reply", "error", "shown"),
    [
        (Reply("a part", finish="length"), TruncatedAnswerError, "a part"),
        (Reply("a part", finish="content_filter"), RefusedAnswerError, "a part"),
        (Reply(""), EmptyAnswerError, ""),
        (Reply("<think>only thinking"), EmptyAnswerError, ""),
        (Reply("I won't.", finish="refusal"), RefusedAnswerError, ""),
        (Reply(pieces=["a ", "part"], fault="no_end"), ModelUnreachableError, "a part"),
        (Reply(pieces=["a ", "part"], fault="error_in_stream"), ModelRequestError, "a part"),
        (Reply(pieces=["a ", "part"], fault="failed"), ModelRequestError, "a part"),
    ],
)
async def test_a_stream_that_ends_badly_says_so_after_what_came(open_model, reply, error, shown):
    async with openai_server(reply) as server:
        pieces, caught = await collect(open_model(server))

    assert text_of(pieces) == shown
    assert isinstance(caught, error)
    assert "marked" not in repr(caught).replace("gpt-marked", "")


async def test_a_connection_lost_in_mid_stream_is_never_asked_again(open_model):
    lost = Reply(pieces=["a ", "part ", "more"], fault="reset_in_stream")
    async with openai_server(lost, Reply("a second text")) as server:
        pieces, error = await collect(open_model(server, max_retries=2))

    assert isinstance(error, ModelUnreachableError)
    assert "second" not in text_of(pieces)
    assert len(server.requests) == 1


async def test_a_request_that_brought_no_answer_is_asked_again_and_answered_once(open_model):
    retry = {"retry-after-ms": "1"}
    busy = Reply(status=429, headers=retry)
    async with openai_server(busy, Reply(status=503, headers=retry), Reply("Hello")) as server:
        pieces, error = await collect(open_model(server, max_retries=2))

    assert error is None
    assert text_of(pieces) == "Hello"
    assert len(server.requests) == 3


async def test_a_stream_that_is_left_closes_its_connection(open_model):
    reply = Reply(pieces=["a ", "b ", "c"], fault="hang_in_stream")
    async with openai_server(reply) as server:
        stream = open_model(server).stream(MESSAGES, purpose="reply")
        await anext(stream)
        await stream.aclose()

        await server.disconnected.wait()


async def test_the_schema_goes_with_the_request(open_model, api):
    async with openai_server(Reply(ANSWER)) as server:
        await parse(open_model(server))
        path, body, _ = server.requests[0]

    if api == "responses":
        assert path == "/v1/responses"
        assert body["text"]["format"]["strict"] is True
        assert body["text"]["format"]["schema"] == ImportanceAssessmentResult.model_json_schema()
        assert body["store"] is False
        assert body["max_output_tokens"] == 50
    else:
        schema = body["response_format"]["json_schema"]
        assert path == "/v1/chat/completions"
        assert schema["strict"] is True
        assert schema["schema"] == ImportanceAssessmentResult.model_json_schema()
        assert body["max_tokens"] == 50
    assert "temperature" not in body


@pytest.mark.parametrize(
    "answer_type", [ExtractionAnswer, ImportanceAssessmentResult, SummaryAnswer]
)
def test_every_schema_is_strict_as_openai_means_it(answer_type):
    assert answer_type.model_json_schema() == to_strict_json_schema(answer_type)


@pytest.mark.parametrize(
    ("base_url", "name", "other"),
    [
        (None, "max_completion_tokens", "max_tokens"),
        ("https://eu.api.openai.com/v1", "max_completion_tokens", "max_tokens"),
        ("http://localhost:11434/v1", "max_tokens", "max_completion_tokens"),
    ],
)
async def test_the_limit_goes_under_the_name_that_the_server_knows(base_url, name, other):
    bodies = []

    def answer(request):
        bodies.append(json.loads(request.content))
        return httpx2.Response(200, json={"choices": []})

    opened = open_client(api_key=KEY, base_url=base_url, timeout_seconds=5, max_retries=0)
    async with httpx2.AsyncClient(transport=httpx2.MockTransport(answer)) as http_client:
        chat = ChatCompletions(opened.with_options(http_client=http_client), "gpt", 50)
        await chat.complete(MESSAGES, SummaryAnswer)
        async for _ in chat.stream(MESSAGES):
            pass
    await opened.close()

    assert [body[name] for body in bodies] == [50, 50]
    assert not any(other in body for body in bodies)


async def test_messages_keep_their_roles_and_order(open_model, api):
    messages = [*MESSAGES, ChatMessage("user", "again"), ChatMessage("assistant", "yes")]
    async with openai_server(Reply("ok")) as server:
        async for _ in open_model(server).stream(messages, purpose="reply"):
            pass
        body = server.requests[0][1]

    sent = [(item["role"], item["content"]) for item in body.get("input") or body["messages"]]
    if api == "responses":
        assert sent == [(item.role, item.content) for item in messages]
    else:
        assert sent == [
            ("system", "Be kind."),
            ("user", "marked-words\n\nagain"),
            ("assistant", "yes"),
        ]


async def test_the_name_says_model_and_server_and_no_key(open_model):
    async with openai_server() as server:
        model = open_model(server)

    assert model.name.startswith("gpt-marked at 127.0.0.1:")
    assert KEY not in model.name
    assert not model.is_offline


def test_neighbours_of_one_role_are_joined_and_nothing_else():
    merged = merge_roles([ChatMessage("user", "a"), ChatMessage("user", "b")])

    assert merged == [ChatMessage("user", "a\n\nb")]
    assert merge_roles(MESSAGES) == MESSAGES
    assert merge_roles([]) == []
