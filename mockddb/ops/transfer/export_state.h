/* export_state.h: what a table's items were at the moment of an export, while work goes on.
 *
 * Nothing is copied: the items are read where they are, and what has been changed since the moment
 * is in the log that point-in-time recovery keeps (ops/backup/recovery_log.h). Before each slice
 * the log is followed to its end; of each item that was changed after the moment, the space of the
 * task then has what it was. Of an incremental export it has an entry for each item that was
 * changed in its window. */
#ifndef OPS_EXPORT_STATE_H
#define OPS_EXPORT_STATE_H

#include "ops/transfer/task.h"

/* Holds the log, and sets what the task has to know of it: from_ms and moment_ms are set. `latest`:
 * the moment is now. */
MUST_CHECK const struct error *export_state_begin(struct call *c, const struct table *t,
                                                  bool latest, struct task *task);
MUST_CHECK const struct error *export_state_end(struct call *c, const struct task *task);

/* A slice of the log; *more: it does not end there. */
MUST_CHECK const struct error *export_state_follow(struct call *c, struct task *task, bool *more);

/* --- one item after another ------------------------------------------------------------------- */

/* Where an item was, or what became of it. Borrowed until the next. */
struct export_entry {
    struct span key;      /* without its space */
    struct span item;     /* as it is stored; len 0: there is none */
    struct span old_item; /* of a change */
    size_t size;          /* of the item, or of both */
    int64_t changed_ms;   /* of a change */
};

struct export_entries;

/* The items behind a position (len 0: all) of a full export, or the changes of an incremental one,
 * within the range (low.len 0: all), which is in the table's space. The log has been followed to
 * its end. */
MUST_CHECK const struct error *export_state_open(struct call *c, const struct task *task,
                                                 const struct store_range *range,
                                                 struct span position, struct export_entries **out);
MUST_CHECK const struct error *export_state_next(struct export_entries *all,
                                                 struct export_entry *out, bool *found);
void export_state_close(struct export_entries *all);

#endif
