"""One message of a conversation, in the shapes that chat APIs and data sets share."""

from __future__ import annotations

from forethought.memory.conversations import Utterance
from forethought.memory.formats.node import Damaged, Node, shown
from forethought.memory.types import Role

ROLES: dict[str, Role] = {
    "user": "user",
    "assistant": "assistant",
    "system": "system",
    "developer": "system",  # OpenAI's newer name for it
    "tool": "tool",
    "function": "tool",  # OpenAI's older name for it
}
MESSAGE = 'a JSON object with "role" and "content"'
_MEDIA = ("image", "audio", "video", "file")


def message(node: Node) -> Utterance:
    """The turn that a `{"role", "content"}` object holds; raises Damaged.

    `content` may be a string, a list of parts, or null where the assistant only calls a tool.
    """
    missing = [key for key in ("role", "content") if key not in node.mapping(MESSAGE)]
    if missing:
        raise Damaged(node.place, f'expected {MESSAGE}, found no "{missing[0]}"')
    content = node.at("content")
    name = node.first("name")
    return Utterance(
        role=role(node.at("role")),
        text="" if content.value is None else said(content),
        name=name.text("a name").strip() or None if name else None,
    )


def role(node: Node) -> Role:
    """Who speaks, in our words; raises Damaged for a role that is not known."""
    given = node.text(f"a role ({', '.join(ROLES)})").strip().lower()
    if given not in ROLES:
        raise Damaged(node.place, f"expected a role ({', '.join(ROLES)}), found {shown(given)}")
    return ROLES[given]


def said(node: Node) -> str:
    """The text of a message's content: a string, or parts of which the textual ones are joined."""
    if isinstance(node.value, str):
        return node.value
    parts = node.items("a string or a list of parts")
    return "\n".join(part for part in map(_part, parts) if part)


def _part(node: Node) -> str:
    if isinstance(node.value, str):
        return node.value
    node.mapping('a string or an object with "type"')
    sort = node.need("type").text('the type of a part, such as "text"')
    text = node.first("text", "refusal")
    if text is None:
        return placeholder(sort)
    inner = text.at("value") if isinstance(text.value, dict) else text  # the Assistants API's
    return inner.text()


def placeholder(sort: str) -> str:
    """What stands in the log for something that is no text: "[image]" for an `image_url`."""
    return f"[{next((medium for medium in _MEDIA if medium in sort.lower()), sort)}]"
