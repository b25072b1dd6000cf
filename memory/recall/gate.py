"""Whether a request needs thinking ahead, or is answered by what it resembles. No model is called.

Prospection pays where what matters looks nothing like the request, which is so of requests for help
with a plan and hardly ever of questions for a fact (PT §5: layers by cost).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from forethought.memory.words import words

THINK_AHEAD = 0.7  # from here on; `forethought eval gate` prints what it lets pass
WORDING = 0.3  # what the wording adds or takes; .2 is level, .1 lets twice the look-ups pass
_SENTENCES = re.compile(r"[^.?!。？！؟]+[.?!。？！؟]*")
_QUESTION = ("?", "？", "؟")

# As `words.words` gives them: no case, no accents. What one should or could do is asked of a plan.
_HELP = frozenset(
    word
    for some in (
        "should shall could can would might help plan planning suggest suggestion suggestions",
        "recommend recommendation recommendations idea ideas advice advise tip tips worth prepare",
        "preparing arrange organise organize considering thinking manage",
        "soll sollte sollten sollen konnte konnten kann konnen hilf hilfe planen vorschlag",
        "vorschlage empfiehl empfehlen empfehlung ideen rat tipp tipps lohnt vorbereiten",
        "devrais devrait devons pourrais pourrait peux aide aider aidez planifier preparer suggere",
        "recommande recommander idee idees conseil conseils",
        "deberia deberiamos debo podria podriamos puedo ayuda ayudame ayudar planear planificar",
        "sugiere sugerencia recomienda recomendar consejo consejos preparar conviene",
        "dovrei dovremmo potrei potremmo posso aiuta aiutami aiuto pianificare suggerisci",
        "consiglio consigli consigliami preparare",
        "deveria devo poderia ajuda ajude ajudar planejar sugere sugestao recomenda conselho",
        "conselhos ideias",
        "moet moeten zou zouden kunnen hulp plannen suggestie aanraden advies ideeen voorbereiden",
    )
    for word in some.split()
)
# A question for a fact has one of these, or begins with one of the next, and has none of those.
_ASKS = frozenset(
    word
    for some in (
        "who whom whose what when where which",
        "wer wen wem wessen wann wo wohin welche welcher welches wieviel",
        "qui quand quel quelle quels quelles combien",
        "quien quienes cuando donde cual cuales cuanto cuanta cuantos cuantas",
        "chi quando dove quale quali quanto quanta quanti quante",
        "quem onde qual quais wie wanneer waar welke hoeveel",
    )
    for word in some.split()
)
_BEGINS = frozenset(
    ("did", "do", "does", "is", "are", "was", "were", "has", "have", "had")
    + ("hat", "habe", "hast", "ist", "avait", "heeft", "heb")
)
_HOW = frozenset(("many", "much", "long", "often", "old", "far", "big"))


@dataclass(frozen=True, slots=True)
class Reading:
    """What a request reads as: `score` from THINK_AHEAD on asks for thinking ahead.

    `likeness` is how much it resembles the bank's cues (`similarity.request_likeness`), None in a
    bank without cues; `wording` is 1 where it asks for help, -1 where it asks for a fact.
    """

    likeness: float | None
    wording: int

    @property
    def score(self) -> float:
        """Likeness and wording together; a bank without cues goes by the wording alone."""
        likeness = THINK_AHEAD if self.likeness is None else self.likeness
        return likeness + WORDING * self.wording

    @property
    def thinks_ahead(self) -> bool:
        """Whether to imagine how the request may unfold."""
        return self.score >= THINK_AHEAD

    @property
    def why(self) -> str:
        """In words, for the trace."""
        like = "no cues to compare with" if self.likeness is None else f"{self.likeness:.2f} a cue"
        asks = {1: "asks for help", -1: "asks for a fact", 0: "wording says nothing"}[self.wording]
        than = ">=" if self.thinks_ahead else "<"
        return f"{like}, {asks}: {self.score:.2f} {than} {THINK_AHEAD}"


def read(request: str, likeness: float | None) -> Reading:
    """What `request` reads as beside the bank's cues."""
    return Reading(likeness, wording(request))


def wording(request: str) -> int:
    """1 where the words of a request ask for help with something, -1 where they ask for a fact."""
    if not _HELP.isdisjoint(words(request)):
        return 1
    sentences = [found.strip() for found in _SENTENCES.findall(request) if found.strip()]
    asked = [one for one in sentences if one.endswith(_QUESTION)] or sentences[-1:]
    return -1 if asked and all(_asks_a_fact(words(one)) for one in asked) else 0


def _asks_a_fact(said: list[str]) -> bool:
    if not said:
        return False
    counts = any(one == "how" and other in _HOW for one, other in pairwise(said))
    return counts or not _ASKS.isdisjoint(said) or said[0] in _BEGINS
