"""Commitments by rule, where no model extracts: cue phrases and the days that follow them.

They find what is said in so many words and take whole sentences; a model finds far more, and says
what is to be done. `eval prospective` has their own row.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date as Day
from datetime import datetime, timedelta

from forethought.memory import ids
from forethought.memory.ledger.clauses import sentences
from forethought.memory.ledger.phrases import CONDITIONS, DEADLINES, DUTIES, ORDINALS
from forethought.memory.ledger.types import Commitment
from forethought.memory.times.resolving import day_of_month, resolved
from forethought.memory.types import Source
from forethought.memory.words import folded

_WINDOW = 5  # words of the longest day: "the 3rd of March 2025"
_FEWEST = 3  # words of a condition: "until then" is none
_AHEAD = timedelta(days=366)  # what is further off is rather a day of last year
_VAGUE = ("after", "past")  # "not after the 31st" is a deadline, but "by the 16th" says it better
_GOES_ON = {None, "or", "otherwise", "else", "without", "and", "so", "but", "at", "if", "because"}
_ORDINAL = re.compile(rf"(?:the )?({'|'.join(ORDINALS)})\b")
_OF_MONTH = re.compile(r"(?:the )?(\d{1,2})(?:st|nd|rd|th)")
_YEAR = re.compile(r"(?:19|20)\d\d$")
_DAY_LIKE = re.compile(
    r"\d{1,2}\b|\d{4}-\d\d|(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|tonight|"
    r"manana|demain|morgen|domani|amanha|[a-z]+tag\b|lunes|martes|jueves|viernes|lundi|mardi|jeudi"
)


def noticed(
    text: str, *, bank: str, at: datetime, source: Source | None = None, facts: tuple[str, ...] = ()
) -> list[Commitment]:
    """The commitments that a turn said at `at` (aware, in the user's zone) states, in order.

    A sentence is one when it names a deadline that is still to come, or when it speaks of a duty
    and of when that arises. The action is the sentence as it was said.
    """
    found = []
    for sentence in sentences(text):
        said = folded(sentence).replace("’", "'")
        due = next(_deadlines(said, at), None)
        condition = None if due else _condition(said, sentence)
        if due or condition:
            when = condition or str(due)
            named = ids.commitment_id(bank, sentence, when)
            found.append(
                Commitment(named, bank, sentence, at, condition, due, source=source, facts=facts)
            )
    return found


def _deadlines(said: str, at: datetime) -> Iterator[Day]:
    matches = DEADLINES.finditer(said)
    for match in sorted(matches, key=lambda one: one[0].startswith(_VAGUE)):
        ahead = re.split(r"[,;!?]|\.$|(?<!\d)\.\s", said[match.end() :])[0].split()
        for size in range(min(_WINDOW, len(ahead)), 0, -1):
            following = ahead[size] if size < len(ahead) else None
            if day := _day(" ".join(ahead[:size]), following, at):
                yield day
                break


def _day(said: str, following: str | None, at: datetime) -> Day | None:
    """The day that `said` is, from today on; without a month or year the next one of its name.

    An ordinal in words is one only where the word `following` it is not what it counts.
    """
    numbered = _ORDINAL.fullmatch(said) or _OF_MONTH.fullmatch(said)
    if numbered:
        if numbered[1] in ORDINALS and following not in _GOES_ON:
            return None
        number = ORDINALS.get(numbered[1]) or int(numbered[1])
        return day_of_month(number, at.date(), ahead=True)
    if (
        not _DAY_LIKE.search(said)
        or re.fullmatch(r"[\d.,:]+", said)
        or _YEAR.match(following or "")
    ):
        return None  # no day, or cut off before its year
    span = resolved(_ORDINAL.sub(lambda match: str(ORDINALS[match[1]]), said), on=at)
    if span is None or span[0] != span[1]:
        return None
    return _coming(span[0], at.date())


def _coming(day: Day, today: Day) -> Day | None:
    if day < today and today - day <= timedelta(days=7):
        day += timedelta(days=7)  # "Friday", read as the one that was
    elif day < today and (day.month, day.day) != (2, 29):
        day = day.replace(year=day.year + 1)  # "3 January", said in December
    return day if today <= day <= today + _AHEAD else None


def _condition(said: str, sentence: str) -> str | None:
    """From the first word of a condition to the end of its clause, where a duty is spoken of."""
    match = CONDITIONS.search(said)
    if match is None or sentence.rstrip().endswith(("?", "？")):
        return None
    begin = match.start()
    clause = re.split(r"[,;:]", said[begin:])[0]
    duty = DUTIES.search(clause, match.end() - begin)
    if duty:  # "once the quote arrives I have to reconcile it": up to its subject
        clause = clause[: duty.start()].rstrip().rpartition(" ")[0]
    elif not DUTIES.search(said.replace(clause, " ")):
        return None
    if len(clause.split()) < _FEWEST:
        return None
    if len(said) == len(sentence):  # nothing was dropped, so the places are the same
        clause = sentence[begin : begin + len(clause)]
    return clause.strip(" .!。")
