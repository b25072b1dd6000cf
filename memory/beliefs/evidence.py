"""What new facts may say of opinions: the pairs that wait to be assessed, and what comes of them.

Facts are paired once, up to a mark, and the pairs kept with it until they are assessed: so a run
that ends anywhere loses none, and a fact counts once however often it is (`confidence.judged`).
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, dataclass, replace

from forethought.memory.beliefs.candidates import Known, Pair, candidates
from forethought.memory.beliefs.types import Judgement, Opinion
from forethought.memory.entities.roots import root_of, with_roots
from forethought.memory.indexing import Indexer
from forethought.memory.records.port import Records
from forethought.memory.types import Entity, Fact, fact_ids
from forethought.memory.words import name_key, words

_WAITING = "reinforced"
"""Setting of a bank: the mark up to which its facts were paired, and the pairs that wait."""

_FACTS = 500  # paired at once: their cosines with a thousand opinions take 2 MB
_NAMESAKES = 50  # of one very name; as `people` looks at


@dataclass(frozen=True, slots=True)
class Waiting:
    """Pairs to be assessed, of facts up to `mark`; so many to a call, if that is restricted.

    `again` are those that got no fitting reply by themselves, to be asked about once more, alone.
    """

    mark: int = 0
    pairs: tuple[Pair, ...] = ()
    again: tuple[Pair, ...] = ()
    size: int | None = None

    def next(self, most: int) -> tuple[Pair, ...]:
        """The pairs of the next call, `most` of them at most."""
        return self.pairs[: min(self.size or most, most)] or self.again[:1]

    def without(self, pairs: Collection[Pair]) -> Waiting:
        """The same when these wait no more."""
        return replace(
            self,
            pairs=tuple(pair for pair in self.pairs if pair not in pairs),
            again=tuple(pair for pair in self.again if pair not in pairs),
        )


@dataclass(frozen=True, slots=True)
class Evidence:
    """The collaborators that say which opinions a new fact may move, and move them."""

    indexer: Indexer

    @property
    def records(self) -> Records:
        """Where facts and opinions are."""
        return self.indexer.records

    async def waiting(self, bank: str) -> Waiting:
        """The pairs that wait, after pairing facts that came in since the last time."""
        kept = await self._kept(bank)
        while not kept.pairs:
            facts, mark = await self.records.added(bank, since=kept.mark, limit=_FACTS)
            if mark == kept.mark:
                break
            kept = replace(kept, mark=mark, pairs=await self._pairs(bank, facts))
            await self._keep(bank, kept)
        return kept

    async def known(self, bank: str, pairs: Sequence[Pair]) -> list[tuple[Opinion, Fact]]:
        """The opinion and the fact of each pair, where both are there and the fact holds."""
        opinions = {o.id: o for o in await self.records.opinions(bank, [o for o, _ in pairs])}
        found = await self.records.facts(bank, [fact for _, fact in pairs])
        facts = {fact.id: fact for fact in found if fact.until is None}
        return [(opinions[o], facts[f]) for o, f in pairs if o in opinions and f in facts]

    async def assessed(
        self, bank: str, pairs: Sequence[Pair], judgements: Sequence[Judgement]
    ) -> list[Opinion]:
        """Apply what was said of these pairs, which wait no more; the opinions that changed."""
        changed = await self.records.judge(bank, judgements) if judgements else []
        kept = await self._kept(bank)
        await self._keep(bank, replace(kept.without(set(pairs)), size=None))
        if changed:
            await self.indexer.catch_up(bank)  # an opinion that reads otherwise
        return changed

    async def refused(self, bank: str, pairs: Sequence[Pair]) -> int:
        """Let these pairs wait after a reply that did not fit; return how many are to go on with.

        Half as many go into the next call. One by itself waits for another run, so that no other
        has to wait for it, and is given up when that fails too.
        """
        kept = await self._kept(bank)
        if len(pairs) > 1:
            kept = replace(kept, size=len(pairs) // 2)
        else:
            failed = tuple(pair for pair in pairs if pair not in kept.again)
            left = kept.without(pairs)
            kept = replace(left, again=(*left.again, *failed), size=None)
        await self._keep(bank, kept)
        return len(kept.pairs)

    async def settle(self, bank: str) -> None:
        """Count all facts that are there as assessed: those of an import were, where it is from."""
        _, mark = await self.records.added(bank, since=0, limit=None)
        await self._keep(bank, Waiting(mark))

    async def _pairs(self, bank: str, facts: Sequence[Fact]) -> tuple[Pair, ...]:
        opinions = await self.records.opinions(bank) if facts else []
        if not opinions:
            return ()
        ids = [opinion.id for opinion in opinions]
        held = Known(
            await _names_held(self.records, bank, opinions),
            await self.indexer.vectors(bank, "opinion", ids),
        )
        said = Known(
            await _names_said(self.records, bank, facts),
            await self.indexer.vectors(bank, "text", fact_ids(facts)),
        )
        return tuple(candidates(opinions, facts, held=held, said=said))

    async def _kept(self, bank: str) -> Waiting:
        kept = await self.records.setting(bank, _WAITING)
        if not kept:
            return Waiting()
        data = json.loads(kept)
        pairs, again = (
            tuple((opinion, fact) for opinion, fact in data[name]) for name in ("pairs", "again")
        )
        return Waiting(data["mark"], pairs, again, data["size"])

    async def _keep(self, bank: str, waiting: Waiting) -> None:
        await self.records.setting(bank, _WAITING, json.dumps(asdict(waiting)))


async def _names_said(records: Records, bank: str, facts: Sequence[Fact]) -> dict[str, set[str]]:
    """By fact, the keys of the names of all that it mentions, by root."""
    mentions = await records.mentions(bank, fact_ids(facts))
    known = await with_roots(records, bank, {}, sorted({one.entity for one in mentions}))
    names: dict[str, set[str]] = {}
    for one in mentions:
        names.setdefault(one.fact, set()).update(_keys([one.entity], known))
    return names


async def _names_held(
    records: Records, bank: str, opinions: Sequence[Opinion]
) -> dict[str, set[str]]:
    """By opinion, the keys of its names, and of the roots of those that bear them."""
    said = sorted({name for one in opinions for name in one.entities if words(name)})
    found = await records.namesakes(bank, said, k=_NAMESAKES) if said else {}
    same = {
        name: [one for one in found.get(name, ()) if name_key(one.name) == name_key(name)]
        for name in said
    }
    every = {one.id: one for some in same.values() for one in some}
    known = await with_roots(records, bank, every)
    keys = {
        name: {name_key(name), *_keys((one.id for one in some), known)}
        for name, some in same.items()
    }
    return {
        one.id: {key for name in one.entities for key in keys.get(name, ())} for one in opinions
    }


def _keys(entities: Iterable[str], known: dict[str, Entity]) -> set[str]:
    roots = {root_of(id, known) for id in entities}
    return {name_key(known[root].name) for root in roots if root in known}
