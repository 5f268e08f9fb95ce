import pytest

from bot.language import choose_language


@pytest.mark.parametrize(
    ("text", "locale", "language"),
    [
        ("hello", None, "en"),
        ("hello", "en_US.UTF-8", "en"),
        ("hello", "zh_TW.UTF-8", "zh_Hant_TW"),
        ("hello", "zh-hant", "zh_Hant_TW"),
        ("我想學英文", "en_US", "zh_Hant_TW"),
        ("/remember 我喜歡貓", None, "zh_Hant_TW"),
        ("", "C.UTF-8", "en"),
        ("", "ja", "en"),
    ],
)
def test_the_text_then_the_locale_choose_the_language(text, locale, language):
    assert choose_language(text, locale) == language


def test_a_language_that_is_set_is_taken():
    assert choose_language("我想學英文", "zh-TW", fixed="en") == "en"
