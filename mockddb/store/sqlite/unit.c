#include "base/log.h"
#include "store/sqlite/store_core.h"

#include <assert.h>

bool unit_writes(const struct unit *u)
{
    return u->writes;
}

/* Opens the transaction and, in a file, the savepoint of the writing unit. */
static const struct error *begin_writing(struct store *s, struct arena *a)
{
    const struct error *e;

    assert(!s->writer);
    if (s->group_lost)
        return store_failure(s, a);
    if (s->unread && (e = store_read_tables(s, a)))
        return e;
    if (!s->in_group) {
        if ((e = store_run(s, a, SQL_BEGIN, "cannot begin a transaction")))
            return e;
        s->in_group = true;
    }
    if (s->in_file && (e = store_run(s, a, SQL_UNIT_BEGIN, "cannot begin a unit")))
        return e;
    s->unit_changes = s->catalog.change_count;
    return NULL;
}

const struct error *unit_begin(struct store *s, struct arena *a, enum unit_kind kind,
                               struct unit **out)
{
    struct unit *u = &s->units[s->unit_count];
    const struct error *e;

    assert(s->unit_count < STORE_UNITS);
    if (kind == UNIT_WRITES) {
        if ((e = begin_writing(s, a)))
            return e;
        s->writer = u;
    }
    *u = (struct unit){.store = s, .arena = a, .writes = kind == UNIT_WRITES};
    s->unit_count++;
    *out = u;
    return NULL;
}

/* Undoes the writing unit; if that fails, or it is the only one, the whole group. */
static void undo_writing(struct store *s)
{
    if (!s->in_group) /* SQLite has rolled it back already */
        return;
    if (s->group_units == 0) {
        store_undo_group(s);
    } else if (sql_run(&s->db, SQL_UNIT_UNDO) != SQLITE_OK ||
               sql_run(&s->db, SQL_UNIT_KEEP) != SQLITE_OK) {
        log_error("cannot undo a unit: %s", sqlite3_errmsg(s->db.handle));
        s->group_lost = true;
        store_undo_group(s);
    } else {
        spaces_undo_unit(&s->spaces);
        store_undo_copies(s);
        catalog_undo(&s->catalog, s->unit_changes);
    }
}

static const struct error *keep_writing(struct store *s, struct arena *a)
{
    const struct error *e;

    if (!s->in_group)
        return store_failure(s, a);
    if ((e = store_run(s, a, s->in_file ? SQL_UNIT_KEEP : SQL_COMMIT, "cannot keep a unit"))) {
        undo_writing(s);
        return e;
    }
    spaces_keep_unit(&s->spaces);
    store_keep_copies(s);
    if (s->in_file)
        s->group_units++;
    else
        store_settle(s);
    return NULL;
}

/* Removes the innermost unit. */
static void leave(struct unit *u)
{
    struct store *s = u->store;

    while (u->cursors)
        cursor_close(u->cursors);
    if (u->writes)
        s->writer = NULL;
    s->unit_count--;
}

/* Undoes the open units inside this one. */
static void undo_inner(const struct unit *u)
{
    struct store *s = u->store;

    assert(u >= s->units && u < s->units + s->unit_count);
    while (&s->units[s->unit_count - 1] != u)
        unit_undo(&s->units[s->unit_count - 1]);
}

const struct error *unit_keep(struct unit *u)
{
    undo_inner(u);
    leave(u);
    return u->writes ? keep_writing(u->store, u->arena) : NULL;
}

/* Work that was left by a jump may have left a statement unfinished. */
void unit_undo(struct unit *u)
{
    undo_inner(u);
    leave(u);
    sql_reset_all(&u->store->db);
    if (u->writes)
        undo_writing(u->store);
}

void store_abandon(struct store *s)
{
    if (s->unit_count)
        unit_undo(&s->units[0]);
}
