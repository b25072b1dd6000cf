"""The words around a season or a part of a year, by which it is one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from forethought.memory.function_words import content
from forethought.memory.times.season_words import SeasonWords
from forethought.memory.times.time_words import ENGLISH, Language, word_set

LINKS = word_set(
    "of the de del la las el los l le d du des der die das dem dell della del di do da van het av"
)
_MINE = word_set("my your his our their mein meine meinen mi mon mio mia meu minha mijn min mitt")
"""Before "last summer" they make it the last of a life or a story; English articles do so too."""


@dataclass(frozen=True, slots=True)
class Signs:
    """A question in words of one language. Places outside it have the word ""."""

    words: Sequence[str]
    known: SeasonWords
    language: Language

    @property
    def english(self) -> bool:
        """Whether the question is in English."""
        return self.language is ENGLISH

    def at(self, place: int) -> str:
        """The word there."""
        return self.words[place] if 0 <= place < len(self.words) else ""

    def bare(self, place: int) -> str:
        """The word there without its elided article: "année" of "l'année"."""
        return self.at(place).rpartition("'")[2]

    def has(self, kind: str, place: int) -> bool:
        """Whether the word there is one of the words of that kind."""
        return self.at(place) in word_set(getattr(self.known, kind))

    def among(self, groups: str, place: int) -> int | None:
        """Which of the groups in that field has the word there."""
        return self.known.among(groups, self.at(place))

    def relation(self, place: int) -> int | None:
        """-1 for "last", 0 for "this" and 1 for "next"."""
        kinds = (("lasts", -1), ("thises", 0), ("nexts", 1))
        return next((number for kind, number in kinds if self.has(kind, place)), None)

    def past_links(self, place: int) -> int:
        """The first place from `place` on that is no article and no "of"."""
        while self.at(place) in LINKS:
            place += 1
        return place

    def told(self) -> bool:
        """Whether the question is about what has been, as far as its words tell."""
        return not word_set(self.known.told).isdisjoint(self.words)

    def alone(self, place: int) -> bool:
        """Whether the word there is no part of a name, as "winter" is of "winter coat".

        Only English writes such a name in several words.
        """
        after = self.at(place + 1)
        return not self.english or not after or (after not in LINKS and not content([after]))

    def placed(self, place: int) -> bool:
        """Whether an article or the like stands before: "l'été", which is not "a été"."""
        return self._is_passed(place - 1) or self.inside(place)

    def inside(self, place: int) -> bool:
        """Whether something was in it, or since or before it: "in the early 1990s"."""
        place -= 1
        while self._is_passed(place):
            place -= 1
        kinds = ("at", "since", "before", "after")
        word = self.at(place)
        said = word == "over" or any(self.language.has(kind, word) for kind in kinds)
        return self.known.cased or said

    def _is_passed(self, place: int) -> bool:
        return self.at(place) in LINKS or self.among("thirds", place) is not None

    def owned(self, place: int) -> bool:
        """Whether the words around "last" or "this" there make it another than the latest."""
        before, word = self.at(place - 1), self.at(place)
        thing = before == "in" and self.has("doubtful", place + 1)
        story = self.english and before in ("the", "a") and word in ("last", "next", "this")
        return before in _MINE or thing or story
