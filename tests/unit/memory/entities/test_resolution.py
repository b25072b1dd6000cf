"""ρ: who is who, by name, company and time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from forethought.memory.entities.resolution import Said, resolve
from forethought.memory.ids import entity_id
from tests.unit.memory.entities.bank import BANK, DOUBTED_AFTERWARDS, Bank

ANAS = ["Ana", "Ana Ruiz", "my sister Ana"]


class TestOne:
    """Different names of one."""

    @pytest.mark.parametrize("order", list(permutations(ANAS)))
    def test_ana_ana_ruiz_and_my_sister_ana_are_one(self, order: Sequence[str]) -> None:
        bank = Bank()
        for day, name in enumerate(order):
            bank.say(f"s{day}", day, [name, "Bruno"])
        assert bank.people(ANAS) == [sorted(ANAS)]
        assert bank.whose("s0") == {"Ana Ruiz", "Bruno"}

    def test_they_are_one_in_one_session_without_any_company(self) -> None:
        bank = Bank()
        bank.say("s", 0, *([name] for name in ANAS))
        assert bank.people() == [sorted(ANAS)]

    def test_they_are_one_whatever_kind_a_small_model_gives(self) -> None:
        bank = Bank(kind="OTHER")
        for day, name in enumerate(ANAS):
            bank.say(f"s{day}", day, [name, "padel"])
        assert bank.people(ANAS) == [sorted(ANAS)]

    def test_the_same_name_is_one_however_far_apart_and_in_whatever_company(self) -> None:
        bank = Bank()
        bank.say("s1", 0, ["Ana", "Bruno"])
        bank.say("s2", 3000, ["ANA", "Ilse"])
        assert bank.people(["Ana"]) == [["Ana"]]
        assert len(bank.entities) == 3

    def test_a_title_or_an_article_makes_no_other_name(self) -> None:
        bank = Bank(kind="OTHER")
        bank.say("s1", 0, ["Mr. Okafor", "the Alps"])
        bank.say("s2", 900, ["Okafor", "Alps"])
        assert bank.people() == [["Alps", "the Alps"], ["Mr. Okafor", "Okafor"]]

    def test_company_makes_up_for_the_time_between(self) -> None:
        bank = Bank()
        bank.say("s1", 0, ["Ana Ruiz", "Bruno"], ["Ana Ruiz", "padel"])
        bank.say("s2", 100, ["Ana"], ["Bruno"])
        bank.say("s3", 200, ["Ruiz"])
        assert bank.people(["Ana"]) == [["Ana", "Ana Ruiz"]]
        assert bank.people(["Ruiz"]) == [["Ruiz"]]

    def test_names_in_other_scripts_are_joined_too(self) -> None:
        bank = Bank()
        bank.say("s1", 0, ["田中太郎"], ["Анна Иванова"])
        bank.say("s2", 1, ["田中さん"], ["Анна"])
        assert bank.people() == [["Анна", "Анна Иванова"], ["田中さん", "田中太郎"]]

    def test_the_fullest_name_is_the_canonical_one(self) -> None:
        bank = Bank()
        for day, name in enumerate(["my sister Ana", "Ana", "Ana R.", "Ana Ruiz"]):
            bank.say(f"s{day}", day, [name])
        assert bank.whose("s0") == {"Ana Ruiz"}


class TestTwo:
    """Names of two who are not one."""

    def test_two_of_one_first_name_stay_two(self) -> None:
        bank = Bank()
        bank.say("s1", 0, ["Ana Ruiz", "Bruno"])
        bank.say("s2", 1, ["Ana Costa", "Ilse"])
        assert bank.people(["Ana Ruiz", "Ana Costa"]) == [["Ana Costa"], ["Ana Ruiz"]]

    def test_a_sister_and_a_boss_of_one_name_stay_two(self) -> None:
        bank = Bank()
        bank.say("s1", 0, ["my sister Ana", "Bruno"])
        bank.say("s2", 0, ["my boss Ana", "Bruno"])
        assert len(bank.people()) == 3

    @pytest.mark.parametrize(("company", "whose"), [("Bruno", "Ana Ruiz"), ("Ilse", "Ana Costa")])
    def test_a_plain_name_goes_where_its_company_is(self, company: str, whose: str) -> None:
        bank = Bank()
        bank.say("s1", 0, ["Ana Ruiz", "Bruno"])
        bank.say("s2", 0, ["Ana Costa", "Ilse"])
        bank.say("s3", 2, ["Ana"], [company])
        assert bank.whose("s3") == {whose, company}

    def test_a_plain_name_without_company_is_neithers(self) -> None:
        bank = Bank()
        bank.say("s1", 0, ["Ana Ruiz", "Bruno"])
        bank.say("s2", 0, ["Ana Costa", "Ilse"])
        bank.say("s3", 1, ["Ana"])
        assert bank.whose("s3") == {"Ana"}

    def test_each_session_decides_for_itself(self) -> None:
        bank = Bank()
        bank.say("s1", 0, ["Ana Ruiz", "Bruno"])
        bank.say("s2", 0, ["Ana Costa", "Ilse"])
        bank.say("s3", 1, ["Ana", "Bruno"])
        bank.say("s4", 2, ["Ana", "Ilse"])
        bank.say("s5", 3, ["Ana"])
        assert [bank.whose(f"s{n}") for n in (3, 4, 5)] == [
            {"Ana Ruiz", "Bruno"},
            {"Ana Costa", "Ilse"},
            {"Ana"},
        ]

    def test_a_later_stretch_of_a_session_means_the_same_by_the_name(self) -> None:
        bank = Bank()
        bank.say("s1", 0, ["Ana Ruiz", "Bruno"])
        bank.say("s2", 0, ["Ana Costa", "Ilse"])
        bank.say("s3", 1, ["Ana", "Ilse"])
        stretch = bank.stretch("s3", 1, ["Ana"])
        later = replace(stretch, names=tuple(replace(n, fact="s3-late") for n in stretch.names))
        bank.keep(later, resolve(later, bank.known))
        assert bank.whose("s3") == {"Ana Costa", "Ilse"}

    def test_a_fact_that_is_said_again_means_whom_it_meant(self) -> None:
        bank = Bank()
        bank.say("s1", 0, ["Ana Ruiz", "Bruno"])
        bank.say("s2", 1, ["Ana", "Bruno"])
        bank.say("s3", 20, ["Ana Costa", "Ilse"])
        stretch = bank.stretch("s4", 21, ["Ilse"])
        again = replace(stretch, names=(Said("s2-0", "Ana", "PERSON"), *stretch.names))
        bank.keep(again, resolve(again, bank.known))
        assert bank.whose("s2") == {"Ana Ruiz", "Bruno"}

    def test_a_known_short_name_goes_to_a_newcomer_only_on_evidence(self) -> None:
        bank = Bank()
        bank.say("s1", 0, ["Ana Ruiz", "Bruno"])
        bank.say("s2", 1, ["Ana", "Bruno"])
        bank.say("s3", 20, ["Ana Costa", "Ilse"])
        bank.say("s4", 21, ["Ana"])
        bank.say("s5", 22, ["Ana", "Ilse"])
        bank.say("s6", 23, ["Ana"], ["Ilse"], ["Bruno"])
        assert [bank.whose(f"s{n}") & {"Ana Ruiz", "Ana Costa"} for n in (2, 4, 5, 6)] == [
            {"Ana Ruiz"},
            {"Ana Ruiz"},
            {"Ana Costa"},
            {"Ana Ruiz"},
        ]

    def test_in_one_breath_with_the_full_name_it_is_that_one(self) -> None:
        bank = Bank()
        bank.say("s1", 0, ["Ana Ruiz"])
        bank.say("s2", 1, ["Ana Costa"], ["Ana"])
        assert bank.whose("s2") == {"Ana Costa"}

    def test_a_part_of_a_name_is_not_the_whole_where_it_is_no_person(self) -> None:
        bank = Bank(kind="OTHER")
        bank.say("s1", 0, ["Houston"], ["Houston Astros"], ["Dallas"], ["Dallas firm"])
        assert all(len(names) == 1 for names in bank.people())


class TestTheUser:
    """What the user decides stays so, and the user is no entity."""

    def test_the_user_and_pronouns_are_no_entities(self) -> None:
        bank = Bank()
        found = bank.say("s", 0, ["User", "I", "the user", "she", "…", ""])
        assert (found.entities, found.mentions) == ((), ())

    def test_what_the_user_kept_apart_stays_apart(self) -> None:
        bank = Bank()
        bank.say("s1", 0, ["Ana Ruiz", "Bruno"])
        bank.say("s2", 1, ["Ana", "Bruno"])
        bank.decide("Ana", None)
        bank.say("s3", 2, ["Ana", "Bruno"], ["Ana Ruiz"])
        bank.say("s4", 3, ["Ana Ruiz", "Bruno"])
        assert bank.people(["Ana"]) == [["Ana"]]

    def test_what_the_user_joined_stays_joined(self) -> None:
        bank = Bank()
        bank.say("s1", 0, ["Ana Ruiz", "Bruno"], ["Nena", "Ilse"])
        bank.decide("Nena", "Ana Ruiz")
        bank.say("s2", 1, ["Nena", "Ilse"])
        assert bank.whose("s2") == {"Ana Ruiz", "Ilse"}

    def test_a_new_name_may_join_what_the_user_kept_apart(self) -> None:
        bank = Bank()
        bank.say("s1", 0, ["Ana Ruiz", "Bruno"])
        bank.decide("Ana Ruiz", None)
        bank.say("s2", 1, ["Ana", "Bruno"])
        assert bank.people(["Ana"]) == [["Ana", "Ana Ruiz"]]

    def test_an_exact_name_follows_the_users_joining(self) -> None:
        bank = Bank()
        bank.say("s1", 0, ["Ana Ruiz", "Bruno"])
        bank.say("s2", 1, ["Ana Costa", "Ilse"])
        bank.say("s3", 1, ["Ana"])
        bank.decide("Ana", "Ana Costa")
        bank.say("s4", 3, ["Ana", "Bruno"])
        assert bank.whose("s4") == {"Ana Costa", "Bruno"}


def test_every_name_is_an_entity_of_its_own_name() -> None:
    bank = Bank()
    bank.say("s1", 0, ["Ana Ruiz"], ["Ana"])
    assert set(bank.entities) == {entity_id(BANK, "Ana"), entity_id(BANK, "ana ruiz")}
    assert {one.entity for one in bank.mentions} == set(bank.entities)


NAMES = ["Ana", "Ana Ruiz", "Ana Costa", "my sister Ana", "my boss Ana", "Ana R.", "Dr. Ruiz"]
NAMES += ["Ruiz", "Bruno", "Ilse", "User", "Jon", "Jonathan", "Katharina", "Katarina", "田中"]
facts = st.lists(st.lists(st.sampled_from(NAMES), min_size=1, max_size=3), min_size=1, max_size=4)
sessions = st.lists(st.tuples(st.integers(0, 12), facts), min_size=1, max_size=5)


@settings(max_examples=60)
@given(sessions, st.randoms(use_true_random=False))
@example(DOUBTED_AFTERWARDS["a name that was new"], Random(0))
@example(DOUBTED_AFTERWARDS["two who were found to be one"], Random(0))
@example(DOUBTED_AFTERWARDS["a name that was joined"], Random(0))
def test_the_laws_of_resolution(said: list[tuple[int, list[list[str]]]], random: object) -> None:
    bank = Bank()
    for number, (day, names) in enumerate(said):
        stretch = bank.stretch(f"s{number}", day, *names)
        found = resolve(stretch, bank.known)
        shuffled = list(stretch.names)
        random.shuffle(shuffled)  # type: ignore[attr-defined]  # hypothesis's own random.Random
        assert resolve(replace(stretch, names=tuple(shuffled)), bank.known) == found
        bank.keep(stretch, found)
        again = resolve(stretch, bank.known)
        assert again.entities == ()
        assert set(again.mentions) == set(found.mentions)
        for id, entity in bank.entities.items():
            assert bank.entities[bank.root(id)].into is None  # no circle
            assert (entity.into is None) == (entity.joined_by is None)


def test_where_no_session_is_known_nothing_is_told_apart() -> None:
    bank = Bank()
    bank.say("s1", 0, ["Ana Ruiz", "Bruno"])
    bank.say("s2", 0, ["Ana Costa", "Ilse"])
    nameless = replace(bank.stretch("s3", 1, ["Ana", "Ilse"]), session="")
    bank.keep(nameless, resolve(nameless, bank.known))
    assert bank.whose("s3") == {"Ana", "Ilse"}
