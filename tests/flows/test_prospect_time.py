"""prospect: a question is answered as of its own moment."""

from __future__ import annotations

import pytest

from forethought.memory.errors import InvalidInput
from tests.flows.bench import Bench, session, texts_of
from tests.flows.scripted import tree

CITY = "The airport strike begins on Monday"
PET = "My tortoise hibernates in the fridge"
LAWN = "The lawn mower lost its blade"
WINE = "Our cellar floods every spring"
PET_STEP = "See whether my tortoise hibernates in the fridge"
LAWN_STEP = "Ask whether the lawn mower lost its blade"
WINE_STEP = "Look whether our cellar floods every spring"


class TestTime:
    """A question is answered as of its own moment."""

    async def test_a_fact_said_later_is_never_used(self, bench: Bench) -> None:
        await bench.know(PET, on="2025-01-01T12:00:00+00:00")
        later = f"{PET} no more"
        await bench.retain(session(later, on="2025-03-01T12:00:00+00:00"))
        bench.chat.calls.clear()
        bench.script(imagine=tree(PET_STEP), refine=tree(PET_STEP))
        events = await bench.events(PET, now="2025-02-01", tau=-1, delta=1)
        result = await bench.prospect(PET, now="2025-02-01", tau=-1, delta=1)
        recalled = await bench.ask(PET, now="2025-02-01", mode="recall")
        assert texts_of(result) == texts_of(recalled) == [PET]
        assert later not in str(events)
        assert all(later not in call.user for call in bench.asked())
        after = await bench.prospect(PET, now="2025-03-02", tau=-1)
        assert set(texts_of(after)) == {PET, later}

    async def test_a_fact_said_later_is_not_found_by_its_cues_either(self, bench: Bench) -> None:
        wish = "Where could we go this summer?"
        bench.script(foresee={"facts": [{"fact": 1, "cues": [wish]}]})
        await bench.retain(session(PET, on="2025-01-01T12:00:00+00:00"))
        await bench.retain(session(CITY, on="2025-03-01T12:00:00+00:00"))
        for settings in ({"mode": "recall"}, {"mode": "prospect", "max_rounds": 0}):
            before = await bench.ask(wish, now="2025-02-01", **settings)
            assert texts_of(before) == [PET]
            after = await bench.ask(wish, now="2025-04-01", **settings)
            assert set(texts_of(after)) == {PET, CITY}

    async def test_a_superseded_fact_is_used_until_its_successor_takes_over(
        self, bench: Bench
    ) -> None:
        old, new = "I live in the city of Oslo", "I live in the city of Bergen"
        await bench.know(old, on="2025-01-01T12:00:00+00:00")
        update = {"text": new, "kind": "Identity", "turns": ["T1"], "action": "update", "of": "K1"}
        bench.script(extract={"facts": [update]}, imagine=tree("Look up the city where I live"))
        await bench.retain(session(new, on="2025-03-01T12:00:00+00:00"))
        for mode in ("recall", "prospect"):
            for now, holds in (("2025-02-01", old), ("2025-03-02", new)):
                result = await bench.ask("Where do I live?", now=now, mode=mode)
                assert texts_of(result) == [holds]

    async def test_a_bare_day_means_its_end_and_a_naive_moment_the_zone_of_the_bank(
        self, bench: Bench
    ) -> None:
        await bench.know(PET, on="2025-01-01T12:00:00+00:00")
        assert texts_of(await bench.prospect(PET, now="2025-01-01")) == [PET]
        assert not texts_of(await bench.prospect(PET, now="2024-12-31"))
        assert not texts_of(await bench.prospect(PET, now="2025-01-01T11:59:00"))

    async def test_what_is_no_moment_is_refused_by_name(self, bench: Bench) -> None:
        with pytest.raises(InvalidInput, match=r"context\.now.*'soon'"):
            await bench.prospect(PET, now="soon")
