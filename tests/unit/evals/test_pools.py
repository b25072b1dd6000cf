from __future__ import annotations

from pathlib import Path

import pytest

from forethought.evals.pools import (
    ADVICE,
    ANSWERS,
    MINI_LOOKUPS,
    MINI_PLANS,
    locomo_pool,
    longmemeval_pool,
    mini_pools,
)
from forethought.memory.errors import InvalidInput
from tests.unit.evals import samples


def test_a_user_of_the_mini_set_is_a_pool(tmp_path: Path) -> None:
    (pool,) = mini_pools(samples.write_mini(tmp_path))
    stored = {fact.text: fact.id for fact in pool.facts}
    plan, lookup = pool.questions
    assert (plan.column, plan.k, lookup.column, lookup.k) == (MINI_PLANS, 20, MINI_LOOKUPS, 5)
    assert list(plan.needed) == [{stored[samples.CAT]}, {stored[samples.NIGHT]}]
    assert list(lookup.needed) == [{stored[samples.NIGHT]}]
    assert pool.cues[samples.CAT] == tuple(samples.CUES["f1"])


def test_a_pool_needs_cues(tmp_path: Path) -> None:
    folder = samples.write_mini(tmp_path)
    (folder / "cues.jsonl").unlink()
    with pytest.raises(InvalidInput, match=r"cues\.jsonl"):
        list(mini_pools(folder))


def test_locomo_facts_stand_in_the_order_of_their_sessions(tmp_path: Path) -> None:
    pool = locomo_pool(samples.write_locomo(tmp_path))
    assert [fact.text for fact in pool.facts] == ["Ann keeps bees", "Bob sold his boat"]
    assert [fact.date.isoformat()[:10] for fact in pool.facts] == ["2023-05-08", "2023-06-09"]


def test_locomo_questions_without_evidence_and_adversarial_ones_are_left_out(
    tmp_path: Path,
) -> None:
    pool = locomo_pool(samples.write_locomo(tmp_path))
    assert [item.text for item in pool.questions] == ["Who keeps bees?", "What did Bob sell?"]


def test_evidence_is_turns_and_one_that_no_fact_covers_stays_in_the_count(tmp_path: Path) -> None:
    pool = locomo_pool(samples.write_locomo(tmp_path))
    bees, boat = (fact.id for fact in pool.facts)
    assert list(pool.questions[0].needed) == [{bees}, set()]  # D1:1 is covered, D1:3 is not
    assert list(pool.questions[1].needed) == [{boat}]


def test_locomo_facts_without_cues_are_named(tmp_path: Path) -> None:
    folder = samples.write_locomo(tmp_path)
    samples.write_lines(folder / "cues_conv-1.jsonl", [{"fact": "Ann keeps bees", "cues": ["?"]}])
    with pytest.raises(InvalidInput, match="no cues for 'Bob sold his boat'"):
        locomo_pool(folder)


def test_only_a_questions_own_turns_are_its_evidence(tmp_path: Path) -> None:
    pool = longmemeval_pool(samples.write_longmemeval(tmp_path))
    tea, same, rex = (fact.id for fact in pool.facts)
    assert {item.text: item.needed for item in pool.questions} == {
        "Question a?": ({tea},),
        "Question b?": ({rex}, {same}),
    }


def test_advice_and_answers_are_counted_apart(tmp_path: Path) -> None:
    pool = longmemeval_pool(samples.write_longmemeval(tmp_path))
    assert [item.column for item in pool.questions] == [ADVICE, ANSWERS]
