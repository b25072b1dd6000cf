from __future__ import annotations

import copy
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from forethought.memory.formats import read, read_text
from tests.unit.memory.formats.samples import MEMORYQUEST, OFFICIAL, keys, parse, problems, talk


def test_a_session_is_named_by_its_user_and_its_id() -> None:
    parsed = parse(MEMORYQUEST)
    assert parsed.format == "memoryquest"
    assert keys(parsed) == ["mq05/s01", "mq05/s02"]
    assert talk(parsed.conversations[0]) == [
        ("user", "Hola, ¿qué tal? 👩‍🎓"),
        ("assistant", "Bien."),
    ]
    assert parsed.groups == ("mq05",)
    assert parsed.problems == ()


def test_a_bare_date_is_midnight_where_the_bank_is() -> None:
    parsed = parse(MEMORYQUEST, zone=ZoneInfo("America/Chicago"))
    assert parsed.conversations[0].date == datetime(2024, 8, 14, 5, 0, tzinfo=UTC)


def test_an_official_file_is_one_user_named_by_the_file() -> None:
    text = json.dumps(OFFICIAL)
    parsed = read_text(text, name="data/user37.json", zone=UTC)
    assert parsed.groups == ("user37",)
    assert keys(parsed)[0] == "user37/7"
    assert keys(parsed)[1].startswith("user37/content-")
    assert talk(parsed.conversations[0]) == [("user", "I take the train."), ("assistant", "Noted.")]
    assert talk(parsed.conversations[1]) == [("user", "Any news?")]
    assert parsed.problems == ()


@pytest.mark.parametrize(
    ("where", "value", "expected"),
    [
        (
            ["sessions", 0, "conversation", 1],
            "hi",
            "x.json: sessions[0].conversation[1]: expected an object such as "
            '{"user": text} or {"assistant": text}, found a string',
        ),
        (
            ["sessions", 0, "conversation", 1, "assistant"],
            3,
            "x.json: sessions[0].conversation[1].assistant: expected a string, found a number",
        ),
        (
            ["sessions", 0, "conversation"],
            None,
            'x.json: sessions[0]: expected "conversation" or "turns" or "messages" here, '
            "found none",
        ),
        (
            ["sessions", 0],
            [],
            "x.json: sessions[0]: expected a JSON object, found a list",
        ),
        (
            ["sessions", 0, "id"],
            {},
            "x.json: sessions[0].id: expected a session id, found an object",
        ),
        (
            ["sessions", 0, "id"],
            " ",
            "x.json: sessions[0].id: expected a session id, found an empty string",
        ),
        (
            ["sessions", 0, "conversation", 0],
            {"narrator": "Once"},
            "x.json: sessions[0].conversation[0]: expected an object such as "
            '{"user": text} or {"assistant": text}, found neither key',
        ),
        (
            ["sessions", 0, "conversation", 0, "user"],
            None,
            "x.json: sessions[0].conversation[0].user: expected a string, found null",
        ),
        (
            ["sessions", 0, "conversation", 0, "user"],
            True,
            "x.json: sessions[0].conversation[0].user: expected a string, found true or false",
        ),
    ],
)
def test_a_damaged_session_is_named_and_the_others_are_kept(
    where: list[Any], value: object, expected: str
) -> None:
    data: Any = copy.deepcopy(MEMORYQUEST)
    part = data
    for step in where[:-1]:
        part = part[step]
    part[where[-1]] = value
    parsed = parse(data)
    assert keys(parsed) == ["mq05/s02"]
    assert problems(parsed) == [expected]


def test_a_date_that_cannot_be_read_is_shown_with_its_place() -> None:
    data: Any = copy.deepcopy(MEMORYQUEST)
    data["sessions"][1]["date"] = "the other day"
    (problem,) = parse(data, date=datetime(2024, 1, 1)).problems
    assert problem.place == "sessions[1].date"
    assert "'the other day'" in problem.message


def test_an_unreadable_user_id_is_reported_and_the_sessions_are_kept() -> None:
    data: Any = copy.deepcopy(MEMORYQUEST)
    data["demographics"]["user_id"] = [5]
    parsed = parse(data)
    assert keys(parsed) == ["x/s01", "x/s02"]
    assert "demographics.user_id" in problems(parsed)[0]


def test_sessions_that_are_no_list_are_a_problem_of_a_known_format() -> None:
    parsed = parse({**MEMORYQUEST, "sessions": "none"})
    assert problems(parsed) == ["x.json: sessions: expected a list of sessions, found a string"]
    assert parsed.conversations == ()


def test_every_session_of_the_mini_set_is_read(shared_data: Path) -> None:
    path = shared_data / "memoryquest-mini" / "mq05.json"
    parsed = read(path, zone=UTC)
    sessions = json.loads(path.read_text(encoding="utf-8"))["sessions"]
    assert keys(parsed) == [f"mq05/{session['id']}" for session in sessions]
    assert [len(one.turns) for one in parsed.conversations] == [
        len(session["conversation"]) for session in sessions
    ]
    assert parsed.problems == ()


def test_the_folder_of_the_mini_set_holds_six_people_and_three_other_files(
    shared_data: Path,
) -> None:
    parsed = read(shared_data / "memoryquest-mini", zone=UTC, only="mq07")
    assert parsed.groups == ("mq01", "mq02", "mq04", "mq05", "mq07", "mq08")
    assert all(key.startswith("mq07/") for key in keys(parsed))
    assert [Path(problem.path).name for problem in parsed.problems] == [
        "cues.jsonl",
        "lookups.jsonl",
        "prospections.jsonl",
    ]
