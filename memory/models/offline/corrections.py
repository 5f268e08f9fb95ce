"""Slips that learners often make, found by rule: the better words, and one reason."""

import re
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Correction:
    """A sentence made better, and why, in both languages."""

    better: str
    reason: str
    reason_in_chinese: str


@dataclass(frozen=True, slots=True)
class _Slip:
    pattern: re.Pattern[str]
    better: str | Callable[[re.Match[str]], str]
    reason: str
    reason_in_chinese: str


_PAST_FORMS = {
    "go": "went",
    "eat": "ate",
    "see": "saw",
    "have": "had",
    "buy": "bought",
    "take": "took",
    "meet": "met",
    "come": "came",
    "do": "did",
    "make": "made",
    "get": "got",
    "give": "gave",
    "speak": "spoke",
    "write": "wrote",
    "am": "was",
    "is": "was",
}
_UNCOUNTABLE = "informations|advices|homeworks|knowledges|equipments|furnitures|feedbacks"
_COMPARATIVES = (
    "better|worse|easier|harder|faster|slower|bigger|smaller|cheaper|happier|older|taller"
)


def _slip(
    pattern: str,
    better: str | Callable[[re.Match[str]], str],
    reason: str,
    reason_in_chinese: str,
) -> _Slip:
    return _Slip(re.compile(pattern, re.IGNORECASE), better, reason, reason_in_chinese)


_SLIPS: tuple[_Slip, ...] = (
    _slip(
        r"\b(i|we|they|you) (?:am|are) agree\b",
        r"\1 agree",
        "“agree” is a verb by itself.",
        "agree 本身就是動詞，前面不加 be 動詞。",
    ),
    _slip(
        r"\b(he|she|it) (go|want|like|need|have|do|make|work|live|study|speak|think|know|say)\b(?! to be able)",
        lambda m: f"{m[1]} {_third_person(m[2])}",
        "after he, she and it the verb takes an -s.",
        "主詞是 he、she、it 時，動詞要加 s。",
    ),
    _slip(
        rf"\bmore ({_COMPARATIVES})\b",
        r"\1",
        "the word already means “more”.",
        "這個字已經是比較級，不用再加 more。",
    ),
    _slip(
        rf"\b({_UNCOUNTABLE})\b",
        lambda m: m[1][:-1],
        "this noun has no plural in English.",
        "這個名詞在英文裡不可數，沒有複數。",
    ),
    _slip(
        rf"\b(yesterday,?|last (?:night|week|month|year),?) (i|we|he|she|they) ({'|'.join(_PAST_FORMS)})\b",
        lambda m: f"{m[1]} {m[2]} {_PAST_FORMS[m[3].lower()]}",
        "a finished time asks for the past tense.",
        "講已經結束的時間，要用過去式。",
    ),
    _slip(
        rf"\b(i|we|he|she|they) ({'|'.join(set(_PAST_FORMS) - {'am', 'is'})}) ((?:[a-z]+ ){{0,4}})(yesterday|last (?:night|week|month|year))\b",
        lambda m: f"{m[1]} {_PAST_FORMS[m[2].lower()]} {m[3]}{m[4]}",
        "a finished time asks for the past tense.",
        "講已經結束的時間，要用過去式。",
    ),
    _slip(r"\bdepend(s?) of\b", r"depend\1 on", "we say “depend on”.", "depend 後面用 on。"),
    _slip(r"\bmarried with\b", "married to", "we say “married to”.", "married 後面用 to。"),
    _slip(
        r"\bdiscuss(ed|ing|es)? about\b",
        r"discuss\1",
        "“discuss” takes no “about”.",
        "discuss 後面不用 about。",
    ),
    _slip(
        r"\blook(ing)? forward to (meet|see|hear|work|visit|talk|start|learn)\b",
        lambda m: f"look{m[1] or ''} forward to {m[2]}ing",
        "after “look forward to” comes the -ing form.",
        "look forward to 後面接動名詞（-ing）。",
    ),
    _slip(
        r"\b(i|we|they) (live|work|study|learn)( \w+)? since (\d+|two|three|four|five|six) (years?|months?)\b",
        lambda m: f"{m[1]} have been {_ing(m[2])}{m[3] or ''} for {m[4]} {m[5]}",
        "a length of time takes “for”, and it still goes on.",
        "一段時間用 for，而且還在持續，要用現在完成進行式。",
    ),
    _slip(
        r"\bi am (\d+) years?(?! old)\b(?! \w)",
        r"I am \1 years old",
        "for age we say “years old”.",
        "說年齡要用 years old。",
    ),
    _slip(
        r"\bin (monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b",
        r"on \1",
        "days take “on”.",
        "星期幾前面用 on。",
    ),
    _slip(r"\bpeople is\b", "people are", "“people” is plural.", "people 是複數。"),
    _slip(
        r"\bi have (\d+) years\b(?: old)?(?! of)",
        r"I am \1 years old",
        "in English we are our age.",
        "英文說年齡用 be 動詞。",
    ),
    _slip(
        r"\b(?:an) (?=[bcdfgjklmnpqrstvwyz][a-z]{2,})",
        "a ",
        "before a consonant sound we say “a”.",
        "子音開頭的字前面用 a。",
    ),
    _slip(
        r"\ba (?=(?:apple|egg|idea|orange|interview|exam|email|example|easy|interesting|important|english|hour)\b)",
        "an ",
        "before a vowel sound we say “an”.",
        "母音開頭的字前面用 an。",
    ),
    _slip(
        r"\bdidn'?t (went|saw|ate|had|bought|took|met|came|made|got)\b",
        lambda m: f"didn't {_base(m[1])}",
        "after “didn’t” the verb has its basic form.",
        "didn’t 後面接原形動詞。",
    ),
    _slip(
        r"\bsuggest (me|him|her|us|them) to (\w+)\b",
        r"suggest that I \2",
        "after “suggest” comes a clause or -ing.",
        "suggest 後面接 that 子句或 -ing。",
    ),
    _slip(
        r"\bexplain me\b",
        "explain to me",
        "we explain something to someone.",
        "explain 後面要加 to 再接人。",
    ),
)


def find_correction(sentence: str) -> Correction | None:
    """Return the first slip in ``sentence`` made better; None where no rule finds one."""
    for slip in _SLIPS:
        if slip.pattern.search(sentence):
            better = slip.pattern.sub(slip.better, sentence)
            return Correction(better[:1].upper() + better[1:], slip.reason, slip.reason_in_chinese)
    return None


def _third_person(verb: str) -> str:
    irregular = {"go": "goes", "do": "does", "have": "has", "study": "studies"}
    return irregular.get(verb.lower(), f"{verb}s")


def _ing(verb: str) -> str:
    return {"live": "living"}.get(verb.lower(), f"{verb}ing")


def _base(past: str) -> str:
    return next(base for base, form in _PAST_FORMS.items() if form == past.lower())
