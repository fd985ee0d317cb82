/* export_run.h: runs an export: slices of its data file, then the manifests.
 *
 * Files in the order of their creation: _started, data/NAME, manifest-files.json,
 * manifest-summary.json, and the manifests' checksums. Each file appears only when it is complete.
 * After a restart the data file is written again from its beginning; export_state.h still has the
 * items of the export's moment. Source: developer guide, "DynamoDB table export output format";
 * docs/behaviour/transfer.md. */
#pragma once

#include "ops/transfer/task.h"

/* The state between slices. */
struct export_run;
void export_run_free(struct export_run *r); /* r may be NULL */

/* Does one slice in the call's unit. *run is NULL at first. */
MUST_CHECK const struct error *export_run_step(struct call *c, struct task *t,
                                               struct export_run **run);

/* The key of the summary, for the export's description. */
struct span export_run_manifest(struct call *c, const struct task *t, const wire_node *request);
