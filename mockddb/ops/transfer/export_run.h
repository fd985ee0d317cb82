/* export_run.h: an export at work: slices of its data file, then the manifests.
 *
 * The files, in the order in which they come to be: _started, data/NAME, manifest-files.json,
 * manifest-summary.json, and the manifests' checksums. Each is there as a whole or not at all.
 * After a restart the data file is begun anew: what was at the moment of the export is still known
 * (export_state.h). Source: developer guide, "DynamoDB table export output format";
 * docs/behaviour/transfer.md. */
#ifndef OPS_EXPORT_RUN_H
#define OPS_EXPORT_RUN_H

#include "ops/transfer/task.h"

/* What is held from slice to slice. */
struct export_run;
void export_run_free(struct export_run *r); /* r may be NULL */

/* One slice, in the unit at hand. *run is NULL at first. */
MUST_CHECK const struct error *export_run_step(struct call *c, struct task *t,
                                               struct export_run **run);

/* The key of the summary: what the export's description names. */
struct span export_run_manifest(struct call *c, const struct task *t, const wire_node *request);

#endif
