/* table_build.h: from what was asked for to a struct table. Nothing is judged here. */
#ifndef OPS_TABLE_BUILD_H
#define OPS_TABLE_BUILD_H

#include "ops/op.h"
#include "ops/table/table_spec.h"

/* Units that on-demand tables start with, and what WarmThroughput says of them. */
#define WARM_READ_INITIAL  12000
#define WARM_WRITE_INITIAL 4000

/* A table CREATING, with everything CreateTable takes. It belongs to the call. */
MUST_CHECK const struct error *table_build(struct call *c, struct span name,
                                           const struct table_spec *spec, struct table **out);

/* The keys with the types that `defs` has for them; both come from a request that was judged. */
struct key_schema table_build_keys(struct arena *a, const struct key_list *keys,
                                   const struct definition_list *defs);

/* One index, CREATING, in t's arena: its keys are defined in `defs`. */
MUST_CHECK const struct error *table_build_index(struct call *c, struct table *t,
                                                 const struct index_spec *spec,
                                                 const struct definition_list *defs,
                                                 struct index *out);

/* Ends the stream that is open: no more records, what there is stays readable for a day. */
MUST_CHECK const struct error *table_build_stop_stream(struct call *c, struct table *t);

/* Starts a new stream: its view, label and space. */
MUST_CHECK const struct error *table_build_start_stream(struct call *c, struct table *t,
                                                        const struct stream_spec *stream);

/* Whether that is the ARN of the key that is used when no other is named, in any region. */
bool table_build_is_service_key(struct span arn);

/* The ARN of the key that the specification names, in the call's arena. */
struct span table_build_kms_key(struct call *c, const struct sse_spec *sse);

#endif
