"""A short chat with recorded replies, for a first look at the agent without a model."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from forethought.evals.recorded import RecordedChatModel, cue_reply
from forethought.memory import ids
from forethought.nodes.model import Model


@dataclass(frozen=True, slots=True)
class SampleChat:
    """Sessions as `retain` takes them, a question about them, and a model that knows the replies.

    The model knows what to extract from these sessions, the answer to this question, and the
    opinion that it calls for, and nothing else.
    """

    sessions: list[dict[str, Any]]
    question: str
    model: Model


def read_sample_chat(bank: str) -> SampleChat:
    """The chat that ships with the package, for `bank`, on which the ids that it cites depend."""
    path = files("forethought.data") / "demo" / "chat.json"
    told = json.loads(path.read_text("utf-8"))
    texts = [fact["text"] for fact in told["facts"]]
    session = ids.session_id(bank, told["session"]["key"])
    known = [f"[{ids.fact_id(bank, session, text)}]" for text in texts]
    replies = {
        "extract": lambda _: json.dumps({"facts": told["facts"]}),
        "foresee": cue_reply(dict(zip(texts, told["cues"], strict=True))),
        "answer": {told["question"]: told["answer"].format(*known)}.get,
        "reflect": {told["question"]: json.dumps({"opinions": told["opinions"]})}.get,
    }
    model = Model(RecordedChatModel(replies=replies), name="recorded", timeout=30)
    return SampleChat([told["session"]], told["question"], model)
