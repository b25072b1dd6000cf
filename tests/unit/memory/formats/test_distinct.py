from __future__ import annotations

from tests.unit.memory.formats.samples import keys, parse, problems, talk


def chat(*said: str, id_: str | None = None, date: str = "2024-05-01") -> dict[str, object]:
    messages = [{"role": "user", "content": text} for text in said]
    return {"id": id_, "date": date, "messages": messages}


def test_the_same_session_twice_is_one() -> None:
    parsed = parse([chat("a", id_="x"), chat("a", id_="x")])
    assert keys(parsed) == ["x"]
    assert parsed.problems == ()


def test_of_two_exports_of_one_session_the_longer_is_kept() -> None:
    for pair in ([chat("a"), chat("a", "b")], [chat("a", "b"), chat("a")]):
        parsed = parse(pair)
        assert [talk(one) for one in parsed.conversations] == [[("user", "a"), ("user", "b")]]
        assert parsed.problems == ()


def test_different_sessions_under_one_id_are_reported_and_the_first_is_kept() -> None:
    parsed = parse([chat("a", id_="x"), chat("b", id_="x"), chat("c", id_="x")])
    assert [talk(one) for one in parsed.conversations] == [[("user", "a")]]
    (problem,) = problems(parsed)
    assert problem.startswith('x.json: [1]: another session named "x"')
    assert "and 1 more such" in problem


def test_nameless_sessions_that_begin_alike_are_all_kept() -> None:
    parsed = parse([chat("hi", "a"), chat("hi", "b"), chat("hi", "c"), chat("hi", "b")])
    first = keys(parsed)[0]
    assert keys(parsed) == [first, f"{first}-2", f"{first}-3"]
    assert [one.turns[1].text for one in parsed.conversations] == ["a", "b", "c"]
    assert parsed.problems == ()
