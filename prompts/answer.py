"""The answer itself: grounded in cited facts, open about what is believed and what is not known."""

from __future__ import annotations

from dataclasses import dataclass

from forethought.prompts.prompt import Fence, TextPrompt, data_rule, fenced

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

_DUTIES = """
- Commitments come to mind because their day has come or because of what was just said. Say \
first, in a sentence each, what they call for and why now, also where the request is about \
something else, with their ids, as in [c0123456789ab]. Leave one out only where what was said \
clearly has nothing to do with it."""
_BELIEFS = """
- Opinions are your own views, as sure as each one says. They are no evidence: never say that \
something is so because you believe it. Where the request asks what you think, give them as your \
views, no surer than they are, with their ids, as in [o0123456789ab]."""
_SUMMARIES = """
- Summaries say in short what several facts come to; cite them as in [b0123456789ab]. Where a \
fact says otherwise, the fact is what holds."""

_USER = """
- What the person is like sums up what many facts say of them: let it shape what you recommend, \
also where they did not think of it, and cite what you go by as in [b0123456789ab]. Do not recite \
it. Where a fact says otherwise, the fact is what holds."""


@dataclass(frozen=True, slots=True)
class Remembered:
    """What the assistant goes by, as lines: the four networks, each apart, and what was said.

    `commitments` are those that are to be brought up, with why; `facts` are of the world,
    `experience` is what the assistant did, `user_profile` what the user is like; `turns` are of
    earlier conversations, and `conversation` is this one before the request.
    """

    commitments: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    experience: tuple[str, ...] = ()
    user_profile: tuple[str, ...] = ()
    opinions: tuple[str, ...] = ()
    observations: tuple[str, ...] = ()
    turns: tuple[str, ...] = ()
    conversation: tuple[str, ...] = ()

    @property
    def nothing(self) -> bool:
        """Whether nothing but this conversation is remembered."""
        return not any(getattr(self, network) for _, network in _HEADINGS)


_HEADINGS: tuple[tuple[str, Fence], ...] = (
    ("What they undertook, which comes to mind now:", "commitments"),
    ("What is so, as far as you remember of the person:", "facts"),
    ("What you yourself did or advised:", "experience"),
    ("What the person is like, summed up:", "user_profile"),
    ("What you believe, your own views and no evidence of what is so:", "opinions"),
    ("What several facts come to, summed up:", "observations"),
    ("What was said in earlier conversations:", "turns"),
)


def answer(
    *, query: str, today: str, remembered: Remembered, summary: str = "", who: str = ""
) -> TextPrompt:
    """Ask for the answer to `query` from what is `remembered`.

    `summary` says how prospection found the facts, `who` is the assistant's disposition in words.
    """
    parts = [f"Today is {today}."]
    if remembered.conversation:
        parts += ["This conversation so far:", fenced("conversation", remembered.conversation)]
    parts.append(fenced("request", [query]))
    for heading, network in _HEADINGS:
        lines: tuple[str, ...] = getattr(remembered, network)
        if lines:
            parts += [heading, fenced(network, lines), data_rule(network)]
    if remembered.nothing:
        parts.append("You remember nothing of the person that bears on this.")
    if summary:
        parts += ["Why these came to mind:", fenced("thoughts", [summary])]
    return TextPrompt("answer", query, _system(remembered, who), "\n\n".join(parts))


def _system(remembered: Remembered, who: str) -> str:
    """The rules, those on what is there beside facts only where it is, and who answers."""
    rules = _SYSTEM
    rules += _DUTIES if remembered.commitments else ""
    rules += _USER if remembered.user_profile else ""
    rules += _BELIEFS if remembered.opinions else ""
    rules += _SUMMARIES if remembered.observations else ""
    return f"{rules}\n\n{who}" if who else rules
