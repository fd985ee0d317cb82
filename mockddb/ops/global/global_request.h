/* global_request.h: what an UpdateTable request wants of a global table, and whether that makes
 * sense before any table is looked at.
 *
 * Source: docs/behaviour/global-tables.md. */
#ifndef OPS_GLOBAL_REQUEST_H
#define OPS_GLOBAL_REQUEST_H

#include "ops/op.h"
#include "ops/table/table_spec.h"

extern const struct wire_shape global_request_replicas;
extern const struct wire_shape global_request_witnesses;
extern const struct wire_shape global_request_consistency;

/* Faults of the replica actions, of the witness and of what is asked of them together. */
MUST_CHECK const struct error *global_request_check(struct call *c, const struct global_spec *spec);

/* "Update table operation with more than one create or delete replica actions not allowed" */
MUST_CHECK const struct error *global_request_too_many(struct call *c);

/* How many of the replica actions are of that kind. */
size_t global_request_count(const struct global_spec *spec, enum replica_action action);

#endif
