"""Which requests are worth learning from."""

from __future__ import annotations

import pytest

from forethought.memory.learning import LONGEST, TELLING, unfit


@pytest.mark.parametrize(
    "request_",
    ["And what about the second one?", "Yes, please do that", "What should I do?", "Yes yes yes!"],
)
def test_what_says_little_by_itself_teaches_nothing(request_: str) -> None:
    assert f"of {TELLING}" in unfit(request_)


@pytest.mark.parametrize(
    "request_",
    [
        "Plan a birthday party for my son",
        "Hilf mir, den Umzug nach Bremen zu planen",
        "我的猫叫什么",
    ],
)
def test_a_request_that_stands_for_itself_is_worth_it(request_: str) -> None:
    assert unfit(request_) == ""


def test_a_text_to_work_on_is_no_request() -> None:
    long = "Mend this letter: " + "word after word " * LONGEST
    assert str(LONGEST) in unfit(long)
