"""Show a run of the agent as it goes on: its trace, its answer as it streams, what it rests on."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from forethought.graphs.cli_shell import clean, cost, err, out, print_json, say
from forethought.graphs.cli_trace import Tracer, quotations, ranking, spoken

if TYPE_CHECKING:
    from forethought.graphs.journal import Happened
    from forethought.graphs.recording import Watcher

_OPENING = re.compile(r"<think(?:ing)?>", re.IGNORECASE)
_CLOSING = re.compile(r"</think(?:ing)?>", re.IGNORECASE)
_LONGEST_TAG = 11  # "</thinking>"


@dataclass(slots=True)
class Spoken:
    """Holds back the thinking blocks of a text that comes in pieces."""

    _held: str = ""
    _thinking: bool = False

    def feed(self, piece: str) -> str:
        """What may be shown of the text so far and has not been."""
        self._held += piece
        said = ""
        while True:
            match = (_CLOSING if self._thinking else _OPENING).search(self._held)
            if match is None:
                break
            said += "" if self._thinking else self._held[: match.start()]
            self._held = self._held[match.end() :]
            self._thinking = not self._thinking
        keep = self._tag_start()
        said += "" if self._thinking else self._held[:keep]
        self._held = self._held[keep:]
        return said

    def rest(self) -> str:
        """What was held back in case it became a tag."""
        left, self._held = ("" if self._thinking else self._held), ""
        return left

    def _tag_start(self) -> int:
        """Where a tag may be beginning at the end of what is held, else its length."""
        start = self._held.rfind("<", max(0, len(self._held) - _LONGEST_TAG))
        return len(self._held) if start < 0 or ">" in self._held[start:] else start


@dataclass(slots=True)
class View:
    """How to show a run: the whole trace or the answer alone, for people or as JSON."""

    trace: bool = False
    as_json: bool = False
    _spoken: Spoken = field(default_factory=Spoken)
    _message: str | None = None
    _streamed: str = ""

    def watcher(self) -> Watcher:
        """What to give to the run."""
        from forethought.graphs.recording import Watcher

        tracer = Tracer(err() if self.as_json else out()) if self.trace else None

        def event(happened: Happened) -> None:
            self._end_line()
            if tracer:
                tracer(happened)

        return Watcher(event) if self.as_json else Watcher(event, self._token)

    def show(self, outcome: Mapping[str, Any]) -> None:
        """The outcome, once the run is over."""
        if self.as_json:
            print_json(outcome)
            return
        self._end_line()
        if self.trace:
            out().print("\nranking", style="bold cyan")
            ranking(outcome["hits"], out())
            quotations(outcome.get("turns") or [], out())
        said = self._streamed.strip()
        if said and said != outcome["answer"].strip():
            say("The answer was corrected after it was streamed, see below.", style="yellow")
        self._cited(outcome)
        self._learned(outcome)
        for note in outcome.get("notes", ()):
            say(note, style="yellow")
        usage = outcome.get("usage") or {}
        say(f"{outcome['run']}: {cost(usage)}", style="dim")

    def _cited(self, outcome: Mapping[str, Any]) -> None:
        facts = [(hit["fact"]["id"], hit["fact"]["date"], hit["fact"]["text"])
                 for hit in outcome["hits"]]  # fmt: skip
        turns = [(said["turn"]["id"], said["date"], spoken(said))
                 for said in outcome.get("turns") or ()]  # fmt: skip
        opinions = [(one["id"], one["formed"], one["text"])
                    for one in outcome.get("opinions") or ()]  # fmt: skip
        made = [(one["id"], one["made"], one["text"]) for one in outcome.get("observations") or ()]
        duties = [(one["commitment"]["id"], one["commitment"]["made"], one["commitment"]["action"])
                  for one in outcome.get("commitments") or ()]  # fmt: skip
        found = [*facts, *turns, *opinions, *made, *duties]
        given = {id: f"[{id}] ({date[:10]}) {clean(text)}" for id, date, text in found}
        for name in outcome["cited"]:
            out().print(given[name], style="dim", soft_wrap=True)

    def _learned(self, outcome: Mapping[str, Any]) -> None:
        for one in outcome.get("formed") or ():
            line = f"now believed: {one['text']} (confidence {one['confidence']:.2f}, {one['id']})"
            out().print(clean(line), style="dim", soft_wrap=True)
        if retained := outcome.get("retained"):
            facts = sum(entry.get("facts", 0) for entry in retained)
            say(f"Retained {len(retained)} sessions: {facts} facts.", style="dim")

    def _token(self, piece: str, message: str | None) -> None:
        if self._message is not None and message != self._message:  # a call that broke off, again
            self._end_line()
            self._spoken, self._streamed = Spoken(), ""
        self._message = message
        self._print(self._spoken.feed(piece))

    def _print(self, text: str) -> None:
        if not self._streamed:
            text = text.lstrip()
            if text:
                out().print()
        self._streamed += text
        out().print(clean(text), end="", soft_wrap=True)

    def _end_line(self) -> None:
        self._print(self._spoken.rest()) if self._message else None
        if self._streamed and not self._streamed.endswith("\n\n"):
            missing = 1 if self._streamed.endswith("\n") else 2
            self._streamed += "\n" * missing
            out().print("\n" * missing, end="")
