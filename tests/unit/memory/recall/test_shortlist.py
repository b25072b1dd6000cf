"""What a search of the cues tells of a fact is what fetching its cues would tell."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from forethought.memory.index import Neighbour
from forethought.memory.recall.shortlist import seen, told_by
from forethought.memory.recall.similarity import best_two

COSINES = st.lists(st.floats(-1, 1).map(lambda c: round(c, 3)), min_size=1, max_size=40)


@given(COSINES, st.integers(1, 40))
def test_of_a_fact_with_two_cues_in_the_search_the_best_two_are_known(
    cosines: list[float], n: int
) -> None:
    all_cues = [Neighbour(f"f{i % 7}:{i // 7}", cosine) for i, cosine in enumerate(cosines)]
    all_cues.sort(key=lambda cue: -cue.cosine)
    near = all_cues[:n]
    told = told_by(seen(near))
    for fact in {cue.id.partition(":")[0] for cue in all_cues}:
        own = [cue for cue in all_cues if cue.id.startswith(f"{fact}:")]
        assert (fact in told) == (sum(cue in near for cue in own) > 1)
        if fact in told:
            assert best_two(told[fact].dots, -9.0) == best_two([cue.cosine for cue in own], -9.0)
            assert f"{fact}:{told[fact].best}" == own[0].id


def test_what_was_added_to_the_scores_is_taken_off_again() -> None:
    (told,) = told_by(seen([Neighbour("f1:0", 0.75), Neighbour("f1:3", 0.5)]), 0.25).values()
    assert (told.dots, told.best) == ((0.5, 0.25), 0)
