"""What can be typed in a terminal chat beside messages: `/trace`, `/facts` and so on."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from forethought.graphs.cli_beliefs import opinions_at, print_opinions
from forethought.graphs.cli_data import What, forgotten
from forethought.graphs.cli_ledger import commitments_at, due_at, print_commitments, print_due
from forethought.graphs.cli_progress import progress
from forethought.graphs.cli_runs import replayed
from forethought.graphs.cli_shell import Desk, clean, out, say
from forethought.graphs.cli_show import print_facts
from forethought.graphs.cli_stream import View
from forethought.graphs.cli_trace import quotations, ranking
from forethought.graphs.cli_typed import forget_typed
from forethought.memory.errors import InvalidInput, NotFound

if TYPE_CHECKING:
    from forethought.graphs.chatting import Chat

HELP = """\
/trace          every step of the last turn
/facts [WORDS]  the latest facts, or those that WORDS recall
/opinions [ID]  what the assistant believes, or how one opinion came about
/due [WORDS]    what comes to mind today, or by WORDS, and the open commitments
/forget ID      remove a fact, session or opinion; the conversation begins anew
/flush          retain now what was said
/again          go on with an answer that was broken off
/quit           retain what was said and leave (Ctrl-D does the same)"""
_LATEST = 20  # facts that fill a screen
_NOTHING_LEFT = "All that was said is retained."


@dataclass(slots=True)
class Slash:
    """The commands of one chat. Each takes what was typed after its name."""

    desk: Desk
    chat: Chat
    asks: bool
    """Whether somebody is there to be asked before something is removed."""
    _does: dict[str, Callable[[str], Awaitable[None]]] = field(init=False)

    def __post_init__(self) -> None:
        """Name the commands."""
        self._does = {
            "trace": self._trace, "facts": self._facts, "opinions": self._opinions,
            "due": self._due,
            "forget": self._forget, "flush": self._flush, "again": self._again, "help": self._help,
        }  # fmt: skip

    async def __call__(self, line: str) -> None:
        """Do what `line` says, which begins with a slash. Raises InvalidInput."""
        name, _, argument = line[1:].partition(" ")
        does = self._does.get(name)
        if does is None:
            raise InvalidInput(f"there is no /{clean(name)}: /help lists the commands")
        await does(argument.strip())

    async def flush(self) -> None:
        """Retain what waits, with a progress bar; say what is left."""
        if not await self.chat.waiting():
            say(_NOTHING_LEFT, style="dim")
            return
        from forethought.graphs.recording import Watcher

        with progress() as bar:
            done = await self.chat.flush(Watcher(bar))
        facts = sum(entry.get("facts", 0) for entry in done.report)
        say(f"Retained {len(done.report)} sessions: {facts} facts, {bar.cues} cues.", style="dim")
        for note in done.notes:
            say(note, style="yellow")

    async def _flush(self, _: str) -> None:
        await self.flush()

    async def _help(self, _: str) -> None:
        out().print(HELP)

    async def _again(self, _: str) -> None:
        view = View()
        view.show(await self.chat.again(view.watcher()))

    async def _trace(self, _: str) -> None:
        last = self.chat.last()
        replayed(last) if last else say("Nothing was asked yet.")

    async def _facts(self, words: str) -> None:
        from forethought.memory.plain import to_plain

        app, bank = self.desk.app, self.desk.bank
        if not words:
            facts = [fact for fact in await app.records.facts(bank) if fact.until is None]
            print_facts(to_plain(sorted(facts, key=lambda fact: fact.date)[-_LATEST:]))
            return
        await app.indexer.catch_up(bank)
        found = await app.recall.recall(bank, words, now=app.clock(), limit=_LATEST)
        ranking(to_plain(found.hits), out())
        quotations(to_plain(found.turns[:5]), out())

    async def _opinions(self, id: str) -> None:
        print_opinions(await opinions_at(self.desk, id or None))

    async def _due(self, words: str) -> None:
        print_due(await due_at(self.desk, words or None))
        print_commitments(await commitments_at(self.desk))

    async def _forget(self, id: str) -> None:
        if not id:
            raise InvalidInput("/forget needs an id: /facts and /opinions show them")
        gone = await forgotten(self.desk, await self._kind(id), [id], yes=not self.asks)
        if gone is None:
            say("Nothing was forgotten.")
            return
        forget_typed()
        counts = (("facts", gone.facts), ("sessions", gone.sessions), ("opinions", gone.opinions))
        went = ", ".join(f"{count} {name}" for name, count in counts if count)
        say(f"Forgotten: {went}. The conversation begins anew: it may have said what was forgotten")

    async def _kind(self, id: str) -> What:
        records, bank = self.desk.app.records, self.desk.bank
        if await records.facts(bank, [id]):
            return "fact"
        if await records.sessions(bank, ids=[id]):
            return "session"
        if await records.opinions(bank, [id]):
            return "opinion"
        raise NotFound(f"bank {bank!r} has no fact, session or opinion {clean(id)!r}")
