#include "store/same_bodies.h"

#include "base/process.h"
#include "store/sqlite/sql_store.h"

#include <stdlib.h>

#define ROWS_A_STEP 256
#define MOST_IDS    (INT64_C(1) << 26) /* a bit for each */

struct same_bodies {
    struct store *store[2];
    int64_t changes[2];       /* when it began */
    int64_t first, next, end; /* ids: of the first bit, not compared yet, and behind the last */
    unsigned char *bits;      /* of ids with equal bodies */
};

/* Changes that were undone count twice. */
static int64_t changes_of(const struct store *s)
{
    return sqlite3_total_changes(sql_store_db(s)->handle) + sql_store_of(s)->undone;
}

static int64_t last_id(struct store *s, int64_t first, int64_t end)
{
    sqlite3_stmt *statement = sql_statement(sql_store_db(s), SQL_ITEM_LAST);
    int64_t last = first;

    if (!statement)
        return end;
    sqlite3_bind_int64(statement, 1, first);
    sqlite3_bind_int64(statement, 2, end);
    if (sqlite3_step(statement) == SQLITE_ROW)
        last = sqlite3_column_int64(statement, 0);
    sqlite3_reset(statement);
    return last;
}

struct same_bodies *same_bodies_new(struct store *a, struct store *b, uint32_t space)
{
    const int64_t first = store_first_id(space);
    struct same_bodies *s;
    int64_t last;

    if (a == b || a->engine != &store_sqlite || b->engine != &store_sqlite)
        return NULL;
    last = last_id(a, first, store_first_id(space + 1));
    if (last < first || last - first >= MOST_IDS)
        return NULL;
    s = process_zeroed(sizeof *s);
    *s = (struct same_bodies){.store = {a, b},
                              .changes = {changes_of(a), changes_of(b)},
                              .first = first,
                              .next = first,
                              .end = last + 1,
                              .bits = process_zeroed((size_t)(last - first) / 8 + 1)};
    return s;
}

void same_bodies_free(struct same_bodies *s)
{
    if (!s)
        return;
    free(s->bits);
    free(s);
}

/* Steps to the first row at the id or behind it; returns its id, or the end. */
static int64_t step_to(const struct same_bodies *s, sqlite3_stmt *rows, int64_t id)
{
    int64_t found = -1;

    while (found < id)
        found = sqlite3_step(rows) == SQLITE_ROW ? sqlite3_column_int64(rows, 0) : s->end;
    return found;
}

bool same_bodies_step(struct same_bodies *s)
{
    sqlite3_stmt *rows[2];
    int64_t id[2];

    for (int side = 0; side < 2; side++) {
        if (!(rows[side] = sql_statement(sql_store_db(s->store[side]), SQL_ITEM_BODIES)))
            return false;
        sqlite3_bind_int64(rows[side], 1, s->next);
        sqlite3_bind_int64(rows[side], 2, s->end);
        id[side] = step_to(s, rows[side], s->next);
    }
    for (int n = 0; n < ROWS_A_STEP && id[0] < s->end && id[1] < s->end; n++) {
        if (id[0] == id[1] && span_equal(sql_column_span(rows[0], 1), sql_column_span(rows[1], 1)))
            s->bits[(id[0] - s->first) / 8] |= (unsigned char)(1 << (id[0] - s->first) % 8);
        s->next = (id[0] < id[1] ? id[0] : id[1]) + 1;
        for (int side = 0; side < 2; side++)
            if (id[side] < s->next)
                id[side] = step_to(s, rows[side], s->next);
    }
    for (int side = 0; side < 2; side++)
        sqlite3_reset(rows[side]);
    return id[0] < s->end && id[1] < s->end;
}

bool same_bodies_hold(const struct same_bodies *s)
{
    return changes_of(s->store[0]) == s->changes[0] && changes_of(s->store[1]) == s->changes[1];
}

bool same_bodies_know(const struct same_bodies *s, const struct store_row *a,
                      const struct store_row *b)
{
    const int64_t at = a->handle - s->first;

    return a->handle == b->handle && at >= 0 && a->handle < s->next &&
           s->bits[at / 8] >> at % 8 & 1;
}
