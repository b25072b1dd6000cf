"""What counts as a word in keyword search, for every script; the stores only stem and rank.

One function serves what is stored and what is asked, so the two cannot disagree.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby, pairwise
from typing import Literal

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_ASCII_WORD = re.compile(r"[a-z0-9]+")

# Blocks whose scripts put no space between words, and Korean, whose particles stick to the noun
# (Unicode 15, Blocks.txt): Thai and Lao, Myanmar, Hangul, Khmer, Tai, Kana and Bopomofo, CJK.
_UNSPACED = (
    *((0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1100, 0x11FF), (0x1780, 0x17FF), (0x1950, 0x19DF)),
    *((0x1A20, 0x1AAF), (0x3005, 0x3007), (0x3040, 0x318F), (0x31A0, 0x31FF), (0x3400, 0x4DBF)),
    *((0x4E00, 0x9FFF), (0xAC00, 0xD7FF), (0xF900, 0xFAFF), (0x1B000, 0x1B16F), (0x20000, 0x3FFFF)),
)
_SPLITTING_FORMATS = "\u200b\u200c"  # zero-width space and non-joiner stand between words
_VARIATIONS = ((0xFE00, 0xFE0F), (0xE0100, 0xE01EF))  # the same character drawn otherwise

RETOLD = 1 / 3
"""Share of a text's words that any paraphrase keeps; small models' echoes and inventions do not."""

_Class = Literal["spaced", "unspaced", "symbol", "gap"]


def storable(text: str) -> str:
    """`text` with NUL and lone surrogates, which no store keeps faithfully, replaced by U+FFFD."""
    if text.isascii() and "\0" not in text:
        return text
    return _UNSTORABLE.sub("\ufffd", text)


def words(text: str, *, alone: bool = False) -> list[str]:
    """The words of `text` in order: without case, accents, points or compatibility forms.

    Runs of scripts written without spaces become overlapping pairs of characters (a lone one
    stays); with `alone`, as for what is stored, each character counts too, so that a query of one
    character finds it. An emoji or other symbol is a word; punctuation is none. Any string is safe.
    """
    if text.isascii():
        return _ASCII_WORD.findall(text.lower())
    return list(_words(folded(text), alone=alone))


def retells(text: str, original: str) -> bool:
    """Whether `text` may stand in for `original`: it has a third of its words, or more."""
    kept, said = set(words(text)), set(words(original))
    return len(kept & said) >= RETOLD * len(said)


_BEGINNING = 3  # letters: "Jon" and "Jonathan", "Katharina" and "Kathrin" begin alike


def name_key(name: str) -> str:
    """What makes two names the same: their words, without case, accents and punctuation."""
    return " ".join(words(name)) or name.strip()


def name_beginnings(name: str) -> list[str]:
    """How each word of a name begins, once each: what names that may mean the same share."""
    return list(dict.fromkeys(word[:_BEGINNING] for word in name_key(name).split()))


def _words(folded: str, *, alone: bool) -> Iterator[str]:
    for kind, run in groupby(folded, key=_class):
        if kind == "spaced":
            word = "".join(run)
            if not all(unicodedata.category(char).startswith("M") for char in word):
                yield word
        elif kind == "unspaced":
            yield from _pairs(_clusters(run), alone=alone)
        elif kind == "symbol":
            yield from run


def folded(text: str) -> str:
    """`text` without case, accents and compatibility forms, as `words` reads it."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    kept = (char for char in unicodedata.normalize("NFKD", plain) if not _dropped(char))
    return unicodedata.normalize("NFC", "".join(kept))


@lru_cache(maxsize=4096)
def _dropped(char: str) -> bool:
    """Accents, Hebrew and Arabic points, invisible joiners: what people leave out in a query."""
    if unicodedata.category(char) == "Cf":
        return char not in _SPLITTING_FORMATS
    # Canonical combining classes: 10 to 36 are the points of Hebrew, Arabic and Syriac, from 200
    # on accents. Those between (Thai, Lao and Tibetan vowels) and below (viramas) are letters.
    order = unicodedata.combining(char)
    return 10 <= order <= 36 or order >= 200 or _within(char, _VARIATIONS)  # noqa: PLR2004 see above


@lru_cache(maxsize=4096)
def _class(char: str) -> _Class:
    category = unicodedata.category(char)
    if category[0] in "LMN":
        return "unspaced" if _within(char, _UNSPACED) else "spaced"
    return "symbol" if category == "So" else "gap"


def _within(char: str, blocks: tuple[tuple[int, int], ...]) -> bool:
    return any(first <= ord(char) <= last for first, last in blocks)


def _clusters(run: Iterator[str]) -> list[str]:
    """Characters with the marks that hang on them."""
    clusters: list[str] = []
    for char in run:
        if clusters and unicodedata.category(char).startswith("M"):
            clusters[-1] += char
        else:
            clusters.append(char)
    return clusters


def _pairs(clusters: list[str], *, alone: bool) -> Iterator[str]:
    if alone or len(clusters) == 1:
        yield from clusters
    for first, second in pairwise(clusters):
        yield first + second
