"""What becomes of the cues of facts when a request is learned from use: pure, for every store."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from forethought.memory.errors import InvalidInput
from forethought.memory.ids import same_text
from forethought.memory.records.values import check_named, stamp
from forethought.memory.types import LEARNED, Cue
from forethought.memory.words import storable


@dataclass(frozen=True, slots=True)
class Request:
    """A request whose answer cited facts, made `at` (aware UTC).

    `keep` is how many a fact keeps of those that it was cited for.
    """

    text: str
    at: datetime
    keep: int


@dataclass(frozen=True, slots=True)
class Lesson:
    """What learning a request changes of cues.

    Each of `new` is put at its position, in the place of one that gives way there, if any; `gone`
    are the ids of those that give way and whose position stays free.
    """

    new: tuple[Cue, ...] = ()
    gone: tuple[str, ...] = ()


def lessons(cues: Mapping[str, Sequence[Cue]], request: Request) -> Lesson:
    """The lesson of each fact that holds, together; `cues` are all that each of them has."""
    each = [lesson(fact, own, request) for fact, own in cues.items()]
    return Lesson(
        tuple(cue for one in each for cue in one.new), tuple(id for one in each for id in one.gone)
    )


def lesson(fact: str, cues: Sequence[Cue], request: Request) -> Lesson:
    """What becomes of all the cues of a fact that holds when a request is learned.

    Nothing, where one of them says the same. Else of the learned ones, the new one among them, the
    `keep` latest stay.
    """
    text = storable(request.text)
    if not text.strip() or same_text(text) in {same_text(cue.text) for cue in cues}:
        return Lesson()
    new = Cue(fact, LEARNED, text, request.at)
    at = {cue.id: cue.learned for cue in cues if cue.learned is not None}
    before = sorted(
        (cue for cue in cues if cue.id in at), key=lambda cue: (at[cue.id], cue.position)
    )
    younger = [cue for cue in before if at[cue.id] > request.at]
    by_age = [*before[: len(before) - len(younger)], new, *younger]
    stay = by_age[max(0, len(by_age) - request.keep) :] if request.keep > 0 else []
    gone = {cue.id for cue in before if cue not in stay}
    if new not in stay:
        return Lesson(gone=tuple(sorted(gone)))
    taken = {cue.position for cue in stay if cue is not new}
    new = replace(new, position=min(set(range(LEARNED, LEARNED + len(taken) + 1)) - taken))
    return Lesson((new,), tuple(sorted(gone - {new.id})))


def check_request(bank: str, request: Request) -> None:
    """Refuse what could only be a caller's mistake: no bank's name, no time zone."""
    check_named(bank, to="learn")
    stamp(request.at, of="a request that is learned")


def check_imagined(cues: Iterable[Cue]) -> None:
    """Refuse imagined cues that stand where learned ones do."""
    for cue in cues:
        if cue.position >= LEARNED or cue.learned is not None:
            raise InvalidInput(
                f"cue {cue.id} was given as imagined, and is or stands among those that were "
                f"learned from use: give positions below {LEARNED}"
            )
