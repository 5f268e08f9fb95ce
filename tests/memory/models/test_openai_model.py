"""One contract over both of OpenAI's interfaces, with the real client against a local server."""

import pytest
from memora_testing.openai_server import KEY, USAGE, Reply, openai_server

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
from memory.models.openai_model import OpenAILanguageModel, merge_roles
from memory.openai_client import open_client
from memory.prompts.importance import ImportanceAssessmentResult
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
