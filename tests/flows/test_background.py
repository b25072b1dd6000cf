"""What the assistant says of itself, with a new snippet merged into it (Hindsight §5.6)."""

from __future__ import annotations

import pytest

from forethought.memory.beliefs.profile import Disposition, Profile, keep_profile, profile_of
from forethought.memory.errors import InvalidInput, MalformedAnswer
from forethought.nodes.background import Merged, merge_background
from tests.flows.bench import BANK, Bench

COLORADO = "I was born in Colorado."
SNIPPET = "You were born in Texas and have 10 years of startup experience."
TEXAS = "I was born in Texas and have 10 years of startup experience."
BEFORE = Profile("Ada", Disposition(skepticism=5), COLORADO)


async def _merge(bench: Bench, snippet: str = SNIPPET) -> Merged:
    app = bench.app
    assert app.model is not None
    return await merge_background(
        BANK, snippet, records=app.records, model=app.model, locks=app.locks
    )


async def test_the_papers_example_merges_as_it_is_shown_there(bench: Bench) -> None:
    await keep_profile(bench.app.records, BANK, BEFORE)
    bench.script(background={"background": f"{TEXAS}\n"})
    done = await _merge(bench)
    (call,) = bench.asked("background")
    assert (call.fenced("known"), call.fenced("snippet")) == ([COLORADO], [SNIPPET])
    assert done.usage["calls"] == 1
    kept = await profile_of(bench.app.records, BANK)
    assert kept == Profile("Ada", BEFORE.disposition, TEXAS) == done.profile


@pytest.mark.parametrize("reply", ["no", {"background": ""}, {"background": "I " * 400}])
async def test_a_bad_reply_leaves_the_background_as_it_is(bench: Bench, reply: object) -> None:
    await keep_profile(bench.app.records, BANK, BEFORE)
    bench.chat.answers["background"] = reply
    with pytest.raises(MalformedAnswer):
        await _merge(bench)
    assert await profile_of(bench.app.records, BANK) == BEFORE


@pytest.mark.parametrize("snippet", ["", " … ", "You are. " * 100])
async def test_a_snippet_that_says_nothing_or_too_much_is_refused_without_a_call(
    bench: Bench, snippet: str
) -> None:
    with pytest.raises(InvalidInput, match="1 to 600 characters"):
        await _merge(bench, snippet)
    assert not bench.asked()
