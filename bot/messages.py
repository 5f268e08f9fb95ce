"""What platforms hand over, and what they are handed: no platform's own types pass this line."""

from dataclasses import dataclass
from datetime import datetime

from memory.errors import MemoraError
from memory.records import PRIVATE_SCOPE


@dataclass(frozen=True, slots=True)
class Account:
    """Who is speaking, as a platform knows them."""

    platform: str
    user_id: str

    @property
    def key(self) -> str:
        """The name of the account among all, for what was said from it."""
        return f"{self.platform}:{self.user_id}"


@dataclass(frozen=True, slots=True)
class Place:
    """Where something is said: a chat, and a topic in it where the platform has topics."""

    platform: str
    chat_id: str
    topic_id: str | None = None
    is_group: bool = False

    @property
    def key(self) -> str:
        """The name of the conversation that belongs here."""
        topic = "" if self.topic_id is None else f":{self.topic_id}"
        return f"{self.platform}:{self.chat_id}{topic}"

    @property
    def scope(self) -> str:
        """The scope of memories made here: a group's topics share one."""
        return f"{self.platform}:{self.chat_id}" if self.is_group else PRIVATE_SCOPE


@dataclass(frozen=True, slots=True)
class IncomingMessage:
    """A message or a command, as it came from a platform."""

    account: Account
    place: Place
    message_id: str
    """The platform's id: a message that comes twice has it twice."""
    text: str
    sent_at: datetime
    """UTC, aware."""
    locale: str | None = None
    """The platform's hint at the person's language, such as ``zh-TW``."""
    is_own_words: bool = True
    """False for what was forwarded or came through another bot: it says nothing of the person."""

    def __post_init__(self) -> None:
        """Make the text one that every database and model can take."""
        object.__setattr__(self, "text", storable(self.text))


def storable(text: str) -> str:
    """Return ``text`` without nulls and half characters, which databases refuse."""
    return text.replace("\0", "").encode("utf-8", errors="replace").decode("utf-8")


@dataclass(frozen=True, slots=True)
class ReplyText:
    """The next piece of a reply; never empty."""

    text: str


@dataclass(frozen=True, slots=True)
class ReplyWithoutMemory:
    """The reply goes on, but memories could not be read for it."""

    error: MemoraError


@dataclass(frozen=True, slots=True)
class ReplyFailed:
    """The reply ends here: what was written stands, and the error says why it ends."""

    error: MemoraError


ReplyEvent = ReplyText | ReplyWithoutMemory | ReplyFailed


@dataclass(frozen=True, slots=True)
class Button:
    """Something to press under a message."""

    text: str
    data: str
    """What comes back when it is pressed: at most 64 bytes, for Telegram."""
    label: str = ""
    """What a menu says for it, where there is room for more than ``text``."""
    is_chosen: bool = False
    """True for the one that holds now."""
    opens_form: bool = False
    """True where it asks for a text; platforms without forms leave it out."""


@dataclass(frozen=True, slots=True)
class Menu:
    """Alternatives, one of which is chosen: a menu where a platform has menus, else buttons."""

    prompt: str
    options: tuple[Button, ...]


Row = tuple[Button, ...] | Menu


@dataclass(frozen=True, slots=True)
class OutgoingMessage:
    """What is to be shown in a chat."""

    text: str
    is_markdown: bool = False
    """True for a model's words; false for ours and for what people wrote: shown as they are."""
    buttons: tuple[Row, ...] = ()
    """Row by row, at most five."""


@dataclass(frozen=True, slots=True)
class Press:
    """A button that was pressed. Its data may be forged: only ``account`` is certain."""

    account: Account
    place: Place
    data: str
    locale: str | None = None
    text: str | None = None
    """What was written into the form that the button opened."""


@dataclass(frozen=True, slots=True)
class Form:
    """What a person is asked to write."""

    title: str
    text: str
    """What stands there already, to be changed."""
