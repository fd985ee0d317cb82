/* global_legacy.h: global tables of version 2017.11.29, which the service has closed: none is
 * there, and none can be made. */
#ifndef OPS_GLOBAL_LEGACY_H
#define OPS_GLOBAL_LEGACY_H

#include "ops/op.h"

/* "DynamoDB global tables version 2017.11.29 is not supported. …" */
MUST_CHECK const struct error *global_legacy_closed(struct call *c);

/* "Global table with name: 'T' does not exist.", behind the lead. */
MUST_CHECK const struct error *global_legacy_not_found(struct call *c, const char *lead);

#endif
