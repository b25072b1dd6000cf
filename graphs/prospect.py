"""prospect: START → augment → imagine → probe ⇄ refine until converged → summarise → END."""

from __future__ import annotations

from functools import partial
from typing import Any, Literal

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from forethought.graphs.app import App
from forethought.graphs.fallback import Router, falling_back
from forethought.graphs.routing import at_once
from forethought.nodes.augment import augment, augment_failed
from forethought.nodes.budget import stop_refining
from forethought.nodes.context import Context, context_of
from forethought.nodes.imagine import imagine, imagine_failed
from forethought.nodes.probe import probe
from forethought.nodes.refine import refine, refine_failed
from forethought.nodes.state import ProspectInput, ProspectOutput, ProspectState
from forethought.nodes.summarise import summarise, summarise_failed


def build_prospect(app: App) -> StateGraph[ProspectState, Context, ProspectInput, ProspectOutput]:
    """The prospect machine over the collaborators of `app`, to be compiled."""
    graph = StateGraph(
        ProspectState,
        context_schema=Context,
        input_schema=ProspectInput,
        output_schema=ProspectOutput,
    )
    graph.set_node_defaults(retry_policy=app.retry)
    add_prospection(graph, app, then=END)
    graph.add_edge(START, "augment")
    return graph


def add_prospection(
    graph: StateGraph[Any, Context, Any, Any], app: App, *,
    then: str, grounded: str | Router = "imagine",
) -> None:  # fmt: skip
    """PGR's loop, `augment` to `summarise`, as part of `prospect` and `agent`; on to `then`.

    `grounded` is where the run goes on from `augment`.
    """
    add: Any = graph.add_node  # its overloads cannot see through partial's keyword arguments
    add(
        "augment",
        partial(augment, recall=app.recall, rewriter=app.rewriter, moment=app.moment),
        error_handler=falling_back(
            partial(augment_failed, recall=app.recall, moment=app.moment), to=grounded
        ),
    )
    add(
        "imagine",
        partial(imagine, model=app.model),
        error_handler=falling_back(imagine_failed, to="probe"),
    )
    add("probe", partial(probe, recall=app.recall, records=app.records))
    add(
        "refine",
        partial(refine, records=app.records, model=app.model),
        error_handler=falling_back(
            partial(refine_failed, recall=app.recall, records=app.records), to="summarise"
        ),
    )
    add(
        "summarise",
        partial(summarise, model=app.model),
        error_handler=falling_back(summarise_failed, to=then),
    )
    if isinstance(grounded, str):
        graph.add_edge("augment", grounded)
    else:
        graph.add_conditional_edges("augment", at_once(grounded))
    graph.add_edge("imagine", "probe")
    graph.add_conditional_edges("probe", at_once(converged))
    graph.add_edge("refine", "probe")
    graph.add_edge("summarise", then)


def converged(state: ProspectState, runtime: Runtime[Context]) -> Literal["refine", "summarise"]:
    """On to the summary once a refinement found less than δ, at I_max, or out of budget."""
    return "summarise" if stop_refining(state, context_of(runtime)) else "refine"
