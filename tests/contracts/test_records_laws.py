"""What stays true of a bank after any sequence of commits and forgets."""

from __future__ import annotations

from dataclasses import replace
from itertools import count, pairwise
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from forethought.memory.beliefs.types import Judgement, Observation, Opinion
from forethought.memory.dimensions import UNSAID, Dimensions
from forethought.memory.exchange.carrying import gathered
from forethought.memory.ids import commitment_id, observation_id, opinion_id, same_text, turn_id
from forethought.memory.ledger.types import Commitment, CommitmentCue, Settlement
from forethought.memory.records.changes import ChangeSet, Repeat, Replacement
from forethought.memory.records.contents import Contents
from forethought.memory.records.port import Records
from forethought.memory.types import Fact, Link, Mention, Source
from tests.contracts.adapters import FEWER, OpenRecords, on_neo4j, on_sqlite
from tests.contracts.samples import KEYS, NOW, day, entity, fact, session, talk

TEXTS = ("lives in A", "lives in B", "lives in C", "works", "sings")
DAYS = {key: number for number, key in enumerate(KEYS, start=1)}
_banks = (f"bank {number}" for number in count())

statements = st.tuples(st.sampled_from(TEXTS), st.sampled_from(KEYS[:4]))
links = st.tuples(statements, statements, st.sampled_from(["update", "update", "merge"]))
names = st.sampled_from(["Ana", "Ana Ruiz", "Oslo"])
ties = st.tuples(statements, names, st.none() | names)
commits = st.tuples(
    st.lists(statements, max_size=3),
    st.lists(statements, max_size=2),
    st.lists(links, max_size=3),
    st.lists(ties, max_size=3),
)
sessions = st.lists(st.sampled_from(KEYS[:4]), min_size=1, max_size=2, unique=True)
forgets = sessions | st.lists(statements, min_size=1, max_size=2, unique=True)


def said(bank: str, text: str, key: str) -> Fact:
    felt = Dimensions("present", "subjective") if text == "sings" else UNSAID
    sources = (source(bank, key),)
    return fact(text, said_in=key, on=DAYS[key], bank=bank, sources=sources, dimensions=felt)


def source(bank: str, key: str) -> Source:
    """The one turn that each session has."""
    logged = session(key, bank=bank)
    return Source(logged, (turn_id(logged, 0, f"said on {key}"),))


def change_set(bank: str, drawn: tuple[list, list, list, list]) -> ChangeSet:  # type: ignore[type-arg] # as drawn
    facts, repeats, changes, tied = drawn
    about = {name: entity(name, bank=bank) for _, name, _ in tied}
    joined = {name: into for _, name, into in tied if into is not None}
    return ChangeSet(
        bank,
        facts=tuple(said(bank, *one) for one in facts),
        repeats=tuple(
            Repeat(said(bank, *one).id, source(bank, "friday"), day(9)) for one in repeats
        ),
        replacements=tuple(
            Replacement(said(bank, *old).id, said(bank, *new).id, said(bank, *new).date, how)
            for old, new, how in changes
        ),
        entities=tuple(
            replace(one, into=entity(joined[name], bank=bank).id if name in joined else None)
            for name, one in about.items()
        ),
        mentions=tuple(
            Mention(said(bank, *statement).id, about[name].id) for statement, name, _ in tied
        ),
        links=tuple(
            Link(said(bank, *one[0]).id, said(bank, *other[0]).id, "temporal", 0.5)
            for one, other in pairwise(tied)
        ),
    )


async def forget(records: Records, bank: str, what: list[str] | list[tuple[str, str]]) -> None:
    """Forget sessions or facts, those that are still there."""
    keys = [session(one, bank=bank) for one in what if isinstance(one, str)]
    if there := [one.id for one in await records.sessions(bank, ids=keys)]:
        await records.forget(bank, session=there)
    facts = [said(bank, *one).id for one in what if not isinstance(one, str)]
    if there := [one.id for one in await records.facts(bank, facts)]:
        await records.forget(bank, fact=there)


async def believe(records: Records, bank: str) -> None:
    """Opinions on some of the facts, moved by others, and observations made from them."""
    facts = await records.facts(bank)
    for one, other in list(pairwise(facts))[:2]:
        text = f"I like that one {one.text}."
        held = Opinion(opinion_id(bank, text), bank, text, 0.5, day(1), text, 0.5, (), (one.id,))
        await records.hold(bank, [held])
        said = other.sources[0].session
        new = Judgement(held.id, "contradict", day(9), other.id, said, f"{text} And {other.text}")
        await records.judge(bank, [new])
        id, made_from = observation_id(bank, one.id, text), (one.id, other.id)
        seen = Observation(id, bank, one.id, "topic", one.text, text, made_from, day(9))
        await records.observe(bank, one.id, [seen])


async def promise(records: Records, bank: str) -> None:
    """Commitments that concern some of the facts, of which one is settled, and what use leaves."""
    facts = await records.facts(bank)
    for one, other in list(pairwise(facts))[:2]:
        action = f"Tell that one {one.text}"
        id, made_in = commitment_id(bank, action), one.sources[0]
        new = Commitment(id, bank, action, day(1), source=made_in, facts=(one.id, other.id))
        await records.undertake(bank, [new])
        await records.settle(bank, [Settlement(id, "kept", day(2), "t1")])
        await records.remind(bank, [CommitmentCue(id, 1, other.text)], commitments=[id])
        await records.learn(bank, [one.id], other.text, at=day(3), keep=1)
        await records.use(bank, [one.id, other.id], on=day(3).date())


async def check(records: Records, bank: str) -> Contents:
    """All that the bank holds, found to be whole."""
    contents = await gathered(records, bank)
    facts = {one.id: one for one in contents.facts}
    held = [one for one in facts.values() if one.until is None]
    assert len({same_text(one.text) for one in held}) == len(held), "one identity per text"
    for one in facts.values():
        assert (one.until is None) == (one.successor is None) == (one.succession is None)
        assert one.sources, "nothing stays without support"
        steps = [one.id]
        while (successor := facts[steps[-1]].successor) is not None:
            assert successor in facts, "a successor is there"
            assert successor not in steps, "no fact succeeds itself"
            steps.append(successor)
    hits = await records.search(bank, "lives works sings", k=99, now=NOW)
    assert {hit for hit, _ in hits} == {one.id for one in held}
    gone = set(await records.unpurged(bank))
    assert gone.isdisjoint(facts)
    assert gone.isdisjoint(one.id for one in contents.observations)
    assert gone.isdisjoint(cue.id for cue in contents.reminders)
    assert all(len(one.facts) == 2 for one in contents.commitments), "each goes with its facts"
    for opinion in contents.opinions:
        texts = {facts[step.fact].text for step in opinion.steps if step.fact is not None}
        said = opinion.text.removeprefix(opinion.first).removeprefix(" And ")
        assert not said or said in texts, "nothing is left of a fact that went"
    heard = {turn.id for turn, _ in await records.said(bank, "said", k=99, now=NOW)}
    assert heard == {turn.id for turn in contents.turns} - set(contents.tombstones)
    waiting = {one.id for one in await records.unindexed(bank, limit=999) if one.part == "turn"}
    assert waiting == heard and gone.isdisjoint(heard)
    await check_ties(records, contents, {one.id: one for one in held})
    return contents


async def check_ties(records: Records, contents: Contents, held: dict[str, Fact]) -> None:
    dates = {one.id: one.date for one in contents.facts}
    for one in contents.entities:
        said_on = [dates[each.fact] for each in contents.mentions if each.entity == one.id]
        assert one.first <= min(said_on) and one.last == max(said_on), "dated by what mentions it"
    ids = [one.id for one in contents.entities]
    for latest in (await records.mentioning(contents.bank, ids, k=99, now=NOW)).values():
        assert latest == sorted(latest, key=lambda id: (-held[id].date.timestamp(), id))
    found = await records.neighbours(contents.bank, list(dates), now=NOW, fan=9)
    for id, edges in found.items():
        assert {edge.fact for edge in edges} <= held.keys() - {id}


histories = st.lists(commits | forgets, min_size=1, max_size=8)


@on_sqlite
@settings(max_examples=45, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=histories)
async def test_any_history_leaves_a_bank_whole_and_each_commit_is_idempotent(
    records: Records, steps: list[object]
) -> None:
    await lived_through(records, steps)


@on_neo4j
@settings(max_examples=FEWER, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=histories)
async def test_any_history_leaves_a_bank_whole_there_too(
    records: Records, steps: list[object]
) -> None:
    await lived_through(records, steps)


async def lived_through(records: Records, steps: list[object], *, bank: str | None = None) -> None:
    """Each step is done, twice if it is a commit, and leaves the bank whole."""
    bank = bank or next(_banks)
    await records.log(bank, [talk(key, f"said on {key}", on=DAYS[key]) for key in KEYS])
    for step in steps:
        if isinstance(step, tuple) and len(step) == 4:
            changes = change_set(bank, step)
            await records.commit(changes)
            await believe(records, bank)
            await promise(records, bank)
            after = await check(records, bank)
            again = await records.commit(changes)
            assert (await gathered(records, bank), again.new) == (after, ())
        else:
            await forget(records, bank, step)  # type: ignore[arg-type] # the other kind of step
            await check(records, bank)


_stores = count()


@on_sqlite
@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(commits, min_size=1, max_size=3), gone=st.permutations(KEYS[:4]))
async def test_sessions_leave_the_same_whether_they_go_together_or_one_by_one(
    open_records: OpenRecords, tmp_path: Path, steps: list[object], gone: list[str]
) -> None:
    left = []
    for together in (True, False):
        records = await open_records(tmp_path / f"{next(_stores)}")
        await lived_through(records, steps, bank="ann")
        for some in [gone[:3]] if together else [[key] for key in gone[:3]]:
            await forget(records, "ann", some)
        kept = replace(await check(records, "ann"), tombstones=())
        left.append((kept, await records.tombstones("ann"), await records.unpurged("ann")))
        await records.close()
    assert left[0] == left[1]
