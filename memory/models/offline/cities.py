"""Time zones that a learner names by the place they live in."""

import re

ZONES = {
    "Asia/Taipei": r"taiwan|taipei|taichung|kaohsiung|tainan|hsinchu|台灣|臺灣|台北|臺北|新北|桃園|新竹|台中|臺中|台南|臺南|高雄",
    "Asia/Hong_Kong": r"hong kong|香港",
    "Asia/Shanghai": r"beijing|shanghai|shenzhen|北京|上海|深圳",
    "Asia/Tokyo": r"tokyo|osaka|japan|日本|東京|大阪",
    "Asia/Seoul": r"seoul|korea|韓國|首爾",
    "Asia/Singapore": r"singapore|新加坡",
    "Asia/Kuala_Lumpur": r"kuala lumpur|malaysia|馬來西亞|吉隆坡",
    "Asia/Ho_Chi_Minh": r"vietnam|hanoi|越南|胡志明",
    "Asia/Bangkok": r"bangkok|thailand|泰國|曼谷",
    "Asia/Kolkata": r"india|mumbai|delhi|印度",
    "Europe/London": r"london|england|uk|倫敦|英國",
    "Europe/Berlin": r"berlin|germany|德國|柏林",
    "Europe/Paris": r"paris|france|法國|巴黎",
    "Europe/Madrid": r"madrid|spain|西班牙",
    "America/New_York": r"new york|boston|紐約|波士頓",
    "America/Los_Angeles": r"los angeles|san francisco|seattle|洛杉磯|舊金山|西雅圖",
    "America/Toronto": r"toronto|多倫多",
    "America/Vancouver": r"vancouver|溫哥華",
    "Australia/Sydney": r"sydney|melbourne|雪梨|墨爾本",
}
_LIVING = re.compile(
    r"\bi\s(?:now\s|currently\s)?live\sin\s(?P<place>[\w\s]{2,40})|我(?:現在|目前)?住在?(?P<han>[\u4e00-\u9fff]{2,8})",
    re.IGNORECASE,
)
_NAMED_ZONE = re.compile(
    r"\b(?:Africa|America|Asia|Australia|Europe|Pacific)/[A-Za-z_]{2,30}(?:/[A-Za-z_]{2,30})?\b"
)
_PLACES = {
    zone: re.compile(rf"(?<![a-z])(?:{names})(?![a-z])", re.IGNORECASE)
    for zone, names in ZONES.items()
}


def find_time_zone(sentence: str) -> tuple[str, str] | None:
    """Return the IANA zone of where the learner says they live, and the words that say so."""
    named = _NAMED_ZONE.search(sentence)
    if named and re.search(r"time\s?zone|時區|时区", sentence, re.IGNORECASE):
        return named[0], named[0]
    living = _LIVING.search(sentence)
    if living is None:
        return None
    place = living["place"] or living["han"]
    zone = next((zone for zone, names in _PLACES.items() if names.search(place)), None)
    return None if zone is None else (zone, living[0].strip())
