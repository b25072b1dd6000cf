"""The log of the Records port: conversations are appended to and never changed."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

from forethought.memory.conversations import Conversation, Utterance
from forethought.memory.errors import InvalidInput
from forethought.memory.ids import session_id
from forethought.memory.records.changes import ChangeSet, Progress
from forethought.memory.records.port import Records
from tests.contracts.samples import BANK, day, session, talk


async def test_a_conversation_is_logged_turn_by_turn(records: Records) -> None:
    said = (
        Utterance(role="user", text="I moved to Oslo.", name="Ann"),
        Utterance(role="assistant", text="How is it there?"),
    )
    (logged,) = await records.log(BANK, [Conversation(date=day(3), turns=said, key="chat 1")])
    assert (logged.key, logged.outcome) == ("chat 1", "new")
    (kept,) = await records.sessions(BANK)
    assert kept == logged.session
    assert (kept.id, kept.key, kept.date) == (session_id(BANK, "chat 1"), "chat 1", day(3))
    assert (kept.turns, kept.extracted, kept.status) == (2, 0, "pending")
    turns = await records.turns(BANK, kept.id)
    assert [(turn.role, turn.text, turn.name) for turn in turns] == [
        ("user", "I moved to Oslo.", "Ann"),
        ("assistant", "How is it there?", None),
    ]
    assert [turn.position for turn in turns] == [0, 1]
    assert {turn.session for turn in turns} == {kept.id}
    assert len({turn.id for turn in turns}) == 2


async def test_a_conversation_given_again_changes_nothing(records: Records) -> None:
    await records.log(BANK, [talk("chat", "one", "two")])
    before = await records.turns(BANK, session("chat"))
    (again,) = await records.log(BANK, [talk("chat", "one", "two")])
    (older_export,) = await records.log(BANK, [talk("chat", "one")])
    assert (again.outcome, older_export.outcome) == ("known", "known")
    assert await records.turns(BANK, session("chat")) == before


async def test_turns_that_follow_are_appended_and_extraction_goes_on_where_it_stood(
    records: Records,
) -> None:
    await records.log(BANK, [talk("chat", "one", "two", on=1)])
    await records.commit(ChangeSet(BANK, progress=(Progress(session("chat"), 2),)))
    (logged,) = await records.log(BANK, [talk("chat", "one", "two", "three", on=5)])
    assert logged.outcome == "extended"
    assert logged.session is not None
    assert (logged.session.turns, logged.session.extracted) == (3, 2)
    assert logged.session.date == day(1)
    assert [turn.text for turn in await records.turns(BANK, session("chat"))] == [
        "one",
        "two",
        "three",
    ]


async def test_a_conversation_with_other_earlier_turns_leaves_the_log_untouched(
    records: Records,
) -> None:
    await records.log(BANK, [talk("chat", "one", "two")])
    before = await records.turns(BANK, session("chat"))
    (logged,) = await records.log(BANK, [talk("chat", "one", "not two", "three")])
    assert logged.outcome == "differs"
    assert await records.turns(BANK, session("chat")) == before


async def test_the_same_words_by_another_speaker_are_other_turns(records: Records) -> None:
    await records.log(BANK, [talk("chat", "yes")])
    said = (Utterance(role="assistant", text="yes"),)
    (logged,) = await records.log(BANK, [Conversation(date=day(1), turns=said, key="chat")])
    assert logged.outcome == "differs"


async def test_a_conversation_without_turns_is_not_logged(records: Records) -> None:
    logged = await records.log(BANK, [talk("silence"), talk("blank", "  ", "\n")])
    assert [(one.key, one.outcome, one.session) for one in logged] == [
        ("silence", "empty", None),
        ("blank", "empty", None),
    ]
    assert await records.sessions(BANK) == []


async def test_one_key_twice_in_a_call_is_as_if_given_one_after_the_other(
    records: Records,
) -> None:
    given = [talk("chat", "one"), talk("chat", "one", "two"), talk("chat", "else"), talk("b", "x")]
    logged = await records.log(BANK, given)
    assert [one.outcome for one in logged] == ["new", "extended", "differs", "new"]
    assert [turn.text for turn in await records.turns(BANK, session("chat"))] == ["one", "two"]


async def test_a_naive_date_is_refused_by_name_and_nothing_of_the_call_is_logged(
    records: Records,
) -> None:
    naive = Conversation(
        date=datetime(2024, 1, 1), turns=(Utterance(role="user", text="hi"),), key="no zone"
    )
    with pytest.raises(InvalidInput, match="no zone"):
        await records.log(BANK, [talk("fine", "hello"), naive])
    assert await records.sessions(BANK) == []


async def test_a_date_that_utc_cannot_express_is_refused(records: Records) -> None:
    first = datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=5)))
    early = Conversation(date=first, turns=(Utterance(role="user", text="hi"),), key="early")
    with pytest.raises(InvalidInput, match="early"):
        await records.log(BANK, [early])


async def test_dates_come_back_in_utc(records: Records) -> None:
    there = timezone(timedelta(hours=-8))
    said = (Utterance(role="user", text="hi"),)
    late = datetime(2024, 1, 31, 20, 30, 0, 123456, tzinfo=there)
    await records.log(BANK, [Conversation(date=late, turns=said, key="west")])
    (kept,) = await records.sessions(BANK)
    assert kept.date == late
    assert kept.date.isoformat() == "2024-02-01T04:30:00.123456+00:00"


async def test_sessions_come_by_date_then_id_and_can_be_chosen(records: Records) -> None:
    given = [talk("late", "x", on=9), talk("b", "x", on=2), talk("a", "x", on=2)]
    await records.log(BANK, given)
    same_day = sorted([session("a"), session("b")])
    assert [one.id for one in await records.sessions(BANK)] == [*same_day, session("late")]
    chosen = await records.sessions(BANK, ids=[session("late"), session("a"), "s-unknown"])
    assert [one.key for one in chosen] == ["a", "late"]
    assert await records.sessions(BANK, ids=[]) == []


async def test_unfinished_sessions_are_those_with_turns_still_to_extract(records: Records) -> None:
    await records.log(BANK, [talk("done", "x"), talk("half", "x", "y"), talk("bad", "x")])
    steps = (
        Progress(session("done"), 1),
        Progress(session("half"), 1),
        Progress(session("bad"), 0, error="the model answered prose"),
    )
    await records.commit(ChangeSet(BANK, progress=steps))
    unfinished = await records.sessions(BANK, unfinished=True)
    assert {one.key: one.status for one in unfinished} == {"half": "pending", "bad": "failed"}
    of_these = await records.sessions(BANK, ids=[session("done"), session("bad")], unfinished=True)
    assert [one.key for one in of_these] == ["bad"]


async def test_progress_only_moves_forward_and_success_clears_the_error(records: Records) -> None:
    await records.log(BANK, [talk("chat", "1", "2", "3", "4")])

    async def after(extracted: int, error: str | None = None) -> tuple[int, str | None]:
        step = Progress(session("chat"), extracted, error)
        await records.commit(ChangeSet(BANK, progress=(step,)))
        (kept,) = await records.sessions(BANK)
        return kept.extracted, kept.error

    assert await after(2) == (2, None)
    assert await after(2, "timeout") == (2, "timeout")
    assert await after(3) == (3, None)
    assert await after(1, "an old retry") == (3, None)
    assert await after(99) == (4, None)


async def test_sessions_are_found_by_when_they_were(records: Records) -> None:
    await records.log(BANK, [talk(key, "hello", on=n) for key, n in (("a", 3), ("b", 5), ("c", 7))])

    async def between(first: datetime, last: datetime) -> list[str]:
        return [one.key for one in await records.sessions(BANK, between=(first, last))]

    assert await between(day(3), day(7)) == ["a", "b"]
    assert await between(day(4), day(4)) == []
    with pytest.raises(InvalidInput):
        await between(datetime(2024, 1, 1), day(7))
