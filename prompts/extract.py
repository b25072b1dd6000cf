"""Turn a conversation into facts, each new, an update of a known one, or a repeat (PGR §3.2).

And into commitments, made and settled, for the ledger (PT §3).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal, get_args

from pydantic import BeforeValidator, Field

from forethought.prompts.dimensions import (
    DIMENSIONS,
    SaidCertainty,
    SaidSubjectivity,
    SaidTense,
)
from forethought.prompts.prompt import Answer, FactKind, Prompt, data_rule, fenced, one_label

_ROLE = """\
You keep an assistant's long-term memory of a person. Read a conversation and write down what it \
tells about them that may matter in a later conversation, however far from today's subject: who \
they are and live with, what they like and cannot stand, health, money, work, duties, promises, \
plans and dates, things owned, lent, broken or sold, what happened and how it went.

Each fact has
- "id": F1, F2, … in the order you write them;
- "text": one self-contained sentence{style}, in the language of the conversation, naming people \
and things instead of "it" or "she", with amounts and dates kept; the person themself is the \
unnamed subject or "User";
- "kind": Identity (who they are, relationships, work), Preference (likes, dislikes, habits), \
Goal (intentions, plans, what is coming up), Interest (subjects they care about), Activity (what \
they do or did), or Event (what happened to them and what it changed);
- "network": "world" for what is so of the person and their world; "experience" for what you, the \
assistant, did, recommended or promised, whose text is in the first person ("I recommended the \
night train to Oslo");
- "when": when it happens or happened, as a date (2025-06-14), a span (2025-06-01/2025-06-30), \
or the words used ("next Friday"); null where no time is given;
{dimensions};
- "entities": the few people, places, organisations and things it is about, never the person \
themself: each with its "name" as they call it ("Ana Ruiz", "my sister Ana") and its "kind": \
PERSON, ORGANIZATION, LOCATION, PRODUCT, CONCEPT or OTHER;
- "turns": the ids of the turns that say so (T1, T2, …), at least one;
- "action": "new"; "repeat" if a known fact already says it; "update" if it changes what a known \
fact says of the same subject in the same respect (a new address, a changed plan). Never \
"update" a fact that can stay true beside it;
- "of": the id of that known fact (K1, K2, …) for "repeat" and "update", else null;
- "links": only where they say why something is so or what comes of it, else []: a list of \
{{"kind": "causes", "caused_by", "enables" or "prevents", "of": the id of the other fact}}. So if \
F1 is "Broke her wrist", then F2, "Cannot play in the final", has \
{{"kind": "caused_by", "of": "F1"}}.

Write down what the person says of themself or confirms, and what you did for them or \
recommended to them; never make your recommendation a fact of theirs unless they take it up. Not \
general knowledge, not what the assistant merely explains, nothing from your own head. A \
conversation may hold no such fact: then the list is empty.

Beside the facts, keep the ledger of "commitments" that are still ahead: what the person has to \
do or must not do, has promised or agreed to, or wants to be reminded of, and what you promised to \
do for them. Each has
- "action": what is to be done or left undone, as self-contained as a fact;
- "due": the day on or by which, given as for "when"; null where it hangs on no day;
- "condition": the situation in which it matters, where a day does not say it: what will have \
happened, or what the person is about to do ("the quote has arrived", "they plan to tow a \
trailer"); else null;
- "turn": the id of the turn that says so;
- "facts": the ids of the facts (F1, K1, …) that it is about or that say why, else [].
A wish, a habit or your advice is no commitment, nor is what has been done already. Never write \
one down again that is listed as open.

"settled" lists the open commitments (C1, C2, …) that this conversation closes, each as \
{{"of": its id, "outcome": "kept" if it was done, "dropped" if it no longer applies, "turn": the \
id of the turn that says so}}. Only what is said of that very commitment closes it, not something \
like it, nor a plan to do it. One that is moved to another day is "dropped", and written down anew \
with that day. Most conversations make and close none: then both lists are empty."""

_ATOMIC = " that says one thing"
_NARRATIVE = " or two that tell it whole, with its why and its outcome"


def _labels(value: Any) -> Any:
    """Labels as a list of text, also where a model gives a single one, or numbers."""
    listed = value if isinstance(value, list) else [value]
    return [str(item) if isinstance(item, int) else item for item in listed]


def _label_of(letter: str) -> dict[str, Any]:
    """The form of a label, for decoders that hold to a schema; the node takes other ones too."""
    return {"pattern": f"^{letter}[0-9]{{1,3}}$"}


EntityLabel = Literal["PERSON", "ORGANIZATION", "LOCATION", "PRODUCT", "CONCEPT", "OTHER"]
LINK_KINDS = ("causes", "caused_by", "enables", "prevents")
_LABEL = 12  # characters of a label or a single word
_WHEN = 80
_LONGEST = 400  # characters of an action or a condition: two long sentences
_NOTHING = ("", "null", "none", "n/a")  # how models write that there is none
_MOST_COMMITMENTS = 12  # of one stretch, made or settled, and facts of one: more is a runaway
_MOST_LINKS = 6  # a fact that a model links to more than these is linked to all


def _entity_kind(value: Any) -> Any:
    """A kind in any case; one that nobody asked for is OTHER."""
    kind = value.strip().upper() if isinstance(value, str) else ""
    return kind if kind in get_args(EntityLabel) else "OTHER"


def _entities(value: Any) -> Any:
    """Entities as a list of names with kinds, also where a model gives names alone."""
    listed = value if isinstance(value, list) else [value] if value else []
    named = [item if isinstance(item, dict) else {"name": item} for item in listed]
    return [item for item in named if isinstance(item.get("name"), str)]


def _links(value: Any) -> Any:
    """Links as a list of the most that are read; a bare label says of what, but not how."""
    listed = value if isinstance(value, list) else [value] if value else []
    pairs = [item if isinstance(item, dict) else {"of": item} for item in listed]
    return [
        {name: str(pair.get(name) or "")[:12] for name in ("kind", "of")}
        for pair in pairs[:_MOST_LINKS]
    ]


def _said(value: Any, longest: int) -> str | None:
    """A text or number as text, cut to `longest` characters; what stands for nothing is None."""
    text = str(value).strip()[:longest] if isinstance(value, str | int) else ""
    return None if text.casefold() in _NOTHING else text


def _items(value: Any) -> list[dict[str, Any]]:
    """The objects of a list, or a single one, as many as are read; anything else is passed over."""
    listed = value if isinstance(value, list) else [value]
    return [item for item in listed if isinstance(item, dict)][:_MOST_COMMITMENTS]


def _turn_of(item: dict[str, Any]) -> str | None:
    """The label of the turn, also where a model lists it, as it does for facts."""
    given = item.get("turn") or item.get("turns")
    first = given[0] if isinstance(given, list) and given else given
    return _said(first, _LABEL)


def _commitments(value: Any) -> Any:
    """Commitments as texts of sane length; the node drops and names what does not hold."""
    return [
        {
            "action": _said(item.get("action"), _LONGEST) or "",
            "due": _said(item.get("due"), _WHEN),
            "condition": _said(item.get("condition"), _LONGEST),
            "turn": _turn_of(item),
            "facts": [label for one in _labels(item.get("facts")) if (label := _said(one, _LABEL))][
                :_MOST_COMMITMENTS
            ],
        }
        for item in _items(value)
    ]


def _settled(value: Any) -> Any:
    """What is settled, as texts; the node checks each."""
    return [
        {
            "of": _said(item.get("of"), _LABEL),
            "outcome": (_said(item.get("outcome"), _LABEL) or "").casefold(),
            "turn": _turn_of(item),
        }
        for item in _items(value)
    ]


class NamedEntity(Answer):
    """What a fact is about, as the conversation calls it; an empty name is passed over."""

    name: Annotated[str, Field(max_length=80)]
    kind: Annotated[EntityLabel, BeforeValidator(_entity_kind)] = "OTHER"


class SaidLink(Answer):
    """That a fact brings another about, or comes of it; the node checks both words."""

    kind: Annotated[str, Field(max_length=12, json_schema_extra={"enum": [*LINK_KINDS]})]
    of: Annotated[str, Field(max_length=12, json_schema_extra={"pattern": "^[FK][0-9]{1,3}$"})]


class ExtractedFact(Answer):
    """One fact as the model wrote it; labels are checked by the node."""

    id: Annotated[
        Annotated[str, Field(max_length=12, json_schema_extra=_label_of("F"))] | None,
        BeforeValidator(one_label),
    ] = None
    text: Annotated[str, Field(min_length=1, max_length=600)]
    kind: FactKind
    network: Literal["world", "experience"] = "world"
    when: Annotated[str, Field(max_length=80)] | None = None
    tense: SaidTense = None
    subjectivity: SaidSubjectivity = None
    certainty: SaidCertainty = None
    entities: Annotated[list[NamedEntity], BeforeValidator(_entities), Field(max_length=12)] = []
    turns: Annotated[
        list[Annotated[str, Field(max_length=12, json_schema_extra=_label_of("T"))]],
        BeforeValidator(_labels),
        Field(max_length=24),
    ]
    action: Literal["new", "update", "repeat"] = "new"
    of: Annotated[str, Field(max_length=12, json_schema_extra=_label_of("K"))] | None = None
    links: Annotated[list[SaidLink], BeforeValidator(_links), Field(max_length=_MOST_LINKS)] = []


class SaidCommitment(Answer):
    """Something undertaken, as the model wrote it; labels and days are checked by the node."""

    action: Annotated[str, Field(max_length=_LONGEST)]
    due: Annotated[str, Field(max_length=_WHEN)] | None = None
    condition: Annotated[str, Field(max_length=_LONGEST)] | None = None
    turn: Annotated[str, Field(max_length=_LABEL, json_schema_extra=_label_of("T"))] | None = None
    facts: Annotated[
        list[
            Annotated[
                str, Field(max_length=_LABEL, json_schema_extra={"pattern": "^[FK][0-9]{1,3}$"})
            ]
        ],
        Field(max_length=_MOST_COMMITMENTS),
    ] = []


class SaidSettlement(Answer):
    """That an open commitment was kept or dropped; the node checks all three words."""

    of: Annotated[str, Field(max_length=_LABEL, json_schema_extra=_label_of("C"))] | None
    outcome: Annotated[
        str, Field(max_length=_LABEL, json_schema_extra={"enum": ["kept", "dropped"]})
    ]
    turn: Annotated[str, Field(max_length=_LABEL, json_schema_extra=_label_of("T"))] | None = None


class Extraction(Answer):
    """All facts of one stretch of conversation, and what it makes and settles of commitments.

    A reply without these last, as any from before there were commitments, says that there are none.
    """

    facts: Annotated[list[ExtractedFact], Field(max_length=60)]
    commitments: Annotated[
        list[SaidCommitment], BeforeValidator(_commitments), Field(max_length=_MOST_COMMITMENTS)
    ] = []
    settled: Annotated[
        list[SaidSettlement], BeforeValidator(_settled), Field(max_length=_MOST_COMMITMENTS)
    ] = []


@dataclass(frozen=True, slots=True)
class Known:
    """What is known already, as labelled lines: facts (`[K1] …`), open commitments (`[C1] …`)."""

    facts: tuple[str, ...] = ()
    commitments: tuple[str, ...] = ()


def extract(
    *, date: str, turns: tuple[str, ...], known: Known, style: str, subject: str
) -> Prompt[Extraction]:
    """Ask for the facts in `turns` (`[T1] user: …`), given what is `known` near them.

    `style` is "atomic" (one thing a fact, PGR) or "narrative" (Hindsight).
    """
    length = _ATOMIC if style == "atomic" else _NARRATIVE
    system = _ROLE.format(style=length, dimensions=DIMENSIONS)
    ledger = (
        ["Open commitments:", fenced("commitments", known.commitments), data_rule("commitments")]
        if known.commitments
        else []
    )
    user = "\n\n".join(
        [
            f"The conversation took place on {date}; relative times count from that day.",
            "Already known:",
            fenced("known", known.facts or ("(nothing yet)",)),
            data_rule("known"),
            *ledger,
            "The conversation:",
            fenced("conversation", turns),
            data_rule("conversation"),
            'Answer with JSON: {"facts": [...], "commitments": [...], "settled": [...]}.',
        ]
    )
    return Prompt("extract", subject, system, user, Extraction)
