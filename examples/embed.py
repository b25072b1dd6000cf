"""The agent in a script of one's own: what it answers, what that rests on, and what it then thinks.

    python examples/embed.py

Without a configured model its replies are recorded ones; all else runs for real.
"""

from __future__ import annotations

import asyncio
from tempfile import TemporaryDirectory

from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver

from forethought import Context, build_agent, build_retain, load_settings, open_app
from forethought.evals.sample_chat import read_sample_chat


async def main(folder: str) -> None:
    """Retain a short chat into `folder`, ask about it, and print the outcome."""
    sample, settings = read_sample_chat("ana"), load_settings(data_dir=folder)
    context = Context(bank="ana", mode="recall")
    async with open_app(settings, model=None if settings.model else sample.model) as app:
        await build_retain(app).compile().ainvoke({"sessions": sample.sessions}, context=context)
        agent = build_agent(app, checkpointer=InMemorySaver())
        said = await agent.ainvoke(
            {"messages": [HumanMessage(sample.question)]},
            {"configurable": {"thread_id": "1"}},
            context=context,
        )
    facts = {hit["fact"]["id"]: hit["fact"]["text"] for hit in said["hits"]}
    print(sample.question, said["answer"], sep="\n")
    print(*(f"[{id}] {facts[id]}" for id in said["cited"] if id in facts), sep="\n")
    print(*(f"I now think ({o['confidence']:.2f}): {o['text']}" for o in said["formed"]), sep="\n")


if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        asyncio.run(main(folder))
