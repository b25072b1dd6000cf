"""From what a model wrote to the answer model that was asked for, or why not. Pure functions."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, get_args, get_origin

from pydantic import TypeAdapter, ValidationError

from forethought.memory.words import storable
from forethought.prompts.prompt import Answer

A = TypeVar("A", bound=Answer)

_THINKING = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_MAX_CHARS = 400_000  # ten times the longest sensible reply; beyond it lies a runaway generation
_MAX_STARTS = 200  # places in prose where a JSON value is tried
_DEEPEST = 8  # levels; an answer has four at most


@dataclass(frozen=True, slots=True)
class Parsed(Generic[A]):
    """An answer that fits, and how many of its list's items were dropped because they did not."""

    value: A
    dropped: int = 0


@dataclass(frozen=True, slots=True)
class Unfit:
    """Why nothing in the reply fits, in words that help a model to do better."""

    reason: str


def parse(text: str, answer: type[A]) -> Parsed[A] | Unfit:
    """The first JSON value in `text` that fits `answer`, whatever stands around it.

    Objects are tried before lists, since `[]` is an empty answer and yet may stand in prose.
    Thinking blocks are removed first. Where a value fits except for some items of the only list
    that it must have, those items are dropped and counted; a whole fit later in the text is
    preferred.
    """
    partial: Parsed[A] | None = None
    reasons: list[str] = []
    values = json_values(without_thinking(text))
    for data in sorted(values, key=lambda value: not isinstance(value, dict)):
        outcome = fit(data, answer)
        if isinstance(outcome, Unfit):
            reasons.append(outcome.reason)
        elif outcome.dropped == 0:
            return outcome
        else:
            partial = partial or outcome
    return partial or Unfit(
        reasons[0] if reasons else "there is no complete JSON value in the reply"
    )


def without_thinking(text: str) -> str:
    """`text` without `<think>…</think>` blocks, also where the last one was never closed."""
    return _THINKING.sub("", text[:_MAX_CHARS]).strip()


def json_values(text: str) -> list[Any]:
    """Objects and lists that start anywhere in `text`, outermost first, none inside another."""
    decoder = json.JSONDecoder()
    values: list[Any] = []
    position = 0
    for _ in range(_MAX_STARTS):
        start = min(
            (at for at in (text.find("{", position), text.find("[", position)) if at >= 0),
            default=-1,
        )
        if start < 0:
            break
        try:
            value, position = decoder.raw_decode(text, start)
            values.append(_storable(value))
        except (ValueError, RecursionError):
            position = start + 1
    return values


def _storable(value: Any, depth: int = 0) -> Any:
    """`value` with NUL and lone surrogates replaced in its texts, as deep as answers go."""
    if isinstance(value, str):
        return storable(value)
    if depth == _DEEPEST:
        return value
    if isinstance(value, list):
        return [_storable(item, depth + 1) for item in value]
    if isinstance(value, dict):
        return {key: _storable(item, depth + 1) for key, item in value.items()}
    return value


def fit(data: Any, answer: type[A]) -> Parsed[A] | Unfit:
    """`data` as an `answer`: as it is, or as its only list's items, those that fit."""
    field = _list_field(answer)
    if isinstance(data, list) and field:
        data = {field: data}
    if not isinstance(data, dict):
        return Unfit(f"expected a JSON object, found {type(data).__name__}")
    if "properties" in data and not set(data) & set(answer.model_fields):
        return Unfit("that is the schema itself; give an object that fits it")
    try:
        return Parsed(answer.model_validate(data))
    except ValidationError as error:
        salvaged = _salvaged(data, answer, field) if field else None
        return salvaged or Unfit(_in_words(error))


def _salvaged(data: dict[str, Any], answer: type[A], field: str) -> Parsed[A] | None:
    items = data.get(field)
    if not isinstance(items, list):
        return None
    item_type: TypeAdapter[Any] = TypeAdapter(_item_type(answer, field))
    fitting = [item for item in items if _fits(item_type, item)][: _longest(answer, field)]
    if not fitting:
        return None
    try:
        value = answer.model_validate({**data, field: fitting})
    except ValidationError:
        return None
    return Parsed(value, dropped=len(items) - len(fitting))


def _fits(item_type: TypeAdapter[Any], item: Any) -> bool:
    try:
        item_type.validate_python(item)
    except ValidationError:
        return False
    return True


def _list_field(answer: type[Answer]) -> str | None:
    """The name of the only list that `answer` must have, if it has exactly one."""
    lists = [
        name
        for name, info in answer.model_fields.items()
        if info.is_required() and get_origin(info.annotation) is list
    ]
    return lists[0] if len(lists) == 1 else None


def _item_type(answer: type[Answer], field: str) -> Any:
    (item,) = get_args(answer.model_fields[field].annotation)
    return item


def _longest(answer: type[Answer], field: str) -> int | None:
    limits = [getattr(rule, "max_length", None) for rule in answer.model_fields[field].metadata]
    return next((limit for limit in limits if limit is not None), None)


def _in_words(error: ValidationError) -> str:
    """The first few problems, with their places and without the offending values."""
    problems = error.errors(include_url=False, include_input=False)[:3]
    return "; ".join(
        f"{'.'.join(str(part) for part in problem['loc']) or 'the answer'}: {problem['msg']}"
        for problem in problems
    )
