"""What every format shares: the notes of one reading, what it finds, and what a format is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from pathlib import Path

from forethought.memory.conversations import Conversation, Utterance
from forethought.memory.errors import InvalidInput
from forethought.memory.formats.dates import aware
from forethought.memory.formats.node import Damaged, Node
from forethought.memory.formats.parsed import Problem
from forethought.memory.ids import content_hash


@dataclass(frozen=True, slots=True)
class Found:
    """A conversation and where it stood. `named` says that the file itself names it."""

    path: str
    place: str
    conversation: Conversation
    named: bool


@dataclass(frozen=True, slots=True)
class Reading:
    """One file being read: how to place its dates, and the problems met so far.

    `date` is for conversations that have none. `lines` says that each record is a line.
    """

    path: str
    zone: tzinfo
    date: datetime | None = None
    lines: bool = False
    problems: list[Problem] = field(default_factory=list)

    @property
    def stem(self) -> str:
        """The file's name without its folder and ending."""
        return Path(self.path).stem

    def report(self, place: str, message: str) -> None:
        """Note a problem at `place`."""
        self.problems.append(Problem(self.path, place, message))

    @contextmanager
    def reporting(self) -> Iterator[None]:
        """Turn damage inside the block into a problem, and go on after the block."""
        try:
            yield
        except Damaged as damage:
            self.report(damage.place, damage.message)

    def when(self, node: Node | None, *, of: Node) -> datetime:
        """The date in `node`, in UTC; the default date if there is no node; raises Damaged.

        `of` is what the date is for.
        """
        if node is None:
            return self._default(of)
        try:
            return aware(node.value, self.zone)
        except InvalidInput as error:
            raise Damaged(node.place, str(error)) from error

    def name(self, node: Node, *keys: str, default: str) -> str:
        """The name under one of `keys`; `default` for a missing one, and for a reported bad one."""
        with self.reporting():
            given = node.first(*keys)
            return given.word("a name or number") if given else default
        self.report(node.place, f'named "{default}" instead')
        return default

    def found(
        self, node: Node, key: str | None, *, date: datetime, turns: Sequence[Utterance]
    ) -> Found:
        """A conversation read from `node`; without a `key` its opening names it, however it grows.

        The opening goes on to the first user turn, since many chats begin with one system prompt.
        """
        spoken = (n for n, turn in enumerate(turns, start=1) if turn.role == "user")
        name = key or content_name(date, turns[: next(spoken, len(turns))])
        conversation = Conversation(date=date, turns=tuple(turns), key=name)
        return Found(self.path, node.place, conversation, named=bool(key))

    def _default(self, of: Node) -> datetime:
        if self.date is None:
            raise Damaged(
                of.place,
                'has no date: add one, such as "date": "2024-05-31", or give one date for all'
                " conversations that have none",
            )
        return aware(self.date, self.zone)


def content_name(date: datetime, turns: Sequence[Utterance]) -> str:
    """A stable name for a session that its file does not name, from when and what was said."""
    said = (f"{turn.role}\x1e{turn.text}" for turn in turns)
    return "content-" + content_hash(date.isoformat(), *said)


def records(root: Node, _reading: Reading) -> list[Node]:
    """The records of a file: the items of a list, or the one object that it is."""
    return root.items() if isinstance(root.value, list) else [root]


def nobody(_record: Node, _reading: Reading) -> str:
    """The group of a record whose format knows no groups."""
    return ""


@dataclass(frozen=True, slots=True)
class Format:
    """How to recognise and read one format. A file is a list of records, or a single one.

    `outline` says what a record looks like; `matches` recognises one by its structure alone;
    `person` says whose it is ("" where the format does not tell people apart); `conversations`
    reads it for that person, reporting what is damaged; `gather` makes the records of a file,
    where that is not plain.

    A session is read whole or not at all: its turns are known by their positions in an append-only
    log, so half a session could not be put right by reading the repaired file later.
    """

    name: str
    outline: str
    matches: Callable[[object], bool]
    conversations: Callable[[Node, str, Reading], Iterator[Found]]
    person: Callable[[Node, Reading], str] = nobody
    gather: Callable[[Node, Reading], list[Node]] = records
