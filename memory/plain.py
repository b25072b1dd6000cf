"""Between our values and plain JSON-able data: what checkpoints, streams and `--json` hold."""

from __future__ import annotations

from typing import Any, TypeVar

from pydantic import TypeAdapter

T = TypeVar("T")


_adapters: dict[Any, TypeAdapter[Any]] = {}


def _adapter(kind: Any) -> TypeAdapter[Any]:
    """The adapter of a type, made once: making one costs more than using it a thousand times."""
    if kind not in _adapters:
        _adapters[kind] = TypeAdapter(kind)
    return _adapters[kind]


def to_plain(value: Any) -> Any:
    """`value` (a dataclass, or a container of them) as dicts, lists, text and numbers."""
    return _adapter(type(value)).dump_python(value, mode="json")


def from_plain(kind: type[T], data: Any) -> T:
    """The value of type `kind` that `to_plain` made `data` from. Raises ValidationError."""
    restored: T = _adapter(kind).validate_python(data)
    return restored
