"""Whatever is wrong with a file, reading it ends in conversations and problems, or in one error."""

from __future__ import annotations

import copy
import json
from datetime import UTC
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forethought.memory.errors import InvalidInput
from forethought.memory.formats import Parsed, read, read_text
from tests.unit.memory.formats.samples import ALL, parse

ANY_TEXT = st.text(st.characters(), max_size=5)  # halves of surrogate pairs too
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | ANY_TEXT
    | st.sampled_from(["2024-05-01", "user", "a", "d", "mq05", "answer_1", "session_2", 1e300])
)
SEVERAL = ("memoryquest", "memoryquest, official", "locomo", "longmemeval", "openai")
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(ANY_TEXT, inner, max_size=3),
    max_leaves=5,
)


def places(value: object, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path to every part of a JSON value, itself first."""
    inner: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        inner = list(value.items())
    elif isinstance(value, list):
        inner = list(enumerate(value))
    return [path, *(place for key, part in inner for place in places(part, (*path, key)))]


@st.composite
def damaged(draw: st.DrawFn) -> object:
    """A sample file with up to three parts replaced, deleted or doubled."""
    data: Any = copy.deepcopy(draw(st.sampled_from(list(ALL.values()))))
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.sampled_from(places(data)))
        if not place:
            data = draw(VALUES)
            continue
        owner = data
        for step in place[:-1]:
            owner = owner[step]
        match draw(st.sampled_from(["replace", "delete", "double"])):
            case "replace":
                owner[place[-1]] = draw(VALUES)
            case "delete":
                del owner[place[-1]]
            case _ if isinstance(owner, list):
                owner.append(owner[place[-1]])
            case _:
                owner[draw(st.text(max_size=5))] = owner[place[-1]]
    return data


def is_sound(parsed: Parsed) -> bool:
    """Names are unique, dates are in UTC, and every text can be stored and shown."""
    names = [one.name for one in parsed.conversations]
    texts = [turn.text for one in parsed.conversations for turn in one.turns]
    shown = [str(problem) for problem in parsed.problems]
    "".join([*names, *texts, *shown, *parsed.groups]).encode("utf-8")  # raises for a lone half
    dated = all(one.date.tzinfo is UTC for one in parsed.conversations)
    return dated and len(set(names)) == len(names)


@given(damaged(), st.booleans())
def test_a_damaged_structure_is_read_as_far_as_it_goes_or_refused(data: object, ours: bool) -> None:
    text = json.dumps(data, ensure_ascii=ours)
    try:
        parsed = read_text(text, name="x.json", zone=UTC)
    except InvalidInput as error:
        assert str(error).startswith("x.json: ")
        return
    assert is_sound(parsed)
    assert parsed == read_text(text, name="x.json", zone=UTC) or "NaN" in text
    assert all(problem.message and problem.path == "x.json" for problem in parsed.problems)


@given(damaged())
def test_damaged_lines_are_read_as_far_as_they_go_or_refused(data: object) -> None:
    records = data if isinstance(data, list) else [data]
    text = "\n".join(json.dumps(record) for record in records)
    try:
        assert is_sound(read_text(text, name="x.jsonl", zone=UTC))
    except InvalidInput as error:
        assert str(error).startswith("x.jsonl: ")


@given(st.sampled_from(sorted(ALL)), st.data())
def test_damaged_text_is_read_as_far_as_it_goes_or_refused(name: str, data: st.DataObject) -> None:
    text = json.dumps(ALL[name], indent=data.draw(st.sampled_from([None, 1])))
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 20)))
    text = text[:start] + data.draw(st.text(max_size=3)) + text[end:]
    try:
        assert is_sound(read_text(text, name="x.json", zone=UTC))
    except InvalidInput as error:
        assert str(error).startswith("x.json: ")


@given(st.sampled_from(sorted(ALL)), st.data())
def test_damaged_bytes_are_read_as_far_as_they_go_or_refused(
    tmp_path_factory: pytest.TempPathFactory, name: str, data: st.DataObject
) -> None:
    content = json.dumps(ALL[name], ensure_ascii=False).encode()
    at = data.draw(st.integers(0, len(content)))
    path: Path = tmp_path_factory.getbasetemp() / "damaged.json"
    path.write_bytes(content[:at] + data.draw(st.binary(max_size=4)) + content[at + 1 :])
    try:
        assert is_sound(read(path, zone=UTC))
    except InvalidInput as error:
        assert str(error).startswith(str(path))


@pytest.mark.parametrize("name", SEVERAL)
def test_one_bad_leaf_never_costs_what_stands_beside_it(name: str) -> None:
    """However a single part is spoilt, sessions that do not hold it are still read."""
    whole = {one.key: one for one in parse(ALL[name]).conversations}
    for place in places(ALL[name]):
        if not place or place[-1] in ("sessions", "demographics", "user_id"):  # all hang on these
            continue
        data: Any = copy.deepcopy(ALL[name])
        owner = data
        for step in place[:-1]:
            owner = owner[step]
        owner[place[-1]] = {"spoilt": [0]}
        kept = {one.key: one for one in parse(data).conversations}
        assert any(kept.get(key) == one for key, one in whole.items()), place
