/* pg_connection.h: a connection to the database, and statements that are sent together.
 *
 * Statements are sent, and their answers read by pg_connection_finish. They are one transaction,
 * which the first failure undoes. Each wait ends at a deadline, on the clock of
 * clock_monotonic_ms. */
#pragma once

#include "base/clock.h"
#include "store/pg/pg_library.h"
#include "store/pg/pg_sql.h"
#include "store/pg/pg_url.h"

enum pg_outcome {
    PG_DONE,
    PG_MISSED, /* a statement found no row that it had to change: nothing was changed */
    PG_AGAIN,  /* the database chose this transaction as the one to repeat */
    PG_LOST,   /* there is no connection any more; whether the transaction was done is not known */
    PG_FAILED
};

#define PG_MOST_VALUES 8

/* The parameters of a statement. Bytes are borrowed. */
struct pg_values {
    enum pg_sql which;
    int count;
    const char *at[PG_MOST_VALUES]; /* NULL: the number, or null if its length is 0 */
    int length[PG_MOST_VALUES];
    char number[PG_MOST_VALUES][8];
};

void pg_values_int4(struct pg_values *v, int64_t value);
void pg_values_int8(struct pg_values *v, int64_t value);
void pg_values_bytes(struct pg_values *v, struct span bytes);
void pg_values_null(struct pg_values *v);

struct pg_connection {
    const struct pg_library *pq;
    const struct pg_url *url;
    const char *commit; /* the value of synchronous_commit */
    struct pg_conn *handle;
    enum pg_flavour flavour;
    uint8_t prepared[PG_SQL_COUNT];
    uint16_t *sent; /* the statements without an answer */
    size_t sent_count, sent_room;
    size_t sent_statements; /* without preparations */
    bool broken;            /* something could not be sent */
    size_t failed_at;       /* which statement failed, counted from 0 like them */
    char sqlstate[6];       /* of the last failure, or "" */
    char message[1000];     /* of the last failure: one line */
};

/* Connects; on failure returns false, and the message says why. */
bool pg_connection_open(struct pg_connection *c, int64_t deadline_ms);
void pg_connection_close(struct pg_connection *c);

void pg_connection_send(struct pg_connection *c, const struct pg_values *v);
/* Sends a statement that is not one of pg_sql's rows and has no parameters. */
void pg_connection_send_text(struct pg_connection *c, const char *text);

/* Reads the answers. With `last`, it is set to the last statement's rows, which the caller frees,
 * or to NULL. */
enum pg_outcome pg_connection_finish(struct pg_connection *c, int64_t deadline_ms,
                                     struct pg_result **last);

/* A value of a row. */
struct span pg_connection_bytes(const struct pg_connection *c, const struct pg_result *r, int row,
                                int column);
int64_t pg_connection_number(const struct pg_connection *c, const struct pg_result *r, int row,
                             int column);
