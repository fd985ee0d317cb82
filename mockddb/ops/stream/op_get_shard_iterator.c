#include "ops/op.h"
#include "ops/stream/stream_iterator.h"
#include "ops/stream/stream_shapes.h"

static const struct wire_shape type_shape = {
    .type = WIRE_STRING,
    .values = "[AFTER_SEQUENCE_NUMBER, LATEST, AT_SEQUENCE_NUMBER, TRIM_HORIZON]",
};
static const struct wire_shape sequence_shape = {.type = WIRE_STRING, WIRE_BOUNDS(21, 40)};

static const struct wire_member get_shard_iterator_members[] = {
    {"StreamArn", &shape_stream_arn, WIRE_REQUIRED},
    {"ShardId", &shape_shard_id, WIRE_REQUIRED},
    {"ShardIteratorType", &type_shape, WIRE_REQUIRED},
    {"SequenceNumber", &sequence_shape, 0},
    {NULL, NULL, 0},
};

/* The number of the oldest record that is kept, or one that is not given yet. */
static const struct error *oldest(struct call *c, const struct stream *s, uint32_t shard,
                                  uint64_t *out)
{
    struct store_range range = stream_record_range(c, s, shard, 0);
    struct store_cursor *cursor;
    const struct error *e;
    struct store_row row;
    bool found;

    if ((e = store_cursor_open(c->store, c->arena, &range, &cursor)))
        return e;
    e = store_cursor_next(cursor, &row, &found);
    if (!e)
        *out = found ? stream_read_record(&row).number : store_last_number(c->store) + 1;
    store_cursor_close(cursor);
    return e;
}

/* AT_ and AFTER_SEQUENCE_NUMBER: the number that was given; one from before the oldest record
 * that is kept is only all right while nothing was trimmed. */
static const struct error *read_sequence(struct call *c, const struct stream *s, uint32_t shard,
                                         uint64_t *out)
{
    struct span text = wire_text(wire_get(c->body, "SequenceNumber"));
    const struct error *e;
    uint64_t first;

    if (!text.len)
        return error_validation(c->arena, "SequenceNumber is required for the ShardIteratorType "
                                          "AT_SEQUENCE_NUMBER or AFTER_SEQUENCE_NUMBER");
    if (!stream_number(text, out) || *out > store_last_number(c->store))
        return error_validation(c->arena, "Invalid SequenceNumber: %.*s", SPAN_ARG(text));
    if ((e = oldest(c, s, shard, &first)))
        return e;
    if (*out < s->first_number || (*out != s->first_number && *out < first))
        return error_new(c->arena, ERROR_TRIMMED_DATA,
                         "The data you are trying to access has been trimmed");
    return NULL;
}

static const struct error *start_of(struct call *c, const struct stream *s, uint32_t shard,
                                    uint64_t *next)
{
    struct span type = wire_text(wire_get(c->body, "ShardIteratorType"));
    const struct error *e;

    if (span_is(type, "TRIM_HORIZON")) {
        *next = 0;
        return NULL;
    }
    if (span_is(type, "LATEST")) {
        *next = store_last_number(c->store) + 1;
        return NULL;
    }
    if ((e = read_sequence(c, s, shard, next)))
        return e;
    if (span_is(type, "AFTER_SEQUENCE_NUMBER"))
        ++*next;
    return NULL;
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
    if ((e = start_of(c, &s, it.shard, &it.next)))
        return e;
    wire_key(&c->reply, "ShardIterator");
    wire_put_text(&c->reply, stream_iterator_text(c, &it));
    return NULL;
}

const struct op op_get_shard_iterator = {
    .name = "GetShardIterator",
    .service = OP_STREAMS,
    .access = OP_READS,
    .members = get_shard_iterator_members,
    .run = get_shard_iterator,
};
