/* pg_sql.h: every statement that is sent to the database.
 *
 * The words in them are those that PostgreSQL, CockroachDB, YugabyteDB and Citus share, which
 * tests/unit/store/test_pg_sql.c checks: no advisory locks, LISTEN, sequences, ctid or temporary
 * tables. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define PG_FORMAT 2 /* of the schema; a change of it is a new number */

/* Names in meta. */
#define PG_META_FORMAT  "format"
#define PG_META_SPACE   "next_space"
#define PG_META_CONTROL "control" /* the version of the last change of tables or spaces */

enum pg_sql {
    /* one entry */
    PG_GET,
    PG_GET_MANY,
    PG_ADD,
    PG_PUT,
    PG_REMOVE,
    PG_CHECK,
    PG_LOCK,
    PG_RECORD_ADD,
    /* ranges of entries */
    PG_PART_UP,
    PG_PART_DOWN,
    PG_PART_KEYS_UP,
    PG_PART_KEYS_DOWN,
    PG_RANGE_UP,
    PG_RANGE_DOWN,
    PG_RANGE_KEYS_UP,
    PG_RANGE_KEYS_DOWN,
    /* spaces */
    PG_SPACE_ADD,
    PG_SPACE_DOOM,
    PG_SPACE_FORGET,
    PG_SPACE_AGAIN,
    PG_COPY_MARK,
    PG_COPY_SLICE,
    PG_SPACE_REAP,
    PG_SPACE_DOOMED,
    PG_SPACE_IS_DOOMED,
    PG_SPACE_UNKNOWN,
    PG_SHARD_LAST,
    PG_SHARD_REMOVE,
    PG_TALLY_ADD,
    PG_TALLY_REMOVE,
    PG_TALLY_SUM,
    PG_TALLY_ALL,
    /* tables, and what a process knows of them */
    PG_TABLE_PUT,
    PG_TABLE_TOUCH,
    PG_TABLE_GUARD,
    PG_TABLE_SINCE,
    PG_CONTROL_IS,
    PG_CONTROL_PUT,
    PG_CONTROL_RAISE,
    PG_META_PUT,
    PG_META_ALL,
    PG_SPACE_SINCE,
    /* the processes that write */
    PG_PROCESS_ALL,
    PG_PROCESS_GET,
    PG_PROCESS_ADD,
    PG_PROCESS_TAKE,
    PG_PROCESS_UNIT,
    PG_PROCESS_RENEW,
    PG_PROCESS_FENCE,
    PG_PROCESS_LEAVE,
    PG_LEASE_TAKE,
    PG_LEASE_LEAVE,
    /* the connection */
    PG_VERSION,
    PG_SETTING,
    PG_BEGIN,
    PG_COMMIT,
    PG_ROLLBACK,
    PG_FAIL,
    /* mockddb store */
    PG_SCHEMA_TABLES,
    PG_META_REMOVE,
    PG_SQL_COUNT
};

const char *pg_sql_text(enum pg_sql which);

/* How long a process, and the one that does the jobs, keeps its row without renewing it. */
#define PG_LEASE_MS 5000

/* The statements that make the tables of a schema, in order; NULL at the end. */
extern const char *const pg_sql_schema[];
/* Those that add the rows which a schema without items has, besides its format. */
extern const char *const pg_sql_rows[];
/* Those that make a schema of format 1 one of format 2. */
extern const char *const pg_sql_upgrade[];
/* Compression of bodies, which not every database has. */
extern const char pg_sql_compression[];
/* A view of a table's items, by its name and its space's number. */
#define PG_SQL_VIEW                                                                           \
    "CREATE OR REPLACE VIEW \"%s\" AS SELECT size, convert_from(body, 'UTF8')::jsonb AS item" \
    " FROM entry WHERE space = %u"
/* The tables of the schema, in the order of their names. */
extern const char *const pg_sql_tables[];
extern const size_t pg_sql_table_count;

/* Kinds of databases that speak the protocol. Only PostgreSQL was run; the others' rows follow
 * their documents. */
enum pg_flavour { PG_POSTGRESQL = 1, PG_COCKROACH = 2, PG_YUGABYTE = 4 };

/* The flavour in the answer of PG_VERSION. */
enum pg_flavour pg_sql_flavour(const char *version);

/* Settings of each connection; the last one's name is NULL. */
struct pg_setting {
    const char *name, *value;
    unsigned flavours; /* where it is set */
};
extern const struct pg_setting pg_sql_settings[];
