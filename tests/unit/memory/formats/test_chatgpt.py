from __future__ import annotations

import copy
from datetime import UTC, datetime
from typing import Any

import pytest

from tests.unit.memory.formats.samples import CHATGPT, keys, parse, problems, talk

BRANCH = [
    ("system", "Preferred name: Elin\nBe brief."),
    ("user", "[image]\nMuutan Tampereelle 🏠"),
    ("tool", "1 + 1"),
    ("tool", "2"),
    ("assistant", "Onnea!"),
]


def exported() -> Any:
    return copy.deepcopy(CHATGPT)


def test_the_branch_that_the_user_ended_on_is_read() -> None:
    parsed = parse(CHATGPT)
    assert parsed.format == "chatgpt"
    assert keys(parsed) == ["conv-a"]
    assert talk(parsed.conversations[0]) == BRANCH
    assert parsed.conversations[0].date == datetime.fromtimestamp(1712345678.9, UTC)
    assert parsed.problems == ()


def test_what_goes_to_a_tool_and_comes_back_is_not_the_assistants_word() -> None:
    turns = parse(CHATGPT).conversations[0].turns
    assert [(turn.role, turn.name) for turn in turns[2:4]] == [("tool", "python")] * 2


def test_hidden_messages_never_count_as_the_users() -> None:
    data = exported()
    message = data[0]["mapping"]["a"]["message"]
    message["metadata"] = {"is_visually_hidden_from_conversation": True}
    assert "user" not in {role for role, _ in talk(parse(data).conversations[0])}


def test_a_conversation_alone_reads_like_a_list_of_one() -> None:
    assert parse(CHATGPT[0]).conversations == parse(CHATGPT).conversations


def test_without_its_own_time_a_conversation_has_that_of_its_first_message() -> None:
    data = exported()
    del data[0]["create_time"]
    assert parse(data).conversations[0].date == datetime.fromtimestamp(1712345679, UTC)


def test_a_cycle_is_reported_and_each_message_read_once() -> None:
    data = exported()
    data[0]["mapping"]["a"]["parent"] = "d"
    parsed = parse(data)
    assert talk(parsed.conversations[0]) == BRANCH[1:]
    assert problems(parsed) == [
        "x.json: [0].mapping: 'd' is its own ancestor: kept what comes after it"
    ]


def test_a_missing_parent_is_reported_and_what_follows_is_kept() -> None:
    data = exported()
    del data[0]["mapping"]["b"]
    parsed = parse(data)
    assert talk(parsed.conversations[0]) == BRANCH[3:]
    assert problems(parsed) == ["x.json: [0].mapping: 'b' is missing: kept what comes after it"]


@pytest.mark.parametrize("end", ["nowhere", 5, None])
def test_without_a_known_end_the_newest_branch_is_kept_and_said(end: object) -> None:
    data = exported()
    data[0]["current_node"] = end
    data[0]["mapping"]["d"]["message"]["create_time"] = 1712345700
    parsed = parse(data)
    assert talk(parsed.conversations[0]) == BRANCH
    assert problems(parsed) == [
        'x.json: [0]: "current_node" names no message: kept the newest branch'
    ]


def test_a_tree_that_ends_nowhere_is_reported() -> None:
    data = exported()
    del data[0]["current_node"]
    data[0]["mapping"] = {"a": {"parent": "b", "message": None}, "b": {"parent": "a"}}
    parsed = parse(data)
    assert [one.turns for one in parsed.conversations] == [()]
    assert problems(parsed) == [
        'x.json: [0]: expected the id of the last message in "current_node"'
    ]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ({"content_type": "text", "parts": ["a", "", "b"]}, ["a\nb"]),
        ({"content_type": "text", "parts": [None, "a"]}, ["a"]),
        ({"content_type": "text", "parts": [""]}, []),
        ({"content_type": "code", "text": "x = 1"}, ["x = 1"]),
        (
            {
                "content_type": "multimodal_text",
                "parts": [
                    {"content_type": "audio_transcription", "text": "Hello there"},
                    {"content_type": "audio_asset_pointer"},
                    {"content_type": "real_time_user_audio_video_asset_pointer"},
                ],
            },
            ["Hello there\n[audio]\n[audio]"],
        ),
        ({"content_type": "tether_browsing_display", "result": "Found it"}, ["Found it"]),
        ({"content_type": "reasoning_recap", "content": "Thought for 3 s"}, []),
        ({"content_type": "brand_new"}, ["[brand_new]"]),
        (None, []),
    ],
)
def test_each_kind_of_content_is_text_or_a_placeholder(content: object, said: list[str]) -> None:
    data = exported()
    data[0]["mapping"]["d"]["message"]["content"] = content
    texts = [text for role, text in talk(parse(data).conversations[0]) if role == "assistant"]
    assert texts == said


@pytest.mark.parametrize(
    ("where", "value", "place"),
    [
        (["mapping"], "gone", "[0].mapping"),
        (["mapping", "d", "message"], "gone", "[0].mapping.d.message"),
        (["mapping", "d", "message", "author"], None, "[0].mapping.d.message"),
        (
            ["mapping", "d", "message", "author", "role"],
            "critic",
            "[0].mapping.d.message.author.role",
        ),
        (["mapping", "d", "message", "content", "parts"], 3, "[0].mapping.d.message.content.parts"),
        (["create_time"], "then", "[0].create_time"),
        (["conversation_id"], [], "[0].conversation_id"),
    ],
)
def test_a_damaged_conversation_is_named_and_the_others_are_kept(
    where: list[Any], value: object, place: str
) -> None:
    data = exported() + exported()
    data[1]["conversation_id"] = "conv-b"
    part = data[0]
    for step in where[:-1]:
        part = part[step]
    part[where[-1]] = value
    parsed = parse(data)
    assert keys(parsed) == ["conv-b"]
    assert [problem.place for problem in parsed.problems] == [place]
