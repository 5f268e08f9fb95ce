"""Keys and tokens that machines make: known by their form, or by looking like nothing else.

The forms of providers come from detect-secrets, by its detectors alone (its scanner reads settings
that are global to the process), and from here. A random word counts only when letters and digits
alternate as no name does; hashes and identifiers in lower case, and web addresses, are talk.
"""

import re
from itertools import pairwise
from typing import Any

from detect_secrets.plugins.aws import AWSKeyDetector
from detect_secrets.plugins.azure_storage_key import AzureStorageKeyDetector
from detect_secrets.plugins.basic_auth import BasicAuthDetector
from detect_secrets.plugins.discord import DiscordBotTokenDetector
from detect_secrets.plugins.github_token import GitHubTokenDetector
from detect_secrets.plugins.gitlab_token import GitLabTokenDetector
from detect_secrets.plugins.jwt import JwtTokenDetector
from detect_secrets.plugins.mailchimp import MailchimpDetector
from detect_secrets.plugins.npm import NpmDetector
from detect_secrets.plugins.private_key import PrivateKeyDetector
from detect_secrets.plugins.pypi_token import PypiTokenDetector
from detect_secrets.plugins.sendgrid import SendGridDetector
from detect_secrets.plugins.slack import SlackDetector
from detect_secrets.plugins.square_oauth import SquareOAuthDetector
from detect_secrets.plugins.stripe import StripeDetector
from detect_secrets.plugins.telegram_token import TelegramBotTokenDetector
from detect_secrets.plugins.twilio import TwilioKeyDetector

from memory.plain_text import plain

_DETECTORS: tuple[Any, ...] = (
    AWSKeyDetector(),
    AzureStorageKeyDetector(),
    BasicAuthDetector(),
    DiscordBotTokenDetector(),
    GitHubTokenDetector(),
    GitLabTokenDetector(),
    JwtTokenDetector(),
    MailchimpDetector(),
    NpmDetector(),
    PrivateKeyDetector(),
    PypiTokenDetector(),
    SendGridDetector(),
    SlackDetector(),
    SquareOAuthDetector(),
    StripeDetector(),
    TelegramBotTokenDetector(),
    TwilioKeyDetector(),
)

_FORMS = re.compile(
    r"""
    (?<![A-Za-z0-9])(?:
      (?:sk|pk|rk|gsk)[-_](?=[A-Za-z_-]{0,40}\d)[A-Za-z0-9_-]{16}   # OpenAI, Anthropic, Stripe
    | AIza[A-Za-z0-9_-]{30} | ya29\.[A-Za-z0-9_-]{20} | GOCSPX-[A-Za-z0-9_-]{20}   # Google
    | xox[abeoprs]-[A-Za-z0-9-]{10} | xapp-[A-Za-z0-9-]{10}         # Slack
    | gh[opusr]_[A-Za-z0-9]{20} | github_pat_[A-Za-z0-9_]{20} | glpat-[A-Za-z0-9_-]{20}
    | hf_[A-Za-z0-9]{20} | npm_[A-Za-z0-9]{30} | dop_v1_[a-f0-9]{40} | r8_[A-Za-z0-9]{30}
    | shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32} | AKC[A-Za-z0-9]{30} | NRAK-[A-Z0-9]{20}
    | (?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{12}                           # AWS
    | \d{6,12}:[A-Za-z0-9_-]{30}                                    # Telegram bots
    | [MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{25}  # Discord bots
    | eyJ[A-Za-z0-9_-]{8,2000}\.[A-Za-z0-9_-]{8}                    # JSON web tokens
    )
    | -----\s?BEGIN[ A-Z]{0,30}PRIVATE\sKEY
    | https://(?:hooks\.slack\.com/services|discord(?:app)?\.com/api/webhooks)/\w
    | ://[^\s/:@]{0,100}:[^\s/@]{1,100}@\w                          # user:password in an address
    | [?&;]\w{0,20}(?:token|key|secret|passw(?:or)?d|signature)=[^\s&]{8}
    """,
    re.VERBOSE,
)
_ADDRESS = re.compile(r"https?://\S{1,2000}|www\.\S{1,2000}")
_WORD = re.compile(r"[A-Za-z0-9+/_=-]{24,512}")
_ALTERNATIONS = 5
"""Letter beside digit, this often in one word: a random word of 24 has seven, a name one or two."""


def holds_key(text: str) -> bool:
    """Say whether ``text`` holds a key or a token."""
    words = plain(text)
    return (
        _FORMS.search(words) is not None
        or any(_finds(detector, words) for detector in _DETECTORS)
        or any(is_random(word) for word in _WORD.findall(_ADDRESS.sub(" ", words)))
    )


def is_random(word: str) -> bool:
    """Say whether ``word`` has capital and small letters and digits, mixed as only machines do."""
    alternations = sum(
        (left.isdigit() and right.isalpha()) or (left.isalpha() and right.isdigit())
        for left, right in pairwise(word)
    )
    return (
        any(map(str.islower, word))
        and any(map(str.isupper, word))
        and alternations >= _ALTERNATIONS
    )


def _finds(detector: Any, text: str) -> bool:  # noqa: ANN401 (detect-secrets has no types)
    return any(True for _ in detector.analyze_string(text))
