"""The answer models that imagining and refining share: a tree or a chain of future steps."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from forethought.prompts.prompt import Answer

MAX_STEPS = 24  # twice the dozen steps that the prompts ask for


def _joined(value: Any) -> Any:
    """Constraints as one line, also where a model lists them."""
    if isinstance(value, list):
        return ", ".join(str(item) for item in value)
    return "" if value is None else value


def _label(value: Any) -> Any:
    """Step ids as text, also where a model numbers its steps."""
    return str(value) if isinstance(value, int) else value


Line = Annotated[str, BeforeValidator(_joined), Field(max_length=400)]
Label = Annotated[str, BeforeValidator(_label), Field(max_length=12)]


class TreeStep(Answer):
    """One imagined step of a tree; `parent` is the id of the step it follows from."""

    action_id: Label
    action: Annotated[str, Field(min_length=1, max_length=400)]
    constraints: Line = ""
    parent: Label | None = None


class Tree(Answer):
    """A tree of thought: alternative futures branching from the request (PGR §3.3, ToT)."""

    steps: Annotated[list[TreeStep], Field(min_length=1, max_length=MAX_STEPS)]


class ChainStep(Answer):
    """One imagined step of a chain."""

    action: Annotated[str, Field(min_length=1, max_length=400)]
    constraints: Line = ""


class Chain(Answer):
    """A chain of thought: one future, step by step (PGR §3.3, CoT)."""

    steps: Annotated[list[ChainStep], Field(min_length=1, max_length=MAX_STEPS)]


STEP_RULES = """\
What a step is:
- something concrete that this person would do, meet, notice or run into, or a question of the \
situation ("how …", "whether …", "what …", "who …");
- never thinking about thinking: no step starts with imagine, anticipate, think, consider, plan, \
decide, evaluate, review, verify, check or a word like these;
- about one dimension only: time, money, place, travel, body and health, people, duties, \
paperwork, weather, things owned, skills, tastes, or how it felt last time;
- in words of its own: two steps share as few content words as possible, since each is used to \
search what is known about the person for facts that the request itself would never find;
- "constraints" lists the circumstances that would change the step: limits, dates, habits, \
likes, costs, promises, ailments, people.
Steps stay in the language of the request."""
