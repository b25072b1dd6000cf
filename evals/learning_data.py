"""The plans of the mini set, each also in other words, and the look-ups of the same users."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from importlib.resources import files
from pathlib import Path
from typing import Annotated

from pydantic import Field

from forethought.evals.memoryquest import read_folder
from forethought.evals.pools import MINI_PLANS, Pool, Question, mini_pools
from forethought.evals.reading import Given, read_lines
from forethought.memory.errors import InvalidInput

PARAPHRASES = "paraphrases.jsonl"


class Paraphrase(Given):
    """A plan in other words (`id` is user/query), which share none with the facts it needs."""

    id: str
    query: Annotated[str, Field(min_length=1)]


@dataclass(frozen=True, slots=True)
class Plan:
    """A request as it is asked first and again; `needed` as of a `Question`."""

    first: str
    second: str
    needed: tuple[frozenset[str], ...]
    now: datetime


@dataclass(frozen=True, slots=True)
class Taught:
    """One bank, and those of its plans that are asked twice."""

    pool: Pool
    plans: tuple[Plan, ...]

    @property
    def lookups(self) -> list[Question]:
        """Questions for facts."""
        return [one for one in self.pool.questions if one.column != MINI_PLANS]

    @property
    def latest(self) -> datetime:
        """When the last fact was said: look-ups have no date of their own."""
        return max(fact.date for fact in self.pool.facts)


def taught_pools(folder: Path) -> tuple[list[Taught], tuple[str, ...]]:
    """The users in `folder`, and which plans were left out for want of a paraphrase.

    Those are read from `paraphrases.jsonl` in the folder, else from the one that ships with the
    package. Raises InvalidInput where no plan has one.
    """
    again = _again(folder)
    named = {
        query.query: f"{person.name}/{query.id}"
        for person in read_folder(folder).people
        for query in person.user.queries
    }
    pools = list(mini_pools(folder))
    asked = [one.text for pool in pools for one in pool.questions if one.column == MINI_PLANS]
    lacking = [named[text] for text in asked if named[text] not in again]
    if len(lacking) == len(asked):
        raise InvalidInput(
            f"{folder}: none of its {len(asked)} queries has a paraphrase: give them in "
            f'{folder / PARAPHRASES}, one a line, as {{"id": "{lacking[0]}", "query": "…"}}'
        )
    seconds = {text: again[named[text]] for text in asked if named[text] in again}
    return [_taught(pool, seconds) for pool in pools], tuple(
        f"{name}: has no paraphrase" for name in lacking
    )


def _again(folder: Path) -> dict[str, str]:
    own = folder / PARAPHRASES
    shipped = Path(str(files("forethought.data"))) / "learning" / PARAPHRASES
    read = read_lines(own if own.exists() else shipped, Paraphrase)
    return {item.id: item.query for item in read}


def _taught(pool: Pool, seconds: Mapping[str, str]) -> Taught:
    plans = tuple(
        Plan(one.text, seconds[one.text], one.needed, one.now)
        for one in pool.questions
        if one.text in seconds and one.now is not None
    )
    return Taught(pool, plans)
