"""Which format a file has, told by its structure alone, and whose conversations it holds."""

from __future__ import annotations

from dataclasses import dataclass, replace

from forethought.memory.formats import chatgpt, locomo, longmemeval, memoryquest, openai_chat
from forethought.memory.formats.node import Damaged, Node, kind, shown
from forethought.memory.formats.reading import Format, Found, Reading, records
from forethought.memory.formats.sources import parsed

FORMATS: tuple[Format, ...] = (
    memoryquest.FORMAT,
    locomo.FORMAT,
    longmemeval.FORMAT,
    chatgpt.FORMAT,
    openai_chat.FORMAT,
)
KNOWN = "Known formats:" + "".join(f"\n  {known.name}: {known.outline}" for known in FORMATS)
_KEYS_SHOWN = 6  # keys of an unknown object in a message: enough to recognise the file


@dataclass(frozen=True, slots=True)
class Contents:
    """What one file holds: conversations by person ("" where the format tells none apart)."""

    format: str
    people: dict[str, list[Found]]


def contents(text: str, reading: Reading) -> Contents:
    """Read a file's text; damaged parts go to `reading`; raises Damaged if none is usable."""
    root, lines = parsed(text, reading)
    known = _format(root, reading)
    reading = replace(reading, lines=lines)
    people: dict[str, list[Found]] = {}
    for record in known.gather(root, reading):
        if not known.matches(record.value):
            reading.report(record.place, f"expected {known.outline}, found {_seen(record.value)}")
            continue
        person = known.person(record, reading)
        theirs = people.setdefault(person, [])
        with reading.reporting():
            for found in known.conversations(record, person, reading):
                theirs.append(found)
    return Contents(known.name, people)


def _format(root: Node, reading: Reading) -> Format:
    """The format that most records of the file have; raises Damaged if none has a known one."""
    values = [record.value for record in records(root, reading)]
    counts = [sum(map(known.matches, values)) for known in FORMATS]
    most = max(counts)
    if most == 0:
        raise Damaged("", f"is in no known format: found {_seen(root.value)}")
    return FORMATS[counts.index(most)]


def _seen(value: object) -> str:
    """What `value` is, for a message: an object by its keys, a list by its first item."""
    if isinstance(value, list):
        first = next((item for item in value if isinstance(item, dict)), None)
        inside = f" of {_seen(first)} and the like" if first else ""
        return f"a list{inside}" if value else "an empty list"
    if not isinstance(value, dict):
        return kind(value)
    keys = ", ".join(shown(key) for key in list(value)[:_KEYS_SHOWN])
    return f"an object with {keys}" if keys else "an empty object"
