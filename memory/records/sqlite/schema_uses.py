"""How facts stand to the world, when they were of use, and how much they weigh."""

from __future__ import annotations

USES = (
    # NULL where it is unsaid. A file of an earlier version gets them in the same way.
    "ALTER TABLE fact ADD COLUMN tense TEXT",
    "ALTER TABLE fact ADD COLUMN subjectivity TEXT",
    "ALTER TABLE fact ADD COLUMN certainty TEXT",
    # From 0 to 1; NULL where the fact was not weighed yet.
    "ALTER TABLE fact ADD COLUMN salience REAL",
    """
    CREATE TABLE use (
        bank TEXT NOT NULL,
        fact TEXT NOT NULL,
        day TEXT NOT NULL,
        PRIMARY KEY (bank, fact, day),
        FOREIGN KEY (bank, fact) REFERENCES fact (bank, id) ON DELETE CASCADE
    ) WITHOUT ROWID
    """,
)
