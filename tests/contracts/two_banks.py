"""Two banks of one store, and every way in which the Records port reads or writes one of them.

A case is one line. What both are given is the same, under the same ids.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, timedelta

from forethought.memory.beliefs.types import Judgement, Observation, Opinion
from forethought.memory.dimensions import Dimensions
from forethought.memory.ids import turn_id
from forethought.memory.ledger.types import Commitment, CommitmentCue, Settlement
from forethought.memory.records.changes import ChangeSet, Progress, Repeat, Unindexed
from forethought.memory.records.contents import Contents
from forethought.memory.records.port import Records
from forethought.memory.types import LEARNED, Cue, Entity, Fact, Link, Mention, Source
from tests.contracts.samples import (
    NOW,
    day,
    entity,
    fact,
    found,
    learn,
    merge,
    merged,
    session,
    talk,
    tie,
)

BANKS = ("ann", "bob")
IDS = ("f-oslo", "f-bergen", "f-tromso", "f-sings", "f-hums", "f-merged", "f-x")
CUES = tuple(f"{id}:{position}" for id in IDS for position in (0, 1, 2, LEARNED))
ENTITIES = ("e-oslo", "e-old", "e-x")
NAMES = ("Oslo", "Chris", "Norway")
OPINIONS = ("o-fine", "o-lone", "o-x")
OBSERVATIONS = ("b-oslo", "b-old", "b-x")
HELD = (*OPINIONS, *OBSERVATIONS)
COMMITMENTS = ("c-ski", "c-sing", "c-x")
REMINDERS = tuple(f"{id}:0" for id in COMMITMENTS)
DAYS = (day(1).date(), day(9).date())
SAID = {"monday": ("This was said on monday.", "x"), "tuesday": ("And this.",)}


@dataclass(frozen=True, slots=True)
class Place:
    """A bank of a store, and another that it may share the store with."""

    records: Records
    bank: str
    other: str

    def fact(self, id: str, text: str, *, on: int = 1) -> Fact:
        """The same id in every bank: the worst case, which hashes of the bank's name prevent."""
        return replace(fact(text, bank=self.bank, on=on), id=id, dimensions=Dimensions("present"))

    @property
    def oslo(self) -> Fact:
        return self.fact("f-oslo", "Lives in Oslo")

    @property
    def sings(self) -> Fact:
        return self.fact("f-sings", "Sings alto")

    @property
    def hums(self) -> Fact:
        return self.fact("f-hums", "Hums")

    def sessions(self) -> list[str]:
        """Ids of its own sessions, and of the other bank's."""
        return [session(key, bank=bank) for key in SAID for bank in (self.bank, self.other)]

    def turns(self) -> list[str]:
        """Ids of its own turns, of the other bank's, and one that a fact names in either."""
        given = zip(self.sessions(), [key for key in SAID for _ in BANKS], strict=True)
        logged = [turn_id(id, n, text) for id, key in given for n, text in enumerate(SAID[key])]
        return ["t1", *logged]

    def named(self, id: str, name: str, *, into: str | None = None) -> Entity:
        """As `fact`."""
        return replace(entity(name, bank=self.bank), id=id, into=into)

    @property
    def norway(self) -> Entity:
        """This one has an id of its own in every bank."""
        return entity("Norway", bank=self.bank)

    @property
    def others(self) -> str:
        """The id of the other bank's."""
        return entity("Norway", bank=self.other).id

    def hold(self) -> Awaitable[object]:
        """One on a fact of that id in either bank, and one on none."""
        fine = Opinion("o-fine", self.bank, "Oslo is fine", 0.5, day(3), "Oslo is fine", 0.5)
        lone = replace(fine, id="o-lone", entities=("Christiania",))
        return self.records.hold(self.bank, [replace(fine, facts=("f-sings",)), lone])

    def judge(self, opinion: str, fact: str) -> Awaitable[object]:
        verdict = Judgement(opinion, "contradict", day(7), fact, text="Oslo is dear")
        return self.records.judge(self.bank, [verdict])

    def observe(self, subject: str, *facts: str) -> Awaitable[object]:
        """From these facts, under the same id in either bank where the subject has the same."""
        id = f"b{subject[1:]}"
        one = Observation(id, self.bank, subject, "entity", "Oslo", "It is sung of", facts, day(3))
        return self.records.observe(self.bank, subject, [one])

    def undertake(self) -> Awaitable[object]:
        """One to a fact of that id in either bank, made in its own session, and one to none."""
        said = Source(session("monday", bank=self.bank))
        ski = Commitment("c-ski", self.bank, "Ski", day(3), facts=("f-oslo",), source=said)
        return self.records.undertake(self.bank, [ski, replace(ski, id="c-sing", facts=())])

    def undertake_others(self) -> Awaitable[object]:
        """One that was made in the other bank's session."""
        said = Source(session("monday", bank=self.other))
        one = Commitment("c-x", self.bank, "Ski", day(3), source=said)
        return self.records.undertake(self.bank, [one])

    def settle(self, commitment: str) -> Awaitable[object]:
        return self.records.settle(self.bank, [Settlement(commitment, "kept", day(5))])

    def remind(self, *commitments: str) -> Awaitable[object]:
        cues = [CommitmentCue(id, 0, "Snow?") for id in commitments]
        return self.records.remind(self.bank, cues, commitments=commitments)

    def learn(self, *facts: str) -> Awaitable[object]:
        return self.records.learn(self.bank, facts, "Where to sing?", at=day(4), keep=1)

    def marks(self) -> list[Unindexed]:
        marks = [Unindexed(id, "text", "Sings alto", day(1)) for id in IDS]
        marks += [Unindexed(id, "turn", "x", day(1)) for id in self.turns()]
        marks += [Unindexed(id, "reminder", "Snow?", day(3)) for id in REMINDERS]
        return marks + [Unindexed(id, "opinion", "Oslo is dear", day(3)) for id in HELD]

    async def summary(self) -> object:
        banks = await self.records.banks()
        assert {one.bank for one in banks} <= {self.bank, self.other}
        return [one for one in banks if one.bank == self.bank]

    async def update(self, old: str, new: Fact) -> object:
        return await learn(self.records, new, replacing={old: new})

    async def tie(self) -> object:
        """Oslo, once Christiania, is mentioned by both; one leads to the other."""
        oslo = self.named("e-oslo", "Oslo")
        old = self.named("e-old", "Christiania", into=oslo.id)
        mentions = {self.oslo: (oslo, old), self.sings: (oslo,), self.hums: (self.norway,)}
        return await tie(self.records, mentions, (Link("f-oslo", "f-sings", "causes", 0.5),))

    async def retie(self) -> object:
        """A new fact mentions what is known, and what it is joined to."""
        about = Mention("f-bergen", "e-x"), Mention("f-bergen", "e-oslo")
        new = self.named("e-x", "Bergen", into="e-oslo")
        return await self.records.commit(ChangeSet(self.bank, entities=(new,), mentions=about))

    async def merge(self) -> object:
        whole = replace(merged("Is musical", self.sings, self.hums), id="f-merged")
        return await merge(self.records, whole, self.sings, self.hums)


Case = Callable[[Place], Awaitable[object]]

READS: dict[str, Case] = {
    "sessions": lambda at: at.records.sessions(at.bank),
    "sessions: by id": lambda at: at.records.sessions(at.bank, ids=at.sessions()),
    "sessions: unfinished": lambda at: at.records.sessions(at.bank, unfinished=True),
    "sessions: between": lambda at: at.records.sessions(at.bank, between=(day(1), day(9))),
    "turns": lambda at: _each(at.sessions(), lambda id: at.records.turns(at.bank, id)),
    "placed": lambda at: at.records.placed(at.bank, at.turns()),
    "supported": lambda at: at.records.supported(at.bank, at.turns(), now=NOW),
    "facts": lambda at: at.records.facts(at.bank),
    "facts: by id": lambda at: at.records.facts(at.bank, IDS),
    "holding": lambda at: at.records.holding(at.bank, IDS, now=NOW),
    "earlier": lambda at: _some(at.records.earlier(at.bank, IDS)),
    "added": lambda at: _first(at.records.added(at.bank, since=0)),  # a mark is of the whole store
    "added: some": lambda at: _first(at.records.added(at.bank, since=0, limit=1)),
    "newest": lambda at: at.records.newest(at.bank),
    # Which ones, and not in which order: BM25 may weigh a word by the whole store.
    "search": lambda at: _set(found(at.records, "lives sings oslo bergen", bank=at.bank)),
    "said": lambda at: _set(at.records.said(at.bank, "said on monday x", k=9, now=NOW)),
    "occurring": lambda at: at.records.occurring(at.bank, DAYS, zone=UTC, k=9, now=NOW),
    "cues": lambda at: at.records.cues(at.bank, IDS),
    "entities": lambda at: at.records.entities(at.bank),
    "entities: by id": lambda at: at.records.entities(at.bank, [*ENTITIES, at.others]),
    "namesakes": lambda at: _some(at.records.namesakes(at.bank, NAMES, k=9)),
    "mentions": lambda at: at.records.mentions(at.bank),
    "mentions: by fact": lambda at: at.records.mentions(at.bank, IDS),
    "mentioning": lambda at: _some(
        at.records.mentioning(at.bank, [*ENTITIES, at.others], k=9, now=NOW)
    ),
    "links": lambda at: at.records.links(at.bank),
    "links: by fact": lambda at: at.records.links(at.bank, IDS),
    "neighbours": lambda at: _some(at.records.neighbours(at.bank, IDS, now=NOW, fan=9)),
    "around": lambda at: _some(at.records.around(at.bank, IDS, within=timedelta(days=99), k=9)),
    "commitments": lambda at: at.records.commitments(at.bank),
    "commitments: by id": lambda at: at.records.commitments(at.bank, COMMITMENTS),
    "uses": lambda at: at.records.uses(at.bank),
    "uses: by fact": lambda at: at.records.uses(at.bank, IDS),
    "traits": lambda at: _some(at.records.traits(at.bank, IDS)),
    "traits: as of now": lambda at: _some(at.records.traits(at.bank, IDS, now=NOW)),
    "reminders": lambda at: at.records.reminders(at.bank, COMMITMENTS),
    "opinions": lambda at: at.records.opinions(at.bank),
    "opinions: by id": lambda at: at.records.opinions(at.bank, HELD),
    "observations": lambda at: at.records.observations(at.bank),
    "observations: by subject": lambda at: at.records.observations(
        at.bank, [*ENTITIES, at.norway.id, at.others]
    ),
    "of_kinds": lambda at: at.records.of_kinds(at.bank, ["Preference"], k=9),
    "unforeseen": lambda at: at.records.unforeseen(at.bank, limit=99),
    "unindexed": lambda at: at.records.unindexed(at.bank, limit=99),
    "outdated": lambda at: at.records.outdated(at.bank, at.marks()),
    "unpurged": lambda at: at.records.unpurged(at.bank),
    "tombstones": lambda at: at.records.tombstones(at.bank),
    "setting": lambda at: at.records.setting(at.bank, "mark"),
    "banks": lambda at: at.summary(),
}

WRITES: dict[str, Case] = {
    "log": lambda at: at.records.log(at.bank, [talk(key, *texts) for key, texts in SAID.items()]),
    "commit": lambda at: learn(at.records, at.oslo, at.sings, at.hums),
    "commit: entities and links": lambda at: at.tie(),
    "link": lambda at: at.records.link(at.bank, [Link("f-oslo", "f-sings", "causes", 0.9)]),
    "join": lambda at: at.records.join(at.bank, "e-old", None, by="user"),
    "join: to the other's": lambda at: at.records.join(at.bank, "e-oslo", at.others, by="user"),
    "hold": lambda at: at.hold(),
    "judge": lambda at: at.judge("o-fine", "f-oslo"),
    "judge: again": lambda at: at.judge("o-lone", "f-hums"),
    "observe": lambda at: at.observe("e-oslo", "f-oslo", "f-sings"),
    "observe: another": lambda at: at.observe("e-old", "f-oslo"),
    "observe: the other's": lambda at: at.observe(at.others, "f-oslo"),
    "undertake": lambda at: at.undertake(),
    "undertake: in the other's session": lambda at: at.undertake_others(),
    "settle": lambda at: at.settle("c-ski"),
    "reopen": lambda at: at.records.reopen(at.bank, "c-ski"),
    "tell": lambda at: at.records.tell(at.bank, COMMITMENTS, on=day(6).date()),
    "remind": lambda at: at.remind("c-ski", "c-sing"),
    "commit: what settles": lambda at: at.records.commit(
        ChangeSet(at.bank, settlements=(Settlement("c-sing", "dropped", day(7)),))
    ),
    "learn": lambda at: at.learn("f-oslo", "f-sings"),
    "use": lambda at: at.records.use(at.bank, IDS, on=DAYS[0]),
    "use: again": lambda at: at.records.use(at.bank, ["f-sings"], on=DAYS[1]),
    "weigh": lambda at: at.records.weigh(at.bank, dict.fromkeys(IDS, 0.5)),
    "weigh: again": lambda at: at.records.weigh(at.bank, {"f-sings": 0.9}),
    "unlearn": lambda at: at.records.unlearn(at.bank, [f"f-oslo:{LEARNED}"]),
    "forget: a commitment": lambda at: at.records.forget(at.bank, commitment="c-sing"),
    "commit: an update": lambda at: at.update("f-oslo", at.fact("f-bergen", "Lives in B", on=5)),
    "commit: an entity": lambda at: at.retie(),
    "commit: another": lambda at: at.update("f-bergen", at.fact("f-tromso", "Lives in C", on=9)),
    "commit: a repeat": lambda at: at.records.commit(
        ChangeSet(
            at.bank,
            repeats=(Repeat("f-sings", Source(session("monday", bank=at.bank), ("t1",)), day(20)),),
        )
    ),
    "commit: a merge": lambda at: at.merge(),
    "commit: progress": lambda at: at.records.commit(
        ChangeSet(at.bank, progress=tuple(Progress(id, 1, "no") for id in at.sessions()))
    ),
    "commit: from the other's session": lambda at: at.records.commit(
        ChangeSet(at.bank, (replace(at.oslo, sources=(Source(at.sessions()[1]),)),))
    ),
    "foresee": lambda at: at.records.foresee(
        at.bank, [Cue("f-oslo", 0, "ski?"), Cue("f-sings", 1, "choir?")], facts=["f-oslo"]
    ),
    "indexed": lambda at: at.records.indexed(
        at.bank, [*IDS[1:], *CUES, *at.turns()[:3], *HELD, *REMINDERS]
    ),
    "reindex": lambda at: at.records.reindex(at.bank),
    "setting": lambda at: at.records.setting(at.bank, "mark", "2"),
    "forget: an opinion": lambda at: at.records.forget(at.bank, opinion="o-lone"),
    "forget: a fact": lambda at: at.records.forget(at.bank, fact="f-oslo"),
    "purged": lambda at: at.records.purged(
        at.bank, [*IDS[1:], *CUES, *at.turns()[:3], *HELD, *REMINDERS]
    ),
    "forget: an entity": lambda at: at.records.forget(at.bank, entity="e-oslo"),
    "forget: the other's entity": lambda at: at.records.forget(at.bank, entity=at.others),
    "forget: a session and the other's": lambda at: at.records.forget(
        at.bank, session=at.sessions()[:2]
    ),
    "forget: a session": lambda at: at.records.forget(at.bank, session=at.sessions()[2]),
    "forget: the other's session": lambda at: at.records.forget(at.bank, session=at.sessions()[1]),
    "forget: the bank": lambda at: at.records.forget(at.bank),
    "restore": lambda at: at.records.restore(Contents(at.bank, tombstones=("m",))),
}

REFUSED = {name for name in WRITES if "the other's" in name}
NAMES_NO_BANK = {"close"}


async def _each(ids: list[str], read: Callable[[str], Awaitable[object]]) -> object:
    return [result for id in ids if (result := await read(id))]


async def _first(read: Awaitable[tuple[object, int]]) -> object:
    return (await read)[0]


async def _some(read: Awaitable[Mapping[str, object]]) -> object:
    """Those of which there is anything to say."""
    return {asked: said for asked, said in (await read).items() if said}


async def _set(read: Awaitable[Sequence[object]]) -> object:
    return {one[0] if isinstance(one, tuple) else one for one in await read}
