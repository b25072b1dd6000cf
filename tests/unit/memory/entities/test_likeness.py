"""Which names may be one's, and which surely are not."""

from __future__ import annotations

from itertools import product
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forethought.memory.entities.likeness import contrary, likeness
from forethought.memory.entities.naming import distinct, name_of, names_somebody, sought
from forethought.memory.types import ENTITY_KINDS, EntityKind

PERSON: EntityKind = "PERSON"
names = st.text(max_size=30) | st.sampled_from(
    ["Ana", "Ana Ruiz", "my sister Ana", "Dr. Ana", "田中さん", "Ana's wedding", "A & B", "🐈"]
)
kinds = st.sampled_from(ENTITY_KINDS)


def _like(one: str, other: str, kind: EntityKind = PERSON) -> float:
    return likeness(one, other, (kind, kind))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ana", "Ana Ruiz"),
        ("Ana", "my sister Ana"),
        ("Ana, my sister", "my sister Ana"),
        ("Tío Chuy", "my uncle Chuy"),
        ("Mr. Okafor", "Okafor"),
        ("Dr. Okafor", "Mrs Okafor"),
        ("my friend Ana", "my boss Ana"),
        ("田中さん", "田中太郎"),
        ("Анна", "Анна Иванова"),
        ("meine Schwester Jule", "Jule Brandt"),
        ("mi hermana Ana", "my sister Ana"),
        ("Sara", "Sarah"),
    ],
)
def test_a_part_of_a_persons_name_is_wholly_like_it(one: str, other: str) -> None:
    assert _like(one, other) == 1


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        ("Ana Ruiz", "Ana Lopez", "PERSON"),
        ("Mia Lopez", "Ana Lopez", "PERSON"),
        ("my sister Ana", "my boss Ana", "PERSON"),
        ("Mr Okafor", "Mrs. Okafor", "PERSON"),
        ("John Smith", "John Smith Jr.", "PERSON"),
        ("Daniel", "Daniela", "PERSON"),
        ("Ana", "Anna", "PERSON"),
        ("Marta", "Maria", "PERSON"),
        ("Ana", "Ana's wedding", "OTHER"),
        ("Ana", "Ana and Bruno", "OTHER"),
        ("Dallas", "Dallas firm", "OTHER"),
        ("MIT", "MIT Media Lab", "ORGANIZATION"),
        ("Texas", "South Texas", "LOCATION"),
        ("iPhone 14", "iPhone 15", "PRODUCT"),
    ],
)
def test_names_of_two_are_not_alike(one: str, other: str, kind: EntityKind) -> None:
    assert _like(one, other, kind) == 0


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        ("Katharina", "Katarina", "PERSON"),
        ("Jon", "Jonathan", "PERSON"),
        ("Ana R.", "Ana Ruiz", "PERSON"),
        ("Houston", "Houston Astros", "OTHER"),  # nothing says that it is no person
    ],
)
def test_a_spelling_or_short_form_is_less_than_wholly_like(
    one: str, other: str, kind: EntityKind
) -> None:
    assert 0.7 < _like(one, other, kind) < 1


def test_kinds_must_go_together() -> None:
    for one, other in product(ENTITY_KINDS, ENTITY_KINDS):
        together = one == other or "OTHER" in {one, other}
        assert (likeness("Paris", "the Paris", (one, other)) > 0) == together


def test_what_somebody_is_to_the_user_makes_a_person_of_them() -> None:
    assert likeness("my sister Ana", "Ana", ("OTHER", "PERSON")) == 1
    assert likeness("my sister Ana", "Ana", ("OTHER", "PRODUCT")) == 0


@pytest.mark.parametrize(
    ("one", "other", "surely"),
    [
        ("Ana Ruiz", "Ana Costa", True),
        ("my sister Ana", "my boss Bea", True),
        ("Ana", "Bruno", False),
        ("Ana", "Ana Ruiz", False),
        ("Ana Ruiz", "Ana R.", False),
    ],
)
def test_two_last_names_or_two_roles_are_of_two(one: str, other: str, surely: bool) -> None:
    assert contrary(one, other) is surely


@given(names, names, kinds, kinds)
def test_likeness_is_the_same_in_both_directions(
    one: str, other: str, kind: EntityKind, of_other: EntityKind
) -> None:
    there = likeness(one, other, (kind, of_other))
    assert there == likeness(other, one, (of_other, kind))
    assert 0 <= there <= 1
    assert contrary(one, other) == contrary(other, one)
    if contrary(one, other):
        assert there == 0


@given(names)
def test_any_text_can_be_a_name(name: str) -> None:
    assert name_of(name).core
    assert isinstance(sought(name), str)
    if names_somebody(name):
        assert likeness(name, name, (PERSON, PERSON)) == 1


@pytest.mark.parametrize(
    "name", ["User", "the user", "I", "me", "She", "Assistant", "", "…", " ", "ich", "用户", "my"]
)
def test_the_user_and_pronouns_are_nobody(name: str) -> None:
    assert not names_somebody(name)


@pytest.mark.parametrize("name", ["the US", "IT", "EU", "my sister", "🐈", "Mia", "user research"])
def test_what_only_looks_like_a_pronoun_is_somebody(name: str) -> None:
    assert names_somebody(name)


def test_names_are_listed_once_whatever_their_case() -> None:
    assert distinct(["Ana", "User", "ANA", "Bruno", "", "ána"]) == ("Ana", "Bruno")


@pytest.mark.parametrize(
    ("name", "core"),
    [
        ("Los Angeles", ("los", "angeles")),
        ("Die Hard", ("die", "hard")),
        ("Hugo Boss", ("hugo", "boss")),
        ("Mia Lopez", ("mia", "lopez")),
        ("Juana de la Cruz", ("juana", "de", "la", "cruz")),
        ("the Alps", ("alps",)),
        ("my boss", ("boss",)),
        ("Acme Inc.", ("acme",)),
        ("Prof. Dr. Ilse Weber", ("ilse", "weber")),
        ("my best friend Ana", ("ana",)),
        ("Meine Chefin Ana", ("ana",)),
        ("Aunt May", ("may",)),
        ("moot court coach", ("moot", "court", "coach")),
        ("dog food", ("dog", "food")),
        ("the Dog Park", ("dog", "park")),
    ],
)
def test_only_what_stands_beside_a_name_is_left_out(name: str, core: tuple[str, ...]) -> None:
    assert name_of(name).core == core


def test_equal_names_give_equal_parts() -> None:
    assert cast(Any, name_of("my sister Ana")) == name_of("our sister Ana")
