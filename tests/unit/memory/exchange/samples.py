"""A small bank in memory, and its file."""

from __future__ import annotations

from datetime import UTC, datetime

from forethought.memory.beliefs.types import Observation, Opinion, Step
from forethought.memory.dimensions import Dimensions
from forethought.memory.exchange.writing import lines_of
from forethought.memory.ids import (
    commitment_id,
    entity_id,
    fact_id,
    key_mark,
    observation_id,
    opinion_id,
    session_id,
    turn_id,
)
from forethought.memory.ledger.types import Commitment, CommitmentCue
from forethought.memory.records.contents import Contents
from forethought.memory.records.uses import Use
from forethought.memory.types import (
    LEARNED,
    Cue,
    Entity,
    Fact,
    Link,
    Mention,
    Session,
    Source,
    Turn,
)


def day(number: int) -> datetime:
    return datetime(2024, 1, number, 12, tzinfo=UTC)


MONDAY, TUESDAY = session_id("ann", "monday"), session_id("ann", "tuesday")
SAID = (
    Turn(turn_id(MONDAY, 0, "I sold my car."), MONDAY, 0, "user", "I sold my car."),
    Turn(turn_id(MONDAY, 1, "Oh."), MONDAY, 1, "assistant", "Oh.", "Bot"),
    Turn(turn_id(TUESDAY, 0, "日本 🎈\u2028"), TUESDAY, 0, "user", "日本 🎈\u2028"),
)
OLD = Fact(
    fact_id("ann", MONDAY, "Has a car"),
    "ann",
    "Has a car",
    "Identity",
    day(1),
    sources=(Source(MONDAY, (SAID[0].id,)), Source(TUESDAY)),
    frequency=2,
    until=day(2),
    successor=fact_id("ann", TUESDAY, "Has no car"),
    succession="update",
)
NEW = Fact(
    fact_id("ann", TUESDAY, "Has no car"),
    "ann",
    "Has no car",
    "Identity",
    day(2),
    occurred_from=day(1).date(),
    entities=("car",),
    sources=(Source(TUESDAY, (SAID[2].id,)),),
    foreseen=True,
    dimensions=Dimensions("present", "objective"),
)
CAR = Entity(entity_id("ann", "Car"), "ann", "Car", "PRODUCT", day(1), day(2))
BEETLE = Entity(
    entity_id("ann", "Beetle", MONDAY), "ann", "Beetle", "PRODUCT", day(1), day(1), CAR.id, "user"
)
LINK = Link(OLD.id, NEW.id, "causes", 0.25)
ALIKE = Link(min(OLD.id, NEW.id), max(OLD.id, NEW.id), "semantic", 1.0)
SURE = Opinion(
    opinion_id("ann", "Cars are a burden."),
    "ann",
    "Cars are a burden.",
    0.5,
    day(2),
    "Cars are no burden.",
    0.3,
    ("car",),
    (OLD.id,),
    (Step(day(3), "contradict", 0.5, 0.3, "Cars are no burden.", NEW.id, TUESDAY),),
)
SEEN = tuple(
    Observation(
        observation_id("ann", CAR.id, text),
        "ann",
        CAR.id,
        "entity",
        "Car",
        text,
        (OLD.id, NEW.id),
        day(3),
        day(1).date(),
        day(2).date(),
    )
    for text in ("The car was sold.", "A Beetle was driven.")
)
SELL = Commitment(
    commitment_id("ann", "Sell the Beetle", "2024-01-02 once it is washed"),
    "ann",
    "Sell the Beetle",
    day(1),
    "once it is washed",
    day(2).date(),
    "kept",
    Source(MONDAY, (SAID[0].id,)),
    (OLD.id, NEW.id),
    day(2),
    SAID[2].id,
    day(1).date(),
    True,
)
RENT = Commitment(commitment_id("ann", "Rent a bike"), "ann", "Rent a bike", day(3))
REMINDERS = CommitmentCue(SELL.id, 0, "Any water left?"), CommitmentCue(SELL.id, 4, "Cash?")
ANN = Contents(
    "ann",
    (
        Session(MONDAY, "ann", "monday", day(1), 2, 2),
        Session(TUESDAY, "ann", "tuesday", day(2), 1, 0, "no reply"),
    ),
    SAID,
    (OLD, NEW),
    (
        Cue(NEW.id, 0, "How do I get there?"),
        Cue(NEW.id, 2, "Rent one?"),
        Cue(NEW.id, LEARNED + 1, "Shall I drive?", day(4)),
    ),
    (key_mark("gone"), session_id("ann", "gone")),
    (CAR, BEETLE),
    (Mention(OLD.id, CAR.id), Mention(OLD.id, BEETLE.id), Mention(NEW.id, CAR.id)),
    (LINK, ALIKE),
    (SURE,),
    SEEN,
    (SELL, RENT),
    REMINDERS,
    (Use(NEW.id, day(4).date()), Use(NEW.id, day(9).date())),
).ordered()


def file_of(contents: Contents = ANN) -> list[bytes]:
    return list(lines_of(contents))
