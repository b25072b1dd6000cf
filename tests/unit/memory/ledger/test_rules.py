from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from forethought.memory.ledger.rules import noticed

AT = datetime(2026, 12, 3, 9, tzinfo=UTC)  # a Thursday


@pytest.mark.parametrize(
    ("text", "due"),
    [
        ("The packet must be in by the fifteenth.", date(2026, 12, 15)),
        ("My form has to be uploaded by 16 December, or else.", date(2026, 12, 16)),
        ("They only keep the place until the 2nd.", date(2027, 1, 2)),
        ("I have to pay it no later than 8 January.", date(2027, 1, 8)),
        ("HMRC won't accept it after 31 December.", date(2026, 12, 31)),
        ("Ich muss den Bericht bis zum 15. Dezember abgeben.", date(2026, 12, 15)),
        ("Je dois payer avant le 20 décembre.", date(2026, 12, 20)),
    ],
)
def test_a_deadline_is_noticed_with_its_day(text: str, due: date) -> None:
    (found,) = noticed(text, bank="b", at=AT)
    assert (found.due, found.condition, found.action) == (due, None, text)


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("Once the quote arrives I have to reconcile it.", "Once the quote arrives"),
        ("No towing until the clutch has been checked.", "until the clutch has been checked"),
        ("Tengo que llamar al banco cuando llegue la carta.", "cuando llegue la carta"),
        ("Je dois le rappeler dès que le devis arrive.", "dès que le devis arrive"),
    ],
)
def test_a_duty_with_its_condition_is_noticed(text: str, condition: str) -> None:
    (found,) = noticed(text, bank="b", at=AT)
    assert (found.due, found.condition) == (None, condition)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "What's a good soup for a rainy day?",
        "We stopped by the third house.",
        "I loved it when it rained.",
        "He was born before 3 May 1990.",
        "Which form must I send once they write?",
    ],
)
def test_what_is_no_commitment_is_not_noticed(text: str) -> None:
    assert noticed(text, bank="b", at=AT) == []
