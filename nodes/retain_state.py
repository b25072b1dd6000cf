"""State of the `retain` machine: plain data only, so that checkpoints need no types of ours."""

from __future__ import annotations

from collections.abc import Sequence
from operator import add
from typing import Annotated, Any

from typing_extensions import TypedDict

from forethought.nodes.usage import Usage, add_usage


class RetainInput(TypedDict, total=False):
    """What to retain: `sessions` as `Conversation` data (date, turns of role and text, key).

    `pending` takes up every session of the bank that still waits for extraction.
    """

    sessions: list[dict[str, Any]]
    pending: bool


class RetainOutput(TypedDict, total=False):
    """What became of each session, and what it cost.

    `report` has one entry a session: key, session, outcome (new, extended, known, empty, differs,
    forgotten, invalid), status (extracted, pending, failed), facts, error. `notes` name whatever
    was repaired, skipped or left for later.
    """

    report: list[dict[str, Any]]
    notes: Annotated[list[str], add]
    usage: Annotated[Usage, add_usage]


class RetainState(RetainInput, RetainOutput):
    """The channels between the nodes; `queue` holds the ids of sessions to extract, by date.

    `duties` are the commitments of a reply and what it settles, as the model wrote them.
    """

    queue: list[str]
    chars: int
    drafts: list[dict[str, Any]]
    duties: dict[str, list[dict[str, Any]]]
    stretch: dict[str, Any]
    failure: str | None
    changes: dict[str, Any]
    batch: int
    skipped: list[str]
    groups: list[list[str]] | None
    merged: int
    pairs: int
    subjects: list[dict[str, Any]] | None


def forgotten(report: Sequence[dict[str, Any]], sessions: Sequence[str]) -> list[dict[str, Any]]:
    """The report once these sessions were forgotten while they waited or were read."""
    return [
        {"key": entry["key"], "outcome": "forgotten", "facts": 0}
        if entry.get("session") in sessions
        else entry
        for entry in report
    ]
