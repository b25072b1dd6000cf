"""Which facts of a bank stand for a reference, without a judge.

References that name facts stand for those facts. The official MemoryQuest files give texts, which
PGR has a language model look for in what was retrieved (§5.1). Without one, a fact stands for a
reference that it equals or is near to; a paraphrase that is further away is missed, so recall is
under-counted and not comparable with the paper's, but the same for every method.
"""

from __future__ import annotations

from collections.abc import Sequence

from forethought.evals.data import GivenFact
from forethought.memory.embedding import Embedder
from forethought.memory.ids import same_text
from forethought.memory.types import Fact

NEAR = 0.7
"""Cosine from which a fact stands for a reference: of 37,265 pairs of different facts of one user
in the mini set 11 are that near (bundled MiniLM)."""

Reference = str | tuple[str, str]


async def standing(
    references: Sequence[Reference], facts: Sequence[Fact], given: Sequence[GivenFact],
    embedder: Embedder,
) -> list[frozenset[str]]:  # fmt: skip
    """For each reference the ids of the `facts` of the bank that stand for it, maybe none.

    `given` are the facts of the file, which references name by their ids; where there are none,
    the bank's were extracted, and nearness counts too.
    """
    texts = {fact.id: fact.info for fact in given}
    wanted = [texts[ref] if isinstance(ref, str) else ref[1] for ref in references]
    same = [
        frozenset(fact.id for fact in facts if same_text(fact.text) == same_text(text))
        for text in wanted
    ]
    if given or not facts:
        return same
    cosines = await embedder.embed(wanted) @ (await embedder.embed([f.text for f in facts])).T
    return [
        equal | {fact.id for fact, cosine in zip(facts, row, strict=True) if cosine >= NEAR}
        for equal, row in zip(same, cosines, strict=True)
    ]
