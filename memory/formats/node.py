"""A value of parsed JSON with where it stands, so that every complaint can name its place."""

from __future__ import annotations

import re
from dataclasses import dataclass

from forethought.memory.errors import InvalidInput

_LONGEST_SHOWN = 60  # characters of a bad value in a message: enough to find it by


class Damaged(InvalidInput):
    """A part of a known format is not what it should be; `place` says which part."""

    def __init__(self, place: str, message: str) -> None:
        """Keep `place` (empty for the whole file) and `message` apart, for a Problem."""
        super().__init__(f"{place}: {message}" if place else message)
        self.place = place
        self.message = message


def shown(value: object) -> str:
    """`value` as a message shows it: escaped, on one line, cut when long; a list only as such."""
    if isinstance(value, list | dict):
        return kind(value)
    text = repr(value)
    return text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "…"


def kind(value: object) -> str:
    """What `value` is in JSON's own words, with its article."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, int | float):
        return "a number"
    names: dict[type, str] = {str: "a string", list: "a list", dict: "an object"}
    return names.get(type(value), type(value).__name__)


@dataclass(frozen=True, slots=True)
class Node:
    """One JSON value. `labels` are the places of a list's items where those are not indices."""

    value: object
    place: str = ""
    labels: tuple[str, ...] = ()

    def expected(self, what: str) -> Damaged:
        """The error to raise when this value is not `what`."""
        return Damaged(self.place, f"expected {what}, found {kind(self.value)}")

    def items(self, what: str = "a list") -> list[Node]:
        """The items of a list, each with its place; raises Damaged unless it is one."""
        if not isinstance(self.value, list):
            raise self.expected(what)
        labels = self.labels or tuple(f"{self.place}[{n}]" for n in range(len(self.value)))
        return [Node(value, place) for value, place in zip(self.value, labels, strict=True)]

    def mapping(self, what: str = "a JSON object") -> dict[str, object]:
        """The keys and values of an object; raises Damaged unless it is one."""
        if not isinstance(self.value, dict):
            raise self.expected(what)
        return self.value

    def text(self, what: str = "a string") -> str:
        """A string; raises Damaged unless it is one."""
        if not isinstance(self.value, str):
            raise self.expected(what)
        return self.value

    def word(self, what: str) -> str:
        """A name or id: a string that is not blank, or a whole number as one; raises Damaged."""
        if isinstance(self.value, int) and not isinstance(self.value, bool):
            return str(self.value)
        word = self.text(what).strip()
        if not word:
            raise Damaged(self.place, f"expected {what}, found an empty string")
        return word

    def at(self, key: str) -> Node:
        """The value under `key`, null if it is missing; raises Damaged unless in an object."""
        return Node(self.mapping().get(key), self._below(key))

    def first(self, *keys: str) -> Node | None:
        """The first of `keys` that is there and not null; raises Damaged unless in an object."""
        mapping = self.mapping()
        key = next((key for key in keys if mapping.get(key) is not None), None)
        return None if key is None else self.at(key)

    def need(self, *keys: str) -> Node:
        """Like `first`, but raises Damaged when none of `keys` is there."""
        node = self.first(*keys)
        if node is None:
            names = " or ".join(f'"{key}"' for key in keys)
            raise Damaged(self.place, f"expected {names} here, found none")
        return node

    def numbered(self, what: str) -> str:
        """A name for an unnamed record of a file, from its place: "sample-3"."""
        number = re.search(r"\d+", self.place)
        return f"{what}-{number.group() if number else 0}"

    def _below(self, key: str) -> str:
        if not self.place:
            return key
        bare_line = self.place.startswith("line ") and "," not in self.place
        return f"{self.place}, {key}" if bare_line else f"{self.place}.{key}"
