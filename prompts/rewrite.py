"""Rewriting: a request made self-contained, dated, and fit to search by (PGR §3.3, PPRO §3.3)."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Field, model_validator

from forethought.prompts.dimensions import (
    DIMENSIONS,
    SaidCertainty,
    SaidSubjectivity,
    SaidTense,
)
from forethought.prompts.prompt import Answer, Prompt, data_rule, fenced

_SYSTEM = f"""\
You prepare a person's request, so that somebody who does not know them would understand it, and \
so that what is remembered of them can be searched. Give
- "request": the request, self-contained: names say who they are, "it", "there" and "the other \
one" say what, where and which, as far as the conversation and the facts tell. Add no wishes, no \
advice and no guesses. If nothing needs saying, repeat the request unchanged. Keep its language, \
its first person and its own words for a time ("last weekend");
- "query": a sentence, in the language of the request, that says what the wanted facts would say \
of the person, in the words that such facts would have ("User bought the red kayak in …"), with \
the names and key words of the request, and without days or dates;
- "first_day", "last_day": the days that the request is about, counted from today, as in \
2025-06-07; twice the same for a single day; null where it is about no particular time;
{DIMENSIONS}, each of the facts that would answer the request, null where any would."""

_FORM = """\
Answer with JSON: {"request": "...", "query": "...", "first_day": ..., "last_day": ..., "tense": \
..., "subjectivity": ..., "certainty": ...}."""

_LONGEST = 2000  # characters of either text, as long as a request may be to be restated at all
_DAY = 40  # characters of a day; what is longer is none


def _line(value: Any) -> Any:
    """A text on one line; what is none, or too long to be a request in other words, is left out."""
    line = " ".join(value.split()) if isinstance(value, str) else ""
    return line if len(line) <= _LONGEST else ""


def _day(value: Any) -> Any:
    """A day as text; whether it is one is not seen here."""
    return value.strip()[:_DAY] if isinstance(value, str) else None


_Line = Annotated[str, BeforeValidator(_line), Field(max_length=_LONGEST)]
_Day = Annotated[Annotated[str, Field(max_length=_DAY)] | None, BeforeValidator(_day)]


class Rewrite(Answer):
    """The request in other words, and of which days and sort are the facts that answer it."""

    request: _Line
    query: _Line
    first_day: _Day
    last_day: _Day
    tense: SaidTense
    subjectivity: SaidSubjectivity
    certainty: SaidCertainty

    @model_validator(mode="before")
    @classmethod
    def _whole(cls, data: Any) -> Any:
        """Take what is missing as left out; a reply with neither text is none."""
        if not isinstance(data, dict) or not (
            _line(data.get("request")) or _line(data.get("query"))
        ):
            raise ValueError("expected an object with a request and a query, as texts")
        return {**dict.fromkeys(cls.model_fields), **data}


def rewrite(
    *, query: str, today: str, facts: tuple[str, ...], conversation: tuple[str, ...] = ()
) -> Prompt[Rewrite]:
    """Ask for `query` in other words, with what it refers to in `facts` and in `conversation`."""
    parts = [f"Today is {today}."]
    if conversation:
        parts += ["This conversation so far:", fenced("conversation", conversation)]
        parts.append(data_rule("conversation"))
    parts.append(fenced("request", [query]))
    if facts:
        parts += ["Facts that it surely means:", fenced("facts", facts), data_rule("facts")]
    parts.append(_FORM)
    return Prompt("rewrite", query, _SYSTEM, "\n\n".join(parts), Rewrite)
