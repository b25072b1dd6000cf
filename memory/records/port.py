"""The Records port: one bank's exact memory. Adapters: `sqlite` (embedded), `neo4j` (server)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from forethought.memory.conversations import Conversation
from forethought.memory.records.changes import (
    ChangeSet,
    Committed,
    Logged,
    Purge,
    Unindexed,
)
from forethought.memory.records.contents import Contents
from forethought.memory.types import BankSummary, Cue, Fact, Session, Turn


class Records(Protocol):
    """Everything exact about every bank. Each method names its bank and sees no other.

    A method that returned has made its change durable. Unknown banks are empty, not errors; a
    bank name that a store cannot keep faithfully (NUL, lone surrogates) raises InvalidInput.
    Elsewhere such characters become U+FFFD (`words.storable`). A store that does not answer
    raises StoreUnavailable.
    """

    async def log(self, bank: str, conversations: Sequence[Conversation]) -> list[Logged]:
        """Append conversations to the log, all in one transaction; say what each one did.

        Turns that follow those logged are appended; a conversation whose earlier turns differ is
        left out. A key that was forgotten is refused: a tombstone names its session's id or its
        `ids.key_mark`. Naive dates raise InvalidInput.
        """

    async def sessions(
        self, bank: str, *, ids: Sequence[str] | None = None, unfinished: bool = False
    ) -> list[Session]:
        """Sessions by date, then id: with these ids, or with turns still to extract, or all."""

    async def turns(self, bank: str, session: str) -> list[Turn]:
        """The turns of one session in order."""

    async def commit(self, changes: ChangeSet) -> Committed:
        """Apply a ChangeSet in one transaction, marking each new fact unindexed and unforeseen.

        A fact whose text (by `ids.same_text`) an active fact already has becomes a repeat of that
        one; a fact that was forgotten, or is blank, or is merged from one that does not hold (any
        more), is refused; replacements of unknown or already replaced facts are ignored. An update
        by an older statement retires that one, at once, in favour of the newer. A fact that was
        replaced and is said again in its own session, replacing what replaced it, holds again.
        `frequency` is counted from the sources. Raises InvalidInput for a source session that is
        not in the log, naive dates and facts of another bank.
        """

    async def facts(self, bank: str, ids: Sequence[str] | None = None) -> list[Fact]:
        """The facts with these ids, in this order, unknown ids left out; all by date if None."""

    async def holding(self, bank: str, ids: Sequence[str], *, now: datetime) -> set[str]:
        """Which of these facts had been said by `now` and not replaced by then; a light look-up."""

    async def earlier(self, bank: str, ids: Sequence[str]) -> dict[str, list[Fact]]:
        """For each of these facts, the versions that it updated, newest first."""

    async def added(self, bank: str, *, since: int) -> tuple[list[Fact], int]:
        """Facts that hold and were stored after the mark `since` (0: all), and the mark of now."""

    async def newest(self, bank: str) -> datetime | None:
        """The date of the bank's latest fact."""

    async def search(
        self, bank: str, text: str, *, k: int, now: datetime
    ) -> list[tuple[str, float]]:
        """The k best facts that hold at `now` by BM25, higher is better; any text is safe."""

    async def said(
        self, bank: str, text: str, *, k: int, now: datetime
    ) -> list[tuple[Turn, float]]:
        """The k best turns of sessions dated up to `now` by BM25, higher is better.

        A turn is found by its own words, its speaker's name and those of the turn before it in its
        session, stemmed; equal scores by date and place. Any text is safe.
        """

    async def cues(self, bank: str, facts: Sequence[str]) -> list[Cue]:
        """The cues of these facts, by fact and position."""

    async def unforeseen(self, bank: str, *, limit: int) -> list[Fact]:
        """Facts that hold and have no cues yet, oldest first."""

    async def foresee(self, bank: str, cues: Sequence[Cue], *, facts: Sequence[str]) -> None:
        """Store cues (unindexed) and mark `facts` foreseen; replaces cues those facts had.

        Unchanged cues stay indexed, dropped ones are listed by `unpurged`.
        """

    async def unindexed(self, bank: str, *, limit: int) -> list[Unindexed]:
        """Facts and cues whose vectors the index lacks, facts first."""

    async def indexed(self, bank: str, ids: Sequence[str]) -> None:
        """Clear the unindexed mark of these facts and cues."""

    async def outdated(self, bank: str, items: Sequence[Unindexed]) -> list[str]:
        """Ids of those that `unindexed` gave and that are gone, or not the same any more."""

    async def reindex(self, bank: str) -> int:
        """Mark every fact and cue unindexed; return how many."""

    async def forget(
        self, bank: str, *, fact: str | None = None, session: str | None = None
    ) -> Purge:
        """Tombstone and remove a fact with all its versions, a session, or the whole bank.

        What was merged from a removed fact goes too and its other originals hold again. A
        fact that other sessions support too survives the removal of one, and a version holds again
        when the session that updated it goes. A whole bank goes with its settings and tombstones,
        so that it may be given anew on purpose. The text is in no byte of an embedded store then,
        and in no record or index of a server, whose files are its own to clean. The ids in the
        result stay listed by `unpurged` until `purged`. Raises NotFound.
        """

    async def unpurged(self, bank: str) -> list[str]:
        """Ids of forgotten facts and cues whose vectors may still be in the index."""

    async def purged(self, bank: str, ids: Sequence[str]) -> None:
        """Strike these ids from `unpurged`: their vectors are gone.

        Those that were learned again in the meantime are marked unindexed.
        """

    async def tombstones(self, bank: str) -> list[str]:
        """The marks of what was forgotten, sorted; they hold no text and are the same in any store.

        A session's are its id and the `ids.key_mark` of its key, a fact's is the `content_hash` of
        its `ids.same_text`, with 32 digits.
        """

    async def restore(self, contents: Contents) -> None:
        """Write a whole bank exactly as given, in one transaction, into one that holds nothing.

        Facts and cues are marked unindexed, those that were `unpurged` no longer are. Raises
        InvalidInput if the bank has a session, a fact or a tombstone, or if the contents contradict
        themselves (`contents.check_whole`).
        """

    async def banks(self) -> list[BankSummary]:
        """Every bank with its counts, by name; a forgotten one too while it has ids `unpurged`."""

    async def setting(self, bank: str, name: str, value: str | None = None) -> str | None:
        """Read a named value of this bank, or of the store (bank ""); write it first if given."""

    async def close(self) -> None:
        """Release files and connections."""
