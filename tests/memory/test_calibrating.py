import numpy as np
import pytest
from memora_testing.embedder import HashingEmbedder

from memory.calibrating import (
    Judged,
    LabelledLearner,
    LabelledQuery,
    LabelledSet,
    fit_calibration,
    fit_treatment,
    judge,
    read_background,
    read_labelled,
    report,
)


def judged(*cosines, fits=()):
    return Judged(np.array(cosines), fits)


def test_the_threshold_stands_where_it_separates_best():
    calibration = fit_calibration(
        [
            judged(0.6, 0.1, fits=(0,)),
            judged(0.5, 0.0, fits=(0,)),
            judged(0.1, 0.2),
            judged(0.0, 0.1),
        ],
        fitted_on="a test",
    )

    assert calibration.relevance(0.35) == pytest.approx(0.45)
    assert calibration.relevance(0.15) == 0
    assert calibration.relevance(0.6) == pytest.approx(1, abs=0.03)


def test_a_report_counts_what_is_kept_and_what_stays_empty():
    cases = [
        judged(0.6, 0.1, fits=(0,)),
        judged(0.3, 0.5, fits=(0,)),
        judged(0.1, 0.2),
        judged(0.0, 0.9),
    ]
    calibration = fit_calibration([judged(0.5, fits=(0,)), judged(0.3)], fitted_on="a test")

    result = report(cases, calibration, "reporting")

    assert (result.queries, result.off_topic_queries) == (2, 2)
    assert result.recall_at_1 == 0.5
    assert result.recall_at_3 == 1.0
    assert result.right_kept == 0.5
    assert result.off_topic_empty == 0.5


async def test_only_the_asked_half_is_judged_and_off_topic_queries_with_it():
    learner = {"memories": ("I like tea", "I fear exams"), "queries": ()}
    query = LabelledQuery(text="fear exams", fits=(1,))
    labelled = LabelledSet(
        off_topic=("moon",),
        learners=(
            LabelledLearner(name="a", half="tuning", **{**learner, "queries": (query,)}),
            LabelledLearner(name="b", half="reporting", **learner),
        ),
    )

    cases = await judge(HashingEmbedder(), labelled, "tuning")

    assert [case.fits for case in cases] == [(1,), ()]
    assert cases[0].cosines[1] > cases[0].cosines[0]


def test_fitting_a_treatment_gives_the_same_every_time():
    generator = np.random.default_rng(7)
    passages = generator.normal(size=(40, 8)).astype(np.float32)
    queries = generator.normal(size=(20, 8)).astype(np.float32)

    first, second = fit_treatment(passages, queries), fit_treatment(passages, queries)

    assert first == second
    directions = np.array(first.directions)
    assert directions @ directions.T == pytest.approx(np.eye(2), abs=1e-5)
    assert np.array(first.passage_mean) == pytest.approx(passages.mean(axis=0), abs=1e-5)


def test_the_background_is_broad_and_in_both_languages():
    passages, queries = read_background()

    chinese = [line for line in passages + queries if any("\u4e00" <= c <= "\u9fff" for c in line)]
    assert len(set(passages)) == len(passages) >= 200
    assert len(set(queries)) == len(queries) >= 100
    assert 0.4 < len(chinese) / len(passages + queries) < 0.6


def test_the_labelled_set_is_sound():
    labelled = read_labelled()

    halves = [learner.half for learner in labelled.learners]
    assert halves.count("tuning") == halves.count("reporting")
    for learner in labelled.learners:
        for query in learner.queries:
            assert all(0 <= place < len(learner.memories) for place in query.fits), query
    passages, queries = read_background()
    assert not {*passages, *queries} & {
        m for learner in labelled.learners for m in learner.memories
    }
