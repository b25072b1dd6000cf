from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forethought.memory.recall.gate import THINK_AHEAD, read, wording


@pytest.mark.parametrize(
    "request_",
    [
        "Should I join a sports league this spring?",
        "Mum wants to visit in May. Can you help me get the flat ready?",
        "Any ideas for a cheap weekend with the kids?",
        "Sollte ich im Frühling umziehen?",
        "Pouvez-vous m'aider ? Je voudrais des conseils pour le déménagement.",
        "¿Debería aceptar el trabajo en Sevilla?",
        "What could I cook for eight people?",
    ],
)
def test_a_request_for_help_reads_as_one(request_: str) -> None:
    assert wording(request_) == 1


@pytest.mark.parametrize(
    "request_",
    [
        "When did I sell the car?",
        "How much did Bronwyn borrow off me?",
        "I forget. Who was it that fixed the boiler?",
        "Did I say where the keys are?",
        "Wann habe ich den Vertrag unterschrieben?",
        "¿Cuándo vendí el coche?",
        "Quand est-ce que Paul est parti ?",
    ],
)
def test_a_question_for_a_fact_reads_as_one(request_: str) -> None:
    assert wording(request_) == -1


@pytest.mark.parametrize("request_", ["", "?!", "Thursday league", "春に引っ越すべきですか？"])
def test_other_words_say_nothing(request_: str) -> None:
    assert wording(request_) == 0


def test_likeness_and_wording_decide_together() -> None:
    help_, fact = "Should I move in May?", "When did I move?"
    assert read(help_, 0.5).thinks_ahead and not read("Moving in May", 0.5).thinks_ahead
    assert read("Moving in May", 0.9).thinks_ahead and not read(fact, 0.9).thinks_ahead
    assert read(fact, 1.2).thinks_ahead, "what looks just like a cue is thought about in any words"


def test_a_bank_without_cues_goes_by_the_wording() -> None:
    assert read("Should I move in May?", None).thinks_ahead
    assert read("Moving in May", None).thinks_ahead
    assert not read("When did I move?", None).thinks_ahead


@given(st.text(), st.floats(0, 1.5) | st.none())
def test_any_text_is_read_and_the_reason_says_which_way(text: str, likeness: float | None) -> None:
    reading = read(text, likeness)
    assert (">=" in reading.why) == reading.thinks_ahead == (reading.score >= THINK_AHEAD)
