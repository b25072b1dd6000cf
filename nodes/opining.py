"""agent: what becomes of the opinions that a reflection wrote: new, a revision, or dropped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from forethought.memory.beliefs.types import Judgement, Opinion
from forethought.memory.embedding import Thresholds, Vectors
from forethought.memory.entities.naming import distinct
from forethought.memory.ids import opinion_id
from forethought.memory.indexing import Indexer
from forethought.memory.types import Fact
from forethought.memory.words import words
from forethought.nodes.labels import labelled
from forethought.prompts.reflect import FormedOpinion


@dataclass(frozen=True, slots=True)
class Ground:
    """What a reflection was shown, in the order of its labels, in which bank and when."""

    bank: str
    at: datetime
    facts: Sequence[Fact]
    opinions: Sequence[Opinion]


@dataclass(frozen=True, slots=True)
class _Draft:
    """An opinion whose words and facts are sound, and the vector of its meaning."""

    said: FormedOpinion
    facts: tuple[str, ...]
    vector: Vectors


@dataclass(slots=True)
class Opining:
    """Settles drafts against what is believed already; `notes` name what was dropped."""

    indexer: Indexer
    ground: Ground
    notes: list[str] = field(default_factory=list)

    async def settle(self, said: Sequence[FormedOpinion]) -> list[Opinion]:
        """Keep them, bring the index up to it, and give those that were formed or changed."""
        drafts = await self._drafts(said)
        if not drafts:
            return []
        revised = await self._revised(drafts)
        pairs = list(zip(drafts, revised, strict=True))
        fresh = [self._opinion(draft) for draft, of in pairs if of is None]
        judgements = [self._judgement(draft, of) for draft, of in pairs if of is not None]
        records, bank = self.indexer.records, self.ground.bank
        await records.hold(bank, fresh)
        changed = await records.judge(bank, judgements)
        held = await records.opinions(bank, [one.id for one in fresh])
        await self.indexer.catch_up(bank)
        return [*held, *changed]

    async def _drafts(self, said: Sequence[FormedOpinion]) -> list[_Draft]:
        """Those that say something and rest on a fact that was shown; of one meaning, the first."""
        grounded = [(one, self._facts(one)) for one in said if words(one.text)]
        sound = [(one, facts) for one, facts in grounded if facts]
        self.notes += [
            f"dropped, it rests on no fact that was shown: {one.text[:80]}"
            for one, facts in grounded
            if not facts
        ]
        drafts: list[_Draft] = []
        vectors = await self._embedded([one.text for one, _ in sound])
        for (one, facts), vector in zip(sound, vectors, strict=True):
            if any(float(vector @ other.vector) >= self._cosines.same for other in drafts):
                self.notes.append(f"dropped, another one says the same: {one.text[:80]}")
            else:
                drafts.append(_Draft(one, facts, vector))
        return drafts

    async def _revised(self, drafts: Sequence[_Draft]) -> list[str | None]:
        """For each draft the opinion that it revises: by its label, its text or its meaning."""
        bank, records, index = self.ground.bank, self.indexer.records, self.indexer.index
        named = [await self._named(draft) for draft in drafts]
        ids = [opinion_id(bank, draft.said.text) for draft in drafts]
        near = [await index.nearest(bank, "opinion", one.vector[None, :], n=1) for one in drafts]
        alike = [
            found[0].id if found and found[0].cosine >= self._cosines.same else id
            for (found,), id in zip(near, ids, strict=True)
        ]
        known = {one.id for one in await records.opinions(bank, _once([*ids, *alike]))}
        return [
            label or next((one for one in (id, other) if one in known), None)
            for label, id, other in zip(named, ids, alike, strict=True)
        ]

    async def _named(self, draft: _Draft) -> str | None:
        """The opinion that the label names, unless the two are about different matters."""
        opinion = labelled(draft.said.revises or "", "O", self.ground.opinions)
        if opinion is None:
            return None
        (vector,) = await self._embedded([opinion.text])
        if float(vector @ draft.vector) >= self._cosines.subject:
            return opinion.id
        self.notes.append(f"kept beside, not instead of, {opinion.text[:60]!r}: {draft.said.text}")
        return None

    def _facts(self, said: FormedOpinion) -> tuple[str, ...]:
        named = [labelled(label, "F", self.ground.facts) for label in said.facts]
        return tuple(_once([fact.id for fact in named if fact is not None]))

    def _opinion(self, draft: _Draft) -> Opinion:
        text, sure = draft.said.text, draft.said.confidence
        bank, at = self.ground.bank, self.ground.at
        return Opinion(
            opinion_id(bank, text), bank, text, sure, at, text, sure,
            entities=distinct(draft.said.entities), facts=draft.facts,
        )  # fmt: skip

    def _judgement(self, draft: _Draft, opinion: str) -> Judgement:
        return Judgement(
            opinion, "revise", self.ground.at, text=draft.said.text,
            confidence=draft.said.confidence, facts=draft.facts,
        )  # fmt: skip

    @property
    def _cosines(self) -> Thresholds:
        return self.indexer.embedder.thresholds

    async def _embedded(self, texts: Sequence[str]) -> Vectors:
        return await self.indexer.embedder.embed(texts)


def _once(ids: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(ids))
