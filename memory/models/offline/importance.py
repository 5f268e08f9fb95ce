"""Importance by rules: the design's scale, read off what a memory is about."""

import re
from collections.abc import Sequence

from memory.prompts.importance import (
    ImportanceAssessment,
    ImportanceAssessmentResult,
    ImportanceTask,
)

_FLAGS = re.IGNORECASE | re.VERBOSE
_SCALE: tuple[tuple[int, re.Pattern[str]], ...] = (
    (
        1,
        re.compile(
            r"""\b(?:ate|noodles?|pizza|lunch|dinner|breakfast|coffee|weather|rain\w*|sunny|slept|woke
            |bus|traffic|umbrella|cat|dog|tired|hungry)\b(?!.*\b(?:english|exam|interview|ielts|toeic|toefl)\b)
            |吃了|喝了|午餐|晚餐|早餐|拉麵|天氣|下雨|睡過頭|塞車|好累|好餓""",
            _FLAGS,
        ),
    ),
    (
        2,
        re.compile(
            r"\b(?:memes?|jokes?|puns?|songs?|cartoons?|games?)\b|迷因|笑話|歌|遊戲|卡通", _FLAGS
        ),
    ),
    (
        4,
        re.compile(
            r"""\bfirst\b.{0,40}\b(?:interview|presentation|meeting|speech|talk|call)\b
            |(?:第一次|首次).{0,16}(?:面試|報告|簡報|演講|開會|會議)""",
            _FLAGS,
        ),
    ),
    (
        5,
        re.compile(
            r"""\b(?:goal|aim|target)\b | \b(?:reach|pass|score|get|achieve|take|sit|need)\b.{0,40}
            \b(?:ielts|toefl|toeic|gept|cambridge|pte|b2|c1|exam|certificate|visa|band)\b
            | \b(?:ielts|toefl|toeic|gept|cambridge|pte|exam)\b.{0,40}\b(?:is|are|on|in)\b.{0,30}\d
            | \bneed\s(?:b2|c1|english\sfor\smy\s(?:visa|job)) | 目標|目标
            | (?:考到|考過|通過|拿到|達到|準備|要考|報名|考).{0,16}(?:雅思|托福|多益|英檢|IELTS|TOEFL|TOEIC|檢定|考試)
            | (?:雅思|托福|多益|英檢|IELTS|TOEFL|TOEIC).{0,12}(?:考|是|在|目標|\d)""",
            _FLAGS,
        ),
    ),
    (
        4,
        re.compile(
            r"""\b(?:interview|presentation|conference|business\strip|speech|abroad|move\sto|phd|master'?s
            |university|fluent\w*|without\stranslating)\b|面試|簡報|報告|出差|研討會|演講|留學|出國|研究所|流利|開會""",
            _FLAGS,
        ),
    ),
    (
        3,
        re.compile(
            r"""\b(?:confus\w+|mix\w*|struggl\w+|forget|hard|difficult|tricky|nervous|afraid|scared|shy|can'?t
            |cannot|mistakes?|weak|bad\sat|lost|understood|passed|improv\w+|better|finally|level|score|work
            |study|student|engineer|teacher|nurse|manager|language|correct\w*|explain\w*|examples?
            |practi[sc]e|every|pronunciation|grammar)\b
            |分不清|搞混|搞不清|常常|老是|難|緊張|怕|害怕|忘|漏|聽不懂|不敢|弱|終於|進步|聽懂|通過|程度|工作|公司|上班|學生|工程師|老師
            |母語|糾正|解釋|例句|發音|文法|單字|每天|每週""",
            _FLAGS,
        ),
    ),
)
"""In the order in which they are asked; the first that matches decides."""
UNREMARKABLE = 2


def assess(tasks: Sequence[ImportanceTask]) -> ImportanceAssessmentResult:
    """Score every task once."""
    return ImportanceAssessmentResult(
        assessments=[
            ImportanceAssessment(
                candidate_index=task.candidate_index, importance_score=score(task.content)
            )
            for task in tasks
        ]
    )


def score(content: str) -> int:
    """Return the importance of one memory, 1..5."""
    return next((value for value, pattern in _SCALE if pattern.search(content)), UNREMARKABLE)
