import asyncio
from datetime import timedelta

import pytest
from sqlalchemy import select

from bot.jobs import JobQueue, JobWorker
from bot.settings import JobSettings
from memory.database.tables import JobRow, PersonRow
from memory.errors import ModelRateLimitError, ModelUnreachableError

SETTINGS = JobSettings(concurrency=3, max_attempts=3, backoff_seconds=5, exit_grace_seconds=5)


class Workshop:
    """Work that records what was done, waits where told to, and fails where told to."""

    def __init__(self):
        self.done = []
        self.given_up = []
        self.gates = {}
        self.faults = {}
        self.running = set()
        self.most_at_once = 0

    async def work(self, job):
        key = job.payload["key"]
        assert job.person_id not in self.running, "two jobs of one person at once"
        self.running.add(job.person_id)
        self.most_at_once = max(self.most_at_once, len(self.running))
        try:
            if key in self.gates:
                await self.gates[key].wait()
            if self.faults.get(key):
                raise self.faults[key].pop(0)
            self.done.append(key)
        finally:
            self.running.discard(job.person_id)

    async def give_up(self, job, error):
        self.given_up.append((job.payload["key"], error))


@pytest.fixture
async def queue(database, clock):
    async with database.transaction() as session:
        session.add_all([PersonRow(id=name, created_at=clock.now()) for name in ("ada", "ben")])
    return JobQueue(database, clock)


@pytest.fixture
def workshop():
    return Workshop()


@pytest.fixture
def worker(queue, workshop, clock):
    return JobWorker(queue, {"write": workshop.work}, workshop.give_up, SETTINGS, clock)


async def put(queue, key, *, person="ada", **options):
    async with queue.database.transaction() as session:
        await queue.put(
            session, person_id=person, kind="write", key=key, payload={"key": key}, **options
        )


async def states(queue):
    async with queue.database.reading() as session:
        rows = await session.scalars(select(JobRow).order_by(JobRow.number))
        return {row.key: row.state for row in rows}


async def test_a_finished_job_is_gone(queue, worker, workshop):
    await put(queue, "one")

    await worker.drain()

    assert workshop.done == ["one"]
    assert await states(queue) == {}


async def test_the_same_work_is_queued_once(queue, worker, workshop):
    await put(queue, "one")
    await put(queue, "one")

    await worker.drain()

    assert workshop.done == ["one"]


async def test_a_job_of_a_transaction_that_fails_never_was(queue, worker, workshop):
    with pytest.raises(RuntimeError):
        async with queue.database.transaction() as session:
            await queue.put(session, person_id="ada", kind="write", key="one", payload={})
            raise RuntimeError

    await worker.drain()
    assert await states(queue) == {}


async def test_a_persons_jobs_run_one_at_a_time_and_in_order(queue, worker, workshop):
    for number in range(5):
        await put(queue, f"ada {number}")
    await put(queue, "ben 0", person="ben")
    workshop.gates["ada 0"] = asyncio.Event()

    draining = asyncio.create_task(worker.drain())
    while "ben 0" not in workshop.done:
        await asyncio.sleep(0)
    workshop.gates["ada 0"].set()
    await draining

    assert workshop.done == ["ben 0", *[f"ada {number}" for number in range(5)]]
    assert workshop.most_at_once == 2


async def test_a_held_job_waits_for_its_release(queue, worker, workshop):
    await put(queue, "one", held=True)
    await worker.drain()
    assert workshop.done == []

    await queue.release("write", "one")
    await worker.drain()

    assert workshop.done == ["one"]


async def test_a_failed_job_is_tried_again_later_and_later(queue, worker, workshop, clock):
    workshop.faults["one"] = [ModelUnreachableError("gone"), ModelUnreachableError("gone")]
    await put(queue, "one")

    await worker.drain()
    assert await states(queue) == {"one": "queued"}
    await clock.advance(seconds=4.9)
    await worker.drain()
    assert len(workshop.faults["one"]) == 1
    await clock.advance(seconds=0.1)
    await worker.drain()
    assert await queue.next_run_at() == clock.now() + timedelta(seconds=10)
    await clock.advance(seconds=10)
    await worker.drain()

    assert workshop.done == ["one"]
    assert workshop.given_up == []


async def test_a_server_that_names_a_time_is_not_asked_before(queue, worker, workshop, clock):
    workshop.faults["one"] = [ModelRateLimitError("busy", retry_after=90)]
    await put(queue, "one")

    await worker.drain()

    assert await queue.next_run_at() == clock.now() + timedelta(seconds=90)


async def test_what_was_said_later_waits_for_what_was_said_before(queue, worker, workshop, clock):
    workshop.faults["one"] = [ModelUnreachableError("gone")]
    await put(queue, "one")
    await put(queue, "two")

    await worker.drain()
    assert workshop.done == []
    await clock.advance(seconds=5)
    await worker.drain()

    assert workshop.done == ["one", "two"]


async def test_after_the_last_attempt_the_job_is_given_up_and_the_next_runs(
    queue, worker, workshop, clock, caplog
):
    workshop.faults["one"] = [ModelUnreachableError(f"gone {n}") for n in range(3)]
    await put(queue, "one")
    await put(queue, "two")

    for _ in range(3):
        await worker.drain()
        await clock.advance(minutes=5)
    await worker.drain()

    assert [(key, str(error)) for key, error in workshop.given_up] == [("one", "gone 2")]
    assert await states(queue) == {"one": "failed"}
    assert await queue.count("failed") == 1
    assert workshop.done == ["two"]


async def test_an_unexpected_fault_stops_no_other_job(queue, worker, workshop, caplog):
    workshop.faults["one"] = [ZeroDivisionError()]
    await put(queue, "one")
    await put(queue, "two", person="ben")

    await worker.drain()

    assert workshop.done == ["two"]
    assert "ZeroDivisionError" in caplog.text


async def test_a_restart_takes_up_what_was_begun_or_held(queue, worker, workshop):
    await put(queue, "begun")
    await put(queue, "held", person="ben", held=True)
    assert (await queue.take()).payload == {"key": "begun"}

    await queue.recover()
    await worker.drain()

    assert sorted(workshop.done) == ["begun", "held"]


async def test_the_worker_wakes_for_new_work_and_for_work_that_is_due(
    queue, worker, workshop, clock
):
    workshop.faults["one"] = [ModelUnreachableError("gone")]
    running = asyncio.create_task(worker.run())
    await put(queue, "one")
    while await queue.next_run_at() is None or workshop.faults["one"]:
        await asyncio.sleep(0)

    while "one" not in workshop.done:
        await clock.advance(seconds=1)
        await asyncio.sleep(0)
    await worker.stop()
    await running

    assert workshop.done == ["one"]


async def test_a_job_that_waits_behind_another_keeps_nobody_busy(
    queue, worker, workshop, monkeypatch
):
    workshop.gates["one"] = asyncio.Event()
    await put(queue, "one")
    await put(queue, "two")
    running = asyncio.create_task(worker.run())
    while not workshop.running:
        await asyncio.sleep(0)
    taken = 0
    take = JobQueue.take

    async def counted(self):
        nonlocal taken
        taken += 1
        return await take(self)

    monkeypatch.setattr(JobQueue, "take", counted)
    for _ in range(50):
        await queue.count("queued")

    assert taken <= 2
    workshop.gates["one"].set()
    while "two" not in workshop.done:
        await asyncio.sleep(0)
    await worker.stop()
    await running


@pytest.fixture
def slow_take(monkeypatch):
    """Have the first job that is taken stay on its way until the event is set."""
    arrives, take = asyncio.Event(), JobQueue.take
    taken = asyncio.Event()

    async def slow(self):
        job = await take(self)
        if job is not None and not taken.is_set():
            taken.set()
            await arrives.wait()
        return job

    monkeypatch.setattr(JobQueue, "take", slow)
    return taken, arrives


async def test_draining_waits_for_a_job_that_the_worker_is_taking(
    queue, worker, workshop, slow_take
):
    taken, arrives = slow_take
    await put(queue, "one")
    await put(queue, "two")
    running = asyncio.create_task(worker.run())
    await taken.wait()

    draining = asyncio.create_task(worker.drain())
    for _ in range(50):
        await queue.count("queued")
    assert not draining.done()
    arrives.set()
    await draining

    assert workshop.done == ["one", "two"]
    await worker.stop()
    await running


async def test_stopping_waits_for_a_job_that_the_worker_is_taking(
    queue, worker, workshop, slow_take
):
    taken, arrives = slow_take
    await put(queue, "one")
    running = asyncio.create_task(worker.run())
    await taken.wait()

    stopping = asyncio.create_task(worker.stop())
    for _ in range(50):
        await queue.count("queued")
    assert not stopping.done()
    arrives.set()
    await stopping
    await running

    assert workshop.done == ["one"]


async def test_stopping_lets_running_work_finish(queue, worker, workshop):
    workshop.gates["one"] = asyncio.Event()
    await put(queue, "one")
    await put(queue, "two", person="ben")
    workshop.gates["two"] = asyncio.Event()
    running = asyncio.create_task(worker.run())
    while len(workshop.running) < 2:
        await asyncio.sleep(0)

    stopping = asyncio.create_task(worker.stop())
    await put(queue, "three")
    workshop.gates["one"].set()
    workshop.gates["two"].set()
    await stopping
    await running

    assert sorted(workshop.done) == ["one", "two"]
    assert await states(queue) == {"three": "queued"}


async def test_work_that_does_not_finish_in_time_stays_queued(queue, workshop, clock):
    settings = SETTINGS.model_copy(update={"exit_grace_seconds": 0.01})
    worker = JobWorker(queue, {"write": workshop.work}, workshop.give_up, settings, clock)
    workshop.gates["one"] = asyncio.Event()
    await put(queue, "one")
    draining = asyncio.create_task(worker.drain())
    while not workshop.running:
        await asyncio.sleep(0)
    draining.cancel()
    await asyncio.gather(draining, return_exceptions=True)

    await worker.stop()

    assert await states(queue) == {"one": "queued"}
