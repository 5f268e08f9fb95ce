"""The answers: each for one thing a learner may want, from what is remembered and nothing else.

Nothing is invented, and nothing is said to have been saved.
"""

import re

from memory.dates import speaks_of_time
from memory.models.offline.corrections import find_correction
from memory.models.offline.exercises import choose_exercise
from memory.models.offline.extraction import extract
from memory.models.offline.sentences import split_sentences
from memory.models.offline.situation import Situation
from memory.prompts.extraction import ExtractedMemory, ExtractionAnswer, ExtractionInput
from memory.prompts.reply import BackgroundMemory

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


def greet(situation: Situation) -> str:
    """Greet by name, also by one just given, and ask for a goal where none is known."""
    said = [fact.value for fact in _extract(situation).profile if fact.field == "name"]
    name = said[0] if said else situation.profile("name")
    space = "" if situation.chinese else " "
    greeting = situation.say("hello", name=f"{space}{name}" if name else "")
    if situation.profile("goals") or situation.memories:
        return greeting
    return situation.join(greeting, situation.say("ask_goal"))


def tell_what_is_known(situation: Situation) -> str:
    """List the profile and what was retrieved."""
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


def plan(situation: Situation) -> str:
    """Make a plan for this week, shaped by goal, date, difficulties and style."""
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
    """Count the days to the goal's own day, or else to the next day that is remembered."""
    today = situation.today
    if today is None:
        return None
    days = [memory.event_on for memory in (goal, *situation.memories) if memory.event_on]
    ahead = [day for day in days if day >= today]
    if not ahead:
        return None
    day = goal.event_on or min(ahead)
    left, written = (day - today).days, situation.write_day(day)
    if left:
        return situation.say("plan_days", days=str(left), day=written)
    return situation.say("plan_day", day=written)


def _first(
    situation: Situation, pattern: re.Pattern[str], *, other_than: BackgroundMemory
) -> str | None:
    contents = (m.content for m in situation.memories if m != other_than)
    return next((content for content in contents if pattern.search(content)), None)


def practise(situation: Situation) -> str:
    """Give one exercise for a remembered difficulty or goal."""
    remembered = [memory.content for memory in situation.memories]
    hard = [content for content in remembered if _DIFFICULT.search(content)]
    exercise, wish = choose_exercise(
        [*hard, *remembered, situation.profile("goals"), situation.message]
    )
    why = situation.say("practice_why", difficulty=wish) if wish in remembered else ""
    task = exercise.task_in_chinese if situation.chinese else exercise.task
    title = situation.say("practice_title", why=why).strip()
    return "\n\n".join([title, task, situation.say("answer_here")])


def check(situation: Situation) -> str | None:
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


def answer_question(situation: Situation) -> str | None:
    """Answer with what is remembered, where anything is; else say what is missing."""
    if situation.memories:
        lines = [f"- {_recall(memory, situation)}" for memory in situation.memories]
        return "\n".join([situation.say("recall_title"), "", *lines])
    said_before = situation.say("cannot")[:20]
    again = any(reply.startswith(said_before) for reply in situation.earlier_replies[-4:])
    return situation.say("cannot_again" if again else "cannot")


def thank(situation: Situation) -> str:
    """Answer thanks."""
    return situation.say("thanks")


def leave(situation: Situation) -> str:
    """Say goodbye."""
    return situation.say("bye")


_KIND_PHRASES = {
    "learning_goal": "goal",
    "recurring_difficulty": "difficulty",
    "learning_progress": "progress",
    "preference": "preference",
    "stable_fact": "fact",
    "explicit_request": "asked_to_remember",
}


def answer_statement(situation: Situation) -> str:
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
    question = "ask_next" if speaks_of_time(situation.message) else "ask_date"
    return situation.join(phrase, situation.say(question))


def _first_statement(situation: Situation) -> ExtractedMemory | None:
    memories = _extract(situation).memories
    return next((memory for memory in memories if memory.should_store), None)


def _extract(situation: Situation) -> ExtractionAnswer:
    """Return what the message states; nothing where the present day is not known."""
    if situation.background is None:
        return ExtractionAnswer(memories=[], profile=[])
    task = ExtractionInput(
        message=situation.message,
        sent_at=situation.background.now,
        weekday=situation.background.weekday,
        time_zone="",
        earlier_turns=[],
    )
    return extract(task)
