/* transfer_shapes.h: the wire shapes that exports, imports and bulk puts share. */
#pragma once

#include "wire/wire_shape.h"

extern const struct wire_shape transfer_shapes_bucket;
extern const struct wire_shape transfer_shapes_bucket_owner;
extern const struct wire_shape transfer_shapes_prefix;      /* of keys */
extern const struct wire_shape transfer_shapes_encryption;  /* S3SseAlgorithm */
extern const struct wire_shape transfer_shapes_kms_key;     /* S3SseKmsKeyId */
extern const struct wire_shape transfer_shapes_compression; /* InputCompressionType */
extern const struct wire_shape transfer_shapes_arn;         /* TableArn */
extern const struct wire_shape transfer_shapes_page;        /* 1..25 */
