"""Which opinions new facts may bear on (Hindsight §5.5, step 1): pure over names and vectors."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from forethought.memory.beliefs.types import Opinion
from forethought.memory.embedding import Vectors
from forethought.memory.types import Fact

THETA = 0.5  # cosine, ours: Hindsight §5.5 names a threshold θ and gives no value


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a set of facts or opinions, by their ids.

    `names` are the keys of who and what each is about, by its root; `vectors` are unit vectors. An
    id may be in neither.
    """

    names: Mapping[str, Collection[str]] = field(default_factory=dict)
    vectors: Mapping[str, Vectors] = field(default_factory=dict)


Pair = tuple[str, str]
"""An opinion and a fact that may bear on it, by id."""


def candidates(
    opinions: Sequence[Opinion], facts: Sequence[Fact], *, held: Known, said: Known
) -> list[Pair]:
    """The pairs of an opinion and a fact that share a name or are alike beyond θ.

    In the order of the facts, for each the most alike opinion first. A fact is no news to an
    opinion that rests on it or was moved by it already; one that several sessions support is none
    where one of those has moved the opinion, since it may be merged from what did.
    """
    pairs: list[Pair] = []
    for fact in facts:
        fresh = [opinion for opinion in opinions if _is_news(fact, opinion)]
        alike = {opinion.id: _cosine(opinion.id, fact.id, held, said) for opinion in fresh}
        related = [
            id
            for id, cosine in alike.items()
            if cosine > THETA or not set(held.names.get(id, ())).isdisjoint(_names(fact, said))
        ]
        pairs += [(id, fact.id) for id in sorted(related, key=lambda id: (-alike[id], id))]
    return pairs


def _names(fact: Fact, said: Known) -> Collection[str]:
    return said.names.get(fact.id, ())


def _is_news(fact: Fact, opinion: Opinion) -> bool:
    if fact.id in opinion.facts or any(step.fact == fact.id for step in opinion.steps):
        return False
    sessions = {source.session for source in fact.sources}
    return len(sessions) < 2 or all(step.source not in sessions for step in opinion.steps)  # noqa: PLR2004  # several


def _cosine(opinion: str, fact: str, held: Known, said: Known) -> float:
    one, other = held.vectors.get(opinion), said.vectors.get(fact)
    return 0.0 if one is None or other is None else float(one @ other)
