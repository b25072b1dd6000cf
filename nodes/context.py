"""What a caller may set for one run: a frozen, JSON-able `Context` (DESIGN §4)."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any, Literal

from langgraph.runtime import Runtime

from forethought.memory.beliefs.profile import Disposition
from forethought.memory.beliefs.types import About
from forethought.memory.errors import InvalidInput
from forethought.memory.recall.channels import EPISODES, EPISODIC, Channels
from forethought.memory.recall.pack import BUDGET
from forethought.memory.recall.terms import PPRO, Weights
from forethought.memory.recall.views import SUMMED_UP, TOPICS

Mode = Literal["auto", "recall", "prospect"]
Shape = Literal["tree", "chain"]
Augmentation = Literal["facts", "model", "off"]
Phi = Literal["hybrid", "dense", "dual"]
Style = Literal["atomic", "narrative"]

_RANGES: dict[str, tuple[float, float]] = {
    "probe_k": (1, 100),
    "tau": (-1, 1),
    "tau0": (-1, 1),
    "delta": (1, 1000),
    "max_rounds": (0, 50),
    "limit": (1, 500),
    "turns": (0, 100),
    "budget": (1, 1_000_000),
    "foresight": (0, 12),
    "max_calls": (1, 100),
    "consolidate_after": (0, 100_000),
    "observe": (0, 10_000),
    "extract_chars": (500, 1_000_000),
    "retain_every": (1, 1000),
}
_SWITCHES = ("retry", "reflect", "remember", "flush")
_COSINES = ("tau", "tau0")
_CHOICES: dict[str, tuple[str, ...]] = {
    "mode": ("auto", "recall", "prospect"),
    "shape": ("tree", "chain"),
    "augment": ("facts", "model", "off"),
    "phi": ("hybrid", "dense", "dual"),
    "style": ("atomic", "narrative"),
}


@dataclass(frozen=True)
class Context:
    """Settings of one run; the defaults are PGR's (DESIGN §7), thresholds are the embedder's own.

    `bank` is whose memory; `now` an ISO moment as of which to answer (default: the clock).
    `mode` is how `agent` finds facts: prospection, recall with foresight alone (no model call), or
    `auto`: whichever the request reads as, which takes no call either.
    `shape` is PGR's ToT (`tree`) or CoT (`chain`); `probe_k`, `tau` its K and τ for each probe;
    `tau0` the strict τ₀ of augmentation, which adds `facts` to the request, has the `model` rewrite
    it in either mode (one call more), or is `off`; `delta` its δ and `max_rounds` its I_max (0 is
    the base variant: one phase, no refinement). `limit` is how many facts are ranked and answered
    from, `turns` how many turns of the log may stand beside them, as far as all fit into `budget`
    tokens.
    `phi` is what the request itself searches by: `hybrid`, its meaning and words, in facts and log,
    or `dense`, the facts' vectors alone, as in the paper. Imagined steps always probe those. `dual`
    is PPRO's: at most 25 facts, related to the request by their vectors alone and weighed by its
    λ and boost, and beside them the nearest topics as the only observations.
    `foresight` is how many cues each new fact gets (a commitment gets a dozen); 0 imagines none for
    either, searches none of facts and learns none from use.
    `max_calls` bounds the model calls of one question, the answer included.
    `terms` are the weights of what ranks facts beside how well they fit the request, any of
    prospective, salience (0 to 10), profile and dimensions (0 to 1); 0 is off, and what is not
    named counts as in `memory/recall/terms.py`.
    For a chat: `reflect` forms opinions after the answer (one call, where there is something to
    rest on and a call left); `remember` logs the turn, learns from what its answer cited and, every
    `retain_every` turns or to `flush` what waits, retains; `disposition` takes the place, for this
    run, of what the bank's profile says: any of skepticism, literalism, empathy (1 to 5) and bias
    (0 to 1).
    For retain: `style` of facts; `extract_chars` of conversation per model call; consolidation
    after `consolidate_after` new facts (0: never); `observe` is how many subjects are summed up
    anew at most, at a call each, the others by later retains (0: none); `retry` takes up
    quarantined sessions again.
    """

    bank: str = "default"
    now: str | None = None
    mode: Mode = "auto"
    shape: Shape = "tree"
    probe_k: int = 5
    tau: float | None = None
    tau0: float | None = None
    augment: Augmentation = "facts"
    delta: int = 5
    max_rounds: int = 10
    limit: int = 35  # PGR Table 7: 26.8 facts found by the first phase and 8.4 by the later ones
    turns: int = 10  # LoCoMo: .74 of the evidence is among the first 10 turns, .80 among 20
    phi: Phi = "hybrid"
    budget: int = BUDGET
    foresight: int = 5
    max_calls: int = 14  # I_max refinements, imagine, summary, answer, and reflection
    reflect: bool = True
    remember: bool = True
    retain_every: int = 6  # exchanges: a stretch that extraction reads as a whole, a call each six
    flush: bool = False
    disposition: dict[str, Any] | None = None
    terms: dict[str, float] | None = None
    style: Style = "atomic"
    extract_chars: int = 12_000  # about 3,000 tokens of conversation: the reply stays short enough
    consolidate_after: int = 50
    observe: int = 8  # ours: as many calls as a session of some length costs otherwise
    retry: bool = False

    def __post_init__(self) -> None:
        """Refuse what is of a wrong type or out of range. Raises InvalidInput naming the field.

        Types are checked too, since any JSON may come in over the LangGraph server's API.
        """
        _check("bank", self.bank, isinstance(self.bank, str) and bool(self.bank.strip()), "a name")
        _check("now", self.now, isinstance(self.now, str | None), "a date or moment (ISO 8601)")
        for name in _SWITCHES:
            _check(
                name, getattr(self, name), isinstance(getattr(self, name), bool), "true or false"
            )
        for name, (low, high) in _RANGES.items():
            value = getattr(self, name)
            _check(name, value, _within(name, value), f"{low:g} to {high:g}")
        for name, choices in _CHOICES.items():
            value = getattr(self, name)
            _check(name, value, value in choices, f"one of {', '.join(choices)}")
        _check_parts("disposition", self.disposition, Disposition)
        _check_parts("terms", self.terms, Weights)
        if self.phi == "dual":
            object.__setattr__(self, "limit", min(self.limit, EPISODIC))

    @property
    def weights(self) -> Weights:
        """How much each term counts: PPRO's own where its recipe is asked for, unless set."""
        base = PPRO if self.phi == "dual" else Weights()
        return replace(base, **self.terms or {})

    @property
    def channels(self) -> Channels:
        """What recall goes by."""
        if self.phi == "dual":
            return EPISODES
        return Channels.chosen(hybrid=self.phi == "hybrid", foresight=self.foresight > 0)

    @property
    def summed_up(self) -> tuple[About, ...]:
        """What the observations that come to mind may be about."""
        return TOPICS if self.phi == "dual" else SUMMED_UP

    @property
    def quoted(self) -> int:
        """How many turns of the log may be recalled; none where it is not searched."""
        return self.turns if self.phi == "hybrid" else 0


def _check(name: str, value: object, sound: bool, expected: str) -> None:
    if not sound:
        raise InvalidInput(f"context.{name}: expected {expected}, found {value!r}")


def _check_parts(name: str, given: object, whole: type[Disposition] | type[Weights]) -> None:
    """Refuse what is no part of `whole`, or out of its range."""
    names = [field.name for field in fields(whole)]
    known = isinstance(given, dict) and set(given) <= set(names)
    _check(name, given, given is None or known, f"any of {', '.join(names)} by name")
    try:
        whole(**given if isinstance(given, dict) else {})
    except InvalidInput as error:
        raise InvalidInput(f"context.{name}: {error}") from None


def _within(name: str, value: object) -> bool:
    """Whether a number is in its range; the cosines may be fractions, or None for the default."""
    if name in _COSINES and value is None:
        return True
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    low, high = _RANGES[name]
    return low <= value <= high and (name in _COSINES or isinstance(value, int))


def context_of(runtime: Runtime[Context]) -> Context:
    """What the caller set for this run, or the defaults where a graph was run without any.

    A parent graph without our `context_schema` hands on what it was given, such as a dict. Raises
    InvalidInput for what is no context.
    """
    given: object = runtime.context
    if given is None or isinstance(given, Context):
        return given or Context()
    names = {field.name: None for field in fields(Context)}
    if isinstance(given, dict) and given.keys() <= names.keys():
        return Context(**given)
    found = ", ".join(map(str, given.keys() - names)) if isinstance(given, dict) else type(given)
    raise InvalidInput(
        f"context: expected a Context, or a dict of any of {', '.join(names)}; found {found}"
    )
