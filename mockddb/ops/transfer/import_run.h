/* import_run.h: runs an import: it lists the objects, makes the table and puts the items.
 *
 * The table is made when the list is complete. It stays CREATING, and its items are hidden, until
 * all objects are read. Source: developer guide, "Import format quotas and validation";
 * docs/behaviour/transfer.md. */
#pragma once

#include "ops/transfer/input_run.h"

/* Does one slice in the call's unit. *run is NULL at first. */
MUST_CHECK const struct error *import_run_step(struct call *c, struct task *t,
                                               struct input_run **run);
