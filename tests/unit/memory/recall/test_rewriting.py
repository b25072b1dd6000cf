from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forethought.memory.recall.rewriting import Rewritten, faithful

ASKED = "And when did I buy it?"
RESTATED = "When did I buy the red kayak?"


@pytest.mark.parametrize(
    ("asked", "request_", "query"),
    [
        (ASKED, RESTATED, "User bought the red kayak"),
        (ASKED, ASKED, "What the user wanted to buy"),
        ("¿Cuándo lo compré?", "¿Cuándo compré el kayak rojo?", "El kayak del usuario es rojo"),
        ("何时买的？", "我何时买的红色皮艇？", "用户买了红色皮艇"),
    ],
)
def test_what_says_the_same_is_kept(asked: str, request_: str, query: str) -> None:
    said = Rewritten(request_, query)
    assert faithful(said, asked) == (said, ())


@pytest.mark.parametrize("echo", ["", "...", "<value>", "Sports are healthy", "你好"])
def test_what_has_nothing_to_do_with_the_request_gives_way_to_it_and_is_named(echo: str) -> None:
    kept, notes = faithful(Rewritten(echo, "The kayak they buy"), ASKED)
    assert (kept.request, kept.query, len(notes)) == (ASKED, "The kayak they buy", 1)
    kept, notes = faithful(Rewritten(RESTATED, echo), ASKED)
    assert (kept.request, kept.query, len(notes)) == (RESTATED, RESTATED, 1)
    kept, notes = faithful(Rewritten(echo, echo), ASKED)
    assert (kept.request, kept.query, len(notes)) == (ASKED, ASKED, 2)


def test_a_query_may_resemble_the_restated_request_alone() -> None:
    query = "A red kayak"
    assert faithful(Rewritten(RESTATED, query), ASKED)[0].query == query
    assert faithful(Rewritten("...", query), ASKED)[0].query == ASKED


def test_memory_is_searched_by_the_request_and_what_it_is_to_find() -> None:
    assert Rewritten(ASKED, ASKED).searched == ASKED
    assert Rewritten(RESTATED, "A red kayak").searched == f"{RESTATED} A red kayak"


@given(st.text(), st.text(), st.text(min_size=1))
def test_something_of_the_request_is_always_searched_by(
    request: str, query: str, asked: str
) -> None:
    kept, _ = faithful(Rewritten(request, query), asked)
    assert kept.request and kept.query
    assert kept.searched.startswith(kept.request)
