"""Citations: those that were given stay, invented ones go, and nothing else changes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forethought.nodes.citations import checked

GOOD, ALSO = "f0123456789ab", "fcafe00000000"
INVENTED = "fdeadbeef0000"
GIVEN = [GOOD, ALSO]

prose = st.text().filter(lambda text: "[" not in text)
ids = st.lists(st.sampled_from([GOOD, ALSO, INVENTED, "f1"]), min_size=1, max_size=4)


@given(st.text())
def test_a_text_that_cites_nothing_is_left_as_it_is(text: str) -> None:
    unlike = text.replace("[f", "(f").translate(str.maketrans("ftob", "guug"))
    assert checked(unlike, GIVEN) == (unlike, [], [])


@given(prose, ids, prose)
def test_what_is_left_cites_only_what_was_given(before: str, names: list[str], after: str) -> None:
    text, cited, invented = checked(f"{before} [{', '.join(names)}]{after}", GIVEN)
    assert set(cited) == set(names) & set(GIVEN)
    assert set(invented) == set(names) - set(GIVEN)
    assert all(name not in text or name in before + after for name in invented)
    assert checked(text, GIVEN)[0] == text
    assert text.startswith(before)
    assert text.endswith(after)


@pytest.mark.parametrize(
    ("said", "left"),
    [
        (f"A cat [{GOOD}].", f"A cat [{GOOD}]."),
        (f"A cat [{INVENTED}].", "A cat."),
        (f"A cat[{INVENTED}].", "A cat."),
        (f"A cat [{GOOD}, {INVENTED}] sat.", f"A cat [{GOOD}] sat."),
        (f"A cat [{GOOD};{ALSO}] sat.", f"A cat [{GOOD}, {ALSO}] sat."),
        (f"A cat [{GOOD}] [{INVENTED}] [{ALSO}].", f"A cat [{GOOD}] [{ALSO}]."),
        (f"[{INVENTED}] Miso", " Miso"),
        ("See [1] and [the list](x) and a[f] and [fact].", None),
        ("```\nx = [f for f in fs]\n```", None),
        ("[f0123456789ab", None),
    ],
)
def test_examples(said: str, left: str | None) -> None:
    assert checked(said, GIVEN)[0] == (said if left is None else left)


def test_each_is_named_once_in_the_order_it_came() -> None:
    _, cited, invented = checked(f"[{ALSO}] [{INVENTED}] [{GOOD}, {ALSO}] [{INVENTED}]", GIVEN)
    assert cited == [ALSO, GOOD]
    assert invented == [INVENTED]
