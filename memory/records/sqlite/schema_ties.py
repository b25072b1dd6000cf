"""The tables of entities, mentions and links, and the index of when facts happened."""

from __future__ import annotations

from forethought.memory.records.values import MIDNIGHT

TIME = f"coalesce(fact.occurred_from || '{MIDNIGHT}', fact.date)"
"""When a fact happened: see `Records.around`."""

_TIME = TIME.replace("fact.", "")  # an index names the columns of its own table

TIES = (
    # `joined_to` is `Entity.into`, INTO being a word of SQL's own; `key` is `words.name_key`.
    """
    CREATE TABLE entity (
        bank TEXT NOT NULL,
        id TEXT NOT NULL,
        name TEXT NOT NULL,
        key TEXT NOT NULL,
        kind TEXT NOT NULL,
        first TEXT NOT NULL,
        last TEXT NOT NULL,
        joined_to TEXT,
        joined_by TEXT,
        PRIMARY KEY (bank, id)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX entity_key ON entity (bank, key, last DESC, id)",
    "CREATE INDEX entity_joined ON entity (bank, joined_to) WHERE joined_to IS NOT NULL",
    # How the words of a name begin. `last` is the entity's, so that the latest come first at once.
    """
    CREATE TABLE beginning (
        bank TEXT NOT NULL,
        entity TEXT NOT NULL,
        start TEXT NOT NULL,
        last TEXT NOT NULL,
        PRIMARY KEY (bank, entity, start),
        FOREIGN KEY (bank, entity) REFERENCES entity (bank, id) ON DELETE CASCADE
    ) WITHOUT ROWID
    """,
    "CREATE INDEX beginning_start ON beginning (bank, start, last DESC, entity)",
    # `date` and `until` are the fact's, so that the latest that hold come first at once, however
    # many facts mention the entity. The trigger below keeps them true, whoever writes.
    """
    CREATE TABLE mention (
        bank TEXT NOT NULL,
        fact TEXT NOT NULL,
        entity TEXT NOT NULL,
        date TEXT NOT NULL,
        until TEXT,
        PRIMARY KEY (bank, fact, entity),
        FOREIGN KEY (bank, fact) REFERENCES fact (bank, id) ON DELETE CASCADE,
        FOREIGN KEY (bank, entity) REFERENCES entity (bank, id) ON DELETE CASCADE
    ) WITHOUT ROWID
    """,
    "CREATE INDEX mention_entity ON mention (bank, entity, date DESC, fact, until)",
    """
    CREATE TABLE link (
        bank TEXT NOT NULL,
        source TEXT NOT NULL,
        target TEXT NOT NULL,
        kind TEXT NOT NULL,
        weight REAL NOT NULL,
        UNIQUE (bank, source, target, kind),
        FOREIGN KEY (bank, source) REFERENCES fact (bank, id) ON DELETE CASCADE,
        FOREIGN KEY (bank, target) REFERENCES fact (bank, id) ON DELETE CASCADE
    )
    """,
    "CREATE INDEX link_target ON link (bank, target)",
    """
    CREATE TRIGGER fact_redated AFTER UPDATE OF date, until ON fact
    WHEN new.date IS NOT old.date OR new.until IS NOT old.until BEGIN
        UPDATE mention SET date = new.date, until = new.until
        WHERE bank = new.bank AND fact = new.id;
    END
    """,
    """
    CREATE TRIGGER entity_redated AFTER UPDATE OF last ON entity WHEN new.last IS NOT old.last BEGIN
        UPDATE beginning SET last = new.last WHERE bank = new.bank AND entity = new.id;
    END
    """,
    # One for each way, since of those at the same moment the smaller id comes first either way.
    f"CREATE INDEX fact_after ON fact (bank, {_TIME}, id) WHERE until IS NULL",
    f"CREATE INDEX fact_before ON fact (bank, {_TIME} DESC, id) WHERE until IS NULL",
)
