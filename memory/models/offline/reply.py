"""Replies by rules: what the learner wants is recognised, and answered from what is remembered.

Background and message are data: nothing in them is followed. Nothing is invented, and nothing is
said to have been saved.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date

from pydantic import ValidationError

from memory.dates import chinese as chinese_dates
from memory.dates import english as english_dates
from memory.language_model import ChatMessage
from memory.models.offline.corrections import find_correction
from memory.models.offline.exercises import choose_exercise
from memory.models.offline.extraction import extract
from memory.models.offline.phrases import say
from memory.models.offline.sentences import HAN, split_sentences
from memory.prompts.extraction import ExtractedMemory, ExtractionInput
from memory.prompts.reply import BACKGROUND_HEADING, Background, BackgroundMemory

_DIFFICULT = re.compile(
    r"\b(?:confus\w+|mix\w*|struggl\w+|forget|hard|difficult|tricky|nervous|afraid|scared|can'?t|cannot"
    r"|never know|don'?t (?:understand|know)|mistakes?|weak|lost)\b"
    r"|分不清|搞混|搞不清|難|緊張|怕|忘記|漏|聽不懂|不敢|弱|不知道",
    re.IGNORECASE,
)
_GOAL = re.compile(
    r"\b(?:goal|aim|want to|hope to|plan to|need|prepar\w+|exam|ielts|toefl|toeic|interview|b2|c1)\b"
    r"|目標|想|希望|準備|考|面試|雅思|托福|多益",
    re.IGNORECASE,
)
_STYLE = re.compile(
    r"\b(?:prefer|like|correct me|explain|examples?)\b|喜歡|希望你|糾正|解釋|例句", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Situation:
    """What a reply answers: the message, what is known, and whether Chinese is spoken."""

    message: str
    background: Background | None
    earlier_replies: tuple[str, ...]
    chinese: bool

    def say(self, key: str, **values: str) -> str:
        """Return a phrase in the learner's language."""
        return say(key, chinese=self.chinese, **values)

    @property
    def memories(self) -> Sequence[BackgroundMemory]:
        """What was retrieved for this message, best first."""
        return self.background.memories if self.background else ()

    @property
    def today(self) -> date | None:
        """The present day, where it is known."""
        return self.background.now.date() if self.background else None

    def profile(self, field: str) -> str:
        """Return a field of the profile, empty where it is not known."""
        return self.background.profile.get(field, "") if self.background else ""

    def write_day(self, day: date) -> str:
        """Write a day in the learner's language."""
        return chinese_dates.write_day(day) if self.chinese else english_dates.write_day(day)


def read_situation(messages: Sequence[ChatMessage]) -> Situation:
    """Take apart what was sent to the model."""
    message = next((m.content for m in reversed(messages) if m.role == "user"), "")
    if message.startswith(BACKGROUND_HEADING):
        message = ""
    replies = tuple(m.content for m in messages if m.role == "assistant")
    return Situation(
        message=message.strip(),
        background=_find_background(messages),
        earlier_replies=replies,
        chinese=HAN.search(message) is not None,
    )


def _find_background(messages: Sequence[ChatMessage]) -> Background | None:
    for message in messages:
        heading, found, document = message.content.partition(f"{BACKGROUND_HEADING}\n")
        if found and not heading:
            try:
                return Background.model_validate_json(document)
            except ValidationError:
                return None
    return None


def reply(messages: Sequence[ChatMessage]) -> str:
    """Return the reply to the last message."""
    situation = read_situation(messages)
    answers = (
        answer(situation) for pattern, answer in _INTENTS if pattern.search(situation.message)
    )
    return next(answers, None) or _answer_statement(situation)


def _greet(situation: Situation) -> str:
    name = situation.profile("name")
    space = "" if situation.chinese else " "
    greeting = situation.say("hello", name=f"{space}{name}" if name else "")
    if situation.profile("goals") or situation.memories:
        return greeting
    return f"{greeting} {situation.say('ask_goal')}"


def _tell_what_is_known(situation: Situation) -> str:
    profile = situation.background.profile if situation.background else {}
    lines = [f"- {value}" for field, value in profile.items() if field != "time_zone"]
    lines += [f"- {_recall(memory, situation)}" for memory in situation.memories]
    if not lines:
        return situation.say("know_nothing")
    return "\n".join([situation.say("know_title"), "", *lines])


def _recall(memory: BackgroundMemory, situation: Situation) -> str:
    """Say a memory as something the learner told: with its day, and as past where it is."""
    today = situation.today
    if memory.event_on and today and memory.event_on < today:
        return situation.say("recall_past", content=memory.content)
    if memory.said_on:
        day = situation.write_day(memory.said_on)
        return situation.say("recall_said", content=memory.content, day=day)
    return memory.content


def _plan(situation: Situation) -> str:
    goal = _find_goal(situation)
    if goal is None:
        return situation.say("plan_no_goal")
    lines = [situation.say("plan_for", goal=goal.content)]
    if (left := _days_left(goal, situation)) is not None:
        lines.append(left)
    difficulty = _first(situation, _DIFFICULT, other_than=goal)
    steps = [
        situation.say("plan_speak"),
        situation.say("plan_difficulty", difficulty=difficulty)
        if difficulty
        else situation.say("plan_review"),
        situation.say("plan_input"),
        situation.say("plan_mock"),
    ]
    style = situation.profile("style") or _first(situation, _STYLE, other_than=goal)
    if style and style != difficulty:
        steps.append(situation.say("plan_style", style=style))
    numbered = [f"{number}. {step}" for number, step in enumerate(steps, start=1)]
    return "\n".join([situation.say("plan_title"), "", *lines, "", *numbered])


def _find_goal(situation: Situation) -> BackgroundMemory | None:
    """Return what a plan is for: a remembered goal that is still ahead, else the profile's."""
    today = situation.today
    for memory in situation.memories:
        is_past = memory.event_on is not None and today is not None and memory.event_on < today
        if _GOAL.search(memory.content) and not is_past:
            return memory
    goals = situation.profile("goals")
    return BackgroundMemory(content=goals, said_on=None, event_on=None) if goals else None


def _days_left(goal: BackgroundMemory, situation: Situation) -> str | None:
    if goal.event_on is None or situation.today is None:
        return None
    days = (goal.event_on - situation.today).days
    day = situation.write_day(goal.event_on)
    return (
        situation.say("plan_days", days=str(days), day=day)
        if days
        else situation.say("plan_day", day=day)
    )


def _first(
    situation: Situation, pattern: re.Pattern[str], *, other_than: BackgroundMemory
) -> str | None:
    contents = (m.content for m in situation.memories if m != other_than)
    return next((content for content in contents if pattern.search(content)), None)


def _practise(situation: Situation) -> str:
    remembered = [memory.content for memory in situation.memories]
    hard = [content for content in remembered if _DIFFICULT.search(content)]
    exercise, wish = choose_exercise(
        [*hard, *remembered, situation.profile("goals"), situation.message]
    )
    why = situation.say("practice_why", difficulty=wish) if wish in remembered else ""
    task = exercise.task_in_chinese if situation.chinese else exercise.task
    title = situation.say("practice_title", why=why).strip()
    return "\n\n".join([title, task, situation.say("answer_here")])


def _check(situation: Situation) -> str | None:
    """Check a sentence the learner asks about; None where there is none to check."""
    quoted = re.search(
        r"[\"“「]([^\"”」]{3,200})[\"”」]|[:：]\s*([A-Za-z][^\n]{3,200})", situation.message
    )
    sentence = next((group for group in quoted.groups() if group), None) if quoted else None
    if sentence is None:
        sentence = next(
            (
                s.text
                for s in split_sentences(situation.message)
                if not s.is_question and not s.is_chinese
            ),
            None,
        )
    if sentence is None:
        return None
    return _correct(sentence, situation) or situation.say("no_slip", sentence=sentence)


def _correct(sentence: str, situation: Situation) -> str | None:
    correction = find_correction(sentence)
    if correction is None:
        return None
    reason = correction.reason_in_chinese if situation.chinese else correction.reason
    return situation.say("better", better=correction.better, reason=reason)


def _answer_question(situation: Situation) -> str | None:
    """Answer with what is remembered, where anything is; else say what is missing."""
    if situation.memories:
        lines = [f"- {_recall(memory, situation)}" for memory in situation.memories]
        return "\n".join([situation.say("recall_title"), "", *lines])
    said_before = situation.say("cannot")[:20]
    again = any(reply.startswith(said_before) for reply in situation.earlier_replies[-4:])
    return situation.say("cannot_again" if again else "cannot")


def _thank(situation: Situation) -> str:
    return situation.say("thanks")


def _leave(situation: Situation) -> str:
    return situation.say("bye")


_KIND_PHRASES = {
    "learning_goal": "goal",
    "recurring_difficulty": "difficulty",
    "learning_progress": "progress",
    "preference": "preference",
    "stable_fact": "fact",
    "explicit_request": "asked_to_remember",
}


def _answer_statement(situation: Situation) -> str:
    """Acknowledge what was said, correct one slip, and ask one useful next question."""
    correction = next(
        (
            better
            for sentence in split_sentences(situation.message)
            if not sentence.is_chinese and (better := _correct(sentence.text, situation))
        ),
        None,
    )
    memory = _first_statement(situation)
    lines = [] if correction is None else [correction]
    if memory is None:
        if correction is None:
            lines.append(situation.say("small_talk"))
        return "\n\n".join(lines)
    lines.append(_acknowledge(memory, situation))
    return "\n\n".join(lines)


def _acknowledge(memory: ExtractedMemory, situation: Situation) -> str:
    today = situation.today
    if memory.policy_reason == "meaningful_event":
        is_past = memory.event_on is not None and today is not None and memory.event_on < today
        return situation.say("event_past" if is_past else "event")
    phrase = situation.say(_KIND_PHRASES.get(memory.policy_reason, "small_talk"))
    if memory.policy_reason != "learning_goal":
        return phrase
    return f"{phrase} {situation.say('ask_next' if memory.event_on else 'ask_date')}"


def _first_statement(situation: Situation) -> ExtractedMemory | None:
    if situation.background is None:
        return None
    now = situation.background.now
    task = ExtractionInput(
        message=situation.message,
        sent_at=now,
        weekday=situation.background.weekday,
        time_zone="",
        earlier_turns=[],
    )
    memories = extract(task).memories
    return next((memory for memory in memories if memory.should_store), None)


_Answer = Callable[[Situation], str | None]

_INTENTS: tuple[tuple[re.Pattern[str], _Answer], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), answer)
    for pattern, answer in (
        (
            r"^\s*(?:hi|hello|hey|good (?:morning|afternoon|evening))\b[\s!.,~]*(?:memora)?[\s!.,~]*$|^\s*(?:嗨|哈囉|你好|您好|早安|午安|晚安)[！!。~\s]*$",
            _greet,
        ),
        (r"^\s*(?:thanks?|thank you|thx)\b.{0,40}$|^\s*(?:謝謝|感謝|谢谢|多謝).{0,12}$", _thank),
        (
            r"^\s*(?:bye|goodbye|see you|good night)\b.{0,20}$|^\s*(?:再見|掰掰|拜拜|下次見).{0,6}$",
            _leave,
        ),
        (
            r"\b(?:what|tell me what) (?:do|did) you (?:know|remember) (?:about me|of me)?|\bwho am i\b|\bwhat have i told you\b"
            r"|你(?:知道|記得|了解)(?:我|關於我).{0,8}(?:什麼|哪些|嗎)|你對我.{0,4}(?:了解|認識|知道)|我是誰",
            _tell_what_is_known,
        ),
        (
            r"\b(?:plan|schedule|roadmap|routine)\b.{0,60}\?|\b(?:make|give|create|write|help|need|want|suggest|build|prepare)\b.{0,40}\b(?:plan|schedule|roadmap|routine)\b"
            r"|\bhow (?:can|should|do) i (?:prepare|study|reach|get ready|practi[sc]e)\b|\bwhat should i (?:do|study|practi[sc]e|learn|focus)\b"
            r"|(?:安排|規劃|制定|擬|給我|幫我|做|寫|需要|設計).{0,12}(?:計畫|計劃|规划|行程|進度)|怎麼準備|該?如何準備|該怎麼(?:準備|學|讀|念|練)|學習計畫",
            _plan,
        ),
        (
            r"\b(?:practi[sc]e|exercise|quiz|drill|test me|role[- ]?play)\b(?!.{0,30}\b(?:every|each|on \w+day)\b)(?=.{0,40}(?:$|[.!?]))(?<!i practice)(?<!i practise)"
            r"|(?:來|開始|想|幫我|陪我|給我|一起|出).{0,6}(?:練習|練一下|測驗|題目|考考我)|^\s*練習[！!。]?\s*$",
            lambda situation: _practise(situation) if _wants_practice(situation.message) else None,
        ),
        (
            r"\b(?:is (?:this|that|it) (?:right|correct|ok)|correct (?:this|my sentence)|check (?:this|my)|any mistakes|did i say)\b|(?:這樣|這句).{0,8}(?:對嗎|對不對|可以嗎|正確)|(?:改|檢查|糾正)(?:一下|這句|我的句子|看看)",
            _check,
        ),
        (
            r"[?？]\s*$|嗎[。！]?\s*$|呢[。！]?\s*$|^\s*(?:what|when|where|which|who|why|how|do|does|did|is|are|can|could|should|tell me|explain)\b|什麼|怎麼|為什麼|哪[裡一個]|幾[點分天]|多少",
            _answer_question,
        ),
    )
)


def _wants_practice(message: str) -> bool:
    """Tell a wish to practise from a statement about practising."""
    return (
        re.match(
            r"\s*(?:i|my|我)(?!\s?(?:want|would|'d|need|想|要|可以))\b?.{0,20}(?:practi[sc]e|練習)",
            message,
            re.IGNORECASE,
        )
        is None
    )
