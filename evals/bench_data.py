"""Made-up facts, requests and trees: varied, of realistic length, the same each time."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from random import Random
from typing import TYPE_CHECKING, Any

from forethought.memory import ids
from forethought.memory.types import KINDS, Cue, Fact

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from forethought.memory.embedding import Vectors

FIRST_DAY = datetime(2024, 1, 1, tzinfo=UTC)
CUES_PER_FACT = 5

_PEOPLE = [
    "her sister Ana",
    "his neighbour Olaf",
    "their daughter Mei",
    "an old colleague Priya",
    "the landlord Mr Stone",
    "her uncle Tomasz",
    "his trainer Dee",
    "the bookkeeper Samir",
    "her godson Leo",
    "a cousin from Porto",
]
_DOES = [
    "lent out the roof box",
    "is allergic to walnuts",
    "sings in the parish choir",
    "broke a wrist on the ice",
    "keeps six hens behind the shed",
    "restores brass clocks",
    "is saving for a used kayak",
    "takes tablets for blood pressure",
    "cannot drive after dark",
    "coaches the under-twelves",
    "owes forty euros from the ferry trip",
    "learns Finnish from podcasts",
    "sold the caravan to pay for the boiler",
    "dislikes crowded restaurants",
    "has a season ticket for the ballet",
    "works nights at the bakery",
    "waits for a hip operation",
    "keeps kosher at home",
    "collects maps of lost railways",
    "grows tomatoes on the balcony",
]
_WHEN = [
    "every other Thursday",
    "since the flood in spring",
    "until the lease ends in March",
    "on the first weekend of the month",
    "before the school run",
    "whenever the river is low",
    "since moving to the hill",
    "in the weeks before Easter",
    "twice a year at most",
    "ever since the wedding in Ghent",
]
_WHERE = [
    "at the allotment in Kirkby",
    "near the old tannery",
    "at her mother's flat",
    "in the workshop under the arches",
    "by the lake at Bled",
    "at the clinic on Mill Road",
    "in the yard behind the chapel",
    "on the ferry to Turku",
]
_ASKS = [
    "organise a long weekend for",
    "choose a present for",
    "plan a quiet birthday with",
    "find work that suits",
    "redo the kitchen with",
    "host a supper for",
    "train for a race with",
    "arrange a move for",
]
_STEPS = [
    "who would have to be asked first and may already be away",
    "what the doctor or the dentist has said about exertion and food",
    "whether the money set aside has gone on something else",
    "how everyone gets there when the usual car is not to be had",
    "which evenings are taken by classes or rehearsals",
    "what was promised to somebody else and falls on the same day",
    "how the last attempt went and what spoiled it",
    "which papers or permits run out before then",
    "who looks after the animals and the plants meanwhile",
    "what must be eaten or avoided at the table",
    "how the weather and the season change the route",
    "what clothing or gear was lent or is broken",
]
_LIMITS = [
    "fixed dates and bookings",
    "costs shared or owed",
    "ailments and medicines",
    "school holidays",
    "tastes and dislikes",
    "promises made earlier",
    "distance and parking",
    "age and stamina",
]


def facts(bank: str, count: int, random: Random) -> list[Fact]:
    """`count` facts with different texts of a dozen words or so, one an hour from FIRST_DAY on."""
    texts = dict.fromkeys(_sentence(random, number) for number in range(count))
    return [
        Fact(
            id=ids.fact_id(bank, "made up", text),
            bank=bank,
            text=text,
            kind=random.choice(KINDS),
            date=FIRST_DAY + timedelta(hours=number),
        )
        for number, text in enumerate(texts)
    ]


def _sentence(random: Random, number: int) -> str:
    who, does = random.choice(_PEOPLE), random.choice(_DOES)
    when, where = random.choice(_WHEN), random.choice(_WHERE)
    return f"Knows that {who} {does} {when}, {where}, house {number}"


def named_in(text: str) -> list[str]:
    """The people and places that a made-up fact is about."""
    return [name for name in (*_PEOPLE, *_WHERE) if name in text]


def requests(count: int, random: Random) -> list[str]:
    """`count` different requests."""
    return [
        f"Help me {random.choice(_ASKS)} {random.choice(_PEOPLE)}, number {number}"
        for number in range(count)
    ]


def trees(steps: int, random: Random) -> Iterator[list[dict[str, Any]]]:
    """Trees without end, each of `steps` different steps as long as real ones."""
    number = 0
    while True:
        number += 1
        chosen = [random.choice(_STEPS) for _ in range(steps)]
        yield [
            {
                "action_id": f"A{place}",
                "action": f"{step}, with {random.choice(_PEOPLE)} {random.choice(_WHEN)}",
                "constraints": ", ".join([*random.sample(_LIMITS, 3), f"case {number}"]),
                "parent": "A1" if place > 1 else None,
            }
            for place, step in enumerate(chosen, start=1)
        ]


def cues(some: list[Fact]) -> list[Cue]:
    """Five cues for each fact; their vectors are made up too, so their texts do not matter."""
    return [
        Cue(fact.id, position, f"A later request {position} about {fact.id}")
        for fact in some
        for position in range(CUES_PER_FACT)
    ]


def blended(vectors: Vectors, count: int, seed: int) -> Vectors:
    """`count` unit vectors, each between two of `vectors`: shape (count, d)."""
    import numpy as np

    random = np.random.default_rng(seed)
    one, two = (vectors[random.integers(0, len(vectors), count)] for _ in range(2))
    noise = random.standard_normal(one.shape) / np.sqrt(one.shape[1])
    return _unit(one + 0.7 * two + 0.5 * noise)


def cue_vectors(texts: Vectors, seed: int) -> Vectors:
    """Unit vectors for five cues a fact, shape (5 × facts, d), that lie as real cues do.

    Embedding 50,000 of them would take minutes. Each leans a little to its fact and more to what
    all cues share (mini set: cosine to the fact .17, to the direction of the mean .38).
    """
    import numpy as np

    random = np.random.default_rng(seed)
    shared = _unit(random.standard_normal((1, texts.shape[1])))
    own = np.repeat(texts, CUES_PER_FACT, axis=0)
    noise = random.standard_normal(own.shape) / np.sqrt(texts.shape[1])
    return _unit(0.17 * own + 0.36 * shared + 0.9 * noise)


def _unit(vectors: NDArray[Any]) -> Vectors:
    import numpy as np

    scaled: Vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return scaled.astype(np.float32)
