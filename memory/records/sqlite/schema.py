"""The tables, their version, and the checks that a file is ours."""

from __future__ import annotations

from forethought.memory.records.sqlite.schema_beliefs import BELIEFS
from forethought.memory.records.sqlite.schema_ledger import LEDGER
from forethought.memory.records.sqlite.schema_ties import TIES
from forethought.memory.records.sqlite.schema_uses import USES

VERSION = 7
"""Kept in the file as `PRAGMA user_version`; a file of a newer version is refused."""

# `n` ties a turn to its words: an unnamed rowid would be renumbered by VACUUM.
TURN = """
    CREATE TABLE turn (
        n INTEGER PRIMARY KEY,
        bank TEXT NOT NULL,
        session TEXT NOT NULL,
        position INTEGER NOT NULL,
        id TEXT NOT NULL,
        role TEXT NOT NULL,
        name TEXT,
        text TEXT NOT NULL,
        UNIQUE (bank, session, position),
        FOREIGN KEY (bank, session) REFERENCES session (bank, id) ON DELETE CASCADE
    )
"""
# The log's words, each turn's with those of the turn before it (what an answer is about is often
# only in the question: measured on LoCoMo, recall@20 .63 -> .72), unless that one was hushed.
# Triggers keep them, so that a turn is found whoever wrote it and leaves no word behind, whatever
# deletes it. `words_of` and `bank_word` are Python's: see `database.py`.
_SAY = """
    CREATE TRIGGER turn_said AFTER INSERT ON turn BEGIN
        INSERT INTO said (rowid, bank, words) SELECT
            new.n, bank_word(new.bank), ifnull(max(words_of(before.name, before.text)), '') || ' '
            || words_of(new.name, new.text)
        FROM turn AS before WHERE before.bank = new.bank AND before.session = new.session
            AND before.position = new.position - 1 AND NOT EXISTS (
                SELECT 1 FROM tombstone WHERE bank = before.bank AND mark = before.id);
    END
"""
SAID = (
    "CREATE VIRTUAL TABLE said USING fts5 (bank, words, tokenize = 'porter ascii')",
    _SAY,
    """
    CREATE TRIGGER turn_unsaid AFTER DELETE ON turn BEGIN
        DELETE FROM said WHERE rowid = old.n;
    END
    """,
)

# `indexed` is 0 where the index lacks the turn's vector, 1 where it has it, and NULL where it is to
# have none, as of a hushed turn. A file of version 2 gets the column in the same way as a new one.
TURN_VECTORS = (
    "ALTER TABLE turn ADD COLUMN indexed INTEGER",
    "CREATE INDEX turn_id ON turn (bank, id)",
    "CREATE INDEX turn_unindexed ON turn (bank) WHERE indexed = 0",
    "CREATE INDEX source_turn ON source (bank, turn, fact)",
)

TABLES = (
    """
    CREATE TABLE session (
        bank TEXT NOT NULL,
        id TEXT NOT NULL,
        key TEXT NOT NULL,
        date TEXT NOT NULL,
        turns INTEGER NOT NULL,
        extracted INTEGER NOT NULL DEFAULT 0,
        error TEXT,
        PRIMARY KEY (bank, id)
    ) WITHOUT ROWID
    """,
    TURN,
    # `n` ties a fact to its words and counts on, for `added`. (An unnamed rowid would be renumbered
    # by VACUUM, and without AUTOINCREMENT a deleted fact's number would be given again.)
    """
    CREATE TABLE fact (
        n INTEGER PRIMARY KEY AUTOINCREMENT,
        bank TEXT NOT NULL,
        id TEXT NOT NULL,
        text TEXT NOT NULL,
        content TEXT NOT NULL,
        kind TEXT NOT NULL,
        network TEXT NOT NULL,
        date TEXT NOT NULL,
        occurred_from TEXT,
        occurred_to TEXT,
        entities TEXT NOT NULL,
        until TEXT,
        successor TEXT,
        succession TEXT,
        foreseen INTEGER NOT NULL DEFAULT 0,
        indexed INTEGER NOT NULL DEFAULT 0,
        UNIQUE (bank, id)
    )
    """,
    # One identity per (bank, content) among the facts that hold, whoever writes.
    "CREATE UNIQUE INDEX fact_content ON fact (bank, content) WHERE until IS NULL",
    "CREATE INDEX fact_past_content ON fact (bank, content) WHERE until IS NOT NULL",
    "CREATE INDEX fact_number ON fact (bank, n) WHERE until IS NULL",
    "CREATE INDEX fact_date ON fact (bank, date, id)",
    "CREATE INDEX fact_successor ON fact (bank, successor) WHERE successor IS NOT NULL",
    "CREATE INDEX fact_unindexed ON fact (bank, date, id) WHERE indexed = 0",
    "CREATE INDEX fact_unforeseen ON fact (bank, date, id) WHERE foreseen = 0 AND until IS NULL",
    # A row for each turn that supports a fact; turn '' where a source names its session only.
    """
    CREATE TABLE source (
        n INTEGER PRIMARY KEY,
        bank TEXT NOT NULL,
        fact TEXT NOT NULL,
        session TEXT NOT NULL,
        turn TEXT NOT NULL,
        UNIQUE (bank, fact, session, turn),
        FOREIGN KEY (bank, fact) REFERENCES fact (bank, id) ON DELETE CASCADE,
        FOREIGN KEY (bank, session) REFERENCES session (bank, id) ON DELETE CASCADE
    )
    """,
    "CREATE INDEX source_session ON source (bank, session, fact)",
    """
    CREATE TABLE cue (
        bank TEXT NOT NULL,
        fact TEXT NOT NULL,
        position INTEGER NOT NULL,
        id TEXT NOT NULL,
        text TEXT NOT NULL,
        indexed INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (bank, fact, position),
        UNIQUE (bank, id),
        FOREIGN KEY (bank, fact) REFERENCES fact (bank, id) ON DELETE CASCADE
    )
    """,
    "CREATE INDEX cue_unindexed ON cue (bank) WHERE indexed = 0",
    # What was forgotten: session ids, and hashes of facts' texts; and hushed turns. No text.
    """
    CREATE TABLE tombstone (
        bank TEXT NOT NULL, mark TEXT NOT NULL, PRIMARY KEY (bank, mark)
    ) WITHOUT ROWID
    """,
    # Ids of vectors that the index must still drop. No text.
    """
    CREATE TABLE unpurged (
        bank TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (bank, id)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE setting (
        bank TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (bank, name)
    ) WITHOUT ROWID
    """,
    # `words` holds what memory/words.py made of the text, so that it alone says what a word is:
    # the ascii tokenizer splits at the spaces between them and porter stems the English ones.
    # `bank` holds a hash of the bank's name, which keeps a search inside one bank's postings. BM25
    # still counts in how many facts of the whole file a word occurs, so that other banks shift its
    # weight, and may swap two near-equal hits; they never add or remove one, unless the bank has
    # more matches than `keyword.MOST`, of which the rarer words' are scored. (A table for each
    # bank would avoid it, but a file with 5,000 of them takes 9 s to open, measured.)
    "CREATE VIRTUAL TABLE word USING fts5 (bank, words, tokenize = 'porter ascii')",
    *SAID,
    *TURN_VECTORS,
    *TIES,
    *BELIEFS,
    *LEDGER,
    *USES,
)

INDEXES = (
    # `occurred_to` first: most facts end before the days that are asked for most, the latest.
    """
    CREATE INDEX IF NOT EXISTS fact_occurred ON fact (bank, occurred_to, occurred_from)
    WHERE occurred_to IS NOT NULL
    """,
    """
    CREATE INDEX IF NOT EXISTS fact_begun ON fact (bank, occurred_from)
    WHERE occurred_to IS NULL AND occurred_from IS NOT NULL
    """,
    "CREATE INDEX IF NOT EXISTS session_date ON session (bank, date)",
    "CREATE INDEX IF NOT EXISTS cue_learned ON cue (bank, learned) WHERE learned IS NOT NULL",
)
"""Made whenever they are missing: a file with them is of the same version as one without."""

UPGRADES: dict[int, tuple[str, ...]] = {
    1: (
        "ALTER TABLE turn RENAME TO turn_1",
        TURN,
        *SAID,
        "INSERT INTO turn (bank, session, position, id, role, name, text) SELECT bank, session, "
        "position, id, role, name, text FROM turn_1 ORDER BY bank, session, position",
        "DROP TABLE turn_1",
    ),
    2: (
        *TURN_VECTORS,
        "UPDATE turn SET indexed = 0 WHERE role IN ('user', 'assistant')",
    ),
    3: TIES,
    4: ("DROP TRIGGER turn_said", _SAY),
    5: (*BELIEFS, *LEDGER),
    6: USES,
}
"""What makes a file of that version one of the next."""
