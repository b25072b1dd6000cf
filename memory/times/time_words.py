"""The words by which a question names a time, for the languages in which ranges are read.

dateparser knows days, months and "n units ago" in each; these are the words around them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property

_PLAIN = str.maketrans("’–", "'-")
_WORD = re.compile(r"[\w'/-]+")
_UNSAID = re.compile(
    r"\b(?:first|last|second|third|fourth|final) (?:\w+ )?(?:days?|weeks?) of "
    r"|\bin (?=an? \w+ ago\b)"
)
"""Words that would mislead: "the last week of August" is not last week (it is read as August), and
"what did I join in a month ago" names no month to come."""


@cache
def word_set(text: str) -> frozenset[str]:
    """The words of `text`."""
    return frozenset(text.split())


@dataclass(frozen=True)
class Language:
    """One language: `common` words tell it from others, the rest say how times are named.

    `at` stands before a month, a weekday or a year and makes it one ("in May"); `days` are times by
    themselves; `relative` words make one of the words beside them ("last week"); `units` are forms
    of "week", "month" and "year" that dateparser knows in phrases only; `fine` units are shorter
    than a day. `ranges` are pairs of words ("between", "and"), both ends included. `past`
    stands before a number of units up to today, and `ago` is how the first of them is said. The
    words of and around `weekend` are alternatives of a regular expression.
    """

    code: str
    common: str
    at: str
    days: str
    relative: str
    units: str = ""
    fine: str = ""
    ranges: tuple[tuple[str, str], ...] = ()
    since: str = ""
    before: str = ""
    after: str = ""
    past: str = ""
    weekend: str = ""
    last: str = ""
    this: str = ""
    next: str = ""
    ago: str = "{}"

    @cached_property
    def marks(self) -> frozenset[str]:
        """Words by which the language is recognised."""
        return word_set(f"{self.common} {self.days} {self.relative}")

    def has(self, kind: str, word: str) -> bool:
        """Whether `word` is one of the words in the field `kind`."""
        return word in word_set(getattr(self, kind))


ENGLISH = Language(
    "en",
    common="the what who where when which how did do does is are was i my me have has we she he",
    at="in on during until",
    days="yesterday today tomorrow tonight",
    relative="last this next ago past previous coming before",
    fine="second seconds minute minutes hour hours",
    ranges=(("between", "and"), ("from", "to"), ("from", "until"), ("from", "till"), ("in", "and")),
    since="since",
    before="before",
    after="after",
    past="last past previous",
    weekend="weekend",
    last="last|past|previous",
    this="this",
    next="next|coming",
    ago="{} ago",
)

LANGUAGES = (
    ENGLISH,
    Language(
        "es",
        common="qué que quién dónde cuándo cómo el los las mi hice fue era está estuve tengo dijo",
        at="en el de del desde hasta",
        days="ayer hoy mañana anteayer anoche",
        relative="pasado pasada próximo próxima este esta hace último última",
        fine="segundo segundos minuto minutos hora horas",
        ranges=(("entre", "y"), ("de", "a"), ("desde", "hasta")),
        since="desde",
        before="antes",
        past="últimos últimas",
        weekend="fin de semana",
        last="pasado|último",
        this="este",
        next="próximo",
        ago="hace {}",
    ),
    Language(
        "fr",
        common="qu'ai-je ai-je s'est-il que qui où quand comment le les mon ma est était "
        "étais-je fait dit",
        at="en le au de du depuis jusqu'à",
        days="hier aujourd'hui demain avant-hier",
        relative="dernier dernière prochain prochaine ce cette y",
        units="l'année l'an",
        fine="seconde secondes minute minutes heure heures",
        ranges=(("entre", "et"), ("de", "à"), ("du", "au")),
        since="depuis",
        before="avant",
        past="derniers dernières",
        weekend="week-end|weekend",
        last="dernier",
        this="ce",
        next="prochain",
        ago="il y a {}",
    ),
    Language(
        "de",
        common="was wer wo wann wie der die das ich mein meine habe hat war ist und wir gemacht",
        at="im am in seit bis",
        days="gestern heute morgen vorgestern übermorgen",
        relative="letzte letzten letzter letztes nächste nächsten diese dieser diesen vor vorige",
        fine="sekunde sekunden minute minuten stunde stunden",
        ranges=(("zwischen", "und"), ("von", "bis"), ("vom", "bis")),
        since="seit",
        before="vor",
        past="letzten vergangenen",
        weekend="wochenende",
        last="letztes|letzten|vergangenes|voriges",
        this="dieses|diesem",
        next="nächstes|nächsten|kommendes",
        ago="vor {}",
    ),
    Language(
        "it",
        common="cosa chi dove dov'ero quando come il lo gli mio mia ho ha era è sono fatto che",
        at="a in nel nell' di dal",
        days="ieri oggi domani",
        relative="scorso scorsa prossimo prossima questo questa fa",
        units="l'anno quest'anno",
        fine="secondo secondi minuto minuti ora ore",
        ranges=(("tra", "e"), ("fra", "e"), ("da", "a"), ("dal", "al")),
        since="da dal",
        before="prima",
        past="ultimi ultime",
        weekend="fine settimana|weekend",
        last="scorso",
        this="questo",
        next="prossimo",
        ago="{} fa",
    ),
    Language(
        "pt",
        common="o os que quem onde quando como eu meu minha fiz fez estava foi é são tenho disse",
        at="em no na de do desde até",
        days="ontem hoje amanhã anteontem",
        relative="passado passada próximo próxima este esta há atrás",
        fine="segundo segundos minuto minutos hora horas",
        ranges=(("entre", "e"), ("de", "a"), ("de", "até")),
        since="desde",
        before="antes",
        past="últimos últimas",
        weekend="fim de semana",
        last="passado|último",
        this="este",
        next="próximo",
        ago="há {}",
    ),
    Language(
        "nl",
        common="wat wie waar wanneer hoe het een ik mijn heb heeft was is en wij gedaan",
        at="in op sinds tot",
        days="gisteren vandaag morgen eergisteren",
        relative="vorige afgelopen volgende deze geleden laatste",
        fine="seconde seconden minuut minuten uur",
        ranges=(("tussen", "en"), ("van", "tot")),
        since="sinds",
        before="voor",
        past="afgelopen laatste",
        weekend="weekend",
        last="vorig|afgelopen",
        this="dit",
        next="volgend|komend",
        ago="{} geleden",
    ),
    Language(
        "fi",
        common="mitä kuka missä milloin miten minä minun olen oli on ja tein olin",
        at="",
        days="eilen tänään huomenna toissapäivänä",
        relative="viime ensi tällä sitten",
        units="viikolla kuussa vuonna",
    ),
    Language(
        "sv",
        common="vad vem var när hur jag min mitt mina har är och gjorde det",
        at="i på under sedan",
        days="igår idag imorgon",
        relative="förra nästa denna sedan",
        units="veckan månaden året",
    ),
    Language(
        "ru",
        common="что кто где когда как я мой моя мне был была было и",
        at="в во на",
        days="вчера сегодня завтра позавчера",
        relative="прошлой прошлом прошлый следующий следующей этой назад",
        units="неделе месяце году",
    ),
)


def language_of(words: Sequence[str]) -> Language:
    """The language of which most words are there; English where none is."""
    hits = {language.code: sum(word in language.marks for word in words) for language in LANGUAGES}
    return max(LANGUAGES, key=lambda language: hits[language.code])


def spoken_in(text: str) -> list[str]:
    """The words of a text, as they are compared."""
    said = _UNSAID.sub("", text.casefold().translate(_PLAIN))
    return [bare for word in _WORD.findall(said) if (bare := word.strip("'-/"))]
