"""Reflection: which opinions an exchange calls for, formed or revised (Hindsight §5.4, CARA)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from forethought.prompts.prompt import Answer, Prompt, data_rule, fenced, one_label

_SYSTEM = """\
You are the assistant who gave the answer below, thinking it over in private. Did the request \
call for a judgement of yours: what is better, wiser, likely, worth it, true to the person? Then \
write down the opinions that you hold on it from now on. Where it only asked for facts, a look-up, \
a date, a favour or small talk, you form none: the list is empty.

Each opinion has
- "text": one or two self-contained sentences in the language of the request that say what you \
hold and why ("Ana should rent first, because her job there is only for a year"), naming people \
and things instead of "she" or "it". A judgement, never a mere fact about the person;
- "confidence": how sure you are, from 0 (a bare guess) to 1 (certain): .9 and more only where \
the facts leave hardly a doubt;
- "entities": the few people, places, organisations and things it is about, by name;
- "facts": the labels of the facts it rests on (F1, F2, …), at least one. An opinion that rests on \
none of them is not written down;
- "revises": the label of the opinion that it takes the place of (O1, O2, …), where you hold one \
on the same matter already and now see it otherwise, more or less surely, or for another reason; \
else null. What you hold already and have nothing new on, leave out.

Your own opinions and the answer are no evidence; only the facts are."""


def _confidence(value: Any) -> Any:
    """A share of 1, also where a model writes "85%" or 85; what is beyond that is unfit."""
    said = value.strip().rstrip("%").strip() if isinstance(value, str) else value
    try:
        number = float(said)
    except (TypeError, ValueError):
        return value
    percent = number > 1 or (isinstance(value, str) and value.strip().endswith("%"))
    return number / 100 if percent else number


def _texts(value: Any) -> Any:
    """Texts as a list, also where a model gives one alone, numbers, or entities as objects."""
    listed = value if isinstance(value, list) else [value] if value else []
    bare = [item.get("name") if isinstance(item, dict) else item for item in listed]
    return [str(item) for item in bare if isinstance(item, str | int)]


class FormedOpinion(Answer):
    """One opinion as the model wrote it; labels are checked by the node."""

    text: Annotated[str, Field(min_length=1, max_length=600)]
    confidence: Annotated[float, BeforeValidator(_confidence), Field(ge=0, le=1)]
    entities: Annotated[
        list[Annotated[str, Field(max_length=80)]], BeforeValidator(_texts), Field(max_length=12)
    ] = []
    facts: Annotated[
        list[Annotated[str, Field(max_length=24)]], BeforeValidator(_texts), Field(max_length=24)
    ] = []
    revises: Annotated[Annotated[str, Field(max_length=12)] | None, BeforeValidator(one_label)] = (
        None
    )


class Reflection(Answer):
    """The opinions that an exchange called for; none where it was about facts."""

    opinions: Annotated[list[FormedOpinion], Field(max_length=5)]


@dataclass(frozen=True, slots=True)
class Grounds:
    """What may be rested on (`[F1] …`), what is believed already (`[O1] …`), and the answer."""

    facts: tuple[str, ...]
    opinions: tuple[str, ...]
    answer: str


def reflect(*, query: str, today: str, grounds: Grounds, who: str = "") -> Prompt[Reflection]:
    """Ask which opinions the exchange calls for; `who` is the disposition that shapes them."""
    parts = [
        f"Today is {today}.",
        fenced("request", [query]),
        "What is so, as far as you know:",
        fenced("facts", grounds.facts),
        data_rule("facts"),
        "What you believe already:",
        fenced("opinions", grounds.opinions or ("(nothing on this yet)",)),
        "The answer that you gave:",
        fenced("answer", [grounds.answer]),
        data_rule("answer"),
        'Answer with JSON: {"opinions": [...]}, an empty list where no judgement was called for.',
    ]
    system = f"{_SYSTEM}\n\n{who}" if who else _SYSTEM
    return Prompt("reflect", query, system, "\n\n".join(parts), Reflection)
