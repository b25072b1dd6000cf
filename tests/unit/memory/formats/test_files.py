from __future__ import annotations

import json
import re
from datetime import UTC
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forethought.memory.errors import InvalidInput
from forethought.memory.formats import read, read_text
from tests.unit.memory.formats.samples import (
    ALL,
    CHATGPT,
    LOCOMO,
    MEMORYQUEST,
    OPENAI,
    keys,
    parse,
    talk,
)

ESCAPES = (r"\\", r"\ud83d", r"\ude80", r"\uD83D", r"\uDE80", "ud83d", "ude80", r"\n", r"\u0041")
FORMATS = ("memoryquest", "locomo", "longmemeval", "openai", "chatgpt")


@pytest.mark.parametrize("name", ALL)
def test_a_format_is_told_by_structure_whatever_the_file_is_called(
    name: str, tmp_path: Path
) -> None:
    path = tmp_path / "notes.txt"
    path.write_text(json.dumps(ALL[name]), encoding="utf-8")
    parsed = read(path, zone=UTC)
    assert parsed.format == name.partition(",")[0]
    assert parsed.conversations


@pytest.mark.parametrize("name", ALL)
def test_reading_twice_gives_the_same_under_unique_names(name: str) -> None:
    first = parse(ALL[name])
    assert first == parse(ALL[name])
    assert len(set(keys(first))) == len(first.conversations)
    assert all(one.date.tzinfo is UTC for one in first.conversations)


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
@pytest.mark.parametrize("escaped", [True, False])
def test_any_language_survives_with_or_without_mark_and_escapes(
    name: str, encoding: str, escaped: bool, tmp_path: Path
) -> None:
    path = tmp_path / "x.json"
    path.write_text(json.dumps(ALL[name], ensure_ascii=escaped), encoding=encoding)
    assert read(path, zone=UTC).conversations == parse(ALL[name]).conversations


def test_a_line_separator_inside_a_text_does_not_end_its_line() -> None:
    said = "one\u2028two\x0bthree\x85four"
    line = json.dumps({"role": "user", "content": said, "date": "2024-05-01"}, ensure_ascii=False)
    parsed = read_text(f"{line}\r\n{line}\r\n", name="x", zone=UTC)
    assert talk(parsed.conversations[0]) == [("user", said)] * 2


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", "is empty"),
        (b" \n\n", "is empty"),
        (b"\xef\xbb\xbf", "is empty"),
        (b'{"sessions": [\n  {"id": 1,}\n]}', "line 2, column 12: is not valid JSON"),
        (b"just some notes\nabout my day\n", "line 1, column 1: is not valid JSON"),
        (b'[{"messages": [', "line 1, column 16: is not valid JSON"),
        (b"[]", "is in no known format: found an empty list"),
        (b"{}", "is in no known format: found an empty object"),
        (b"17", "is in no known format: found a number"),
        (b'{"a": 1, "b": 2}', "is in no known format: found an object with 'a', 'b'"),
        (b'[1, {"a": 1}]', "found a list of an object with 'a' and the like"),
        (b'{"messages"\n: "\xff"}', "line 2, byte 15: is not UTF-8 text"),
        ("{}".encode("utf-16"), "line 1, byte 0: is not UTF-8 text"),
        (b"\x00\x01\x02", "line 1: is binary, not text"),
        (b"PK\x03\x04rest", "is a zip archive: unpack it"),
        (b"[" * 200_000, "is nested too deeply"),
        (b'{"messages": ' + b"9" * 5000 + b"}", "holds a number that cannot be read"),
    ],
)
def test_a_file_that_is_unusable_as_a_whole_is_refused_by_name_place_and_known_formats(
    data: bytes, expected: str, tmp_path: Path
) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(data)
    with pytest.raises(InvalidInput) as caught:
        read(path, zone=UTC)
    assert str(caught.value).startswith(f"{path}: ")
    assert expected in str(caught.value)
    assert all(f"\n  {name}: " in str(caught.value) for name in FORMATS)


def test_a_file_that_ends_too_early_is_said_to_be_cut_off() -> None:
    text = json.dumps(LOCOMO, indent=1)
    with pytest.raises(InvalidInput, match="may have been cut off"):
        read_text(text[: text.index("Look at")], name="x.json", zone=UTC)


def test_a_path_that_cannot_be_opened_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="missing.json: no such file or folder"):
        read(tmp_path / "missing.json", zone=UTC)
    with pytest.raises(InvalidInput, match="cannot be read"):
        read(Path("a\0b"), zone=UTC)
    with pytest.raises(InvalidInput, match="cannot be read"):
        read(tmp_path / ("x" * 5000), zone=UTC)


def test_half_an_emoji_is_replaced_and_said() -> None:
    said = r"\ud83d\ude80 up, \\ud83d kept, \ud83d lost, \udc00 too"
    text = '{"date": "2024-05-01",\n"messages": [{"role": "user", "content": "' + said + '"}]}'
    parsed = read_text(text, name="x.json", zone=UTC)
    assert talk(parsed.conversations[0]) == [
        ("user", "🚀 up, \\ud83d kept, \ufffd lost, \ufffd too")
    ]
    (problem,) = parsed.problems
    assert str(problem).startswith("x.json: line 2: 2 half characters")


@given(st.lists(st.sampled_from(ESCAPES)))
def test_however_escapes_are_mixed_no_half_character_is_left(said: list[str]) -> None:
    content = f'"{"".join(said)}."'
    text = '{"date": "2024-05-01", "messages": [{"role": "user", "content": ' + content + "}]}"
    (turn,) = read_text(text, name="x.json", zone=UTC).conversations[0].turns
    assert turn.text == re.sub("[\ud800-\udfff]", "\ufffd", json.loads(content))


def test_text_that_is_no_unicode_is_refused() -> None:
    with pytest.raises(InvalidInput, match="-: is not UTF-8 text"):
        read_text('{"messages": "\udcff"}', name="-", zone=UTC)


def test_only_is_refused_where_nobody_is_told_apart() -> None:
    with pytest.raises(InvalidInput, match="its format names no people"):
        parse(OPENAI, only="me")


def test_a_folder_is_read_in_order_and_its_other_files_are_reported(tmp_path: Path) -> None:
    _write(tmp_path / "b.json", OPENAI)
    _write(tmp_path / "a.JSON", MEMORYQUEST)
    _write(tmp_path / "user.json", {"email": "me@example.org"})
    _write(tmp_path / ".hidden.json", CHATGPT)
    (tmp_path / "c.jsonl").write_text("not json", encoding="utf-8")
    (tmp_path / "notes.md").write_text("# no", encoding="utf-8")
    (tmp_path / "folder.json").mkdir()
    parsed = read(tmp_path, zone=UTC)
    assert parsed.format == "memoryquest, openai"
    assert keys(parsed) == ["mq05/s01", "mq05/s02", "chat-1", "chat-2"]
    assert [Path(problem.path).name for problem in parsed.problems] == [
        "c.jsonl",
        "folder.json",
        "user.json",
    ]


def test_a_folder_without_conversations_is_refused_with_what_was_seen(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="has no"):
        read(tmp_path, zone=UTC)
    _write(tmp_path / "user.json", {"email": "me@example.org"})
    with pytest.raises(InvalidInput, match="user.json: is in no known format"):
        read(tmp_path, zone=UTC)


def test_one_person_of_a_mixed_folder_can_be_asked_for(tmp_path: Path) -> None:
    _write(tmp_path / "a.json", LOCOMO)
    _write(tmp_path / "b.json", MEMORYQUEST)
    parsed = read(tmp_path, zone=UTC, only="conv-30")
    assert keys(parsed) == ["conv-30/session_1"]
    assert parsed.groups == ("conv-26", "conv-30", "mq05")
    assert parsed.problems == ()


def _write(path: Path, data: object) -> None:
    path.write_text(json.dumps(data), encoding="utf-8")
