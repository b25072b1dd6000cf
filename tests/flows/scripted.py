"""A chat model that answers by script, and an embedder that only counts words."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from inspect import isawaitable
from typing import Any

import numpy as np
from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable, RunnableConfig, RunnableLambda
from pydantic import ConfigDict

from forethought.memory.embedding import Thresholds, Vectors, unit
from forethought.memory.words import words

Said = str | dict[str, Any] | AIMessage | Exception
Answers = Said | Sequence[Said] | Callable[["Call"], Said | Awaitable[Said]]


class WordCounts:
    """An embedder whose cosine is the share of common words: exact, instant, no model at all."""

    name = "test:word-counts"
    thresholds = Thresholds(probe=0.2, strict=0.5, subject=0.45)

    def __init__(self, dimension: int = 256) -> None:
        self._dimension = dimension

    async def embed(self, texts: Sequence[str]) -> Vectors:
        vectors = np.zeros((len(texts), self._dimension), dtype=np.float32)
        vectors[:, 0] = 0.1  # so that no text is without a direction
        for row, text in enumerate(texts):
            for word in words(text):
                vectors[row, 1 + zlib.crc32(word.encode()) % (self._dimension - 1)] += 1
        return unit(vectors)


@dataclass(frozen=True)
class Call:
    """One call of the model: which prompt, what about, and all that it was sent."""

    prompt: str
    subject: str
    messages: list[BaseMessage]

    @property
    def user(self) -> str:
        """The rendered prompt, without what a re-ask added to it."""
        return str(self.messages[1].content)

    def fenced(self, tag: str) -> list[str]:
        """The lines of the prompt between <tag> and </tag>."""
        found = re.search(rf"<{tag}>\n(.*?)\n</{tag}>", self.user, re.DOTALL)
        return found[1].split("\n") if found else []


def facts_said(call: Call) -> dict[str, Any]:
    """What an obedient model extracts: each turn of the user is one fact."""
    turns = [re.match(r"\[(T\d+)\] (\w+): (.*)", line) for line in call.fenced("conversation")]
    said = [turn for turn in turns if turn and turn[2] == "user"]
    return {"facts": [fact(turn[3], turns=[turn[1]]) for turn in said]}


def fact(text: str, **fields: Any) -> dict[str, Any]:
    """A fact as a model writes one."""
    return {"text": text, "kind": "Event", "turns": ["T1"], **fields}


def two_cues_each(call: Call) -> dict[str, Any]:
    """Two cues for each fact of the prompt, distinct and without any of its words."""
    count = len(call.fenced("facts"))
    mark = zlib.crc32(call.subject.encode("utf-8", "replace"))
    return {
        "facts": [
            {"fact": number, "cues": [f"Wish {number} a{mark}?", f"Wish {number} b{mark}?"]}
            for number in range(1, count + 1)
        ]
    }


def promise(action: str, **fields: Any) -> dict[str, Any]:
    """A commitment as a model writes one, said in the first turn."""
    return {"action": action, "due": None, "condition": None, "turn": "T1", "facts": [], **fields}


def reminders(*cues: str) -> Callable[[Call], dict[str, Any]]:
    """These cues for each commitment of the prompt, or its own words where none are given."""

    def reply(call: Call) -> dict[str, Any]:
        each = enumerate(call.fenced("commitments"), start=1)
        return {"commitments": [{"commitment": n, "cues": cues or [line]} for n, line in each]}

    return reply


def verdicts(*said: str | dict[str, Any]) -> dict[str, Any]:
    """Verdicts as a model writes them, on the first pairs in order."""
    each = [one if isinstance(one, dict) else {"verdict": one} for one in said]
    return {"verdicts": [{"pair": n, "text": None, **one} for n, one in enumerate(each, start=1)]}


def tree(*actions: str, **parents: str) -> dict[str, Any]:
    """A tree as a model writes one; `A2="A1"` hangs the second step under the first."""
    return {
        "steps": [
            {"action_id": f"A{n}", "action": action, "parent": parents.get(f"A{n}")}
            for n, action in enumerate(actions, start=1)
        ]
    }


OBEDIENT: dict[str, Answers] = {
    "extract": facts_said,
    "foresee": two_cues_each,
    "remind": reminders(),
    "imagine": tree("Pack a suitcase", "Call the neighbour", A2="A1"),
    "refine": tree("Pack a warm suitcase", "Feed the neighbour's cat", A2="A1"),
    "summarise": {"summary": "What was imagined led to what was found."},
    "reinforce": lambda call: verdicts(*(["neutral"] * len(call.fenced("facts")))),
    "observe": lambda call: {"title": "Things", "statements": [f"{call.subject} is known."]},
    "user_profile": {"attributes": ["The user is known."]},
    "consolidate": {"merge": False, "text": "Nothing.", "kind": "Event"},
    "rewrite": lambda call: {"request": call.subject, "query": call.subject},
    "answer": "This is what is known.",
    "reflect": {"opinions": []},
}


class ScriptedChat(BaseChatModel):
    """Answers each prompt by name from `answers`; a list is used up, and one call more is an error.

    Every call is kept in `calls`. A call that answers costs 10 tokens to read and 5 to write.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    answers: dict[str, Any]
    calls: list[Call]

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def with_structured_output(
        self, schema: Any, *, include_raw: bool = False, **kwargs: Any
    ) -> Runnable[Any, Any]:
        """The raw reply and nothing parsed, as from an endpoint that ignores the schema."""

        async def ask(messages: list[BaseMessage], config: Any) -> dict[str, Any]:
            # a watcher of messages makes LangChain stream this call too, which loses the metadata
            labels = (config or {}).get("metadata") or {}
            raw = await self.ainvoke(messages, config=config, labels=labels)
            return {"raw": raw, "parsed": None, "parsing_error": None}

        def never(messages: list[BaseMessage]) -> Any:
            raise AssertionError("the boundary is asynchronous")

        return RunnableLambda(never, afunc=ask)

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        raise AssertionError("the boundary is asynchronous")

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        assert run_manager is not None
        said = await self._said(messages, run_manager.metadata)
        return ChatResult(generations=[ChatGeneration(message=said)])

    async def astream(
        self,
        input: Any,
        config: RunnableConfig | None = None,
        *,
        stop: list[str] | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[AIMessageChunk]:
        """Hand the metadata on to `_astream`, which LangChain gives no run manager."""
        labels = (config or {}).get("metadata") or {}
        async for chunk in super().astream(input, config, stop=stop, labels=labels, **kwargs):
            yield chunk

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        text = str((await self._said(messages, kwargs["labels"])).content)
        for piece in re.findall(r"\S+\s*|\s+", text) if len(text) < 2000 else [text]:
            yield ChatGenerationChunk(message=AIMessageChunk(content=piece))
        yield ChatGenerationChunk(message=AIMessageChunk(content="", usage_metadata=_COST))

    async def _said(self, messages: list[BaseMessage], metadata: Mapping[str, Any]) -> AIMessage:
        call = Call(metadata["prompt"], metadata["subject"], messages)
        self.calls.append(call)
        answers = self.answers[call.prompt]
        if callable(answers):
            said = answers(call)
            said = await said if isawaitable(said) else said
        elif isinstance(answers, list):
            assert answers, f"{call.prompt} was asked more often than the script foresaw"
            said = answers.pop(0)
        else:
            said = answers
        if isinstance(said, Exception):
            raise said
        if isinstance(said, AIMessage):
            return said.model_copy(update={"usage_metadata": _COST})
        text = said if isinstance(said, str) else json.dumps(said, ensure_ascii=False)
        return AIMessage(text, usage_metadata=_COST)


_COST = UsageMetadata(input_tokens=10, output_tokens=5, total_tokens=15)


def opinion(text: str, confidence: float = 0.7, **fields: Any) -> dict[str, Any]:
    """An opinion as a model writes one, resting on the first fact that it is shown."""
    return {"text": text, "confidence": confidence, "entities": [], "facts": ["F1"], **fields}


def cut(text: str) -> AIMessage:
    """A reply that hit the output limit."""
    return AIMessage(text, response_metadata={"finish_reason": "length"})
