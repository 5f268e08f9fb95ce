"""The whole path with the real OpenAI client and both ports, against a server that speaks them."""

import json

import pytest
from memora_testing.application import Speaker
from memora_testing.clock import ManualClock
from memora_testing.openai_server import KEY, Reply, openai_server

from bot.bootstrap import open_application
from bot.settings import Configuration, Secrets, Settings

GOAL = "I want to reach IELTS 7 by June 2027."
EXTRACTED = {
    "memories": [
        {
            "content": GOAL,
            "memory_type": "semantic",
            "should_store": True,
            "policy_reason": "learning_goal",
            "quote": "reach IELTS 7 by June 2027",
            "event_on": None,
        },
        {
            "content": "The learner passed IELTS 9.",
            "memory_type": "episodic",
            "should_store": True,
            "policy_reason": "learning_progress",
            "quote": "I passed IELTS 9",
            "event_on": None,
        },
    ],
    "profile": [{"field": "goal", "value": "IELTS 7", "quote": "reach IELTS 7"}],
}
SCORED = {"assessments": [{"candidate_index": 0, "importance_score": 5}]}
NOTHING = {"memories": [], "profile": []}


@pytest.fixture(params=["responses", "chat_completions"])
def open_at(request, tmp_path):
    def open_(server):
        settings = Settings.model_validate(
            {
                "data_dir": tmp_path / "data",
                "llm": {
                    "base_url": server.url,
                    "api": request.param,
                    "model": "gpt-test",
                    "max_retries": 0,
                },
                "embedding": {
                    "provider": "openai",
                    "base_url": server.url,
                    "model": "embedding-test",
                    "dimensions": 8,
                },
                "conversation": {"time_zone": "Asia/Taipei"},
            }
        )
        configuration = Configuration(
            settings=settings, secrets=Secrets(openai_api_key=KEY), source=None
        )
        return open_application(configuration, clock=ManualClock(), runs_jobs=False)

    return open_


def answered(document):
    return Reply(json.dumps(document))


async def test_a_goal_is_said_kept_and_used_in_the_next_reply(open_at):
    script = [
        Reply(pieces=["A good ", "goal."]),
        answered(EXTRACTED),
        answered(SCORED),
        Reply(),
        Reply(),
        Reply(pieces=["Here is ", "a plan."]),
        answered(NOTHING),
    ]
    async with openai_server(*script) as server, open_at(server) as application:
        ada = Speaker(application)

        assert await ada.say(GOAL) == "A good goal."
        memories = await ada.command("/memories")
        assert await ada.say("How do I get there?") == "Here is a plan."
        usage = await ada.view("/usage")
        bodies = [json.dumps(body, ensure_ascii=False) for _, body, _ in server.requests]

    assert f"{GOAL}\n" in memories
    assert "importance 5 of 5" in memories
    assert "passed IELTS 9" not in memories
    assert server.replies == []
    assert GOAL in bodies[5]
    assert "said_on" in bodies[5]
    assert usage.in_all["reply"].total_tokens == 36
    assert usage.in_all["embedding"].total_tokens == 11


async def test_an_answer_without_a_score_is_asked_for_again_then_left_for_later(open_at):
    wrong = {"assessments": [{"candidate_index": 3, "importance_score": 5}]}
    script = [
        Reply("ok"),
        answered(EXTRACTED),
        answered(wrong),
        answered(wrong),
        answered(EXTRACTED),
        answered(SCORED),
        Reply(),
    ]
    async with openai_server(*script) as server, open_at(server) as application:
        ada = Speaker(application)
        await ada.say(GOAL)
        assert "don't remember anything" in await ada.command("/memories")
        assert await application.queue.count("queued") == 1

        await application.clock.advance(minutes=1)
        await application.worker.drain()

        assert GOAL in await ada.command("/memories")


async def test_a_server_that_refuses_the_key_is_said_in_words(open_at):
    script = [Reply(status=401)] * 2
    async with openai_server(*script) as server, open_at(server) as application:
        ada = Speaker(application)
        events = await ada.events(GOAL)

    assert len(events) == 1
    assert type(events[0].error).__name__ == "ModelAuthenticationError"


async def test_secrets_that_a_model_would_keep_are_refused_all_the_same(open_at):
    secret = "my password is hunter2!x"
    leaked = {
        "memories": [{**EXTRACTED["memories"][0], "content": secret, "quote": secret}],
        "profile": [{"field": "style", "value": secret, "quote": secret}],
    }
    script = [Reply("ok"), answered(leaked)]
    async with openai_server(*script) as server, open_at(server) as application:
        ada = Speaker(application)
        await ada.say(secret)

        assert "don't remember anything" in await ada.command("/memories")
        assert "profile is empty" in await ada.command("/profile")
        assert server.replies == []
