"""The driver's failures as errors of ours, which name the server and say what to do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from neo4j.exceptions import (
    AuthError,
    ClientError,
    ConfigurationError,
    DriverError,
    IncompleteCommit,
    Neo4jError,
    ServiceUnavailable,
    SessionExpired,
    TransientError,
)

from forethought.memory.errors import InvalidInput, StoreUnavailable

_RATE_LIMIT = "Neo.ClientError.Security.AuthenticationRateLimit"


@contextmanager
def failures_named(uri: str) -> Iterator[None]:
    """Let none of the driver's own exceptions through."""
    try:
        yield
    except (DriverError, Neo4jError) as error:
        raise _named(error, uri) from error


def unusable(uri: str, why: str) -> InvalidInput:
    """For a URI that the driver cannot make sense of."""
    return InvalidInput(
        f"FORETHOUGHT_NEO4J_URI {uri!r} cannot be used ({why}): "
        "give one such as bolt://127.0.0.1:7687, without a password in it"
    )


def _named(error: DriverError | Neo4jError, uri: str) -> InvalidInput | StoreUnavailable:
    if isinstance(error, AuthError) and error.code != _RATE_LIMIT:
        return InvalidInput(
            f"Neo4j at {uri} refuses the user or the password: "
            "correct FORETHOUGHT_NEO4J_USER and FORETHOUGHT_NEO4J_PASSWORD"
        )
    if isinstance(error, ConfigurationError):
        return unusable(uri, str(error))
    return StoreUnavailable(f"Neo4j at {uri} {_said(error)}")


def _said(error: DriverError | Neo4jError) -> str:
    if isinstance(error, IncompleteCommit):
        return "went away during a commit, which may be stored or not: try again, nothing doubles"
    if isinstance(error, ServiceUnavailable | SessionExpired):
        return f"does not answer ({error}): start it, or correct FORETHOUGHT_NEO4J_URI"
    if isinstance(error, TransientError):
        return f"could not do it now ({error.message}): try again"
    if isinstance(error, ClientError) and error.code == _RATE_LIMIT:
        return "refuses the user after too many wrong passwords: wait a few seconds and try again"
    what = error.message if isinstance(error, Neo4jError) else str(error)
    return f"failed: {what}: if trying again does not help, please report it"
