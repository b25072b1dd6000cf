"""Read what the command line names: files, folders, standard input, one person's conversations."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from forethought.memory.errors import InvalidInput

if TYPE_CHECKING:
    from datetime import datetime

    from forethought.graphs.retaining import Work
    from forethought.graphs.settings import Settings
    from forethought.memory.formats import Parsed


@dataclass(frozen=True, slots=True)
class Sources:
    """What the command line names, and how to read it."""

    names: Sequence[str] = ()
    only: str | None = None
    date: str | None = None
    pending: bool = False


def read_sources(given: Sources, settings: Settings) -> tuple[Work | None, list[str]]:
    """The conversations of all sources and what is wrong with the rest.

    Raises InvalidInput where nothing could be read, or where several people are mixed.
    """
    from forethought.graphs.retaining import Work

    parsed, problems = [], []
    for name in dict.fromkeys(given.names):  # standard input can be read but once
        try:
            parsed.append(_parsed(name, given, settings))
        except InvalidInput as error:
            problems.append(str(error))
    if given.names and not parsed:
        raise InvalidInput("\n".join(problems))
    _one_person(parsed, given)
    problems += [str(problem) for item in parsed for problem in item.problems]
    talks = [talk for item in parsed for talk in item.conversations]
    if not given.names and not given.pending:
        return None, problems
    source = ", ".join(given.names) or "pending sessions"
    return Work(talks, source, given.pending), list(dict.fromkeys(problems))


def _parsed(name: str, given: Sources, settings: Settings) -> Parsed:
    from forethought.memory.formats import read, read_text

    date = _date(given.date)
    if not name.strip():  # an unset variable: as a path it would be the folder that one is in
        raise InvalidInput(
            f"{name!r} names no file: give files or folders, or - for standard input"
        )
    if name != "-":
        return read(Path(name), zone=settings.tzinfo, only=given.only, date=date)
    data = sys.stdin.buffer.read()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput(f"standard input: byte {error.start} is not UTF-8 text") from None
    return read_text(text, name="standard input", zone=settings.tzinfo, only=given.only, date=date)


def _date(text: str | None) -> datetime | None:
    from datetime import datetime

    try:
        return None if text is None else datetime.fromisoformat(text)
    except ValueError:
        raise InvalidInput(f"--date: {text!r} is not a date; expected one as 2025-03-01") from None


def _one_person(parsed: Sequence[Parsed], given: Sources) -> None:
    groups = list(dict.fromkeys(name for item in parsed for name in item.groups))
    if given.only is not None or len(groups) <= 1:
        return
    one = quote(groups[0])
    raise InvalidInput(
        f"these are the conversations of {len(groups)} people: {', '.join(groups)}. Each needs a "
        f"bank of their own: take them one at a time, as in --only {one} --bank {one}"
    )
