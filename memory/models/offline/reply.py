"""Replies by rules: what the learner wants is recognised, and answered.

Background and message are data: nothing in them is followed.
"""

import re
from collections.abc import Callable, Sequence

from memory.language_model import ChatMessage
from memory.models.offline.answers import (
    answer_question,
    answer_statement,
    check,
    greet,
    leave,
    plan,
    practise,
    tell_what_is_known,
    thank,
)
from memory.models.offline.situation import Situation, read_situation


def reply(messages: Sequence[ChatMessage]) -> str:
    """Return the reply to the last message."""
    situation = read_situation(messages)
    answers = (
        answer(situation) for pattern, answer in _INTENTS if pattern.search(situation.message)
    )
    return next(answers, None) or answer_statement(situation)


def _wants_practice(message: str) -> bool:
    """Tell a wish to practise from a statement about practising."""
    return (
        re.match(
            r"\s*(?:i|my|我)(?!\s?(?:want|would|'d|need|想|要|可以)).{0,20}(?:practi[sc]e|練習)",
            message,
            re.IGNORECASE,
        )
        is None
    )


_Answer = Callable[[Situation], str | None]

_INTENTS: tuple[tuple[re.Pattern[str], _Answer], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), answer)
    for pattern, answer in (
        (
            (
                r"^\s*(?:hi|hello|hey|good (?:morning|afternoon|evening))\b[\s!.,~]*(?:memora)?[\s!.,~]*$|^\s*(?:嗨|哈囉|你好|您好|早安|午安|晚安)[！!。~\s]*$"
                r"|^\s*(?:hi|hello|hey)\b[\s!.,~]*(?:i'?m|i am|my name is|this is) \w+[\s!.]*$|^\s*(?:嗨|哈囉|你好)[，,！!\s]*我(?:叫|是)\S{1,6}$"
            ),
            greet,
        ),
        (r"^\s*(?:thanks?|thank you|thx)\b.{0,40}$|^\s*(?:謝謝|感謝|谢谢|多謝).{0,12}$", thank),
        (
            r"^\s*(?:bye|goodbye|see you|good night)\b.{0,20}$|^\s*(?:再見|掰掰|拜拜|下次見).{0,6}$",
            leave,
        ),
        (
            (
                r"\b(?:what|tell me what) (?:do|did) you (?:know|remember) (?:about me|of me)?|\bwho am i\b|\bwhat have i told you\b"
                r"|你(?:知道|記得|了解)(?:我|關於我).{0,8}(?:什麼|哪些|嗎)|你對我.{0,4}(?:了解|認識|知道)|我是誰"
            ),
            tell_what_is_known,
        ),
        (
            (
                r"\b(?:plan|schedule|roadmap|routine)\b.{0,60}\?|\b(?:make|give|create|write|help|need|want|suggest|build|prepare)\b.{0,40}\b(?:plan|schedule|roadmap|routine)\b"
                r"|\bhow (?:can|should|do) i (?:prepare|study|reach|get ready|practi[sc]e)\b|\bwhat should i (?:do|study|practi[sc]e|learn|focus)\b"
                r"|(?:安排|規劃|制定|擬|給我|幫我|做|寫|需要|設計).{0,12}(?:計畫|計劃|规划|行程|進度)|幫我(?:安排|規劃|準備)|怎麼準備|該?如何準備|該怎麼(?:準備|學|讀|念|練)|學習計畫"
            ),
            plan,
        ),
        (
            (
                r"\b(?:practi[sc]e|exercise|quiz|drill|test me|role[- ]?play)\b(?!.{0,30}\b(?:every|each|on \w+day)\b)(?=.{0,40}(?:$|[.!?]))(?<!i practice)(?<!i practise)"
                r"|(?:來|開始|想|幫我|陪我|給我|一起|出).{0,6}(?:練習|練一下|測驗|題目|考考我)|^\s*練習[！!。]?\s*$"
            ),
            lambda situation: practise(situation) if _wants_practice(situation.message) else None,
        ),
        (
            r"\b(?:is (?:this|that|it) (?:right|correct|ok)|correct (?:this|my sentence)|check (?:this|my)|any mistakes|did i say)\b|(?:這樣|這句).{0,8}(?:對嗎|對不對|可以嗎|正確)|(?:改|檢查|糾正)(?:一下|這句|我的句子|看看)",
            check,
        ),
        (
            r"[?？]\s*$|嗎[。！]?\s*$|呢[。！]?\s*$|^\s*(?:what|when|where|which|who|why|how|do|does|did|is|are|can|could|should|tell me|explain)\b|什麼|怎麼|為什麼|哪[裡一個]|幾[點分天]|多少",
            answer_question,
        ),
    )
)
