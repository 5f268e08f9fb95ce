import asyncio
from datetime import timedelta

import pytest

from bot.inbox import Entry, Inbox, forget_done
from memory.errors import DatabaseError


class Worker:
    """Notes what it worked; waits where it was told to, and breaks where it was told to."""

    def __init__(self):
        self.worked = []
        self.waits = {}
        self.breaks = {}

    async def __call__(self, payload):
        name = payload["name"]
        if name in self.waits:
            await self.waits[name].wait()
        if self.breaks.get(name):
            raise self.breaks[name].pop()
        self.worked.append(name)


@pytest.fixture
def worker():
    return Worker()


@pytest.fixture
async def inbox(database, clock, worker):
    opened = Inbox("telegram:1", database, clock, worker)
    await opened.open()
    yield opened
    await opened.close(0)


def entry(name, lane="a"):
    return Entry(name, lane, {"name": name})


async def test_a_lane_keeps_its_order_and_lanes_do_not_wait_for_each_other(inbox, worker):
    worker.waits["first"] = asyncio.Event()

    await inbox.receive([entry("first"), entry("second"), entry("other", "b")])
    while "other" not in worker.worked:
        await asyncio.sleep(0)
    worker.waits["first"].set()
    await inbox.settled()

    assert worker.worked == ["other", "first", "second"]


async def test_what_comes_twice_is_worked_once(inbox, worker):
    await inbox.receive([entry("one"), entry("one")])
    await inbox.settled()
    await inbox.receive([entry("one")])
    await inbox.settled()

    assert worker.worked == ["one"]


async def test_a_fault_does_not_hold_up_what_follows(inbox, worker):
    worker.breaks["one"] = [RuntimeError("boom")]

    await inbox.receive([entry("one"), entry("two")])
    await inbox.settled()

    assert worker.worked == ["two"]


async def test_what_the_storage_hinders_is_tried_again(inbox, worker, clock):
    worker.breaks["one"] = [DatabaseError("locked")]

    await inbox.receive([entry("one")])
    while "one" not in worker.worked:
        await clock.advance(seconds=1)
        await asyncio.sleep(0)

    assert worker.worked == ["one"]


async def test_what_was_broken_off_is_done_at_the_next_start(database, clock, worker):
    first = Inbox("telegram:1", database, clock, worker)
    await first.open()
    worker.waits["one"] = asyncio.Event()
    await first.receive([entry("one"), entry("two")])
    await first.close(0.01)
    assert worker.worked == []
    worker.waits.clear()

    second = Inbox("telegram:1", database, clock, worker)
    await second.open()
    await second.settled()

    assert worker.worked == ["one", "two"]


async def test_one_bots_updates_are_not_anothers(database, clock, worker):
    for source in ("telegram:1", "telegram:2"):
        inbox = Inbox(source, database, clock, worker)
        await inbox.open()
        await inbox.receive([entry("one")])
        await inbox.settled()

    assert worker.worked == ["one", "one"]


async def test_what_is_done_is_forgotten_in_time(inbox, worker, database, clock):
    await inbox.receive([entry("one")])
    await inbox.settled()

    await forget_done(database, clock.now() + timedelta(days=4))
    await inbox.receive([entry("one")])
    await inbox.settled()

    assert worker.worked == ["one", "one"]
