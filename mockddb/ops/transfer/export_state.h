/* export_state.h: a table's items at the moment of an export, while the table continues to change.
 *
 * Nothing is copied: the items are read from the table, and changes since the moment are in the log
 * of point-in-time recovery (ops/backup/recovery_log.h). Before each slice the log is read to its
 * end. The task's space then has the old value of each item that was changed after the moment. For
 * an incremental export it has an entry for each item that was changed in the window. */
#pragma once

#include "ops/transfer/task.h"

/* Holds the log and sets the task's members about it. The caller has set from_ms and moment_ms.
 * `latest`: the moment is now. */
MUST_CHECK const struct error *export_state_begin(struct call *c, const struct table *t,
                                                  bool latest, struct task *task);
MUST_CHECK const struct error *export_state_end(struct call *c, const struct task *task);

/* Reads a slice of the log; *more: the log has more. */
MUST_CHECK const struct error *export_state_follow(struct call *c, struct task *task, bool *more);

/* The items in a row of the task's space; returns their number, at most two. */
size_t export_state_kept(const struct task *task, const struct store_row *row,
                         struct span items[2]);

/* --- reading items ---------------------------------------------------------------------------- */

/* An item or a change. Borrowed until the next call. */
struct export_entry {
    struct span key;      /* without its space */
    struct span item;     /* as it is stored; len 0: no item */
    struct span old_item; /* of a change */
    size_t size;          /* of the item, or of both */
    int64_t changed_ms;   /* of a change */
};

struct export_entries;

/* Opens the items of a full export, or the changes of an incremental one, behind a position (len 0:
 * all) and within the range (low.len 0: all), which is in the table's space. Read the log to its
 * end before. */
MUST_CHECK const struct error *export_state_open(struct call *c, const struct task *task,
                                                 const struct store_range *range,
                                                 struct span position, struct export_entries **out);
MUST_CHECK const struct error *export_state_next(struct export_entries *all,
                                                 struct export_entry *out, bool *found);
void export_state_close(struct export_entries *all);
