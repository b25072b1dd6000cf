"""A chat model that answers from recordings: for the demo and for evaluations without a model.

Everything around it runs as with a real one: prompts are rendered, replies are parsed and checked,
calls are counted.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable, RunnableConfig, RunnableLambda
from pydantic import ConfigDict

Reply = Callable[[str], str | None]
"""From a prompt's subject to the recorded reply, or None where there is none."""

MISSING = "(nothing was recorded for this)"


class RecordedChatModel(BaseChatModel):
    """Looks replies up by the prompt's name and subject, which the boundary passes as metadata."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    replies: Mapping[str, Reply]

    @property
    def _llm_type(self) -> str:
        return "recorded"

    def with_structured_output(
        self, schema: Any, *, include_raw: bool = False, **kwargs: Any
    ) -> Runnable[Any, Any]:
        """The raw reply and nothing parsed, as from an endpoint that ignores the schema."""

        async def ask(messages: list[BaseMessage], config: Any) -> dict[str, Any]:
            # a watcher of messages makes LangChain stream this call too, which loses the metadata
            labels = (config or {}).get("metadata") or {}
            raw = await self.ainvoke(messages, config=config, labels=labels)
            return {"raw": raw, "parsed": None, "parsing_error": None}

        def ask_now(messages: list[BaseMessage], config: Any) -> dict[str, Any]:
            return {
                "raw": self.invoke(messages, config=config),
                "parsed": None,
                "parsing_error": None,
            }

        return RunnableLambda(ask_now, afunc=ask)

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return self._said(run_manager)

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return self._said(run_manager)  # at once: LangChain would take `_generate` to a thread

    def _said(self, run_manager: Any) -> ChatResult:
        text = self._reply(getattr(run_manager, "metadata", None) or {})
        return ChatResult(generations=[ChatGeneration(message=AIMessage(content=text))])

    async def astream(
        self,
        input: Any,
        config: RunnableConfig | None = None,
        *,
        stop: list[str] | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[AIMessageChunk]:
        """Hand the metadata on to `_astream`, which gets no run manager to read it from."""
        metadata = (config or {}).get("metadata") or {}
        async for chunk in super().astream(input, config, stop=stop, labels=metadata, **kwargs):
            yield chunk

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        for line in self._reply(kwargs.get("labels") or {}).splitlines(keepends=True):
            yield ChatGenerationChunk(message=AIMessageChunk(content=line))

    def _reply(self, metadata: Mapping[str, Any]) -> str:
        find = self.replies.get(metadata.get("prompt", ""))
        found = find(metadata.get("subject", "")) if find else None
        return MISSING if found is None else found


def cue_reply(cues: Mapping[str, list[str]]) -> Reply:
    """Answers `foresee` from cues recorded by fact text; its subject lists the batch's texts."""

    def reply(subject: str) -> str:
        texts = json.loads(subject)
        numbered = [
            {"fact": number, "cues": cues[text]}
            for number, text in enumerate(texts, start=1)
            if text in cues
        ]
        return json.dumps({"facts": numbered}, ensure_ascii=False)

    return reply


def tree_reply(trees: Mapping[str, list[dict[str, Any]]]) -> Reply:
    """Answers `imagine` or `refine` from trees recorded by query."""

    def reply(subject: str) -> str | None:
        return (
            json.dumps({"steps": trees[subject]}, ensure_ascii=False) if subject in trees else None
        )

    return reply


def chain_reply(trees: Mapping[str, list[dict[str, Any]]]) -> Reply:
    """Answers `imagine` or `refine` with a chain: the steps of the recorded tree, depth first."""

    def reply(subject: str) -> str | None:
        if subject not in trees:
            return None
        return json.dumps({"steps": depth_first(trees[subject])}, ensure_ascii=False)

    return reply


def depth_first(tree: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The steps of `tree`, each followed by what follows from it; steps of no root come last."""
    below: dict[Any, list[dict[str, Any]]] = {}
    known = {step.get("action_id") for step in tree}
    for step in tree:
        parent = step.get("parent")
        below.setdefault(parent if parent in known else None, []).append(step)
    order: list[dict[str, Any]] = []
    waiting = below.pop(None, [])[::-1]
    while waiting:
        step = waiting.pop()
        order.append(step)
        waiting += below.pop(step.get("action_id"), [])[::-1]
    return order + [step for step in tree if step not in order]
