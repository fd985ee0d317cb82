/* restore.h: new tables that are filled from a backup, or from a table's past.
 *
 * A table that is being restored is CREATING. Its items are copied (store/space_copy.h), then what
 * changed after the moment is undone (recovery_log.h), then its indexes are filled as new ones are
 * (table/table_backfill.h): in slices between requests, and a small table within the call. How far
 * that is stands in the catalog, so it goes on after a restart. Source: docs/behaviour/backups.md.
 */
#ifndef OPS_RESTORE_H
#define OPS_RESTORE_H

#include "ops/op.h"
#include "ops/table/table_spec.h"

/* Where a new table comes from. */
struct restore_source {
    const struct table *table; /* as the new one is to be */
    uint32_t space;            /* the items */
    struct restore state;      /* what the catalog is to have of it */
};

/* TargetTableName: "Table already exists: T", or "… is already being restored from backup: …". */
MUST_CHECK const struct error *restore_check_target(struct call *c);

/* Reads the overrides, makes the table, answers with its description and begins to fill it. */
MUST_CHECK const struct error *restore_begin(struct call *c, const struct restore_source *source);

/* Puts a new table into the catalog, one that table_build has made, and begins to fill it. */
MUST_CHECK const struct error *restore_fill(struct call *c, struct table *draft,
                                            const struct restore_source *source);

/* Whether a table is being restored from the backup. */
MUST_CHECK const struct error *restore_find_from(struct call *c, struct span backup_arn,
                                                 bool *found);

/* Whether the table waits for restore_advance: its items were copied, and more is to be done. */
bool restore_waits(const struct call *c, const struct table *t);

/* One slice of what comes behind the copy; needs a unit of work. */
MUST_CHECK const struct error *restore_advance(struct call *c, struct span name);

#endif
