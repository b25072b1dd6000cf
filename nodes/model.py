"""The model boundary (DESIGN §6): the one place where a chat model is called."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from langgraph.constants import TAG_NOSTREAM

from forethought.memory.errors import (
    MalformedAnswer,
    ModelError,
    ModelUnavailable,
    TruncatedAnswer,
)
from forethought.memory.words import storable
from forethought.nodes.attempts import Attempts
from forethought.nodes.failures import client_errors, named
from forethought.nodes.parsing import Unfit, parse, without_thinking
from forethought.nodes.pause import Pause, seconds_asked
from forethought.nodes.schema import wire_schema
from forethought.nodes.usage import NOTHING, Usage, add_usage, usage_of
from forethought.prompts.prompt import Answer, Prompt, TextPrompt

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

A = TypeVar("A", bound=Answer)


@dataclass(frozen=True, slots=True)
class Reply(Generic[A]):
    """A fitting answer, what it cost, and how many list items were dropped as unfit."""

    value: A
    usage: Usage
    dropped: int = 0


@dataclass(frozen=True, slots=True)
class Streamed:
    """A streamed text, whole; `id` is the message's own, so that watchers do not see it twice.

    `cut` says that it ends at the model's output limit.
    """

    text: str
    usage: Usage
    id: str | None
    cut: bool = False


R = TypeVar("R", bound=Reply[Any] | Streamed)


class Model:
    """Any LangChain chat model, asked for answers that fit a pydantic model.

    JSON-schema output is requested where the endpoint supports it, and nothing is taken on
    trust: the reply is parsed here whatever stands around the JSON, an unfit one is re-asked
    once with the reason, then MalformedAnswer (TruncatedAnswer where it hit the output limit).
    Retrying ModelUnavailable is the graph's business (`RetryPolicy`); no call is made sooner than
    the endpoint asked in its last failure (`Retry-After`).
    """

    def __init__(self, chat: BaseChatModel, *, name: str, timeout: float) -> None:
        """`timeout` is in seconds, for one call; `name` is for messages."""
        self._chat = chat
        self.name = name
        self._timeout = timeout
        self._bound: dict[type[Answer], Any] = {}
        self._attempts = Attempts()
        self._pause = Pause()

    async def ask(self, prompt: Prompt[A], *, tries: int = 2) -> Reply[A]:
        """The model's answer to `prompt`, in at most `tries` calls.

        Raises a ModelError whose `usage` counts the failed calls. A step of a graph that is run
        again counts what its earlier attempts paid, too.
        """
        return await self._counted(self._ask(prompt, tries=tries))

    async def _ask(self, prompt: Prompt[A], *, tries: int) -> Reply[A]:
        messages: list[BaseMessage] = _messages(prompt)
        spent: Usage = dict(NOTHING)
        reason = ""
        for _ in range(tries):
            raw = await self._structured(prompt, messages, spent)
            spent = add_usage(spent, usage_of(raw))
            outcome = parse(text_of(raw), prompt.answer)
            if not isinstance(outcome, Unfit):
                return Reply(outcome.value, spent, outcome.dropped)
            if was_cut(raw):
                raise TruncatedAnswer(
                    f"{prompt.name}: {self.name} hit its output limit", usage=spent
                )
            reason = outcome.reason
            messages += [AIMessage(text_of(raw)[:4000] or "(empty)"), HumanMessage(_again(reason))]
        raise MalformedAnswer(
            f"{prompt.name}: {self.name} gave no usable answer: {reason}", usage=spent
        )

    async def stream(self, prompt: TextPrompt) -> Streamed:
        """The model's text, streamed on the way to whoever watches the graph, whole at the end.

        Its cost is counted as that of `ask`.
        """
        return await self._counted(self._stream(prompt))

    def lost(self, task: str) -> Usage:
        """What the step with this task id paid, which failed for good: no state will count it."""
        return self._attempts.lost(task)

    async def _counted(self, answering: Awaitable[R]) -> R:
        """The outcome, and what earlier attempts of the step paid in its usage."""
        owed = self._attempts.owed()
        try:
            said = await answering
        except ModelError as problem:
            problem.usage = add_usage(owed, problem.usage)
            self._attempts.pay(problem.usage)
            raise
        whole = replace(said, usage=add_usage(owed, said.usage))
        self._attempts.pay(whole.usage)
        return whole

    async def _stream(self, prompt: TextPrompt) -> Streamed:
        messages = _messages(prompt)
        whole: Any = None
        async with self._answering(prompt.name, dict(NOTHING)):
            async for chunk in self._chat.astream(messages, config=_labelled(prompt)):
                whole = chunk if whole is None else whole + chunk
        text = without_thinking(text_of(whole))
        usage = usage_of(whole)
        if not text:
            raise MalformedAnswer(f"{prompt.name}: {self.name} gave an empty answer", usage=usage)
        return Streamed(text, usage, whole.id, was_cut(whole))

    async def _structured(
        self, prompt: Prompt[A], messages: list[BaseMessage], spent: Usage
    ) -> Any:
        chat = self._asking_for(prompt.answer)
        async with self._answering(prompt.name, spent):
            reply = await chat.ainvoke(messages, config=_labelled(prompt))
        return reply["raw"] if isinstance(reply, dict) else None

    def _asking_for(self, answer: type[Answer]) -> Any:
        """The chat model bound to one kind of answer: bound once, since that is not free.

        Never streamed: to a watcher of messages LangChain would, and langchain-openai then loses
        the tokens that the call cost.
        """
        if answer not in self._bound:
            self._bound[answer] = self._chat.with_structured_output(
                wire_schema(answer), method="json_schema", include_raw=True, stream=False
            )
        return self._bound[answer]

    @asynccontextmanager
    async def _answering(self, task: str, spent: Usage) -> AsyncIterator[None]:
        """Bound the time of a call and name its failure in our own terms, with its cost.

        Where an earlier failure asked for a pause, the call waits for the end of it first.
        """
        await self._pause.over()
        usage = add_usage(spent, usage_of(None))
        try:
            async with asyncio.timeout(self._timeout):
                yield
        except TimeoutError as error:
            message = f"{task}: no answer from {self.name} within {self._timeout:g} s"
            raise ModelUnavailable(message, usage=usage) from error
        except client_errors() as error:
            problem = named(error, task=task, model=self.name, usage=usage)
            if isinstance(problem, ModelUnavailable):
                self._pause.asked(seconds_asked(error))
            raise problem from error


def _labelled(prompt: Prompt[Any] | TextPrompt) -> Any:
    """Run name and metadata, so that traces and recordings can tell calls apart."""
    return {
        # not the name of the node: LangGraph would take the call for the node and stream its reply
        "run_name": f"{prompt.name} prompt",
        "metadata": {"prompt": prompt.name, "subject": prompt.subject},
        # who watches the messages of a graph is to see the answer, not the JSON on the way to it
        "tags": [TAG_NOSTREAM] if isinstance(prompt, Prompt) else [],
    }


def _messages(prompt: Prompt[Any] | TextPrompt) -> list[BaseMessage]:
    return [SystemMessage(storable(prompt.system)), HumanMessage(storable(prompt.user))]


def _again(reason: str) -> str:
    return (
        f"That did not fit: {reason}. Answer again with the JSON object alone, nothing around it."
    )


def text_of(message: Any) -> str:
    """All text of a LangChain message or chunk, whatever form its content has; "" for None.

    Half a surrogate pair, which neither a request nor a store can carry, becomes U+FFFD.
    """
    if message is None:
        return ""
    text = message.text
    return storable(str(text() if callable(text) and not isinstance(text, str) else text))


def was_cut(message: Any) -> bool:
    """Whether the model stopped because it hit its output limit."""
    metadata = getattr(message, "response_metadata", None) or {}
    return (metadata.get("finish_reason") or metadata.get("stop_reason")) in {
        "length",
        "max_tokens",
    }
