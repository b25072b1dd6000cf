from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forethought.memory.words import storable, words

anything = st.text(st.characters(), max_size=50)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ann's cello, No. 5!", ["ann", "s", "cello", "no", "5"]),
        ("snake_case and kebab-case", ["snake", "case", "and", "kebab", "case"]),
        ("Ana comió jamón", ["ana", "comio", "jamon"]),
        ("Ångström ﬁne ＦＵＬＬ ½", ["angstrom", "fine", "full", "1", "2"]),
        ("STRASSE Straße", ["strasse", "strasse"]),
        ("İstanbul", ["istanbul"]),
        ("القَهْوَة", ["القهوة"]),
        ("שָׁלוֹם", ["שלום"]),
        ("می‌خواهم", ["می", "خواهم"]),
        ("हिन्दी गाने", ["हिन्दी", "गाने"]),
        ("🥨 and 👩🏽‍🚀!", ["🥨", "and", "👩", "🚀"]),
        ("soft\u00adhyphen \u202eright to left\u202c", ["softhyphen", "right", "to", "left"]),
    ],
)
def test_words_are_without_case_accents_and_compatibility_forms(
    text: str, expected: list[str]
) -> None:
    assert words(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("喜欢喝茶", ["喜欢", "欢喝", "喝茶"]),
        ("猫", ["猫"]),
        ("猫。犬", ["猫", "犬"]),
        ("用iPhone拍照", ["用", "iphone", "拍照"]),
        ("ｶﾞﾗｽ", ["ガラ", "ラス"]),
        ("이천 쌀", ["이천", "쌀"]),
        ("กี่วัน", ["กี่วั", "วัน"]),
        ("日本2024年", ["日本", "2024", "年"]),
    ],
)
def test_scripts_without_spaces_become_pairs_of_characters(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_each_character_counts_alone_in_what_is_stored() -> None:
    assert words("喝茶 tea", alone=True) == ["喝", "茶", "喝茶", "tea"]
    assert words("cats", alone=True) == ["cats"]


@pytest.mark.parametrize("text", ["", " ", "?!…", "\x00", "\ud800", "\u0301", "\u202e\u200d", "_"])
def test_what_has_no_words_gives_none(text: str) -> None:
    assert words(text) == []


@given(anything)
def test_any_string_gives_words_that_are_safe_to_store_and_to_quote(text: str) -> None:
    for word in words(text):
        assert word
        assert storable(word) == word
        assert not any(unicodedata.category(char)[0] in "CZP" for char in word if char != "\ue000")


@given(anything)
def test_a_query_finds_its_own_text(text: str) -> None:
    assert set(words(text)) <= set(words(text, alone=True))


@given(anything)
def test_case_makes_no_difference(text: str) -> None:
    assert words(text.casefold()) == words(text.casefold().casefold())


@given(anything)
def test_the_unicode_form_makes_no_difference(text: str) -> None:
    assert words(unicodedata.normalize("NFD", text)) == words(unicodedata.normalize("NFC", text))


def test_what_no_store_can_keep_becomes_a_replacement_character() -> None:
    assert storable("a\x00b\ud800c\udfff") == "a\ufffdb\ufffdc\ufffd"


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00")))
def test_all_other_text_is_kept(text: str) -> None:
    assert storable(text) == text


@given(anything)
def test_what_is_storable_can_be_encoded_and_stays_as_it_is(text: str) -> None:
    assert storable(text).encode().decode() == storable(text)
    assert storable(storable(text)) == storable(text)
