"""Text that tries to instruct the assistant, however it is disguised.

A learner may say how they want to be taught ("please correct me directly"); nobody may change who
the assistant is, what it follows, or whom it speaks about. Disguises are taken off first: width,
invisible characters, look-alike letters, spaced-out words, base64.
"""

import base64
import binascii
import re
import unicodedata

_INVISIBLE = re.compile(
    r"[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\U000e0000-\U000e007f]"
)
_LOOKALIKES = str.maketrans(
    "аеоорсухіѕјԁԛԝһӏΑΒΕΖΗΙΚΜΝΟΡΤΥΧαορνι",
    "aeoopcyxisjdqwhlABEZHIKMNOPTYXaopvi",
)
_SPACED_OUT = re.compile(r"\b(?:\w[\s._*-]){4,}\w\b")
_BASE64 = re.compile(r"[A-Za-z0-9+/]{16,}={0,2}")

_RULES_WORD = (
    r"(?:instructions?|rules?|prompts?|guidelines?|directions?|commands?|orders?|polic(?:y|ies)"
    r"|restrictions?|training|programming|context)"
)
_ENGLISH = re.compile(
    rf"""
    (?<!\bI\s)(?<!\bwe\s)(?<!always\s)(?<!often\s)(?<!sometimes\s)(?<!never\s)
      \b(?:ignore|disregard|forget|override|bypass|overrule|skip)\b[\w\s,'’]{{0,40}}\b{_RULES_WORD}\b
    | \b(?:ignore|disregard|forget)\s(?:all\s|everything\s|anything\s)?(?:that\s)?
      (?:you\swere\stold|(?:said\s)?above|you\sknow\sabout\syour)
    | \b(?:you\sare|you're)\s(?:now|no\slonger)\b
    | \b(?:act|behave|respond|reply|answer)\sas\s(?:if\syou\s(?:are|were)|an?\s
      (?:unrestricted|uncensored|jailbroken|evil|different|admin\w*|system))
    | \bpretend\s(?:to\sbe|that\syou|you\sare)\b
    | \bfrom\snow\son,?\s(?:you|always|never|every|all|reply|respond|answer|do|ignore|act)\b
    | \byou\s(?:must|should|will|have\sto|need\sto|are\sto|shall)\s(?:now\s)?(?:always|never|only)\b
    | \b(?:whenever|when|if|every\stime)\s
      (?:the\suser|an?(?:other)?\suser|(?:any|some)(?:one|body)\s(?:asks?|says?|wants?|mentions?))\b
    | \b(?:reveal|show|print|repeat|output|leak|dump|expose|tell\sme|give\sme|send)
      \b[\w\s,'’]{{0,30}}
      \b(?:system\s(?:prompt|message)|hidden\s(?:prompt|instructions?)|your\s(?:prompt|instructions)
      |other\s(?:users?|people|persons?|learners?|students?)['’]?s?\s(?:memor|data|secret|message|info)
      |memories\sof\s(?:other|another|all)|api\skeys?|environment\svariables)
    | \b(?:dan|developer|debug|god|sudo|admin(?:istrator)?|jailbreak)\smode\b
    | \bjailbreak\b | \bdo\sanything\snow\b
    | (?<!\bmy\s)(?<!\bour\s)\bnew\s(?:system\s)?(?:instructions?|rules?|persona)\s*:
    | \bsystem\sprompt\b
    | \bsystem\s(?:override|update|message)\b
    | \b(?:delete|erase|wipe|drop)\s(?:all|every(?:one)?)\b
      [\w\s'’]{{0,20}}\b(?:memor|data|user|table)
    | \bremember\s(?:to|that\syou\s(?:must|should|have\sto|will))\s(?:always|never|obey|ignore|tell)
    | \b(?:the\s)?assistant\s(?:must|should|shall|will|has\sto|is\sto|needs\sto)\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
_CHINESE = re.compile(
    r"(?<![我常會])(?<!容易)(?<!老是)(?<!總是)(?<!一直)(?:忽略|無視|无视|忘記|忘记|忘掉|不要理會|不理會|跳過|繞過|绕过|推翻)[^。！？\n]{0,14}"
    r"(?:指示|指令|規則|规则|設定|设定|提示詞|提示词|限制|命令|說明|政策)"
    r"|從現在(?:開始|起)[，,\s]?(?:你|都|請你|一律|永遠|不要)|从现在(?:开始|起)[，,\s]?(?:你|都)"
    r"|你(?:現在|现在)(?:是|叫|扮演)|你(?:必須|必须|一定要|務必|只能|應該永遠)"
    r"|(?:假裝|假装|扮演)(?:你|成|一個|自己)"
    r"|(?:顯示|显示|告訴我|告诉我|洩漏|泄露|說出|印出|輸出|给我|給我)[^。！？\n]{0,12}"
    r"(?:系統提示|系统提示|提示詞|提示词|你的指令|你的設定|別人的|其他(?:使用者|用戶|用户|人)的|所有人的|金鑰)"
    r"|(?:刪除|删除|清空)(?:所有|全部)[^。！？\n]{0,8}(?:記憶|记忆|資料|数据|使用者|用戶)"
    r"|(?:開發者|开发者|越獄|越狱|管理員|管理员|上帝)模式"
    r"|(?:系統|系统)(?:提示|訊息|消息|指令)\s?[:：]|新的?(?:指令|規則|規定)\s?[:：]"
    r"|(?:每次|只要|當|如果)[^。！？\n]{0,8}(?:使用者|用戶|用户|有人問|有人问)[^。！？\n]{0,10}(?:你|都|就)"
    r"|(?:助理|助手|機器人|AI)(?:必須|應該|要永遠|一律)"
)
_MARKUP = re.compile(
    r"<\|?/?\s?(?:im_start|im_end|system|assistant|user|endoftext|start_header_id|eot_id)\b"
    r"|\[/?(?:INST|SYS)\]|<<\s?/?SYS\s?>>"
    r"|(?:^|\n)\s{0,4}(?:#{1,4}\s?)?(?:system|assistant|developer|human|user)\s?[:：]"
    r"|\{\s?\"?(?:role|tool_calls?|function_call)\"?\s?:|BACKGROUND\s\(quoted",
    re.IGNORECASE,
)


def is_instruction(text: str) -> bool:
    """Say whether ``text`` tries to instruct the assistant."""
    return any(
        pattern.search(form)
        for form in _undisguised(text)
        for pattern in (_ENGLISH, _CHINESE, _MARKUP)
    )


def _undisguised(text: str) -> list[str]:
    """Return the readings of ``text``: as it is, with words joined again, and decoded."""
    plain = _INVISIBLE.sub("", unicodedata.normalize("NFKC", text)).translate(_LOOKALIKES)
    joined = _SPACED_OUT.sub(lambda match: re.sub(r"[\s._*-]", "", match[0]), plain)
    despaced = re.sub(r"(?<=\w)[*_](?=\w)", "", plain)
    readings = {
        text,
        plain,
        joined,
        despaced,
        *(_decode(item[0]) for item in _BASE64.finditer(plain)),
    }
    return [_one_spaced(reading) for reading in readings if reading]


def _one_spaced(text: str) -> str:
    return re.sub(r"[^\S\n]+", " ", text)


def _decode(text: str) -> str:
    """Return what base64 says, or nothing where it says no text."""
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), validate=True).decode()
    except (binascii.Error, ValueError):
        return ""
