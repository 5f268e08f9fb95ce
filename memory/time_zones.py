"""Time zones by their IANA names."""

from zoneinfo import ZoneInfo, ZoneInfoNotFoundError


def is_time_zone(name: str) -> bool:
    """Say whether ``name`` is an IANA time zone, such as Asia/Taipei."""
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):  # also names that are no path or a folder
        return False
    return True
