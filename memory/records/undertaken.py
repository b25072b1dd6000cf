"""What becomes of commitments that are given or settled: pure.

Used by every store, which looks up what is known and writes what these say.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace

from forethought.memory.ledger.types import Commitment, Settlement, close
from forethought.memory.types import Source
from forethought.memory.words import storable


@dataclass(frozen=True, slots=True)
class Ground:
    """What new commitments stand on.

    `known` are the ids of those that are stored, `sessions` those of their `sessions_of` that are
    in the log. `kept` gives the id that a fact is stored under, None where it is not there.
    `refused` are the facts that came with them and were not stored.
    """

    known: Collection[str]
    sessions: Collection[str]
    kept: Callable[[str], str | None]
    refused: Collection[str] = field(default=())


def sessions_of(commitments: Iterable[Commitment]) -> set[str]:
    """Ids of the sessions that they were made in."""
    return {one.source.session for one in commitments if one.source is not None}


def facts_of(commitments: Iterable[Commitment]) -> set[str]:
    """Ids of the facts that they concern."""
    return {fact for one in commitments for fact in one.facts}


def to_undertake(commitments: Iterable[Commitment], ground: Ground) -> list[Commitment]:
    """The commitments to store, each once, as they are stored: without cues.

    Left out are those that are known, blank, made in a session that is not there, or concerned with
    a fact that was refused: what they say may be what was forgotten.
    """
    new: dict[str, Commitment] = {}
    for given in commitments:
        one = _kept(given, ground.kept)
        there = one.source is None or one.source.session in ground.sessions
        told_of = set(given.facts) & set(ground.refused)
        if one.action.strip() and there and not told_of and one.id not in ground.known:
            new.setdefault(one.id, one)
    return list(new.values())


def after_settling(
    settlements: Iterable[Settlement], known: Mapping[str, Commitment]
) -> list[Commitment]:
    """Those of the `known` commitments that the settlements close, as they are then.

    A settlement of one that is closed already, or that was made later, is passed over.
    """
    now = dict(known)
    for one in settlements:
        was = now.get(storable(one.commitment))
        if was is not None and was.status == "open" and one.at >= was.made:
            turn = None if one.turn is None else storable(one.turn)
            now[was.id] = close(was, one.outcome, at=one.at, turn=turn)
    return [after for id, after in now.items() if after != known[id]]


def _kept(one: Commitment, kept: Callable[[str], str | None]) -> Commitment:
    """As it is stored: its texts, and of its facts those that are there, each once."""
    facts = (kept(storable(fact)) for fact in one.facts)
    return replace(
        one,
        id=storable(one.id),
        action=storable(one.action),
        condition=_storable(one.condition),
        source=None if one.source is None else _source(one.source),
        facts=tuple(dict.fromkeys(fact for fact in facts if fact is not None)),
        closed_by=_storable(one.closed_by),
        foreseen=False,
    )


def _storable(text: str | None) -> str | None:
    return None if text is None else storable(text)


def _source(source: Source) -> Source:
    return Source(storable(source.session), tuple(map(storable, source.turns)))
