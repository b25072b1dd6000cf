"""The words for seasons, and for parts of years and months, in the languages of `time_words`.

No library has the seasons, and CLDR names quarters in one form each (ARCHITECTURE, "Times in
questions").
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from forethought.memory.times.time_words import word_set


@dataclass(frozen=True)
class SeasonWords:
    """One language. Groups in a field are divided by `|`, the words of one group by spaces.

    `seasons` are spring to winter; those in `doubtful` are other words too ("fall", "été") and need
    a clearer sign beside them. `thirds` are the early, middle and late part; `halves` and
    `quarters` stand after an `ordinals` word, and a single letter there before a digit ("q3").
    `linked` words of `thirds` need an "of" after them ("the end of"), `loose` ones may be said of
    something else too ("was I late last month?") and go with a named month, season or year alone.
    `told` tells that a question is about what has been: without it a season that no year and no
    "last" goes with may be any ("what do I wear in summer?"). `lasts`, `thises` and `nexts` stand
    beside a season or a year.
    """

    seasons: str
    thirds: str = ""
    halves: str = ""
    quarters: str = ""
    ordinals: str = ""
    told: str = ""
    linked: str = ""
    loose: str = ""
    doubtful: str = ""
    lasts: str = ""
    thises: str = ""
    nexts: str = ""
    trailing: bool = False  # "el verano pasado", which English does not say
    cased: bool = False  # "летом": the form alone says "in"

    @cached_property
    def triggers(self) -> frozenset[str]:
        """The words without one of which there is nothing to read."""
        fields = (self.seasons, self.thirds, self.halves, self.quarters)
        return word_set(" ".join(fields).replace("|", " "))

    def among(self, groups: str, word: str) -> int | None:
        """Which of the groups in the field has the word, from 0."""
        for number, group in enumerate(getattr(self, groups).split("|")):
            if word in word_set(group):
                return number
        return None


SEASON_WORDS = {
    "en": SeasonWords(
        seasons="spring springtime|summer summertime|autumn fall|winter wintertime",
        thirds="early beginning start|mid middle|late end",
        halves="half h",
        quarters="quarter q",
        linked="beginning start middle end",
        loose="early late",
        ordinals="first|second|third|fourth last final",
        told="did was were had happened since",
        doubtful="spring fall quarter",
        lasts="last past",
        thises="this",
        nexts="next coming",
    ),
    "es": SeasonWords(
        seasons="primavera|verano|otoño|invierno",
        thirds="principios principio comienzos comienzo inicios inicio|mediados|finales fines fin",
        halves="mitad semestre",
        quarters="trimestre t q",
        ordinals="primer primera|segundo segunda|tercer tercero|cuarto último",
        told="hice hiciste hicimos fui fue fuimos estuve estuvo estuvimos pasó dijo desde",
        lasts="pasado pasada",
        thises="este esta",
        nexts="próximo próxima",
        trailing=True,
    ),
    "fr": SeasonWords(
        seasons="printemps|été|automne|hiver",
        thirds="début|mi milieu|fin",
        halves="moitié semestre",
        quarters="trimestre t q",
        ordinals="premier première|deuxième second seconde|troisième|quatrième dernier",
        told="ai-je qu'ai-je étais-je était étais avons-nous passé depuis",
        doubtful="été",
        lasts="dernier dernière passé passée",
        thises="ce cet cette",
        nexts="prochain prochaine",
        trailing=True,
    ),
    "de": SeasonWords(
        seasons="frühling frühjahr|sommer|herbst|winter",
        thirds="anfang beginn|mitte|ende",
        halves="hälfte jahreshälfte halbjahr",
        quarters="quartal q",
        ordinals="erste ersten erstes|zweite zweiten zweites|dritte dritten drittes|"
        "vierte vierten viertes letzte letzten letztes",
        told="war waren wurde wurden gemacht passiert seit",
        lasts="letzte letzten letzter letztes letztem vergangenen vergangener vorigen voriges",
        thises="diese diesen dieser dieses diesem",
        nexts="nächste nächsten nächster nächstes kommenden kommender",
    ),
    "it": SeasonWords(
        seasons="primavera|estate|autunno|inverno",
        thirds="inizio inizi|metà|fine",
        halves="metà semestre",
        quarters="trimestre t q",
        ordinals="primo prima|secondo seconda|terzo|quarto ultimo",
        told="ho abbiamo ero era dov'ero sono successo",
        lasts="scorso scorsa passato passata",
        thises="questo questa quest",
        nexts="prossimo prossima",
        trailing=True,
    ),
    "pt": SeasonWords(
        seasons="primavera|verão|outono|inverno",
        thirds="início começo princípio|meados|fim final finais",
        halves="metade semestre",
        quarters="trimestre t q",
        ordinals="primeiro primeira|segundo segunda|terceiro|quarto último",
        told="fiz fez fizemos fui foi fomos estive esteve estava disse aconteceu desde",
        doubtful="verão",
        lasts="passado passada último",
        thises="este esta neste nesta",
        nexts="próximo próxima",
        trailing=True,
    ),
    "nl": SeasonWords(
        seasons="lente voorjaar|zomer|herfst najaar|winter",
        thirds="begin|half medio midden|eind einde",
        halves="helft jaarhelft halfjaar",
        quarters="kwartaal k q",
        ordinals="eerste|tweede|derde|vierde laatste",
        told="was waren deed deden gedaan gebeurd sinds",
        lasts="vorig vorige afgelopen",
        thises="dit deze",
        nexts="volgend volgende komend komende",
    ),
    "fi": SeasonWords(
        seasons="keväällä keväänä|kesällä kesänä|syksyllä syksynä|talvella talvena",
        told="tein teit olin oli kävin tapahtui",
        cased=True,
        lasts="viime",
        thises="tänä",
        nexts="ensi",
    ),
    "sv": SeasonWords(
        seasons="våren vår|sommaren sommar|hösten höst|vintern vinter",
        thirds="början|mitten|slutet",
        halves="halvan hälften halvåret",
        quarters="kvartalet k q",
        ordinals="första|andra|tredje|fjärde sista",
        told="gjorde hade hände",
        doubtful="vår",
        lasts="förra",
        thises="denna i",
        nexts="nästa",
    ),
    "ru": SeasonWords(
        seasons="весной весны|летом лета|осенью осени|зимой зимы",
        thirds="начале начала|середине середины|конце конца",
        halves="половине половины",
        quarters="квартале квартала",
        ordinals="первой первом|второй втором|третьем|четвёртом последнем",
        told="был была было были делал делала случилось",
        cased=True,
        lasts="прошлым прошлой прошлого прошлом",
        thises="этим этой этого этом",
        nexts="следующим следующей следующего",
    ),
}
