/* pg_sql.h: every statement that is sent to the database.
 *
 * The words in them are those that PostgreSQL, CockroachDB, YugabyteDB and Citus share, which
 * tests/unit/store/test_pg_sql.c checks: no advisory locks, LISTEN, sequences, ctid or temporary
 * tables. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define PG_FORMAT 1 /* of the schema; a change of it is a new number */

/* Names in meta. */
#define PG_META_FORMAT "format"
#define PG_META_SPACE  "next_space"
#define PG_META_NUMBER "number"

enum pg_sql {
    /* one entry */
    PG_GET,
    PG_ADD,
    PG_PUT,
    PG_REMOVE,
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
    PG_SPACE_COPY,
    PG_SPACE_REAP,
    PG_SPACE_DOOMED,
    PG_SPACE_IS_DOOMED,
    PG_TALLY_ADD,
    PG_TALLY_REMOVE,
    /* tables, and what a store loads when it is opened */
    PG_TABLE_PUT,
    PG_TABLE_REMOVE,
    PG_TABLE_ALL,
    PG_META_PUT,
    PG_META_ALL,
    PG_SPACE_ALL,
    PG_TALLY_ALL,
    /* the process that writes */
    PG_PROCESS_GET,
    PG_PROCESS_ADD,
    PG_PROCESS_TAKE,
    PG_PROCESS_UNIT,
    PG_PROCESS_RENEW,
    PG_PROCESS_LEAVE,
    /* the connection */
    PG_VERSION,
    PG_SETTING,
    PG_SETTING_LOCAL, /* until the end of the transaction */
    PG_FAIL,
    /* mockddb store */
    PG_SCHEMA_TABLES,
    PG_META_REMOVE,
    PG_SQL_COUNT
};

const char *pg_sql_text(enum pg_sql which);

/* The statements that make the tables of a schema, in order; NULL at the end. */
extern const char *const pg_sql_schema[];
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
