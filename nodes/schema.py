"""The JSON schema of an answer as endpoints get it: what guides a decoder, not what breaks one."""

from __future__ import annotations

from functools import cache
from typing import Any

from forethought.prompts.prompt import Answer

LONGEST_BOUND = 1000
"""Characters up to which a string's bound is sent. llama.cpp makes a grammar repetition of it, and
until August 2026 (so in many an Ollama or LM Studio) refused the whole request at 2,000: its issues
17473 and 27087."""


@cache  # making one takes 2 ms, and a question asks for four
def wire_schema(answer: type[Answer]) -> dict[str, Any]:
    """The schema of `answer` without longer bounds; `answer` still checks them in the reply.

    The same object each time: to be sent, not changed.
    """
    schema: dict[str, Any] = _bounded(answer.model_json_schema())
    return schema


def _bounded(node: Any) -> Any:
    if isinstance(node, list):
        return [_bounded(item) for item in node]
    if not isinstance(node, dict):
        return node
    return {key: _bounded(value) for key, value in node.items() if not _too_long(key, value)}


def _too_long(key: str, value: object) -> bool:
    return key == "maxLength" and isinstance(value, int) and value > LONGEST_BOUND
