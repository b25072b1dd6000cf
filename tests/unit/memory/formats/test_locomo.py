from __future__ import annotations

import copy
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from forethought.memory.errors import InvalidInput
from forethought.memory.formats import read
from tests.unit.memory.formats.samples import LOCOMO, keys, parse, problems


def test_sessions_come_in_the_order_of_their_numbers() -> None:
    parsed = parse(LOCOMO, only="conv-26")
    assert parsed.format == "locomo"
    assert keys(parsed) == ["conv-26/session_2", "conv-26/session_10"]
    assert parsed.conversations[1].date == datetime(2023, 9, 13, 0, 9, tzinfo=UTC)


def test_both_speakers_are_people_with_names_and_photos_become_text() -> None:
    turns = parse(LOCOMO, only="conv-26").conversations[0].turns
    assert [(turn.role, turn.name) for turn in turns] == [("user", "Caroline"), ("user", "Melanie")]
    assert turns[1].text == "Look at this. [shares a photo: a photo of a sunset over a lake]"


def test_a_photo_without_words_or_caption_is_still_said() -> None:
    data: Any = copy.deepcopy(LOCOMO)
    data[1]["conversation"]["session_1"] = [{"speaker": "Jon", "img_url": ["u"], "text": ""}]
    assert parse(data, only="conv-30").conversations[0].turns[0].text == "[shares a photo]"


def test_several_people_in_one_file_are_all_read_and_said_to_need_a_bank_each() -> None:
    parsed = parse(LOCOMO)
    assert parsed.groups == ("conv-26", "conv-30")
    assert keys(parsed) == ["conv-26/session_2", "conv-26/session_10", "conv-30/session_1"]
    (problem,) = problems(parsed)
    assert problem.startswith("x.json: holds the conversations of 2 people (conv-26, conv-30)")


def test_one_person_asked_for_is_read_without_complaint() -> None:
    parsed = parse(LOCOMO, only="conv-30")
    assert keys(parsed) == ["conv-30/session_1"]
    assert parsed.groups == ("conv-26", "conv-30")
    assert parsed.problems == ()


def test_a_person_who_is_not_there_is_refused_with_those_who_are() -> None:
    with pytest.raises(InvalidInput, match='"conv-1".*conv-26, conv-30'):
        parse(LOCOMO, only="conv-1")


@pytest.mark.parametrize(
    ("field", "value", "place"),
    [
        ("session_2_date_time", None, "[0].conversation.session_2"),
        ("session_2_date_time", "noon", "[0].conversation.session_2_date_time"),
        ("session_2", "gone", "[0].conversation.session_2"),
        ("session_2", [{"text": "Who am I?"}], "[0].conversation.session_2[0]"),
        ("session_2", [{"speaker": "A", "text": 1}], "[0].conversation.session_2[0].text"),
    ],
)
def test_a_damaged_session_is_named_and_the_others_are_kept(
    field: str, value: object, place: str
) -> None:
    data: Any = copy.deepcopy(LOCOMO)
    data[0]["conversation"][field] = value
    parsed = parse(data, only="conv-26")
    assert keys(parsed) == ["conv-26/session_10"]
    assert [problem.place for problem in parsed.problems] == [place]


def test_a_damaged_sample_is_named_and_the_others_are_kept() -> None:
    parsed = parse([17, *LOCOMO], only="conv-30")
    assert keys(parsed) == ["conv-30/session_1"]
    assert problems(parsed)[0].startswith('x.json: [0]: expected {"sample_id", "conversation"')
    assert problems(parsed)[0].endswith("found a number")


def test_an_unnamed_sample_is_named_by_its_place() -> None:
    data: Any = copy.deepcopy(LOCOMO)
    del data[1]["sample_id"]
    assert parse(data).groups == ("conv-26", "sample-1")


def test_every_turn_of_locomo_is_read(shared_data: Path) -> None:
    parsed = read(shared_data / "locomo" / "locomo10.json", zone=UTC)
    assert len(parsed.groups) == 10
    assert len(parsed.conversations) == 272
    assert sum(len(one.turns) for one in parsed.conversations) == 5882
    assert len(parsed.problems) == 1
    photos = [t for one in parsed.conversations for t in one.turns if "[shares a photo: " in t.text]
    assert len(photos) == 1226
