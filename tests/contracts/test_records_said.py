"""Keyword search over the log: each turn by its words and those of the turn before it."""

from __future__ import annotations

from datetime import datetime

import pytest

from forethought.memory.conversations import Conversation, Utterance
from forethought.memory.errors import InvalidInput
from forethought.memory.records.port import Records
from tests.contracts.samples import BANK, NOW, day, session, talk
from tests.contracts.test_records_search import LANGUAGES


async def texts(
    records: Records, query: str, *, bank: str = BANK, now: datetime = NOW, k: int = 10
) -> list[str]:
    return [turn.text for turn, _ in await records.said(bank, query, k=k, now=now)]


async def test_a_turn_is_found_as_it_was_logged(records: Records) -> None:
    await records.log(BANK, [talk("monday", "I moved to Oslo.", "It rains.")])
    (hit, score), *_ = await records.said(BANK, "Who moved?", k=5, now=NOW)
    assert hit == (await records.turns(BANK, session("monday")))[0]
    assert score > 0


async def test_an_answer_is_found_by_the_words_of_its_question_too(records: Records) -> None:
    await records.log(
        BANK,
        [
            talk("monday", "What is your dog called?", "Rex.", "Nice weather."),
            talk("tuesday", "A quiet evening."),
        ],
    )
    assert set(await texts(records, "the dog")) == {"What is your dog called?", "Rex."}
    assert (await texts(records, "dog Rex"))[0] == "Rex."


async def test_the_turn_before_is_of_the_same_session(records: Records) -> None:
    await records.log(BANK, [talk("monday", "My dog is ill."), talk("tuesday", "Good morning.")])
    assert await texts(records, "dog") == ["My dog is ill."]


async def test_a_turn_appended_later_follows_those_that_were_there(records: Records) -> None:
    await records.log(BANK, [talk("monday", "What is your dog called?")])
    await records.log(BANK, [talk("monday", "What is your dog called?", "Rex.")])
    assert set(await texts(records, "dogs")) == {"What is your dog called?", "Rex."}


async def test_a_turn_is_found_by_its_speaker(records: Records) -> None:
    said = (
        Utterance(role="user", text="I paint.", name="Ann"),
        Utterance(role="user", text="I sing."),
    )
    await records.log(BANK, [Conversation(date=day(1), turns=said, key="monday")])
    assert (await texts(records, "ann"))[0] == "I paint."


async def test_words_are_stemmed_and_the_better_match_comes_first(records: Records) -> None:
    both, one = "Ann is running a marathon in Rome", "Ann ran a bakery called Marathon for years"
    await records.log(BANK, [talk("monday", one), talk("tuesday", both), talk("friday", "Tea.")])
    hits = await records.said(BANK, "Who runs marathons?", k=5, now=NOW)
    assert [turn.text for turn, _ in hits] == [both, one]
    assert hits[0][1] > hits[1][1] > 0


async def test_only_what_was_said_by_then_is_found(records: Records) -> None:
    await records.log(BANK, [talk("monday", "tea, early", on=2), talk("tuesday", "tea", on=6)])
    assert await texts(records, "tea", now=day(1)) == []
    assert await texts(records, "tea", now=day(2)) == ["tea, early"]
    assert len(await texts(records, "tea", now=day(6))) == 2


async def test_at_most_k_are_returned(records: Records) -> None:
    await records.log(BANK, [talk("monday", *(f"tea number {n}" for n in range(9)))])
    for k, count in ((4, 4), (0, 0), (-1, 0), (10**30, 9)):
        assert len(await texts(records, "tea", k=k)) == count


async def test_equal_scores_come_by_date_and_place(records: Records) -> None:
    alike = [talk(f"session {n}", "tea", on=9 - n) for n in range(5)]
    await records.log(BANK, alike)
    hits = [turn.session for turn, _ in await records.said(BANK, "tea", k=9, now=NOW)]
    assert hits == [session(f"session {n}") for n in reversed(range(5))]


async def test_a_naive_now_is_refused(records: Records) -> None:
    with pytest.raises(InvalidInput):
        await records.said(BANK, "tea", k=5, now=datetime(2024, 1, 1))


@pytest.mark.parametrize("language", LANGUAGES)
async def test_each_language_is_found(records: Records, language: str) -> None:
    text, queries = LANGUAGES[language]
    others = [other for name, (other, _) in LANGUAGES.items() if name != language]
    sessions = [talk(f"session {n}", other) for n, other in enumerate([text, *others])]
    await records.log(BANK, sessions)
    for query in queries:
        assert (await texts(records, query))[:1] == [text], query


async def test_a_bank_finds_only_what_was_said_in_it(records: Records) -> None:
    for bank in ("ann", "bob"):
        await records.log(bank, [talk("monday", "I moved to Oslo.", f"I am {bank}.")])
    assert await texts(records, "oslo", bank="ann") == ["I moved to Oslo.", "I am ann."]
    assert await texts(records, "oslo", bank="zoe") == []
    await records.forget("ann")
    assert await texts(records, "oslo", bank="ann") == []
    assert await texts(records, "oslo", bank="bob") == ["I moved to Oslo.", "I am bob."]


async def test_a_forgotten_session_is_not_found_and_the_others_still_are(
    records: Records,
) -> None:
    await records.log(BANK, [talk("monday", "green tea", "yes"), talk("tuesday", "black tea")])
    await records.forget(BANK, session=session("monday"))
    assert await texts(records, "tea") == ["black tea"]
    assert await texts(records, "yes") == []
    await records.log(BANK, [talk("wednesday", "white tea")])  # takes a place that was freed
    assert set(await texts(records, "tea")) == {"black tea", "white tea"}
