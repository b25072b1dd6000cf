"""Turn a conversation into facts, each new, an update of a known one, or a repeat (PGR §3.2)."""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args

from pydantic import BeforeValidator, Field

from forethought.prompts.prompt import Answer, FactKind, Prompt, data_rule, fenced

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
conversation may hold no such fact: then the list is empty."""

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


def _one_label(value: Any) -> Any:
    """A label as text, also where a model gives a number; anything else is none."""
    return str(value)[:12] if isinstance(value, str | int) else None


def _links(value: Any) -> Any:
    """Links as a list of the most that are read; a bare label says of what, but not how."""
    listed = value if isinstance(value, list) else [value] if value else []
    pairs = [item if isinstance(item, dict) else {"of": item} for item in listed]
    return [
        {name: str(pair.get(name) or "")[:12] for name in ("kind", "of")}
        for pair in pairs[:_MOST_LINKS]
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
        BeforeValidator(_one_label),
    ] = None
    text: Annotated[str, Field(min_length=1, max_length=600)]
    kind: FactKind
    network: Literal["world", "experience"] = "world"
    when: Annotated[str, Field(max_length=80)] | None = None
    entities: Annotated[list[NamedEntity], BeforeValidator(_entities), Field(max_length=12)] = []
    turns: Annotated[
        list[Annotated[str, Field(max_length=12, json_schema_extra=_label_of("T"))]],
        BeforeValidator(_labels),
        Field(max_length=24),
    ]
    action: Literal["new", "update", "repeat"] = "new"
    of: Annotated[str, Field(max_length=12, json_schema_extra=_label_of("K"))] | None = None
    links: Annotated[list[SaidLink], BeforeValidator(_links), Field(max_length=_MOST_LINKS)] = []


class Extraction(Answer):
    """All facts of one stretch of conversation."""

    facts: Annotated[list[ExtractedFact], Field(max_length=60)]


def extract(
    *, date: str, turns: tuple[str, ...], known: tuple[str, ...], style: str, subject: str
) -> Prompt[Extraction]:
    """Ask for the facts in `turns` (`[T1] user: …`), given the `known` facts (`[K1] …`) near them.

    `style` is "atomic" (one thing a fact, PGR) or "narrative" (Hindsight).
    """
    system = _ROLE.format(style=_ATOMIC if style == "atomic" else _NARRATIVE)
    user = "\n\n".join(
        [
            f"The conversation took place on {date}; relative times count from that day.",
            "Already known:",
            fenced("known", known or ("(nothing yet)",)),
            data_rule("known"),
            "The conversation:",
            fenced("conversation", turns),
            data_rule("conversation"),
            'Answer with JSON: {"facts": [...]}.',
        ]
    )
    return Prompt("extract", subject, system, user, Extraction)
