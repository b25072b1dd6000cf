"""A bank's entities, facts and links as one self-contained HTML page, drawn by Bokeh."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from forethought.memory.errors import InvalidInput
from forethought.memory.types import KINDS, Entity, Fact, Link, Mention

if TYPE_CHECKING:
    from bokeh.plotting import figure as Figure

MOST = 300  # facts, and no eye takes in more; with ENTITIES fewer than 500, as networkx lays out
ENTITIES = 150  # the most shared ones
_SEED = 7  # of the layout, so that one bank always gives one picture
_EDGES = {  # Okabe and Ito's palette, which colour-blind eyes tell apart
    "mentions": "#bbbbbb", "temporal": "#56b4e9", "semantic": "#e69f00", "causes": "#d55e00",
    "enables": "#009e73", "prevents": "#cc79a7",
}  # fmt: skip
_FACTS = dict(
    zip(KINDS, ("#0072b2", "#009e73", "#d55e00", "#e69f00", "#56b4e9", "#cc79a7"), strict=True)
)
_ENTITY = "#333333"
# Bokeh would fetch MathJax for some texts; a browser that reads this fetches nothing.
_POLICY = (
    '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
    "script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; img-src data: blob:\">"
)

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Drawn:
    """What a picture shows: facts, roots of entities with their names, and edges by their sort."""

    facts: tuple[Fact, ...]
    entities: tuple[tuple[str, str], ...]
    edges: tuple[tuple[str, str, str], ...]

    @property
    def nodes(self) -> list[str]:
        """Ids of all that is a point in the picture."""
        return [*(fact.id for fact in self.facts), *(entity for entity, _ in self.entities)]


def drawn(
    facts: Sequence[Fact],
    entities: Sequence[Entity],
    mentions: Iterable[Mention],
    links: Iterable[Link],
    *,
    limit: int,
) -> Drawn:
    """The `limit` best linked facts that hold, up to MOST, and the entities that they share.

    An entity stands with all that were joined to it, under its root's name and theirs.
    """
    holding = {fact.id: fact for fact in facts if fact.until is None}
    roots = roots_of(entities)
    mentioned = {(m.fact, roots[m.entity]) for m in mentions if m.fact in holding}
    linked = {
        (link.source, link.target, link.kind)
        for link in links
        if link.source in holding and link.target in holding
    }
    degree = Counter(fact for fact, _ in mentioned)
    degree.update(end for source, target, _ in linked for end in (source, target))
    kept = set(sorted(holding, key=lambda fact: (-degree[fact], fact))[: min(limit, MOST)])
    shared = Counter(root for fact, root in mentioned if fact in kept)
    order = sorted(shared, key=lambda root: (-shared[root], root))
    common = {root for root in order[:ENTITIES] if shared[root] > 1}
    edges = {(f, root, "mentions") for f, root in mentioned if f in kept and root in common}
    edges |= {edge for edge in linked if edge[0] in kept and edge[1] in kept}
    return Drawn(
        tuple(holding[fact] for fact in sorted(kept)),
        tuple((root, _names(root, entities, roots)) for root in sorted(common)),
        tuple(sorted(edges)),
    )


def roots_of(entities: Iterable[Entity]) -> dict[str, str]:
    """For each entity the one that it was joined to in the end, or itself."""
    into = {entity.id: entity.into for entity in entities}

    def root(entity: str) -> str:
        step: str | None = entity
        while step is not None and into.get(step) is not None:
            step = into[step]
        return step or entity

    return {entity: root(entity) for entity in into}


def _names(root: str, entities: Sequence[Entity], roots: Mapping[str, str]) -> str:
    own = next(entity.name for entity in entities if entity.id == root)
    others = [e.name for e in entities if roots[e.id] == root and e.id != root]
    return f"{own} ({', '.join(others)})" if others else own


def html(what: Drawn, *, title: str) -> str:
    """The page, with all of Bokeh's script in it: it fetches nothing. Raises InvalidInput.

    Names and texts are shown as they are: none of them is read as markup.
    """
    try:
        from bokeh.embed import file_html
        from bokeh.resources import INLINE
    except ImportError as error:
        raise InvalidInput(
            "`show graph` needs Bokeh and NetworkX: pip install 'forethought[graph]'"
        ) from error
    figure = _figure()
    at = _layout(what)
    _draw_edges(figure, what, at)
    _draw_facts(figure, what, at)
    _draw_entities(figure, what, at)
    page = file_html(figure, resources=INLINE, title=title)
    return page.replace('<meta charset="utf-8">', f'<meta charset="utf-8">{_POLICY}', 1)


def _figure() -> Figure:
    from bokeh.plotting import figure

    drawing = figure(
        sizing_mode="stretch_both", tools="pan,wheel_zoom,box_zoom,reset,save",
        active_scroll="wheel_zoom", x_axis_type=None, y_axis_type=None,
    )  # fmt: skip
    drawing.grid.visible = False
    return drawing


def _layout(what: Drawn) -> dict[str, Point]:
    import networkx

    graph = networkx.Graph()
    graph.add_nodes_from(what.nodes)
    graph.add_edges_from((source, target) for source, target, _ in what.edges)
    found = networkx.spring_layout(graph, seed=_SEED)
    return {node: (float(x), float(y)) for node, (x, y) in found.items()}


def _draw_edges(figure: Figure, what: Drawn, at: Mapping[str, Point]) -> None:
    for sort, colour in _EDGES.items():
        ends = [(at[one], at[two]) for one, two, of in what.edges if of == sort]
        if ends:
            figure.multi_line(
                xs=[[one[0], two[0]] for one, two in ends],
                ys=[[one[1], two[1]] for one, two in ends],
                color=colour, alpha=0.6, legend_label=sort,
            )  # fmt: skip


def _draw_facts(figure: Figure, what: Drawn, at: Mapping[str, Point]) -> None:
    from bokeh.models import HoverTool

    for kind in KINDS:
        facts = [fact for fact in what.facts if fact.kind == kind]
        if facts:
            data = {
                **_places([fact.id for fact in facts], at),
                "id": [fact.id for fact in facts],
                "text": [fact.text for fact in facts],
                "date": [fact.date.date().isoformat() for fact in facts],
            }
            points = figure.scatter(
                "x", "y", source=data, size=9, color=_FACTS[kind], legend_label=kind
            )
            tips = [(kind, "@text"), ("said", "@date"), ("id", "@id")]
            figure.add_tools(HoverTool(renderers=[points], tooltips=tips))


def _draw_entities(figure: Figure, what: Drawn, at: Mapping[str, Point]) -> None:
    if what.entities:
        names = [name for _, name in what.entities]
        data = {**_places([entity for entity, _ in what.entities], at), "name": names}
        figure.scatter("x", "y", source=data, size=14, marker="square", color=_ENTITY)
        figure.text(
            "x", "y", text="name", source=data, x_offset=10, y_offset=4, text_font_size="12px"
        )
    if what.facts:
        figure.legend.click_policy = "hide"


def _places(nodes: Sequence[str], at: Mapping[str, Point]) -> dict[str, list[float]]:
    return {"x": [at[node][0] for node in nodes], "y": [at[node][1] for node in nodes]}
