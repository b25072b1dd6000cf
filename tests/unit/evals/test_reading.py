from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from forethought.evals.reading import Asked, Given, Said, files, read_json, read_lines
from forethought.memory.errors import InvalidInput


class Dated(Given):
    said: Said
    asked: Asked


class Numbered(Given):
    n: int


def test_a_bare_date_was_said_at_its_midnight_and_is_asked_at_its_end(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('{"said": "2025-03-01", "asked": "2025-03-01", "more": 1}')
    dated = read_json(path, Dated)
    assert dated.said == datetime(2025, 3, 1, tzinfo=UTC)
    assert dated.asked == datetime(2025, 3, 1, 23, 59, 59, tzinfo=UTC)


def test_a_moment_stays_what_it_is(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('{"said": "2023/04/10 (Mon) 23:07", "asked": "2025-03-01T08:00:00+02:00"}')
    dated = read_json(path, Dated)
    assert dated.said == datetime(2023, 4, 10, 23, 7, tzinfo=UTC)
    assert dated.asked == datetime(2025, 3, 1, 6, 0, tzinfo=UTC)


def test_an_error_names_the_file_and_the_place(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('{"said": "some day", "asked": "2025-03-01"}')
    with pytest.raises(InvalidInput, match=r"a\.json: said: expected a date, found 'some day'"):
        read_json(path, Dated)


def test_lines_are_read_one_by_one_and_blank_ones_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('\ufeff{"n": 1}\n\n{"n": 2}\n', encoding="utf-8")
    assert [item.n for item in read_lines(path, Numbered)] == [1, 2]


@pytest.mark.parametrize(
    ("content", "place"),
    [
        (b'{"n": 1}\n{"n": "x"}\n', "line 2: n: "),
        (b'{"n": 1}\n{"n": \n', "line 2: Invalid JSON"),
        (b'{"n": 1}\n[]\n', "line 2: "),
        (b'{"n": \xff}', "byte 6: is not UTF-8 text"),
    ],
)
def test_a_damaged_line_is_named(tmp_path: Path, content: bytes, place: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(content)
    with pytest.raises(InvalidInput) as caught:
        read_lines(path, Numbered)
    assert str(caught.value).startswith(f"{path}: {place}")


def test_a_missing_file_and_a_missing_folder_are_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"nowhere\.json: no such file"):
        read_json(tmp_path / "nowhere.json", Numbered)
    with pytest.raises(InvalidInput, match="expected a folder"):
        list(files(tmp_path / "nowhere"))


def test_a_folder_gives_its_json_files_by_name(tmp_path: Path) -> None:
    for name in ("b.json", "a.json", "c.jsonl", ".d.json"):
        (tmp_path / name).touch()
    assert [path.name for path in files(tmp_path)] == ["a.json", "b.json"]
