"""What a name says: whom or what it names, and what it says of them besides. Pure functions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from forethought.memory.entities.vocabulary import (
    ARTICLES,
    DESCRIBING,
    HONORIFICS,
    JOINING,
    KIN,
    LEGAL_FORMS,
    MEN,
    NOBODY,
    OWN,
    OWN_LOWER,
    PARTICLES,
    ROLES,
    TITLES,
    WOMEN,
)
from forethought.memory.types import EntityKind
from forethought.memory.words import name_key, words

_TOKEN = re.compile(r"[^\s,;()\[\]\"“”«»/]+")
_GENITIVE = re.compile(r"['’]s?$")
_SAID_BEFORE = ROLES.keys() | DESCRIBING


@dataclass(frozen=True, slots=True)
class Name:
    """A name taken apart. `core` are the words that name somebody, in order.

    `roles` are what they are to the user ("my sister Ana"), `gender` what a title says. `personal`:
    it may be a person's name by its form alone. `whole`: it names one thing, not somebody's thing
    or several, so that it may be the fuller or shorter form of another name.
    """

    core: tuple[str, ...]
    roles: frozenset[str] = frozenset()
    gender: str = ""
    titled: bool = False
    personal: bool = False
    whole: bool = True

    @property
    def bare(self) -> bool:
        """One word and nothing else: what two people may well be called."""
        return len(self.core) == 1 and not self.roles and not self.titled


@dataclass(frozen=True, slots=True)
class _Token:
    """One piece of a name as it is written, and its words."""

    text: str
    words: tuple[str, ...]

    @property
    def lower(self) -> bool:
        return self.text[:1].islower()


def names_somebody(name: str) -> bool:
    """Whether a name names anything: not the user, the assistant, a pronoun, or nothing at all."""
    tokens = _tokens(name)
    rest = [token for token in tokens if token.text.lower() not in OWN]
    if len(rest) == 1 and len(rest[0].text) > 1 and rest[0].text.isupper():
        return True  # the US, IT, the EU
    said = " ".join(word for token in rest or tokens for word in token.words)
    return bool(rest) and said not in NOBODY and name.strip().lower() not in NOBODY


@lru_cache(maxsize=16_384)
def name_of(name: str) -> Name:
    """`name` taken apart; a name of nothing but roles or titles ("my boss") keeps them as words."""
    tokens = _tokens(name)
    rest = _without_own(tokens)
    before = tokens[: len(tokens) - len(rest)]
    titles, rest = _titles(rest)
    roles, rest = _roles(rest, own=any(token.words[0] not in ARTICLES for token in before))
    core = tuple(word for token in rest for word in token.words)
    while len(core) > 1 and core[-1] in LEGAL_FORMS:
        core = core[:-1]
    return Name(
        core or (name.strip(),),
        roles=frozenset(roles),
        gender=_gender(titles),
        titled=bool(titles),
        personal=_person_like(rest),
        whole=_whole(name, rest),
    )


def sought(name: str) -> str:
    """The name by which to look for those that may mean the same."""
    return " ".join(name_of(name).core)


def effective_kind(name: str, kind: EntityKind) -> EntityKind:
    """The kind of what bears a name: a title or "my sister" makes a person of something OTHER."""
    said = name_of(name)
    return "PERSON" if kind == "OTHER" and (said.roles or said.titled) else kind


def distinct(names: Iterable[str]) -> tuple[str, ...]:
    """These names in order, each once whatever its case, without those that name nobody."""
    first: dict[str, str] = {}
    for name in names:
        if names_somebody(name):
            first.setdefault(name_key(name), name)
    return tuple(first.values())


def _tokens(name: str) -> list[_Token]:
    found = []
    for text in _TOKEN.findall(name):
        bare = next(
            (text.removesuffix(end) for end in HONORIFICS if text.endswith(end) and text != end),
            text,
        )
        if said := tuple(words(bare)):
            found.append(_Token(bare, said))
    return found


def _without_own(tokens: list[_Token]) -> list[_Token]:
    """The tokens after "my", "the" and so on."""
    rest = list(tokens)
    while len(rest) > 1 and rest[0].words[0] in (OWN_LOWER if rest[0].lower else OWN):
        rest.pop(0)
    return rest


def _titles(tokens: list[_Token]) -> tuple[list[str], list[_Token]]:
    rest, titles = list(tokens), []
    while len(rest) > 1 and rest[0].words[0] in TITLES:
        titles.append(rest.pop(0).words[0])
    return titles, rest


def _roles(tokens: list[_Token], *, own: bool) -> tuple[list[str], list[_Token]]:
    """What somebody is said to be, before or behind the name: "sister Ana", "Ana, my sister".

    What is left must read as a name, so that "dog food" and "moot court coach" stay whole; and a
    role that is written as a name is one only after "my" (`own`), or of kin: "Aunt May".
    """
    start, roles = 0, []
    while start < len(tokens) - 1 and (word := tokens[start].words[0]) in _SAID_BEFORE:
        if not (tokens[start].lower or own or ROLES.get(word) in KIN):
            break
        roles += [ROLES[word]] if word in ROLES else []
        start += 1
    name, behind = _before_own(tokens[start:])
    roles += [ROLES[token.words[0]] for token in behind if token.words[0] in ROLES]
    return (roles, name) if roles and _person_like(name) else ([], list(tokens))


def _before_own(tokens: list[_Token]) -> tuple[list[_Token], list[_Token]]:
    """A name, and what is said of it behind a "my": no "la" of "Juana de la Cruz"."""
    for place, token in enumerate(tokens[:-1]):
        word = token.words[0]
        if place and token.lower and word in OWN_LOWER and word not in PARTICLES:
            return tokens[:place], tokens[place + 1 :]
    return tokens, []


def _gender(titles: Sequence[str]) -> str:
    if any(title in MEN for title in titles):
        return "m"
    return "f" if any(title in WOMEN for title in titles) else ""


def _person_like(tokens: Sequence[_Token]) -> bool:
    """Every word begins as a name does: not in lower case, except "de", "van" and the like."""
    return bool(tokens) and not any(
        token.lower and token.words[0] not in PARTICLES for token in tokens
    )


def _whole(name: str, tokens: Sequence[_Token]) -> bool:
    """No "Ana's wedding", no "Ana and Bruno", no "University of Oslo"."""
    joined = any(token.lower and token.words[0] in JOINING for token in tokens)
    return not joined and "&" not in name and not any(_GENITIVE.search(t.text) for t in tokens)
