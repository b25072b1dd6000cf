"""The driver's failures as errors of ours, which name the server and say what to do."""

from __future__ import annotations

import re
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

_TOO_LONG = "too large to index"
_URI = re.compile(r"(bolt|neo4j)(\+s|\+ssc)?://[^@/\s]+/?")
_USER = re.compile(r"//.*@")


@contextmanager
def failures_named(uri: str) -> Iterator[None]:
    """Let none of the driver's own exceptions through."""
    try:
        yield
    except TimeoutError as error:
        raise StoreUnavailable(
            f"Neo4j at {uri} does not answer: start it, or correct FORETHOUGHT_NEO4J_URI"
        ) from error
    except (DriverError, Neo4jError) as error:
        raise _named(error, uri) from error


@contextmanager
def no_room_named(uri: str) -> Iterator[None]:
    """Let none through that the driver would try again, though it fails for want of memory."""
    try:
        yield
    except Neo4jError as error:
        if _lacks_room(error):
            raise _named(error, uri) from error
        raise


def checked(uri: str) -> str:
    """`uri`, if it names a server. Raises InvalidInput, which shows no password in it."""
    if not _URI.fullmatch(uri):
        raise InvalidInput(
            f"FORETHOUGHT_NEO4J_URI {_USER.sub('//', uri)!r} names no Neo4j server: "
            "give one such as bolt://127.0.0.1:7687, without a user or password in it"
        )
    return uri


def _named(error: DriverError | Neo4jError, uri: str) -> InvalidInput | StoreUnavailable:
    if isinstance(error, AuthError) and error.code != _RATE_LIMIT:
        return InvalidInput(
            f"Neo4j at {uri} refuses the user or the password: "
            "correct FORETHOUGHT_NEO4J_USER and FORETHOUGHT_NEO4J_PASSWORD"
        )
    if isinstance(error, ConfigurationError):
        return InvalidInput(
            f"Neo4j at {uri} cannot be used: {error}: correct FORETHOUGHT_NEO4J_URI"
        )
    if isinstance(error, Neo4jError) and _TOO_LONG in (error.message or ""):
        return InvalidInput(
            f"an id is too long for an index of Neo4j at {uri}: give one under 8 kB"
        )
    return StoreUnavailable(f"Neo4j at {uri} {_said(error)}")


def _lacks_room(error: DriverError | Neo4jError) -> bool:
    return isinstance(error, Neo4jError) and "OutOfMemory" in (error.code or "")


def _said(error: DriverError | Neo4jError) -> str:
    if isinstance(error, IncompleteCommit):
        return "went away during a commit, which may be stored or not: try again, nothing doubles"
    if isinstance(error, ServiceUnavailable | SessionExpired):
        return "does not answer: start it, or correct FORETHOUGHT_NEO4J_URI"
    if _lacks_room(error):
        return (
            "has too little memory for this: raise its server.memory.heap.max_size, and "
            "dbms.memory.transaction.total.max where that is set (importing a bank takes most)"
        )
    if isinstance(error, TransientError):
        return f"could not do it now ({error.message}): try again"
    if isinstance(error, ClientError) and error.code == _RATE_LIMIT:
        return "refuses the user after too many wrong passwords: wait a few seconds and try again"
    what = error.message if isinstance(error, Neo4jError) else str(error)
    return f"failed: {what}: if trying again does not help, please report it"
