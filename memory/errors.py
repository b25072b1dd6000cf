"""Every error Forethought raises on purpose; each message says what, where and what to do."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType


class ForethoughtError(RuntimeError):
    """Base of all errors that a caller may want to catch.

    A RuntimeError, because the LangGraph server hides the messages of kinds it does not know.
    `usage` is what the calls of a model had cost by then, where any were made for nothing.
    """

    usage: Mapping[str, int] = MappingProxyType({})


class StoreUnavailable(ForethoughtError):
    """A store did not answer; the same call may succeed later (retryable)."""


class BankBusy(ForethoughtError):
    """Another process holds the embedded data directory; the message names the two ways out."""


class EmbeddingMismatch(ForethoughtError):
    """A bank was indexed with another embedding model; `reindex` rebuilds it."""


class InvalidInput(ForethoughtError):
    """Something the caller gave cannot be used; the message says where and what was expected."""


class NotFound(ForethoughtError):
    """A bank, session, fact or run that was named does not exist."""


class ModelError(ForethoughtError):
    """A chat model gave no usable answer. `usage` counts what the failed calls cost."""

    def __init__(self, message: str, *, usage: dict[str, int] | None = None) -> None:
        super().__init__(message)
        self.usage: dict[str, int] = usage or {}


class ModelUnavailable(ModelError):
    """The model could not be reached, timed out or was rate limited (retryable)."""


class ModelRefused(ModelError):
    """The model endpoint rejected the call for good: bad key, unknown model, bad request."""


class MalformedAnswer(ModelError):
    """The model answered, twice, with something that does not fit what was asked."""


class TruncatedAnswer(MalformedAnswer):
    """The answer hit the output limit; asking for less at once may succeed."""
