"""What the user is like: stable attributes, preferences and relationships (PPRO §3.2)."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Field, model_validator

from forethought.prompts.prompt import Answer, Prompt, data_rule, fenced, numbered

MOST = 5  # statements of a side, ours: all of them take about 300 tokens of each answer's prompt
_LONGEST = 300  # characters of a statement: two sentences

_ROLE = f"""\
You keep the profile of a person for their assistant: what somebody who knows them well would have \
in mind whatever they ask. Write it from the facts alone. Say what is lasting and what recurs, the \
most telling first; leave out single events, what is over, and whatever the facts do not say: no \
guess at character, mood or motive, no judgement, no advice. Where facts contradict each other, \
the later one holds. Each statement is one short self-contained sentence in the language of the \
facts, in which the person is "the user" and others have their names.

There are three lists, of at most {MOST} statements each, fewer where less is known:
- "attributes": who they are and how they live: home, work, family, health, means, duties;
- "preferences": what they like, want, avoid and are used to;
- "relationships": who is in their life, what each is to them, and what matters about them.
Nothing is said twice. A list of which the facts say nothing is empty."""

_SUBJECT = "user"
"""What a recording of this prompt is found by: there is one user in a bank."""


def _texts(value: Any) -> Any:
    """The statements that can be used, also where a model gives one alone, objects or too many."""
    listed = value if isinstance(value, list) else [value]
    bare = [_first_of(item) if isinstance(item, dict) else item for item in listed]
    texts = [item.strip() for item in bare if isinstance(item, str)]
    return [text for text in texts if 0 < len(text) <= _LONGEST][:MOST]


def _first_of(item: dict[str, Any]) -> Any:
    """The first text of an object, such as {"statement": "…"}."""
    return next((value for value in item.values() if isinstance(value, str)), None)


Statements = Annotated[
    list[Annotated[str, Field(max_length=_LONGEST)]],
    BeforeValidator(_texts),
    Field(max_length=MOST),
]


class UserProfile(Answer):
    """What the user is like; a side that was left out is empty."""

    attributes: Statements
    preferences: Statements = []
    relationships: Statements = []

    @model_validator(mode="before")
    @classmethod
    def _whole(cls, data: Any) -> Any:
        """Take the one list that a reply must have as empty where it has another."""
        if isinstance(data, dict) and data.keys() & {"preferences", "relationships"}:
            return {"attributes": [], **data}
        return data

    @property
    def sides(self) -> dict[str, list[str]]:
        """The statements by what they are about."""
        return {
            "attributes": self.attributes,
            "preferences": self.preferences,
            "relationships": self.relationships,
        }


def user_profile(*, facts: tuple[str, ...]) -> Prompt[UserProfile]:
    """Ask for the profile of the user from `facts` (dated lines)."""
    user = "\n\n".join(
        [
            fenced("facts", numbered(facts)),
            data_rule("facts"),
            'Answer with JSON: {"attributes": ["...", ...], "preferences": ["...", ...], '
            '"relationships": ["...", ...]}.',
        ]
    )
    return Prompt("user_profile", _SUBJECT, _ROLE, user, UserProfile)
