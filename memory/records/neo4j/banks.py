"""Counting what banks hold."""

from __future__ import annotations

from forethought.memory.records.neo4j.facet import Facet
from forethought.memory.records.neo4j.ties import ANY_LINK
from forethought.memory.types import BankSummary

_BANKS = (
    """
    MATCH (bank:Bank {store: $store}) WHERE bank.name IS NOT NULL
    CALL (bank) {
        MATCH (s:Session {bank: bank.id}) WHERE s.id IS NOT NULL
        RETURN count(s) AS sessions, sum(s.turns) AS turns,
            count(CASE WHEN s.extracted < s.turns AND s.error IS NULL THEN 1 END) AS pending,
            count(CASE WHEN s.extracted < s.turns AND s.error IS NOT NULL THEN 1 END) AS failed
    }
    CALL (bank) {
        MATCH (f:Fact {bank: bank.id}) WHERE f.id IS NOT NULL
        RETURN count(CASE WHEN f.until IS NULL THEN 1 END) AS facts,
            count(f.until) AS replaced,
            count(CASE WHEN f.until IS NULL THEN f.unforeseen END) AS unforeseen,
            count(f.unindexed) AS unindexed_facts, sum(COUNT { (f)-[:"""
    + ANY_LINK
    + """]->() })
            AS links
    }
    CALL (bank) {
        MATCH (c:Cue {bank: bank.id}) WHERE c.id IS NOT NULL
        RETURN count(c) AS cues, count(c.unindexed) AS unindexed_cues
    }
    CALL (bank) {
        MATCH (e:Entity {bank: bank.id}) WHERE e.id IS NOT NULL AND NOT EXISTS {
            (e)-[:SAME_AS]->()
        }
        RETURN count(e) AS entities
    }
    CALL (bank) {
        MATCH (o:Opinion {bank: bank.id}) WHERE o.id IS NOT NULL
        RETURN count(o) AS opinions, count(o.unindexed) AS unindexed_opinions
    }
    CALL (bank) {
        MATCH (o:Observation {bank: bank.id}) WHERE o.id IS NOT NULL
        RETURN count(o) AS observations, count(o.unindexed) AS unindexed_observations
    }
    CALL (bank) {
        MATCH (p:Commitment {bank: bank.id}) WHERE p.id IS NOT NULL
        RETURN count(p) AS commitments
    }
    CALL (bank) {
        MATCH (r:Reminder {bank: bank.id, unindexed: true}) RETURN count(r) AS unindexed_reminders
    }
    CALL (bank) {
        MATCH (t:Turn {bank: bank.id, unindexed: true}) RETURN count(t) AS unindexed_turns
    }
    WITH * WHERE sessions + facts + replaced + opinions + observations + commitments > 0
        OR EXISTS { MATCH (u:Unpurged {bank: bank.id}) WHERE u.id IS NOT NULL }
    RETURN {
        bank: bank.name, sessions: sessions, turns: turns, pending: pending, failed: failed,
        facts: facts, replaced: replaced, cues: cues, unforeseen: unforeseen,
        unindexed: unindexed_facts + unindexed_cues + unindexed_turns + unindexed_opinions
            + unindexed_observations + unindexed_reminders,
        entities: entities, links: links, opinions: opinions, observations: observations,
        commitments: commitments
    } AS summary
"""
)


class Counting(Facet):
    """What there is, bank by bank."""

    async def banks(self) -> list[BankSummary]:
        """See `Records.banks`."""
        summaries = [BankSummary(**row["summary"]) for row in await self._db.all_banks(_BANKS)]
        return sorted(summaries, key=lambda summary: summary.bank)
