"""Reading a file or a folder of conversations (`read`), or the text of one (`read_text`)."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import datetime, tzinfo
from pathlib import Path

from forethought.memory.errors import InvalidInput
from forethought.memory.formats.contents import KNOWN, Contents, contents
from forethought.memory.formats.distinct import distinct
from forethought.memory.formats.node import Damaged
from forethought.memory.formats.parsed import Parsed, Problem
from forethought.memory.formats.reading import Reading
from forethought.memory.formats.sources import decoded

_ENDINGS = (".json", ".jsonl")
_GROUPS_SHOWN = 10  # of a file's people in a message; `Parsed.groups` has them all


def read(
    path: Path, *, zone: tzinfo, only: str | None = None, date: datetime | None = None
) -> Parsed:
    """The conversations in a file, or in all *.json and *.jsonl files of a folder.

    The format is told by the structure, not by the name. Dates without an offset are in `zone`;
    a conversation without any date gets `date` if that is given and is a problem otherwise.
    `only` keeps one group's conversations (see `Parsed.groups`). Without it, several groups are
    all read and a problem says so: they are different people, and each needs a bank of its own.

    Damaged parts of a file become problems, and so do the unusable files of a folder. Raises
    InvalidInput, which names the file, the place and what was expected, if the path is missing,
    a file is unusable as a whole, nothing in a folder is usable, or there is no such group.
    """
    if os.path.isdir(path):  # unlike path.is_dir(), False for a path that cannot be looked at
        return _folder(path, Reading(str(path), zone, date), only)
    reading = Reading(str(path), zone, date)
    try:
        found = contents(_text(path), reading)
    except Damaged as damage:
        raise _unusable(reading, damage) from damage
    return _parsed([found], reading, only)


def read_text(
    text: str, *, name: str, zone: tzinfo, only: str | None = None, date: datetime | None = None
) -> Parsed:
    """Like `read` for the text of a file, such as standard input; messages call it `name`."""
    reading = Reading(name, zone, date)
    try:
        found = contents(text, reading)
    except Damaged as damage:
        raise _unusable(reading, damage) from damage
    return _parsed([found], reading, only)


def _text(path: Path) -> str:
    try:
        return decoded(path.read_bytes())
    except FileNotFoundError as error:
        raise InvalidInput(f"{path}: no such file or folder") from error
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        raise Damaged("", f"cannot be read ({error})") from error


def _folder(path: Path, whole: Reading, only: str | None) -> Parsed:
    """All files of a folder as one; not the folders in it, and no hidden files."""
    try:
        inside = [file for file in path.iterdir() if not file.name.startswith(".")]
    except OSError as error:
        raise InvalidInput(f"{path}: cannot be read ({error.strerror})") from error
    files = sorted(file for file in inside if file.suffix.lower() in _ENDINGS)
    found: list[Contents] = []
    for file in files:
        reading = Reading(str(file), whole.zone, whole.date, problems=whole.problems)
        with reading.reporting():
            found.append(contents(_text(file), reading))
    if not found:
        seen = "".join(f"\n  {problem}" for problem in whole.problems)
        message = "has no *.json or *.jsonl file with conversations"
        raise InvalidInput(f"{path}: {message}{seen}\n{KNOWN}")
    return _parsed(found, whole, only)


def _unusable(reading: Reading, damage: Damaged) -> InvalidInput:
    problem = Problem(reading.path, damage.place, damage.message)
    return InvalidInput(f"{problem}\n{KNOWN}")


def _parsed(files: Sequence[Contents], reading: Reading, only: str | None) -> Parsed:
    groups = tuple(dict.fromkeys(name for file in files for name in file.people if name))
    if only is not None and only not in groups:
        held = f"it holds {_listed(groups)}" if groups else "its format names no people"
        raise InvalidInput(f'{reading.path}: expected "{only}" in it, but {held}')
    people = [item for file in files for item in file.people.items()]
    wanted = [found for name, group in people if only in (None, name) for found in group]
    conversations, clashes = distinct(wanted)
    problems = [*reading.problems, *clashes, *_mixed(groups, reading, only)]
    formats = dict.fromkeys(file.format for file in files)
    return Parsed(", ".join(formats), tuple(conversations), tuple(problems), groups)


def _mixed(groups: Sequence[str], reading: Reading, only: str | None) -> list[Problem]:
    if only is not None or len(groups) <= 1:
        return []
    message = (
        f"holds the conversations of {len(groups)} people ({_listed(groups)}): read one at a"
        f' time with only="{groups[0]}", so that each has a bank of their own'
    )
    return [Problem(reading.path, "", message)]


def _listed(groups: Sequence[str]) -> str:
    more = f", … {len(groups) - _GROUPS_SHOWN} more" if len(groups) > _GROUPS_SHOWN else ""
    return ", ".join(groups[:_GROUPS_SHOWN]) + more
