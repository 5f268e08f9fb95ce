import discord
from hypothesis import given
from hypothesis import strategies as st

from bot.discord.formatting import MAX_CONTENT, MAX_DESCRIPTION, measure, show, split_message
from bot.messages import Button, Menu, OutgoingMessage

BUTTONS = ((Button("Undo", "x.undo"),),)


@given(st.text(alphabet="ab *_`~>#-[]()\\\n👍🏽é漢", max_size=6000), st.booleans())
def test_whatever_is_written_fits(text, is_markdown):
    for piece in split_message(OutgoingMessage(text, is_markdown=is_markdown)):
        assert 0 < measure(piece) <= MAX_CONTENT


def test_what_people_wrote_is_shown_as_they_wrote_it():
    shown = split_message(OutgoingMessage("I said *two* _words_ and # one"))[0]

    assert discord.utils.remove_markdown(shown.text) != shown.text
    assert measure(shown) > len(shown.text)


async def test_a_message_with_buttons_is_an_embed_and_a_models_words_are_not():
    ours = show(OutgoingMessage("Remembered", buttons=BUTTONS))
    growing = show(OutgoingMessage("**Once**", is_markdown=True, buttons=BUTTONS))

    assert (ours.content, ours.embed.description) == (None, "Remembered")
    assert (growing.content, growing.embed) == ("**Once**", None)


async def test_a_panel_takes_more_than_a_message():
    panel = OutgoingMessage("word " * 700, buttons=BUTTONS)
    assert split_message(panel) == [panel]
    assert len(show(panel).embed.description) <= MAX_DESCRIPTION

    pieces = split_message(OutgoingMessage("word " * 1500, buttons=BUTTONS))
    assert [piece.buttons for piece in pieces[-2:]] == [(), BUTTONS]


async def test_menus_forms_and_choices_are_shown_as_such():
    menu = Menu(
        "Which", (Button("a", "x.a", label="All of it"), Button("b", "x.b", is_chosen=True))
    )
    row = (Button("Edit", "x.edit.1", opens_form=True), Button("On", "x.on", is_chosen=True))
    select, edit, on = show(OutgoingMessage("?", buttons=(menu, row))).view.children

    assert [(item.label, item.value, item.default) for item in select.options] == [
        ("All of it", "x.a", False),
        ("b", "x.b", True),
    ]
    assert edit.custom_id == "form:x.edit.1"
    assert on.style is discord.ButtonStyle.success


async def test_nothing_waits_for_what_is_pressed():
    assert show(OutgoingMessage("?", buttons=BUTTONS)).view.is_finished()
