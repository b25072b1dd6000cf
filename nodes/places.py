"""agent: where a chat stands in the log, and what of it is new. Pure but for the look-ups.

A thread keeps its place in its own state. A client without a checkpointer passes its history each
time, whole or its last part: then what was said just before this turn says where it stands, by a
setting of the bank that holds a hash of it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from forethought.memory.ids import content_hash, same_text
from forethought.memory.records.port import Records
from forethought.nodes.spoken import Spoken
from forethought.nodes.state import Chat

_PLACE = "chat "
_EXCHANGE = 2  # what was said, and the answer: the shortest history that tells chats apart


async def place_of(
    records: Records, bank: str, said: Sequence[Spoken]
) -> tuple[Chat, list[Spoken]]:
    """Where a chat stands that keeps no state, and what it said since; ({}, all) if it is new.

    By the history right before this turn, whole or its end, else by the longest that is known.
    """
    latest = len(said) - len(trailing(said))
    for end in range(latest, 0, -1):
        marks = _marks(said[:end])
        for mark in marks if end == latest else marks[:1]:
            if kept := await records.setting(bank, mark):
                chat: Chat = json.loads(kept)
                return chat, list(said[end:])
    return {}, list(said)


async def note_place(records: Records, bank: str, said: Sequence[Spoken], chat: Chat) -> None:
    """Keep where the chat stands once all of this was said."""
    place: Chat = {"bank": bank, "key": chat["key"], "day": chat["day"], "turns": chat["turns"]}
    for mark in _marks(said):
        await records.setting(bank, mark, json.dumps(place))


def unlogged(said: Sequence[Spoken], chat: Chat) -> list[Spoken]:
    """What was said since the last message that was logged, without what is not to be remembered.

    Where that message is gone from the history (trimmed, summed up), it is what this turn said.
    """
    places = [number for number, one in enumerate(said) if one.id == chat.get("last")]
    new = said[places[-1] + 1 :] if places else trailing(said)
    return remembered(new, chat.get("off", []))


def trailing(said: Sequence[Spoken]) -> list[Spoken]:
    """This turn: the answer, which is the last, and what the user said right before it."""
    start = len(said) - 1
    while start > 0 and said[start - 1].role == "user":
        start -= 1
    return list(said[start:])


def remembered(said: Sequence[Spoken], off: Sequence[str]) -> list[Spoken]:
    """All but the messages that are `off`, and the answers to them."""
    kept: list[Spoken] = []
    skipping = False
    for one in said:
        if one.role == "user":
            skipping = one.id in off
        if not skipping:
            kept.append(one)
    return kept


def _marks(said: Sequence[Spoken]) -> list[str]:
    """Names of the settings that hold the place after `said`: by all of it, and by its end.

    None where it does not end with an answer: every turn does.
    """
    if not said or said[-1].role != "assistant":
        return []
    texts = [f"{one.role}: {same_text(one.text)}" for one in said]
    ends = (texts, texts[-_EXCHANGE:]) if len(texts) > _EXCHANGE else (texts,)
    return [_PLACE + content_hash(*end, length=32) for end in ends]
