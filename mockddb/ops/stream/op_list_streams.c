#include "model/limits.h"
#include "ops/op.h"
#include "ops/stream/stream.h"
#include "ops/stream/stream_shapes.h"

/* Finds the region's next stream. */
static const struct error *next_stream(struct call *c, struct span after, struct span table,
                                       struct stream *out, bool *found)
{
    const struct error *e;

    do {
        if ((e = stream_after(c, after, table, out, found)))
            return e;
        after = out->place;
    } while (*found && (!span_equal(out->region, c->region) || stream_is_over(c, out)));
    return NULL;
}

/* Finds the place after which the list begins. */
static const struct error *find_start(struct call *c, struct span arn, struct span *out)
{
    const struct error *e;
    struct stream s;
    bool found;

    *out = arn;
    if (!arn.len)
        return NULL;
    if ((e = stream_check_arn(c, arn)) || (e = stream_find(c, arn, &s, &found)))
        return e;
    if (found)
        *out = s.place;
    return NULL;
}

static const struct error *list_streams(struct call *c)
{
    int64_t limit = wire_integer(wire_get(c->body, "Limit"), LIMIT_STREAM_PAGE);
    struct span table = wire_text(wire_get(c->body, "TableName"));
    struct span last = wire_text(wire_get(c->body, "ExclusiveStartStreamArn")), after;
    const struct error *e;
    struct stream s;
    bool found;

    if ((e = find_start(c, last, &after)))
        return e;
    wire_open_member(&c->reply, "Streams", '[');
    for (int64_t count = 0;; count++) {
        if ((e = next_stream(c, after, table, &s, &found)))
            return e;
        if (!found || count == limit)
            break;
        wire_open(&c->reply, '{');
        wire_put_member_text(&c->reply, "StreamArn", s.arn);
        wire_put_member_text(&c->reply, "TableName", s.table_name);
        wire_put_member_text(&c->reply, "StreamLabel", s.label);
        wire_close(&c->reply, '}');
        after = s.place;
        last = s.arn;
    }
    wire_close(&c->reply, ']');
    if (found) {
        wire_put_member_text(&c->reply, "LastEvaluatedStreamArn", last);
    }
    return NULL;
}

const struct op op_list_streams = {
    .name = "ListStreams",
    .service = OP_STREAMS,
    .members = WIRE_MEMBERS({"TableName", &wire_index_name, WIRE_OPTIONAL},
                            {"Limit", &stream_shapes_limit, 0},
                            {"ExclusiveStartStreamArn", &stream_shapes_arn, 0}),
    .run = list_streams,
};
