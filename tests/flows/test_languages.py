"""Every language in, the same out: retained, found by its words, recalled by the bundled model."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import pytest
import pytest_asyncio

from forethought.memory.embedding import MiniLM
from tests.flows.bench import NOW, Bench, opened, session

pytestmark = pytest.mark.asyncio(loop_scope="module")


@dataclass(frozen=True)
class Said:
    """A fact in one language, a word to find it by, and a cue that shares none with it."""

    fact: str
    word: str
    cue: str
    beside: str


LANGUAGES = {
    "Spanish": Said(
        "Mi niño es alérgico a los cacahuetes",
        "nino",
        "¿Qué llevo a la merienda del sábado?",
        "Vivo en una casa pequeña de Málaga",
    ),
    "Chinese": Said(
        "我的猫叫小米，今年三岁", "小米", "周末搬家要准备什么？", "我住在杭州的一条老街上"
    ),
    "Arabic": Said(
        "ابنتي تعاني من حساسية الفول السوداني",
        "حَسَّاسِيَّة",
        "ماذا نأخذ معنا إلى النزهة؟",
        "أسكن في بيت صغير قرب البحر",
    ),
    "Finnish": Said(
        "Äitini täyttää seitsemänkymmentä kesäkuussa",
        "aitini",
        "Mitä ostaisin lahjaksi?",
        "Asun pienessä talossa järven rannalla",
    ),
    "Japanese": Said(
        "うちの犬はポチという名前です",
        "ポチ",
        "週末の旅行の計画を手伝って",
        "私は京都の古い家に住んでいます",
    ),
    "emoji": Said("Our motto is 🐈‍⬛🥐👩‍👩‍👧", "🥐", "What shall we print on the shirt?", "I ❤️ 🏔"),
    "several at once": Said(
        "Meine Tante Þóra wohnt in Łódź und sagt 您好",
        "łódz",
        "Wohin fahren wir im Sommer?",
        "Το σπίτι μου είναι στη Θεσσαλονίκη",
    ),
}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Bench]:
    """A bank for each language, retained once: the tests only read it."""
    async with opened(tmp_path_factory.mktemp("languages"), embedder=MiniLM()) as bench:
        for language, said in LANGUAGES.items():
            bench.script(foresee=_cues(said.cue))
            first = session(said.fact, key="1", on="2025-01-01T00:00:00Z")
            await bench.retain(first, foresight=1, bank=language)
            bench.script(foresee=_cues("Hm?"))
            second = session(said.beside, key="2", on="2025-01-02T00:00:00Z")
            await bench.retain(second, foresight=1, bank=language)
        yield bench


def _cues(cue: str) -> dict[str, Any]:
    return {"facts": [{"fact": 1, "cues": [cue]}]}


@pytest.fixture(params=list(LANGUAGES))
def bench(request: pytest.FixtureRequest, shared: Bench) -> Bench:
    shared.defaults["bank"] = request.param
    return shared


@pytest.fixture
def said(bench: Bench) -> Said:
    return LANGUAGES[bench.context().bank]


async def test_it_is_kept_and_sent_as_it_was_said(bench: Bench, said: Said) -> None:
    bank = bench.context().bank
    facts = await bench.app.records.facts(bank)
    assert [fact.text for fact in facts] == [said.fact, said.beside]
    (logged, _) = await bench.app.records.sessions(bank)
    (turn,) = await bench.app.records.turns(bank, logged.id)
    assert turn.text == said.fact
    extract, foresee = (
        next(call for call in bench.asked(prompt) if said.fact in call.user)  # never escaped
        for prompt in ("extract", "foresee")
    )
    assert "\\u" not in extract.user + foresee.user


async def test_it_is_found_by_a_word_of_it_and_nothing_else_is(bench: Bench, said: Said) -> None:
    bank = bench.context().bank
    found = await bench.app.records.search(bank, said.word, k=9, now=NOW)
    facts = await bench.app.records.facts(bank, [fact for fact, _ in found])
    assert [fact.text for fact in facts] == [said.fact]


async def test_it_is_recalled_by_itself_and_by_its_cue(bench: Bench, said: Said) -> None:
    bank = bench.context().bank
    by_text = (await bench.app.recall.recall(bank, said.fact, now=NOW, limit=2)).hits
    assert by_text[0].fact.text == said.fact
    by_cue = (await bench.app.recall.recall(bank, said.cue, now=NOW, limit=2)).hits
    assert by_cue[0].fact.text == said.fact
    assert by_cue[0].cue == said.cue


async def test_it_reaches_the_answer_as_it_is(bench: Bench, said: Said) -> None:
    bench.script(answer=f"{said.beside}: {said.fact}")
    result = await bench.ask(said.cue, mode="recall")
    assert any(line.endswith(said.fact) for line in bench.asked("answer")[-1].fenced("facts"))
    assert result["answer"] == f"{said.beside}: {said.fact}"
