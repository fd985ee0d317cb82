/* bulk_run.h: a bulk put at work: the list of its objects, its items, its reports.
 *
 * Items are put into a table that is in use, each as PutItem would put it, under the condition that
 * its record may have. What was not put is noted in the task's space of reports, and written to the
 * output's bucket when all was read:
 *
 *   [PREFIX/]AWSDynamoDB/ID/manifest.json
 *                          /errors/NAME.json                     records and objects that are wrong
 *                          /condition-check-failures/NAME.json   items whose condition failed
 *
 * Source: API reference, StartBulkPutItems; docs/behaviour/transfer.md. */
#ifndef OPS_BULK_RUN_H
#define OPS_BULK_RUN_H

#include "ops/transfer/input_run.h"

/* One slice, in the unit at hand. *run is NULL at first. */
MUST_CHECK const struct error *bulk_run_step(struct call *c, struct task *t,
                                             struct input_run **run);

#endif
