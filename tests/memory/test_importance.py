import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from memora_testing.model import ScriptedModel
from memora_testing.values import candidate, importance

from memory.errors import ImportanceAnswerError
from memory.importance import (
    DEFAULT_IMPORTANCE_SCORE,
    check_indexes,
    normalize_importance,
    read_importance_score,
    score_memory_importance,
)
from memory.prompts.importance import ImportanceAssessment, ImportanceAssessmentResult


@pytest.mark.parametrize(
    ("value", "score"),
    [(1, 1), (5, 5), (2.0, 2), (4, 4)],
)
def test_whole_numbers_from_one_to_five_are_scores(value, score):
    assert read_importance_score({"importance_score": value}) == score


@pytest.mark.parametrize(
    "value", [True, False, "4", 0, 6, -1, 2.5, None, [3], float("nan"), float("inf")]
)
def test_anything_else_reads_as_the_default(value):
    assert read_importance_score({"importance_score": value}) == DEFAULT_IMPORTANCE_SCORE


def test_a_record_without_a_score_reads_as_the_default():
    assert read_importance_score({}) == 3


@given(st.integers(min_value=1, max_value=5))
def test_importance_is_normalized_evenly_over_zero_to_one(score):
    assert normalize_importance(score) == (score - 1) * 0.25


async def test_no_candidates_call_no_model():
    assert await score_memory_importance([], model=ScriptedModel(), product_scope="x") == ([], 0)


async def test_all_candidates_are_scored_in_one_call_and_keep_their_order():
    model = ScriptedModel(
        ImportanceAssessmentResult(
            assessments=[
                ImportanceAssessment(candidate_index=1, importance_score=2),
                ImportanceAssessment(candidate_index=0, importance_score=5),
            ]
        )
    )
    candidates = [candidate("我要考多益。"), candidate("I like memes.")]

    scored, tokens = await score_memory_importance(candidates, model=model, product_scope="x")

    assert [(item.content, item.importance_score) for item in scored] == [
        ("我要考多益。", 5),
        ("I like memes.", 2),
    ]
    assert tokens == 15
    assert len(model.calls) == 1


async def test_the_model_sees_index_content_and_type_with_chinese_as_it_is():
    model = ScriptedModel(importance(4))

    await score_memory_importance([candidate("我要考多益。")], model=model, product_scope="x")

    task = model.calls[0].messages[-1].content
    assert "我要考多益" in task
    assert json.loads(task) == [
        {"candidate_index": 0, "content": "我要考多益。", "memory_type": "semantic"}
    ]


def assessments(*indexes: int) -> ImportanceAssessmentResult:
    return ImportanceAssessmentResult(
        assessments=[
            ImportanceAssessment(candidate_index=index, importance_score=3) for index in indexes
        ]
    )


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        (assessments(), r"missing index \[0, 1\]"),
        (assessments(0), r"missing index \[1\]"),
        (assessments(0, 1, 2), r"unknown index \[2\]"),
        (assessments(0, 1, 1), r"duplicate index \[1\]"),
        (assessments(1, 1), r"missing index \[0\], duplicate index \[1\]"),
    ],
)
async def test_a_wrong_index_is_an_error_that_names_it(answer, fault):
    model = ScriptedModel(answer, answer)

    with pytest.raises(ImportanceAnswerError, match=fault):
        await score_memory_importance(
            [candidate("a"), candidate("b")], model=model, product_scope="x"
        )


async def test_a_wrong_answer_is_asked_for_once_more_and_both_are_counted():
    model = ScriptedModel(assessments(7), importance(4))

    scored, tokens = await score_memory_importance([candidate()], model=model, product_scope="x")

    assert scored[0].importance_score == 4
    assert tokens == 30


@given(st.lists(st.integers(min_value=0, max_value=9), max_size=12))
def test_only_each_index_exactly_once_is_accepted(indexes):
    if sorted(indexes) == [0, 1, 2, 3]:
        check_indexes(assessments(*indexes), expected=4)
    else:
        with pytest.raises(ImportanceAnswerError):
            check_indexes(assessments(*indexes), expected=4)
