"""Words that make a promise, a deadline or a condition, in seven languages; without accents.

As in `words.words`: lower case, without accents and points, so that they are matched on such text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Phrases:
    """What one language says before a day or a condition, and of what must be done."""

    deadline: str
    duty: str
    condition: str


_LANGUAGES = (
    Phrases(  # English
        deadline="by|before|until|till|no later than|not later than|after|past|due(?: on| by)?|"
        "deadline(?: is)?|ends? on|closes? on|finishes on|expires? on",
        duty="must|mustnt|have to|has to|had to|needs?(?: to)?|ought to|promised?|owe|remember|"
        "forget|agreed|remind|otherwise|or else|no longer than|only if|provided|no|not|nobody|"
        "nothing|never|stays?|ill|i will|want me to|has me|supposed to|due",
        condition="once|when|whenever|as soon as|until|till|before|the moment|next time|after|if|"
        "while|unless",
    ),
    Phrases(  # Spanish
        deadline="antes del?|hasta el|a mas tardar el|para el|vence el",
        duty="tengo que|hay que|debo|deberia|necesito|prometi|recuerda(?:me)?|no|nunca|si no",
        condition="cuando|en cuanto|tan pronto como|hasta que|antes de(?: que)?|una vez que|si",
    ),
    Phrases(  # French
        deadline="avant le|d'ici(?: le| au)?|jusqu'au|au plus tard le|pour le",
        duty="dois|doit|faut|devrais|promis|rappelle|n'oublie|ne|jamais|sinon",
        condition="quand|lorsque|des que|une fois que|avant de|avant que|jusqu'a ce que|si",
    ),
    Phrases(  # German
        deadline="bis(?: zum| spatestens)?|vor dem|spatestens(?: am| bis zum)?|fallig am",
        duty="muss|mussen|sollte|soll|versprochen|erinner\\w*|vergiss|nicht|kein\\w*|nie|sonst",
        condition="sobald|wenn|bevor|bis|falls|solange|nachdem",
    ),
    Phrases(  # Italian
        deadline="entro(?: il)?|prima del|fino al|scade il|per il",
        duty="devo|deve|bisogna|dovrei|promesso|ricorda(?:mi)?|non|mai|altrimenti",
        condition="quando|appena|non appena|finche|prima di|prima che|una volta che|se",
    ),
    Phrases(  # Portuguese
        deadline="ate(?: o| dia)?|antes de|no maximo ate|para o",
        duty="tenho que|tenho de|devo|preciso|prometi|lembre|lembra|nao|nunca|senao",
        condition="quando|assim que|logo que|ate que|antes de|antes que|uma vez que|se",
    ),
    Phrases(  # Dutch
        deadline="voor|tegen|uiterlijk(?: op)?|tot(?: en met)?",
        duty="moet|moeten|zou|beloofd|herinner|vergeet|niet|geen|nooit|anders",
        condition="zodra|wanneer|als|voordat|totdat|nadat|zolang",
    ),
)


def _any(*groups: str) -> str:
    return "|".join(f"(?:{group})" for group in groups)


DEADLINES = re.compile(rf"\b(?:{_any(*(one.deadline for one in _LANGUAGES))})\s+(?=\S)")
DUTIES = re.compile(rf"\b(?:{_any(*(one.duty for one in _LANGUAGES))})\b")
CONDITIONS = re.compile(rf"\b(?:{_any(*(one.condition for one in _LANGUAGES))})\s+(?=\S)")

_NAMES = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth "
    "fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
)
_ONES = _NAMES.split()
ORDINALS: dict[str, int] = {
    **{name: number for number, name in enumerate(_ONES, start=1)},
    **{f"twenty-{name}": 20 + number for number, name in enumerate(_ONES[:9], start=1)},
    **{"thirtieth": 30, "thirty-first": 31},
}
"""Days of the month in words, which dateparser does not read."""
