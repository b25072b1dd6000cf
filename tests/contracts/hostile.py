"""500 strings that a store may trip over: syntax of what it speaks, and what is hardly text at all.

The same ones each time: written by hand first, then put together from those.
"""

from __future__ import annotations

import random

_LUCENE = [
    *("AND", "OR NOT", "+tea -tea", "words:tea", "*", "?", "te?", "tea*", "tea~0.5", "tea^2"),
    *("[a TO b]", "{a TO *}", "/te(a/", "\\", "(((", ")))", "&& || !", "*:*", 'bank:"ann"^0'),
    *('+bank:"bob"', "NOT tea", "_exists_:words", '"tea', 'tea" OR "', "a AND", "tea\\", "TO"),
]
_FTS5 = [
    *("NEAR(tea milk, 5)", "text: tea", "^tea", "tea + milk", "{text said} : tea", "- text : tea"),
    *('""', '"', '"tea" NOT "tea"', "tea NEAR milk", "text MATCH 'tea'", "rank", "*tea", "NEAR/2"),
]
_SQL = [
    *("'; DROP TABLE fact; --", "' OR '1'='1", "x' UNION SELECT * FROM fact --", "%", "_", "?1"),
    *("\\'", "''", "'", ";", "--", "/*", "*/ x", "json_each('[1]')", ":bank", "@bank", "x'00'"),
]
_CYPHER = [
    *("'}) DETACH DELETE n //", "`}) MATCH (n) RETURN n //", "$bank", "{bank: $bank}", "n:Fact"),
    *("MATCH (n) DETACH DELETE n", "\\u0027}) RETURN 1 //", "`", "``", "//", "\\`", "})-[]->("),
    *('"}) CALL db.labels() //', "UNION MATCH (n) RETURN n", "{id: 'f'}", "toString(1)", "|"),
]
_HARDLY_TEXT = [
    *(
        "\x00",
        "tea\x00",
        "\x00tea\x00milk",
        "\ud800",
        "\udfff",
        "tea\ud83d",
        "\udc00\ud800",
        "\x01",
    ),
    *("\x7f", "\x80", "\x85", "\u2028", "\u2029", "\ufffe", "\uffff", "\ufffd", "\U000f0000"),
    *("\U0010ffff", "\u0378", "\ufeff", "\ufefftea", "\u00ad", "te\u00ada", "\x0b", "\x0c", "\x1c"),
]
_DIRECTIONS = [
    *(
        "\u202e",
        "\u202etea",
        "\u2066tea\u2069",
        "\u200f",
        "مرحبا",
        "שלום",
        "tea مرحبا milk",
        "\u061c",
    ),
    *("\u200b", "te\u200ba", "te\u200da", "te\u200ca", "\u2060", "\u180e", "نه‌می‌خواهم", "\u034f"),
]
_MARKS = [
    *("\u0301", "\u0301\u0301", "te\u0301a", "t" + "\u0338\u0321\u0489" * 40 + "ea", "ａｎｎ", "ﬁ"),
    *(
        "ß",
        "İstanbul",
        "ı",
        "ǆ",
        "Å",
        "Å",
        "한국어",
        "ᄒ\u1161\u11ab",
        "กำ",
        "क्षि",
        "ꦏ",
        "ⅷ",
        "①",
    ),
    *(
        "👨‍👩‍👧‍👦",
        "🏳️‍🌈",
        "🇫🇮",
        "1️⃣",
        "☕",
        "☕\ufe0e",
        "👍🏽",
        "🫖",
        "日本語",
        "茶",
        "東京都に住む",
        "𠮷",
    ),
]
_PATHS = [
    *("../../etc/passwd", "..", ".", "/", "//", "~", "~root", "C:\\con", "\\\\host\\share", "a/b"),
    *("%2e%2e%2f", "file:///etc/passwd", "nul", "chroma", "forethought.db", "-rf", "--help", "-"),
]
_FORMATS = [
    *('{"tea": 1}', "[1,", "null", "true", "nan", "1e999", "-0", "0x1f", "{{tea}}", "${HOME}"),
    *("<script>alert(1)</script>", "&lt;tea&gt;", "<!--", "]]>", "</known>", "<think>", "%s%n"),
    *("\x1b[31mtea\x1b[0m", "\x1b]0;tea\x07", "\x1b[2J", "[bold]tea[/bold]", "[f0123456789ab]"),
    *(
        "f-tea:0",
        ":",
        "::",
        "f:x",
        "T1",
        "K1",
        "[T1] user: tea",
        "# tea",
        "```",
        "\r\n",
        "\t",
        "\n",
    ),
]
_BLANK = ["", " ", "\u3000", "\u00a0 \u2003", " \n\t "]
_NAMES = [
    "ann",
    "Ann",
    "ann ",
    " ann",
    "ánn",
    "a\u0301nn",
    "bob",
    "default",
    "system",
    "neo4j",
    "tea",
]

LONG = [
    *("x" * 100_000, "tea " * 25_000, "é" * 50_000, '"' * 100_000, "(" * 100_000, "茶" * 33_000),
    *("\ud800" * 1000, "../" * 33_000, "👍🏽" * 12_000),
    " ".join(f"word{n}" for n in range(11_000)),
]
"""Those of up to 100 kB."""

_SHORT = [
    *(*_LUCENE, *_FTS5, *_SQL, *_CYPHER, *_HARDLY_TEXT, *_DIRECTIONS, *_MARKS, *_PATHS),
    *(*_FORMATS, *_BLANK, *_NAMES),
]


def _strings(count: int) -> list[str]:
    draw = random.Random(4)
    strings = dict.fromkeys([*_SHORT, *LONG])
    while len(strings) < count:
        strings[draw.choice(["", " ", "\n"]).join(draw.choices(_SHORT, k=draw.randint(2, 5)))] = (
            None
        )
    return list(strings)


HOSTILE = _strings(500)

FULL_TEXT = [*_LUCENE, *_FTS5]
"""Those that are syntax of a full-text search."""
