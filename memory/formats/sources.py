"""From a file's bytes to JSON with places: UTF-8, one JSON document or JSON Lines."""

from __future__ import annotations

import json
import re

from forethought.memory.formats.node import Damaged, Node
from forethought.memory.formats.reading import Reading

_ZIP = b"PK\x03\x04"
_BOM = "\ufeff"
_HIGH, _LOW = r"\\u[dD][89abAB][0-9a-fA-F]{2}", r"\\u[dD][c-fC-F][0-9a-fA-F]{2}"
_ESCAPE = re.compile(rf"{_HIGH}{_LOW}|\\u[0-9a-fA-F]{{4}}|\\.", re.DOTALL)
_LONE = re.compile(f"{_HIGH}|{_LOW}")
# Finds each lone half, and seldom something else: lets most files skip a look at every escape.
# It begins with fixed letters, which lets re search 75 times faster through plain text.
_SUSPECT = re.compile(
    rf"\\u[dD](?:[89abAB]..(?!{_LOW})|(?<!(?<!\\){_HIGH}\\u[dD])[c-fC-F]..)", re.DOTALL
)


def decoded(data: bytes) -> str:
    """The text of a file, with or without a byte order mark; raises Damaged unless it is UTF-8."""
    if data.startswith(_ZIP):
        raise Damaged("", "is a zip archive: unpack it and give the JSON file inside")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        place = f"line {line}, byte {error.start}"
        raise Damaged(place, "is not UTF-8 text: save it as UTF-8") from error
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise Damaged(f"line {line}", "is binary, not text")
    return text


def parsed(text: str, reading: Reading) -> tuple[Node, bool]:
    """The JSON in `text`, and whether it is JSON Lines; raises Damaged if it is neither.

    In JSON Lines, a line that is not JSON is reported and left out.
    """
    text = _whole_characters(text.removeprefix(_BOM), reading)
    if not text.strip():
        raise Damaged("", "is empty")
    try:
        return Node(_loaded(text)), False
    except json.JSONDecodeError as error:
        lines = _lines(text)
        if lines is None:
            raise _broken(error, text) from error
    return _records(lines, reading), True


def _whole_characters(text: str, reading: Reading) -> str:
    """`text` with each half of an escaped surrogate pair, which no store can keep, as U+FFFD."""
    if not text.isascii():
        try:
            text.encode("utf-8")
        except UnicodeEncodeError as error:
            raise Damaged("", "is not UTF-8 text: save it as UTF-8") from error
    if _SUSPECT.search(text) is None:
        return text
    halves: list[int] = []

    def whole(match: re.Match[str]) -> str:
        if _LONE.fullmatch(match.group()) is None:
            return match.group()
        halves.append(match.start())
        return r"\ufffd"

    whole_text = _ESCAPE.sub(whole, text)
    if halves:
        line = text.count("\n", 0, halves[0]) + 1
        message = f"{len(halves)} half characters (lone surrogates), the first here: now \ufffd"
        reading.report(f"line {line}", message)
    return whole_text


def _loaded(text: str) -> object:
    try:
        loaded: object = json.loads(text)
    except RecursionError as error:
        raise Damaged("", "is nested too deeply to be a conversation") from error
    except json.JSONDecodeError:
        raise
    except ValueError as error:  # Python reads no integer of thousands of digits
        raise Damaged("", f"holds a number that cannot be read: {error}") from error
    return loaded


def _broken(error: json.JSONDecodeError, text: str) -> Damaged:
    cut = error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string")
    hint = "; the file may have been cut off" if cut else ""
    return Damaged(
        f"line {error.lineno}, column {error.colno}", f"is not valid JSON ({error.msg}){hint}"
    )


def _lines(text: str) -> list[tuple[str, object]] | None:
    """The lines with what each holds, or the error in it; None unless half of them are JSON."""
    lines: list[tuple[str, object]] = []
    for number, line in enumerate(text.split("\n"), start=1):  # splitlines() would cut strings
        if line.strip():
            lines.append((f"line {number}", _line(line)))
    whole = sum(isinstance(value, dict | list) for _, value in lines)
    return lines if len(lines) > 1 and whole * 2 >= len(lines) else None


def _line(line: str) -> object:
    try:
        return _loaded(line)
    except json.JSONDecodeError as error:
        return Damaged("", f"is not valid JSON ({error.msg} at column {error.colno})")
    except Damaged as damage:
        return damage


def _records(lines: list[tuple[str, object]], reading: Reading) -> Node:
    sound = [(place, value) for place, value in lines if not isinstance(value, Damaged)]
    for place, value in lines:
        if isinstance(value, Damaged):
            reading.report(place, value.message)
    return Node([value for _, value in sound], labels=tuple(place for place, _ in sound))
