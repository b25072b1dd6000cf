from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from forethought.evals.memoryquest import read_folder
from forethought.memory import ids
from forethought.memory.errors import InvalidInput
from tests.unit.evals import samples


def _read(folder: Path, **changes: Any) -> None:
    read_folder(samples.write_mini(folder, **changes))


def test_a_mini_set_is_read_with_what_was_recorded(tmp_path: Path) -> None:
    folder = read_folder(samples.write_mini(tmp_path))
    (person,) = folder.people
    assert person.name == "u1"
    assert [talk.key for talk in person.conversations] == ["u1/s01", "u1/s02"]
    assert [item.id for item in person.lookups] == ["u1/l1"]
    assert folder.prospections is not None
    assert [step.action for step in folder.prospections["u1/q1"].phase1] == ["sleep beside a pet"]
    assert folder.cues is not None
    assert set(folder.cues) == {"u1/f1", "u1/f2", "u1/f3"}


def test_facts_come_from_the_sessions_that_retain_would_log(tmp_path: Path) -> None:
    (person,) = read_folder(samples.write_mini(tmp_path)).people
    knee = person.facts()[2]
    session = ids.session_id("u1", "u1/s02")
    assert knee.text == samples.KNEE
    assert knee.sources[0].session == session
    assert knee.id == ids.fact_id("u1", session, samples.KNEE)
    assert knee.date == datetime(2025, 2, 1, tzinfo=UTC)


def test_a_query_is_asked_when_all_facts_of_its_day_are_known(tmp_path: Path) -> None:
    (person,) = read_folder(samples.write_mini(tmp_path)).people
    assert all(fact.date < person.user.queries[0].date for fact in person.facts())


def test_an_official_file_has_no_facts_and_may_lack_ids(tmp_path: Path) -> None:
    given = samples.official_user()
    del given["demographics"]
    samples.write_json(tmp_path / "anna.json", given)
    folder = read_folder(tmp_path)
    (person,) = folder.people
    assert person.name == "anna"
    assert person.facts() == []
    assert [query.id for query in person.user.queries] == ["q1"]
    assert person.user.queries[0].needed_references[0] == ("2025-01-01", samples.CAT)
    assert (folder.prospections, folder.cues, folder.lookups) == (None, None, False)


def test_a_reference_to_no_fact_is_named(tmp_path: Path) -> None:
    query = {"id": "q7", "date": "2025-02-01", "query": "?", "needed_references": ["f9"]}
    with pytest.raises(InvalidInput, match=r"u1\.json: queries, q7: needed_references.*'f9'"):
        _read(tmp_path, queries=[query])


def test_a_lookup_of_no_fact_is_named(tmp_path: Path) -> None:
    samples.write_mini(tmp_path)
    lookup = {"id": "u1/l4", "query": "?", "needed_references": ["f9"]}
    samples.write_lines(tmp_path / "lookups.jsonl", [lookup])
    with pytest.raises(InvalidInput, match=r"lookups\.jsonl: u1/l4: needed_references.*'f9'"):
        read_folder(tmp_path)


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"queries": []}, "queries: "),
        ({"queries": "none"}, "queries: "),
        ({"facts": [samples.fact("f1", "")]}, "facts.0.info: "),
        ({"facts": [samples.fact("f1", "x") | {"type": "Mood"}]}, "facts.0.type: "),
        ({"facts": [samples.fact("f1", "x") | {"date": "soon"}]}, "facts.0.date: "),
        ({"sessions": [{"id": "s01", "conversation": []}]}, "sessions[0]"),
    ],
)
def test_damage_is_named_by_file_and_place(
    tmp_path: Path, changes: dict[str, Any], place: str
) -> None:
    with pytest.raises(InvalidInput) as caught:
        _read(tmp_path, **changes)
    assert f"u1.json: {place}" in str(caught.value)


def test_a_folder_without_users_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="expected MemoryQuest users"):
        read_folder(tmp_path)
