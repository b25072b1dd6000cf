"""Whatever steps a model wrote, what is left of them is a sound forest."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from forethought.memory.ids import same_text
from forethought.memory.prospection import BANNED_FIRST_WORDS, MAX_STEPS, Step, repaired

WORDS = ["", " ", "Go", "go.", "Plan", "imagine", "Review:", "the", "boat", "猫", "\u200b", "Plan,"]
LABELS = ["", " ", "A1", "A2", "A3", "A4", "A1.2", " A1 ", "B"]
texts = st.lists(st.sampled_from(WORDS), max_size=4).map(" ".join) | st.text(max_size=12)
labels = st.sampled_from(LABELS) | st.text(max_size=4)
steps = st.lists(
    st.builds(Step, id=labels, action=texts, constraints=texts, parent=st.none() | labels),
    max_size=MAX_STEPS + 6,
)


def _depth(step: Step, parents: dict[str, str | None]) -> int:
    """Steps up to the root; a KeyError for a dangling parent, more than all of them for a cycle."""
    depth, at = 0, step.parent
    while at is not None and depth <= len(parents):
        depth, at = depth + 1, parents[at]
    return depth


@given(steps)
def test_it_is_a_forest_of_distinct_concrete_steps(given: list[Step]) -> None:
    sound = repaired(given).steps
    parents = {step.id: step.parent for step in sound}
    assert len(sound) <= min(len(given), MAX_STEPS)
    assert len(parents) == len(sound)
    assert all(_depth(step, parents) < max(1, len(sound)) for step in sound)
    assert len({same_text(step.probe) for step in sound}) == len(sound)
    for step in sound:
        assert step.id.strip()
        assert step.action.strip()
        assert step.action.split()[0].casefold().strip(".,:;") not in BANNED_FIRST_WORDS


@given(steps)
def test_what_is_sound_needs_no_further_repair(given: list[Step]) -> None:
    once = repaired(given)
    again = repaired(once.steps)
    assert again.steps == once.steps
    assert again.repairs == ()


@given(steps)
def test_whatever_was_changed_is_named(given: list[Step]) -> None:
    mended = repaired(given)
    tidy = [
        Step(
            step.id, " ".join(step.action.split()), " ".join(step.constraints.split()), step.parent
        )
        for step in given
    ]
    if not mended.repairs:
        assert [step.probe for step in mended.steps] == [step.probe for step in tidy]
        assert [step.parent for step in mended.steps] == [step.parent for step in tidy]


@given(steps)
def test_steps_stay_in_the_order_they_were_written_in(given: list[Step]) -> None:
    written = [" ".join(step.action.split()) for step in given]
    positions: list[int] = []
    for step in repaired(given).steps:
        start = positions[-1] + 1 if positions else 0
        positions.append(
            next(at for at in range(start, len(written)) if written[at].endswith(step.action))
        )
    assert positions == sorted(positions)


def test_a_good_tree_is_left_as_it_is() -> None:
    good = [Step("A1", "Pack"), Step("A2", "Leave", "early", "A1"), Step("A3", "Stay", parent="A1")]
    assert repaired(good).steps == tuple(good)
    assert repaired(good).repairs == ()


def test_a_probe_joins_the_action_and_its_constraints() -> None:
    assert Step("A1", "Pack", "rain").probe == "Pack: rain"
    assert Step("A1", "Pack").probe == "Pack"


def test_nothing_usable_leaves_nothing() -> None:
    assert repaired([Step("A1", "Imagine"), Step("A2", "  ")]).steps == ()
    assert repaired([]).steps == ()
