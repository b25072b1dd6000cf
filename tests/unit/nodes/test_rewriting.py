from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forethought.memory.dimensions import UNSAID, Dimensions
from forethought.memory.recall.rewriting import Original, Rewriting, Rewritten
from forethought.nodes.bearing import bearing_of
from forethought.nodes.context import Context
from forethought.nodes.model import Model
from forethought.nodes.parsing import Parsed, Unfit, parse
from forethought.nodes.rewriting import ModelRewriter, kept, rewritten_in, told
from forethought.prompts.rewrite import Rewrite
from tests.flows.scripted import ScriptedChat

ORIGINAL = Original("When was the trip?", date(2025, 6, 10))
SAID: dict[str, Any] = {"request": "When was my trip?", "query": "User's trip"}
DAYS = {"first_day": "2025-06-07", "last_day": "2025-06-08"}


async def _made(**said: Any) -> Rewriting:
    chat = ScriptedChat(answers={"rewrite": {**SAID, **said}}, calls=[])
    return await ModelRewriter(Model(chat, name="scripted", timeout=5)).rewrite(ORIGINAL, tries=1)


async def test_a_whole_reply_is_taken_over() -> None:
    made = await _made(**DAYS, tense="Past", subjectivity="objective", certainty=None)
    wanted = Dimensions("past", "objective")
    days = (date(2025, 6, 7), date(2025, 6, 8))
    assert made.rewritten == Rewritten("When was my trip?", "User's trip", days, wanted)
    assert (made.notes, made.usage["calls"]) == ((), 1)


@pytest.mark.parametrize(
    ("first", "last", "days"),
    [
        ("2025-06-07", "2025-06-07", (date(2025, 6, 7), date(2025, 6, 7))),
        ("2025-06", "2025-06", (date(2025, 6, 1), date(2025, 6, 30))),
        ("2024", "2025-01-03T12:00:00", (date(2024, 1, 1), date(2025, 1, 3))),
    ],
)
async def test_months_and_years_are_days_as_well(first: str, last: str, days: Any) -> None:
    assert (await _made(first_day=first, last_day=last)).rewritten.days == days


@pytest.mark.parametrize(
    ("first", "last"),
    [
        ("soon", "later"), ("2025-02-30", "2025-03-01"), ("2025-03-02", "2025-03-01"),
        ("2025-03-02", None), (None, "2025-03-02"), ("0000", "99999"),
    ],
)  # fmt: skip
async def test_what_is_no_day_is_left_out_and_named(first: str | None, last: str | None) -> None:
    made = await _made(first_day=first, last_day=last)
    assert made.rewritten.days is None
    assert [note.split(",")[0] for note in made.notes] == ["days left out"]


@pytest.mark.parametrize("none", [None, "", "  ", 20250607, ["2025-06-07"], {}])
async def test_no_days_are_no_fault(none: Any) -> None:
    made = await _made(first_day=none, last_day=none)
    assert (made.rewritten.days, made.notes) == (None, ())


@given(st.dictionaries(st.sampled_from(sorted(Rewrite.model_fields)), st.none() | st.text() |
                       st.integers() | st.lists(st.text(), max_size=2)))  # fmt: skip
def test_any_reply_with_one_of_the_texts_is_read_and_no_other(said: dict[str, Any]) -> None:
    texts = [said.get("request"), said.get("query")]
    has_one = any(isinstance(text, str) and text.split() for text in texts)
    assert isinstance(parse(json.dumps(said), Rewrite), Parsed if has_one else Unfit)


def test_what_is_kept_in_the_state_is_read_back_as_it_was() -> None:
    days = (date(2025, 6, 7), date(2025, 6, 8))
    rewritten = Rewritten("When was my trip?", "User's trip", days, Dimensions("past"))
    state = {"query": "When?", "rewriting": kept(Rewriting(rewritten), ORIGINAL)}
    assert rewritten_in(state) == rewritten
    found = bearing_of(state, Context())
    assert (found.days, found.dimensions) == (days, Dimensions("past"))


@pytest.mark.parametrize("state", [{}, {"rewriting": None}])
def test_without_a_rewriting_the_request_is_as_it_was_said(state: dict[str, Any]) -> None:
    plain = Rewritten("When?", "When?")
    assert rewritten_in({"query": "When?", **state}) == plain
    assert bearing_of({"query": "When?", **state}, Context()).dimensions == UNSAID
    assert told(plain) == []
    assert kept(Rewriting(plain), Original("When?", date(2025, 6, 10))) is None
