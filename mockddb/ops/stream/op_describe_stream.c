#include "model/limits.h"
#include "model/names.h"
#include "ops/op.h"
#include "ops/stream/stream.h"
#include "ops/stream/stream_shapes.h"

static const struct wire_shape filter_type_shape = {.type = WIRE_STRING,
                                                    .values = NAMES("CHILD_SHARDS")};
static const struct wire_shape filter_shape = WIRE_STRUCT_OF(
    "ShardFilter", {"Type", &filter_type_shape, 0}, {"ShardId", &stream_shapes_shard_id, 0});

static const struct wire_member describe_stream_members[] = {
    {"StreamArn", &stream_shapes_arn, WIRE_REQUIRED},
    {"Limit", &stream_shapes_limit, 0},
    {"ExclusiveStartShardId", &stream_shapes_shard_id, 0},
    {"ShardFilter", &filter_shape, 0},
    {NULL, NULL, 0},
};

static void put_key(struct wire_writer *w, const struct key_part *part, const char *type)
{
    wire_open(w, '{');
    wire_put_member_text(w, "AttributeName", part->name);
    wire_put_member_word(w, "KeyType", type);
    wire_close(w, '}');
}

/* Writes the page of shards that the request asks for. Shards have no children here. */
static void put_shards(struct call *c, const struct stream *s)
{
    struct wire_writer *w = &c->reply;
    int64_t limit = wire_integer(wire_get(c->body, "Limit"), LIMIT_STREAM_PAGE);
    struct span after = wire_text(wire_get(c->body, "ExclusiveStartShardId"));
    uint32_t first = after.len ? stream_find_shard(c, s, after) + 1 : 0;
    uint32_t end = s->shards;

    if (wire_get(c->body, "ShardFilter") || first > end)
        first = end;
    if (end - first > limit)
        end = first + (uint32_t)limit;
    wire_open_member(w, "Shards", '[');
    for (uint32_t shard = first; shard < end; shard++) {
        wire_open(w, '{');
        wire_put_member_text(w, "ShardId", stream_shard_id(c, s, shard));
        wire_open_member(w, "SequenceNumberRange", '{');
        wire_put_member_text(w, "StartingSequenceNumber", stream_sequence(c, s->first_number));
        if (s->closed_ms)
            wire_put_member_text(w, "EndingSequenceNumber", stream_sequence(c, s->last_number));
        wire_close(w, '}');
        wire_close(w, '}');
    }
    wire_close(w, ']');
    if (end < s->shards && first < end)
        wire_put_member_text(w, "LastEvaluatedShardId", stream_shard_id(c, s, end - 1));
}

/* ENABLING and DISABLING last as long as the table's UPDATING, CREATING or DELETING. */
static const char *status_of(const struct call *c, const struct stream *s)
{
    int64_t since_ms = clock_now_ms(c->clock) - c->settings->transition_ms;

    if (s->closed_ms)
        return s->closed_ms > since_ms ? "DISABLING" : names_on_off[false];
    return s->created_ms > since_ms ? "ENABLING" : names_on_off[true];
}

static const struct error *describe_stream(struct call *c)
{
    struct wire_writer *w = &c->reply;
    const struct error *e;
    struct stream s;

    if ((e = stream_of_arn(c, wire_text(wire_get(c->body, "StreamArn")), &s)))
        return e;
    wire_open_member(w, "StreamDescription", '{');
    wire_put_member_text(w, "StreamArn", s.arn);
    wire_put_member_text(w, "StreamLabel", s.label);
    wire_put_member_word(w, "StreamStatus", status_of(c, &s));
    wire_put_member_word(w, "StreamViewType", names_views[s.view]);
    wire_put_member_time(w, "CreationRequestDateTime", s.created_ms);
    wire_put_member_text(w, "TableName", s.table_name);
    wire_open_member(w, "KeySchema", '[');
    for (size_t i = 0; i < s.keys.hash_count; i++)
        put_key(w, &s.keys.hash[i], names_key_kinds[KEY_HASH]);
    for (size_t i = 0; i < s.keys.range_count; i++)
        put_key(w, &s.keys.range[i], names_key_kinds[KEY_RANGE]);
    wire_close(w, ']');
    put_shards(c, &s);
    wire_close(w, '}');
    return NULL;
}

const struct op op_describe_stream = {
    .name = "DescribeStream",
    .service = OP_STREAMS,
    .members = describe_stream_members,
    .run = describe_stream,
};
