"""agent: what the answer is given to go by, as lines, as far as the budget of tokens goes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date as Day

from forethought.memory.beliefs.types import Observation, Opinion
from forethought.memory.ledger.firing import untold
from forethought.memory.plain import from_plain
from forethought.memory.recall.pack import packed
from forethought.memory.recall.turns import beside
from forethought.memory.records.port import Records
from forethought.memory.tokens import counted
from forethought.memory.types import Hit, Said, fact_ids
from forethought.nodes.bearing import firing_in
from forethought.nodes.context import Context
from forethought.nodes.lines import (
    duty_lines,
    fact_lines,
    message_line,
    observation_lines,
    opinion_lines,
    profile_lines,
    said_lines,
)
from forethought.nodes.spoken import Spoken, so_far
from forethought.nodes.state import AgentState
from forethought.prompts.answer import Remembered
from forethought.prompts.prompt import Fence


@dataclass(frozen=True, slots=True)
class Line:
    """One line, under which heading it stands, and the id of what it shows."""

    network: Fence
    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Given:
    """The lines for which there was room, best first, and how many facts there were in all."""

    lines: list[Line]
    facts: int

    @property
    def ids(self) -> list[str]:
        """The ids that may be cited."""
        return [line.id for line in self.lines if line.network != "conversation"]

    @property
    def rested_on(self) -> list[str]:
        """The ids of the facts that are shown: what an opinion may rest on."""
        return [line.id for line in self.lines if line.network in {"facts", "experience"}]

    @property
    def told(self) -> list[str]:
        """The ids of the commitments that are shown, to be brought up."""
        return [line.id for line in self.lines if line.network == "commitments"]

    @property
    def remembered(self) -> Remembered:
        """The lines under their headings; those of the conversation oldest first."""
        so_far = self._of("conversation")
        return Remembered(
            commitments=self._of("commitments"),
            facts=self._of("facts"),
            experience=self._of("experience"),
            user_profile=self._of("user_profile"),
            opinions=self._of("opinions"),
            observations=self._of("observations"),
            turns=self._of("turns"),
            conversation=so_far[::-1],
        )

    def _of(self, network: Fence) -> tuple[str, ...]:
        return tuple(line.text for line in self.lines if line.network == network)


async def given_for(
    state: AgentState, hits: Sequence[Hit], records: Records, context: Context
) -> Given:
    """What is to be brought up, then facts, the user's profile, views, and what was said."""
    said = so_far(state.get("messages") or [])
    lines = [
        *_duties(state),
        *await _facts(hits, records, context),
        *_views(state),
        *(Line("conversation", one.id, message_line(one.role, one.text)) for one in said[::-1]),
        *_turns(state, hits, said, context),
    ]
    kept = packed(lines, await counted([line.text for line in lines]), context.budget)
    return Given(kept, len(hits))


def _duties(state: AgentState) -> list[Line]:
    """Those that have not been brought up on this day."""
    fired = firing_in(state)
    if not fired:
        return []
    on = Day.fromisoformat(state["day"])
    fresh = untold(fired, on)
    lines = zip(fresh, duty_lines(fresh, on), strict=True)
    return [Line("commitments", one.commitment.id, text) for one, text in lines]


async def _facts(hits: Sequence[Hit], records: Records, context: Context) -> list[Line]:
    facts = [hit.fact for hit in hits]
    earlier = await records.earlier(context.bank, fact_ids(facts))
    return [
        Line("experience" if fact.network == "experience" else "facts", fact.id, text)
        for fact, text in zip(facts, fact_lines(facts, earlier), strict=True)
    ]


def _views(state: AgentState) -> list[Line]:
    opinions = from_plain(list[Opinion], state.get("opinions") or [])
    summed_up = from_plain(list[Observation], state.get("observations") or [])
    user = [one for one in summed_up if one.about == "user"]
    made = [one for one in summed_up if one.about != "user"]
    return [
        *(Line("user_profile", *pair) for pair in _by_id(user, profile_lines(user))),
        *(Line("opinions", *pair) for pair in _by_id(opinions, opinion_lines(opinions))),
        *(Line("observations", *pair) for pair in _by_id(made, observation_lines(made))),
    ]


def _by_id(views: Sequence[Opinion | Observation], lines: Sequence[str]) -> list[tuple[str, str]]:
    return [(view.id, line) for view, line in zip(views, lines, strict=True)]


def _turns(
    state: AgentState, hits: Sequence[Hit], talk: Sequence[Spoken], context: Context
) -> list[Line]:
    """The turns that say other things than the facts and this conversation do."""
    shown = {one.text for one in talk}
    found = beside(from_plain(list[Said], state.get("turns") or []), hits)
    said = [one for one in found if one.turn.text not in shown][: context.quoted]
    return [
        Line("turns", one.turn.id, text) for one, text in zip(said, said_lines(said), strict=True)
    ]
