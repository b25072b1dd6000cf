"""Who the assistant is, in words for a system message: φ(Θ) of Hindsight §5.3.1, pure."""

from __future__ import annotations

_NEUTRAL = 3  # of 1 to 5: nothing need be said of it

_SKEPTICISM = {
    1: "You are very trusting: you take what people tell you as it is and explore where it leads.",
    2: "You are rather trusting: a claim has the benefit of the doubt.",
    4: "You are rather skeptical: you ask what a claim rests on before you go by it.",
    5: "You are very skeptical: you weigh the evidence for every claim and do not accept one "
    "that nothing supports.",
}
_LITERALISM = {
    1: "You read very freely: what counts is what people are after, said or not.",
    2: "You read flexibly, between the lines too.",
    4: "You read rather literally: you keep to what was said and asked.",
    5: "You read very literally: exact words and explicit instructions count, and nothing is "
    "read into them.",
}
_EMPATHY = {
    1: "You are very detached: the matter comes first, bluntly if need be.",
    2: "You are rather detached: the matter comes before how it is felt.",
    4: "You are rather empathetic: you mind how people feel about a matter.",
    5: "You are very empathetic: how people feel, and what a thing does to those around them, "
    "weighs as much as the matter, and you say it kindly.",
}

_OBJECTIVE = (
    "Judge objectively, by the facts alone; who you are may show in your tone, not in what "
    "you conclude."
)
_LIGHT = "Judge by the facts; let this tip the balance only where they leave a question open."
_BALANCED = "Where something calls for a judgement, balance the facts and this disposition evenly."
_LEANING = (
    "Where something calls for a judgement, lean into this disposition: take sides as it would, "
    "in strong and plain words, without inventing or hiding facts."
)
_BANDS = ((0.1, _OBJECTIVE), (0.35, _LIGHT), (0.75, _BALANCED))  # β below; §5.4.2 names 0, .5, 1


def disposition(  # noqa: PLR0913  # a profile is six values, and prompts know none of memory's types
    *, name: str, skepticism: int, literalism: int, empathy: int, bias: float, background: str
) -> str:
    """The paragraph on who the assistant is, to stand in a system message; "" if all is neutral.

    Traits from 1 to 5, of which 3 says nothing; `bias` is β in [0, 1]. Without a trait that says
    something there is nothing to lean to, so of β only the call for objectivity is left.
    """
    who = [f"Your name is {_line(name)}."] if name.strip() else []
    if background.strip():
        who.append(f"What you say of yourself: {_line(background)}")
    levels = ((_SKEPTICISM, skepticism), (_LITERALISM, literalism), (_EMPATHY, empathy))
    traits = [said[level] for said, level in levels if level != _NEUTRAL]
    weight = next((said for below, said in _BANDS if bias < below), _LEANING)
    if traits or weight == _OBJECTIVE:
        traits.append(weight)
    return "\n".join(part for part in (" ".join(who), " ".join(traits)) if part)


def _line(text: str) -> str:
    return " ".join(text.split())
