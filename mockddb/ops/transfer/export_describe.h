/* export_describe.h: ExportDescription. */
#ifndef OPS_EXPORT_DESCRIBE_H
#define OPS_EXPORT_DESCRIBE_H

#include "ops/transfer/task.h"

/* Writes ExportDescription into the reply. */
MUST_CHECK const struct error *export_describe(struct call *c, const struct task *t);

/* Writes the members of an ExportSummary. */
void export_describe_summary(struct call *c, const struct task *t);

#endif
