/* global_request.h: the members of UpdateTable for global tables, and the checks that need no
 * table.
 *
 * Source: docs/behaviour/global-tables.md. */
#pragma once

#include "ops/op.h"
#include "ops/table/table_spec.h"

extern const struct wire_shape global_request_replicas;
extern const struct wire_shape global_request_witnesses;
extern const struct wire_shape global_request_consistency;

/* Checks the replica actions and the witness, each alone and together. */
MUST_CHECK const struct error *global_request_check(struct call *c, const struct global_spec *spec);

/* "Update table operation with more than one create or delete replica actions not allowed" */
MUST_CHECK const struct error *global_request_too_many(struct call *c);

/* The number of replica actions of this kind. */
size_t global_request_count(const struct global_spec *spec, enum replica_action action);
