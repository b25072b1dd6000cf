"""What model calls cost: counted per run, failed calls included."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Usage = dict[str, int]
"""`calls` made, `input_tokens` read, `output_tokens` written (0 where an endpoint is silent)."""

NOTHING: Mapping[str, int] = {"calls": 0, "input_tokens": 0, "output_tokens": 0}


def add_usage(left: Mapping[str, int] | None, right: Mapping[str, int] | None) -> Usage:
    """Sum of two usages; the reducer of the `usage` channel."""
    one, two = left or NOTHING, right or NOTHING
    return {name: one.get(name, 0) + two.get(name, 0) for name in NOTHING}


def usage_of(message: Any) -> Usage:
    """The usage of one call, from its LangChain message (or chunk, or None if it failed)."""
    counted = getattr(message, "usage_metadata", None) or {}
    return {
        "calls": 1,
        "input_tokens": int(counted.get("input_tokens", 0)),
        "output_tokens": int(counted.get("output_tokens", 0)),
    }
