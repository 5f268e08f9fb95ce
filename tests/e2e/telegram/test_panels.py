"""Browsing, searching and taking back, by buttons."""

from datetime import timedelta

import pytest
from memora_testing.telegram_bot import telegram_bot
from memora_testing.values import FACTS, GOAL


async def remember(server, person, facts=FACTS):
    """Have facts kept; return once each is."""
    for fact in facts:
        before = len(person.screen)
        await person.say(f"/remember {fact}")
        await server.until(lambda before=before: len(person.screen) > before)


async def open_browser(server, person, command="/memories"):
    before = len(person.screen)
    await person.say(command)
    await server.until(lambda: len(person.screen) > before)
    return server.from_bot(person.user_id)[-1]


def panel_id(browser):
    return browser.keyboard[0][0]["callback_data"].partition(".")[0]


def labels(message):
    return [button["text"] for row in message.keyboard for button in row]


async def test_memories_are_browsed_page_by_page(server, bot, ada):
    await remember(server, ada)
    browser = await open_browser(server, ada)
    first = browser.text
    assert "I remember 10 things" in first
    assert labels(browser)[:8] == [str(n) for n in range(1, 9)]

    await ada.press(browser, "›")
    await server.until(lambda: browser.text != first)
    assert labels(browser)[:2] == ["1", "2"]
    await ada.press(browser, "‹")

    await server.until(lambda: browser.text == first)


async def test_memories_are_filtered_and_ordered(server, bot, ada):
    await remember(server, ada)
    browser = await open_browser(server, ada)

    await ada.press(browser, "most important first")
    await server.until(lambda: "✓ most important first" in labels(browser))
    scores = [int(part[0]) for part in browser.text.split("importance ")[1:]]
    assert scores == sorted(scores, reverse=True)
    await ada.press(browser, "events")
    await server.until(lambda: "✓ events" in labels(browser))

    assert "presentation" in browser.text
    assert "nurse" not in browser.text


async def test_one_memory_shows_all_there_is_to_say_and_is_deleted_only_when_confirmed(
    server, bot, ada
):
    await remember(server, ada, FACTS[:2])
    browser = await open_browser(server, ada)
    page = browser.text

    await ada.press(browser, "1")
    await server.until(lambda: "Back" in str(labels(browser)))
    for word in ("job interview", "importance", "2026"):
        assert word in browser.text.lower()
    await ada.press(browser, labels(browser)[0])
    await server.until(lambda: len(labels(browser)) == 2 and "Back" not in str(labels(browser)))
    await ada.press(browser, labels(browser)[1])
    await server.until(lambda: "Back" in str(labels(browser)))
    await ada.press(browser, "Back")
    await server.until(lambda: browser.text == page)

    await ada.press(browser, "1")
    await server.until(lambda: "Back" in str(labels(browser)))
    await ada.press(browser, labels(browser)[0])
    await server.until(lambda: "Back" not in str(labels(browser)))
    await ada.press(browser, labels(browser)[0])
    await server.until(lambda: browser.text.startswith("Forgotten"))
    await ada.press(browser, "Back")
    await server.until(lambda: "I remember 1 thing" in browser.text)
    assert "job interview" not in browser.text


async def test_search_results_are_opened_and_left_the_same_way(server, bot, ada):
    await remember(server, ada, FACTS[:3])
    results = await open_browser(server, ada, "/search phrasal verbs")
    shown = results.text
    assert "phrasal verbs" in shown

    await ada.press(results, "1")
    await server.until(lambda: "Back" in str(labels(results)))
    await ada.press(results, "Back")

    await server.until(lambda: results.text == shown)


async def test_what_was_kept_of_a_message_can_be_taken_back(server, bot, ada):
    await ada.say(GOAL)
    await server.until(lambda: len(ada.screen) == 2)
    line = server.from_bot(ada.user_id)[1]
    assert line.text.startswith("Remembered")

    await ada.press(line, "Undo")
    await server.until(lambda: line.text.startswith("Forgotten"))

    await ada.say("/memories")
    await server.until(lambda: len(ada.screen) == 3)
    assert "IELTS" not in ada.screen[2]


async def test_the_line_about_what_was_kept_can_be_turned_off(server, bot, ada):
    card = await open_browser(server, ada, "/settings")
    option = next(label for label in labels(card) if "✓" in label)
    await ada.press(card, option)
    await server.until(lambda: option not in labels(card))

    await ada.say(GOAL)
    await server.until(lambda: len(ada.screen) == 2)
    await bot.application.worker.drain()
    await ada.say("/memories")
    await server.until(lambda: len(ada.screen) == 3)

    assert "IELTS" in ada.screen[2]
    assert not any(text.startswith("Remembered") for text in ada.screen)


async def test_anothers_buttons_do_nothing_but_say_so(server, bot, ada, bob):
    await remember(server, ada, FACTS[:1])
    browser = await open_browser(server, ada)
    shown = browser.text

    query = await bob.press(browser, "1", ada.private)
    await server.until(lambda: query in server.answered)
    await bob.say("barrier")
    await server.until(lambda: bob.screen)

    assert browser.text == shown
    assert server.answered[query]["text"]


@pytest.mark.parametrize(
    "data", ["", ".", "stop.stop", "0" * 12 + ".open.x", "forget", "x.forget.1", "💥" * 16, "../.."]
)
async def test_made_up_buttons_are_answered_with_a_hint(server, bot, ada, data):
    await remember(server, ada, FACTS[:1])
    browser = await open_browser(server, ada)

    query = await ada.press_data(browser, data)

    await server.until(lambda: query in server.answered)
    assert server.answered[query]["text"]


async def test_the_buttons_of_a_list_that_is_too_old_are_taken_away(server, bot, ada):
    await remember(server, ada, FACTS[:1])
    browser = await open_browser(server, ada)
    await bot.application.panels.forget_old(bot.application.clock.now() + timedelta(days=1))

    query = await ada.press(browser, "1")

    await server.until(lambda: query in server.answered)
    assert "too old" in server.answered[query]["text"]
    await server.until(lambda: labels(browser) == [])


@pytest.mark.parametrize("verb", ["forget.nothing", "page.-3", "page.999999", "kind.x", "zzz", ""])
async def test_made_up_verbs_under_ones_own_panel_break_nothing(server, bot, ada, verb):
    await remember(server, ada, FACTS[:1])
    browser = await open_browser(server, ada)

    query = await ada.press_data(browser, f"{panel_id(browser)}.{verb}")
    await server.until(lambda: query in server.answered)

    await open_browser(server, ada)
    assert "I remember 1 thing" in ada.screen[-1]


async def test_one_cannot_open_anothers_memory_through_ones_own_panel(server, bot, ada, bob):
    await remember(server, ada, FACTS[:1])
    theirs = await open_browser(server, ada)
    memory_id = theirs.keyboard[0][0]["callback_data"].split(".", 2)[2]
    await remember(server, bob, FACTS[1:2])
    own = await open_browser(server, bob)

    query = await bob.press_data(own, f"{panel_id(own)}.forget.{memory_id}")
    await server.until(lambda: query in server.answered)
    await open_browser(server, ada)

    assert "I remember 1 thing" in ada.screen[-1]
    assert not any("IELTS" in text for text in bob.screen)


async def test_panels_outlive_a_restart(tmp_path, server, model, ada):
    async with telegram_bot(tmp_path / "data", server, model):
        await remember(server, ada, FACTS[:2])
        browser = await open_browser(server, ada)
    async with telegram_bot(tmp_path / "data", server, model):
        await ada.press(browser, "2")
        await server.until(lambda: "Back" in str(labels(browser)))

    assert "IELTS" in browser.text


async def test_a_button_under_a_message_too_old_to_see_answers_below(server, bot, ada):
    await remember(server, ada, FACTS[:1])
    browser = await open_browser(server, ada)
    del ada.private.messages[browser.message_id]

    await ada.press(browser, "1")

    await server.until(lambda: "Back" in str(labels(server.from_bot(ada.user_id)[-1])))


async def test_what_stands_under_a_browser_stays_in_its_group(server, bot, ada, club):
    """A list that was asked for in a group shows that group's memories, in private."""
    await remember(server, ada, FACTS[:1])
    await ada.say("@memora_bot I find phrasal verbs difficult.", club)
    await server.until(lambda: any("phrasal" in text for text in ada.screen))
    await ada.say("/memories", club)

    await server.until(lambda: any("I remember" in text for text in ada.screen))


async def test_remember_in_reply_keeps_ones_own_message_and_not_anothers(server, bot, ada, bob):
    message_id = await ada.say("Do you know that I work as a nurse?")
    await server.until(lambda: ada.screen)
    mine, theirs = ada.private.messages[message_id], server.from_bot(77)[0]

    def reply_to(message):
        shown = message.raw or server.as_dict(ada.private, message)
        return {"reply_to_message": shown}

    await ada.say("/remember", **reply_to(theirs))
    await server.until(lambda: len(ada.screen) == 2)
    await ada.say("/remember", **reply_to(mine))
    await server.until(lambda: len(ada.screen) == 3)
    await open_browser(server, ada)

    assert "nurse" in ada.screen[-1]
    assert "You said" not in ada.screen[-1]
