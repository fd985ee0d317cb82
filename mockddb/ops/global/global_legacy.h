/* global_legacy.h: global tables of version 2017.11.29. The service has closed this version, so no
 * such tables exist and none can be created. */
#ifndef OPS_GLOBAL_LEGACY_H
#define OPS_GLOBAL_LEGACY_H

#include "ops/op.h"

/* "DynamoDB global tables version 2017.11.29 is not supported. …" */
MUST_CHECK const struct error *global_legacy_closed(struct call *c);

/* "Global table with name: 'T' does not exist.", with `lead` in front. */
MUST_CHECK const struct error *global_legacy_not_found(struct call *c, const char *lead);

#endif
