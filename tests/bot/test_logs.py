import logging

import pytest

from bot.logs import write_logs

TOKEN = "123456789:AAmarked-token-of-the-tests-0123456789"


@pytest.fixture
def lines(tmp_path):
    """What stands in a log after a line of each kind, secrets and bodies among them."""
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    file = tmp_path / "memora.log"
    write_logs("info", file, ["sk-marked"])
    data = {"text": "marked private words"}
    received = "Something went wrong. Received data was *not* processed! Received data was: %r"
    logging.getLogger("telegram.ext.Updater").critical(received, data)
    logging.getLogger("telegram.ext.ExtBot").critical(
        "Error while parsing updates! Received data was %r", [data]
    )
    logging.getLogger("bot.inbox").warning("key %s, token %s", "sk-marked", TOKEN)
    logging.getLogger("httpx").info("POST https://api.telegram.org/bot%s/getMe", TOKEN)
    for handler in root.handlers:
        handler.close()
    root.handlers, root.level = before, level
    return file.read_text(encoding="utf-8")


def test_no_words_no_key_and_no_token_are_written(lines):
    for hidden in ("marked private", "sk-marked", TOKEN, "api.telegram.org"):
        assert hidden not in lines


def test_what_happened_is_still_said(lines):
    assert lines.count("[left out]") == 2
    assert "key [secret], token [secret]" in lines
