/* import_describe.h: ImportTableDescription. */
#ifndef OPS_IMPORT_DESCRIBE_H
#define OPS_IMPORT_DESCRIBE_H

#include "ops/transfer/task.h"

/* Writes ImportTableDescription into the reply. */
MUST_CHECK const struct error *import_describe(struct call *c, const struct task *t);

/* Writes the members of an ImportSummary. */
void import_describe_summary(struct call *c, const struct task *t);

#endif
