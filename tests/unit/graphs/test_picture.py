"""The picture of a bank is one page that shows what is stored and fetches nothing."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from forethought.graphs.picture import ENTITIES, MOST, drawn, html, roots_of
from forethought.memory.types import Entity, Fact, Link, Mention

DAY = datetime(2026, 3, 1, tzinfo=UTC)
HOSTILE = '</script><script>alert(1)</script> & "quoted" \u202e'


def _fact(id: str, text: str = "said", until: datetime | None = None) -> Fact:
    return Fact(id, "b", text, "Event", DAY, until=until)


def _entity(id: str, name: str, into: str | None = None) -> Entity:
    return Entity(id, "b", name, "PERSON", DAY, DAY, into=into)


ANA = _entity("e1", "Ana")
RUIZ = _entity("e2", "Ana Ruiz", into="e1")
SISTER = _entity("e3", "my sister Ana", into="e2")
BEN = _entity("e4", "Ben")


def test_an_entity_stands_with_all_that_were_joined_to_it() -> None:
    assert roots_of([ANA, RUIZ, SISTER, BEN]) == {"e1": "e1", "e2": "e1", "e3": "e1", "e4": "e4"}
    mentions = [Mention("f1", "e2"), Mention("f2", "e3"), Mention("f2", "e4")]
    shown = drawn([_fact("f1"), _fact("f2")], [ANA, RUIZ, SISTER, BEN], mentions, [], limit=9)
    assert shown.entities == (("e1", "Ana (Ana Ruiz, my sister Ana)"),)
    assert shown.edges == (("f1", "e1", "mentions"), ("f2", "e1", "mentions"))


def test_facts_that_no_longer_hold_and_their_links_are_left_out() -> None:
    gone = _fact("f2", until=DAY)
    links = [Link("f1", "f2", "causes", 1.0), Link("f1", "f3", "causes", 1.0)]
    shown = drawn([_fact("f1"), gone, _fact("f3")], [], [], links, limit=9)
    assert [fact.id for fact in shown.facts] == ["f1", "f3"]
    assert shown.edges == (("f1", "f3", "causes"),)


def test_the_best_connected_are_drawn_first() -> None:
    facts = [_fact(f"f{n}") for n in range(9)]
    links = [Link("f8", f"f{n}", "semantic", 0.8) for n in range(3, 6)]
    assert {fact.id for fact in drawn(facts, [], [], links, limit=1).facts} == {"f8"}


def test_the_page_shows_names_and_texts_and_nothing_in_them_is_markup() -> None:
    facts = [_fact("f1", HOSTILE), _fact("f2", "Ana moved")]
    mentions = [Mention("f1", "e1"), Mention("f2", "e1")]
    named = _entity("e1", HOSTILE)
    shown = drawn(facts, [named], mentions, [Link("f1", "f2", "causes", 1.0)], limit=9)
    page = html(shown, title=HOSTILE)
    assert "Ana moved" in page
    assert "alert(1)" in page
    assert "<script>alert(1)" not in page
    assert len(re.findall(r"</script>", page)) == len(re.findall(r"<script\b", page))


def test_the_page_tells_the_browser_to_fetch_nothing_before_anything_could_be() -> None:
    page = html(drawn([_fact("f1")], [], [], [], limit=1), title="b")
    before, _, after = page.partition("Content-Security-Policy\" content=\"default-src 'none'")
    assert "<script" not in before
    assert not re.findall(r"""<(?:script|link|img)[^>]*(?:src|href)\s*=""", after)


def test_one_bank_gives_one_layout() -> None:
    facts = [_fact(f"f{n}") for n in range(4)]
    links = [Link("f0", f"f{n}", "semantic", 0.8) for n in range(1, 4)]
    shown = drawn(facts, [], [], links, limit=9)
    pages = [re.findall(r'"x".{0,200}', html(shown, title="b")) for _ in range(2)]
    assert pages[0] == pages[1]


def test_the_largest_picture_can_be_laid_out() -> None:
    facts = [_fact(f"f{n:03}") for n in range(2 * MOST)]
    entities = [_entity(f"e{n}", f"Ana {n}") for n in range(2 * ENTITIES)]
    mentions = [Mention(fact.id, entity.id) for fact in facts[::9] for entity in entities]
    shown = drawn(facts, entities, mentions, [], limit=len(facts))
    assert (len(shown.facts), len(shown.entities)) == (MOST, ENTITIES)
    assert "Ana 149" in html(shown, title="b")
