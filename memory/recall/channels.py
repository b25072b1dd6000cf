"""The channels of recall: which facts each finds for a question, and which of them are asked.

A channel is an async function of a bank and a `Question` that gives a `fusion.Channel`: scores by
fact that read as standard deviations, so that what one says adds to what the others do.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from forethought.memory.recall.fusion import Channel, against_best
from forethought.memory.recall.temporal import Timely, spelled

if TYPE_CHECKING:
    from forethought.memory.embedding import Vectors
    from forethought.memory.records.port import Records

SEMANTIC, FORESIGHT, KEYWORD, LOG = "semantic", "foresight", "keyword", "log"
TEMPORAL, GRAPH = "temporal", "graph"
KEYWORD_DEPTH = 100  # facts read of a keyword search
# Standard deviations for the best match. `eval foresight`: LongMemEval look-ups@5 .77 without,
# .80 with it; the mini set's plans and look-ups stay as they are.
KEYWORD_WEIGHT = 1.0


TIMELY_DEPTH = 100  # facts read of a search by days
# Standard deviations for an activation of 1. On the sets of `eval foresight` .25 moves nothing,
# more a question or two either way: few facts there are found by a path alone.
GRAPH_WEIGHT = 0.25
# Standard deviations for the middle of the days, half of it for their edge. LoCoMo's 211 questions
# that name a time, turns@10: 0 gives .65, 1 .70, 2 .73, 3 .75; facts@20 .74, .78, .80, .79.
TIMELY_WEIGHT = 3.0


@dataclass(frozen=True, slots=True)
class Channels:
    """What recall goes by beside the facts' own texts, which PGR's dense φ goes by alone.

    `foresight` are their cues, `keyword` is BM25 over them, `log` are the turns, `temporal` the
    days that a question names, `graph` what shares entities and links with the nearest. `related`
    leaves out facts whose text is not related to the request, as the embedder sees it (τ).
    """

    foresight: bool = True
    keyword: bool = True
    log: bool = True
    temporal: bool = True
    graph: bool = True
    related: bool = False

    @classmethod
    def chosen(cls, *, hybrid: bool, foresight: bool) -> Channels:
        """Hybrid recall or the dense channel alone, either with foresight's cues or without."""
        return cls(foresight, keyword=hybrid, log=hybrid, temporal=hybrid, graph=hybrid)


EPISODIC = 25  # PPRO B.3: its K of episodic memories
# Its episodic path: text alone, from a similarity on. PPRO's .6 is bge-large's, whose cosines lie
# between about .6 and 1; what it marks off is what τ does for another embedder.
EPISODES = Channels(
    foresight=False, keyword=False, log=False, temporal=False, graph=False, related=True
)


@dataclass(frozen=True, slots=True)
class Question:
    """What one bank is asked: in words, as a vector [d], and as of when.

    `texts` is what facts' texts are held against, the vector or what a profile makes of it; cues,
    turns and words are held against the request itself. `until` is `now` where the bank has facts
    said or cues learned later, which searches must leave out then.
    `timely` is what lies near the days that the question names; None where it names none.
    """

    text: str
    vector: Vectors
    texts: Vectors
    now: datetime
    until: datetime | None = None
    timely: Timely | None = None


@dataclass(frozen=True, slots=True)
class Heard:
    """What a channel says of the facts, and what it `read` in the question to know it."""

    channel: Channel
    read: str = ""


class Finder(Protocol):
    """Finds facts of a bank for a question."""

    def __call__(self, bank: str, question: Question, /) -> Awaitable[Heard]:
        """The facts it finds, with their scores; it is quick where it has nothing to say."""


def told_by_days(timely: Timely) -> Heard:
    """The days as a channel of facts, as they are read, and whether a model read them."""
    scores = Channel(TEMPORAL, timely.facts, mean=0.0, spread=1.0, weight=TIMELY_WEIGHT)
    by = "" if timely.by_rules else " (as a model read them)"
    return Heard(scores, f"{spelled(timely.days)}{by}")


def words_in(records: Records) -> Callable[[str, Question], Awaitable[Heard]]:
    """The keyword channel: BM25 of the facts' texts, beside that of the best."""

    async def find(bank: str, question: Question) -> Heard:
        found = await records.search(bank, question.text, k=KEYWORD_DEPTH, now=question.now)
        return Heard(against_best(KEYWORD, dict(found), weight=KEYWORD_WEIGHT))

    return find
