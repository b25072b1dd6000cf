"""Pools of facts with recorded cues, and questions whose evidence lies among them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from forethought.evals.dialogues import FILE, dialogue
from forethought.evals.evidence import (
    PREFERENCE,
    EvidenceQuestion,
    ObservationCues,
    PoolTurn,
    Sample,
    Samples,
)
from forethought.evals.memoryquest import Person, read_folder
from forethought.evals.reading import read_json, read_lines
from forethought.memory import ids
from forethought.memory.conversations import Conversation
from forethought.memory.errors import InvalidInput
from forethought.memory.formats.files import read
from forethought.memory.types import Fact

MINI_PLANS, MINI_LOOKUPS = "mini plans@20", "mini lookups@5"
LOCOMO = "LoCoMo conv-26@20"
ADVICE, ANSWERS = "LongMemEval preference@5", "LongMemEval lookups@5"
COLUMNS = (MINI_PLANS, MINI_LOOKUPS, LOCOMO, ADVICE, ANSWERS)

_CUT = 700  # characters of a turn that the LongMemEval pool keeps


@dataclass(frozen=True, slots=True)
class Question:
    """A question of one column; `needed` has, for each evidence, the ids of its facts."""

    column: str
    text: str
    needed: tuple[frozenset[str], ...]
    now: datetime | None = None

    @property
    def k(self) -> int:
        """How many facts are read: the number that the column's name ends in."""
        return int(self.column.rpartition("@")[2])


@dataclass(frozen=True, slots=True)
class Pool:
    """One bank: its facts in the order of their file, their cues by text, and its questions."""

    bank: str
    facts: tuple[Fact, ...]
    cues: dict[str, tuple[str, ...]]
    questions: tuple[Question, ...]
    conversations: tuple[Conversation, ...] = field(default=())


def mini_pools(folder: Path) -> Iterator[Pool]:
    """The users of memoryquest-mini: plans at 20 facts, look-ups at 5. Raises InvalidInput."""
    data = read_folder(folder)
    for person in data.people:
        if data.cues is None or not person.user.facts:
            raise InvalidInput(f"{person.path}: expected facts in it and a cues.jsonl beside it")
        names = {fact.info: f"{person.name}/{fact.id}" for fact in person.user.facts}
        cues = {text: data.cues[name].cues for text, name in names.items() if name in data.cues}
        yield Pool(
            person.name, tuple(person.facts()), cues, tuple(_asked(person)), person.conversations
        )


def _asked(person: Person) -> Iterator[Question]:
    stored = dict(
        zip((f.id for f in person.user.facts), (f.id for f in person.facts()), strict=True)
    )
    for query in person.user.queries:
        needed = tuple(frozenset({stored[str(name)]}) for name in query.needed_references)
        yield Question(MINI_PLANS, query.query, needed, query.date)
    for item in person.lookups:
        needed = tuple(frozenset({stored[name]}) for name in item.needed_references)
        yield Question(MINI_LOOKUPS, item.query, needed)


def locomo_pool(folder: Path) -> Pool:
    """The published facts of LoCoMo's first conversation, and its questions that have evidence.

    A question's evidence is turns, and a turn is found with any fact made from it. Turns that no
    fact covers stay in: no method can reach 1 (the ceiling is .752).
    """
    path = folder / FILE
    sample: Sample = read_json(path, Samples)[0]
    bank = sample.sample_id
    talk = dialogue(sample, read(path, zone=UTC, only=bank).conversations)
    said, facts = talk.observed, tuple(talk.facts())
    recorded = read_lines(folder / f"cues_{bank}.jsonl", ObservationCues)
    cues = {item.fact: item.cues for item in recorded}
    lacking = [one.text for one in said if one.text not in cues]
    if lacking:
        raise InvalidInput(f"{folder / f'cues_{bank}.jsonl'}: has no cues for {lacking[0]!r}")
    by_turn: dict[str, set[str]] = {}
    for fact, one in zip(facts, said, strict=True):
        for turn in one.turns:
            by_turn.setdefault(turn, set()).add(fact.id)
    questions = tuple(
        Question(
            LOCOMO, asked.text, tuple(frozenset(by_turn.get(turn, ())) for turn in asked.evidence)
        )
        for asked in talk.asked
    )
    return Pool(bank, facts, cues, questions, talk.conversations)


def longmemeval_pool(folder: Path) -> Pool:
    """The pooled user turns of LongMemEval, and the questions that have evidence among them.

    Only a question's own turns count as its evidence, though another's may say the same.
    """
    turns = read_lines(folder / "cues.jsonl", PoolTurn)
    asked = read_json(folder / "evidence_turns.json", tuple[EvidenceQuestion, ...])
    bank = "longmemeval"
    facts = tuple(
        Fact(ids.fact_id(bank, turn.question_id, turn.text), bank, turn.text, "Activity", turn.date)
        for turn in turns
    )
    own = {(t.question_id, t.text): fact.id for t, fact in zip(turns, facts, strict=True)}
    questions = tuple(_evident(asked, own))
    return Pool(bank, facts, {turn.text: turn.cues for turn in turns}, questions)


def _evident(
    asked: Sequence[EvidenceQuestion], own: dict[tuple[str, str], str]
) -> Iterator[Question]:
    for item in asked:
        keys = dict.fromkeys((item.question_id, text[:_CUT]) for text in item.said())
        needed = tuple(frozenset({own[key]}) for key in keys if key in own)
        if needed:
            column = ADVICE if item.question_type == PREFERENCE else ANSWERS
            yield Question(column, item.question, needed)
