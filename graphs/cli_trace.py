"""Show a run step by step: live while it goes on, and the same when it is replayed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from forethought.graphs.cli_shell import clean, cost

if TYPE_CHECKING:
    from rich.console import Console
    from rich.tree import Tree

    from forethought.graphs.journal import Happened

Event = Mapping[str, Any]
_SECOND = 1000  # milliseconds
_QUOTED = 300  # characters of a turn in a list


class Tracer:
    """Prints events as they come. It remembers the request, which is the root of the tree."""

    def __init__(self, console: Console) -> None:
        """Print to `console`."""
        self._console = console
        self._request = "the request"
        self._show: dict[str, Callable[[Event], None]] = {
            "augment": self._augment,
            "imagine": self._steps,
            "refine": self._steps,
            "probe": self._probe,
            "recall": self._recalled,
            "summarise": self._summary,
            "resolve": self._refused,
            "due": self._due,
            "views": self._views,
            "gate": self._decided,
            "reflect": self._formed,
        }

    def __call__(self, happened: Happened) -> None:
        """Print one event: what was done and what it cost, then what it found."""
        event = happened.event
        self._console.print()
        self._line(f"{happened.step:3} {event.get('node', '?')}", heading(event), style="bold cyan")
        if event.get("failed"):
            self._line("", f"failed: {event['failed']}", style="yellow")
        self._show.get(event.get("node", ""), _nothing)(event)

    def _augment(self, event: Event) -> None:
        if event.get("request"):
            self._request = event["request"]
            self._line("", f"request: {self._request}")
        for fact in event.get("facts", ()):
            self._line("", f"surely meant: {fact}", style="dim")
        for line in event.get("rewritten", ()):
            self._line("", line)

    def _steps(self, event: Event) -> None:
        if event.get("steps"):
            from rich.padding import Padding

            self._console.print(Padding(tree(event["steps"], self._request), (0, 0, 0, 4)))
        for repair in event.get("repairs", ()):
            self._line("", f"repaired: {repair}", style="yellow")

    def _probe(self, event: Event) -> None:
        from rich.table import Table

        table = Table.grid(padding=(0, 1))
        for probe in event.get("probes", ()):
            label = probe["probe"]
            for hit in probe["hits"]:
                table.add_row("   ", label, f"{hit['cosine']:.3f}", hit["id"], clean(hit["text"]))
                label = ""
            if not probe["hits"]:
                table.add_row("   ", label, "", "", "nothing near enough")
        self._console.print(table)

    def _recalled(self, event: Event) -> None:
        for hit in event.get("hits", ()):
            self._line("", f"{hit['id']} {hit['text']} ({hit['by']})")
        for line in read_in(event.get("read", {})):
            self._line("", line, style="dim")

    def _summary(self, event: Event) -> None:
        self._line("", event.get("summary") or "no summary", style="italic")

    def _due(self, event: Event) -> None:
        for one in event.get("commitments", ()):
            told = ", told today already" if one["told"] else ""
            cue = f", as in: {one['cue']}" if one["cue"] else ""
            self._line("", f"{one['id']} {one['action']} (because {one['because']}{told}{cue})")

    def _views(self, event: Event) -> None:
        self._believed(event.get("opinions", ()))
        for view in event.get("observations", ()):
            self._line("", f"{view['id']} {view['text']}", style="dim")

    def _decided(self, event: Event) -> None:
        self._line("", f"{event['mode']}: {event['why']}", style="dim")

    def _formed(self, event: Event) -> None:
        self._believed(event.get("formed", ()))
        for note in event.get("dropped", ()):
            self._line("", note, style="yellow")

    def _believed(self, opinions: Sequence[Event]) -> None:
        for view in opinions:
            self._line("", f"{view['id']} {view['text']} (confidence {view['confidence']:.2f})")

    def _refused(self, event: Event) -> None:
        for note in event.get("refused", ()):
            self._line("", note, style="yellow")

    def _line(self, lead: str, text: str, *, style: str = "") -> None:
        from rich.padding import Padding
        from rich.text import Text

        body = Text(clean(text), style="" if lead else style)
        if lead:
            self._console.print(Text(f"{lead}  ", style=style) + body)
        else:
            self._console.print(Padding(body, (0, 0, 0, 4)))


def read_in(read: Mapping[str, str]) -> list[str]:
    """What each channel read in the request: the days that it names."""
    return [f"{channel}: {what}" for channel, what in read.items()]


def heading(event: Event) -> str:
    """What a step did in numbers, its model calls and tokens, and how long it took."""
    parts = [text for name, form in _COUNTED if (text := _counted(event, name, form))]
    if event.get("calls"):
        parts.append(cost(event))
    return " · ".join([*parts, duration(event.get("ms", 0.0))])


def duration(ms: float) -> str:
    """Milliseconds below a second, else seconds."""
    return f"{ms:.0f} ms" if ms < _SECOND else f"{ms / _SECOND:.1f} s"


def tree(steps: Sequence[Mapping[str, Any]], root: str) -> Tree:
    """An imagined future: each step under the one it follows from."""
    from rich.text import Text
    from rich.tree import Tree

    top = Tree(Text(clean(root), style="bold"))
    grown: dict[str, Tree] = {}
    waiting = list(steps)
    while waiting:  # a parent may be listed after its child
        ready = [s for s in waiting if s["parent"] is None or s["parent"] in grown] or waiting[:1]
        for step in ready:
            label = Text(f"{step['id']} ", style="bold") + Text(clean(step["action"]), style="none")
            if step["constraints"]:
                label += Text(f" [{clean(step['constraints'])}]", style="dim")
            grown[step["id"]] = grown.get(step["parent"] or "", top).add(label)
        waiting = [step for step in waiting if step["id"] not in grown]
    return top


def ranking(hits: Sequence[Mapping[str, Any]], console: Console) -> None:
    """The facts that were found, best first, with their dates and what found each."""
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 1))
    for place, hit in enumerate(hits, start=1):
        fact = hit["fact"]
        table.add_row(
            f"{place:3}",
            f"{hit['score']:.3f}",
            fact["date"][:10],
            Text(clean(fact["text"])) + Text(f"\n{clean(hit['found_by'])}", style="dim"),
            fact["id"],
        )
    console.print(table)


def quotations(turns: Sequence[Mapping[str, Any]], console: Console) -> None:
    """The turns that were found, best first: when each was said, by whom, and what."""
    from rich.table import Table

    table = Table.grid(padding=(0, 1))
    for said in turns:
        table.add_row(f"[{said['turn']['id']}]", said["date"][:10], spoken(said))
    if turns:
        console.print("\nsaid in so many words", style="dim")
        console.print(table, markup=False)


def spoken(said: Mapping[str, Any]) -> str:
    """Who said what, on one line and cut short."""
    turn = said["turn"]
    text = " ".join(turn["text"].split())
    cut = text if len(text) <= _QUOTED else f"{text[:_QUOTED]} …"
    return clean(f"{turn['name'] or turn['role']}: {cut}")


def explanation(
    hits: Sequence[Mapping[str, Any]], turns: Sequence[Mapping[str, Any]],
    read: Mapping[str, str], console: Console,
) -> None:  # fmt: skip
    """Each hit with its rank in every channel and every term of its score, as tables."""
    for line in read_in(read):
        console.print(clean(line), style="dim")
    _explained("fact", [(hit["fact"]["id"], hit["fact"]["text"], hit) for hit in hits], console)
    _explained("turn", [(said["turn"]["id"], spoken(said), said) for said in turns], console)


def _explained(
    what: str, found: Sequence[tuple[str, str, Mapping[str, Any]]], console: Console
) -> None:
    """A row each: `#3` is a rank, a number a term of the score."""
    from rich.table import Table

    if not found:
        return
    names = list(
        dict.fromkeys(name for *_, hit in found for name in [*hit["ranks"], *hit["terms"]])
    )
    table = Table(box=None, pad_edge=False)
    for column in (what, "score", *names, "text"):
        table.add_column(column, justify="left" if column in {what, "text"} else "right")
    for id, text, hit in found:
        cells = (_cell(hit["ranks"].get(name), hit["terms"].get(name)) for name in names)
        table.add_row(id, f"{hit['score']:.3f}", *cells, clean(text))
    console.print(table)


def _cell(rank: int | None, term: float | None) -> str:
    parts = ["" if rank is None else f"#{rank}", "" if term is None else f"{term:.3f}"]
    return " ".join(filter(None, parts))


def _nothing(_: Event) -> None:
    """Most steps are told by their heading alone."""


def _counted(event: Event, name: str, form: str) -> str:
    value = event.get(name)
    if value is None or value == "":
        return ""
    return form.format(len(value) if isinstance(value, list) else value)


_COUNTED = (
    ("mode", "by {}"),
    ("session", "{}"),
    ("sessions", "{} sessions"),
    ("queued", "{} to extract"),
    ("status", "{}"),
    ("round", "round {}"),
    ("steps", "{} steps"),
    ("probes", "{} probes"),
    ("fresh", "|Δ| {}"),
    ("recalled", "|R| {}"),
    ("hits", "{} facts"),
    ("commitments", "{} commitments"),
    ("settled", "{} settled"),
    ("opinions", "{} opinions"),
    ("observations", "{} summaries"),
    ("user_profile", "{} of the user profile"),
    ("formed", "{} formed or revised"),
    ("skipped", "{}"),
    ("outcome", "{}"),
    ("logged", "{} messages"),
    ("waiting", "{} exchanges wait"),
    ("drafts", "{} drafts"),
    ("new", "{} new"),
    ("updates", "{} updates"),
    ("repeats", "{} repeats"),
    ("repeated", "{} repeated"),
    ("replaced", "{} replaced"),
    ("entities", "{} names new or joined"),
    ("links", "{} causal links"),
    ("facts", "{} facts"),
    ("temporal", "{} links in time"),
    ("semantic", "{} in meaning"),
    ("cues", "{} cues"),
    ("without", "{} without"),
    ("vectors", "{} vectors"),
    ("group", "group of {}"),
    ("merged", "{} merged"),
    ("left", "{} left"),
    ("cited", "{} cited"),
    ("used", "{} of use"),
    ("learned", "{} learned"),
    ("weighed", "{} weighed"),
    ("invented", "{} invented"),
)
