"""Browsing, correcting and taking back, by buttons, menus and forms."""

from datetime import timedelta

import pytest
from memora_testing.discord_bot import answers, components, from_bot, labels, menu, shown
from memora_testing.values import FACTS, GOAL


@pytest.fixture
async def remembered(world, ada):
    for fact in FACTS:
        await ada.slash("remember", text=fact)
        await world.settled()


async def opened(world, person, name="memories", **options):
    """Return the panel that a command opens."""
    result = await person.slash(name, **options)
    await world.settled()
    return result.response


class Browser:
    """A panel in a private chat, and the person who uses it."""

    def __init__(self, world, person, panel):
        self.world, self.person, self.panel = world, person, panel

    def _message(self):
        found = from_bot(self.world, self.person.dm_channel)
        return next(item for item in found if item.id == self.panel.id)

    @property
    def text(self):
        return shown(self._message())

    @property
    def labels(self):
        return labels(self._message())

    def menu(self, number):
        return menu(self._message(), number)

    async def click(self, label):
        result = await self.person.click(self._message(), label=label)
        await self.world.settled()
        return result

    async def choose(self, number, label):
        custom_id, options = self.menu(number)
        result = await self.person.select(self._message(), [options[label]], custom_id=custom_id)
        await self.world.settled()
        return result

    async def open(self, words):
        _custom_id, options = self.menu(0)
        await self.choose(0, next(label for label in options if words in label))


@pytest.fixture
async def browser(world, ada, remembered):
    return Browser(world, ada, await opened(world, ada))


async def test_memories_are_browsed_page_by_page(browser):
    first = browser.text
    assert first.startswith("I remember 10 things")
    assert len(browser.menu(0)[1]) == 8
    assert browser.labels == ["›"]

    await browser.click("›")
    assert len(browser.menu(0)[1]) == 2
    await browser.click("‹")

    assert browser.text == first


async def test_memories_are_filtered_and_ordered(browser):
    await browser.choose(2, "most important first")
    scores = [int(part[0]) for part in browser.text.split("importance ")[1:]]
    assert scores == sorted(scores, reverse=True)

    await browser.choose(1, "events")

    assert "presentation" in browser.text
    assert "nurse" not in browser.text
    chosen = [
        option["label"]
        for item in components(browser._message())
        for option in item.get("options", ())
        if option["default"]
    ]
    assert chosen == ["events", "most important first"]


async def test_one_memory_is_read_and_deleted_only_when_confirmed(browser):
    await browser.open("nurse")
    assert "You said" in browser.text
    await browser.click("Forget")
    await browser.click("No, keep it")
    assert "You said" in browser.text

    await browser.click("Forget")
    await browser.click("Yes, forget it")
    assert browser.text == "Forgotten: I work as a nurse."
    await browser.click("‹ Back")

    assert browser.text.startswith("I remember 9 things")


async def test_a_memory_is_corrected_in_a_form(world, ada, browser):
    await browser.open("nurse")
    form = await browser.click("Edit")
    field = form.modal["components"][0]["component"]
    assert field["value"] == "I work as a nurse."

    await ada.submit_modal(form, {"text": "I work as a doctor."})
    await world.settled()

    assert browser.text.startswith("I work as a doctor.")
    assert "asked for" in browser.text
    found = await opened(world, ada, "search", words="doctor")
    assert "doctor" in shown(found).split("2.")[0]
    assert "nurse" not in shown(found)


async def test_a_correction_that_policy_refuses_changes_nothing_and_says_why(world, ada, browser):
    await browser.open("nurse")
    form = await browser.click("Edit")
    await ada.submit_modal(form, {"text": "My password is hunter2-marked."})
    await world.settled()

    assert browser.text.startswith("I work as a nurse.")
    assert "didn't change it" in browser.text
    assert "hunter2" not in browser.text


async def test_a_correction_to_what_is_known_already_leaves_one(world, ada, browser):
    await browser.open("nurse")
    form = await browser.click("Edit")
    await ada.submit_modal(form, {"text": GOAL})
    await world.settled()

    everything = shown(await opened(world, ada, order="importance"))
    assert everything.startswith("I remember 9 things")
    assert everything.count("IELTS 7") == 1


async def test_search_results_are_opened_and_left_the_same_way(world, ada, remembered):
    results = Browser(world, ada, await opened(world, ada, "search", words="phrasal verbs"))
    before = results.text
    await results.open("phrasal")
    await results.click("‹ Back")

    assert results.text == before


async def test_what_was_kept_of_a_message_can_be_taken_back(world, ada):
    await ada.send_dm(GOAL)
    await world.settled()
    line = Browser(world, ada, from_bot(world, ada.dm_channel)[1])
    await line.click("Undo")

    assert line.text == f"Forgotten: {GOAL}"
    assert line.labels == []


async def test_settings_are_switched(world, ada):
    card = Browser(world, ada, await opened(world, ada, "settings"))
    await card.click("tell me when you keep something")
    await ada.send_dm(GOAL)
    await world.settled()

    assert not any("Remembered" in text for text in answers(world, ada.dm_channel))


async def test_panels_outlive_a_restart(world, ada, browser):
    await world.restart()
    await browser.choose(1, "events")
    await browser.open("presentation")
    form = await browser.click("Edit")
    await world.restart()
    await ada.submit_modal(form, {"text": "Yesterday I gave my second English speech."})
    await world.settled()

    assert "second English speech" in browser.text


async def test_the_client_keeps_nothing_for_the_panels_it_sent(world, browser):
    assert world.env.bot.persistent_views == []
    assert not world.env.bot._connection._view_store._views


@pytest.mark.usefixtures("remembered")
async def test_a_panel_in_a_server_is_seen_and_used_by_its_person_alone(world, member, other, club):
    result = await member.slash(club, "memories")
    await world.settled()
    assert result.ephemeral
    assert answers(world, club, viewer=other) == []

    custom_id, options = menu(result.response, 0)
    pressed = await member.select(
        result.response, [next(iter(options.values()))], custom_id=custom_id
    )
    await world.settled()

    assert pressed.acknowledged
    assert "You said" in shown(result.response)
    await member.click(result.response, label="‹ Back")
    await world.settled()
    assert "I remember 10 things" in shown(result.response)


async def test_anothers_buttons_do_nothing_but_say_so(world, ada, member, other, club):
    world.env.inject_error(
        "POST", f"/channels/{ada.dm_channel.id}/messages", status=403, code=50007, times=None
    )
    await member.send(club, f"{world.mention} {GOAL}")
    await world.settled()
    line = from_bot(world, club)[-1]  # where the private chat is closed
    assert labels(line) == ["Undo"]

    pressed = await other.click(line, label="Undo")
    await world.settled()

    assert "someone else" in shown(pressed.followups[0])
    assert pressed.followups[0].ephemeral
    assert labels(from_bot(world, club)[-1]) == ["Undo"]


async def test_a_panel_that_is_too_old_loses_its_buttons(world, ada, browser):
    application = world.application
    await application.panels.forget_old(application.clock.now() + timedelta(days=1))

    pressed = await browser.click("›")

    assert "too old" in shown(pressed.followups[0])
    assert browser.labels == []


async def test_the_form_of_a_panel_that_is_too_old_says_so(world, ada, browser):
    await browser.open("nurse")
    application = world.application
    await application.panels.forget_old(application.clock.now() + timedelta(days=1))

    pressed = await browser.click("Edit")

    assert pressed.modal is None
    assert "too old" in shown(pressed.response)


async def test_made_up_buttons_are_answered_with_a_hint(world, ada, browser):
    for data in ("x", "stop.stop", "0" * 12 + ".open.x", "form:x.edit.y"):
        stored = world.env.backend.get_message(ada.dm_channel.id, browser.panel.id)
        before = stored.components
        stored.components = [
            {
                "type": 1,
                "components": [{"type": 2, "style": 2, "label": "X", "custom_id": data}],
            }
        ]
        pressed = await ada.click(browser._message(), label="X")
        await world.settled()
        stored.components = before

        assert shown((pressed.followups or [pressed.response])[0])


async def test_ones_own_panel_does_not_open_anothers_memory(world, ada, browser):
    bob = world.env.create_user("bob")
    await bob.slash("remember", text="I am moving to Canada in May.")
    await world.settled()
    theirs = await bob.autocomplete("forget", "memory", "Canada")
    panel_id = next(iter(browser.menu(0)[1].values())).partition(".")[0]
    stored = world.env.backend.get_message(ada.dm_channel.id, browser.panel.id)
    stored.components = [
        {
            "type": 1,
            "components": [
                {
                    "type": 2,
                    "style": 2,
                    "label": verb,
                    "custom_id": f"{prefix}{panel_id}.{verb}.{theirs[0]['value']}",
                }
                for verb, prefix in (("open", ""), ("forget", ""), ("edit", "form:"))
            ],
        }
    ]
    message = browser._message()
    for verb in ("edit", "open"):
        await ada.click(message, label=verb)
        await world.settled()

    assert not any("Canada" in text for text in answers(world, ada.dm_channel))
