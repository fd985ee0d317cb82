/* bulk_report.h: the records that a bulk put did not put. Lines are collected during the put and
 * written to files at its end. */
#pragma once

#include "ops/transfer/input_run.h"

enum bulk_report { BULK_ERRORS, BULK_CONDITIONS, BULK_REPORT_COUNT };

/* Adds a line if the request asks for this report and its limit is not reached. A packed file of
 * many small errors would otherwise grow a thousandfold. */
MUST_CHECK const struct error *bulk_report_add(struct call *c, struct task *t,
                                               const wire_node *request, enum bulk_report report,
                                               struct span line);

/* Writes a slice of the reports; the last slice writes the manifest. *more says whether to call it
 * again, *why that a file could not be written. */
MUST_CHECK const struct error *bulk_report_write(struct call *c, struct task *t,
                                                 const wire_node *request, bool *more,
                                                 struct bucket_failure *why);
