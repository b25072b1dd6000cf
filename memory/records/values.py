"""What every adapter keeps alike: aware UTC dates as text, one identity per text, named banks."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Final

from forethought.memory.conversations import Conversation
from forethought.memory.errors import InvalidInput, NotFound
from forethought.memory.ids import content_hash, key_mark, same_text, turn_id
from forethought.memory.ledger.types import Commitment, Settlement
from forethought.memory.records.changes import ChangeSet, Unindexed
from forethought.memory.types import Ids, Link, Turn
from forethought.memory.words import storable

_CONTENT_DIGITS = 32  # an identity, not a name: a clash would merge two unrelated facts


def content_of(text: str) -> str:
    """What makes two facts of a bank the same one: a hash of their text by `ids.same_text`.

    Of the text as it is stored: two that are kept alike are one.
    """
    return content_hash(same_text(storable(text)), length=_CONTENT_DIGITS)


def stamp(moment: datetime, *, of: str) -> str:
    """`moment` in UTC, as text of fixed width that sorts by time. Raises InvalidInput if naive."""
    if moment.utcoffset() is None:
        raise InvalidInput(
            f"the date {moment.isoformat()} of {of} has no time zone: "
            "make it aware first, in the bank's time zone"
        )
    try:
        return moment.astimezone(UTC).isoformat(timespec="microseconds")
    except OverflowError as error:
        raise InvalidInput(
            f"the date {moment.isoformat()} of {of} is out of range: give a year from 1 to 9999"
        ) from error


def stamp_or_none(moment: datetime | None, *, of: str) -> str | None:
    """`stamp`, where there is a moment."""
    return None if moment is None else stamp(moment, of=of)


def stamps(between: tuple[datetime, datetime] | None) -> tuple[str, str]:
    """Two moments as text; what is before and after all text of moments, for none."""
    if between is None:
        return "", "~"
    since, before = between
    return stamp(since, of="the look-up"), stamp(before, of="the look-up")


def moment_or_none(text: str | None) -> datetime | None:
    """What `stamp_or_none` wrote."""
    return None if text is None else datetime.fromisoformat(text)


def day_text(day: date | None) -> str | None:
    """A day as text that sorts."""
    return None if day is None else day.isoformat()[:10]  # a datetime is a date, too


def day_from(text: str | None) -> date | None:
    """What `day_text` wrote."""
    return None if text is None else date.fromisoformat(text)


MIDNIGHT: Final = "T00:00:00.000000+00:00"
"""What makes of a day, as `day_text` writes it, the moment it begins, as `stamp` would."""


def at_most(limit: int) -> int:
    """`limit` as a database takes it: none takes a negative one as "nothing"."""
    return max(0, min(limit, 2**63 - 1))


def changed(items: Sequence[Unindexed], now: Sequence[Unindexed]) -> list[str]:
    """Ids of the `items` that are not among those of `now`."""
    same = set(now)
    return [item.id for item in items if item not in same]


def kept_name(bank: str) -> str:
    """`bank`, if its name can be kept as it is: two names must never become one."""
    if storable(bank) != bank:
        raise InvalidInput(
            f"the bank name {bank!r} holds a NUL or half a surrogate pair: use another name"
        )
    return bank


def check_named(bank: str, *, to: str) -> None:
    """Refuse a bank without a name: the settings of the whole store are kept under ""."""
    if not bank.strip():
        raise InvalidInput(f"the bank has no name: name the bank that is to {to} this")


_SORTS: Final = ("fact", "session", "entity", "opinion", "commitment")


def to_forget(bank: str, *named: Ids | None) -> tuple[str, list[str]]:
    """Which of `_SORTS` is named, with its ids, each once; "bank" and none, if none is.

    Raises InvalidInput for a bank without a name, for two sorts, and for an empty list, which must
    not stand for the whole bank.
    """
    check_named(bank, to="forget")
    named_by = zip(_SORTS, named, strict=True)
    given = [(sort, each_once(ids)) for sort, ids in named_by if ids is not None]
    if len(given) > 1:
        raise InvalidInput(
            "give one thing to forget, or several of one sort: facts, sessions, entities, opinions "
            "or commitments"
        )
    for sort, ids in given:
        if not ids:
            raise InvalidInput(f"nothing to forget: the list names no {sort}")
        return sort, ids
    return "bank", []


def each_once(ids: Ids) -> list[str]:
    """These ids as they are stored, in their order; one that comes again is left out."""
    every = [ids] if isinstance(ids, str) else ids
    return list(dict.fromkeys(map(storable, every)))


def check_found(bank: str, sort: str, ids: Iterable[str], *, found: Container[str]) -> None:
    """Raise NotFound, which names them, where any of these ids of a sort is not among `found`."""
    if missing := [id for id in ids if id not in found]:
        raise not_found(bank, **{sort: missing})


def check_own(bank: str, what: str, other: str) -> None:
    """Refuse what is of another bank than the one that it was given to."""
    if other != bank:
        raise InvalidInput(
            f"{what} is of bank {other!r} and was given to bank {bank!r}: give each bank its own"
        )


def check_empty(bank: str, *, holds: bool) -> None:
    """Refuse to restore into a bank that holds something."""
    if holds:
        raise InvalidInput(f"bank {bank!r} is not empty: give one that is, or forget this one")


_LISTING: Final = {
    "fact": "`forethought show facts` lists them",
    "session": "`forethought show sessions` lists them",
    "entity": "`forethought entities` lists them",
    "opinion": "`forethought opinions` lists them",
    "commitment": "`forethought commitments list` lists them",
    "cue": "`forethought show` with a fact's id lists the fact's",
}
"""What there may be to find, and where it is listed."""


def not_found(bank: str, **named: Ids | None) -> NotFound:
    """That there is no such fact, session, entity and so on (of `_LISTING`), or no such bank."""
    for sort, ids in named.items():
        if ids is not None:
            which = " or ".join(map(repr, each_once(ids)))
            return NotFound(f"there is no {sort} {which} in bank {bank!r}: {_LISTING[sort]}")
    return NotFound(f"there is no bank {bank!r}: `forethought show banks` lists them")


def session_marks(session: str, key: str) -> list[str]:
    """The tombstones of a session: its id, and one of its key that any bank's name leaves as is."""
    return [session, key_mark(storable(key))]


def check_changes(changes: ChangeSet) -> None:
    """Refuse, before anything is looked up, what could only be a caller's mistake."""
    if not changes.bank.strip():
        raise InvalidInput("the ChangeSet names no bank: name the bank that is to remember this")
    for fact in changes.facts:
        stamp(fact.date, of=f"fact {fact.id}")
        stamp_or_none(fact.until, of=f"fact {fact.id}")
    for entity in changes.entities:
        stamp(entity.first, of=f"entity {entity.id}")
        stamp(entity.last, of=f"entity {entity.id}")
    whose = [(one.id, one.bank) for one in changes.facts]
    for id, bank in [*whose, *((one.id, one.bank) for one in changes.entities)]:
        if bank != changes.bank:
            raise InvalidInput(
                f"{id} of bank {bank!r} is in a ChangeSet for bank {changes.bank!r}: "
                "commit what each bank is to remember in a ChangeSet of its own"
            )
    for repeat in changes.repeats:
        stamp(repeat.date, of=f"a repeat of fact {repeat.fact}")
    for change in changes.replacements:
        stamp(change.at, of=f"the replacement of fact {change.old}")
    check_links(changes.links)
    check_commitments(changes.bank, changes.commitments)
    check_settlements(changes.bank, changes.settlements)


def check_commitments(bank: str, commitments: Iterable[Commitment]) -> None:
    """Refuse what could only be a caller's mistake: another bank, no time zone."""
    check_named(bank, to="keep this commitment")
    for one in commitments:
        check_own(bank, f"commitment {one.id}", one.bank)
        stamp(one.made, of=f"commitment {one.id}")
        stamp_or_none(one.closed, of=f"commitment {one.id}")


def check_settlements(bank: str, settlements: Iterable[Settlement]) -> None:
    """The same of what settles commitments."""
    check_named(bank, to="settle the commitment in")
    for one in settlements:
        stamp(one.at, of=f"what settles commitment {one.commitment}")


def check_links(links: Iterable[Link]) -> None:
    """Refuse a weight that is none."""
    for link in links:
        if not 0 <= link.weight <= 1:  # nor is NaN
            raise InvalidInput(
                f"the link from fact {link.source} to {link.target} has the weight {link.weight}: "
                "give one from 0 to 1"
            )


def check_saliences(saliences: Mapping[str, float]) -> None:
    """Refuse a salience that is none."""
    for fact, salience in saliences.items():
        if not 0 <= salience <= 1:  # nor is NaN
            raise InvalidInput(f"fact {fact} has the salience {salience}: give one from 0 to 1")


def check_logged(sessions: set[str], *, bank: str) -> None:
    """Refuse a source whose session was neither logged nor forgotten: `sessions` are those."""
    if unknown := sorted(sessions):
        raise InvalidInput(
            f"session {unknown[0]!r} is not in the log of bank {bank!r}: "
            "log a conversation before committing the facts that it supports"
        )


def turns_of(talk: Conversation, session: str) -> list[Turn]:
    """The conversation's turns as the log holds them."""
    texts = [storable(said.text) for said in talk.turns]
    return [
        Turn(
            id=turn_id(session, position, text),
            session=session,
            position=position,
            role=said.role,
            text=text,
            name=None if said.name is None else storable(said.name),
        )
        for position, (said, text) in enumerate(zip(talk.turns, texts, strict=True))
    ]


def appending(logged: Sequence[Turn], given: Sequence[Turn]) -> str:
    """What giving these turns does to those that are logged: an outcome of `Logged`."""
    shared = min(len(logged), len(given))
    if list(logged[:shared]) != list(given[:shared]):
        return "differs"
    if len(given) <= len(logged):
        return "known"
    return "extended" if logged else "new"
