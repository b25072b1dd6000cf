"""How alike two names are (Hindsight's sim_str), and what speaks against their being one's."""

from __future__ import annotations

from functools import lru_cache

from forethought.memory.entities.naming import Name, effective_kind, name_of
from forethought.memory.entities.vocabulary import FREE, GENERATIONS, KIN
from forethought.memory.types import EntityKind

SHORT_FORM = 0.8  # "Jon" for "Jonathan": needs company in common to be believed, however recent
UNSURE_PART = 0.75  # "Houston" in "Houston Rockets", where nothing says that it is a person
INITIAL = 0.95  # "Ana R." for "Ana Ruiz"
_LONGEST_SHORT_FORM = 5  # letters: "Chris" for "Christopher"
_SHORTEST_SHORT_FORM = 3
_LONGEST_FINAL = 1  # "Paul" and "Paula" are two people: a short form leaves out more letters
_SHORTEST_MISSPELT = 5  # letters; of two shorter words that differ by one, both are names as a rule
_MISSPELT = 0.88  # "Katarina" for "Katharina" is .94, "Marta" for "Maria" .80 (rapidfuzz's ratio)


@lru_cache(maxsize=65_536)
def likeness(one: str, other: str, kinds: tuple[EntityKind, EntityKind]) -> float:
    """How alike two names of these kinds are, in [0, 1]: 1 the same words, 0 not to be joined.

    rapidfuzz's scorers over whole names either take a part for the whole ("Houston" in "Houston
    Rockets") or a common word for half of it ("Ana Ruiz", "Ana Lopez"). So words are compared with
    words, and each word of the shorter name must have its like in the longer.
    """
    left, right = name_of(one), name_of(other)
    kind = _common_kind(effective_kind(one, kinds[0]), effective_kind(other, kinds[1]))
    if kind is None or told_apart(left, right):
        return 0.0
    if left.core == right.core:
        return 1.0
    if not (left.whole and right.whole):
        return 0.0
    short, long = sorted((left, right), key=lambda name: len(name.core))
    if len(short.core) < len(long.core) and not _part_of(short, long, kind):
        return 0.0
    return _worst_word(short, long, kind) * _certainty(short, long, kind)


@lru_cache(maxsize=65_536)
def contrary(one: str, other: str) -> bool:
    """Whether two names are surely of two: of one first name and two last names, or two roles."""
    left, right = name_of(one), name_of(other)
    if told_apart(left, right):
        return True
    mine, theirs = set(left.core), set(right.core)
    if not (mine & theirs and mine - theirs and theirs - mine):
        return False
    short, long = sorted((left, right), key=lambda name: len(name.core))
    return _worst_word(short, long, "PERSON") == 0


def told_apart(one: Name, other: Name) -> bool:
    """A title of a man and one of a woman, or what they are to the user, makes them two."""
    if one.gender and other.gender and one.gender != other.gender:
        return True
    return any(_exclude(mine, theirs) for mine in one.roles for theirs in other.roles)


def _exclude(one: str, other: str) -> bool:
    if one == other:
        return False
    if one in KIN or other in KIN:
        return True
    return one not in FREE and other not in FREE


def _common_kind(one: EntityKind, other: EntityKind) -> EntityKind | None:
    """The kind of both, if they may be one: OTHER goes with each."""
    if one == "OTHER":
        return other
    return one if other in {one, "OTHER"} else None


def _part_of(short: Name, long: Name, kind: EntityKind) -> bool:
    """Whether a name may be a shorter form of a longer one: a person's."""
    if kind not in {"PERSON", "OTHER"} or not (short.personal and long.personal):
        return False
    return not GENERATIONS & set(long.core) - set(short.core)


def _certainty(short: Name, long: Name, kind: EntityKind) -> float:
    return UNSURE_PART if kind == "OTHER" and len(short.core) < len(long.core) else 1.0


def _worst_word(short: Name, long: Name, kind: EntityKind) -> float:
    """The likeness of that word of `short` which is least like any in `long`, each taken once."""
    left, worst = list(long.core), 1.0
    for word in sorted(short.core, key=lambda word: (word not in left, -len(word), word)):
        best = max(left, key=lambda other: (_word(word, other, kind), other), default="")
        worst = min(worst, _word(word, best, kind))
        if best:
            left.remove(best)
    return worst


@lru_cache(maxsize=65_536)
def _word(one: str, other: str, kind: EntityKind) -> float:
    if one == other:
        return 1.0
    if not (one.isalpha() and other.isalpha()):  # "Terminal 1" and "Terminal 2"
        return 0.0
    short, long = sorted((one, other), key=len)
    if kind == "PERSON" and long.startswith(short):
        if len(short) == 1:
            return INITIAL
        if len(short) in range(_SHORTEST_SHORT_FORM, _LONGEST_SHORT_FORM + 1) and (
            len(long) - len(short) > _LONGEST_FINAL
        ):
            return SHORT_FORM
    return _spelling(_stem(one, kind), _stem(other, kind))


def _stem(word: str, kind: EntityKind) -> str:
    """A word without a silent end ("Sarah"); of a thing, without the s of many."""
    return word.removesuffix("h") if kind == "PERSON" else word.removesuffix("s")


def _spelling(one: str, other: str) -> float:
    """The likeness of two spellings of one word; 0 where they end otherwise (Daniel, Daniela)."""
    from rapidfuzz import fuzz

    if one == other:
        return 1.0
    if min(len(one), len(other)) < _SHORTEST_MISSPELT or one[-1:] != other[-1:]:
        return 0.0
    ratio = fuzz.ratio(one, other) / 100
    return ratio if ratio >= _MISSPELT else 0.0
