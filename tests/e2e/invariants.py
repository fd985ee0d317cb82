"""What must be so of a schema in PostgreSQL, whatever has ended when: each row is a query that counts what is wrong.
No server has to run; `check_invariants` waits for the reaper if one does."""

from e2e import equal, wait_until

# Each index of a table that is complete, the index of items that expire included: the spaces of both, and the
# attributes and types of its key.
INDEXES = """
    WITH described AS (SELECT convert_from(body, 'UTF8')::jsonb AS d FROM catalog WHERE length(body) > 0),
    indexed AS (
        SELECT (d->'space'->>'N')::int AS items, (i->'M'->'space'->>'N')::int AS entries, part->'M'->'name'->>'S' AS name,
            (SELECT one->'M'->'type'->>'S' FROM jsonb_array_elements(d->'definitions'->'L') AS one
             WHERE one->'M'->'name' = part->'M'->'name') AS type
        FROM described, jsonb_array_elements(d->'indexes'->'L') AS i, jsonb_each(i->'M'->'keys'->'M') AS role,
            jsonb_array_elements(role.value->'L') AS part
        WHERE i->'M'->'backfilled' = '{"BOOL": true}'
        UNION ALL
        SELECT (d->'space'->>'N')::int, (d->'ttl_space'->>'N')::int, d->'ttl_attribute'->>'S', 'N'
        FROM described WHERE d->'ttl_backfilled' = '{"BOOL": true}'),
    keyed AS (SELECT items, entries, array_agg(name) AS names, array_agg(type) AS types FROM indexed GROUP BY items, entries),
    item AS MATERIALIZED (SELECT space, body, convert_from(body, 'UTF8')::jsonb AS it FROM entry WHERE space IN (SELECT items FROM keyed)),
    wanted AS (
        SELECT entries AS space, body FROM keyed JOIN item ON item.space = keyed.items
        WHERE NOT EXISTS (SELECT 1 FROM unnest(names, types) AS part(name, type)
            WHERE coalesce(it->part.name->>part.type, '') = '')),
    found AS (SELECT space, body FROM entry WHERE space IN (SELECT entries FROM keyed))
"""
RECORDS = """
    WITH record AS (
        SELECT key, encode(body, 'escape') AS text FROM entry WHERE space IN (
            SELECT (convert_from(body, 'UTF8')::jsonb->'stream_space'->>'N')::int FROM catalog WHERE length(body) > 0))
"""

INVARIANTS = {
    "each index has its table's items": f"{INDEXES} SELECT count(*) FROM (SELECT * FROM wanted EXCEPT ALL SELECT * FROM found) AS missing",
    "no index has more": f"{INDEXES} SELECT count(*) FROM (SELECT * FROM found EXCEPT ALL SELECT * FROM wanted) AS more",
    "counts are those of the entries": """
        SELECT count(*) FROM (SELECT space, sum(entries) AS n, sum(bytes) AS b FROM tally GROUP BY space) t
            FULL JOIN (SELECT space, count(*) AS n, sum(size) AS b FROM entry
                WHERE space NOT IN (SELECT number FROM space WHERE doomed IS NOT NULL) GROUP BY space) e USING (space)
            WHERE coalesce(t.n, 0) <> coalesce(e.n, 0) OR coalesce(t.b, 0) <> coalesce(e.b, 0)""",
    "no entry is in a space that was never given out, or is forgotten": """
        SELECT count(*) FROM entry WHERE space >= 16 AND space NOT IN (SELECT number FROM space)""",
    "no two entries of a space have one version": "SELECT count(*) - count(DISTINCT (space, version)) FROM entry",
    "a stream's record has the number of its place": f"""
        {RECORDS} SELECT count(*) FROM record
            WHERE right(substring(text FROM '"SequenceNumber":"([0-9]+)"'), 20)::int8 & {(1 << 48) - 1} <> ('x' || encode(key, 'hex'))::bit(48)::int8""",
    "a shard's last number is that of its last record, and none is missing": """
        WITH record AS (
            SELECT space, slot - ((slot::int8 + 2147483648) % 65536)::int4 AS shard,
                (((slot::int8 + 2147483648) % 65536) << 48) + ('x' || encode(key, 'hex'))::bit(48)::int8 AS number
            FROM entry WHERE space IN (
                SELECT (convert_from(body, 'UTF8')::jsonb->'stream_space'->>'N')::int FROM catalog WHERE length(body) > 0)),
        found AS (SELECT space, shard, min(number) AS first, max(number) AS last, count(*) AS n FROM record GROUP BY space, shard)
        SELECT count(*) FROM found LEFT JOIN shard AS s USING (space, shard)
            WHERE found.first >= 1::int8 << 48 AND (s.last IS DISTINCT FROM found.last OR found.last - found.first + 1 <> n)""",
}
DOOMED = "SELECT count(*) FROM space WHERE doomed IS NOT NULL"


def check_invariants(cluster, schema, is_served=False):
    """Of a schema that no client changes meanwhile."""
    if is_served:
        wait_until(lambda: cluster.sql(DOOMED, schema) == ["0"])
    for name, text in INVARIANTS.items():
        equal((name, cluster.sql(text, schema)), (name, ["0"]))
