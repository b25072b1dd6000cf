"""The tables of opinions and observations, and of the facts that they are from."""

from __future__ import annotations

BELIEFS = (
    # The lists are JSON, `steps` the whole trajectory: it is only ever read and written as one.
    """
    CREATE TABLE opinion (
        bank TEXT NOT NULL,
        id TEXT NOT NULL,
        first TEXT NOT NULL,
        initial REAL NOT NULL,
        formed TEXT NOT NULL,
        text TEXT NOT NULL,
        confidence REAL NOT NULL,
        entities TEXT NOT NULL,
        facts TEXT NOT NULL,
        steps TEXT NOT NULL,
        indexed INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (bank, id)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX opinion_unindexed ON opinion (bank, formed, id) WHERE indexed = 0",
    """
    CREATE TABLE observation (
        bank TEXT NOT NULL,
        subject TEXT NOT NULL,
        position INTEGER NOT NULL,
        id TEXT NOT NULL,
        about TEXT NOT NULL,
        title TEXT NOT NULL,
        text TEXT NOT NULL,
        facts TEXT NOT NULL,
        made TEXT NOT NULL,
        occurred_from TEXT,
        occurred_to TEXT,
        indexed INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (bank, subject, position),
        UNIQUE (bank, id)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX observation_unindexed ON observation (bank, made, id) WHERE indexed = 0",
    # What forgetting a fact finds: the opinions that rest on it or that it moved, and the subjects
    # with observations made from it. `of` is the id of the opinion, or of the subject.
    """
    CREATE TABLE evidence (
        bank TEXT NOT NULL,
        fact TEXT NOT NULL,
        part TEXT NOT NULL,
        of TEXT NOT NULL,
        PRIMARY KEY (bank, fact, part, of),
        FOREIGN KEY (bank, fact) REFERENCES fact (bank, id) ON DELETE CASCADE
    ) WITHOUT ROWID
    """,
    "CREATE INDEX evidence_of ON evidence (bank, part, of)",
)
