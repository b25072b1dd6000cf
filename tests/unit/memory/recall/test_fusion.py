from __future__ import annotations

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from forethought.memory.recall.fusion import (
    Channel,
    Fused,
    against_best,
    best_first,
    channel,
    fuse,
    inherited,
    named_in,
    with_neighbours,
    with_speaker,
)

MEMBERS = [f"t{n}" for n in range(6)]
scored = st.dictionaries(st.sampled_from(MEMBERS), st.floats(0, 100), max_size=6)


def order(found: list[Fused]) -> list[str]:
    return [one.member for one in best_first(found)]


@given(scores=scored)
def test_a_channel_is_standardised_over_the_whole_bank(scores: dict[str, float]) -> None:
    one = channel("words", scores, population=len(MEMBERS))
    z = [one.standardised(member) for member in MEMBERS]
    assert sum(z) == pytest.approx(0, abs=1e-6)
    if max(scores.values(), default=0) - min([*scores.values(), 0.0]) > 1e-6 and one.spread:
        assert math.fsum(value**2 for value in z) / len(z) == pytest.approx(1)


def test_a_bank_with_nothing_in_it_or_nothing_found_moves_nobody() -> None:
    assert channel("words", {}, population=0).standardised("t1") == 0
    assert channel("words", {}, population=9).standardised("t1") == 0


def test_where_all_score_alike_rounding_moves_nobody() -> None:
    alike = channel("words", dict.fromkeys(MEMBERS, 85.92401012555618), population=len(MEMBERS))
    assert [alike.standardised(member) for member in MEMBERS] == [0] * len(MEMBERS)


def test_more_scores_than_members_are_a_mistake() -> None:
    with pytest.raises(ValueError, match="words"):
        channel("words", {"t1": 1.0, "t2": 1.0}, population=1)


def test_channels_of_any_scale_count_alike() -> None:
    low = channel("meaning", {"t0": 0.9, "t1": 0.1}, population=6)
    high = channel("words", {"t1": 90.0, "t0": 10.0}, population=6)
    first, second = fuse(["t0", "t1"], [low, high])
    assert first.score == pytest.approx(second.score)


@given(meaning=scored, words=scored)
def test_each_hit_shows_what_moved_it_and_its_rank_in_every_channel(
    meaning: dict[str, float], words: dict[str, float]
) -> None:
    channels = [channel("meaning", meaning, population=6), channel("words", words, population=6)]
    found = with_neighbours(fuse(MEMBERS, channels), [MEMBERS])
    for one in found:
        assert one.score == pytest.approx(math.fsum(one.terms.values()), abs=1e-6)
        assert ("words" in one.ranks) == (one.member in words)
    places = sorted(one.ranks["words"] for one in found if "words" in one.ranks)
    assert places == list(range(1, len(words) + 1))


def test_equal_scores_keep_the_order_given() -> None:
    assert order(fuse(["b", "a", "c"], [])) == ["b", "a", "c"]


def test_a_turn_gains_from_its_neighbours_but_not_across_sessions() -> None:
    found = [Fused("t0", 2.0), Fused("t1", 0.0), Fused("t2", 1.0), Fused("t3", 0.5)]
    spread = with_neighbours(found, [["t0", "t1", "t2"], ["t3"]], share=0.5)
    assert [one.score for one in spread] == [2.0, 1.5, 1.0, 0.5]
    assert spread[1].terms["around"] == 1.5


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("Where does Ann's dog sleep?", "Ann"),
        ("Where does ANN live?", "Ann"),
        ("Did Ann and Bob meet?", None),
        ("Who sings?", None),
        ("What about Annika?", None),
        ("", None),
    ],
)
def test_one_named_speaker_is_recognised(query: str, named: str | None) -> None:
    assert named_in(query, ["Ann", "Bob"]) == named


def test_a_name_without_words_is_nobody() -> None:
    assert named_in("…", ["…", ""]) is None


def test_the_turns_of_the_speaker_asked_about_are_raised() -> None:
    found = [Fused("t0", 1.0), Fused("t1", 1.0), Fused("t2", 1.0)]
    speakers = {"t0": "Bob", "t1": "Ann", "t2": None}
    raised = with_speaker(found, speakers, "What does Ann like?", bonus=2.0)
    assert [one.score for one in raised] == [1.0, 3.0, 1.0]
    assert raised[1].terms == {"speaker": 2.0}
    assert with_speaker(found, speakers, "Ann or Bob?") == found


def test_a_fact_has_the_standing_of_the_best_turn_it_was_made_from() -> None:
    turns = [Fused("t0", 4.0), Fused("t1", -1.0)]
    log = inherited("log", turns, {"f0": ["t0", "t1"], "f1": ["t1"], "f2": [], "f3": ["t9"]})
    assert order(fuse(["f1", "f2", "f3", "f0"], [log])) == ["f0", "f2", "f3", "f1"]
    (best,) = fuse(["f0"], [log])
    assert best.ranks == {"log": 1}


def test_a_weight_scales_what_a_channel_adds() -> None:
    one = Channel("log", {"f0": 2.0}, mean=0.0, spread=1.0, weight=0.5)
    assert one.standardised("f0") == 1.0


@given(scores=scored, weight=st.floats(0.1, 9), scale=st.floats(0.1, 9))
def test_scores_beside_the_best_depend_on_no_scale(
    scores: dict[str, float], weight: float, scale: float
) -> None:
    assume(all(score == 0 or score > 1e-9 for score in scores.values()))  # as searches give them
    one = against_best("words", scores, weight=weight)
    other = against_best("words", {m: s * scale for m, s in scores.items()}, weight=weight)
    for member in MEMBERS:
        assert one.standardised(member) == pytest.approx(other.standardised(member), abs=1e-6)
        assert 0 <= one.standardised(member) <= weight * (1 + 1e-9)
    if max(scores.values(), default=0) > 0:
        assert max(map(one.standardised, MEMBERS)) == pytest.approx(weight)
