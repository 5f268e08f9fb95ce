"""What must never be kept, and the ordinary talk that must pass. All secrets are invented."""

import random
import string
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stdnum import luhn

from memory.sensitive import (
    holds_national_id,
    holds_payment_card,
    holds_private_contact,
    holds_secret,
)

DETECTORS = (holds_secret, holds_payment_card, holds_national_id, holds_private_contact)


def invented(length: int, alphabet: str = string.ascii_letters + string.digits) -> str:
    """Characters that look like a key, put together here so that no scanner takes them for one."""
    return "".join(random.Random(length).choices(alphabet, k=length))  # noqa: S311 (no secret)


KEYS = [
    "sk-" + invented(48),
    "sk-proj-" + invented(60),
    "sk-ant-api03-" + invented(60),
    "sk_live_" + invented(24),
    "AKIA" + invented(16, string.ascii_uppercase + string.digits),
    "AIza" + invented(35),
    "ghp_" + invented(36),
    "github_pat_" + invented(40),
    "glpat-" + invented(20),
    "xoxb-" + invented(11, string.digits) + "-" + invented(24),
    "hf_" + invented(34),
    "npm_" + invented(36),
    "123456789:AA" + invented(33),
    "MTA" + invented(21) + "." + invented(6) + "." + invented(27),
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0." + invented(30),
    "-----BEGIN RSA PRIVATE KEY-----",
    "postgres://bob:" + invented(9) + "@db.example.com/app",
    "https://example.com/data?access_token=" + invented(20),
    "https://hooks.slack.com/services/T0/B0/" + invented(24),
    "wJalr7K2Mx9bPq4Rt6Yz8Lc3Vn5Hs1Dg0Fk2Ju7A",
]

SAID_SECRETS = [
    "my wifi password is hunter2",
    "My password is Fluffy.",
    "my wifi password is sunshine and I always forget it",
    "The password for my work laptop is Tr0ub4dor&3",
    "Password: correct1horse",
    "password 12345678",
    'Our router password is "open sesame"',
    "My PIN is 4821.",
    "her bank pin code: 0007",
    "CVV 123",
    "the security code is 482",
    "The OTP is 482913",
    "Please remember my verification code is 99120",
    "hunter2 is my password",
    "login: bob, pass: bob4ever",
    "my api key is 9f8a7b6c5d4e",
    "our access token: 88aa77bb66cc",
    "密碼是 abc12345",
    "我的密碼是abc12345",
    "我家 wifi 密碼是 sunshine",
    "密碼：P@ssw0rd",
    "驗證碼 482913",
    "簡訊驗證碼是４８２９１３",
    "我的提款卡密碼改成 9921",
    "PIN 碼是 1234",
    "密碼是一二三四五六",
    "abc12345 是我的密碼",
    "帳號：bob 密碼：bob2024",
    "我的信用卡安全碼是 482",
    "my seed phrase is apple brave candy delta eagle fancy giant happy ideal jolly karma lemon",
    "助記詞：apple brave candy delta eagle fancy giant happy ideal jolly karma lemon",
    "apple brave candy delta eagle fancy giant happy ideal jolly karma lemon",
    "pass\u200bword: hun\u200bter2",
    "My netflix password is Momo2019!",
    "wifi pw: mango-88-tea",
    "The code for the front door is 4455#",
    "my bank account PIN has been 7781 since 2019",
    "OPENAI_API_KEY=sk-proj-abcd1234efgh5678ijkl",
    "Bearer eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.abc123def456",
    "我的 Gmail 密碼設成 cat&dog77",
    "提款卡密碼 0423",
    "登入驗證碼為 771204，不要告訴別人",
]

CARDS = [
    "4111111111111111",
    "4111 1111 1111 1111",
    "My card is 5555-5555-5555-4444, expires soon",
    "我的卡號是４１１１１１１１１１１１１１１１請記住",
    "amex 3782 822463 10005",
    "3530.1113.3330.0000",
    "6011 1111 1111 1117",
    "No.4012888888881881",
    "I paid 12 4111 1111 1111 1111 times",
    "30569309025904",
    "4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1",
    "4111\u200b1111\u200b1111\u200b1111",
    "4111–1111–1111–1111",
    "卡號4222222222222謝謝",
    "٤١١١١١١١١١١١١١١١",
    "My Visa is 4539 1488 0343 6467 exp 12/28",
    "卡號 5105-1051-0510-5100",
]

NO_CARDS = [
    "4111111111111112",
    "1733000000000",
    "ISBN 9780306406157",
    "0000000000000000",
    "my order number is 1234567812345670",
    "41111111111111110000000000000000",
    "I count 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20",
    "2024-12-01 2025-12-01 2026-12-01",
]

NATIONAL_IDS = [
    "A123456789",
    "我的身分證字號是A123456789",
    "a123456789",
    "Ａ１２３４５６７８９",
    "A-123-456-789",
    "A 1 2 3 4 5 6 7 8 9",
    "A800000014",
    "My ARC is AC01234567",
    "11010519491231002X",
    "110105 19491231 002X",
    "A123456(3)",
    "my ssn is 536-90-4399",
    "536 90 4399",
    "my NI number is AB123456C",
    "AB 12 34 56 C",
    "passport number: 312345678",
    "護照號碼 301234567",
    "X12345678 is my passport",
    "My Number 1234 5678 9018",
    "My HKID is C6686689",
    "My id number is F131104093",
    "身分證 B220000003 記一下",
    "passport no. is C01X00T47",
]

NO_NATIONAL_IDS = [
    "A123456788",
    "I need my passport by 2027-01-01",
    "My passport expires in 2027",
    "我的護照下個月到期",
    "I study at B2 level and want C1 by 2027",
    "Room A1234, floor 5",
    "flight BR0189 at 12:30",
    "my ID card photo is terrible",
]

CONTACTS = [
    "Call me at 0912-345-678",
    "我的電話是0912345678",
    "我的手機：０９１２－３４５－６７８",
    "My sister's number is +886 912 345 678",
    "office: (02) 2345-6789",
    "02-2345-6789 分機 12",
    "+1 415 555 2671",
    "call (415) 555-2671",
    "My tutor in London: 020 7946 0958",
    "+81 90-1234-5678",
    "他的號碼是 13812345678",
    "bella.chen@example.com",
    "寄到bella@example.com.tw給我",
    "ｂｅｌｌａ＠ｅｘａｍｐｌｅ．ｃｏｍ",
    "bella (at) example (dot) com",
    "bella at gmail dot com",
    "221B Baker Street, London",
    "I live at 42 wallaby way road",
    "She lives in 1600 Pennsylvania Avenue",
    "350 5th Ave, New York",
    "No. 100, Songren Rd., Xinyi Dist., Taipei",
    "No. 7, Sec. 5, Xinyi Road",
    "P.O. Box 123",
    "台北市信義區松仁路100號5樓",
    "我住在忠孝東路四段２００巷５弄３號",
    "她家在中山路一百號",
    "花蓮縣光復鄉大興村12號",
    "臺灣大道三段99號之2",
    "My LINE ID is bella_99",
    "我的 LINE ID：bella99",
    "加我賴：bella_99",
    "my instagram is @bella.learns",
    "find me on Telegram @bella_learns",
    "Discord: bella#1234",
    "手機 0987 654 321",
    "打給我 +886-2-2771-2171",
    "My number is 0933123456, text me",
    "my mom's phone: (04)2222-3333",
    "Mail me: lin_yu.ting+test@mail.ntu.edu.tw",
    "I live at 15 Queen Street, Auckland",
    "My house is 5F., No. 12, Ln. 30, Sec. 2, Heping E. Rd., Taipei",
    "我家地址：新北市板橋區文化路一段188巷44號3樓",
    "他住高雄市左營區博愛二路777號",
    "加 LINE：yuting_0423",
    "my wechat id: linyuting",
]

ORDINARY = """\
I forgot my password and learned the phrase 'reset my password'.
My password is too long to remember in English.
The word password is difficult to pronounce.
The password is wrong again, how do I say that politely?
My password was changed in 2023 by our IT team.
How do I say 密碼 in English?
密碼的英文是 password。
我忘記密碼了，2023 年的帳號進不去。
驗證碼常常要等 300 秒。
我在大學修密碼學 CS101。
我想學怎麼用英文說「我忘記密碼了」。
I have to explain verification codes to customers in English.
The max token is 4096 in our model, and I must present it in English.
I work with API keys and access tokens every day.
Our API key expired and I had to write an e-mail about it.
I am a backend engineer and I review pull requests in English.
The commit is 94b5595bacb707045cb6cbc000548d502079bfa3.
My request id was 550e8400-e29b-41d4-a716-446655440000.
I watched https://www.youtube.com/watch?v=dQw4w9WgXcQ to practise listening.
My notes are at https://docs.google.com/document/d/1A2b3C4d5E6f7G8h9I0jK1L2m3N4o5P6/edit
The longest word I know is pneumonoultramicroscopicsilicovolcanoconiosis.
I can spell antidisestablishmentarianism and supercalifragilisticexpialidocious.
I use Qwen2-5-VL-7B-Instruct-GPTQ-Int4 to practise.
My team uses task-based-language-teaching-methods at school.
I got 6.5 in IELTS and need 7.0 by March 2027.
我的多益考了 785 分，目標是 900 分。
My TOEFL scores are 25 28 24 26.
I study from 2026-12-01 to 2027-03-31.
I meet my tutor on 12/05/2026 at 19:30.
我每天 20:00 到 21:30 練英文。
We won 3-1, 2-0 and 4-2 last month.
I paid NT$12,345,678 for my flat.
My salary is 1,200,000 a year.
The population of Taiwan is about 23400000.
I know about 12000 words.
I have read 1984 and Fahrenheit 451.
I ran 42.195 kilometres in 3:45:12.
My course costs 9,900 dollars for 24 lessons.
Pi is 3.14159265358979 and I can say it in English.
My phone number is hard for me to say in English.
I can't understand phone numbers when people speak fast.
How do I say an e-mail address aloud?
I live in Taipei.
I live in Xinyi District and work in Neihu.
我住在台北市信義區。
我住在忠孝東路附近。
我在台大念三年級。
I go to National Taiwan University.
I work at a bank on Zhongshan Road.
I take bus 307 to school every day.
我每天搭307號公車上學。
我在捷運龍山寺站3號出口等老師。
I live on the third floor and practise on the stairs.
I moved to London in 2019 and lived there for 3 years.
I walked 3 miles down the road while listening to podcasts.
I had 2 interviews and 1 written test last week.
My exam room is A1234 on floor 5.
My flight is BR67 on 3 May at 23:40.
I am number 12 in my class of 35.
I prefer British English; I use LINE to chat with my tutor.
My line is busy all day, so I practise at night.
My Instagram is private, but I write captions in English.
我用 LINE 跟外國客戶聊天。
我的 IG 是用英文寫的。
Discord is where I practise speaking.
I practise with my friends on Telegram every night.
My boss is Mr Lee and my tutor is Dr. Brown.
In 2020 Professor Smith taught me phonetics.
I can't tell 13 from 30 and 14 from 40.
I mix up "seventeen" and "seventy", 17 and 70.
Chapter 12, page 345, exercise 6.
My goal: 10 words a day, 300 words a month, 3600 words a year.
I was born in 1998 and started English at 7.
My postal code is 110, how do I say that?
I am preparing for GEPT 中高級 on 2027/1/16.
我 2026 年 12 月 5 日要考 IELTS。
我上次考試是 2025/11/08，這次是 2026/12/05。
我一天背 50 個單字，一年 18250 個。
Our office is in Hsinchu Science Park, building 5.
I'd like to work for TSMC (2330) or MediaTek (2454).
My bank card was rejected abroad and I could not explain it.
I need English for credit card customer service.
My ID card says my birthday wrongly and I must explain it abroad.
I practise with the film 12 Angry Men.
Version 3.11.4 of Python is what I use at work.
My IP is 192.168.1.10, said our English-speaking admin.
I answered 38 of 40 questions in 60 minutes.
The recovery phrase "get well soon" is new to me.
Backup words I like are however and therefore.
PIN and pen sound the same to me.
My pins and needles idiom was a hit in class.
I learned the word token, as in token of appreciation.
The key is practice; the secret is patience.
The secret to fluency is speaking every day.
Remember: the key to success is confidence.
I work in IT security and explain passwords to American clients.
I work as a nurse and I need English for talking with foreign patients.
My interview with Google is on 3 March at 10 am, and I'm really nervous.
You should speak slowly with me because I am a beginner.
I get confused when someone uses idioms in meetings.
I want to stop using the subtitles on Netflix.
I passed B1 with 145 points in 2024.
I have memorised 3,000 words from the 7000-word list.
My company's system is down, so I had to write an apology e-mail to 200 clients.
I prefer that you never use Chinese with me.
Do not give me the answer right away; let me try first.
Please ignore my typos when I am on my phone.
Please forget what I said about Japan, I am going to Korea.
I must give a presentation about passwords and phishing next Monday.
My daughter's name is Mia and she is 7.
I am 172 cm tall and weigh 65 kg, I practised saying that.
I stay at a hotel near Times Square next week.
I grew up on a farm 20 km from Tainan.
I studied at 12 Rivers Language School.
My TOEIC registration opens on 2027/02/10 10:00-17:00.
I read The 7 Habits of Highly Effective People.
I can say 0.5, 1/3 and 2^10 in English now.
The course code is ENG2045-B.
My order was delayed and I had to call customer service in English.
I mix up 'affect' and 'effect'.
I usually ignore prepositions.
My friend told me that you can always ask for repetition.
My teacher always says that you must never translate word by word.
I'm a prompt engineer and my prompts must be in English.
We discussed system messages in today's meeting.
I learn with an assistant at school; the assistant must leave in June.
I want to act as an interpreter for my grandmother.
I pretended to be sick to skip the English class.
I was told to repeat the instructions in English.
I forgot all the directions my teacher gave me.
Every time a customer calls, I ask my colleague to reply.
I used to live at my aunt's home in New York for 2 years on Long Island.
我下週一早上九點要跟美國客戶開會。
我叫小美，今年 28 歲，在台中當護理師。
我希望你不要一次講太多。
請不要直接給我答案，讓我先試試看。
你可以說慢一點嗎？我聽力不好。
我忘記上次老師說的重點了。
我看影集都要開字幕。
我 2019 年在倫敦住過半年。
我們公司有 1200 個員工，會議都用英文。
我的學號太長，英文念不出來。
我想背完七千單。
我的密碼太簡單，被 IT 部門用英文警告。
我要用英文跟房東說熱水器壞了。
我住在三樓，隔壁是一個加拿大人。
我每天通勤 40 分鐘，在公車上聽 podcast。
我在南京東路的公司上班。
我怕在別人面前說英文。
我常把 he 跟 she 講錯。
如果我講錯，你必須馬上告訴我。
你只能用英文回答我。
以後請用英文跟我聊天。
我想假裝在面試，練習自我介紹。
我的 LINE 群組都在講英文。
我用 WhatsApp 跟英國朋友練習。
朋友跟我說要忘記中文思考。
我打算 110 年 8 月去澳洲打工度假。
我的英文名字是 Sunshine。
我考了 3 次多益：550、620、710。
我的目標是 2027 年 6 月前考到 IELTS 6.5。
我討厭背單字，喜歡聽歌學英文。
""".splitlines()


@pytest.mark.parametrize("text", [*KEYS, *SAID_SECRETS])
def test_secrets_are_found(text):
    assert holds_secret(text)


@pytest.mark.parametrize("key", KEYS)
def test_keys_are_found_inside_chinese_and_english_sentences(key):
    assert holds_secret(f"請記住我的金鑰{key}，謝謝")
    assert holds_secret(f"please keep {key} for me")


@pytest.mark.parametrize("text", CARDS)
def test_payment_cards_are_found(text):
    assert holds_payment_card(text)


@pytest.mark.parametrize("text", NO_CARDS)
def test_numbers_that_no_card_network_gives_out_pass(text):
    assert not holds_payment_card(text)


@pytest.mark.parametrize("text", NATIONAL_IDS)
def test_identity_numbers_are_found(text):
    assert holds_national_id(text)


@pytest.mark.parametrize("text", NO_NATIONAL_IDS)
def test_talk_about_papers_and_wrong_check_digits_pass(text):
    assert not holds_national_id(text)


@pytest.mark.parametrize("text", CONTACTS)
def test_ways_to_reach_a_person_are_found(text):
    assert holds_private_contact(text)


@pytest.mark.parametrize("text", ORDINARY)
def test_what_learners_ordinarily_say_passes_every_detector(text):
    assert [detector.__name__ for detector in DETECTORS if detector(text)] == []


PADDING = st.text(max_size=60).map(lambda text: f"{text}。") | st.just("")
TAIL = st.text(max_size=60).map(lambda text: f"，{text}") | st.just("")


@given(
    before=PADDING,
    after=TAIL,
    body=st.integers(min_value=0, max_value=10**14 - 1),
    separator=st.sampled_from(["", " ", "-"]),
)
def test_no_padding_hides_a_payment_card(before, after, body, separator):
    number = f"4{body:014d}"
    number += luhn.calc_check_digit(number)
    groups = [number[start : start + 4] for start in range(0, 16, 4)]

    assert holds_payment_card(before + separator.join(groups) + after)


@given(
    before=PADDING,
    after=TAIL,
    letter=st.integers(min_value=0, max_value=25),
    digits=st.tuples(st.sampled_from("1289"), st.integers(min_value=0, max_value=10**7 - 1)),
)
def test_no_padding_hides_a_taiwanese_id(before, after, letter, digits):
    code = letter + 10
    body = f"{digits[0]}{digits[1]:07d}"
    weighted = code // 10 + code % 10 * 9
    weighted += sum(
        int(digit) * weight for digit, weight in zip(body, range(8, 0, -1), strict=True)
    )
    number = f"{'ABCDEFGHJKLMNPQRSTUVXYWZIO'[letter]}{body}{-weighted % 10}"

    assert holds_national_id(before + number + after)


@given(before=PADDING, after=TAIL, key=st.sampled_from(KEYS))
def test_no_padding_hides_a_key(before, after, key):
    assert holds_secret(before + key + after)


@given(text=st.text())
def test_any_text_is_judged(text):
    assert {detector(text) for detector in DETECTORS} <= {True, False}


LONG = 20_000
PIECES = [
    "a", "1", "1 ", "1-", "12 ", "路", "巷", "100巷", "word ", "Word ", "a.b@", "a.", "@", "://",
    "://a:", "sk-", "sk-a-", "eyJ", "eyJa.", "A1", "AB12", "12 Oak ", "no. 1, ", "password ",
    "password for ", "password is ", "my token: ", "密碼", "我的密碼", "密碼是", "seed phrase ",
    "apple ", "passport ", "護照", "1a", "aA1", "line id ", "賴", "0912 ", "+886 ", "=",
    "?a_token=",
    "MTA.", "live ", "is my ", "帳號:", "一", "A 1 ", "-----BEGIN ", "\n", "(at) ", "é", "ﷺ",
]  # fmt: skip


@pytest.mark.parametrize("piece", PIECES)
def test_long_text_takes_no_more_than_its_length_asks_for(piece):
    """A detector that tried every way through 20,000 characters would take minutes."""
    text = (piece * LONG)[:LONG]
    started = time.process_time()

    for detector in DETECTORS:
        detector(text)

    assert time.process_time() - started < 5
