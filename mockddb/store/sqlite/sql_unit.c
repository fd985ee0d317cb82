#include "base/log.h"
#include "store/sqlite/sql_store.h"

/* Opens the transaction and, in a file, the savepoint of the writing unit. */
const struct error *store_sql_begin(struct store *s, struct arena *a)
{
    const struct error *e;

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
    return NULL;
}

/* Undoes the writing unit; if that fails, or it is the only one, the whole group. */
void store_sql_undo(struct store *s)
{
    sql_store_of(s)->undone++;
    if (!s->in_group) /* SQLite has rolled it back already */
        return;
    if (s->group_units == 0) {
        store_undo_group(s);
    } else if (sql_run(sql_store_db(s), SQL_UNIT_UNDO) != SQLITE_OK ||
               sql_run(sql_store_db(s), SQL_UNIT_KEEP) != SQLITE_OK) {
        log_error("cannot undo a unit: %s", sqlite3_errmsg(sql_store_db(s)->handle));
        s->group_lost = true;
        store_undo_group(s);
    } else {
        spaces_undo_unit(&s->spaces);
        store_undo_copies(s);
        catalog_undo(&s->catalog, s->unit_changes);
    }
}

const struct error *store_sql_keep(struct store *s, struct arena *a)
{
    const struct error *e;

    if (!s->in_group)
        return store_failure(s, a);
    if ((e = store_run(s, a, s->in_file ? SQL_UNIT_KEEP : SQL_COMMIT, "cannot keep a unit"))) {
        store_sql_undo(s);
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

/* Work that was left by a jump may have left a statement unfinished. */
void store_sql_leave(struct store *s)
{
    sql_reset_all(sql_store_db(s));
}

const struct store_engine store_sqlite = {
    .free = store_sql_free,
    .memory = store_sql_memory,
    .begin = store_sql_begin,
    .keep = store_sql_keep,
    .undo = store_sql_undo,
    .leave = store_sql_leave,
    .get = store_sql_get,
    .put = store_sql_put,
    .delete = store_sql_delete,
    .link = store_sql_link,
    .unlink = store_sql_unlink,
    .share = store_sql_share,
    .owner = store_sql_owner,
    .delete_range = store_sql_delete_range,
    .number_space = store_sql_number_space,
    .drop_space = store_sql_drop_space,
    .reap = store_sql_reap,
    .is_doomed = store_sql_is_doomed,
    .read_table = store_sql_read_table,
    .put_table = store_sql_put_table,
    .remove_table = store_sql_remove_table,
    .open_cursor = store_sql_open_cursor,
    .next = store_sql_next,
    .close_cursor = store_sql_close_cursor,
    .begin_copy = store_sql_begin_copy,
    .step_copy = store_sql_step_copy,
    .next_copy = store_sql_next_copy,
};
