/* restore.h: new tables that are filled from a backup or from a table's past.
 *
 * A table that is being restored is CREATING. First its items are copied (store/space_copy.h), then
 * changes after the moment are undone (recovery_log.h), then its indexes are backfilled
 * (table/table_backfill.h). This happens in slices between requests, or within the call for a small
 * table. The catalog has the progress, so a restore continues after a restart. Source:
 * docs/behaviour/backups.md. */
#pragma once

#include "ops/op.h"
#include "ops/table/table_spec.h"

/* Where a new table comes from. */
struct restore_source {
    const struct table *table; /* the model of the new table */
    uint32_t space;            /* the items */
    struct restore state;      /* for the new table's catalog entry */
};

/* TargetTableName: "Table already exists: T", or "… is already being restored from backup: …". */
MUST_CHECK const struct error *restore_check_target(struct call *c);

/* Reads the overrides, makes the table, writes its description into the reply and begins to fill
 * it. */
MUST_CHECK const struct error *restore_begin(struct call *c, const struct restore_source *source);

/* Stores a new table made by table_build_begin in the catalog and begins to fill it. */
MUST_CHECK const struct error *restore_fill(struct call *c, struct table *draft,
                                            const struct restore_source *source);

/* Whether a table is being restored from the backup. */
MUST_CHECK const struct error *restore_find_from(struct call *c, struct span backup_arn,
                                                 bool *found);

/* Whether the table waits for restore_advance: its items are copied, but the restore is not done.
 */
bool restore_waits(const struct call *c, const struct table *t);

/* Does one slice of the work after the copy; needs a unit of work. */
MUST_CHECK const struct error *restore_advance(struct call *c, struct span name);
