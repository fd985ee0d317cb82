/* bulk_run.h: runs a bulk put: it lists the objects, puts the items and writes the reports.
 *
 * The table stays in use. Each item is put like PutItem does, under its record's condition if there
 * is one. Records that are not put go to the task's space of reports, and at the end to the output
 * bucket:
 *
 *   [PREFIX/]AWSDynamoDB/ID/manifest.json
 *                          /errors/NAME.json                     invalid records and objects
 *                          /condition-check-failures/NAME.json   items whose condition failed
 *
 * Source: API reference, StartBulkPutItems; docs/behaviour/transfer.md. */
#pragma once

#include "ops/transfer/input_run.h"

/* Does one slice in the call's unit. *run is NULL at first. */
MUST_CHECK const struct error *bulk_run_step(struct call *c, struct task *t,
                                             struct input_run **run);
