"""LoCoMo: samples of two people talking over many dated sessions, sometimes sharing photos.

Both speakers are people, so both have the role "user", each with their name. A sample is a
group, named by its `sample_id`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from forethought.memory.conversations import Utterance
from forethought.memory.formats.node import Node
from forethought.memory.formats.reading import Format, Found, Reading

_SESSION = re.compile(r"session_([0-9]{1,9})")
_PHOTO = ("img_url", "query", "blip_caption")
_TURN = 'an object with "speaker" and "text"'


def matches(record: object) -> bool:
    """Whether it has a conversation with a `session_1` or the like in it."""
    talk = record.get("conversation") if isinstance(record, dict) else None
    return isinstance(talk, dict) and any(_SESSION.fullmatch(key) for key in talk)


def person(record: Node, reading: Reading) -> str:
    """The sample's id, else its place in the file ("sample-3")."""
    return reading.name(record, "sample_id", default=record.numbered("sample"))


def conversations(record: Node, sample: str, reading: Reading) -> Iterator[Found]:
    """Each session in the order of their numbers, named "conv-26/session_1"."""
    talk = record.at("conversation")
    names = [name for name in talk.mapping() if _SESSION.fullmatch(name)]
    for name in sorted(names, key=lambda name: int(name.removeprefix("session_"))):
        with reading.reporting():
            session = talk.at(name)
            date = reading.when(talk.first(f"{name}_date_time"), of=session)
            turns = [_turn(node) for node in session.items("a list of turns")]
            yield reading.found(session, f"{sample}/{name}", date=date, turns=turns)


def _turn(node: Node) -> Utterance:
    node.mapping(_TURN)
    speaker = node.need("speaker").word("the speaker's name")
    text = node.first("text")
    said = text.text() if text else ""
    return Utterance(role="user", name=speaker, text=f"{said} {_photo(node)}".strip())


def _photo(node: Node) -> str:
    if node.first(*_PHOTO) is None:
        return ""
    caption = node.first("blip_caption")
    return f"[shares a photo: {caption.text().strip()}]" if caption else "[shares a photo]"


FORMAT = Format(
    name="locomo",
    outline='{"sample_id", "conversation": {"session_1": [{"speaker", "text"}], '
    '"session_1_date_time"}}',
    matches=matches,
    conversations=conversations,
    person=person,
)
