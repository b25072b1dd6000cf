"""A conversation on one thread of the run store: each turn of it is a recorded run of the agent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from langchain_core.messages import AnyMessage
from langgraph.runtime import RunControl

from forethought.graphs.app import App
from forethought.graphs.asking import Asker, new_id
from forethought.graphs.journal import Journal
from forethought.graphs.recording import Watcher
from forethought.graphs.retaining import Retained, Retainer, Work
from forethought.graphs.runs import RunStore, chat_thread, journal, runs
from forethought.memory.conversations import Conversation
from forethought.memory.errors import InvalidInput
from forethought.nodes.context import Context
from forethought.nodes.retain import as_logged


@dataclass(slots=True)
class Chat:
    """The bank's chat of this `name`: it goes on from its last checkpoint, if it has one."""

    app: App
    store: RunStore
    context: Context
    name: str

    async def said(self) -> Sequence[AnyMessage]:
        """The messages so far."""
        thread = self._thread()
        if thread is None:
            return ()
        found = await self.store.saver.aget_tuple({"configurable": {"thread_id": thread}})
        return found.checkpoint["channel_values"].get("messages", ()) if found else ()

    async def ask(self, text: str, watcher: Watcher) -> dict[str, Any]:
        """The outcome of the next turn."""
        id = new_id(self.app.clock())
        thread = self._thread() or f"{self.name}@{id}"
        return await Asker(self.app, self.store, watcher).ask(
            text, self.context, id=id, thread=thread
        )

    async def again(self, watcher: Watcher) -> dict[str, Any]:
        """The outcome of the turn that was broken off. Raises InvalidInput if none was."""
        broken = self.broken()
        if broken is None:
            raise InvalidInput("nothing was broken off: the last turn came to its end")
        return await Asker(self.app, self.store, watcher).again(broken)

    def last(self) -> Journal | None:
        """The last turn as its journal tells it."""
        thread = self._thread()
        for run in runs(self.store.directory, self.context.bank):
            if run.thread == thread:
                return journal(self.store.directory, run.id)
        return None

    def broken(self) -> Journal | None:
        """The last turn, if it began and did not end."""
        last = self.last()
        return last if last is not None and last.result is None and last.last else None

    async def flush(self, watcher: Watcher) -> Retained:
        """Retain what was said in this chat and no retain has read yet."""
        records, bank = self.app.records, self.context.bank
        given = await as_logged(records, bank, await self.waiting())
        work = Work([Conversation.model_validate(one) for one in given], f"chat {self.name}")
        retainer = Retainer(self.app, self.store, watcher, RunControl())
        # one that failed before is read again: more has been said in it since
        return await retainer.retain(work, replace(self.context, retry=True), self.app.clock())

    async def waiting(self) -> list[str]:
        """Keys of this chat's sessions that wait to be retained."""
        unread = await self.app.records.sessions(self.context.bank, unfinished=True)
        ours = f"chat {self.name}"  # as `remember` names it, after the thread and before the day
        return [one.key for one in unread if one.key.rpartition("@")[0] == ours]

    def _thread(self) -> str | None:
        return chat_thread(self.store.directory, self.context.bank, self.name)
