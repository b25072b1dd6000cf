"""The rows of `eval locomo`: ways to rank one conversation's turns, and its facts, for a question.

`hybrid` is recall itself, over the stores; it is held against the others (issue 4's table).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from forethought.evals.dialogues import Dialogue
from forethought.memory.recall.fusion import (
    Fused,
    best_first,
    channel,
    fuse,
    with_speaker,
)
from forethought.memory.types import Fact

Scores = Mapping[str, float]

_RRF = 60  # Hindsight §4.2
_NEIGHBOUR = 0.7  # of the row that issue 4 measured
_NAMED = 1.0  # standard deviations, in the same row


@dataclass(frozen=True, slots=True)
class Log:
    """What ranks turns beside their scores: the order of each session, and who spoke."""

    sessions: Sequence[Sequence[str]]
    speakers: Mapping[str, str]
    sources: Mapping[str, Sequence[str]]

    @property
    def turns(self) -> list[str]:
        """All turns, in order."""
        return [turn for session in self.sessions for turn in session]

    def facts_of(self, turns: Sequence[str]) -> list[list[str]]:
        """For each of these turns the facts that were made from it."""
        return [[fact for fact, said in self.sources.items() if turn in said] for turn in turns]


def log_of(talk: Dialogue, facts: Sequence[Fact]) -> Log:
    """What a conversation and the facts that are kept of it say beside any score."""
    names = {turn: name for name, turn in talk.logged().items()}
    return Log(
        sessions=[[turn.id for turn in session] for session in talk.sessions],
        speakers={turn.id: turn.speaker for turn in talk.turns},
        sources={
            fact.id: [names[turn] for source in fact.sources for turn in source.turns]
            for fact in facts
        },
    )


@dataclass(frozen=True, slots=True)
class Ranking:
    """Turns, and facts where the method ranks them, best first."""

    turns: Sequence[str]
    facts: Sequence[str] | None = None


@dataclass(frozen=True, slots=True)
class Searched:
    """One question and what each search scored: cosines of all, BM25 of whatever matched.

    `pairs` and `said` are of each turn with the one before it, `plain` is not stemmed; `recalled`
    is what recall itself finds.
    """

    query: str
    turns: Scores
    pairs: Scores
    plain: Scores
    stemmed: Scores
    said: Scores
    facts: Scores
    fact_words: Scores
    recalled: Ranking


def _dense(log: Log, found: Searched) -> Ranking:
    return Ranking(_ordered(log.turns, found.turns), _ordered(list(log.sources), found.facts))


def _plain(log: Log, found: Searched) -> Ranking:
    return Ranking(_ordered(log.turns, found.plain))


def _said(log: Log, found: Searched) -> Ranking:
    return Ranking(_ordered(log.turns, found.said))


def _rrf(log: Log, found: Searched) -> Ranking:
    """Reciprocal ranks of turns; of facts, standardised scores, as issue 4 measured them."""
    ranks = [_reciprocal(log.turns, scores) for scores in (found.turns, found.plain)]
    turns = {turn: sum(of.get(turn, 0.0) for of in ranks) for turn in log.turns}
    facts = _standardised(list(log.sources), text=found.facts, words=found.fact_words)
    return Ranking(_ordered(log.turns, turns), _members(best_first(facts)))


def _windows(log: Log, found: Searched) -> Ranking:
    """Each channel with and without the turn before; a neighbour's .7 where that is more."""
    channels = {
        "turn": found.turns, "pair": found.pairs, "words": found.stemmed, "said": found.said,
    }  # fmt: skip
    fused = _standardised(log.turns, **channels)
    spread = channel("all", {one.member: one.score for one in fused}, population=len(fused)).spread
    named = with_speaker(fused, log.speakers, found.query, bonus=_NAMED * spread)
    own = {one.member: one.score for one in named}
    best = dict(own)
    for session in log.sessions:
        for earlier, later in pairwise(session):
            best[later] = max(best[later], _NEIGHBOUR * own[earlier])
            best[earlier] = max(best[earlier], _NEIGHBOUR * own[later])
    return Ranking(_ordered(log.turns, best))


def _hybrid(log: Log, found: Searched) -> Ranking:
    return found.recalled


METHODS: dict[str, Callable[[Log, Searched], Ranking]] = {
    "dense": _dense,
    "bm25": _plain,
    "bm25+stem+before": _said,
    "dense+bm25 rrf": _rrf,
    "windows z-scores": _windows,
    "hybrid": _hybrid,
}


def _standardised(members: Sequence[str], **found: Scores) -> list[Fused]:
    channels = [channel(name, some, population=len(members)) for name, some in found.items()]
    return fuse(members, channels)


def _reciprocal(members: Sequence[str], scores: Scores) -> dict[str, float]:
    ordered = [member for member in _ordered(members, scores) if member in scores]
    return {member: 1 / (_RRF + place) for place, member in enumerate(ordered, start=1)}


def _ordered(members: Sequence[str], scores: Scores) -> list[str]:
    return sorted(members, key=lambda member: -scores.get(member, 0.0))


def _members(found: Sequence[Fused]) -> list[str]:
    return [one.member for one in found]
