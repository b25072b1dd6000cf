"""The answer itself: grounded in cited facts, open about what is not known."""

from __future__ import annotations

from forethought.prompts.prompt import TextPrompt, data_rule, fenced

_SYSTEM = """\
You are an assistant who has known this person for a long time. Answer their request from the \
facts and quotations below, briefly and concretely, in the language of the request and in Markdown.
- Say first what matters most: a fact that blocks, delays or changes what they want to do.
- Behind everything that rests on a fact, put that fact's id in square brackets, exactly as \
given, as in [f0123456789ab]; likewise the id of what was said, as in [t0123456789ab]. Cite only \
ids that are given.
- What was said is quoted as it was then; where a fact says otherwise, the fact is what holds.
- A fact is as old as its date. Where it may have changed since, say so and ask.
- Facts that look unlike the request may matter most; use those that bear on it and leave out \
the rest.
- End with what you do not know and would need to, in one or two lines. Do not fill gaps with \
guesses.
- If no fact bears on the request, say so, and give general advice marked as such."""


def answer(
    *, query: str, today: str, facts: tuple[str, ...], turns: tuple[str, ...] = (), summary: str
) -> TextPrompt:
    """Ask for the answer to `query` from `facts` and `turns` of earlier conversations.

    `summary` says how prospection found the facts.
    """
    parts = [f"Today is {today}.", fenced("request", [query])]
    if facts:
        parts += ["What you remember of the person:", fenced("facts", facts), data_rule("facts")]
    if turns:
        parts += ["What was said in earlier conversations:", fenced("turns", turns)]
        parts.append(data_rule("turns"))
    if not facts and not turns:
        parts.append("You remember nothing of the person that bears on this.")
    if summary:
        parts += ["Why these came to mind:", fenced("thoughts", [summary])]
    return TextPrompt("answer", query, _SYSTEM, "\n\n".join(parts))
