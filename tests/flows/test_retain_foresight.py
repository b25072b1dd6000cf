"""retain: cues for what was learned."""

from __future__ import annotations

from langchain_core.exceptions import ModelConnectionError

from tests.flows.bench import BANK, MISO, NOW, OSLO, Bench, session, statuses


class TestForesight:
    """Cues for what was learned."""

    async def test_a_fact_is_found_by_its_cue_and_the_hit_says_so(self, bench: Bench) -> None:
        bench.script(foresee={"facts": [{"fact": 1, "cues": ["Which plants are safe at home?"]}]})
        await bench.retain(session(MISO))
        found = await bench.app.recall.recall(
            BANK, "Which plants are safe at home?", now=NOW, limit=5
        )
        (hit,) = found.hits
        assert hit.cue == "Which plants are safe at home?"
        assert hit.found_by == "you may one day ask: Which plants are safe at home?"

    async def test_each_fact_gets_as_many_cues_as_asked_for(self, bench: Bench) -> None:
        bench.script(foresee={"facts": [{"fact": 1, "cues": [f"Wish {n}" for n in range(9)]}]})
        await bench.retain(session(MISO), foresight=3)
        cues = await bench.app.records.cues(BANK, [(await bench.one(MISO)).id])
        assert [cue.text for cue in cues] == ["Wish 0", "Wish 1", "Wish 2"]

    async def test_no_cues_are_imagined_where_none_are_wanted(self, bench: Bench) -> None:
        await bench.retain(session(MISO), foresight=0)
        assert not bench.asked("foresee")
        (fact,) = await bench.app.records.unforeseen(BANK, limit=9)
        assert fact.text == MISO

    async def test_facts_without_cues_are_caught_up_by_the_next_retain(self, bench: Bench) -> None:
        await bench.retain(session(MISO), foresight=0)
        await bench.run_retain({})
        assert await bench.app.records.unforeseen(BANK, limit=9) == []
        assert await bench.app.index.count(BANK, "cue") == 2

    async def test_a_model_that_is_away_leaves_the_facts_safe_and_waiting_for_cues(
        self, bench: Bench
    ) -> None:
        bench.script(foresee=ModelConnectionError("gone"))
        result = await bench.retain(session(MISO))
        assert statuses(result) == ["extracted"]
        assert any("cues are still missing" in note and "gone" in note for note in result["notes"])
        assert await bench.by_meaning(MISO) == [MISO]
        assert len(await bench.app.records.unforeseen(BANK, limit=9)) == 1

    async def test_a_bad_reply_halves_the_batch_until_only_the_culprit_is_left_out(
        self, bench: Bench
    ) -> None:
        said = [f"Fact number {n}" for n in range(8)]
        good = bench.chat.answers["foresee"]
        bench.script(foresee=lambda call: "no" if "number 5" in call.user else good(call))
        result = await bench.retain(session(*said))
        (left,) = await bench.app.records.unforeseen(BANK, limit=9)
        assert left.text == "Fact number 5"
        assert any("cues are still missing" in note for note in result["notes"])

    async def test_facts_that_the_model_passed_over_are_named_and_wait(self, bench: Bench) -> None:
        bench.script(
            foresee={"facts": [{"fact": 1, "cues": ["Wish"]}, {"fact": 99, "cues": ["Junk"]}]}
        )
        result = await bench.retain(session(MISO, OSLO))
        assert len(await bench.app.records.unforeseen(BANK, limit=9)) == 1
        assert await bench.app.index.count(BANK, "cue") == 1
        assert any("1 of 2 facts" in note for note in result["notes"])
        assert len(bench.asked("foresee")) == 1

    async def test_a_cue_that_says_nothing_is_not_kept(self, bench: Bench) -> None:
        bench.script(foresee={"facts": [{"fact": 1, "cues": ["…", "\u200b", "Wish", "Wish"]}]})
        await bench.retain(session(MISO))
        cues = await bench.app.records.cues(BANK, [(await bench.one(MISO)).id])
        assert [cue.text for cue in cues] == ["Wish"]

    async def test_many_facts_go_into_one_call(self, bench: Bench) -> None:
        await bench.retain(session(*(f"Fact number {n}" for n in range(30))))
        assert [len(call.fenced("facts")) for call in bench.asked("foresee")] == [20, 10]

    async def test_forgetting_a_fact_forgets_its_cues_and_their_vectors(self, bench: Bench) -> None:
        await bench.retain(session(MISO, OSLO))
        gone = await bench.app.forgetter.forget(BANK, fact=(await bench.one(MISO)).id)
        assert (gone.facts, gone.cues, gone.vectors) == (1, 2, 4)  # its text, cues and turn
        kept = (await bench.one(OSLO)).id
        assert await bench.app.index.ids(BANK, "text") == {kept}
        assert await bench.app.index.ids(BANK, "cue") == {f"{kept}:0", f"{kept}:1"}

    async def test_cues_never_cross_banks(self, bench: Bench) -> None:
        wish = "Which plants are safe at home?"
        bench.script(foresee={"facts": [{"fact": 1, "cues": [wish]}]})
        await bench.retain(session(MISO))
        await bench.retain(session(OSLO), bank="bob", foresight=0)
        for mode in ("recall", "prospect"):
            result = await bench.ask(wish, bank="bob", mode=mode)
            assert [hit["fact"]["text"] for hit in result["hits"]] == [OSLO]
