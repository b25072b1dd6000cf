"""What a chat client raises, in our own terms: by what a caller can do about it."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from langchain_core.exceptions import (
    ContextOverflowError,
    ModelAuthenticationError,
    ModelConnectionError,
    ModelInvalidRequestError,
    ModelNotFoundError,
    ModelPermissionDeniedError,
    OutputParserException,
)
from langchain_core.exceptions import ModelError as ProviderError

from forethought.memory.errors import (
    MalformedAnswer,
    ModelError,
    ModelRefused,
    ModelUnavailable,
    TruncatedAnswer,
)
from forethought.nodes.usage import Usage, add_usage

_TOO_LONG = re.compile(r"context (size|length|window)|prompt is too long", re.IGNORECASE)
"""How llama.cpp, vLLM, LM Studio and others say in a 400 that the prompt does not fit."""
_NO_SCHEMA = re.compile(r"response_format|json_schema|grammar", re.IGNORECASE)
"""How they say that they cannot hold an answer to our schema: no other request will fare better."""
_OF_STATUS: dict[int, type[ModelError]] = {
    408: ModelUnavailable,
    409: ModelUnavailable,
    413: TruncatedAnswer,
    422: MalformedAnswer,
    425: ModelUnavailable,
}
"""HTTP statuses that LangChain leaves as they are; any other one of those is final."""
_TO_DO: tuple[tuple[type[ProviderError], str], ...] = (
    (ModelConnectionError, "check FORETHOUGHT_BASE_URL, and that a server runs there"),
    (ModelAuthenticationError, "check FORETHOUGHT_API_KEY"),
    (ModelPermissionDeniedError, "check FORETHOUGHT_API_KEY, and what it may use"),
    (ModelNotFoundError, "check FORETHOUGHT_MODEL and FORETHOUGHT_BASE_URL"),
)
"""What the user can do about an error that no waiting and no other request mends."""


@cache
def client_errors() -> tuple[type[Exception], ...]:
    """All that a chat client raises; the last four where a body is no answer at all, but HTML."""
    from openai import OpenAIError

    return (ProviderError, OpenAIError, ValueError, TypeError, LookupError, AttributeError)


def named(error: Exception, *, task: str, model: str, usage: Usage) -> ModelError:
    """The ModelError for one of `client_errors`; `usage` is what was spent, this call included."""
    kind, says = _read(error)
    message = f"{task}: {model}: {says[:500] or type(error).__name__}"
    message += "".join(f": {to_do}" for kinds, to_do in _TO_DO if isinstance(error, kinds))
    return kind(message, usage=add_usage(usage, _cost(error)))


def because(error: Exception) -> str:
    """What `error` says. OpenAI's client says "Connection error." of all that can befall one."""
    from openai import APIConnectionError

    says, root = str(error), _root(error)
    if not isinstance(error, APIConnectionError) or str(root) in ("", says):
        return says
    return f"{says.rstrip('.')} ({str(root).rstrip('.')})"


def _root(error: BaseException) -> BaseException:
    return _root(error.__cause__) if error.__cause__ else error


def _read(error: Exception) -> tuple[type[ModelError], str]:
    from openai import APIError, APIStatusError, OpenAIError

    says = because(error)
    if isinstance(error, ProviderError):
        return _of_provider(error), says
    if isinstance(error, APIStatusError):
        return _OF_STATUS.get(error.status_code, ModelRefused), says
    if isinstance(error, APIError):  # it came in the middle of a stream
        return TruncatedAnswer if _TOO_LONG.search(says) else ModelUnavailable, says
    if isinstance(error, OpenAIError):
        return _of_finish(error)
    if isinstance(error, OutputParserException):
        return MalformedAnswer, says
    return ModelRefused, (
        f"what came back is no chat completion ({type(error).__name__}: {says}): "
        "check FORETHOUGHT_BASE_URL"
    )


def _of_provider(error: ProviderError) -> type[ModelError]:
    """Wait, ask for less, give up this request, or the model."""
    says = str(error)
    if isinstance(error, ContextOverflowError):
        return TruncatedAnswer
    if isinstance(error, ModelInvalidRequestError):
        if _TOO_LONG.search(says):
            return TruncatedAnswer
        return ModelRefused if _NO_SCHEMA.search(says) else MalformedAnswer
    # a spent quota comes as a rate limit, but no waiting will lift it
    retryable = error.is_retryable and "insufficient_quota" not in says
    return ModelUnavailable if retryable else ModelRefused


def _of_finish(error: Exception) -> tuple[type[ModelError], str]:
    """The client raises where a structured answer ended for another reason than its end."""
    from openai import ContentFilterFinishReasonError, LengthFinishReasonError

    if isinstance(error, LengthFinishReasonError):
        return TruncatedAnswer, "hit its output limit"
    if isinstance(error, ContentFilterFinishReasonError):
        return MalformedAnswer, "its content filter stopped the answer"
    return ModelRefused, str(error)


def _cost(error: Exception) -> Usage | None:
    """The tokens of an answer that was cut, where the error still holds it."""
    counted: Any = getattr(getattr(error, "completion", None), "usage", None)
    if counted is None:
        return None
    return {"input_tokens": counted.prompt_tokens, "output_tokens": counted.completion_tokens}
