"""One message in, one streamed reply out. This file is the foreground path, top to bottom."""

from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from dataclasses import dataclass
from hashlib import sha256

from sqlalchemy.ext.asyncio import AsyncSession

from bot.jobs import JobQueue
from bot.language import LanguageChoice
from bot.messages import (
    IncomingMessage,
    ReplyEvent,
    ReplyFailed,
    ReplyText,
    ReplyWithoutMemory,
)
from bot.people import People, Person
from bot.recalls import save_recall
from bot.remembering import REMEMBER_EDIT, REMEMBER_TURN, SUMMARIZE, turn_payload
from bot.settings import ConversationSettings
from memory.background import build_background_messages
from memory.clock import Clock
from memory.database import Database
from memory.errors import DatabaseError, MemoraError, MessageTooLongError, ModelError, StorageError
from memory.extraction import LearnerMessage
from memory.language_model import ChatMessage, TextDelta
from memory.profile import UserProfile
from memory.prompts.reply import FORWARDED_MARK
from memory.retrieval import ConsideredMemory, used_memories
from memory.settings import PolicySettings
from memory.short_term import ShortTermMemory, Turn


@dataclass(frozen=True, slots=True)
class Answering:
    """What one reply is made of."""

    person: Person
    conversation: ShortTermMemory
    turn: Turn
    profile: UserProfile


@dataclass(frozen=True, slots=True)
class ConversationService:
    """Answers messages; the same for every platform."""

    people: People
    queue: JobQueue
    database: Database
    settings: ConversationSettings
    policy: PolicySettings
    clock: Clock
    language: LanguageChoice

    async def reply(self, message: IncomingMessage) -> AsyncGenerator[ReplyEvent, None]:
        """Stream the reply to ``message``; for one that was answered before, the same reply again.

        The message and the job that will remember it are saved together before the first word,
        so that neither is lost whatever happens to the reply. Closing the iterator stops the
        reply: what was written stands. Never raises ``MemoraError``: it ends with ``ReplyFailed``.
        """
        limit = self.settings.max_message_characters
        if len(message.text) > limit:
            yield ReplyFailed(MessageTooLongError(characters=len(message.text), limit=limit))
            return
        try:
            answering = await self._accept(message)
        except MemoraError as error:
            yield ReplyFailed(error)
            return
        if isinstance(answering, Turn):
            yield ReplyText(answering.text)
            return
        try:
            async with aclosing(self._answer(message, answering)) as events:
                async for event in events:
                    yield event
        except MemoraError as error:
            yield ReplyFailed(error)
        finally:
            with suppress(DatabaseError):  # the next start releases what is still held
                await self.queue.release(REMEMBER_TURN, answering.turn.turn_id)

    async def take_edit(self, message: IncomingMessage) -> None:
        """Note that a message now says something else: it is not answered again.

        What follows sees the new words, and so do the memories that rest on them. Raises
        ``StorageError``.
        """
        person = await self.people.of(message.account)
        conversation = await self.people.conversation(person, message.place)
        turn = await conversation.find_turn(message.message_id)
        said = _said(message)
        if turn is None or turn.text == said:
            return
        answering = Answering(person, conversation, turn, await person.profile.get())
        digest = sha256(said.encode()).hexdigest()[:16]
        async with self.database.transaction() as session:
            await conversation.change_turn(session, turn, said)
            if message.is_own_words:
                key = f"{turn.turn_id}:{digest}"
                await self._queue_memory(session, message, answering, REMEMBER_EDIT, key)

    async def _accept(self, message: IncomingMessage) -> Answering | Turn:
        """Save the message and its job in one transaction; return the reply if it has one."""
        person = await self.people.of(message.account)
        conversation = await self.people.conversation(person, message.place)
        profile = await person.profile.get(person.visible_scope(message.place))
        async with self.database.transaction() as session:
            turn = await conversation.add_turn(
                session,
                "learner",
                _said(message),
                said_at=message.sent_at,
                platform_message_id=message.message_id,
            )
            if turn is not None:
                answering = Answering(person, conversation, turn, profile)
                if message.is_own_words:
                    await self._queue_memory(
                        session, message, answering, REMEMBER_TURN, turn.turn_id
                    )
                return answering
        turn = await conversation.find_turn(message.message_id)
        if turn is None:
            raise DatabaseError("expected the turn of a message that was seen, found none")
        return await conversation.find_reply(turn.turn_id) or Answering(
            person, conversation, turn, profile
        )

    async def _queue_memory(
        self,
        session: AsyncSession,
        message: IncomingMessage,
        answering: Answering,
        kind: str,
        key: str,
    ) -> None:
        """Queue the job that reads what a message holds; it waits for the reply to be out."""
        turn = answering.turn
        spoken = LearnerMessage(
            message_id=turn.turn_id,
            text=message.text,
            sent_at=turn.said_at,
            time_zone=self.people.time_zone(answering.profile),
            scope=message.place.scope,
        )
        await self.queue.put(
            session,
            person_id=answering.person.person_id,
            kind=kind,
            key=key,
            payload=turn_payload(
                spoken,
                number=turn.number,
                conversation_id=answering.conversation.conversation_id,
                incoming=message,
                language=self.language(message.text, message.locale),
            ),
            held=kind == REMEMBER_TURN,
        )

    async def _answer(
        self, message: IncomingMessage, answering: Answering
    ) -> AsyncGenerator[ReplyEvent, None]:
        person = answering.person
        considered: list[ConsideredMemory] = []
        try:
            considered, _tokens = await person.memory.recall(
                message.text, scope=person.visible_scope(message.place)
            )
        except (ModelError, StorageError) as error:
            yield ReplyWithoutMemory(error)
        written: list[str] = []
        try:
            prompt = await self._prompt(answering, considered)
            async with aclosing(person.model.stream(prompt, purpose="reply")) as pieces:
                async for piece in pieces:
                    if isinstance(piece, TextDelta):
                        written.append(piece.text)
                        yield ReplyText(piece.text)
        finally:
            await self._save(answering, "".join(written), considered)

    async def _prompt(
        self, answering: Answering, considered: list[ConsideredMemory]
    ) -> list[ChatMessage]:
        """Return instructions, background, recent turns and the newest message."""
        context = await answering.conversation.context(before=answering.turn.number)
        background = build_background_messages(
            profile=answering.profile,
            summary=context.summary,
            memories=used_memories(considered),
            now=self.clock.now(),
            time_zone=self.people.time_zone(answering.profile),
            product_scope=self.policy.scope,
        )
        recent = [turn.as_message() for turn in context.turns]
        return [*background, *recent, answering.turn.as_message()]

    async def _save(
        self, answering: Answering, text: str, considered: list[ConsideredMemory]
    ) -> None:
        """Save what was written, what it considered, and whether turns wait to be summed up."""
        conversation = answering.conversation
        async with self.database.transaction() as session:
            if text:
                turn = await conversation.add_turn(
                    session, "assistant", text, replies_to=answering.turn.turn_id
                )
                if turn is not None:
                    await conversation.leave_behind(session, since=answering.turn, until=turn)
            await save_recall(session, conversation.conversation_id, self.clock.now(), considered)
        if (await conversation.context()).overflow:
            async with self.database.transaction() as session:
                await self.queue.put(
                    session,
                    person_id=answering.person.person_id,
                    kind=SUMMARIZE,
                    key=conversation.conversation_id,
                    payload={"conversation_id": conversation.conversation_id},
                )


def _said(message: IncomingMessage) -> str:
    """Return a message as the conversation keeps it: what others wrote is marked as such."""
    return message.text if message.is_own_words else f"{FORWARDED_MARK}\n{message.text}"
