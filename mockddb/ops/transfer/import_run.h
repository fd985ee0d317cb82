/* import_run.h: an import at work: the list of its objects, the new table, its items.
 *
 * The table is made when the objects are known, and stays CREATING until all were read: none of it
 * is seen before. Source: developer guide, "Import format quotas and validation";
 * docs/behaviour/transfer.md. */
#ifndef OPS_IMPORT_RUN_H
#define OPS_IMPORT_RUN_H

#include "ops/transfer/input_run.h"

/* One slice, in the unit at hand. *run is NULL at first. */
MUST_CHECK const struct error *import_run_step(struct call *c, struct task *t,
                                               struct input_run **run);

#endif
