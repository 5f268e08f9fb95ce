"""The scale of the design, on memories as they are kept."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from memora_testing.values import candidate

from memory.importance import score_memory_importance
from memory.models.offline import OfflineLanguageModel
from memory.models.offline.importance import assess
from memory.prompts.importance import ImportanceTask


@pytest.mark.parametrize(
    ("content", "accepted"),
    [
        ("My goal is to reach IELTS 7 by June 2027.", {5}),
        ("My IELTS exam is on 12 June 2027.", {5}),
        ("I need a B2 certificate for my visa.", {5}),
        ("我的目標是多益考到九百分。", {5}),
        ("我2027年6月12日要考雅思。", {5}),
        ("我的目標是準備軟體工程師的英文面試。", {5}),
        ("I had my first full interview in English.", {4}),
        ("我昨天第一次用英文面試。", {4}),
        ("I have an interview on Friday, 11 December 2026.", {4}),
        ("我2026年12月11日（星期五）有英文面試。", {4}),
        ("I want to study abroad.", {4, 5}),
        ("I always mix up the past simple and the present perfect.", {3}),
        ("I get nervous when I speak in meetings.", {3, 4}),
        ("我常常分不清現在完成式和過去式。", {3}),
        ("我很怕講英文。", {3}),
        ("I finally understood a whole podcast episode.", {3}),
        ("我終於聽懂一整集 podcast 了。", {3}),
        ("I work as a nurse in Taipei.", {3}),
        ("我是軟體工程師。", {3}),
        ("Please correct me directly.", {3}),
        ("My level is B1.", {3, 4}),
        ("I like English memes.", {2}),
        ("我喜歡看英文迷因。", {2}),
        ("I love learning with songs.", {2}),
        ("I like to read detective stories.", {2}),
        ("我喜歡看美劇。", {2}),
        ("I ate noodles for lunch.", {1}),
        ("It was raining on the way home.", {1}),
        ("我中午吃了拉麵。", {1}),
        ("My dog was sick and I cried all night.", {1}),
        ("I want you to remember that I had pizza.", {1}),
    ],
)
async def test_a_memory_is_worth_what_the_scale_says(content, accepted):
    (scored,), tokens = await score_memory_importance(
        [candidate(content)], model=OfflineLanguageModel(), product_scope="English"
    )

    assert scored.importance_score in accepted
    assert tokens == 0


@given(st.lists(st.text(min_size=1), max_size=20))
def test_every_candidate_is_scored_once_within_the_scale(contents):
    tasks = [
        ImportanceTask(candidate_index=index, content=content, memory_type="semantic")
        for index, content in enumerate(contents)
    ]

    assessments = assess(tasks).assessments

    assert [item.candidate_index for item in assessments] == list(range(len(contents)))
    assert all(1 <= item.importance_score <= 5 for item in assessments)
