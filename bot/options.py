"""What a person can turn on and off."""

from typing import Literal, get_args

PersonOption = Literal["kept", "sharing"]
"""kept: a line says what was kept of a message. sharing: groups see what was said elsewhere."""

OPTIONS: tuple[PersonOption, ...] = get_args(PersonOption)
