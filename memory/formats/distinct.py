"""One conversation under one name: what repeated, overlapping or nameless sessions become."""

from __future__ import annotations

from collections.abc import Iterable

from forethought.memory.conversations import Conversation
from forethought.memory.formats.parsed import Problem
from forethought.memory.formats.reading import Found


def distinct(found: Iterable[Found]) -> tuple[list[Conversation], list[Problem]]:
    """The conversations of `found` with unique names, in order, and the problem of any clash.

    The same session twice is one; of two exports of one session, the longer is kept. Different
    sessions under one name are a problem and the first is kept, unless the name only comes from
    their (equal) beginnings: then the later ones are numbered.
    """
    kept: dict[str, Conversation] = {}
    clashes: list[tuple[Found, str]] = []
    for one in found:
        name, number = one.conversation.key, 1
        while name in kept and not _same(kept[name], one.conversation) and not one.named:
            number += 1
            name = f"{one.conversation.key}-{number}"
        earlier = kept.get(name)
        if earlier is None or _same(earlier, one.conversation):
            kept[name] = _longer(earlier, one.conversation.model_copy(update={"key": name}))
        else:
            clashes.append((one, name))
    return list(kept.values()), [_clash(clashes)] if clashes else []


def _same(first: Conversation, second: Conversation) -> bool:
    """Whether the two are one session, of which one may have been taken down earlier."""
    length = min(len(first.turns), len(second.turns))
    return first.date == second.date and first.turns[:length] == second.turns[:length]


def _longer(earlier: Conversation | None, later: Conversation) -> Conversation:
    return earlier if earlier and len(earlier.turns) >= len(later.turns) else later


def _clash(clashes: list[tuple[Found, str]]) -> Problem:
    """One problem for all: a benchmark repeats thousands of sessions under other dates."""
    first, name = clashes[0]
    others = f", and {len(clashes) - 1} more such" if clashes[1:] else ""
    return Problem(
        first.path,
        first.place,
        f'another session named "{name}", with other turns or another date, came before'
        f"{others}: kept the first",
    )
