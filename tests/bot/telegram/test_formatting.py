from hypothesis import given, settings
from hypothesis import strategies as st
from memora_testing.telegram_server import MAX_ENTITIES, MAX_TEXT, units

from bot.messages import Button, OutgoingMessage
from bot.telegram.formatting import split_message, to_entities

MARKDOWN = st.text(alphabet="ab *_`#>[]()!~|\\\n-1.<&;👍語", max_size=120)


@given(MARKDOWN)
@settings(max_examples=150, deadline=None)
def test_whatever_is_written_fits_and_its_entities_lie_inside(markdown):
    text, entities = to_entities(markdown)

    raw = text.encode("utf-16-le")
    for entity in entities:
        assert 0 <= entity.offset < entity.offset + entity.length <= units(text)
        raw[2 * entity.offset : 2 * (entity.offset + entity.length)].decode("utf-16-le")
    assert bool(text) == bool(markdown.strip())


def test_more_than_a_hundred_entities_go_into_more_than_one_message():
    pieces = split_message(OutgoingMessage("**a** b\n\n" * 250, is_markdown=True))

    assert len(pieces) == 3
    assert all(len(to_entities(piece.text)[1]) <= MAX_ENTITIES for piece in pieces)


def test_a_text_of_ours_is_split_and_left_as_it_is_with_its_buttons_last():
    buttons = ((Button("Undo", "x.undo"),),)
    pieces = split_message(OutgoingMessage("👍*word* " * 1200, buttons=buttons))

    assert all(units(piece.text) <= MAX_TEXT for piece in pieces)
    assert [piece.buttons for piece in pieces] == [(), (), buttons]
    assert sum(piece.text.count("*word*") for piece in pieces) == 1200
