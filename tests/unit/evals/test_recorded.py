from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from forethought.evals.recorded import chain_reply, depth_first

names = st.sampled_from(["A1", "A2", "A3", "A4", "A5"])
steps = st.fixed_dictionaries({"action_id": names, "parent": st.none() | names})


def test_a_chain_follows_the_recorded_tree_depth_first() -> None:
    tree: list[dict[str, Any]] = [
        {"action_id": "A1", "action": "root", "parent": None},
        {"action_id": "A2", "action": "left", "parent": "A1"},
        {"action_id": "A3", "action": "right", "parent": "A1"},
        {"action_id": "A4", "action": "below left", "parent": "A2"},
    ]
    reply = chain_reply({"Why?": tree})("Why?")
    assert reply is not None
    actions = [step["action"] for step in json.loads(reply)["steps"]]
    assert actions == ["root", "left", "below left", "right"]


def test_there_is_no_chain_for_what_was_not_recorded() -> None:
    assert chain_reply({})("Why?") is None


@given(st.lists(steps, max_size=6, unique_by=lambda step: step["action_id"]))
def test_no_step_is_lost_or_doubled_whatever_the_tree(tree: list[dict[str, str | None]]) -> None:
    walked = depth_first(tree)
    assert sorted(str(step["action_id"]) for step in walked) == sorted(
        str(step["action_id"]) for step in tree
    )
