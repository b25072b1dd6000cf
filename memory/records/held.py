"""What becomes of opinions and observations that are given, judged, or lose a fact: pure.

Used by every store, which looks up what is known and writes what these say.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from forethought.memory.beliefs.confidence import judged, without
from forethought.memory.beliefs.types import Judgement, Observation, Opinion
from forethought.memory.errors import InvalidInput
from forethought.memory.records.values import check_named, check_own, stamp
from forethought.memory.words import name_key, storable


def evidence(opinion: Opinion) -> set[str]:
    """Ids of the facts that it rests on or was moved by: without one of them it is another."""
    return {*opinion.facts, *(step.fact for step in opinion.steps if step.fact is not None)}


def grounds(judgement: Judgement) -> set[str]:
    """Ids of the facts that a judgement names."""
    return {*judgement.facts, *([] if judgement.fact is None else [judgement.fact])}


def check_opinions(bank: str, opinions: Iterable[Opinion]) -> None:
    """Refuse what could only be a caller's mistake: another bank, no time zone, no confidence."""
    check_named(bank, to="hold this opinion")
    for one in opinions:
        check_own(bank, f"opinion {one.id}", one.bank)
        stamp(one.formed, of=f"opinion {one.id}")
        for step in one.steps:
            stamp(step.at, of=f"a step of opinion {one.id}")
        for sure in confidences(one):
            _check_confidence(sure, of=f"opinion {one.id}")


def check_judgements(bank: str, judgements: Iterable[Judgement]) -> None:
    """The same of judgements."""
    check_named(bank, to="hold the opinion that is judged")
    for one in judgements:
        stamp(one.at, of=f"a judgement on opinion {one.opinion}")
        if one.confidence is not None:
            _check_confidence(one.confidence, of=f"a judgement on opinion {one.opinion}")


def check_observations(bank: str, subject: str, observations: Iterable[Observation]) -> None:
    """The same of observations, which are all to be on `subject`."""
    check_named(bank, to="keep these observations")
    for one in observations:
        check_own(bank, f"observation {one.id}", one.bank)
        stamp(one.made, of=f"observation {one.id}")
        if one.subject != subject:
            raise InvalidInput(
                f"observation {one.id} is on {one.subject!r} and was given as one on {subject!r}: "
                "give those on each subject by themselves"
            )


def confidences(opinion: Opinion) -> list[float]:
    """All that it has or had."""
    moved = [sure for step in opinion.steps for sure in (step.before, step.after)]
    return [opinion.initial, opinion.confidence, *moved]


def to_hold(
    opinions: Iterable[Opinion], *, known: Collection[str], facts: Collection[str]
) -> list[Opinion]:
    """The opinions to store: not blank, not `known` by id, and no fact of theirs is gone.

    `facts` are those of their `evidence` that are there.
    """
    held: dict[str, Opinion] = {}
    for given in opinions:
        one = _kept(given)
        blank = not (one.text.strip() and one.first.strip())
        if not blank and one.id not in known and evidence(one) <= set(facts):
            held.setdefault(one.id, one)
    return list(held.values())


def after_judging(
    judgements: Iterable[Judgement], *, known: Mapping[str, Opinion], facts: Collection[str]
) -> list[Opinion]:
    """Those of the `known` opinions that the judgements change, as they are then.

    A judgement of which a fact is not there (`facts` are those of its `grounds` that are) is passed
    over: what it says may be of that fact.
    """
    now = dict(known)
    for given in judgements:
        text = None if given.text is None else storable(given.text)
        one = replace(given, opinion=storable(given.opinion), text=text)
        if one.opinion in now and grounds(one) <= set(facts):
            now[one.opinion] = judged(now[one.opinion], one)
    return [after for id, after in now.items() if after != known[id]]


def to_observe(
    observations: Iterable[Observation], *, facts: Collection[str], entities: Collection[str]
) -> list[Observation]:
    """The observations to store on their subject: all that are not blank, or none.

    None if a fact that one is made from, or the entity that one is about, is not there: `facts` and
    `entities` are those that are.
    """
    kept: dict[str, Observation] = {}
    for given in observations:
        one = _kept_observation(given)
        if not set(one.facts) <= set(facts):
            return []
        if one.about == "entity" and one.subject not in entities:
            return []
        if one.text.strip():
            kept.setdefault(one.id, one)
    return list(kept.values())


@dataclass(frozen=True, slots=True)
class Left:
    """What is left of opinions once facts are forgotten: ids of those that go, and the changed.

    `reworded` are those of the changed whose text is another, so that their vector must go.
    """

    gone: tuple[str, ...] = ()
    changed: tuple[Opinion, ...] = ()
    reworded: tuple[str, ...] = ()


def left_without(opinions: Sequence[Opinion], facts: Collection[str]) -> Left:
    """What is left of these opinions without these facts (`confidence.without`)."""
    after = {one.id: without(one, facts) for one in opinions}
    changed = [one for one in opinions if after[one.id] != one]
    kept = tuple(one for one in (after[was.id] for was in changed) if one is not None)
    texts = {one.id: one.text for one in opinions}
    return Left(
        tuple(one.id for one in changed if after[one.id] is None),
        kept,
        tuple(one.id for one in kept if one.text != texts[one.id]),
    )


def naming(opinions: Iterable[Opinion], names: Iterable[str]) -> list[str]:
    """Ids of the opinions that are about somebody of one of these names (`words.name_key`)."""
    keys = {name_key(name) for name in names}
    return [one.id for one in opinions if not keys.isdisjoint(map(name_key, one.entities))]


def _kept(opinion: Opinion) -> Opinion:
    """As its texts are stored: those that a judgement is compared with later."""
    return replace(
        opinion,
        id=storable(opinion.id),
        first=storable(opinion.first),
        text=storable(opinion.text),
        entities=tuple(map(storable, opinion.entities)),
        steps=tuple(replace(step, text=storable(step.text)) for step in opinion.steps),
    )


def _kept_observation(one: Observation) -> Observation:
    texts = {name: storable(getattr(one, name)) for name in ("id", "subject", "title", "text")}
    return replace(one, **texts)  # type: ignore[arg-type] # all four are texts


def _check_confidence(sure: float, *, of: str) -> None:
    if not 0 <= sure <= 1:  # nor is NaN
        raise InvalidInput(f"{of} has the confidence {sure}: give one from 0 to 1")
