#include "ops/stream/stream_shapes.h"

#include "model/limits.h"
#include "ops/table/table_name.h"

const struct wire_shape shape_stream_arn = {.type = WIRE_STRING,
                                            WIRE_BOUNDS(LIMIT_STREAM_ARN_MIN, LIMIT_ARN)};
const struct wire_shape shape_shard_id = {.type = WIRE_STRING, WIRE_BOUNDS(28, 65)};
const struct wire_shape shape_list_limit = {.type = WIRE_INTEGER,
                                            WIRE_BOUNDS(1, LIMIT_STREAM_PAGE)};

bool stream_is_arn(struct span text)
{
    struct arn parts;

    return arn_parse(text, &parts) && parts.table.len &&
           span_starts_with(parts.rest, SPAN_LIT("/stream/"));
}

const struct error *stream_check_arn(struct call *c, struct span arn)
{
    return stream_is_arn(arn) ? NULL : error_validation(c->arena, "Invalid StreamArn");
}

const struct error *stream_of_arn(struct call *c, struct span arn, struct stream *out)
{
    const struct error *e;
    bool found;

    if ((e = stream_check_arn(c, arn)))
        return e;
    if ((e = stream_find(c, arn, out, &found)) || found)
        return e;
    return error_new(c->arena, ERROR_RESOURCE_NOT_FOUND,
                     "Requested resource not found: Stream: %.*s not found", SPAN_ARG(arn));
}

const struct error *stream_shard_not_found(struct arena *a)
{
    return error_new(a, ERROR_RESOURCE_NOT_FOUND,
                     "Requested resource not found: Shard does not exist");
}
