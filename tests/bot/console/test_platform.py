import asyncio
import io
import os
import signal

import pytest
from memora_testing.application import application_in
from memora_testing.model import ScriptedModel
from memora_testing.values import importance
from rich.console import Console
from sqlalchemy import select

from bot.console.lines import piped_lines
from bot.console.platform import ConsolePlatform
from bot.console.screens import PlainScreen, RichScreen, split_finished_blocks
from memory.database.tables import ConversationRow
from memory.errors import ModelTimeoutError, ModelUnreachableError
from memory.models.offline import OfflineLanguageModel
from memory.prompts.extraction import ExtractionAnswer

NOTHING = ExtractionAnswer(memories=[], profile=[])


async def run(tmp_path, model, script, *, screen=PlainScreen, locale=None, **options):
    output = io.StringIO()
    console = Console(file=output, soft_wrap=True, width=100, **options)
    async with application_in(tmp_path / "data", model=model) as application:
        platform = ConsolePlatform(application, screen(console), locale, waits_for_memory=True)
        platform.greet("1.2.3")
        await platform.talk(piped_lines(io.StringIO(script)))
        await platform.leave()
    return output.getvalue()


async def test_the_top_says_what_is_in_use(tmp_path):
    output = await run(tmp_path, OfflineLanguageModel(), "")

    assert "Memora 1.2.3" in output
    assert "model: offline rules" in output
    assert "embedder: hashing/256" in output
    assert f"data: {tmp_path / 'data'}" in output
    assert output.index("running offline") < output.index("/help shows")


async def test_a_real_model_is_not_called_offline(tmp_path):
    output = await run(tmp_path, ScriptedModel(), "")

    assert "model: scripted" in output
    assert "offline" not in output


async def test_a_script_is_answered_line_by_line_and_remembered(tmp_path):
    script = "I want to reach IELTS 7 by June 2027.\n\nHow do I reach IELTS 7?\n/memories\n/why"

    output = await run(tmp_path, OfflineLanguageModel(), script)

    assert "· Remembered: I want to reach IELTS 7 by June 2027." in output
    assert "Here is a plan" in output
    assert "semantic · importance 5 of 5 · automatic · Dec 1, 2026" in output
    assert "used · relevance 0." in output


async def test_a_script_in_chinese(tmp_path):
    script = "我的目標是多益考到九百分。\n幫我安排多益的讀書計畫\n/search 多益"

    output = await run(tmp_path, OfflineLanguageModel(), script, locale="zh_TW.UTF-8")

    assert "模型: offline rules" in output
    assert "· 記住了：我的目標是多益考到九百分。" in output
    assert "這是本週的計畫：" in output
    assert "重要度 5/5" in output


async def test_the_reply_comes_before_the_kept_line(tmp_path):
    output = await run(tmp_path, OfflineLanguageModel(), "I want to pass the IELTS exam.")

    assert output.index("clear goal") < output.index("Remembered")


async def test_a_failing_model_is_an_apology(tmp_path):
    output = await run(tmp_path, ScriptedModel(ModelTimeoutError("internals"), NOTHING), "hi")

    assert "took too long" in output
    assert "internals" not in output


async def test_a_reply_that_breaks_off_keeps_what_came_and_says_so(tmp_path):
    model = ScriptedModel(["Once upon", ModelUnreachableError("gone")], NOTHING)

    output = await run(tmp_path, model, "tell me a story")

    assert "Once upon\n\nSorry, I can't reach" in output


async def test_work_that_waits_for_its_next_try_is_announced_at_the_end(tmp_path):
    model = ScriptedModel(["ok"], ModelUnreachableError("gone"))

    output = await run(tmp_path, model, "I want to pass IELTS.")

    assert "1 message waits to be remembered" in output


async def test_what_people_write_is_no_markup(tmp_path):
    model = ScriptedModel(importance(3))
    text = "I like [bold]brackets[/bold] and :smile: very much"

    output = await run(tmp_path, model, f"/remember {text}\n/memories", screen=RichScreen)

    assert text in output


async def test_a_terminal_gets_formatted_text(tmp_path):
    model = ScriptedModel(["Say **this**:\n\n", "- one\n- two"], NOTHING)

    output = await run(
        tmp_path, model, "help me", screen=RichScreen, force_terminal=True, color_system="truecolor"
    )

    assert "\x1b[1mthis\x1b[0m" in output
    assert "**this**" not in output
    assert " • " in output


async def test_ctrl_c_stops_a_reply_and_what_was_written_stands(tmp_path):
    model = ScriptedModel(["one ", asyncio.Event(), "never"], NOTHING)
    output = io.StringIO()
    async with application_in(tmp_path / "data", model=model) as application:
        screen = PlainScreen(Console(file=output))
        platform = ConsolePlatform(application, screen, None, waits_for_memory=True)
        answering = asyncio.create_task(platform.talk(piped_lines(io.StringIO("count"))))
        while "one" not in output.getvalue():
            await asyncio.sleep(0)
        os.kill(os.getpid(), signal.SIGINT)
        await answering
        (conversation,) = await conversations(application)
        context = await application.people.conversation_by_id(conversation).context()

    assert [turn.text for turn in context.turns] == ["count", "one "]


async def conversations(application):
    async with application.people.database.reading() as session:
        return list(await session.scalars(select(ConversationRow.id)))


@pytest.mark.parametrize(
    ("text", "finished", "open_block"),
    [
        ("one", "", "one"),
        ("one\n\ntwo", "one\n\n", "two"),
        ("one\n\n", "one\n\n", ""),
        ("```\na\n\nb", "", "```\na\n\nb"),
        ("```\na\n\nb\n```\n\nc", "```\na\n\nb\n```\n\n", "c"),
        ("", "", ""),
    ],
)
def test_a_growing_text_is_split_at_finished_blocks(text, finished, open_block):
    assert split_finished_blocks(text) == (finished, open_block)
