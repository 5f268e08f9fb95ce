"""A summary by extraction: what the learner said, newest kept, within the words allowed."""

from memory.models.offline.sentences import HAN
from memory.prompts.summary import SummaryAnswer, SummaryInput

MAX_TURN_CHARACTERS = 120


def summarize(task: SummaryInput) -> SummaryAnswer:
    """Fold the learner's turns into the summary; the oldest lines leave first."""
    lines = [line for line in task.summary.splitlines() if line.strip()]
    lines += [_line(turn.text) for turn in task.turns if turn.speaker == "learner"]
    while lines and sum(map(count_words, lines)) > task.max_words:
        lines.pop(0)
    return SummaryAnswer(summary="\n".join(lines))


def _line(text: str) -> str:
    line = " ".join(text.split())
    short = line if len(line) <= MAX_TURN_CHARACTERS else f"{line[: MAX_TURN_CHARACTERS - 1]}…"
    return f"學習者說：{short}" if HAN.search(line) else f"The learner said: {short}"


def count_words(text: str) -> int:
    """Count words: a Chinese character is one."""
    return len(HAN.findall(text)) + len(HAN.sub(" ", text).split())
