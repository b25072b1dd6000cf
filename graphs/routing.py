"""Routers as LangGraph runs them fastest."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


def at_once(router: Callable[P, T]) -> Callable[P, Awaitable[T]]:
    """`router` for an asynchronous run, which would take a plain function to a thread and back."""

    @wraps(router)
    async def route(*args: P.args, **kwargs: P.kwargs) -> T:
        return router(*args, **kwargs)

    return route
