"""Everything in a Neo4j database that has a text in it: nodes, relations, names and indexes."""

from __future__ import annotations

from forethought.memory.records.neo4j import Neo4jRecords
from forethought.memory.terms import terms

_PROPERTIES = """any(key IN keys(n) WHERE key CONTAINS $text
    OR toStringOrNull(n[key]) CONTAINS $text
    OR (n[key] IS :: LIST<STRING> AND any(one IN n[key] WHERE one CONTAINS $text)))
"""
_NAMES = """
    CALL () {
        CALL db.labels() YIELD label AS name RETURN name
        UNION ALL CALL db.relationshipTypes() YIELD relationshipType AS name RETURN name
        UNION ALL CALL db.propertyKeys() YIELD propertyKey AS name RETURN name
    }
    WITH name WHERE name CONTAINS $text RETURN name
"""
_HITS = """
    CALL db.index.fulltext.queryNodes($index, $query) YIELD node RETURN elementId(node) AS name
"""


async def traces(records: Neo4jRecords, text: str) -> list[str]:
    """What has the text in it, as far as the server shows: empty if nothing has."""
    peek = records._db.peek
    found = [
        f"{part} {row['name']}"
        for part, pattern in (("node", "(n)"), ("relation", "()-[n]->()"))
        for row in await peek(
            "", f"MATCH {pattern} WHERE {_PROPERTIES} RETURN elementId(n) AS name", text=text
        )
    ]
    found += [f"name {row['name']}" for row in await peek("", _NAMES, text=text)]
    query = "words:(" + " AND ".join(f'"{term}"' for term in terms(text)) + ")"
    for index in await peek("", "SHOW FULLTEXT INDEXES YIELD name"):
        hits = await peek("", _HITS, index=index["name"], query=query)
        found += [f"index {index['name']}" for _ in hits]
    return found
