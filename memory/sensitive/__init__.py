"""What must never be kept, whoever asks: secrets, cards, identity numbers, ways to reach people.

Each detector takes any text and says yes or no. It looks for the thing itself, not for its name:
"I forgot my password" is no secret. None asks the network, and each is linear in the text's length.
"""

from memory.sensitive.cards import holds_payment_card
from memory.sensitive.contacts import holds_private_contact
from memory.sensitive.identity_numbers import holds_national_id
from memory.sensitive.keys import holds_key
from memory.sensitive.passwords import holds_password


def holds_secret(text: str) -> bool:
    """Say whether ``text`` holds a password, a code, a key, a token or a recovery phrase."""
    return holds_key(text) or holds_password(text)


__all__ = [
    "holds_national_id",
    "holds_payment_card",
    "holds_private_contact",
    "holds_secret",
]
