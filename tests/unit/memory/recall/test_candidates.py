"""What probes found, gathered over rounds: pure laws."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from forethought.memory.recall.candidates import (
    Candidate,
    Probed,
    from_rows,
    grown,
    merged,
    ranked,
    to_rows,
)

FACTS = ["f1", "f2", "f3", "f4"]
scores = st.floats(-5, 5)
candidates = st.dictionaries(
    st.sampled_from(FACTS),
    st.builds(
        Candidate,
        probe=scores,
        by=st.sampled_from(["A1", "A2"]),
        round=st.integers(0, 3),
        foresight=st.none() | scores,
        cue=st.none() | st.integers(0, 4),
    ),
)
probed = st.lists(
    st.lists(st.sampled_from(FACTS), unique=True).map(
        lambda facts: Probed("A1", tuple(facts), (0.5,) * len(facts))
    ),
    max_size=4,
)


@given(candidates, candidates)
def test_every_fact_is_kept_at_its_best_probe(
    before: dict[str, Candidate], found: dict[str, Candidate]
) -> None:
    result = merged(before, found)
    assert set(result) == set(before) | set(found)
    for fact, standing in result.items():
        at = [side[fact] for side in (before, found) if fact in side]
        assert standing.probe == max(one.probe for one in at)
        assert (standing.by, standing.round) in {(one.by, one.round) for one in at}


@given(candidates, candidates)
def test_the_score_of_the_cues_is_kept_once_it_is_known(
    before: dict[str, Candidate], found: dict[str, Candidate]
) -> None:
    for fact, standing in merged(before, found).items():
        known = [side[fact].foresight for side in (before, found) if fact in side]
        known = [score for score in known if score is not None]
        assert standing.foresight == (known[0] if known else None)


@given(candidates)
def test_merging_with_itself_or_with_nothing_changes_nothing(some: dict[str, Candidate]) -> None:
    assert merged(some, some) == merged(some, {}) == merged({}, some) == some


@given(candidates, candidates)
def test_merging_changes_neither_side(
    before: dict[str, Candidate], found: dict[str, Candidate]
) -> None:
    copies = dict(before), dict(found)
    merged(before, found)
    assert (before, found) == copies


@given(candidates)
def test_facts_are_ranked_by_score_and_then_by_id(some: dict[str, Candidate]) -> None:
    order = ranked(some)
    assert sorted(order) == sorted(some)
    keys = [(-some[fact].score, fact) for fact in order]
    assert keys == sorted(keys)
    assert ranked(dict(reversed(some.items()))) == order


@given(st.lists(st.sampled_from(FACTS), unique=True), probed)
def test_what_is_recalled_only_grows_and_delta_is_by_how_much(
    recalled: list[str], found: list[Probed]
) -> None:
    after, fresh = grown(recalled, found)
    assert after[: len(recalled)] == recalled
    assert len(after) == len(set(after)) == len(recalled) + fresh
    assert set(after) == set(recalled) | {fact for probe in found for fact in probe.facts}
    assert grown(after, found) == (after, 0)


@given(candidates)
def test_candidates_come_back_from_plain_data_as_they_were(found: dict[str, Candidate]) -> None:
    plain = json.loads(json.dumps(to_rows(found)))
    assert from_rows(plain) == found


@given(candidates)
def test_a_checkpoint_of_before_the_rows_is_still_read(found: dict[str, Candidate]) -> None:
    assert from_rows({fact: at._asdict() for fact, at in found.items()}) == found
