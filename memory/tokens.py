"""How long a text is for a model, without the model's tokenizer.

Tokenizers differ by model and the common ones download their tables, so this is an estimate, on the
high side: a budget that is kept a little too well never overflows a context window.
"""

import re
from math import ceil

_WIDE = re.compile(r"[\u2e80-\ua4cf\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\U0001f000-\U0003ffff]")
CHARACTERS_PER_TOKEN = 3.5


def estimate_tokens(text: str) -> int:
    """Estimate the tokens of ``text``: one for a wide character, one for 3.5 of the others."""
    wide = len(_WIDE.findall(text))
    return wide + ceil((len(text) - wide) / CHARACTERS_PER_TOKEN)
