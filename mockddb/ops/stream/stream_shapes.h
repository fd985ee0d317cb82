/* stream_shapes.h: members that several stream operations share. */
#ifndef OPS_STREAM_SHAPES_H
#define OPS_STREAM_SHAPES_H

#include "wire/wire_shape.h"

extern const struct wire_shape stream_shapes_arn;      /* 37..1024 */
extern const struct wire_shape stream_shapes_shard_id; /* 28..65 */
extern const struct wire_shape stream_shapes_limit;    /* 1..100 */

#endif
