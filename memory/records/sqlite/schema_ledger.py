"""The tables of commitments and of their cues, and when a fact's cue was learned."""

from __future__ import annotations

LEDGER = (
    # `turns` and `facts` are JSON lists; what forgetting a fact finds is in `evidence`, with the
    # part "commitment". `session` is the one that it was made in, NULL where it was by hand.
    """
    CREATE TABLE commitment (
        bank TEXT NOT NULL,
        id TEXT NOT NULL,
        action TEXT NOT NULL,
        made TEXT NOT NULL,
        condition TEXT,
        due TEXT,
        status TEXT NOT NULL,
        session TEXT,
        turns TEXT NOT NULL,
        facts TEXT NOT NULL,
        closed TEXT,
        closed_by TEXT,
        told TEXT,
        foreseen INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (bank, id),
        FOREIGN KEY (bank, session) REFERENCES session (bank, id) ON DELETE CASCADE
    ) WITHOUT ROWID
    """,
    "CREATE INDEX commitment_session ON commitment (bank, session) WHERE session IS NOT NULL",
    """
    CREATE TABLE reminder (
        bank TEXT NOT NULL,
        commitment TEXT NOT NULL,
        position INTEGER NOT NULL,
        id TEXT NOT NULL,
        text TEXT NOT NULL,
        indexed INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (bank, commitment, position),
        UNIQUE (bank, id),
        FOREIGN KEY (bank, commitment) REFERENCES commitment (bank, id) ON DELETE CASCADE
    ) WITHOUT ROWID
    """,
    "CREATE INDEX reminder_unindexed ON reminder (bank) WHERE indexed = 0",
    # NULL for a cue that was imagined. A file of an earlier version gets it in the same way.
    "ALTER TABLE cue ADD COLUMN learned TEXT",
)
