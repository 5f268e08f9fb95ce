"""Text that tries to instruct the assistant, however it is disguised.

A learner may say how they want to be taught ("please correct me directly", "you must always answer
in English"); nobody may change who the assistant is, what it follows, or whom it speaks about.
Rules are about orders: someone who tells of instructions they got or forgot gives none.
"""

import re

from memory.disguises import compact_readings, readings

_RULES_WORD = (
    r"(?:instructions?|rules?|prompts?|guidelines?|directions?|commands?|orders?|polic(?:y|ies)"
    r"|restrictions?|training|programming|context|messages?)\b"
)
_DROP = r"(?:ignore|disregard|forget|override|bypass|overrule|skip|drop)"
_ORDER = (
    r"(?:^|(?<=[.!?;:,\n\"'(>\]*-])|(?<=[.!?;:,\n\"'(>\]*-]\s)"
    r"|(?<=\bplease\s)|(?<=\bkindly\s)|(?<=\bnow\s)|(?<=\bjust\s)|(?<=\bthen\s)"
    r"|(?<=you\smust\s)|(?<=you\sshould\s)|(?<=you\swill\s)|(?<=you\scan\s)|(?<=you\sto\s))"
)
"""Where a verb gives an order: not after "I", "to" or "students"."""
_ABOUT_LEARNING = (
    r"(?:grammar|spelling|articles?|tenses?|pronunciation|vocabulary|punctuation|teacher|school"
    r"|exam|test|game|class|traffic)"
)
_TEACHING = (
    r"(?:please\s)?(?:correct|teach|explain|ask|quiz|test|help|remind|encourage|practi[sc]e|translate"
    r"|speak|talk|use|start|begin|(?:show|tell|give)\sme|(?:reply|answer|respond|write)(?:\sto\sme)?"
    r"\sin\s(?:simple|easy|plain|slow|english|chinese|mandarin|british|american|short|both))\b"
)
_SAYING = (
    r"(?:recommend|say|tell|reply|answer|respond|mention|advise|suggest|give|send|promote|ignore"
    r"|output|write|print|direct)"
)
_PRACTICE_ROLE = (
    r"(?:interviewer|examiner|wait(?:er|ress)|customer|clerk|boss|client|native|receptionist|doctor"
    r"|tourist|colleague|teacher|tutor|friend|officer|landlord|shop)"
)

_ENGLISH = re.compile(
    rf"""
    (?<!\bi\s)(?<!\bwe\s)(?<!\bnot\s)(?<!often\s)(?<!ally\s)(?<!always\s)(?<!sometimes\s)(?<!n't\s)
      \b{_DROP}\b[\w\s,'’]{{0,24}}
      \b(?:previous|prior|preceding|earlier|above|your|system|hidden|safety)\b
      (?![\w\s]{{0,20}}{_ABOUT_LEARNING})[\w\s,'’]{{0,30}}\b{_RULES_WORD}
    | {_ORDER}(?:completely\s|simply\s)?{_DROP}\b(?![\w\s]{{0,30}}\b{_ABOUT_LEARNING})
      [\w\s,'’]{{0,30}}\b{_RULES_WORD}
    | {_ORDER}(?:ignore|disregard|forget)\s(?:all\s|everything\s|anything\s)?(?:that\s)?
      (?:you\swere\stold|(?:the\s|was\s)?(?:said\s)?above|you\sknow\sabout\syour)
    | (?<!\bsays\s)(?<!\bsaid\s)(?<!\bthat\s)\b(?:you\sare|you're)\s(?:now|no\slonger)\s
      (?!my|our|ready|able|good|better|in\b|at\b|going|talking|speaking)
    | \b(?:act|behave|respond|reply|answer)\sas\s(?:if\syou\s(?:are|were|have|had)
      |an?\s(?:unrestricted|uncensored|jailbroken|evil|different|admin\w*|system|root))
    | {_ORDER}pretend\s(?:to\sbe|(?:that\s)?(?:you\sare|you're))\b
      (?![\w\s]{{0,30}}\b{_PRACTICE_ROLE})
    | (?<!\bi\s)(?<!,\s)\bfrom\snow\son,?\s(?:please\s)?
      (?:you\s(?:must|should|will|shall|are|have\sto)
      |always|never|every|all|reply|respond|answer|do|ignore|act)\b(?!\s(?:always\s|only\s)?{_TEACHING})
    | \byou\s(?:must|should|will|have\sto|need\sto|are\sto|shall)\s(?:now\s)?
      (?:always|never|only|obey)\b(?!\s{_TEACHING})
    | \b(?:obey|follow)\s(?:only\s)?(?:me|my\s(?:orders|commands|instructions))\b
    | \b(?:whenever|when|if|every\stime)\s(?:the|an?|another|any|some)\s?
      (?:user|one|body|person|learner|student|customer)s?\s[^.\n]{{0,60}}?
      ,\s(?:then\s|please\s|you\s(?:must|should)\s)?(?:always\s|never\s)?{_SAYING}\b
    | \b(?:whenever|every\stime)\s(?:the|an?|any)\s?(?:user|one|body)\s[^.,\n]{{1,60}}?
      \s(?<!\bi\s)(?<!\bwe\s)(?<!\bto\s)(?<!not\s)(?<!never\s)(?:recommend|promote|mention|reply)\b
    | (?<!\bto\s)\b(?:reveal|show|print|repeat|output|leak|dump|expose|tell\sme|give\sme|send)
      \b[\w\s,'’]{{0,30}}\b(?:system\s(?:prompt|message)|hidden\s(?:prompt|instructions?)
      |your\s(?:own\s|full\s|initial\s)?(?:prompt|instructions|rules|api\skeys?|training\sdata)
      |(?:other|another|all)\s(?:users?|people|persons?|learners?|students?)['’]?s?\s
       (?:memor|data|secret|message|info|profile)
      |memories\sof\s(?:other|another|all|every)|admin\spassword)
    | \b(?:enable|enter|activate|switch\sto|you\sare\sin)\s(?:\w{{1,12}}\s)?
      (?:dan|developer|debug|god|sudo|admin(?:istrator)?|jailbreak|unrestricted)\smode\b
    | \bjailbreak\s(?:yourself|mode|the\s(?:bot|assistant|ai|model))\b | \bdo\sanything\snow\b
    | (?<!\bmy\s)(?<!\bour\s)(?<!\ba\s)\bnew\s(?:system\s)?(?:instructions?|rules|persona)\s?:
    | \byour\s(?:new\s)?(?:system\sprompt|instructions|rules|persona|role|name)
      \s(?:is|are)\s(?:now|to)\b
    | \bsystem\s(?:override|prompt\s?:|update\s?:|message\s?:|instruction\s?:)
    | {_ORDER}(?:delete|erase|wipe|drop)\s(?:all|every(?:one)?)\b
      [\w\s'’]{{0,20}}\b(?:memor|user|table)
    | \bremember\s(?:to|that\syou\s(?:must|should|have\sto|will))\s(?:obey|ignore|tell\severy)
    | (?:^|[.!?\n]\s?|\bai\s|\byou,?\s)(?:the\s)?assistant\s(?:must|shall|should|has\sto|is\sto)
      \s(?:always\s|never\s|only\s)?(?:be|act|obey|follow|use|reveal|{_SAYING})\b
    | {_ORDER}(?:do\snot|don['’]t|never|stop)\s(?:follow|obey|respect)(?:ing)?\s
      (?:your|any|these|those|the\ssystem)\b[\w\s]{{0,20}}\b{_RULES_WORD}
    | {_ORDER}stop\sbeing\s(?:an?|the|my)\s(?:\w{{1,12}}\s)?
      (?:tutor|assistant|teacher|bot|companion|ai)\b
    | \byour\snew\s(?:name|role|identity|persona|job|task)\sis\b
    | \byou\s(?:now\s)?have\sno\s(?:restrictions|rules|limits|filters|guidelines)\b
    | \bwhat\s(?:are|is|were)\syour\s(?:system\s|initial\s)?(?:instructions|prompt|rules)\b
    | (?<!\bto\s)\b(?:tell|show|give)\sme\s(?:what|everything)\s(?:the\s)?(?:other|another|all)\s
      (?:users?|people|learners?|students?|persons?)\b
    | \b(?:every|each|all|your)\s(?:repl(?:y|ies)|answers?|responses?|messages?),?\s
      (?:must\s|should\s|you\s|always\s|to\s){{0,3}}(?:mention|recommend|promote|advertise|praise)\b
    | {_ORDER}(?:always\s)?(?:mention|recommend|promote|advertise|praise)\b[^.\n]{{1,40}}
      \bin\s(?:every|each|all|your)\s(?:repl|answer|response|message)
    """,
    re.VERBOSE,
)
"""Read on text without case."""
_IN_CHINESE_ABOUT_LEARNING = (
    r"文法|語法|语法|單字|拼字|發音|考試|考试|老師|老师|遊戲|交通|學校|公司"
)
_TEACHING_IN_CHINESE = (
    r"糾正|改正|告訴我|慢慢|說慢|講慢|教我|解釋|說明|用英|用中|講英|講中|"
    r"說英|說中|問我|考我|幫我|提醒我|給我|先給|鼓勵"
)
_CHINESE = re.compile(
    rf"(?<![我常會易是直了])(?:忽略|無視|无视|忘記|忘记|忘掉|不要理會|不用理會|跳過|繞過|绕过|推翻)"
    rf"(?![^。！？!?\n]{{0,10}}(?:{_IN_CHINESE_ABOUT_LEARNING}))[^。！？!?\n]{{0,6}}"
    r"(?:之前|先前|以上|上述|上面|前面|你的|妳的|你所有|所有|一切|全部|系統|系统|任何)[^。！？!?\n]{0,10}"
    r"(?:指示|指令|規則|规则|設定|设定|提示|限制|命令|說明|政策|對話|内容|內容)"
    rf"|(?<!我)(?:從現在|从现在)(?:開始|开始|起)[，,\s]{{0,2}}請?(?:你|妳)"
    rf"(?![^。！？!?\n]{{0,12}}(?:{_TEACHING_IN_CHINESE}))"
    r"|(?<!我)(?:從今以後|從今天起|今後|往後|从今以后|今后)[，,\s]{0,2}請?(?:你|妳)"
    rf"(?![^。！？!?\n]{{0,12}}(?:{_TEACHING_IN_CHINESE}))"
    r"|(?:你|妳)不再是(?!我的朋友|學生|一個人)"
    r"|(?<![我會得])(?:不要|別|不用|停止)(?:遵守|遵循|聽從|理會)[^。！？!?\n]{0,3}(?:你的|妳的|系統|任何|所有)"
    r"[^。！？!?\n]{0,6}(?:規則|指示|指令|設定|限制|命令)"
    r"|(?:每次|每個|每則|所有)(?:回答|回覆|回复|訊息)[^。！？!?我\n]{0,8}(?:推薦|提到|宣傳|廣告|介紹)"
    r"|(?:你|妳)(?:現在|现在)(?:是|叫|扮演)(?!我的|在|不是)"
    rf"|(?<![說说訴])(?:你|妳)(?:必須|必须|一定要|務必|只能|應該永遠)"
    rf"(?![^。！？!?\n]{{0,10}}(?:{_TEACHING_IN_CHINESE}))"
    r"|(?<!我)(?<!我會)(?:假裝|假装)(?:你|妳)"
    r"|(?<!我)(?:假裝|假装|扮演)(?:成|一個)?"
    r"(?:管理員|管理员|系統|系统|開發者|駭客|沒有限制)"
    r"|(?:顯示|显示|告訴我|告诉我|洩漏|洩露|泄露|說出|印出|輸出|给我|給我)[^。！？!?\n]{0,12}"
    r"(?:系統提示|系统提示|提示詞|提示词|你的指令|你的設定|別人的記|別人的資|所有人的"
    r"|其他(?:使用者|用戶|用户|人)的?(?:記憶|记忆|資料|数据|對話|訊息|秘密))"
    r"|把(?:其他|別的|别的|別|别)(?:使用者|用戶|用户|學生|人)的[^。！？!?\n]{0,10}(?:給我|给我|告訴|列出|說出)"
    r"|(?:列出|顯示|说出|說出)[^。！？!?\n]{0,4}(?:所有|其他)(?:使用者|用戶|用户|學生|人)的?(?:記憶|记忆|資料|對話)"
    r"|(?<!我)(?:刪除|删除|清空)(?:所有|全部)[^。！？!?\n]{0,8}(?:記憶|记忆|使用者|用戶|用户)"
    r"|(?:開啟|啟用|進入|启用|进入|切換到)?(?:越獄|越狱|上帝|無限制)模式"
    r"|(?:開啟|啟用|進入|启用|进入|切換到)(?:開發者|开发者|管理員|管理员)模式|^(?:開發者|开发者)模式"
    r"|(?:系統|系统)(?:提示|訊息|消息|指令)?\s?[:：]|新的?(?:指令|規則)\s?[:：]"
    r"|(?:每次|只要|當|如果|以後)[^。！？!?\n]{0,8}(?:使用者|用戶|用户|有人問|有人问)"
    r"[^。！？!?我\n]{0,10}(?:你|妳|推薦|推荐|一律|都要|都回答)"
    r"|(?:助理|助手|機器人|ai)\s?(?:必須|必须|要永遠|一律|務必)"
)
_MARKUP = re.compile(
    r"<\|?/?\s?(?:im_start|im_end|system|assistant|user|endoftext|start_header_id|eot_id)\b"
    r"|\[/?(?:inst|sys)\]|<<\s?/?sys\s?>>|</?s>|<(?:start|end)_of_turn>"
    r"|(?:^|\n)\s{0,4}(?:#{1,4}\s?)?(?:system|assistant|developer|human|user)\s?[:：]"
    r"|\bsystem\s?:\s?(?:you|ignore|new|override|the\sassistant|from\snow)\b"
    r"|(?:^|\n)\s?#{2,4}\s?(?:instruction|response)s?\b"
    r"|\{\s?\"?(?:role|tool_calls?|function_call)\"?\s?:|background\s\(quoted"
)
_COMPACT = re.compile(
    r"(?:ignore|disregard|forget|override|bypass)(?:all|any|the|your|my|previous|prior|above|of|these|"
    r"those|every|system){1,6}(?:instruction|rule|prompt|guideline|restriction)"
    r"|youarenow(?:dan|an?un|the|free)|(?:reveal|show|print)(?:me)?(?:your|the)systemprompt"
    r"|忽略(?:之前|以上|先前|所有)的?(?:所有)?的?(?:指示|指令|規則)"
)


def is_instruction(text: str) -> bool:
    """Say whether ``text`` tries to instruct the assistant."""
    return any(
        pattern.search(reading)
        for reading in readings(text)
        for pattern in (_ENGLISH, _CHINESE, _MARKUP)
    ) or any(_COMPACT.search(reading) for reading in compact_readings(text))
