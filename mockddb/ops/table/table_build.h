/* table_build.h: makes a struct table from a specification that was checked before. */
#pragma once

#include "ops/op.h"
#include "ops/table/table_spec.h"

/* WarmThroughput of a new on-demand table. */
#define WARM_READ_INITIAL  12000
#define WARM_WRITE_INITIAL 4000

/* Makes a table in state CREATING from all members of CreateTable. It belongs to the call. */
MUST_CHECK const struct error *table_build(struct call *c, struct span name,
                                           const struct table_spec *spec, struct table **out);

/* Makes a table with the definition of another: its keys, indexes, units, encryption and the
 * members with one of the uses (enum schema_use). The caller may change it before
 * table_build_begin. */
struct table *table_build_like(struct call *c, const struct table *source, unsigned uses);

/* Makes a defined table a new one in state CREATING, with an id and spaces of its own; definitions
 * that nothing uses are dropped. It belongs to the call. */
MUST_CHECK const struct error *table_build_begin(struct call *c, struct span name, struct table *t);

/* The keys with their types from `defs`; the caller has checked both. */
struct key_schema table_build_keys(struct arena *a, const struct key_list *keys,
                                   const struct definition_list *defs);

/* Makes one index in state CREATING, in t's arena; `defs` defines its keys. */
MUST_CHECK const struct error *table_build_index(struct call *c, struct table *t,
                                                 const struct index_spec *spec,
                                                 const struct definition_list *defs,
                                                 struct index *out);

/* Closes the open stream: it gets no more records; its records stay readable for a day. */
MUST_CHECK const struct error *table_build_stop_stream(struct call *c, struct table *t);

/* Starts a new stream and sets its view, label and space. */
MUST_CHECK const struct error *table_build_start_stream(struct call *c, struct table *t,
                                                        const struct stream_spec *stream);

/* Whether arn is the ARN of the AWS managed key for DynamoDB in any region. */
bool table_build_is_service_key(struct span arn);

void table_build_encrypt(struct call *c, struct table *t, const struct sse_spec *sse);

/* Returns the ARN of the key that the specification names, in the call's arena. */
struct span table_build_kms_key(struct call *c, const struct sse_spec *sse);
