"""`show graph`: a picture of one bank's entities and links, as a page to open in a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from forethought.graphs.cli_shell import opened, without_model
from forethought.graphs.picture import drawn, html
from forethought.memory.errors import InvalidInput, NotFound

if TYPE_CHECKING:
    from forethought.graphs.settings import Settings

Plain = dict[str, Any]


async def picture(settings: Settings, file: str | None, *, limit: int) -> Plain:
    """Draw the bank into `file` ("graph.html" if None); say what the picture shows.

    Raises NotFound if the bank has no facts, InvalidInput where the file cannot be written.
    """
    from forethought.memory.exchange.file import STANDARD, write_whole

    if file == STANDARD:
        raise InvalidInput("--out: name a file, a picture of this kind is for a browser")
    async with opened(without_model(settings)) as desk:
        records, bank = desk.app.records, desk.bank
        facts = await records.facts(bank)
        if not facts:
            raise NotFound(f"bank {bank!r} has no facts to draw: `forethought retain` learns some")
        shown = drawn(
            facts,
            await records.entities(bank),
            await records.mentions(bank),
            await records.links(bank),
            limit=limit,
        )
    target = file or "graph.html"
    write_whole(target, [html(shown, title=f"Forethought: {bank}").encode()])
    return {
        "bank": bank, "file": target, "facts": len(shown.facts), "of": len(facts),
        "entities": len(shown.entities), "edges": len(shown.edges),
    }  # fmt: skip
