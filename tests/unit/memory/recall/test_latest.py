"""What was used last is remembered; what was not is forgotten first."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from forethought.memory.recall.latest import Latest


@given(st.lists(st.integers(0, 9), max_size=40), st.integers(1, 6))
def test_it_remembers_just_the_last_that_it_was_given(keys: list[int], size: int) -> None:
    latest = Latest[int](size)
    for key in keys:
        latest.keep({key: np.full(2, key, dtype=np.float32)})
    last = list(dict.fromkeys(reversed(keys)))[:size]
    known = latest.of(range(10))
    assert set(known) == set(last)
    assert all(vector.tolist() == [key, key] for key, vector in known.items())
