from __future__ import annotations

import pytest

from forethought.evals.methods import METHODS, chosen
from forethought.memory.errors import InvalidInput


def test_all_methods_are_measured_unless_some_are_named() -> None:
    assert chosen(None) == METHODS
    assert [method.name for method in chosen(["foresight", "dense"])] == ["foresight", "dense"]


def test_a_method_named_twice_is_measured_once() -> None:
    assert len(chosen(["dense", "dense"])) == 1


def test_an_unknown_method_gets_the_list_of_those_there_are() -> None:
    with pytest.raises(InvalidInput, match=r"'rag' is not known; there are dense, bm25, .*cot"):
        chosen(["rag"])
    with pytest.raises(InvalidInput, match="no method was named"):
        chosen([])


def test_every_method_that_imagines_comes_without_and_with_foresight() -> None:
    names = {method.name for method in METHODS if method.how == "prospect"}
    assert {f"{name}+foresight" for name in names if "+" not in name} == {
        name for name in names if "+" in name
    }
