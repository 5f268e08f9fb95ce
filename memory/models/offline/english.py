"""What statements look like in English."""

import re

from memory.models.offline.kinds import Kind, kind

_EXAM = (
    r"(?:ielts|toefl|toeic|gept|cambridge|fce|cae|cpe|pte|duolingo|sat|gre|gmat|exams?|tests?|midterms?"
    r"|finals?|certificate)"
)
_OCCASION = (
    r"(?:interviews?|presentations?|meetings?|talks?|speech|conference|business\strip|workshop|debate"
    r"|phone\scall|video\scall|lesson|class|first\sday)"
)
_LEARNING = (
    r"(?:english|grammar|vocabulary|words?|phrases?|idioms?|phrasal\sverbs?|speak(?:ing)?|listen(?:ing)?"
    r"|read(?:ing)?|writ(?:e|ing)|pronunc\w+|accents?|tenses?|articles?|prepositions?|spelling"
    r"|conversations?|fluent\w*|small\stalk|e-?mails?|present(?:ation|ing)?|essays?|verbs?|nouns?"
    r"|plurals?|conditionals?|passive|subtitles?|podcasts?|translat\w+|[abc][12]\b|ielts|toefl|toeic"
    r"|native\sspeakers?|meetings?|interviews?|sounds?)"
)
_TEACHING = (
    r"(?:correct|explain|give\sme|use|ask\sme|tell\sme|teach|remind|show|speak|write|answer|reply|keep"
    r"|be|talk|practi[sc]e|translate|don'?t|do\snot|avoid)"
)

EXPLICIT = re.compile(
    r"^(?:(?:can|could|would)\syou\s)?(?:please\s)?(?:do\s)?(?:remember|note|keep\sin\smind|don'?t\sforget"
    r"|make\sa\snote|write\sdown)(?:\s(?:for\sme\s)?that|\sthis|\s?[:,–-])\s?(?P<rest>.{3,})",
    re.IGNORECASE,
)
QUESTION = re.compile(
    r"^(?:do|does|did|is|are|was|were|am|can|could|should|would|will|shall|may|have|has|had|what|when"
    r"|where|which|who|whose|why|how|tell\sme\s(?:about|how|what|why|a\b)|let'?s)\b",
    re.IGNORECASE,
)
HYPOTHETICAL = re.compile(
    r"\b(?:if|unless|imagine|suppose|in\scase|i\swish|as\sif|what\sif|let'?s\ssay|for\sexample|e\.g\.|kidding|joking)\b"
    r"|\bwould\s(?:have|be)\b",
    re.IGNORECASE,
)
UNCERTAIN = re.compile(
    r"\b(?:maybe|perhaps|might|possibly|probably|not\ssure|i\s(?:guess|suppose)|i\sdon'?t\sknow\sif"
    r"|i'?m\sthinking\sabout|just\skidding|kidding|joking|jk|lol|lmao|haha+|hahaha)\b|😂|🤣|;-?\)",
    re.IGNORECASE,
)
OTHERS = re.compile(
    r"^(?!.{0,60}\bme\s(?:to|about)\b)(?:(?:my|our|his|her|their)\s(?:\w+\s)?(?:sisters?|brothers?|mother|mom|mum|father|dad|parents?"
    r"|wife|husband|son|daughter|kids?|children|friends?|best\sfriend|colleagues?|coworkers?|boss"
    r"|manager|teacher|classmates?|roommate|neighbou?rs?|girlfriend|boyfriend|cousins?|uncle|aunt"
    r"|grand\w+|clients?|cat|dog)|he|she|they|someone|somebody|people|everyone|everybody|you)"
    r"\b(?!['’]s\s(?:name|birthday))",
    re.IGNORECASE,
)
REPORTED = re.compile(
    r"\b(?:i\sheard\sthat|they\ssay|said|says|told\sme|tells\sme|asked|thinks|wrote|claims|according\sto)\b",
    re.IGNORECASE,
)
DENIED = re.compile(
    r"\b(?:i\s(?:don'?t|do\snot|didn'?t|did\snot|won'?t|will\snot)\s(?:have|want|need|plan|work|study"
    r"|live|take|take\spart)|i(?:'m|\sam)\snot|i\shave\sno\b|i\shaven'?t|my\s\w+\s(?:isn'?t|is\snot)"
    r"|no\slonger|never\shad)\b",
    re.IGNORECASE,
)

DIFFICULTIES = (
    kind(
        r"""\bi(?:'m|\sam)?\s(?:still\s|often\s|always\s|usually\s|sometimes\s|really\s|just\s|keep\s)*
        (?:struggl\w+|confus\w+|mix(?:ing)?\s?up|mix(?:ing)?\b.{1,60}\bup|forget(?:ting)?|can(?:'t|not)(?!\s(?:wait|help))
        |can\snot|don'?t\sunderstand|do\snot\sunderstand|don'?t\sknow\s(?:when|how|which|what)
        |never\sknow|have\s(?:trouble|problems?|difficult\w+|a\shard\stime)|make\s(?:\w+\s){0,2}mistakes?
        |get\s(?:lost|confused|stuck|nervous)|(?:feel|get|am|'m)\s(?:so\s|very\s|too\s|really\s)?
        (?:nervous|afraid|scared|shy|anxious)|bad\sat|weak\s(?:at|in)|not\s(?:good|confident)
        |afraid\sof|scared\sof|worried\sabout|translate\sin\smy\shead|freeze|lose\s(?:my\s)?words?)""",
        "semantic",
        "recurring_difficulty",
    ),
    kind(
        rf"""\b(?:i\sfind|i\sthink|for\sme)\b.{{0,60}}\b(?:hard|difficult|confusing|tricky|challenging)
        |\b{_LEARNING}.{{0,40}}\b(?:is|are|seems?)\s(?:still\s|so\s|very\s|really\s|too\s)*
        (?:hard|difficult|confusing|tricky|a\sproblem|my\sweak\w*)
        |\bmy\s(?:biggest|main|weak\w*)\s(?:problem|difficulty|weakness|point)
        |\bmy\s{_LEARNING}\s(?:is|are)\s(?:still\s|very\s|really\s|so\s)*(?:bad|poor|weak|terrible|slow|not\sgood)""",
        "semantic",
        "recurring_difficulty",
    ),
)

KINDS: tuple[Kind, ...] = (
    kind(
        r"""\b(?:my|the)\s(?:main\s|big\s|biggest\s|new\s|next\s|learning\s|current\s|english\s)*
        (?:goal|aim|target|dream|plan)s?\s(?:is|are|this|for)\b""",
        "semantic",
        "learning_goal",
    ),
    kind(
        rf"""^(?:please\s)?(?:always\s|never\s)?{_TEACHING}\b.{{0,80}}\b(?:me|my|when|with|in|examples?
        |mistakes?|first|after|short\w*|slow\w*)\b
        |\bi(?:'d|\swould)?\s(?:want|like|prefer)\s(?:it\sif\s)?(?:you\sto\b|to\sbe\s(?:corrected|asked|taught))
        |\bi\s(?:learn|remember|study)\s(?:best|better|faster|more)\b""",
        "semantic",
        "preference",
    ),
    *DIFFICULTIES,
    kind(
        rf"""\bi(?:'m|\sam|'ve\sbeen|\shave\sbeen)?\s(?:really\s|still\s|now\s|currently\s)*
        (?:prepar(?:e|ing)|studying|training|revising|practi[sc]ing|aim(?:ing)?|work(?:ing)?\stowards?)
        \s(?:for|to|at)\b.{{0,80}}\b(?:{_EXAM}|{_OCCASION}|{_LEARNING}|score|band|points?|\d)""",
        "semantic",
        "learning_goal",
    ),
    kind(
        rf"""\bi(?:'d|\swould)?\s(?:really\s|also\s|still\s|just\s|now\s)*
        (?:want|hope|plan|need|intend|have|like|love|wish|am\sgoing|'m\sgoing)\sto\s
        (?:be\sable\sto\s|learn\s(?:how\s)?to\s)?
        (?:reach|pass|get|score|improve|learn|speak|understand|become|study|work|move|write|read|talk
        |achieve|master|finish|apply|give|present|practi[sc]e|expand|sound|use|follow|communicate|be)
        \b.{{0,100}}?(?:{_EXAM}|{_LEARNING}|abroad|university|master'?s|phd|job|promotion|career|visa
        |degree|score|band|points?|fluent|confident)""",
        "semantic",
        "learning_goal",
    ),
    kind(
        rf"""\bi(?:'m|\sam)\slearning\senglish\s(?:because|for|to|so)\b
        |\bi\s(?:need|want)\s(?:a\s|an\s|to\sget\s)?(?:{_EXAM}|[abc][12]\b|band|score|\d)""",
        "semantic",
        "learning_goal",
    ),
    kind(
        rf"""\b(?:my|the)\s(?:\w+\s){{0,3}}(?:{_EXAM}|{_OCCASION})\s(?:is|are|was|moved|starts?|takes?\splace
        |will\sbe|has\sbeen|got)\b.{{0,30}}\b(?:on|in|at|to|this|next|tomorrow|today|yesterday|until)\b""",
        "episodic",
        "meaningful_event",
    ),
    kind(
        rf"""\bi(?:'ll|'ve|\swill|\shave|'m|\sam)?\s(?:just\s|finally\s|also\s|already\s|got\s)*
        (?:passed|failed|scored|got|reached|finished|completed|improved|managed|understood|gave|held
        |learned|learnt|mastered|won)\b.{{0,80}}\b(?:{_EXAM}|{_LEARNING}|{_OCCASION}|score|band|points?)""",
        "episodic",
        "learning_progress",
    ),
    kind(
        rf"""^(?:just|finally)\s(?:passed|finished|got|reached|understood|gave|had)\b
        | \bi\scan\s(?:now|finally|already)\b | \bmy\s{_LEARNING}\b.{{0,40}}\b(?:better|improv\w+)
        | \bfor\sthe\sfirst\stime\b | \bmy\sfirst\s(?:\w+\s){{0,3}}(?:{_OCCASION}|conversation)\b
        | \bi\s(?:finally|now)\sunderst\w+""",
        "episodic",
        "learning_progress",
    ),
    kind(
        rf"""\bi(?:'m|\sam|'ve|\shave|'ll|\swill|\shad|'d)?\s(?:also\s|just\s|finally\s|got\s|been\s)*
        (?:have|having|had|got|take|taking|took|sit(?:ting)?|register(?:ed)?\sfor|sign(?:ed)?\sup\sfor
        |going\sto\s(?:have|take|give)|give|giving|gave|attend(?:ed|ing)?|fly|flying|travel\w*|invited)
        \b.{{0,60}}\b(?:{_EXAM}|{_OCCASION}|london|abroad)\b
        | \bi\s(?:have|had|will\shave|got)\s(?:an?\s|my\s)(?:\w+\s){{0,3}}(?:{_EXAM}|{_OCCASION})""",
        "episodic",
        "meaningful_event",
    ),
    kind(
        r"""\bi(?:'m|\sam)\s(?:an?\s|the\s)?(?:\w+[\s-]){0,3}(?:engineer|developer|programmer|nurse|doctor
        |teacher|student|designer|manager|accountant|lawyer|chef|waiter|waitress|driver|salesperson
        |assistant|researcher|scientist|analyst|consultant|writer|translator|artist|musician|pilot
        |flight\sattendant|freshman|sophomore|junior|senior|freelancer|clerk|secretary|pharmacist
        |dentist|architect|journalist|barista|receptionist|guide|technician|mechanic|intern)\b
        |\bi\s(?:study|teach|major\sin)\s(?:\w+\s){1,3}(?:at|in)\b
        |\bi\s(?:currently\s|now\s)?(?:work|study|teach|major|am\smajoring|'m\smajoring)\s(?:as|at|in|for|with)\b
        |\bi(?:'m|\sam)\s(?:currently\s|now\s)?(?:working|studying|majoring|teaching)\b
        |\bmy\s(?:job|major|company|work|boss|team)\b.{0,30}\b(?:is|are|needs?|requires?|uses?)\b
        |\bi\s(?:just\s|recently\s)?started\s(?:working|to\swork|a\snew\sjob|my\snew\sjob)\b
        |\bwants?\sme\sto\b.{0,60}\benglish\b
        |\bi\suse\senglish\b|\bi\sneed\senglish\b|\bat\swork\si\b""",
        "semantic",
        "stable_fact",
    ),
    kind(
        r"""\bmy\s(?:english\s|current\s)*level\s(?:is|was)\b|\bi(?:'m|\sam)\s(?:at\s|about\s|around\s)?
        (?:an?\s)?(?:level\s)?(?:[abc][12]\b|beginner|(?:upper[\s-]|pre[\s-])?intermediate|advanced)
        |\bmy\s(?:\w+\s){0,2}score\s(?:is|was)\b|\bi\s(?:have|got|scored)\s(?:an?\s)?
        (?:\d(?:\.\d)?|[1-9]\d{1,2})\s(?:in|on|at|points?)\b""",
        "semantic",
        "stable_fact",
    ),
    kind(
        r"""\bmy\s(?:native|first|mother)\s(?:language|tongue)\b|\bi(?:'m|\sam)\sfrom\b
        |\bi\s(?:live|grew\sup|was\sborn)\sin\b|\bi\s(?:speak|also\sspeak)\s(?!english)\w+(?:\sat\shome)?\b
        |\bi(?:'m|\sam)\s(?:\w+\s)?(?:taiwanese|japanese|korean|indian|brazilian|spanish|german|french)\b""",
        "semantic",
        "stable_fact",
    ),
    kind(
        r"""\bi\s(?:usually\s|always\s|often\s|only\s|try\sto\s)*(?:study|practi[sc]e|read|listen|learn
        |watch|write|review|speak)\b.{0,60}\b(?:every|each|daily|weekly|minutes?|hours?|in\sthe\s(?:morning
        |evening)|at\snight|on\s\w+days|weekends?)\b | \bi\s(?:only\s)?have\s(?:only\s)?\w+\s
        (?:minutes?|hours?)\b | \bmy\senglish\sclass(?:es)?\b""",
        "semantic",
        "stable_fact",
    ),
    kind(
        r"""\bi\s(?:just\s|also\s)?(?:ate|had|bought|drank|cooked|slept|woke|got\sup|missed|lost|watched)
        \b | \b(?:weather|raining|rainy|sunny|hot\stoday|cold\stoday)\b | \bi(?:'m|\sam)\s(?:so\s|very\s)*
        (?:tired|hungry|sleepy|bored|busy|fine|ok|okay|good|happy|sad|angry|back|here|home)\b""",
        "episodic",
        "transient",
        should_store=False,
    ),
    kind(
        r"""\bi\s(?:really\s|also\s|don'?t\s|do\snot\s)*(?:like|love|enjoy|prefer|hate|dislike|can'?t\sstand)
        \b(?!.{0,40}\b(?:pizza|noodles?|rice|food|tea|coffee|weather|rain|lunch|dinner|breakfast)\b)
        |\bmy\s(?:favou?rite|hobby|hobbies)\b|\bi(?:'m|\sam)\s(?:really\s|very\s)?(?:interested\sin|into
        |a\sfan\sof)\b""",
        "semantic",
        "preference",
    ),
    kind(
        r"\bi\s(?:really\s|also\s|don'?t\s|do\snot\s)*(?:like|love|enjoy|prefer|hate|dislike)\b",
        "semantic",
        "out_of_scope",
        should_store=False,
    ),
)

PROFILE: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "name",
        re.compile(
            r"\b(?i:my\sname\sis|call\sme|my\sname['’]s)\s(?P<value>[A-Z][\w'-]{0,30}(?:\s[A-Z][\w'-]{0,30})?)"
        ),
    ),
    (
        "name",
        re.compile(
            r"^(?:hi|hello|hey)[,!.]?\s(?:I'm|I\sam|this\sis)\s(?P<value>[A-Z][\w'-]{1,30})(?=[.!,]|$)",
            re.IGNORECASE,
        ),
    ),
    (
        "native_language",
        re.compile(
            r"\bmy\s(?:native|first|mother)\s(?:language|tongue)\sis\s(?P<value>[A-Z]\w+(?:\s[A-Z]\w+)?)",
            re.IGNORECASE,
        ),
    ),
    (
        "level",
        re.compile(
            r"\b(?:my\s(?:english\s|current\s)*level\sis|i(?:'m|\sam)\s(?:at|about|around)?|i\s(?:just\s)?reached)"
            r"\s?(?:now\s|about\s|around\s|at\s|level\s|an?\s)*(?P<value>[ABC][12]|beginner|(?:upper[\s-])?intermediate|advanced)\b",
            re.IGNORECASE,
        ),
    ),
    (
        "goal",
        re.compile(
            r"\bmy\s(?:main\s|learning\s|current\s|english\s|big\s)*(?:goal|aim|target)\sis\s(?:to\s)?(?P<value>[^.!?;\n]{4,150})",
            re.IGNORECASE,
        ),
    ),
    (
        "goal",
        re.compile(
            r"\bi\s(?:really\s)?(?:want|need|hope|plan)\sto\s(?P<value>(?:reach|pass|get|score|achieve)\s[^.!?;\n]{2,120})",
            re.IGNORECASE,
        ),
    ),
    (
        "style",
        re.compile(
            r"(?P<value>\bplease\s(?:always\s)?(?:correct|explain|give\sme\sexamples|use|ask\sme)\b[^.!?;\n]{2,120})"
            r"|\bi\s(?:want|prefer|like)\s(?P<other>(?:to\sbe\scorrected|short\sexplanations|explanations\sin|examples)[^.!?;\n]{0,120})",
            re.IGNORECASE,
        ),
    ),
)
