"""A process killed at any moment loses nothing that it was told is stored, and doubles nothing."""

from __future__ import annotations

import random
import subprocess
import sys
from itertools import chain
from pathlib import Path

from forethought.memory.records.port import Records
from tests.conftest import ROOT
from tests.contracts.adapters import OpenRecords
from tests.contracts.samples import BANK, NOW, fact, session

KILLS = {"sqlite": 10, "neo4j": 4}  # a server merely loses a client, and each is slow to start

# Retains until it is killed: says what it begins and, once the call has returned, what it did, each
# in one line, since only a whole line counts and Python may be set to write each part by itself.
WRITER = """
import asyncio, sys
from itertools import count
from pathlib import Path
from forethought.memory.records.changes import ChangeSet, Progress
from tests.contracts.adapters import RECORDS
from tests.contracts.samples import BANK, fact, session, talk

async def retain(adapter, directory, life):
    records = await RECORDS[adapter](Path(directory))
    for number in count():
        key, word = f"chat {life} {number}", f"word{life}x{number}"
        await records.log(BANK, [talk(key, f"I said {word}")])
        facts = tuple(fact(f"Ann said {word} {part}", said_in=key) for part in "abc")
        await records.commit(ChangeSet(BANK, facts, progress=(Progress(session(key), 1),)))
        print("stored", word, key, sep="|", flush=True)
        if number % 4 == 3:
            both = *before, word, key
            print("forgetting", *both, sep="|", flush=True)
            await records.forget(BANK, session=[session(one) for one in both[1::2]])
            print("forgotten", *both, sep="|", flush=True)
        before = word, key

asyncio.run(retain(*sys.argv[1:]))
"""


def run_until_killed(adapter: str, directory: Path, life: int, said: int) -> list[list[str]]:
    """Kill the writer as soon as it has said `said` lines; return all that it said."""
    command = [sys.executable, "-c", WRITER, adapter, str(directory), str(life)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        lines = [writer.stdout.readline() for _ in range(said)]
        writer.kill()
        lines += writer.stdout.readlines()
    return [line.strip().split("|") for line in lines if line.endswith("\n")]


async def check(records: Records, said: list[list[str]]) -> None:
    """What was stored is there once, whole and found; what was forgotten is not."""
    begun = [rest for what, *rest in said if what == "forgetting"]
    forgotten = [rest for what, *rest in said if what == "forgotten"]
    for _, one, _, other in begun:
        there = await records.sessions(BANK, ids=[session(one), session(other)])
        assert len(there) in {0, 2}, "both are forgotten, or neither"
    ids = [one.id for one in await records.facts(BANK)]
    assert len(ids) == len(set(ids))
    for word, key in (rest for what, *rest in said if what == "stored"):
        expected = {fact(f"Ann said {word} {part}", said_in=key).id for part in "abc"}
        hits = {hit for hit, _ in await records.search(BANK, word, k=9, now=NOW)}
        sessions = await records.sessions(BANK, ids=[session(key)])
        if word in chain(*forgotten) or (word in chain(*begun) and not sessions):
            assert (hits, expected & set(ids), sessions) == (set(), set(), [])
        else:
            assert hits == expected <= set(ids)
            assert [one.status for one in sessions] == ["extracted"]


async def test_what_was_acknowledged_survives_being_killed_at_any_moment(
    adapter: str, open_records: OpenRecords, tmp_path: Path
) -> None:
    moments = random.Random(2605_14177)
    said: list[list[str]] = []
    for life in range(KILLS[adapter]):
        said += run_until_killed(adapter, tmp_path, life, moments.randint(1, 15))
        records = await open_records(tmp_path)
        await check(records, said)
        await records.close()
    assert {what for what, *_ in said} == {"stored", "forgetting", "forgotten"}
