"""retain: START → log → extract → resolve → commit → index → link → foresee → … → observe → END.

Between the last two, `remind` imagines cues for commitments, `reinforce` weighs opinions against
what is new, `maintain` consolidates, and `weigh` weighs the facts by themselves.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Literal

from langgraph.graph import START, StateGraph

from forethought.graphs.app import App
from forethought.graphs.fallback import falling_back
from forethought.nodes.beside import Surroundings
from forethought.nodes.commit import commit
from forethought.nodes.context import Context
from forethought.nodes.exclusive import exclusive
from forethought.nodes.extract import extract, extract_failed
from forethought.nodes.foresee import foresee, foresee_failed
from forethought.nodes.index import index
from forethought.nodes.link import link
from forethought.nodes.log import log
from forethought.nodes.maintain import maintain, maintain_failed
from forethought.nodes.observe import observe, observe_failed
from forethought.nodes.reinforce import reinforce, reinforce_failed
from forethought.nodes.remind import remind, remind_failed
from forethought.nodes.resolve import resolve
from forethought.nodes.retain_state import RetainInput, RetainOutput, RetainState
from forethought.nodes.weigh import weigh, weigh_failed


def build_retain(app: App) -> StateGraph[RetainState, Context, RetainInput, RetainOutput]:
    """The retain machine over the collaborators of `app`, to be compiled.

    One session's stretch after the other is extracted and committed, so that a run that ends
    anywhere has kept everything before; without a model the sessions are logged and left pending.
    """
    graph = StateGraph(
        RetainState, context_schema=Context, input_schema=RetainInput, output_schema=RetainOutput
    )
    graph.set_node_defaults(retry_policy=app.retry)
    records, model = app.records, app.model
    add: Any = graph.add_node  # its overloads cannot see through partial's keyword arguments
    add("log", partial(log, records=records, zone=app.zone))
    surroundings = Surroundings(app.recall, app.watch)
    add(
        "extract",
        partial(extract, records=records, surroundings=surroundings, model=model),
        error_handler=falling_back(extract_failed, to="resolve"),
    )
    add("resolve", partial(resolve, records=records, embedder=app.embedder))
    add("commit", partial(exclusive, node=partial(commit, records=records), locks=app.locks))
    add("index", partial(index, indexer=app.indexer))
    add("link", partial(exclusive, node=partial(link, linker=app.linker), locks=app.locks))
    cues = partial(foresee, records=records, indexer=app.indexer, model=model)
    add(
        "foresee",
        partial(exclusive, node=cues, locks=app.locks),
        error_handler=falling_back(partial(foresee_failed, records=records), to=more_facts),
    )
    reminders = partial(remind, records=records, indexer=app.indexer, model=model)
    add(
        "remind",
        partial(exclusive, node=reminders, locks=app.locks),
        error_handler=falling_back(partial(remind_failed, records=records), to=more_promises),
    )
    evidence, observer = app.evidence, app.observer
    weighing = partial(reinforce, evidence=evidence, model=model, moment=app.moment)
    add(
        "reinforce",
        partial(exclusive, node=weighing, locks=app.locks),
        error_handler=falling_back(partial(reinforce_failed, evidence=evidence), to=more_pairs),
    )
    merging = partial(maintain, records=records, index=app.index, model=model)
    add(
        "maintain",
        partial(exclusive, node=merging, locks=app.locks),
        error_handler=falling_back(partial(maintain_failed, records=records), to=more_groups),
    )
    salience = partial(weigh, weigher=app.weigher, moment=app.moment)
    add(
        "weigh",
        partial(exclusive, node=salience, locks=app.locks),
        error_handler=falling_back(weigh_failed, to="observe"),
    )
    summing_up = partial(observe, observer=observer, model=model, moment=app.moment)
    add(
        "observe",
        partial(exclusive, node=summing_up, locks=app.locks),
        error_handler=falling_back(partial(observe_failed, observer=observer), to=more_subjects),
    )

    def next_session(state: RetainState) -> Literal["extract", "index"]:
        """Extract while sessions are queued, if there is a model to do it."""
        return "extract" if state["queue"] and model is not None else "index"

    graph.add_edge(START, "log")
    graph.add_conditional_edges("log", next_session)
    graph.add_edge("extract", "resolve")
    graph.add_edge("resolve", "commit")
    graph.add_edge("commit", "index")
    graph.add_conditional_edges("index", more_sessions if model is not None else no_model)
    graph.add_edge("link", "foresee")
    graph.add_conditional_edges("foresee", more_facts)
    graph.add_conditional_edges("remind", more_promises)
    graph.add_conditional_edges("reinforce", more_pairs)
    graph.add_conditional_edges("maintain", more_groups)
    graph.add_edge("weigh", "observe")
    graph.add_conditional_edges("observe", more_subjects)
    return graph


def more_sessions(state: RetainState) -> Literal["extract", "link"]:
    """The next session, or on to the links and the cues."""
    return "extract" if state["queue"] else "link"


def no_model(state: RetainState) -> Literal["link"]:
    """Nothing can be extracted; `foresee` finds that out for itself."""
    return "link"


def more_facts(state: RetainState) -> Literal["foresee", "remind"]:
    """The next batch of facts without cues, until there is none."""
    return "foresee" if state["batch"] else "remind"


def more_promises(state: RetainState) -> Literal["remind", "reinforce"]:
    """The next batch of commitments without cues, until there is none."""
    return "remind" if state["batch"] else "reinforce"


def more_pairs(state: RetainState) -> Literal["reinforce", "maintain"]:
    """The next pairs of an opinion and a fact, until none waits."""
    return "reinforce" if state["pairs"] else "maintain"


def more_groups(state: RetainState) -> Literal["maintain", "index", "weigh"]:
    """The next group; then index and foresee what was merged; then weigh what there is."""
    if state["groups"]:
        return "maintain"
    return "index" if state["merged"] else "weigh"


def more_subjects(state: RetainState) -> Literal["observe", "__end__"]:
    """The next subject to sum up, until this run has done its share."""
    return "observe" if state["subjects"] else "__end__"
