/* stream_shapes.h: what the stream operations share: members, and the stream that is meant. */
#ifndef OPS_STREAM_SHAPES_H
#define OPS_STREAM_SHAPES_H

#include "ops/stream/stream.h"

extern const struct wire_shape shape_stream_arn; /* 37..1024 */
extern const struct wire_shape shape_shard_id;   /* 28..65 */
extern const struct wire_shape shape_list_limit; /* 1..100 */

/* Whether the text has the form of a stream's ARN. */
bool stream_is_arn(struct span text);

/* "Invalid StreamArn" where it has not. */
MUST_CHECK const struct error *stream_check_arn(struct call *c, struct span arn);

/* The stream that `arn` names: "Invalid StreamArn", or "Requested resource not found: Stream: …" */
MUST_CHECK const struct error *stream_of_arn(struct call *c, struct span arn, struct stream *out);

/* "Requested resource not found: Shard does not exist" */
MUST_CHECK const struct error *stream_shard_not_found(struct arena *a);

#endif
