/* bulk_report.h: what a bulk put did not put: noted line by line, written when all was read. */
#ifndef OPS_BULK_REPORT_H
#define OPS_BULK_REPORT_H

#include "ops/transfer/input_run.h"

enum bulk_report { BULK_ERRORS, BULK_CONDITIONS, BULK_REPORT_COUNT };

/* Adds a line, unless the request asks for no such report, or there are more lines already than
 * anybody reads: a file of many small faults is packed a thousandfold, their lines are not. */
MUST_CHECK const struct error *bulk_report_add(struct call *c, struct task *t,
                                               const wire_node *request, enum bulk_report report,
                                               struct span line);

/* A slice of what is to be written; *more says whether to come again. The last has the manifest. Of
 * files that cannot be written *why. */
MUST_CHECK const struct error *bulk_report_write(struct call *c, struct task *t,
                                                 const wire_node *request, bool *more,
                                                 struct bucket_failure *why);

#endif
