#include "model/names.h"
#include "ops/op.h"
#include "ops/stream/stream_iterator.h"
#include "ops/stream/stream_shapes.h"

static const struct wire_shape type_shape = {
    .type = WIRE_STRING,
    .values = NAMES("AFTER_SEQUENCE_NUMBER", "LATEST", "AT_SEQUENCE_NUMBER", "TRIM_HORIZON"),
};
static const struct wire_shape sequence_shape = {.type = WIRE_STRING, WIRE_BOUNDS(21, 40)};

static const struct wire_member get_shard_iterator_members[] = {
    {"StreamArn", &stream_shapes_arn, WIRE_REQUIRED},
    {"ShardId", &stream_shapes_shard_id, WIRE_REQUIRED},
    {"ShardIteratorType", &type_shape, WIRE_REQUIRED},
    {"SequenceNumber", &sequence_shape, 0},
    {NULL, NULL, 0},
};

/* Refuses a number before the oldest record that is kept, except the number that the shard started
 * with. */
static const struct error *check_kept(struct call *c, const struct stream *s, uint32_t shard,
                                      uint64_t number)
{
    struct stream_iterator oldest = {.shard = shard};
    const struct error *e = stream_iterator_place(c, s, 0, &oldest);

    if (e || number == s->first_number || (number > s->first_number && number >= oldest.next))
        return e;
    return stream_trimmed(c->arena);
}

static const struct error *start_of(struct call *c, const struct stream *s,
                                    struct stream_iterator *it)
{
    struct span type = wire_text(wire_get(c->body, "ShardIteratorType"));
    bool trim_horizon = span_is(type, "TRIM_HORIZON");
    const struct error *e;
    uint64_t number = 0;
    struct span text = wire_text(wire_get(c->body, "SequenceNumber"));

    if (trim_horizon || span_is(type, "LATEST")) {
        if (text.at)
            return error_validation(
                c->arena, "SequenceNumber must not be specified for the ShardIteratorType %.*s",
                SPAN_ARG(type));
        return stream_iterator_place(c, s, trim_horizon ? 0 : store_last_number(c->store) + 1, it);
    }
    if (!text.len)
        return error_validation(c->arena, "SequenceNumber is required for the ShardIteratorType "
                                          "AT_SEQUENCE_NUMBER or AFTER_SEQUENCE_NUMBER");
    if (!stream_number(text, &number) || number > store_last_number(c->store))
        return error_validation(c->arena, "Invalid SequenceNumber: %.*s", SPAN_ARG(text));
    if ((e = check_kept(c, s, it->shard, number)))
        return e;
    if (span_is(type, "AFTER_SEQUENCE_NUMBER"))
        number++;
    return stream_iterator_place(c, s, number, it);
}

static const struct error *get_shard_iterator(struct call *c)
{
    struct stream_iterator it = {.issued_ms = clock_now_ms(c->clock)};
    const struct error *e;
    struct stream s;

    if ((e = stream_of_arn(c, wire_text(wire_get(c->body, "StreamArn")), &s)))
        return e;
    it.arn = s.arn;
    it.shard = stream_find_shard(c, &s, wire_text(wire_get(c->body, "ShardId")));
    if (it.shard == s.shards)
        return stream_shard_not_found(c->arena);
    if ((e = start_of(c, &s, &it)))
        return e;
    wire_put_member_text(&c->reply, "ShardIterator", stream_iterator_text(c, &it));
    return NULL;
}

const struct op op_get_shard_iterator = {
    .name = "GetShardIterator",
    .service = OP_STREAMS,
    .members = get_shard_iterator_members,
    .run = get_shard_iterator,
};
