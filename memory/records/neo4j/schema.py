"""The nodes, their constraints and indexes.

Every node of a bank has `bank`, a hash that stands for the bank's name: of fixed length, so that a
bank name of any length can be indexed, and gone from the nodes when the name is forgotten.

- `(:Bank {id, store, name, n})`: `n` counts the facts and sources that it was given. Its lock is
  what a transaction about the bank takes first.
- `(:Session)-[:SAID]->(:Turn)`, `(:Fact)-[:FROM {n, turn}]->(:Session)`, `(:Fact)-[:CUED]->(:Cue)`.
- `(:Fact)-[:MENTIONS {bank, entity, ago, fact}]->(:Entity)`, which have `bank` and ids so that an
  index has the facts that mention one in their order; `(:Entity)-[:SAME_AS]->(:Entity)` is what it
  was joined to, `(:Entity)-[:BEGINS]->(:Beginning {begins, ago, entity})` how a word of it begins.
- `(:Fact)-[:CAUSES|ENABLES|PREVENTS|TEMPORAL|SEMANTIC {weight}]->(:Fact)`.
- `(:Opinion)-[:RESTS_ON]->(:Fact)`, `(:Opinion)-[:MOVED_BY]->(:Fact)` for each step's fact, and
  `(:Observation {n})-[:SUMS_UP]->(:Fact)`; `n` orders those on one subject. Their lists, in order,
  are properties too: relations have no order, and say what goes with a fact. The same is true of
  `(:Commitment {session})-[:CONCERNS]->(:Fact)`; `(:Commitment)-[:CUED]->(:Reminder)` are its cues.
- `(:Tombstone {mark})`, `(:Unpurged {id})`, `(:Setting {id, name, value})`.

A fact that holds has `held`, the same as `content`, so that a constraint can say that one fact
holds for each text, and `at` and `ago`, by which those near to one in time are found (`times.py`).
`uses` are the days on which it was used, in no order, `salience` what it weighs.
Marks (`unindexed`, `unforeseen`) are there, or absent: so their indexes hold what is marked, and
nothing else. A turn without `words` was hushed, and is not found.
"""

from __future__ import annotations

from forethought.memory.records.neo4j.times import SETTLE

VERSION = 5
"""Kept in the database; one that a newer version wrote is refused."""

_UNIQUE = {
    "session": ("Session", "bank, n.id"),
    "fact": ("Fact", "bank, n.id"),
    "held": ("Fact", "bank, n.held"),
    "cue": ("Cue", "bank, n.id"),
    "entity": ("Entity", "bank, n.id"),
    "opinion": ("Opinion", "bank, n.id"),
    "observation": ("Observation", "bank, n.id"),
    "commitment": ("Commitment", "bank, n.id"),
    "reminder": ("Reminder", "bank, n.id"),
    "tombstone": ("Tombstone", "bank, n.mark"),
    "unpurged": ("Unpurged", "bank, n.id"),
    "setting": ("Setting", "bank, n.id"),
    "bank": ("Bank", "id"),
    "schema": ("Schema", "id"),
}
_INDEXED = {
    "session_date": ("Session", "bank, n.date"),
    "fact_content": ("Fact", "bank, n.content"),
    "fact_number": ("Fact", "bank, n.n"),
    "fact_date": ("Fact", "bank, n.date, n.id"),
    "fact_ended": ("Fact", "bank, n.occurred_to"),
    "fact_begun": ("Fact", "bank, n.occurred_from"),
    "fact_successor": ("Fact", "bank, n.successor"),
    "fact_unindexed": ("Fact", "bank, n.unindexed"),
    "fact_unforeseen": ("Fact", "bank, n.unforeseen"),
    "fact_at": ("Fact", "bank, n.at, n.id"),
    "fact_ago": ("Fact", "bank, n.ago, n.id"),
    "cue_unindexed": ("Cue", "bank, n.unindexed"),
    "cue_learned": ("Cue", "bank, n.learned"),
    "entity_key": ("Entity", "bank, n.key, n.ago, n.id"),
    "beginning": ("Beginning", "bank, n.begins, n.ago, n.entity"),
    "opinion_unindexed": ("Opinion", "bank, n.unindexed"),
    "observation_subject": ("Observation", "bank, n.subject"),
    "observation_unindexed": ("Observation", "bank, n.unindexed"),
    "commitment_session": ("Commitment", "bank, n.session"),
    "commitment_status": ("Commitment", "bank, n.status"),
    "reminder_unindexed": ("Reminder", "bank, n.unindexed"),
    "turn": ("Turn", "bank, n.id"),
    "turn_place": ("Turn", "bank, n.session, n.position"),
    "turn_unindexed": ("Turn", "bank, n.unindexed"),
    "bank_store": ("Bank", "store"),
}

WORDS, SAID = "forethought_words", "forethought_said"
"""The full-text indexes: of facts, and of turns, each with the words of the turn before it.

Their analyzer only splits at white space: what a word is, in any script, is said by memory/words.py
and stemming is done by memory/terms.py, as for SQLite. The server's own analyzers serve some
languages each: `cjk` does not stem, `english` drops "and" and "not" and takes Chinese character by
character.
"""

STATEMENTS = (
    *(
        f"CREATE CONSTRAINT forethought_{name} IF NOT EXISTS "
        f"FOR (n:{label}) REQUIRE (n.{properties}) IS UNIQUE"
        for name, (label, properties) in _UNIQUE.items()
    ),
    *(
        f"CREATE INDEX forethought_{name} IF NOT EXISTS FOR (n:{label}) ON (n.{properties})"
        for name, (label, properties) in _INDEXED.items()
    ),
    "CREATE INDEX forethought_from_turn IF NOT EXISTS FOR ()-[said:FROM]-() ON (said.turn)",
    *(
        f"CREATE FULLTEXT INDEX {name} IF NOT EXISTS FOR (n:{label}) ON EACH [n.bank, n.words] "
        "OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace'}}"
        for name, label in ((WORDS, "Fact"), (SAID, "Turn"))
    ),
    "CREATE INDEX forethought_mention IF NOT EXISTS "
    "FOR ()-[m:MENTIONS]-() ON (m.bank, m.entity, m.ago, m.fact)",
)

UPGRADES = {
    # Turns had no vectors. A part of them at a time, as the server holds a transaction in its heap.
    1: """
        MATCH (turn:Turn) WHERE turn.role IN ['user', 'assistant'] AND turn.unindexed IS NULL
        WITH turn LIMIT 10000 SET turn.unindexed = true RETURN count(*) AS changed
    """,
    # Facts could not be found by their time.
    2: f"""
        MATCH (fact:Fact) WHERE fact.held IS NOT NULL AND fact.at IS NULL
        WITH fact LIMIT 10000 {SETTLE} RETURN count(*) AS changed
    """,
    3: "RETURN 0 AS changed",  # opinions, observations and commitments are new
    4: "RETURN 0 AS changed",  # so are dimensions, uses and salience of facts
}
"""What makes a database of that version one of the next, once it changes nothing any more."""

# `lock` is never a property of a bank: removing it takes the lock of the node and changes nothing.
# It must be a name that the database knows, though, or the removal is skipped.
MARK = """
    MERGE (schema:Schema {id: 'forethought'}) SET schema.version = $version, schema.lock = true
"""
