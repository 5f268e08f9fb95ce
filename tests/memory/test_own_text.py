from itertools import pairwise

import pytest

from memory.own_text import is_own_text
from memory.prompts.extraction import (
    EXAMPLE_MEMORY,
    EXAMPLE_MESSAGE,
    EXAMPLE_QUOTE,
    extraction_instructions,
)
from memory.prompts.importance import importance_instructions
from memory.prompts.reply import BACKGROUND_HEADING, reply_instructions
from memory.prompts.summary import summary_instructions
from memory.settings import PolicySettings

SCOPE = PolicySettings().scope


@pytest.mark.parametrize(
    "text",
    [
        "<think>The user wants to pass IELTS",
        "I want to pass IELTS.</think>",
        "<Reasoning> it is a goal",
        "string",
        "<content>",
        "[content]",
        '"content"',
        "...",
        "…",
        "- N/A",
        "None.",
        "null",
        "memory text here",
        "your memory here",
        "No new memories",
        "nothing to remember",
        "無",
        "記憶內容",
        '{"content": "I like tea"}',
        '"should_store": true',
        "memory_type: semantic",
        '[{"candidate_index": 0, "importance_score": 3}]',
        BACKGROUND_HEADING,
    ],
)
def test_reasoning_placeholders_and_schemas_are_ours(text):
    assert is_own_text(text)


@pytest.mark.parametrize("example", [EXAMPLE_MESSAGE, EXAMPLE_MEMORY, EXAMPLE_QUOTE])
@pytest.mark.parametrize("form", ["{}", "  {}\n", "Memory: {}", "- {} (semantic)", "“{}”"])
def test_the_examples_are_ours_in_any_dress(example, form):
    assert is_own_text(form.format(example))
    assert is_own_text(form.format(example.upper()))


def test_an_example_with_a_word_changed_is_ours():
    assert is_own_text(EXAMPLE_MEMORY.replace("The learner's", "Learner's").replace("2031", "2027"))


@pytest.mark.parametrize(
    "prompt",
    [
        extraction_instructions(SCOPE),
        importance_instructions(SCOPE),
        summary_instructions(),
        reply_instructions(SCOPE),
    ],
)
def test_every_sentence_of_our_prompts_is_ours(prompt):
    lines = [line.strip("- ") for line in prompt.splitlines()]
    pairs = [" ".join(pair) for pair in pairwise(lines) if all(pair)]

    assert [pair for pair in pairs if not is_own_text(pair, product_scope=SCOPE)] == []
    assert is_own_text(prompt[:400], product_scope=SCOPE)


def test_the_product_scope_is_ours():
    assert is_own_text(SCOPE, product_scope=SCOPE)
    assert not is_own_text("I help my sister learn English.", product_scope=SCOPE)


@pytest.mark.parametrize(
    "text",
    [
        "I have a goal.",
        "My main goal is a coming exam.",
        "I want to practise.",
        "I don't remember the content of the test.",
        "I think my text was too long.",
        "I like English memes.",
        "I held my first full interview in English.",
        "My quizbowl team meets on Fridays.",
        "I moved to Tainan in March.",
        "A list of words helps me.",
        "None of my friends speak English.",
        "Unknown words stress me.",
        "I code in Python with null and None.",
        "我的作文內容太短",
        "我沒有時間練習",
        "我想寫一個字串處理程式",
        "I want short and kind corrections.",
        "In the language exam I had to summarise a conversation.",
    ],
)
def test_what_a_person_says_is_theirs(text):
    assert not is_own_text(text, product_scope=SCOPE)
