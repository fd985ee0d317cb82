#include "store/pg/pg_sql.h"

#include <string.h>

/* A statement that changes one row fails with a division by zero if it finds none: then the rest of
 * the unit is skipped, and all of it is undone. */
#define MUST_CHANGE(change) \
    "WITH changed AS (" change " RETURNING 1) SELECT 1 / count(*) FROM changed"

/* A statement that fails in the same way if it finds no row, which stays as it is until the
 * transaction ends. */
#define MUST_FIND(what) "SELECT 1 / count(*) FROM (SELECT 1 FROM " what " FOR SHARE) AS found"

#define AT_PLACE "space = $1 AND slot = $2 AND key = $3"
/* The version that was read; 0: any. */
#define UNCHANGED "($4::int8 = 0 OR version = $4::int8)"

#define HEAD    "SELECT space, slot, key, version, size, long_key"
#define IN_PART " FROM entry WHERE space = $1 AND slot = $2 AND key >= $3 AND key < $4 ORDER BY key"
#define IN_RANGE                                                              \
    " FROM entry WHERE (space, slot, key) >= ($1::int4, $2::int4, $3::bytea)" \
    " AND (space, slot, key) < ($4::int4, $5::int4, $6::bytea) ORDER BY "
#define UP   "space, slot, key"
#define DOWN "space DESC, slot DESC, key DESC"

/* The database's clock, in milliseconds, so that those of the servers do not count. */
#define NOW       "(extract(epoch FROM now()) * 1000)::int8"
#define TEXT_(x)  #x
#define TEXT(x)   TEXT_(x)
#define LEASE_END NOW " + " TEXT(PG_LEASE_MS)

#define TALLY_MORE                                                                           \
    "ON CONFLICT (space, process) DO UPDATE SET entries = tally.entries + excluded.entries," \
    " bytes = tally.bytes + excluded.bytes, spared = tally.spared + excluded.spared"

/* Copies these entries into the space `to`, and counts them for the process. */
#define COPY(to, process, these)                                                            \
    "copied AS (INSERT INTO entry (space, slot, key, version, size, long_key, body)"        \
    " SELECT " to ", slot, key, version, size, long_key, body FROM entry AS e WHERE " these \
    " ON CONFLICT DO NOTHING RETURNING size)"                                               \
    " INSERT INTO tally (space, process, entries, bytes, spared)"                           \
    " SELECT " to "::int4, " process "::int4, count(*), sum(size), 0 FROM copied"           \
    " HAVING count(*) > 0 " TALLY_MORE

static const char *const texts[] = {
    [PG_GET] = "SELECT m.value, e.version, e.size, e.body FROM meta AS m LEFT JOIN entry AS e"
               " ON e.space = $1 AND e.slot = $2 AND e.key = $3 WHERE m.name = '" PG_META_CONTROL
               "'",
    /* One statement, so all are as of one moment. */
    [PG_GET_MANY] = "SELECT k.n, e.version, e.size, e.body"
                    " FROM unnest($1::int4[], $2::int4[], $3::bytea[])"
                    " WITH ORDINALITY AS k (space, slot, key, n) JOIN entry AS e"
                    " ON e.space = k.space AND e.slot = k.slot AND e.key = k.key",
    [PG_ADD] = MUST_CHANGE("INSERT INTO entry (space, slot, key, version, size, long_key, body)"
                           " VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING"),
    [PG_PUT] = MUST_CHANGE("UPDATE entry SET version = $5, size = $6, body = $7 WHERE " AT_PLACE
                           " AND " UNCHANGED),
    [PG_REMOVE] = MUST_CHANGE("DELETE FROM entry WHERE " AT_PLACE " AND " UNCHANGED),
    [PG_LOCK] = "SELECT 1 FROM entry WHERE " AT_PLACE " FOR UPDATE",
    [PG_CHECK] = MUST_FIND("entry WHERE " AT_PLACE " AND version = $4"),
    /* The record gets the shard's next number, at the end of its place, and in 20 digits of its
     * body. Who changes the shard's row is the only one to add records until its transaction ends.
     */
    [PG_RECORD_ADD] = "WITH given AS (INSERT INTO shard (space, shard, last) VALUES ($1, $2, $3)"
                      " ON CONFLICT (space, shard) DO UPDATE SET last = shard.last + 1"
                      " RETURNING last)"
                      " INSERT INTO entry (space, slot, key, version, size, body)"
                      " SELECT $1, $2 + (last >> 48)::int4, substring(int8send(last) FROM 3), $3,"
                      " $4, overlay($5::bytea"
                      " PLACING convert_to(lpad(last::text, 20, '0'), 'UTF8') FROM $6 FOR 20)"
                      " FROM given",

    [PG_PART_UP] = HEAD ", body" IN_PART " LIMIT $5",
    [PG_PART_DOWN] = HEAD ", body" IN_PART " DESC LIMIT $5",
    [PG_PART_KEYS_UP] = HEAD IN_PART " LIMIT $5",
    [PG_PART_KEYS_DOWN] = HEAD IN_PART " DESC LIMIT $5",
    [PG_RANGE_UP] = HEAD ", body" IN_RANGE UP " LIMIT $7",
    [PG_RANGE_DOWN] = HEAD ", body" IN_RANGE DOWN " LIMIT $7",
    [PG_RANGE_KEYS_UP] = HEAD IN_RANGE UP " LIMIT $7",
    [PG_RANGE_KEYS_DOWN] = HEAD IN_RANGE DOWN " LIMIT $7",

    [PG_SPACE_ADD] = "INSERT INTO space (number, form, since) VALUES ($1, $2, $3)",
    [PG_SPACE_DOOM] = "UPDATE space SET doomed = $2 WHERE number = $1",
    [PG_SPACE_FORGET] = "DELETE FROM space WHERE number = $1",
    /* Processes must get to know it once more. */
    [PG_SPACE_AGAIN] = "UPDATE space SET since = $2 WHERE number = $1",
    /* An entry that a unit changes for the first time since the copy began gets a mark, and is
     * copied as it is; the unit's other statements fail if it changes before theirs. */
    [PG_COPY_MARK] = "WITH marked AS (INSERT INTO entry (space, slot, key, version, size, body)"
                     " VALUES ($5, $2, $3, 0, 0, '') ON CONFLICT DO NOTHING RETURNING slot), " COPY(
                         "$4", "$6", AT_PLACE " AND EXISTS (SELECT 1 FROM marked)"),
    [PG_COPY_SLICE] = "WITH " COPY(
        "$6", "$8",
        "space = $1 AND (slot, key) >= ($2::int4, $3::bytea)"
        " AND (slot, key) < ($4::int4, $5::bytea) AND NOT EXISTS (SELECT 1 FROM entry AS m"
        " WHERE m.space = $7 AND m.slot = e.slot AND m.key = e.key) ORDER BY slot, key"),
    [PG_SPACE_REAP] = "DELETE FROM entry WHERE space = $1"
                      " AND (slot, key) <= ($2::int4, $3::bytea)",
    /* Those that no other process still writes to. */
    [PG_SPACE_DOOMED] = "SELECT number FROM space AS s WHERE doomed IS NOT NULL AND NOT EXISTS"
                        " (SELECT 1 FROM process WHERE until <> 0 AND slot <> $1"
                        " AND seen < s.doomed)"
                        " ORDER BY number LIMIT 100",
    [PG_SPACE_IS_DOOMED] = "SELECT number FROM space WHERE number = $1 AND doomed IS NOT NULL",
    /* Other processes that do not know the space yet; of one that is not there yet: all. */
    [PG_SPACE_UNKNOWN] = "SELECT slot FROM process WHERE until <> 0 AND slot <> $2 AND seen <"
                         " coalesce((SELECT since FROM space WHERE number = $1), "
                         "9223372036854775807)",
    [PG_SHARD_LAST] = "SELECT last FROM shard WHERE space = $1 AND shard = $2",
    [PG_SHARD_REMOVE] = "DELETE FROM shard WHERE space = $1",
    [PG_TALLY_ADD] = "INSERT INTO tally (space, process, entries, bytes, spared)"
                     " VALUES ($1, $2, $3, $4, $5) " TALLY_MORE,
    [PG_TALLY_REMOVE] = "DELETE FROM tally WHERE space = $1",
    [PG_TALLY_SUM] = "SELECT space, sum(entries)::int8, sum(bytes)::int8, sum(spared)::int8"
                     " FROM tally WHERE space = ANY($1::int4[]) GROUP BY space",
    [PG_TALLY_ALL] = "SELECT space, sum(entries)::int8, sum(bytes)::int8, sum(spared)::int8"
                     " FROM tally GROUP BY space ORDER BY space",

    /* Only a change of PG_META_CONTROL in the same transaction lets it pass. An empty body is a
     * table that is gone. */
    [PG_TABLE_PUT] = "INSERT INTO catalog (id, version, body) VALUES ($1, $2, $3)"
                     " ON CONFLICT (id) DO UPDATE SET version = excluded.version,"
                     " body = excluded.body",
    [PG_TABLE_TOUCH] = "UPDATE catalog SET version = $2 WHERE id = $1",
    [PG_TABLE_GUARD] = "SELECT 1 / count(*) FROM catalog WHERE id = $1 AND version = $2",
    [PG_TABLE_SINCE] = "SELECT id, version, body FROM catalog WHERE version > $1 ORDER BY id",
    [PG_CONTROL_IS] = "SELECT 1 / count(*) FROM meta WHERE name = '" PG_META_CONTROL
                      "' AND value = $1",
    [PG_CONTROL_PUT] = MUST_CHANGE("UPDATE meta SET value = $2 WHERE name = '" PG_META_CONTROL
                                   "' AND value = $1"),
    [PG_CONTROL_RAISE] = "UPDATE meta SET value = value + 1 WHERE name = '" PG_META_CONTROL "'",
    [PG_META_PUT] = "INSERT INTO meta (name, value) VALUES ($1, $2)"
                    " ON CONFLICT (name) DO UPDATE SET value = excluded.value",
    [PG_META_ALL] = "SELECT name, value FROM meta ORDER BY name",
    [PG_SPACE_SINCE] = "SELECT number, form FROM space WHERE number >= $1 ORDER BY number",

    [PG_PROCESS_ALL] = "SELECT slot, epoch, until, host,"
                       " CASE WHEN until < " NOW " THEN 1 ELSE 0 END::int8,"
                       " CASE WHEN EXISTS (SELECT 1 FROM lease WHERE lease.slot = process.slot"
                       " AND lease.epoch = process.epoch AND lease.until <> 0)"
                       " THEN 1 ELSE 0 END::int8 FROM process ORDER BY slot",
    [PG_PROCESS_GET] = "SELECT epoch, unit FROM process WHERE slot = $1",
    [PG_PROCESS_ADD] = "INSERT INTO process (slot, epoch, unit, until, seen)"
                       " VALUES ($1, 0, 0, 0, 0) ON CONFLICT DO NOTHING",
    [PG_PROCESS_TAKE] = "UPDATE process SET epoch = epoch + 1, seen = 0, host = $3,"
                        " until = " LEASE_END
                        " WHERE slot = $1 AND epoch = $2 RETURNING epoch, unit",
    [PG_PROCESS_UNIT] = MUST_CHANGE("UPDATE process SET unit = $3, seen = $4,"
                                    " until = " LEASE_END
                                    " WHERE slot = $1 AND epoch = $2 AND unit < $3"),
    [PG_PROCESS_RENEW] = "UPDATE process SET seen = $3, until = " LEASE_END
                         " WHERE slot = $1 AND epoch = $2 RETURNING"
                         " (SELECT value FROM meta WHERE name = '" PG_META_CONTROL "')",
    /* Those that did not renew their rows in time, also as the one that does the jobs, write
     * nothing any more. */
    [PG_PROCESS_FENCE] = "UPDATE process SET epoch = epoch + 1, until = 0 WHERE slot <> $1"
                         " AND until <> 0 AND (until < " NOW " OR slot ="
                         " (SELECT slot FROM lease WHERE until <> 0 AND until < " NOW "))",
    [PG_PROCESS_LEAVE] = "UPDATE process SET until = 0 WHERE slot = $1 AND epoch = $2",
    [PG_LEASE_TAKE] = "UPDATE lease SET slot = $1, epoch = $2, until = " LEASE_END
                      " WHERE until < " NOW " OR (slot = $1 AND epoch = $2) RETURNING slot",
    [PG_LEASE_LEAVE] = "UPDATE lease SET until = 0 WHERE slot = $1 AND epoch = $2",

    [PG_VERSION] = "SELECT version()",
    [PG_SETTING] = "SELECT set_config($1, $2, false)",
    [PG_BEGIN] = "BEGIN",
    [PG_COMMIT] = "COMMIT",
    [PG_ROLLBACK] = "ROLLBACK",
    [PG_FAIL] = "SELECT 1 / count(*) FROM meta WHERE name IS NULL",

    [PG_SCHEMA_TABLES] = "SELECT table_name::text FROM information_schema.tables"
                         " WHERE table_schema = $1 ORDER BY table_name::text",
    [PG_META_REMOVE] = "DELETE FROM meta WHERE name = $1",
};

const char *pg_sql_text(enum pg_sql which)
{
    return texts[which];
}

#define SHARDS                                                                \
    "CREATE TABLE shard (space int4, shard int4, last int8 NOT NULL, PRIMARY" \
    " KEY (space, shard)) WITH (fillfactor = 10)"
/* One row: the process that does the jobs. */
#define LEASES                                                                             \
    "CREATE TABLE lease (name text PRIMARY KEY, slot int4 NOT NULL, epoch int8 NOT NULL, " \
    "until int8 NOT NULL)"
#define FIRST_LEASE   "INSERT INTO lease (name, slot, epoch, until) VALUES ('jobs', 0, 0, 0)"
#define FIRST_CONTROL "INSERT INTO meta (name, value) VALUES ('" PG_META_CONTROL "', "

const char *const pg_sql_schema[] = {
    "CREATE TABLE meta (name text PRIMARY KEY, value int8 NOT NULL)",
    "CREATE TABLE catalog (id bytea PRIMARY KEY, version int8 NOT NULL, body bytea NOT NULL)"
    " WITH (fillfactor = 20)",
    "CREATE TABLE space (number int4 PRIMARY KEY, form int4 NOT NULL, since int8 NOT NULL,"
    " doomed int8)",
    "CREATE TABLE entry (space int4, slot int4, key bytea, version int8 NOT NULL,"
    " size int4 NOT NULL, long_key bytea, body bytea NOT NULL, PRIMARY KEY (space, slot, key))"
    " WITH (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02)",
    "CREATE TABLE tally (space int4, process int4, entries int8 NOT NULL, bytes int8 NOT NULL,"
    " spared int8 NOT NULL, PRIMARY KEY (space, process)) WITH (fillfactor = 10)",
    "CREATE TABLE process (slot int4 PRIMARY KEY, epoch int8 NOT NULL, unit int8 NOT NULL,"
    " until int8 NOT NULL, seen int8 NOT NULL, host text) WITH (fillfactor = 10)",
    SHARDS,
    LEASES,
    NULL,
};

const char *const pg_sql_rows[] = {FIRST_LEASE, FIRST_CONTROL "1)", NULL};

/* A server of format 1 writes nothing after the first statement. */
const char *const pg_sql_upgrade[] = {
    "UPDATE process SET epoch = epoch + 1, until = 0",
    "ALTER TABLE space ADD since int8 NOT NULL DEFAULT 1",
    "ALTER TABLE process ADD seen int8 NOT NULL DEFAULT 0",
    SHARDS,
    LEASES,
    FIRST_LEASE,
    FIRST_CONTROL "(SELECT coalesce(max(version), 1) FROM catalog))",
    "DELETE FROM meta WHERE name = 'number'",
    "UPDATE meta SET value = 2 WHERE name = '" PG_META_FORMAT "'",
    NULL,
};

const char pg_sql_compression[] = "ALTER TABLE entry ALTER body SET COMPRESSION lz4";

const char *const pg_sql_tables[] = {"catalog", "entry", "lease", "meta",
                                     "process", "shard", "space", "tally"};
const size_t pg_sql_table_count = sizeof pg_sql_tables / sizeof *pg_sql_tables;

enum pg_flavour pg_sql_flavour(const char *version)
{
    if (strstr(version, "CockroachDB"))
        return PG_COCKROACH;
    return strstr(version, "-YB-") ? PG_YUGABYTE : PG_POSTGRESQL;
}

#define EACH (PG_POSTGRESQL | PG_COCKROACH | PG_YUGABYTE)

const struct pg_setting pg_sql_settings[] = {
    {"statement_timeout", "5000", EACH},
    {"lock_timeout", "1000", EACH},
    {"idle_in_transaction_session_timeout", "5000", EACH},
    {"default_transaction_isolation", "serializable", PG_COCKROACH | PG_YUGABYTE},
    /* Each read is a range of the primary key, also while tables are so small that reading all of
     * them looks cheaper. */
    {"enable_seqscan", "off", PG_POSTGRESQL | PG_YUGABYTE},
    {"enable_bitmapscan", "off", PG_POSTGRESQL | PG_YUGABYTE},
    {"enable_hashjoin", "off", PG_POSTGRESQL | PG_YUGABYTE},
    {"enable_mergejoin", "off", PG_POSTGRESQL | PG_YUGABYTE},
    {"jit", "off", PG_POSTGRESQL},
    {NULL, NULL, 0},
};
