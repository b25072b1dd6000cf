"""The Records port: one bank's exact memory. Adapters: `sqlite` (embedded), `neo4j` (server)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta, tzinfo
from typing import Protocol

from forethought.memory.conversations import Conversation
from forethought.memory.records.beliefs import Beliefs
from forethought.memory.records.changes import ChangeSet, Committed, Logged, Purge
from forethought.memory.records.contents import Contents
from forethought.memory.records.ledger import Ledger
from forethought.memory.records.marks import Marks
from forethought.memory.records.uses import Uses
from forethought.memory.types import (
    BankSummary,
    Cue,
    Edge,
    Entity,
    Fact,
    Ids,
    Joiner,
    Link,
    Mention,
    Occurrence,
    Placed,
    Session,
    Turn,
)
from forethought.memory.when import Span


class Records(Ledger, Beliefs, Marks, Uses, Protocol):
    """Everything exact about every bank. Each method names its bank and sees no other.

    A method that returned has made its change durable. Unknown banks are empty, not errors; a
    bank name that a store cannot keep faithfully (NUL, lone surrogates) raises InvalidInput.
    Elsewhere such characters become U+FFFD (`words.storable`). A store that does not answer
    raises StoreUnavailable.
    """

    async def log(self, bank: str, conversations: Sequence[Conversation]) -> list[Logged]:
        """Append conversations to the log, all in one transaction; say what each one did.

        Turns that follow those logged are appended, and marked unindexed if they are to be
        `conversations.embedded`; a conversation whose earlier turns differ is left out. A key that
        was forgotten is refused: a tombstone names its session's id or its `ids.key_mark`. Naive
        dates raise InvalidInput.
        """

    async def sessions(
        self,
        bank: str,
        *,
        ids: Sequence[str] | None = None,
        unfinished: bool = False,
        between: tuple[datetime, datetime] | None = None,
    ) -> list[Session]:
        """Sessions by date, then id: with these ids, or with turns still to extract, or all.

        `between` takes those dated from its first moment on and before its second.
        """

    async def turns(self, bank: str, session: str) -> list[Turn]:
        """The turns of one session in order, hushed ones too (see `forget`): this is the log."""

    async def placed(self, bank: str, turns: Sequence[str]) -> list[Placed]:
        """The turns with these ids, in this order, each with its place.

        Unknown ids are left out and so are hushed turns (see `forget`).
        """

    async def supported(
        self, bank: str, turns: Sequence[str], *, now: datetime
    ) -> dict[str, list[str]]:
        """For each of these turns that supports any: the facts that hold at `now`, by date and id.

        Facts whose source names no turn, only the session, are not among them. A hushed turn
        supports nothing any more (see `forget`).
        """

    async def commit(self, changes: ChangeSet) -> Committed:
        """Apply a ChangeSet in one transaction, marking each new fact unindexed and unforeseen.

        A fact whose text (by `ids.same_text`) an active fact already has becomes a repeat of that
        one; a fact that was forgotten, or is blank, or is merged from one that does not hold (any
        more), is refused; replacements of unknown or already replaced facts are ignored. An update
        by an older statement retires that one, at once, in favour of the newer. A fact that was
        replaced and is said again in its own session, replacing what replaced it, holds again.
        `frequency` is counted from the sources. The turns that say what was forgotten again, or
        repeat a fact that is not there, are hushed (see `forget`). Raises InvalidInput for a source
        session that is not in the log, naive dates, facts and entities of another bank and weights
        outside [0, 1].
        """

    async def facts(self, bank: str, ids: Sequence[str] | None = None) -> list[Fact]:
        """The facts with these ids, in this order, unknown ids left out; all by date if None."""

    async def holding(self, bank: str, ids: Sequence[str], *, now: datetime) -> dict[str, str]:
        """The texts of those of these facts that had been said by `now` and hold: a light look-up.

        None of them had been replaced by then.
        """

    async def earlier(self, bank: str, ids: Sequence[str]) -> dict[str, list[Fact]]:
        """For each of these facts, the versions that it updated, newest first."""

    async def added(
        self, bank: str, *, since: int, limit: int | None = None
    ) -> tuple[list[Fact], int]:
        """Facts that hold and were stored after the mark `since` (0: all), and the mark of now.

        With a limit the first so many, and the mark of the last of them if there are more.
        """

    async def newest(self, bank: str) -> datetime | None:
        """The date of the bank's latest fact, or when its latest cue was learned, if later."""

    async def search(
        self, bank: str, text: str, *, k: int, now: datetime
    ) -> list[tuple[str, float]]:
        """The k best facts that hold at `now` by BM25, higher is better; any text is safe.

        The text's function words are not looked for, unless it has no others.
        """

    async def said(
        self, bank: str, text: str, *, k: int, now: datetime
    ) -> list[tuple[Turn, float]]:
        """The k best turns of sessions dated up to `now` by BM25, higher is better.

        A turn is found by its own words, its speaker's name and those of the turn before it in its
        session, stemmed; equal scores by date and place. Hushed turns (see `forget`) are not
        found, nor the turn after one by its words. The text is read as by `search`.
        """

    async def occurring(
        self, bank: str, days: Span, *, zone: tzinfo, k: int, now: datetime
    ) -> list[Occurrence]:
        """The facts that hold at `now` and happened, or were last said, on one of `days` in `zone`.

        One that says when it began or ended, and not both, goes on without end on the other side;
        its days are then cut to those asked for. The k nearest come first, by the middle of the
        days on which they happened or by the day they were said, whichever is nearer to the middle
        of `days` (to the last of them, where they begin with `date.min`); of equally near ones
        those said later, then by id. Days later than `now` may be asked for.
        """

    async def cues(self, bank: str, facts: Sequence[str]) -> list[Cue]:
        """The cues of these facts, by fact and position."""

    async def unforeseen(self, bank: str, *, limit: int) -> list[Fact]:
        """Facts that hold and have no cues yet, oldest first."""

    async def foresee(self, bank: str, cues: Sequence[Cue], *, facts: Sequence[str]) -> None:
        """Store cues (unindexed) and mark `facts` foreseen; replaces cues those facts had.

        Unchanged cues stay indexed, dropped ones are listed by `unpurged`.
        """

    async def learn(
        self, bank: str, facts: Sequence[str], request: str, *, at: datetime, keep: int
    ) -> list[Cue]:
        """Keep a request as a learned cue of each of these facts that hold; return the new ones.

        A fact that has the same request (by `ids.same_text`) as a cue keeps it as it is. Of more
        than `keep` learned ones the oldest give way. `foresee` leaves learned ones as they are.
        """

    async def unlearn(self, bank: str, cues: Sequence[str]) -> int:
        """Forget these cues, by id, imagined or learned; return how many there were."""

    async def entities(self, bank: str, ids: Sequence[str] | None = None) -> list[Entity]:
        """The entities with these ids, in this order, unknown ids left out; all by name if None."""

    async def namesakes(
        self, bank: str, names: Sequence[str], *, k: int
    ) -> dict[str, list[Entity]]:
        """For each name the entities that may be meant: of the same name, or with a word like it.

        The same is what has one `words.name_key`, like is what shares one of
        `words.name_beginnings`. The same first, then by `last` (latest first), then by id; up to
        `k` each, joined ones too.
        """

    async def mentions(self, bank: str, facts: Sequence[str] | None = None) -> list[Mention]:
        """The mentions of these facts, or all, by fact and entity."""

    async def mentioning(
        self, bank: str, entities: Sequence[str], *, k: int, now: datetime
    ) -> dict[str, list[str]]:
        """For each of these entities, with all that share its root, the facts that mention it.

        Facts that hold at `now`, latest first, then by id; up to `k` each.
        """

    async def join(self, bank: str, entity: str, into: str | None, *, by: Joiner) -> None:
        """Join an entity to another, or keep it apart (None); mentions stay where they are.

        Raises NotFound for an unknown one, and InvalidInput where `into` is the entity itself or
        joined to it. A joining by "rule" leaves alone what the user decided.
        """

    async def link(self, bank: str, links: Sequence[Link]) -> None:
        """Store links; a stored one takes the new weight, those of unknown facts are left out.

        Raises InvalidInput for a weight outside [0, 1].
        """

    async def links(self, bank: str, facts: Sequence[str] | None = None) -> list[Link]:
        """The links from or to these facts, or all, by source, target and kind."""

    async def neighbours(
        self, bank: str, facts: Sequence[str], *, now: datetime, fan: int
    ) -> dict[str, list[Edge]]:
        """The ways from each of these facts to others that hold at `now`.

        All of its links, and for each entity (by root) that it mentions the `fan` latest other
        facts that mention it, weight 1: an entity that half the bank mentions costs no more. By
        kind and then, links by weight (greatest first), entity paths by date (latest first), by id.
        """

    async def around(
        self, bank: str, facts: Sequence[str], *, within: timedelta, k: int
    ) -> dict[str, list[tuple[str, timedelta]]]:
        """For each fact the `k` others nearest to it in time that hold (have not been replaced).

        Each with how far away it is, which is not more than `within`.
        A fact's time is the day it began to occur (0:00 UTC), or when it was last said if that is
        not known. Nearest first, then by id.
        """

    async def forget(  # noqa: PLR0913  # one of what there is to forget is named
        self,
        bank: str,
        *,
        fact: Ids | None = None,
        session: Ids | None = None,
        entity: Ids | None = None,
        opinion: Ids | None = None,
        commitment: Ids | None = None,
    ) -> Purge:
        """Remove facts with all their versions, sessions, entities, opinions … or the bank.

        One or several of a sort, all in one transaction or none, as if they were one. A bank may go
        in parts, where a server could not hold all of it in one transaction: the next call takes
        what is left of one that was cut off. Facts and sessions leave tombstones and are refused
        from then on; an opinion leaves none and may be formed anew by reflection.

        With facts go the opinions that rest on one of them, and all observations on a subject of
        which one was made from one; opinions that one only moved are as they are without it
        (`confidence.without`). Commitments go with a fact that they concern and with the session
        that they were made in; one that a forgotten turn settled stays as it is, settled.

        An entity goes with all that share its root, with every fact that mentions one of them, and
        with the opinions about one of their names. An entity goes with the last fact that mentions
        it, and the observations on it go too; what was joined to it stands for itself then, and
        `first` and `last` of the others follow.

        The turns that support a fact which goes by itself or with an entity are hushed, whatever
        else they say: they stay in the log, and `said`, `placed`, `supported` and the index find
        them no more. Other facts of theirs stay, and are found by their own texts and cues. The
        turns of an original that stays are not hushed. Learned cues go with the turns that asked
        them, word for word, when those are hushed or go with their session.

        What was merged from a removed fact goes too and its other originals hold again. A
        fact that other sessions support too survives the removal of one, and a version holds again
        when the session that updated it goes. A whole bank goes with its settings and tombstones,
        so that it may be given anew on purpose. What went is in no byte of an embedded store then,
        and in no record or index of a server, whose files are its own to clean. The ids of all that
        had a vector, hushed turns too, stay listed by `unpurged` until `purged`. Raises NotFound.
        """

    async def tombstones(self, bank: str) -> list[str]:
        """The marks of what was forgotten, sorted; they hold no text and are the same in any store.

        A session's are its id and the `ids.key_mark` of its key, a fact's is the `content_hash` of
        its `ids.same_text`, with 32 digits, and a hushed turn's its id.
        """

    async def restore(self, contents: Contents) -> None:
        """Write a whole bank exactly as given, in one transaction, into one that holds nothing.

        What is to have a vector is marked unindexed, and `unpurged` no longer. Turns that a
        tombstone names are hushed. Raises InvalidInput if the bank holds anything, or if the
        contents contradict themselves (`contents.check_whole`).
        """

    async def banks(self) -> list[BankSummary]:
        """Every bank with its counts, by name; a forgotten one too while it has ids `unpurged`."""

    async def setting(self, bank: str, name: str, value: str | None = None) -> str | None:
        """Read a named value of this bank, or of the store (bank ""); write it first if given."""

    async def close(self) -> None:
        """Release files and connections."""
