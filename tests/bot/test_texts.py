import ast
import re
import string
from pathlib import Path
from typing import get_args

import pytest
from memora_testing.worlds import WORLDS

import memory.errors
from bot import apologies, rendering
from bot.browsing import KINDS, ORDERS
from bot.commands import COMMANDS
from bot.language import LANGUAGES
from bot.options import OPTIONS
from bot.texts import Texts, load_texts, read_catalog
from bot.views import View
from memory.errors import MemoraError
from memory.profile import PROFILE_FIELDS, UserProfile
from memory.records import MemoryPolicyReason, MemorySource, StoredMemoryType
from memory.retrieval import Outcome
from memory.usage import Purpose

BOT = Path(rendering.__file__).parent
TEXTS = load_texts()


def kinds_of_error():
    return [
        kind
        for kind in vars(memory.errors).values()
        if isinstance(kind, type) and issubclass(kind, MemoraError)
    ]


def placeholders(text):
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def catalogue(language):
    """The texts of a language by their keys."""
    messages = [message for message in read_catalog(language) if message.id]
    return {m.id if isinstance(m.id, str) else m.id[0]: m for m in messages}


def forms(message):
    return message.string if isinstance(message.string, tuple) else (message.string,)


def test_there_is_a_catalogue_for_each_language_and_no_other():
    assert set(TEXTS) == set(LANGUAGES)


def test_the_catalogues_hold_the_same_texts_with_the_same_values():
    english, chinese = (catalogue(name) for name in LANGUAGES)

    assert set(english) == set(chinese)
    for key, message in english.items():
        assert all(forms(message)), key
        assert all(forms(chinese[key])), key
        values = set().union(*(placeholders(form) for form in forms(message)))
        assert values == set().union(*(placeholders(form) for form in forms(chinese[key]))), key


@pytest.mark.parametrize("texts", TEXTS.values(), ids=TEXTS)
def test_every_error_has_words_of_its_own(texts):
    for kind in kinds_of_error():
        assert texts.has(f"error.{kind.__name__}"), kind


@pytest.mark.parametrize("texts", TEXTS.values(), ids=TEXTS)
def test_everything_that_is_named_has_a_word(texts):
    keys = [
        *(f"reason.{reason}" for reason in get_args(MemoryPolicyReason)),
        *(f"type.{kind}" for kind in get_args(StoredMemoryType)),
        *(f"source.{source}" for source in get_args(MemorySource)),
        *(f"why.{outcome}" for outcome in get_args(Outcome)),
        *(f"purpose.{purpose}" for purpose in get_args(Purpose)),
        *(f"command.{name}" for name in COMMANDS),
        *(f"call.{name}" for name in COMMANDS),
        *(f"name.{name}" for name in COMMANDS),
        *(f"platform.{name}" for name in WORLDS),
        *(f"kind.{kind}" for kind in KINDS),
        *(f"order.{order}" for order in ORDERS),
        *(f"option.{option}" for option in OPTIONS),
        *(f"profile.{field}" for field in UserProfile.model_fields),
    ]
    assert [key for key in keys if not texts.has(key)] == []
    assert len(PROFILE_FIELDS) == len(UserProfile.model_fields)


def keys_in_code():
    """Every literal that looks like the key of a text."""
    for file in BOT.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            value = node.value if isinstance(node, ast.Constant) else None
            if isinstance(value, str) and re.fullmatch(r"[a-z]+\.[a-z_]+|welcome", value):
                yield value


def test_code_and_catalogues_name_the_same_texts():
    sections = {key.partition(".")[0] for key in catalogue("en")}
    used = {key for key in keys_in_code() if key.partition(".")[0] in sections}
    computed = tuple(
        f"{section}."
        for section in (
            *("reason", "type", "source", "why", "purpose", "command", "call", "profile", "error"),
            *("kind", "order", "option", "name", "parameter", "platform"),
        )
    )

    unknown = {key for key in used if key not in catalogue("en")}
    unused = {key for key in catalogue("en") if key not in used and not key.startswith(computed)}
    assert unknown - {"memora.log", "config.yaml", "memora.lock"} == set()
    assert unused == set()


def test_the_chinese_is_written_with_chinese_marks():
    for message in read_catalog("zh_Hant_TW"):
        for form in forms(message) if message.id else ():
            assert not re.search(r"[\u4e00-\u9fff][,?!;:]", form), form


def test_every_view_can_be_rendered():
    assert set(rendering._RENDERERS) == set(get_args(View))


def test_an_error_speaks_with_its_own_words_else_with_its_parents():
    class BrandNewError(memory.errors.ModelTimeoutError):
        pass

    texts = TEXTS["en"]
    assert apologies.apologize(BrandNewError("x"), texts) == texts("error.ModelTimeoutError")
    assert "marked" not in apologies.apologize(MemoraError("marked"), texts)


def test_plural_forms_follow_the_language():
    assert TEXTS["en"].plural("memories.title", 1) == "I remember 1 thing about you"
    assert TEXTS["en"].plural("memories.title", 1200) == "I remember 1,200 things about you"
    assert TEXTS["zh_Hant_TW"].plural("memories.title", 2) == "我記得你的 2 件事"


def test_what_people_wrote_is_no_template():
    kept = TEXTS["en"]("remember.kept", content="{id} {0} %s", id="abc")

    assert kept == "Remembered: {id} {0} %s (abc)"


def test_an_unknown_text_is_a_fault_of_ours():
    with pytest.raises(KeyError):
        TEXTS["en"]("no.such.text")


def test_an_unknown_language_is_a_fault_of_ours():
    with pytest.raises(FileNotFoundError):
        Texts.load("tlh")
