"""The OpenAI ports against a real server: llama.cpp with a small model."""

from contextlib import suppress

import pytest
from memora_testing.llama_server import MODEL_NAME, require_model, start_server
from memora_testing.proxy import cutting_proxy

from memory.errors import InvalidAnswerError, ModelUnreachableError, TruncatedAnswerError
from memory.language_model import ChatMessage, TextDelta
from memory.models.openai_model import OpenAILanguageModel
from memory.openai_client import open_client
from memory.prompts.extraction import ExtractionAnswer
from memory.prompts.importance import (
    ImportanceAssessmentResult,
    ImportanceTask,
    importance_messages,
)
from memory.prompts.summary import SummaryAnswer
from memory.usage import TokenUsage

pytestmark = [pytest.mark.model_server, pytest.mark.timeout(300)]

QUESTION = [ChatMessage("system", "You are kind."), ChatMessage("user", "Say hello to Mei.")]


@pytest.fixture(scope="session")
def server(request):
    return start_server(require_model(request.config))


@pytest.fixture
def address(server):
    return server.listening_address


@pytest.fixture
async def open_model():
    clients = []

    async def open_(address, *, api="chat_completions", max_output_tokens=24, model=MODEL_NAME):
        client = open_client(
            api_key=None, base_url=f"{address}/v1", timeout_seconds=60, max_retries=0
        )
        clients.append(client)
        return OpenAILanguageModel(client, model, api=api, max_output_tokens=max_output_tokens)

    yield open_
    for client in clients:
        await client.close()


async def collect(stream):
    """Return all pieces; a model this small may go on and on until its limit."""
    pieces = []
    with suppress(TruncatedAnswerError):
        async for piece in stream:
            pieces.append(piece)  # noqa: PERF401 (what came before an error is wanted)
    return pieces


async def test_a_text_is_streamed_in_pieces_with_its_usage_at_the_end(address, open_model):
    model = await open_model(address, max_output_tokens=40)

    *pieces, usage = await collect(model.stream(QUESTION, purpose="reply"))

    assert len(pieces) > 1
    assert all(isinstance(piece, TextDelta) and piece.text for piece in pieces)
    assert isinstance(usage, TokenUsage)
    assert usage.input_tokens > 5
    assert usage.output_tokens >= len(pieces) - 2


async def test_a_text_that_reaches_the_limit_says_so_after_its_pieces(address, open_model):
    model = await open_model(address, max_output_tokens=4)
    pieces = []

    with pytest.raises(TruncatedAnswerError):
        async for piece in model.stream(
            [ChatMessage("user", "Count from one to one hundred.")], purpose="reply"
        ):
            pieces.append(piece)  # noqa: PERF401 (as above)

    assert any(isinstance(piece, TextDelta) for piece in pieces)
    assert isinstance(pieces[-1], TokenUsage)


async def test_an_answer_is_of_our_own_type_and_has_its_usage(address, open_model):
    model = await open_model(address, max_output_tokens=150)

    answer, usage = await model.parse(QUESTION, ImportanceAssessmentResult, purpose="importance")

    assert all(1 <= item.importance_score <= 5 for item in answer.assessments)
    assert usage.input_tokens > 5
    assert usage.output_tokens > 5


async def test_an_answer_cut_off_at_the_limit_is_an_error_that_counts(address, open_model):
    model = await open_model(address, max_output_tokens=5)
    task = ImportanceTask(candidate_index=0, content="I want IELTS 7.", memory_type="semantic")

    with pytest.raises(TruncatedAnswerError) as caught:
        await model.parse(
            importance_messages([task], product_scope="English"),
            ImportanceAssessmentResult,
            purpose="importance",
        )

    assert caught.value.usage.input_tokens > 100
    assert caught.value.usage.output_tokens == 5


@pytest.mark.parametrize(
    "answer_type", [ExtractionAnswer, ImportanceAssessmentResult, SummaryAnswer]
)
async def test_each_of_our_schemas_becomes_a_whole_grammar_of_this_server(
    address, open_model, answer_type, capfd
):
    model = await open_model(address, max_output_tokens=3)

    with pytest.raises(TruncatedAnswerError) as caught:
        await model.parse(QUESTION, answer_type, purpose="extraction")

    assert caught.value.usage.output_tokens == 3
    # What it cannot turn into grammar it lets through, and only warns.
    assert "schema conversion" not in capfd.readouterr().err


async def test_this_server_ignores_a_schema_in_responses_and_that_is_an_error(address, open_model):
    model = await open_model(address, api="responses", max_output_tokens=60)

    with pytest.raises(InvalidAnswerError) as caught:
        await model.parse(QUESTION, ImportanceAssessmentResult, purpose="importance")

    assert caught.value.usage.output_tokens > 5


async def test_responses_streams_the_same_text_as_chat_completions(address, open_model):
    texts = []
    for api in ("responses", "chat_completions"):
        model = await open_model(address, api=api, max_output_tokens=40)
        *pieces, usage = await collect(model.stream(QUESTION, purpose="reply"))
        assert usage.output_tokens >= len(pieces) - 2
        texts.append("".join(piece.text for piece in pieces))

    assert texts[0] == texts[1] != ""


async def test_a_server_that_goes_away_in_mid_stream_is_an_error_after_the_pieces(
    address, open_model
):
    async with cutting_proxy(address, cut_after=900) as proxy:
        model = await open_model(proxy, max_output_tokens=200)
        pieces = []

        with pytest.raises(ModelUnreachableError):
            async for piece in model.stream(
                [ChatMessage("user", "Tell me a long story.")], purpose="reply"
            ):
                pieces.append(piece)  # noqa: PERF401 (as above)

    assert pieces
    assert all(isinstance(piece, TextDelta) for piece in pieces)


async def test_a_server_that_is_gone_is_an_error(open_model):
    model = await open_model("http://127.0.0.1:9")

    with pytest.raises(ModelUnreachableError):
        await collect(model.stream(QUESTION, purpose="reply"))


async def test_one_model_server_answers_to_any_name(address, open_model):
    model = await open_model(address, model="no-such-model")

    assert await collect(model.stream(QUESTION, purpose="reply"))
