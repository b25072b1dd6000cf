from __future__ import annotations

import copy
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from forethought.memory.formats import read
from tests.unit.memory.formats.samples import (
    EVIDENCE,
    LONGMEMEVAL,
    keys,
    parse,
    parse_lines,
    problems,
    talk,
)


def test_a_question_is_a_person_with_dated_sessions() -> None:
    parsed = parse(LONGMEMEVAL, only="q-one")
    assert parsed.format == "longmemeval"
    assert keys(parsed) == ["answer_1", "sharegpt_x_0"]
    assert talk(parsed.conversations[0])[1] == ("assistant", "Good.")
    assert parsed.conversations[0].date == datetime(2023, 4, 10, 17, 50, tzinfo=UTC)
    assert parsed.problems == ()


def test_a_session_repeated_across_questions_is_one_session() -> None:
    parsed = parse(LONGMEMEVAL)
    assert parsed.groups == ("q-one", "q-two")
    assert keys(parsed) == ["answer_1", "sharegpt_x_0"]
    assert len(parsed.problems) == 1  # only that these are two people


def test_a_session_repeated_with_another_date_is_kept_once_and_said() -> None:
    data: Any = copy.deepcopy(LONGMEMEVAL)
    data[1]["haystack_dates"] = ["2023/05/01 (Mon) 08:00"]
    parsed = parse(data)
    assert keys(parsed) == ["answer_1", "sharegpt_x_0"]
    assert problems(parsed)[0].startswith(
        'x.json: [1].haystack_sessions[0]: another session named "sharegpt_x_0"'
    )


def test_evidence_alone_is_read_too_and_named_by_its_content() -> None:
    parsed = parse(EVIDENCE)
    assert parsed.format == "longmemeval"
    assert keys(parsed)[0].startswith("content-")
    assert parsed == parse(EVIDENCE)
    assert talk(parsed.conversations[0]) == [("user", "The GPS broke on 3/22.")]


def test_one_instance_to_a_line_reads_the_same() -> None:
    assert parse_lines(LONGMEMEVAL).conversations == parse(LONGMEMEVAL).conversations


@pytest.mark.parametrize(
    ("field", "value", "place"),
    [
        ("haystack_dates", ["2023/04/10 (Mon) 17:50"], "[0].haystack_sessions[1]"),
        ("haystack_dates", ["2023/04/10 (Mon) 17:50", "?"], "[0].haystack_dates[1]"),
        ("haystack_session_ids", ["answer_1", []], "[0].haystack_session_ids[1]"),
    ],
)
def test_a_damaged_session_is_named_and_the_others_are_kept(
    field: str, value: object, place: str
) -> None:
    data: Any = copy.deepcopy(LONGMEMEVAL)
    data[0][field] = value
    parsed = parse(data, only="q-one")
    assert keys(parsed) == ["answer_1"]
    assert [problem.place for problem in parsed.problems] == [place]


def test_a_damaged_turn_is_named() -> None:
    data: Any = copy.deepcopy(LONGMEMEVAL)
    data[0]["haystack_sessions"][1][0] = {"role": "narrator", "content": "x"}
    parsed = parse(data, only="q-one")
    assert keys(parsed) == ["answer_1"]
    (problem,) = parsed.problems
    assert problem.place == "[0].haystack_sessions[1][0].role"
    assert "found 'narrator'" in problem.message


def test_all_evidence_turns_are_read(shared_data: Path) -> None:
    parsed = read(shared_data / "longmemeval" / "evidence_turns.json", zone=UTC)
    assert len(parsed.groups) == 479
    assert len(parsed.conversations) == 854
    assert sum(len(one.turns) for one in parsed.conversations) == 896
    assert len(parsed.problems) == 1
