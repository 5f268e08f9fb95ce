"""Our own words coming back: reasoning, placeholders, pieces of our schemas, prompts and examples.

Small models return them as memories. Short sentences of a person may stand in a prompt by chance:
only as much as hardly anybody says by chance is taken for ours.
"""

import re
from functools import lru_cache

from rapidfuzz import fuzz

from memory.prompts import extraction, importance, reply, summary
from memory.quotes import fold

MIN_CHARACTERS = 24
"""A text of so many, folded as quotes are, that stands in a prompt does not by chance."""
MIN_SENTENCE = 36
"""A sentence of a prompt with so many makes whatever holds it ours."""
MIN_LIKENESS = 85
"""From here on (0..100, Indel similarity) a text is our example with a word or two changed."""

_REASONING = re.compile(
    r"</?\s?(?:think|thinking|thought|reasoning|scratchpad|analysis|reflection|inner_monologue)\b",
    re.IGNORECASE,
)
_SCHEMA = re.compile(
    r"\"?\b(?:should_store|policy_reason|memory_type|candidate_index|importance_score|event_on"
    r"|native_language|earlier_turns|sent_at)\"?\s?[:=]"
    r"|[{\[,]\s*\"(?:memories|profile|assessments|content|quote|field|value|summary)\"\s?:"
)
_PLACEHOLDER = re.compile(
    r"[-*#\s\"'`]{0,4}[<\[{(]{0,2}\s?(?:string|str|text|content|memory|quote|value|example|placeholder"
    r"|null|nil|none|n/?a|not applicable|unknown|undefined|todo|tbd|lorem ipsum.*|\.{2,}|…+"
    r"|(?:memory|content|quote|your|some|the)\s(?:text|content|memory|statement)(?:\s(?:goes\s)?here)?"
    r"|no(?:\snew|\srelevant)? memor(?:y|ies)(?:\sfound)?|nothing (?:to (?:store|remember|keep))"
    r"|the (?:learner|user)'?s? (?:statement|memory|content)"
    r"|記憶內容|內容|文字|字串|無|沒有|無內容|沒有記憶)\s?[>\]})]{0,2}[.。\"'`]{0,2}\s?",
    re.IGNORECASE,
)
_LIST_MARK = re.compile(r"^[^\S\n]*[-*•][^\S\n]+", re.MULTILINE)


def is_own_text(content: str, *, product_scope: str = "") -> bool:
    """Say whether ``content`` is a model's or ours, not a person's.

    ``product_scope`` is the paragraph that our prompts carry about what the product is for.
    """
    if any(pattern.search(content) for pattern in (_REASONING, _SCHEMA)):
        return True
    if _PLACEHOLDER.fullmatch(content.strip()):
        return True
    words = _fold(content)
    return _is_like_an_example(words) or _repeats_a_prompt(words, product_scope)


def _repeats_a_prompt(words: str, product_scope: str) -> bool:
    prompts, sentences = _own_words(product_scope)
    return (len(words) >= MIN_CHARACTERS and words in prompts) or any(
        sentence in words for sentence in sentences
    )


def _is_like_an_example(words: str) -> bool:
    return any(
        example in words or fuzz.ratio(words, example, score_cutoff=MIN_LIKENESS) > 0
        for example in _EXAMPLES
    )


_EXAMPLES = tuple(
    map(fold, (extraction.EXAMPLE_MESSAGE, extraction.EXAMPLE_MEMORY, extraction.EXAMPLE_QUOTE))
)


@lru_cache(maxsize=8)
def _own_words(product_scope: str) -> tuple[str, tuple[str, ...]]:
    """Return all our prompts say, and each sentence of it that nobody says by chance."""
    prompts = (
        extraction.extraction_instructions(product_scope),
        importance.importance_instructions(product_scope),
        summary.summary_instructions(),
        reply.reply_instructions(product_scope),
        reply.BACKGROUND_HEADING,
        *(field.description or "" for field in extraction.ExtractedMemory.model_fields.values()),
    )
    text = _fold("\n".join(prompts))
    sentences = re.split(r"(?<=[.:;]) ", text)
    return text, tuple(item for item in sentences if len(item) >= MIN_SENTENCE)


def _fold(text: str) -> str:
    """Fold ``text``, the marks of its lists taken away."""
    return fold(_LIST_MARK.sub("", text))
