#include "store/pg/pg_sql.h"

#include <string.h>

/* A statement that changes one row fails with a division by zero if it finds none: then the rest of
 * the unit is skipped, and all of it is undone. */
#define MUST_CHANGE(change) \
    "WITH changed AS (" change " RETURNING 1) SELECT 1 / count(*) FROM changed"

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

static const char *const texts[] = {
    [PG_GET] = "SELECT version, size, body FROM entry WHERE " AT_PLACE,
    [PG_ADD] = MUST_CHANGE("INSERT INTO entry (space, slot, key, version, size, long_key, body)"
                           " VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING"),
    [PG_PUT] = MUST_CHANGE("UPDATE entry SET version = $5, size = $6, body = $7 WHERE " AT_PLACE
                           " AND " UNCHANGED),
    [PG_REMOVE] = MUST_CHANGE("DELETE FROM entry WHERE " AT_PLACE " AND " UNCHANGED),

    [PG_PART_UP] = HEAD ", body" IN_PART " LIMIT $5",
    [PG_PART_DOWN] = HEAD ", body" IN_PART " DESC LIMIT $5",
    [PG_PART_KEYS_UP] = HEAD IN_PART " LIMIT $5",
    [PG_PART_KEYS_DOWN] = HEAD IN_PART " DESC LIMIT $5",
    [PG_RANGE_UP] = HEAD ", body" IN_RANGE UP " LIMIT $7",
    [PG_RANGE_DOWN] = HEAD ", body" IN_RANGE DOWN " LIMIT $7",
    [PG_RANGE_KEYS_UP] = HEAD IN_RANGE UP " LIMIT $7",
    [PG_RANGE_KEYS_DOWN] = HEAD IN_RANGE DOWN " LIMIT $7",

    [PG_SPACE_ADD] = "INSERT INTO space (number, form) VALUES ($1, $2)",
    [PG_SPACE_DOOM] = "UPDATE space SET doomed = $2 WHERE number = $1",
    [PG_SPACE_FORGET] = "DELETE FROM space WHERE number = $1",
    [PG_SPACE_COPY] = "INSERT INTO entry (space, slot, key, version, size, long_key, body)"
                      " SELECT $2, slot, key, version, size, long_key, body FROM entry"
                      " WHERE space = $1",
    [PG_SPACE_REAP] = "DELETE FROM entry WHERE space = $1"
                      " AND (slot, key) <= ($2::int4, $3::bytea)",
    [PG_SPACE_DOOMED] = "SELECT number FROM space WHERE doomed IS NOT NULL ORDER BY number LIMIT 2",
    [PG_SPACE_IS_DOOMED] = "SELECT number FROM space WHERE number = $1 AND doomed IS NOT NULL",
    [PG_TALLY_ADD] = "INSERT INTO tally (space, process, entries, bytes, spared)"
                     " VALUES ($1, $2, $3, $4, $5) ON CONFLICT (space, process) DO UPDATE"
                     " SET entries = tally.entries + excluded.entries,"
                     " bytes = tally.bytes + excluded.bytes,"
                     " spared = tally.spared + excluded.spared",
    [PG_TALLY_REMOVE] = "DELETE FROM tally WHERE space = $1",

    [PG_TABLE_PUT] = "INSERT INTO catalog (id, version, body) VALUES ($1, $2, $3)"
                     " ON CONFLICT (id) DO UPDATE SET version = excluded.version,"
                     " body = excluded.body",
    [PG_TABLE_REMOVE] = MUST_CHANGE("DELETE FROM catalog WHERE id = $1"),
    [PG_TABLE_ALL] = "SELECT id, body FROM catalog ORDER BY id",
    [PG_META_PUT] = "INSERT INTO meta (name, value) VALUES ($1, $2)"
                    " ON CONFLICT (name) DO UPDATE SET value = excluded.value",
    [PG_META_ALL] = "SELECT name, value FROM meta ORDER BY name",
    [PG_SPACE_ALL] = "SELECT number, form FROM space ORDER BY number",
    [PG_TALLY_ALL] = "SELECT space, sum(entries)::int8, sum(bytes)::int8, sum(spared)::int8"
                     " FROM tally GROUP BY space ORDER BY space",

    [PG_PROCESS_GET] = "SELECT epoch, unit, until, host FROM process WHERE slot = $1",
    [PG_PROCESS_ADD] = "INSERT INTO process (slot, epoch, unit, until) VALUES ($1, 0, 0, 0)"
                       " ON CONFLICT DO NOTHING",
    [PG_PROCESS_TAKE] = "UPDATE process SET epoch = epoch + 1, until = $3, host = $4"
                        " WHERE slot = $1 AND epoch = $2 RETURNING epoch, unit",
    [PG_PROCESS_UNIT] = MUST_CHANGE("UPDATE process SET unit = $3, until = $4"
                                    " WHERE slot = $1 AND epoch = $2 AND unit < $3"),
    [PG_PROCESS_RENEW] = MUST_CHANGE(
        "UPDATE process SET until = $3 WHERE slot = $1 AND epoch = $2"),
    [PG_PROCESS_LEAVE] = "UPDATE process SET until = 0 WHERE slot = $1 AND epoch = $2",

    [PG_VERSION] = "SELECT version()",
    [PG_SETTING] = "SELECT set_config($1, $2, false)",
    [PG_SETTING_LOCAL] = "SELECT set_config($1, $2, true)",
    [PG_FAIL] = "SELECT 1 / count(*) FROM meta WHERE name IS NULL",

    [PG_SCHEMA_TABLES] = "SELECT table_name::text FROM information_schema.tables"
                         " WHERE table_schema = $1 ORDER BY table_name::text",
    [PG_META_REMOVE] = "DELETE FROM meta WHERE name = $1",
};

const char *pg_sql_text(enum pg_sql which)
{
    return texts[which];
}

const char *const pg_sql_schema[] = {
    "CREATE TABLE meta (name text PRIMARY KEY, value int8 NOT NULL)",
    "CREATE TABLE catalog (id bytea PRIMARY KEY, version int8 NOT NULL, body bytea NOT NULL)"
    " WITH (fillfactor = 20)",
    "CREATE TABLE space (number int4 PRIMARY KEY, form int4 NOT NULL, doomed int8)",
    "CREATE TABLE entry (space int4, slot int4, key bytea, version int8 NOT NULL,"
    " size int4 NOT NULL, long_key bytea, body bytea NOT NULL, PRIMARY KEY (space, slot, key))"
    " WITH (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02)",
    "CREATE TABLE tally (space int4, process int4, entries int8 NOT NULL, bytes int8 NOT NULL,"
    " spared int8 NOT NULL, PRIMARY KEY (space, process)) WITH (fillfactor = 10)",
    "CREATE TABLE process (slot int4 PRIMARY KEY, epoch int8 NOT NULL, unit int8 NOT NULL,"
    " until int8 NOT NULL, host text) WITH (fillfactor = 10)",
    NULL,
};

const char pg_sql_compression[] = "ALTER TABLE entry ALTER body SET COMPRESSION lz4";

const char *const pg_sql_tables[] = {"catalog", "entry", "meta", "process", "space", "tally"};
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
    {"jit", "off", PG_POSTGRESQL},
    {NULL, NULL, 0},
};
