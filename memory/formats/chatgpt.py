"""ChatGPT's data export (`conversations.json`): each conversation is a tree of messages.

Editing a prompt or regenerating an answer makes a branch; read is the branch that the user ended
on, from `current_node` up. What was not said between the two never counts as theirs: hidden
messages and custom instructions have the role "system", what goes to and comes from a tool the
role "tool", and the model's thoughts are left out. OpenAI documents no schema; this one follows
exports of 2023 to 2025.
"""

from __future__ import annotations

from collections.abc import Iterator

from forethought.memory.conversations import Utterance
from forethought.memory.formats.node import Damaged, Node, shown
from forethought.memory.formats.reading import Format, Found, Reading
from forethought.memory.formats.turns import placeholder, role
from forethought.memory.types import Role

_THOUGHTS = ("thoughts", "reasoning_recap")
_TEXTS = ("text", "result", "user_profile", "user_instructions", "model_set_context")
_HIDDEN = "is_visually_hidden_from_conversation"


def matches(record: object) -> bool:
    """Whether it has a mapping of messages."""
    return isinstance(record, dict) and "mapping" in record


def conversations(record: Node, _person: str, reading: Reading) -> Iterator[Found]:
    """The conversation, named by its id, as far as its branch can be followed."""
    with reading.reporting():
        name = record.first("conversation_id", "id")
        messages = [node.at("message") for node in _branch(record, reading)]
        said = [node for node in messages if node.value is not None]
        turns = [turn for turn in map(_turn, said) if turn]
        dates = (node.first("create_time") for node in (record, *said))
        date = reading.when(next((node for node in dates if node), None), of=record)
        key = name.word("a conversation id") if name else None
        yield reading.found(record, key, date=date, turns=turns)


def _branch(record: Node, reading: Reading) -> list[Node]:
    """The nodes from the first message to the last, or from where the way up breaks off."""
    mapping = record.at("mapping")
    known = mapping.mapping("an object with the messages")
    branch: list[Node] = []
    seen: set[str] = set()
    with reading.reporting():
        at = _end(record, reading) if known else None
        while at is not None:
            if at in seen or at not in known:
                fault = "its own ancestor" if at in seen else "missing"
                raise Damaged(mapping.place, f"{shown(at)} is {fault}: kept what comes after it")
            seen.add(at)
            node = mapping.at(at)
            parent = node.first("parent")
            branch.append(node)
            at = parent.text("the id of a message") if parent else None
    return branch[::-1]


def _end(record: Node, reading: Reading) -> str:
    """The id of the last message: `current_node`, else the newest that nothing follows."""
    mapping = record.at("mapping")
    known = mapping.mapping()
    current = record.first("current_node")
    if current and isinstance(current.value, str) and current.value in known:
        return current.value
    nodes = {id_: mapping.at(id_) for id_, node in known.items() if isinstance(node, dict)}
    above = (node.at("parent").value for node in nodes.values())
    parents = {parent for parent in above if isinstance(parent, str)}
    leaves = [id_ for id_ in nodes if id_ not in parents]
    if not leaves:
        raise Damaged(record.place, 'expected the id of the last message in "current_node"')
    if current or len(leaves) > 1:
        reading.report(record.place, '"current_node" names no message: kept the newest branch')
    return max(leaves, key=lambda id_: _written(nodes[id_]))


def _written(node: Node) -> float:
    message = node.at("message")
    time = message.at("create_time").value if isinstance(message.value, dict) else None
    return time if isinstance(time, int | float) else 0.0


def _turn(message: Node) -> Utterance | None:
    content = message.first("content")
    if content is None:
        return None
    author = message.need("author")
    speaker, recipient = _speaker(message, author), message.first("recipient")
    named = author.first("name") or (recipient if speaker == "tool" else None)
    name = named.text("a name").strip() or None if named else None
    return Utterance(role=speaker, text=_text(content), name=name)


def _speaker(message: Node, author: Node) -> Role:
    speaker = role(author.need("role"))
    metadata, recipient = message.first("metadata"), message.first("recipient")
    if speaker != "tool" and metadata and metadata.at(_HIDDEN).value is True:
        return "system"
    if speaker == "assistant" and recipient and recipient.value != "all":
        return "tool"
    return speaker


def _text(content: Node) -> str:
    sort = content.first("content_type")
    named = sort.text() if sort else "text"
    if named in _THOUGHTS:
        return ""
    parts = content.first("parts")
    if parts:
        return "\n".join(filter(None, map(_part, parts.items("a list of parts"))))
    texts = [text.text() for key in _TEXTS if (text := content.first(key))]
    return "\n".join(filter(None, texts)) if texts else placeholder(named)


def _part(node: Node) -> str:
    if node.value is None:
        return ""
    if isinstance(node.value, str):
        return node.value
    text = node.first("text")
    sort = node.first("content_type")
    return text.text() if text else placeholder(sort.text() if sort else "attachment")


FORMAT = Format(
    name="chatgpt",
    outline='{"title", "create_time", "mapping": {id: {"message", "parent"}}, "current_node"}',
    matches=matches,
    conversations=conversations,
)
