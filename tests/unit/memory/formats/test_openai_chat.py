from __future__ import annotations

import copy
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from tests.unit.memory.formats.samples import (
    MESSAGES,
    OPENAI,
    keys,
    parse,
    parse_lines,
    problems,
    talk,
)

DAY = "2024-05-01"


def test_conversations_keep_their_ids_dates_and_roles() -> None:
    parsed = parse(OPENAI)
    assert parsed.format == "openai"
    assert keys(parsed) == ["chat-1", "chat-2"]
    assert parsed.groups == ()
    assert parsed.conversations[0].date == datetime(2024, 5, 1, 8, 0, tzinfo=UTC)
    assert talk(parsed.conversations[0]) == [
        ("system", "Be brief."),
        ("user", "我明天搬家。"),
        ("tool", "free all day"),
        ("assistant", "祝你好运！🚚"),
    ]
    assert parsed.conversations[0].turns[2].name == "diary"
    assert parsed.problems == ()


def test_without_a_date_of_its_own_a_conversation_has_that_of_its_first_message() -> None:
    assert parse(OPENAI).conversations[1].date == datetime(2024, 5, 1, 19, 0, tzinfo=UTC)


def test_a_single_conversation_reads_like_a_list_of_one() -> None:
    assert parse(OPENAI[0]).conversations == parse([OPENAI[0]]).conversations


def test_a_list_of_messages_is_one_session() -> None:
    parsed = parse(MESSAGES)
    (session,) = parsed.conversations
    assert session.date == datetime(2024, 5, 1, 9, 0, tzinfo=UTC)
    assert [turn.role for turn in session.turns] == ["system", "user", "assistant", "user"]


def test_one_message_to_a_line_makes_one_session_a_day() -> None:
    parsed = parse_lines(MESSAGES)
    assert [len(one.turns) for one in parsed.conversations] == [3, 1]
    assert [one.date.day for one in parsed.conversations] == [1, 2]


def test_a_message_without_a_date_belongs_to_the_day_around_it() -> None:
    parsed = parse_lines([*MESSAGES, {"role": "assistant", "content": "Wrap up warm."}])
    assert [len(one.turns) for one in parsed.conversations] == [3, 2]


def test_the_day_ends_at_midnight_where_the_bank_is() -> None:
    late: list[object] = [
        {"role": "user", "content": "Night", "timestamp": "2024-05-01T23:30:00Z"},
        {"role": "assistant", "content": "Owl", "timestamp": "2024-05-02T00:30:00Z"},
    ]
    assert len(parse_lines(late).conversations) == 2
    assert len(parse_lines(late, zone=ZoneInfo("Europe/Helsinki")).conversations) == 1


def test_messages_with_a_session_id_form_that_session_however_they_are_mixed() -> None:
    lines: list[object] = [
        {"session_id": s, "role": "user", "content": f"{s}{n}", "date": f"2024-05-0{n}"}
        for n in (1, 2)
        for s in ("a", "b")
    ]
    parsed = parse_lines(lines)
    assert keys(parsed) == ["a", "b"]
    assert talk(parsed.conversations[0]) == [("user", "a1"), ("user", "a2")]
    assert parse(lines).conversations == parsed.conversations


def test_a_log_that_grew_gives_the_same_session_with_more_turns() -> None:
    before, after = parse_lines(MESSAGES[:2]), parse_lines(MESSAGES[:3])
    assert keys(before) == keys(after)
    assert len(after.conversations[0].turns) == len(before.conversations[0].turns) + 1


def test_chats_that_only_share_their_system_prompt_have_different_names() -> None:
    def chat(said: str) -> dict[str, object]:
        system = {"role": "system", "content": "You are helpful."}
        return {"date": DAY, "messages": [system, {"role": "user", "content": said}]}

    assert len(set(keys(parse([chat("one"), chat("two")])))) == 2
    assert keys(parse(chat("two"))) == keys(parse([chat("one"), chat("two")]))[1:]


def test_a_conversation_without_a_date_is_a_problem_that_says_what_to_do() -> None:
    undated = {"messages": [{"role": "user", "content": "Hi"}]}
    parsed = parse([undated, OPENAI[0]])
    assert keys(parsed) == ["chat-1"]
    (problem,) = problems(parsed)
    assert problem.startswith("x.json: [0]: has no date: add one")
    given = parse([undated], date=datetime(2024, 1, 2), zone=ZoneInfo("Europe/Helsinki"))
    assert given.conversations[0].date == datetime(2024, 1, 1, 22, 0, tzinfo=UTC)
    assert given.problems == ()


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("plain", "plain"),
        ([{"type": "text", "text": "a"}, {"type": "input_text", "text": "b"}], "a\nb"),
        ([{"type": "image_url", "image_url": {"url": "u"}}, "see"], "[image]\nsee"),
        ([{"type": "input_audio", "input_audio": {}}], "[audio]"),
        ([{"type": "input_file", "file_id": "f"}], "[file]"),
        ([{"type": "text", "text": {"value": "v", "annotations": []}}], "v"),
        ([{"type": "refusal", "refusal": "No."}], "No."),
        ([{"type": "hologram"}], "[hologram]"),
    ],
)
def test_content_parts_become_text(content: object, text: str) -> None:
    parsed = parse({"date": DAY, "messages": [{"role": "user", "content": content}]})
    assert talk(parsed.conversations[0]) == [("user", text)]


@pytest.mark.parametrize(
    ("role", "ours"),
    [("developer", "system"), ("system", "system"), ("function", "tool"), ("User", "user")],
)
def test_roles_have_one_name(role: str, ours: str) -> None:
    parsed = parse({"date": DAY, "messages": [{"role": role, "content": "x"}]})
    assert parsed.conversations[0].turns[0].role == ours


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ([], 'messages[0]: expected a JSON object with "role" and "content", found a list'),
        (
            {"role": "user"},
            'messages[0]: expected a JSON object with "role" and "content", found no',
        ),
        ({"role": "bard", "content": ""}, "messages[0].role: expected a role (user, assistant"),
        ({"role": 5, "content": ""}, "messages[0].role: expected a role (user, assistant"),
        ({"role": "user", "content": 5}, "messages[0].content: expected a string or a list of"),
        ({"role": "user", "content": [5]}, "messages[0].content[0]: expected a string or an"),
        ({"role": "user", "content": [{"type": 1}]}, "messages[0].content[0].type: expected the"),
    ],
)
def test_a_damaged_message_is_named_and_other_conversations_are_kept(
    message: object, expected: str
) -> None:
    parsed = parse([{"date": DAY, "messages": [message]}, OPENAI[0]])
    assert keys(parsed) == ["chat-1"]
    (problem,) = problems(parsed)
    assert problem.startswith(f"x.json: [0].{expected}")


def test_a_damaged_line_is_named_and_the_other_lines_are_kept() -> None:
    lines = [*MESSAGES[1:3], "[1, 2]", '{"role": "us', {**_message(3), "date": "?"}, _message(3)]
    parsed = parse_lines(lines)
    assert [len(one.turns) for one in parsed.conversations] == [2, 1]
    shown = problems(parsed)
    assert shown[0].startswith("x.jsonl: line 4: is not valid JSON (Unterminated string")
    assert shown[1].startswith("x.jsonl: line 5, date: expected a date, found '?'")
    assert shown[2].startswith('x.jsonl: line 3: expected {"messages"')
    assert shown[2].endswith("found a list")


def test_a_damaged_message_in_a_list_spoils_only_that_session() -> None:
    data: Any = copy.deepcopy(MESSAGES)
    data[2] = 7
    parsed = parse(data)
    assert parsed.conversations == ()
    assert problems(parsed) == [
        'x.json: [2]: expected a JSON object with "role" and "content", found a number'
    ]


def test_a_list_that_mixes_conversations_and_messages_keeps_both() -> None:
    assert len(parse([OPENAI[0], MESSAGES[1]]).conversations) == 2


def _message(position: int) -> dict[str, object]:
    message = MESSAGES[position]
    assert isinstance(message, dict)
    return message
