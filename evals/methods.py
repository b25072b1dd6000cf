"""The retrieval methods that are compared, each run through the real recall and the real graphs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal

from forethought.graphs.app import App
from forethought.graphs.prospect import build_prospect
from forethought.memory.errors import InvalidInput
from forethought.memory.recall.channels import Channels
from forethought.nodes.context import Context, Shape
from forethought.nodes.model import Model

LIMIT = 35  # facts ranked: the largest k that is measured, and the default of `Context.limit`


@dataclass(frozen=True, slots=True)
class Method:
    """One way to find facts. `rounds` 0 is PGR's base variant, None all that it may refine."""

    name: str
    how: Literal["recall", "hybrid", "words", "prospect", "auto"]
    foresight: bool = False
    shape: Shape = "tree"
    rounds: int | None = None

    @property
    def calls(self) -> bool:
        """Whether it calls the model when asked, or may."""
        return self.how in {"prospect", "auto"}


METHODS: tuple[Method, ...] = (
    Method("dense", "recall"),
    Method("bm25", "words"),
    Method("foresight", "recall", foresight=True),
    Method("hybrid", "hybrid", foresight=True),
    Method("pgr-base", "prospect", rounds=0),
    Method("pgr-base+foresight", "prospect", foresight=True, rounds=0),
    Method("pgr-iterative", "prospect"),
    Method("pgr-iterative+foresight", "prospect", foresight=True),
    Method("auto", "auto", foresight=True),
    Method("cot", "prospect", shape="chain"),
    Method("cot+foresight", "prospect", foresight=True, shape="chain"),
)


def chosen(names: Sequence[str] | None) -> tuple[Method, ...]:
    """The methods of these names, all for None. Raises InvalidInput that lists what there is."""
    known = {method.name: method for method in METHODS}
    wanted = list(known) if names is None else list(dict.fromkeys(names))
    for name in wanted:
        if name not in known:
            raise InvalidInput(f"method {name!r} is not known; there are {', '.join(known)}")
    if not wanted:
        raise InvalidInput(f"no method was named; there are {', '.join(known)}")
    return tuple(known[name] for name in wanted)


@dataclass(frozen=True, slots=True)
class Found:
    """What a method found for one question.

    `facts` are ids, best first, at most LIMIT. `found` is how many facts it found in all: the size
    of R for prospection, else the same facts. `calls` are those of `imagine` and `refine`, `ahead`
    whether the question was thought about.
    """

    facts: tuple[str, ...]
    found: int
    calls: int = 0
    ahead: bool = False


class Asker:
    """Asks one bank by any method."""

    def __init__(
        self, app: App, bank: str, models: Mapping[Shape, Model | None], *, rounds: int
    ) -> None:
        """`models` are those that imagine, by shape; `rounds` how often they may refine."""
        self.app = app
        self.bank = bank
        self._rounds = rounds
        # the loop alone: a run stops before the summary, which finds nothing and costs a call
        self._graphs: dict[Shape, Any] = {
            shape: build_prospect(replace(app, model=model)).compile(interrupt_before=["summarise"])
            for shape, model in models.items()
        }

    async def ask(self, method: Method, query: str, now: datetime) -> Found:
        """What `method` finds for `query` as of `now`."""
        if await self._thinks_ahead(method, query):
            return await self._prospect(method, query, now)
        if method.how == "words":
            found = await self.app.records.search(self.bank, query, k=LIMIT, now=now)
            return Found(tuple(fact for fact, _ in found), len(found))
        channels = Channels.chosen(
            hybrid=method.how in {"hybrid", "auto"}, foresight=method.foresight
        )
        recalled = await self.app.recall.recall(
            self.bank, query, now=now, limit=LIMIT, channels=channels
        )
        return Found(tuple(hit.fact.id for hit in recalled.hits), len(recalled.hits))

    async def _thinks_ahead(self, method: Method, query: str) -> bool:
        if method.how != "auto":
            return method.how == "prospect"
        return (await self.app.recall.reading(self.bank, query)).thinks_ahead

    async def _prospect(self, method: Method, query: str, now: datetime) -> Found:
        context = Context(
            bank=self.bank, now=now.isoformat(), shape=method.shape, limit=LIMIT,
            max_rounds=self._rounds if method.rounds is None else method.rounds,
        )  # fmt: skip
        if not method.foresight:
            context = replace(context, foresight=0)
        run = self._graphs[method.shape].astream(
            {"query": query}, context=context, stream_mode="values"
        )
        state = [state async for state in run][-1]
        facts = tuple(hit["fact"]["id"] for hit in state["hits"])
        return Found(facts, len(state["recalled"]), state["usage"]["calls"], ahead=True)
