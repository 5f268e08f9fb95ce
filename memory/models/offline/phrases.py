"""What the offline model says, in English and in Traditional Chinese."""

from string import Template

_PHRASES: dict[str, tuple[str, str]] = {
    "hello": ("Hi$name! What would you like to practise today?", "嗨$name！今天想練習什麼？"),
    "thanks": ("You're welcome! Shall we go on?", "不客氣！要繼續嗎？"),
    "bye": ("See you soon! Keep at it, a little every day.", "下次見！每天一點點，持續最重要。"),
    "know_title": ("This is what I know about you:", "我知道的你："),
    "know_nothing": (
        "I don't know anything about you yet. Tell me your goal, your exam or what you find hard.",
        "我還不認識你。跟我說說你的目標、考試，或覺得難的地方吧。",
    ),
    "plan_title": ("Here is a plan for this week:", "這是本週的計畫："),
    "plan_for": ("What it is for: $goal", "為了這個目標：$goal"),
    "plan_days": ("$days days are left until $day.", "距離 $day 還有 $days 天。"),
    "plan_day": ("It is on $day, today!", "就是今天，$day！"),
    "plan_no_goal": (
        "Tell me your goal or your exam first, and I'll make a plan that fits it.",
        "先告訴我你的目標或考試，我就能安排適合的計畫。",
    ),
    "plan_speak": (
        "Monday to Wednesday: 15 minutes of speaking. Say one answer aloud, record it, and say it better.",
        "週一到週三：每天口說 15 分鐘。把一個答案說出來、錄音，再說得更好一次。",
    ),
    "plan_difficulty": (
        "Thursday: 20 minutes on what you find hard: $difficulty",
        "週四：花 20 分鐘練你覺得難的地方：$difficulty",
    ),
    "plan_review": (
        "Thursday: 20 minutes of going over this week's mistakes.",
        "週四：花 20 分鐘複習這週犯的錯。",
    ),
    "plan_input": (
        "Friday: listen to or read something in English for 20 minutes and note five phrases.",
        "週五：聽或讀 20 分鐘英文，記下五個片語。",
    ),
    "plan_mock": (
        "Weekend: one trial run under real conditions, then write down what to improve.",
        "週末：照真實狀況完整練習一次，再寫下要改進的地方。",
    ),
    "plan_style": ("And as you like it: $style", "並照你喜歡的方式：$style"),
    "recall_title": ("You told me:", "你跟我說過："),
    "recall_past": ("$content (that day has passed)", "$content（那天已經過了）"),
    "recall_said": ("$content (you said it on $day)", "$content（你在 $day 說的）"),
    "practice_title": ("Let's practise. $why", "我們來練習吧。$why"),
    "practice_why": ("It is about this: $difficulty", "針對這一點：$difficulty"),
    "answer_here": ("Write your answer and I'll look at it.", "寫下你的答案，我來看看。"),
    "better": ("Better: “$better” – $reason", "更好的說法：「$better」－$reason"),
    "no_slip": (
        "I see no slip my rules know in “$sentence”.",
        "「$sentence」裡沒有我的規則認得的錯誤。",
    ),
    "ask_date": ("When is it?", "是什麼時候呢？"),
    "ask_next": (
        "What do you find hardest about it?",
        "你覺得其中最難的是什麼？",
    ),
    "ask_goal": ("What is your goal with English?", "你學英文的目標是什麼？"),
    "goal": ("That is a clear goal.", "這個目標很清楚。"),
    "event": (
        "Thanks for telling me. Let's get you ready for it.",
        "謝謝你告訴我，我們一起準備吧。",
    ),
    "event_past": ("Thanks for telling me how it went.", "謝謝你告訴我經過。"),
    "difficulty": (
        "Many learners find that hard. We can practise it: just say “practise”.",
        "很多人都覺得這很難。想練習的話，說「練習」就可以了。",
    ),
    "progress": ("Well done, that is real progress!", "太棒了，這是很大的進步！"),
    "preference": ("Good to know how you like to learn.", "知道你喜歡怎麼學，很有幫助。"),
    "fact": ("Thanks for telling me about yourself.", "謝謝你跟我分享。"),
    "small_talk": (
        "I see! Try to say it in one more English sentence.",
        "原來如此！試著用英文再多說一句吧。",
    ),
    "asked_to_remember": (
        "All right. You'll see below whether it was kept.",
        "好的。有沒有記下來，下面會告訴你。",
    ),
    "cannot": (
        "I'm the offline model and work by simple rules, so I can't answer that. I can make a plan, give you an exercise, check a sentence or tell you what you told me. For free conversation, set OPENAI_API_KEY or llm.base_url.",
        "我是離線模式，只靠簡單的規則運作，這個我答不出來。我可以安排計畫、出練習、檢查句子，或告訴你之前說過的事。想自由對話，請設定 OPENAI_API_KEY 或 llm.base_url。",
    ),
    "cannot_again": (
        "My rules don't reach that far. Shall I make a plan or give you an exercise?",
        "這個超出我的規則了。要我安排計畫，還是出個練習？",
    ),
}


def say(key: str, *, chinese: bool, **values: str) -> str:
    """Return a phrase with its values; what people said is never read as a template."""
    return Template(_PHRASES[key][chinese]).substitute(values)
