"""What learners ordinarily say: sentences that no detector may take for anything else."""

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
