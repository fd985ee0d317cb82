#include "ops/stream/stream_shapes.h"

#include "model/limits.h"

const struct wire_shape stream_shapes_arn = {.type = WIRE_STRING,
                                             WIRE_BOUNDS(LIMIT_STREAM_ARN_MIN, LIMIT_ARN)};
const struct wire_shape stream_shapes_shard_id = {.type = WIRE_STRING, WIRE_BOUNDS(28, 65)};
const struct wire_shape stream_shapes_limit = {.type = WIRE_INTEGER,
                                               WIRE_BOUNDS(1, LIMIT_STREAM_PAGE)};
