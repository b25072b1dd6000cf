"""State of the question-time machines, `prospect` and `agent`: plain data only.

Runs on one thread start afresh: the first node overwrites the gathered channels.
"""

from __future__ import annotations

from operator import add
from typing import Annotated, Any

from langchain_core.messages import AnyMessage
from langgraph.graph.message import add_messages
from typing_extensions import TypedDict

from forethought.nodes.usage import Usage, add_usage


class ProspectInput(TypedDict):
    """What to think ahead about: the request, in the user's words."""

    query: str


class ProspectOutput(TypedDict, total=False):
    """What prospection found.

    `hits` are plain `Hit`s, best first, there once the loop has ended, and `turns` plain `Said`s,
    what the log has for the request itself; `steps` the last imagined tree; `summary` says how it
    led to them; `rounds` counts refinements; `notes` name every repair and fallback. `rewriting` is
    a plain `Rewritten`, None where the request was searched by as it was said.
    """

    hits: list[dict[str, Any]]
    turns: list[dict[str, Any]]
    steps: list[dict[str, Any]]
    summary: str
    rounds: int
    rewriting: dict[str, Any] | None
    notes: Annotated[list[str], add]
    usage: Annotated[Usage, add_usage]


class ProspectState(ProspectInput, ProspectOutput):
    """The channels between the nodes.

    `request` is q_A, what is thought ahead about, and `context` the facts that came with it;
    `candidates` what every probe so far found, in rows (`memory/recall/candidates.py`); `recalled`
    is R, fact ids in the order found; `fresh` is |Δ|.
    """

    now: str
    request: str
    context: list[str]
    candidates: dict[str, Any]
    recalled: list[str]
    fresh: int


class AgentInput(TypedDict):
    """The conversation so far; the last message is the request."""

    messages: Annotated[list[AnyMessage], add_messages]


class AgentOutput(ProspectOutput):
    """The answer as the last message and as text, what it cites, and what it rests on.

    `commitments` are those that came to mind, plain `Firing`s, those not yet told that day first;
    `opinions` and `observations` are those that came to mind with the request, plain `Opinion`s and
    `Observation`s, of these first the user's profile; `formed` the opinions that reflection formed
    or revised after the answer; `retained` the report of the retain that this turn set off, empty
    if it set off none.
    """

    messages: Annotated[list[AnyMessage], add_messages]
    answer: str
    cited: list[str]
    commitments: list[dict[str, Any]]
    opinions: list[dict[str, Any]]
    observations: list[dict[str, Any]]
    formed: list[dict[str, Any]]
    retained: list[dict[str, Any]]


class Chat(TypedDict, total=False):
    """Where a thread stands in the log: what `remember` knows of it from one turn to the next.

    `key` names the session in hand, of `bank`, and `day` is its day; `turns` of it were logged by
    the end of the last turn, up to the message `last`. `off` are messages said while nothing was to
    be remembered. `waiting` are keys of sessions of earlier days that are not extracted, and
    `retain` those that this turn's retain is to read.
    """

    bank: str
    key: str
    day: str
    turns: int
    last: str
    off: list[str]
    waiting: list[str]
    retain: list[str]


class AgentState(ProspectState, AgentOutput):
    """The channels of `agent`: those of `prospect`, the conversation, and the answer.

    `day` is the user's, `mode` how facts are found in this run, `shown` are those that the answer
    was given, `told` the commitments that it was given to bring up, and `chat` outlives the turn.
    """

    day: str
    mode: str
    shown: list[str]
    told: list[str]
    chat: Chat
