"""Short exercises, each for one kind of difficulty."""

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Exercise:
    """What it helps with, and the task in both languages."""

    pattern: re.Pattern[str]
    task: str
    task_in_chinese: str


def _exercise(pattern: str, task: str, task_in_chinese: str) -> Exercise:
    return Exercise(re.compile(pattern, re.IGNORECASE), task, task_in_chinese)


EXERCISES: tuple[Exercise, ...] = (
    _exercise(
        r"tense|present perfect|past simple|完成式|過去式|時態",
        "Choose the right form: “I (have seen / saw) her yesterday.” and “I (have lived / lived) here since 2020.”",
        "選出正確的形式：I (have seen / saw) her yesterday. 以及 I (have lived / lived) here since 2020.",
    ),
    _exercise(
        r"\barticles?\b|\ba and the\b|冠詞",
        "Put in a, an, the or nothing: “___ sun is hot. I ate ___ apple. She plays ___ tennis.”",
        "填入 a、an、the 或不填：___ sun is hot. I ate ___ apple. She plays ___ tennis.",
    ),
    _exercise(
        r"preposition|\bin, on\b|介系詞",
        "Put in in, on or at: “___ Monday, ___ 7 o'clock, ___ the morning, ___ home.”",
        "填入 in、on 或 at：___ Monday、___ 7 o'clock、___ the morning、___ home。",
    ),
    _exercise(
        r"phrasal|片語",
        "Use each in a sentence of your own: “put off”, “come up with”, “run into”.",
        "用這些片語各造一句：put off、come up with、run into。",
    ),
    _exercise(
        r"third person|單數|\bthe s\b|漏掉",
        "Put into the third person: “I go to work, I have lunch at noon and I study at night.” Begin with “She”.",
        "改成第三人稱單數，以 She 開頭：I go to work, I have lunch at noon and I study at night.",
    ),
    _exercise(
        r"e-?mail|letter|寫信|信",
        "Write the first two sentences of an e-mail to a client whom you have to tell about a delay.",
        "寫一封英文信的前兩句：你要告訴客戶會延後交件。",
    ),
    _exercise(
        r"listen|accent|fast|聽力|聽不懂|口音",
        "Listen to two minutes of a podcast, write down three sentences word by word, then check them against the transcript.",
        "聽兩分鐘的 podcast，逐字寫下三句，再和逐字稿比對。",
    ),
    _exercise(
        r"pronunc|\bth\b|\bl and r\b|發音",
        "Say aloud, slowly and then faster: “Three thin thieves thought a thousand thoughts.”",
        "先慢後快地唸：Three thin thieves thought a thousand thoughts.",
    ),
    _exercise(
        r"vocabular|words?\b|forget|單字|記不住|忘記",
        "Take three words you forgot this week and write one sentence about your own day with each.",
        "挑三個這週忘記的單字，各寫一句和你今天有關的句子。",
    ),
    _exercise(
        r"interview|面試",
        "Answer in four sentences: “Tell me about a problem you solved at work.” Say what the problem was, what you did and what came of it.",
        "用四句英文回答：Tell me about a problem you solved at work. 說明問題、你的做法和結果。",
    ),
    _exercise(
        r"present|speak|meeting|nervous|簡報|報告|口說|開會|緊張|講英文",
        "Introduce your work in three English sentences, as if you opened a meeting.",
        "想像你要開始一場會議，用三句英文介紹你的工作。",
    ),
    _exercise(
        r"ielts|toefl|toeic|exam|雅思|托福|多益|考試",
        "Write three sentences on this question: “Should children learn a second language early?” Give one reason.",
        "針對這個題目寫三句英文並給一個理由：Should children learn a second language early?",
    ),
)
ANYTHING = _exercise(
    "",
    "Write three English sentences about your day: one in the past, one in the present, one in the future.",
    "用英文寫三句關於今天的事：過去、現在、未來各一句。",
)


def choose_exercise(wishes: list[str]) -> tuple[Exercise, str | None]:
    """Return the exercise for the first of ``wishes`` that one fits, and that wish."""
    for wish in wishes:
        for exercise in EXERCISES:
            if exercise.pattern.search(wish):
                return exercise, wish
    return ANYTHING, None
