import pytest
from hypothesis import given
from hypothesis import strategies as st
from memora_testing.values import search_result

from memory.retrieval import calculate_retrieval_score, rank_memories, used_memories
from memory.settings import RetrievalSettings, RetrievalWeights

SETTINGS = RetrievalSettings()


def test_the_worked_example_to_the_third_decimal():
    near = search_result(memory_id="near", score=0.82, importance_score=2)
    important = search_result(memory_id="important", score=0.70, importance_score=5)
    unrelated = search_result(memory_id="unrelated", score=0.20, importance_score=5)

    ranked = rank_memories([near, important, unrelated], SETTINGS)

    assert [(item.memory.memory_id, item.outcome) for item in ranked] == [
        ("important", "used"),
        ("near", "used"),
        ("unrelated", "below_threshold"),
    ]
    assert round(ranked[0].retrieval_score, 3) == 0.760
    assert round(ranked[1].retrieval_score, 3) == 0.706
    assert ranked[2].retrieval_score is None


def test_importance_never_lifts_a_memory_over_the_threshold():
    just_below = search_result(score=0.4499, importance_score=5)

    assert used_memories(rank_memories([just_below], SETTINGS)) == []


def test_a_memory_at_the_threshold_is_ranked():
    assert used_memories(rank_memories([search_result(score=0.45)], SETTINGS))


@pytest.mark.parametrize(("relevance", "clamped"), [(1.3, 1.0), (-0.2, 0.0)])
def test_relevance_is_clamped_before_it_is_weighed(relevance, clamped):
    weights = RetrievalWeights(relevance=1.0, importance=0.0)

    assert calculate_retrieval_score(search_result(score=relevance), weights) == clamped


@given(
    st.lists(
        st.tuples(st.floats(min_value=0, max_value=1), st.integers(min_value=1, max_value=5)),
        max_size=12,
    )
)
def test_every_candidate_is_judged_once_and_the_used_ones_are_the_best(values):
    candidates = [
        search_result(memory_id=str(number), score=score, importance_score=importance)
        for number, (score, importance) in enumerate(values)
    ]

    ranked = rank_memories(candidates, SETTINGS)

    assert sorted(item.memory.memory_id for item in ranked) == sorted(
        item.memory_id for item in candidates
    )
    used = [item.retrieval_score for item in ranked if item.outcome == "used"]
    others = [item.retrieval_score for item in ranked if item.outcome == "over_limit"]
    assert used == sorted(used, reverse=True)
    assert len(used) == min(3, len(used) + len(others))
    assert all(best >= other for best in used for other in others)
    assert all((item.outcome == "below_threshold") == (item.memory.score < 0.45) for item in ranked)
