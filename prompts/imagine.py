"""Prospection, first phase: imagine how a request may unfold, from the request alone (PGR §3.3)."""

from __future__ import annotations

from forethought.prompts.prompt import Prompt, data_rule, fenced
from forethought.prompts.prospection import STEP_RULES, Chain, Tree

_ROLE = """\
You put yourself in the place of a person who has just made a request, and run ahead in time: \
what happens when they go through with it, what gets in the way, what they will wish they had \
remembered. """

_TREE = """\
Branch wherever things can go differently. Give about a dozen steps as a tree: each has an \
"action_id" (A1, A2, …), an "action", its "constraints", and the "action_id" of its "parent" \
(null for the first)."""

_CHAIN = """\
Follow the most likely course from the first hour to well after the end. Give eight to twelve \
steps in order, each with an "action" and its "constraints"."""


def imagine_tree(*, query: str, today: str, context: tuple[str, ...]) -> Prompt[Tree]:
    """A tree of possible futures. `context` holds facts that the request itself brings to mind."""
    user = _request(query=query, today=today, context=context)
    return Prompt("imagine", query, f"{_ROLE}{_TREE}\n\n{STEP_RULES}", user, Tree)


def imagine_chain(*, query: str, today: str, context: tuple[str, ...]) -> Prompt[Chain]:
    """One likely future, step by step. `context` as in `imagine_tree`."""
    user = _request(query=query, today=today, context=context)
    return Prompt("imagine", query, f"{_ROLE}{_CHAIN}\n\n{STEP_RULES}", user, Chain)


def _request(*, query: str, today: str, context: tuple[str, ...]) -> str:
    parts = [f"Today is {today}.", fenced("request", [query])]
    if context:
        parts += ["What is surely meant:", fenced("facts", context), data_rule("facts")]
    parts.append('Answer with JSON: {"steps": [...]}.')
    return "\n\n".join(parts)
