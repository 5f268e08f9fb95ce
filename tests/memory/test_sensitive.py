"""What must never be kept, and the ordinary talk that must pass. All secrets are invented."""

import random
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st
from memora_testing.sentences import ORDINARY
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


@pytest.mark.timeout(60)  # a pattern that backtracks would take minutes
@pytest.mark.parametrize("piece", PIECES)
def test_long_text_takes_no_more_than_its_length_asks_for(piece):
    """A detector that tried every way through 20,000 characters would take minutes."""
    text = (piece * LONG)[:LONG]
    for detector in DETECTORS:
        detector(text)
