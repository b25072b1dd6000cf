from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.flows.cli.bench import Cli, chats, obedient
from tests.flows.openai_stub import OpenAIStub, openai_stub, user_text

SAID = (
    "Ana Ruiz and Bruno play padel",
    "Ana plays well, says Bruno",
    "Ilse sings with Ana Costa",
    "Ana and Ilse have a cold",
    "Nena called",
)
_NAMES = ("Ana Ruiz", "Ana Costa", "Ana", "Bruno", "Ilse", "Nena")


def _naming(schema: str, request: dict[str, Any]) -> str:
    """Says of whom each fact is, by the names that stand in it."""
    reply = obedient(schema, request)
    if schema != "Extraction":
        return reply
    facts = json.loads(reply)["facts"]
    assert user_text(request)
    for fact in facts:
        found = [n for n in _NAMES if re.search(rf"\b{n}\b", fact["text"])]
        full = [n for n in found if n != "Ana" or not {"Ana Ruiz", "Ana Costa"} & set(found)]
        fact["entities"] = [{"name": name, "kind": "PERSON"} for name in full]
    return json.dumps({"facts": facts})


@pytest.fixture
def stub() -> Iterator[OpenAIStub]:
    with openai_stub(_naming) as stub:
        yield stub


@pytest.fixture
def told(cli: Cli) -> Cli:
    """A bank in which Ana is two."""
    cli("retain", "-", input=chats(*SAID))
    return cli


def _named(cli: Cli) -> dict[str, set[str]]:
    found = cli.json("entities")["entities"]
    return {one["name"]: {other["name"] for other in one["others"]} for one in found}


def test_entities_are_listed_with_their_other_names(told: Cli) -> None:
    assert _named(told) == {
        "Ana Ruiz": {"Ana"}, "Ana Costa": {"Ana"}, "Bruno": set(), "Ilse": set(), "Nena": set(),
    }  # fmt: skip
    (ruiz,) = [one for one in told.json("entities")["entities"] if one["name"] == "Ana Ruiz"]
    assert (ruiz["kind"], ruiz["facts"]) == ("PERSON", 2)
    assert (ruiz["first"], ruiz["last"]) == ("2025-01-01", "2025-01-02")
    assert re.search(r"Ana Ruiz +PERSON +2 +2025-01-01 +2025-01-02 +Ana", told("entities").stdout)


@pytest.mark.parametrize("name", ["Ana Ruiz", "ana ruiz", "ID"])
def test_an_entitys_facts_are_those_of_all_its_names_latest_first(told: Cli, name: str) -> None:
    if name == "ID":
        (name,) = [e["id"] for e in told.json("entities")["entities"] if e["name"] == "Ana Ruiz"]
    shown = told.json("entities", "show", name)
    assert [fact["text"] for fact in shown["facts"]] == [SAID[1], SAID[0]]
    assert shown["entity"]["name"] == "Ana Ruiz"
    assert SAID[0] in told("entities", "show", name).stdout


def test_a_merge_joins_and_a_split_undoes_it_for_good(told: Cli) -> None:
    assert (
        "Nena is another name of Ana Costa" in told("entities", "merge", "Nena", "Ana Costa").stdout
    )
    assert _named(told)["Ana Costa"] == {"Ana", "Nena"}
    merged = told.json("entities", "show", "Nena")
    assert [fact["text"] for fact in merged["facts"]] == [SAID[4], SAID[3], SAID[2]]
    split = told.json("entities", "split", "Nena")["entity"]
    assert (split["into"], split["joined_by"]) == (None, "user")
    assert [fact["text"] for fact in told.json("entities", "show", "Nena")["facts"]] == [SAID[4]]


def test_a_name_that_two_bear_is_refused_with_all_that_it_may_be(told: Cli) -> None:
    refused = told("entities", "split", "Ana", code=2).stderr
    ids = re.findall(r"e[0-9a-f]{12}", refused)
    assert len(ids) == 2
    assert "a name of Ana Ruiz" in refused and "a name of Ana Costa" in refused
    told("entities", "split", ids[0])
    told("entities", "show", "Ana", code=2)


def test_an_unknown_name_is_refused_with_those_like_it(told: Cli) -> None:
    refused = told("entities", "show", "Ilsa", code=1).stderr
    assert "no entity 'Ilsa'" in refused and "Ilse (e" in refused
    assert "did you mean" not in told("entities", "show", "Zoe", code=1).stderr


def test_an_entity_is_not_joined_to_its_own_name(told: Cli) -> None:
    told("entities", "merge", "Ilse", "Ilse", code=2)
    told("entities", "merge", "Ilse", "Bruno")
    assert "joined to it already" in told("entities", "merge", "Bruno", "Ilse", code=2).stderr


def test_a_bank_without_entities_says_so(modelless: Cli) -> None:
    assert "No fact mentions" in modelless("entities").stderr
    assert modelless.json("entities")["entities"] == []


def test_the_graph_is_drawn_into_a_page(told: Cli, tmp_path: Path) -> None:
    page = tmp_path / "graph.html"
    drawn = told.json("show", "graph", "--out", str(page))
    assert (drawn["file"], drawn["facts"], drawn["of"]) == (str(page), len(SAID), len(SAID))
    assert drawn["entities"] >= 2 and drawn["edges"] > len(SAID)
    assert all(said in page.read_text("utf-8") for said in SAID)
    assert "Drew 1 of 5 facts" in told("show", "graph", "--limit", "1", "--out", str(page)).stdout


def test_a_picture_needs_facts_and_a_file(cli: Cli) -> None:
    assert "no facts to draw" in cli("show", "graph", code=1).stderr
    assert "name a file" in cli("show", "graph", "--out", "-", code=2).stderr
