"""The demo's conversations, its question, and a model that answers from recordings."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Annotated

from pydantic import Field

from forethought.evals.data import PROSPECTIONS, Prospection
from forethought.evals.memoryquest import Folder, Person, read_folder
from forethought.evals.reading import Given, read_lines
from forethought.evals.recorded import RecordedChatModel, Reply, cue_reply, tree_reply
from forethought.memory import ids
from forethought.memory.conversations import Conversation
from forethought.nodes.model import Model
from forethought.prompts.extract import ExtractedFact

BANK = "marisol"
_REFERENCE = re.compile(r"\{(f\d{3})\}")


class SessionFacts(Given):
    """The recorded extraction of one session, by its key: the sample's own facts."""

    session: str
    facts: tuple[ExtractedFact, ...]


class Told(Prospection):
    """A recorded prospection with its summary."""

    summary: str


class RecordedObservations(Given):
    """The recorded statements on one subject of the sample, by its name."""

    subject: str
    statements: tuple[str, ...]


class RecordedProfile(Given):
    """The recorded profile of the sample's user, as `prompts/user_profile.py` asks for it."""

    attributes: tuple[str, ...]
    preferences: tuple[str, ...]
    relationships: tuple[str, ...]


class RecordedAnswer(Given):
    """The recorded answer to one query; `{f034}` stands for that fact of the sample."""

    id: str
    answer: Annotated[str, Field(min_length=1)]


@dataclass(frozen=True, slots=True)
class Demo:
    """What the demo retains, what it asks as of `now` (an ISO date), and the recorded model.

    `extracted` is what that model extracts, session by session.
    """

    conversations: tuple[Conversation, ...]
    question: str
    now: str
    model: Model
    extracted: tuple[SessionFacts, ...]


def sample_folder() -> Path:
    """The MemoryQuest folder that ships with the package: one user, with recorded replies."""
    return Path(str(files("forethought.data"))) / "memoryquest-mini"


def read_demo(bank: str = BANK) -> Demo:
    """The demo for `bank`, on which the ids of its facts depend."""
    folder = read_folder(sample_folder())
    (person,) = folder.people
    aside = sample_folder().parent / "demo"
    (answer,) = read_lines(aside / "answers.jsonl", RecordedAnswer)
    (query,) = [q for q in person.user.queries if f"{person.name}/{q.id}" == answer.id]
    extracted = read_lines(aside / "extractions.jsonl", SessionFacts)
    text = _resolved(answer.answer, _fact_ids(person, bank))
    replies = _replies(folder, person, {item.session: item for item in extracted})
    observed = read_lines(aside / "observations.jsonl", RecordedObservations)
    statements = {item.subject: item.model_dump_json(include={"statements"}) for item in observed}
    replies["observe"] = statements.get
    (profile,) = read_lines(aside / "user_profile.jsonl", RecordedProfile)
    replies["user_profile"] = {"user": profile.model_dump_json()}.get
    replies["answer"] = {query.query: text}.get
    model = Model(RecordedChatModel(replies=replies), name="recorded", timeout=30)
    now = f"{query.date:%Y-%m-%d}"
    return Demo(person.conversations, query.query, now, model, tuple(extracted))


def _replies(
    folder: Folder, person: Person, extracted: Mapping[str, SessionFacts]
) -> dict[str, Reply]:
    cues = {
        fact.info: list((folder.cues or {})[f"{person.name}/{fact.id}"].cues)
        for fact in person.user.facts
    }
    told = {item.id: item for item in read_lines(sample_folder() / PROSPECTIONS, Told)}
    trees = {query.query: told[f"{person.name}/{query.id}"] for query in person.user.queries}
    first = {query: [step.model_dump() for step in tree.phase1] for query, tree in trees.items()}
    later = {query: [step.model_dump() for step in tree.phase2] for query, tree in trees.items()}
    said = {query: json.dumps({"summary": tree.summary}) for query, tree in trees.items()}

    def facts(subject: str) -> str | None:
        item = extracted.get(subject.rpartition("#")[0])
        return None if item is None else item.model_dump_json(include={"facts"})

    return {
        "extract": facts,
        "foresee": cue_reply(cues),
        "imagine": tree_reply(first),
        "refine": tree_reply(later),
        "summarise": said.get,
    }


def _fact_ids(person: Person, bank: str) -> dict[str, str]:
    """The id in `bank` of each of the sample's facts, by its number."""
    return {
        fact.id: ids.fact_id(
            bank, ids.session_id(bank, f"{person.name}/{fact.session_id}"), fact.info
        )
        for fact in person.user.facts
    }


def _resolved(text: str, known: Mapping[str, str]) -> str:
    return _REFERENCE.sub(lambda match: f"[{known[match[1]]}]", text)
