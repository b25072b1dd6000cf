"""Keyword search: in any language, by any text, over what holds."""

from __future__ import annotations

from datetime import datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from forethought.memory.errors import InvalidInput
from forethought.memory.records.port import Records
from tests.contracts.samples import BANK, NOW, day, fact, found, learn

LANGUAGES = {
    "Spanish": ("A Ana le encanta el jamón ibérico de Extremadura", ["jamon", "IBÉRICO ana"]),
    "Finnish": ("Äiti leipoo pääsiäisenä mämmiä", ["mämmiä", "aiti", "PÄÄSIÄISENÄ"]),
    "German": ("Wohnt in der Hauptstraße", ["HAUPTSTRASSE", "hauptstraße"]),
    "Arabic": ("تحب آنا القهوة بالهيل", ["القهوة", "القَهْوَة", "بالهيل"]),
    "Hebrew": ("אנה גרה בירושלים", ["בירושלים"]),
    "Russian": ("Анна живёт в Москве", ["москве", "живет"]),
    "Hindi": ("आन्या को हिन्दी गाने पसंद हैं", ["हिन्दी", "गाने"]),
    "Chinese": ("安娜喜欢喝乌龙茶", ["乌龙茶", "喜欢", "茶", "安娜喝什么茶"]),
    "Japanese": ("アンナは寿司と温泉が好きです", ["寿司", "温泉", "ｱﾝﾅ", "好き"]),
    "Korean": ("안나는 학교에서 피아노를 배운다", ["학교", "피아노"]),
    "Thai": ("แอนนาชอบกินข้าวผัด", ["ข้าวผัด", "ข้าว"]),
    "emoji": ("Ann's favourite snack is 🥨 with 🧀", ["🥨", "🧀"]),
}


@pytest.mark.parametrize("language", LANGUAGES)
async def test_each_language_is_kept_as_it_is_and_found(records: Records, language: str) -> None:
    text, queries = LANGUAGES[language]
    others = [fact(other) for name, (other, _) in LANGUAGES.items() if name != language]
    await learn(records, fact(text), *others)
    (kept,) = await records.facts(BANK, [fact(text).id])
    assert kept.text == text
    for query in queries:
        assert (await found(records, query))[:1] == [kept.id], query


async def test_words_are_stemmed_and_the_better_match_comes_first(records: Records) -> None:
    both = fact("Ann is running a marathon in Rome")
    one = fact("Ann ran a bakery called Marathon for years, in the centre of town, with her aunt")
    await learn(records, fact("Ann likes tea"), one, both)
    hits = await records.search(BANK, "Who runs marathons?", k=5, now=NOW)
    assert [hit for hit, _ in hits] == [both.id, one.id]
    assert hits[0][1] > hits[1][1] > 0


async def test_at_most_k_are_returned(records: Records) -> None:
    await learn(records, *(fact(f"tea number {n}") for n in range(9)))
    assert len(await records.search(BANK, "tea", k=4, now=NOW)) == 4
    assert await records.search(BANK, "tea", k=0, now=NOW) == []
    assert await records.search(BANK, "tea", k=-1, now=NOW) == []
    assert len(await records.search(BANK, "tea", k=10**30, now=NOW)) == 9


async def test_only_what_holds_at_the_time_is_found(records: Records) -> None:
    old = fact("Ann lives in Oslo", on=2)
    new = fact("Ann lives in Bergen", said_in="tuesday", on=6)
    await learn(records, old)
    await learn(records, new, replacing={old.id: new})
    assert await found(records, "lives", now=day(1)) == []
    assert await found(records, "lives", now=day(5)) == [old.id]
    assert await found(records, "lives", now=day(6)) == [new.id]


async def test_a_naive_now_is_refused(records: Records) -> None:
    with pytest.raises(InvalidInput):
        await records.search(BANK, "tea", k=5, now=datetime(2024, 1, 1))


@pytest.mark.parametrize("query", ["", "   ", "?!…", '"()*"', "\x00", "\ud800", "\u202e"])
async def test_a_query_without_words_finds_nothing(records: Records, query: str) -> None:
    await learn(records, fact("Ann drinks tea"))
    assert await found(records, query) == []


@pytest.mark.parametrize("query", ["AND", "or", "NOT", "near", "null"])
async def test_words_that_look_like_syntax_are_words(records: Records, query: str) -> None:
    text = f"Her band is called {query} Coffee"
    await learn(records, fact(text), fact("Ann drinks tea"))
    assert await found(records, query) == [fact(text).id]


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=60))
async def test_a_fact_with_words_is_found_by_its_own_text(records: Records, text: str) -> None:
    bank = f"bank of {text.encode().hex()}"
    await learn(records, said := fact(text, bank=bank))
    expected = [said.id] if any(char.isalnum() for char in text) else []
    assert [hit for hit in await found(records, text, bank=bank) if expected] == expected


async def test_what_was_said_later_hides_nothing_that_counts(records: Records) -> None:
    early = [fact(f"Tea number {n} of many", on=1) for n in range(2)]
    late = [fact(f"Tea tea tea {n}", on=5) for n in range(20)]
    await learn(records, *early, *late)
    hits = await records.search(BANK, "tea", k=2, now=day(2))
    assert {id for id, _ in hits} == {one.id for one in early}
