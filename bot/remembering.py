"""The background work of a conversation: keeping what was said, and summing up what is long ago."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from bot.jobs import Job, Work
from bot.messages import Account, IncomingMessage, Place
from bot.people import People
from bot.views import CouldNotRemember, KeptMemories, View
from memory.errors import MemoraError
from memory.extraction import LearnerMessage
from memory.person import WriteOutcome
from memory.prompts.extraction import EarlierTurn
from memory.settings import ShortTermSettings

REMEMBER_TURN = "remember_turn"
REMEMBER_EDIT = "remember_edit"
REMEMBER_REQUEST = "remember_request"
REMEMBERING = frozenset({REMEMBER_TURN, REMEMBER_EDIT, REMEMBER_REQUEST})
"""The kinds that hold something a person said."""
SUMMARIZE = "summarize"


@dataclass(frozen=True, slots=True)
class Notice:
    """Something to tell a person, outside any reply."""

    account: Account
    """Who is told."""
    place: Place
    language: str
    view: View


Notify = Callable[[Notice], Awaitable[None]]


def turn_payload(
    message: LearnerMessage,
    *,
    number: int,
    conversation_id: str,
    incoming: IncomingMessage,
    language: str,
) -> dict[str, Any]:
    """Return the payload of a job that reads one turn: everything but the person."""
    return {
        "message_id": message.message_id,
        "text": message.text,
        "sent_at": message.sent_at.isoformat(),
        "time_zone": message.time_zone.key,
        "scope": message.scope,
        "number": number,
        "conversation_id": conversation_id,
        "account": asdict(incoming.account),
        "place": asdict(incoming.place),
        "language": language,
    }


def _message(payload: Mapping[str, Any]) -> LearnerMessage:
    return LearnerMessage(
        message_id=payload["message_id"],
        text=payload["text"],
        sent_at=datetime.fromisoformat(payload["sent_at"]),
        time_zone=ZoneInfo(payload["time_zone"]),
        scope=payload["scope"],
        origin=Account(**payload["account"]).key,
    )


@dataclass(frozen=True, slots=True)
class Remembering:
    """Does the jobs, and says what came of them."""

    people: People
    settings: ShortTermSettings
    notify: Notify

    @property
    def work(self) -> dict[str, Work]:
        """The work for each kind of job."""
        return {
            REMEMBER_TURN: self.remember_turn,
            REMEMBER_EDIT: self.remember_edit,
            REMEMBER_REQUEST: self.remember_request,
            SUMMARIZE: self.summarize,
        }

    async def remember_turn(self, job: Job) -> None:
        """Keep what one message of a conversation holds."""
        person = await self.people.by_id(job.person_id)
        earlier = await self._earlier_turns(job)
        await self._tell(job, await person.memory.remember_turn(_message(job.payload), earlier))

    async def remember_edit(self, job: Job) -> None:
        """Keep what a message holds since it was edited, in place of what it held before."""
        person = await self.people.by_id(job.person_id)
        earlier = await self._earlier_turns(job)
        await self._tell(job, await person.memory.remember_edit(_message(job.payload), earlier))

    async def remember_request(self, job: Job) -> None:
        """Keep what a person asked to remember when the model could not be reached."""
        person = await self.people.by_id(job.person_id)
        await self._tell(job, await person.memory.remember(_message(job.payload)))

    async def summarize(self, job: Job) -> None:
        """Sum up the turns that no longer fit the short-term memory."""
        person = await self.people.by_id(job.person_id)
        conversation = self.people.conversation_by_id(job.payload["conversation_id"])
        await conversation.summarize(person.model)

    async def give_up(self, job: Job, error: Exception) -> None:
        """Say that a message could not be kept, once all attempts are used up."""
        if job.kind not in REMEMBERING:
            return
        known = error if isinstance(error, MemoraError) else None
        await self.notify(self._notice(job, CouldNotRemember(job.payload["text"], known)))

    async def _earlier_turns(self, job: Job) -> list[EarlierTurn]:
        conversation = self.people.conversation_by_id(job.payload["conversation_id"])
        earlier = await conversation.turns_before(
            job.payload["number"], self.settings.extraction_turns
        )
        return [turn.as_earlier_turn() for turn in earlier]

    async def _tell(self, job: Job, outcome: WriteOutcome) -> None:
        person = await self.people.by_id(job.person_id)
        if outcome.kept and (person.tells_kept or job.kind == REMEMBER_REQUEST):
            await self.notify(self._notice(job, KeptMemories(outcome.kept)))

    def _notice(self, job: Job, view: View) -> Notice:
        payload = job.payload
        return Notice(
            Account(**payload["account"]), Place(**payload["place"]), payload["language"], view
        )
