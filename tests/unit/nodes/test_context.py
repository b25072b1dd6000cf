"""What a caller may set for a run, and what is refused by name."""

from __future__ import annotations

import json
from dataclasses import FrozenInstanceError, asdict, replace
from typing import Any

import pytest
from langgraph.runtime import Runtime

from forethought.memory.errors import InvalidInput
from forethought.memory.recall.channels import Channels
from forethought.memory.recall.terms import PPRO, Weights
from forethought.nodes.context import Context, context_of


def test_the_defaults_are_those_of_the_papers() -> None:
    context = Context()
    assert (context.probe_k, context.delta, context.max_rounds) == (5, 5, 10)
    assert (context.foresight, context.consolidate_after, context.budget) == (5, 50, 4096)


def test_it_is_plain_data_and_frozen() -> None:
    context = Context(bank="ann", now="2025-05-16", tau=0.3)
    assert Context(**json.loads(json.dumps(asdict(context)))) == context
    with pytest.raises(FrozenInstanceError):
        context.bank = "bob"  # type: ignore[misc]  # that is what must not work


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("bank", ""), ("bank", "  "), ("bank", None), ("bank", 7),
        ("now", 2025), ("mode", "think"), ("mode", None), ("mode", []),
        ("shape", "forest"), ("augment", True), ("style", ""), ("retry", "yes"), ("retry", 1),
        ("probe_k", 0), ("probe_k", 101), ("probe_k", 2.5), ("probe_k", "5"), ("probe_k", True),
        ("probe_k", None), ("tau", 1.1), ("tau", -1.1), ("tau", "0.3"), ("tau", float("nan")),
        ("tau0", 2), ("delta", 0), ("max_rounds", -1), ("max_rounds", 51), ("limit", 0),
        ("budget", 0), ("budget", 10**7), ("budget", None), ("limit", 501),
        ("turns", -1), ("turns", 101), ("turns", 2.5), ("phi", "words"), ("phi", None),
        ("foresight", -1), ("foresight", 13), ("max_calls", 0), ("max_calls", 101),
        ("reflect", 1), ("remember", "no"), ("flush", None), ("retain_every", 0),
        ("retain_every", 2.5), ("disposition", 3), ("disposition", {"humour": 3}),
        ("terms", 0.3), ("terms", {"mood": 1}), ("terms", ["salience"]),
        ("consolidate_after", -1), ("extract_chars", 499), ("extract_chars", 10**9),
    ],
)  # fmt: skip
def test_what_is_out_of_range_is_refused_by_name(name: str, value: Any) -> None:
    with pytest.raises(InvalidInput) as refused:
        Context(**{name: value})
    assert f"context.{name}: expected " in str(refused.value)
    assert repr(value) in str(refused.value)


@pytest.mark.parametrize(
    ("name", "value"),
    [("tau", None), ("tau", -1), ("tau0", 0.5), ("max_rounds", 0), ("foresight", 0),
     ("consolidate_after", 0), ("limit", 500), ("shape", "chain"), ("bank", "猫")],
)  # fmt: skip
def test_the_ends_of_the_ranges_are_allowed(name: str, value: Any) -> None:
    assert getattr(Context(**{name: value}), name) == value


@pytest.mark.parametrize("theta", [{"skepticism": 9}, {"empathy": 2.5}, {"bias": 1.5}])
def test_a_disposition_out_of_range_is_refused_with_its_range(theta: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match=r"context\.disposition: .*expected a .*number from"):
        Context(disposition=theta)


@pytest.mark.parametrize("weights", [{"salience": -1}, {"profile": 2}, {"dimensions": "0.05"}])
def test_a_term_out_of_range_is_refused_with_its_range(weights: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match=r"context\.terms: .*expected a weight from 0 "):
        Context(terms=weights)


def test_terms_that_are_not_named_weigh_what_they_do_by_default() -> None:
    assert Context().weights == Weights()
    assert Context(terms={"salience": 0.3}).weights == Weights(salience=0.3)


def test_the_dense_channel_alone_searches_no_log_and_the_cues_only_if_wanted() -> None:
    dense = Context(phi="dense", turns=7)
    assert dense.quoted == 0 and Context(turns=7).quoted == 7
    off = {name: False for name in ("keyword", "log", "temporal", "graph", "related")}
    assert asdict(dense.channels) == {"foresight": True, **off}
    assert not any(asdict(Context(phi="dense", foresight=0).channels).values())
    assert Context().channels == Channels()


def test_the_dual_path_is_25_facts_by_their_texts_alone_beside_topics() -> None:
    dual = Context(phi="dual")
    assert (dual.limit, dual.quoted, dual.summed_up) == (25, 0, ("topic",))
    on = {name for name, chosen in asdict(dual.channels).items() if chosen}
    assert on == {"related"}
    assert Context(phi="dual", limit=7).limit == 7
    assert Context(**asdict(dual)) == dual


def test_the_dual_path_weighs_terms_as_its_paper_does_unless_they_are_set() -> None:
    assert Context(phi="dual").weights == PPRO
    assert Context(phi="dual", terms={"profile": 0}).weights == replace(PPRO, profile=0)
    assert Context().weights == Weights()


def test_what_a_parent_graph_hands_on_counts_or_is_refused_by_name() -> None:
    def handed(given: Any) -> Context:
        return context_of(Runtime(context=given))

    assert handed(None) == Context()
    assert handed({"bank": "ann", "mode": "recall"}) == Context(bank="ann", mode="recall")
    for other, named in (({"bank": "ann", "user": 7}, "found user"), (7, "found <class 'int'>")):
        with pytest.raises(InvalidInput, match=named):
            handed(other)
