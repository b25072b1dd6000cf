"""retain: who is who, what comes of what, and what lies near what."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from forethought.memory import ids
from forethought.memory.records.changes import ChangeSet
from forethought.memory.types import Fact
from tests.flows.bench import BANK, BERGEN, MISO, NOW, OSLO, Bench, session
from tests.flows.scripted import fact


def person(*names: str) -> list[dict[str, str]]:
    """People as a model names them."""
    return [{"name": name, "kind": "PERSON"} for name in names]


async def people(bench: Bench) -> dict[str, set[str]]:
    """From canonical names to all names."""
    known = {entity.id: entity for entity in await bench.app.records.entities(BANK)}
    found: dict[str, set[str]] = {}
    for entity in known.values():
        root = entity
        while root.into:
            root = known[root.into]
        found.setdefault(root.name, set()).add(entity.name)
    return found


async def about(bench: Bench, name: str) -> list[str]:
    """Texts of the facts that mention what this is a name of, latest first."""
    id = ids.entity_id(BANK, name)
    found = await bench.app.records.mentioning(BANK, [id], k=50, now=NOW)
    return [f.text for f in await bench.app.records.facts(BANK, found[id])]


async def say(bench: Bench, day: str, *facts: dict[str, Any]) -> dict[str, Any]:
    """Retain a session of which the model extracts just these facts."""
    bench.script(extract={"facts": list(facts)})
    texts = [one["text"] for one in facts]
    return await bench.retain(session(*texts, on=f"{day}T00:00:00Z"))


class TestEntities:
    """Who is who."""

    async def test_three_names_become_one_and_another_of_the_first_name_stays_two(
        self, bench: Bench
    ) -> None:
        await say(
            bench,
            "2025-05-01",
            fact("Plays padel with Ana Ruiz", entities=person("Ana Ruiz", "Bruno")),
            fact("Sings with Ana Costa", entities=person("Ana Costa", "Ilse")),
        )
        await say(bench, "2025-05-02", fact("My sister won", entities=person("my sister Ana")),
                  fact("Bruno lost", entities=person("Bruno")))  # fmt: skip
        await say(bench, "2025-05-03", fact("Ana hurt her knee", entities=person("Ana", "Bruno")))
        await say(bench, "2025-05-04", fact("Ana has a cold", entities=person("Ana", "Ilse")))
        found = await people(bench)
        assert found["Ana Ruiz"] == {"Ana Ruiz", "my sister Ana", "Ana"}
        assert found["Ana Costa"] == {"Ana Costa", "Ana"}
        assert await about(bench, "my sister Ana") == [
            "Ana hurt her knee", "My sister won", "Plays padel with Ana Ruiz",
        ]  # fmt: skip
        assert await about(bench, "Ana Costa") == ["Ana has a cold", "Sings with Ana Costa"]

    async def test_plain_names_will_do(self, bench: Bench) -> None:
        await say(bench, "2025-05-01", fact(MISO, entities=["Miso", "User", "Miso"]))
        (entity,) = await bench.app.records.entities(BANK)
        assert (entity.name, entity.kind) == ("Miso", "OTHER")
        assert (await bench.one(MISO)).entities == ("Miso",)

    async def test_a_kind_that_nobody_asked_for_is_other(self, bench: Bench) -> None:
        odd = [{"name": "Miso", "kind": "CAT"}, {"name": "Oslo", "kind": "location"}]
        await say(bench, "2025-05-01", fact(MISO, entities=odd))
        kinds = {one.name: one.kind for one in await bench.app.records.entities(BANK)}
        assert kinds == {"Miso": "OTHER", "Oslo": "LOCATION"}

    async def test_repeats_and_updates_mention_too(self, bench: Bench) -> None:
        await say(bench, "2025-05-01", fact(OSLO, entities=["Oslo"]))
        await say(bench, "2025-05-02", fact(OSLO, entities=["Ann"], action="repeat", of="K1"))
        await say(bench, "2025-05-03", fact(BERGEN, entities=["Bergen"], action="update", of="K1"))
        old, new = await bench.one(OSLO), await bench.one(BERGEN)
        mentions = await bench.app.records.mentions(BANK)
        assert {(one.fact, one.entity) for one in mentions} == {
            (old.id, ids.entity_id(BANK, "Oslo")),
            (old.id, ids.entity_id(BANK, "Ann")),
            (new.id, ids.entity_id(BANK, "Bergen")),
        }

    async def test_what_the_user_decided_is_left_alone(self, bench: Bench) -> None:
        await say(bench, "2025-05-01", fact(OSLO, entities=person("Ana Ruiz", "Ana")))
        await bench.app.records.join(BANK, ids.entity_id(BANK, "Ana"), None, by="user")
        await say(bench, "2025-05-02", fact(MISO, entities=person("Ana", "Ana Ruiz")))
        assert await people(bench) == {"Ana": {"Ana"}, "Ana Ruiz": {"Ana Ruiz"}}

    async def test_one_banks_people_are_not_anothers(self, bench: Bench) -> None:
        bench.script(extract={"facts": [fact(MISO, entities=person("Ana Ruiz"))]})
        await bench.retain(session(MISO), bank="other")
        await say(bench, "2025-05-16", fact(MISO, entities=person("Ana")))
        assert await people(bench) == {"Ana": {"Ana"}}


class TestCauses:
    """What comes of what."""

    @pytest.mark.parametrize(
        ("kind", "of", "kept"),
        [
            ("caused_by", "F1", ("causes", True)),
            ("causes", "[f1]", ("causes", False)),
            ("ENABLES", 1, ("enables", False)),
            ("prevents", "K1", ("prevents", False)),
        ],
    )
    async def test_a_label_names_a_fact_of_the_reply_or_a_known_one(
        self, bench: Bench, kind: str, of: Any, kept: tuple[str, bool]
    ) -> None:
        if of == "K1":
            await say(bench, "2025-05-01", fact(OSLO))
        links = [{"kind": kind, "of": of}]
        await say(bench, "2025-05-02", fact(OSLO), fact(MISO, links=links))
        (link,) = [one for one in await bench.app.records.links(BANK) if one.kind == kept[0]]
        ends = [(await bench.one(MISO)).id, (await bench.one(OSLO)).id]
        assert [link.source, link.target] == (ends[::-1] if kept[1] else ends)
        assert link.weight == 1

    async def test_the_models_own_ids_come_before_places(self, bench: Bench) -> None:
        links = [{"kind": "causes", "of": "F7"}]
        await say(bench, "2025-05-01", fact(OSLO, id="F7"), fact(MISO, id="F8", links=links))
        assert "causes" in {one.kind for one in await bench.app.records.links(BANK)}

    @pytest.mark.parametrize(
        "link",
        [
            {"kind": "causes", "of": "F9"},
            {"kind": "causes", "of": "F2"},  # itself
            {"kind": "causes", "of": None},
            {"kind": "resembles", "of": "F1"},
            {"kind": "causes", "of": "K1"},
            "F1",
            {"of": "F1"},
        ],
    )
    async def test_what_joins_no_two_facts_is_dropped_and_named(
        self, bench: Bench, link: Any
    ) -> None:
        result = await say(bench, "2025-05-01", fact(OSLO), fact(MISO, links=[link]))
        assert await bench.texts() == sorted([MISO, OSLO])
        assert [note[:12] for note in result["notes"]] == ["link dropped"]
        assert {one.kind for one in await bench.app.records.links(BANK)} == {"temporal"}

    async def test_a_place_counts_for_nothing_where_a_fact_was_dropped(self, bench: Bench) -> None:
        bad = {"text": "", "kind": "Event", "turns": ["T1"]}
        links = [{"kind": "causes", "of": "F1"}]
        await say(bench, "2025-05-01", bad, fact(OSLO), fact(MISO, links=links))
        assert {one.kind for one in await bench.app.records.links(BANK)} == {"temporal"}


NEAR = [f"I swim in the harbour of Oslo every single day number {n}" for n in range(3)]
MERGED = {"merge": True, "text": "I swim daily in the harbour", "kind": "Activity"}


class TestConsolidation:
    """A merged fact stands where its originals stood."""

    async def test_it_mentions_what_they_mentioned_and_is_linked_as_they_were(
        self, bench: Bench
    ) -> None:
        bench.script(
            consolidate=MERGED,
            extract={
                "facts": [
                    fact(MISO, entities=["Miso"]),
                    fact(NEAR[0], entities=["Oslo"]),
                    fact(NEAR[1], entities=person("Ana")),
                    fact(NEAR[2], links=[{"kind": "caused_by", "of": "F1"}]),
                ]
            },
        )
        await bench.retain(session(MISO, *NEAR), consolidate_after=4)
        merged = await bench.one(str(MERGED["text"]))
        assert sorted(merged.entities) == ["Ana", "Oslo"]
        mentions = await bench.app.records.mentions(BANK, [merged.id])
        assert {one.entity for one in mentions} == {
            ids.entity_id(BANK, name) for name in ("Oslo", "Ana")
        }
        links = await bench.app.records.links(BANK, [merged.id])
        miso = await bench.one(MISO)
        assert (miso.id, merged.id, "causes") in {(k.source, k.target, k.kind) for k in links}
        assert "temporal" in {link.kind for link in links}


class TestLinks:
    """What lies near in time and in meaning."""

    async def test_facts_are_linked_to_those_near_in_time_and_alike(self, bench: Bench) -> None:
        await bench.retain(session(OSLO, MISO, on="2025-05-01T00:00:00Z"))
        await bench.retain(session(BERGEN, on="2025-05-01T12:00:00Z"))
        await bench.retain(session(f"{OSLO} yes", on="2025-07-01T00:00:00Z"))
        texts = {one.id: one.text for one in await bench.facts()}
        found = {
            (frozenset({texts[link.source], texts[link.target]}), link.kind): link.weight
            for link in await bench.app.records.links(BANK)
        }
        assert found[frozenset({OSLO, MISO}), "temporal"] == 1
        assert found[frozenset({OSLO, BERGEN}), "temporal"] == pytest.approx(0.367879)
        assert found[frozenset({OSLO, BERGEN}), "semantic"] > 0.7
        assert found[frozenset({OSLO, f"{OSLO} yes"}), "semantic"] > 0.7
        assert all(f"{OSLO} yes" not in ends for ends, kind in found if kind == "temporal")
        assert all(MISO not in ends for ends, kind in found if kind == "semantic")

    async def test_a_replaced_fact_is_linked_to_nothing_new(self, bench: Bench) -> None:
        await bench.retain(session(OSLO, on="2025-05-01T00:00:00Z"))
        bench.script(extract={"facts": [fact(BERGEN, action="update", of="K1")]})
        await bench.retain(session(BERGEN, on="2025-05-01T12:00:00Z"))
        assert await bench.app.records.links(BANK) == []

    async def test_what_is_linked_is_not_linked_again(self, bench: Bench) -> None:
        await bench.retain(session(OSLO, MISO))
        before = await bench.app.records.links(BANK)
        assert before
        assert (await bench.app.linker.catch_up(BANK)).facts == 0
        assert await bench.app.records.links(BANK) == before

    async def test_a_bank_from_before_is_caught_up_in_batches(
        self, bench: Bench, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("forethought.memory.linking._BATCH", 2)
        await bench.retain(session(MISO))
        old = [
            replace(await bench.one(MISO), id=f"f{n}", text=f"Ana fact {n}", entities=("Ana", "I"))
            for n in range(5)
        ]
        await bench.app.records.commit(ChangeSet(BANK, facts=tuple(old)))
        await bench.app.indexer.catch_up(BANK)
        done = await bench.app.linker.catch_up(BANK)
        assert (done.facts, done.named) == (5, 5)
        assert set(await about(bench, "Ana")) == {f"Ana fact {n}" for n in range(5)}
        linked = {end for link in await bench.app.records.links(BANK) for end in
                  (link.source, link.target)}  # fmt: skip
        assert linked >= {f"f{n}" for n in range(5)}

    async def test_links_per_fact_do_not_grow_with_the_bank(self, bench: Bench) -> None:
        await bench.retain(session(MISO))
        one = await bench.one(MISO)

        def said(number: int, day: int) -> Fact:
            date = one.date + timedelta(days=2 * day)
            return replace(one, id=f"f{number}", text=f"Thing {number} happened", date=date)

        many = tuple(said(n, n // 20) for n in range(120))
        await bench.app.records.commit(ChangeSet(BANK, facts=many))
        await bench.app.indexer.catch_up(BANK)
        done = await bench.app.linker.catch_up(BANK)
        assert done.temporal <= 10 * 120
        assert done.semantic <= 5 * 120


async def test_the_steps_say_how_many_they_named_and_linked(bench: Bench) -> None:
    from forethought.graphs.retain import build_retain

    bench.script(extract={"facts": [fact(MISO, entities=["Miso"]), fact(OSLO)]})
    stream = bench.graph(build_retain).astream(
        {"sessions": [session(MISO, OSLO)]}, context=bench.context(), stream_mode="custom"
    )
    events = {event["node"]: event async for event in stream}
    assert events["resolve"]["entities"] == events["resolve"]["mentions"] == 1
    assert (events["link"]["facts"], events["link"]["temporal"]) == (2, 1)
