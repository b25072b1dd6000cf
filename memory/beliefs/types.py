"""Opinions and observations: two of the four networks, kept apart from facts by their types.

Neither is a `Fact`, so no search for facts can ever return one as evidence of what is so.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date as Day
from datetime import datetime
from typing import Literal

Verdict = Literal["reinforce", "weaken", "contradict", "neutral", "revise"]
"""What a fact says of an opinion (Hindsight §5.3), or that reflection revised it."""

VERDICTS: tuple[Verdict, ...] = ("reinforce", "weaken", "contradict", "neutral")
"""Those that the assessment of evidence may give."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of an opinion's trajectory: when, what moved it, and from where to where.

    `fact` is the evidence and `source` the session that it was said in; a revision by reflection
    has neither. `text` is the opinion as it read after the step, so that no wording is lost.
    """

    at: datetime
    verdict: Verdict
    before: float
    after: float
    text: str
    fact: str | None = None
    source: str | None = None


@dataclass(frozen=True, slots=True)
class Opinion:
    """What the assistant believes, with its reason, and how sure it is (Hindsight §5.2).

    `first` and `initial` are its text and confidence as `formed` (aware UTC); `text` and
    `confidence`, in [0, 1], are those of now, which the `steps` lead to from there. `facts` are
    those that it rests on, `entities` the names of who and what it is about.
    """

    id: str
    bank: str
    first: str
    initial: float
    formed: datetime
    text: str
    confidence: float
    entities: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()

    @property
    def revised(self) -> datetime:
        """When it was last moved, or formed."""
        return max((step.at for step in self.steps), default=self.formed)


@dataclass(frozen=True, slots=True)
class Judgement:
    """What is to be done to an opinion: a verdict on a fact, or a revision by reflection.

    `text` is the wording from now on, where it changes. A revision names its new `confidence` and
    the `facts` that it rests on from now on, beside those before.
    """

    opinion: str
    verdict: Verdict
    at: datetime
    fact: str | None = None
    source: str | None = None
    text: str | None = None
    confidence: float | None = None
    facts: tuple[str, ...] = ()


About = Literal["entity", "topic", "user"]
USER = "user"
"""The subject of the observations that are the user's profile (PPRO §3.2)."""


@dataclass(frozen=True, slots=True)
class Observation:
    """A neutral statement that sums up facts about one subject (Hindsight §4.1.5, PPRO §3.1).

    `subject` is the id of an entity (the root) or of a topic, the smallest id of its facts, or
    USER, and `title` its name. All observations of one subject are made in one call from the same
    `facts`, and replaced together; `occurred_from` and `occurred_to` span those facts, `made`
    (aware UTC) is when they were.
    """

    id: str
    bank: str
    subject: str
    about: About
    title: str
    text: str
    facts: tuple[str, ...]
    made: datetime
    occurred_from: Day | None = None
    occurred_to: Day | None = None
