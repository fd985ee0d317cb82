#include "model/limits.h"
#include "ops/op.h"
#include "ops/stream/stream_iterator.h"

static const struct wire_shape iterator_shape = {.type = WIRE_STRING,
                                                 WIRE_BOUNDS(1, LIMIT_ITERATOR)};
static const struct wire_shape limit_shape = {.type = WIRE_INTEGER,
                                              WIRE_BOUNDS(1, LIMIT_RECORDS_PAGE)};

static const struct wire_member get_records_members[] = {
    {"ShardIterator", &iterator_shape, WIRE_REQUIRED},
    {"Limit", &limit_shape, 0},
    {NULL, NULL, 0},
};

/* Writes a page of records and moves the iterator to the first one behind it; *end says that there
 * is none at the moment. */
static const struct error *put_records(struct call *c, const struct stream *s,
                                       struct stream_iterator *it, bool *end)
{
    int64_t limit = wire_integer(wire_get(c->body, "Limit"), LIMIT_RECORDS_PAGE);
    struct store_range range = stream_record_range(c, s, it->shard, it->next);
    struct cursor *cursor;
    const struct error *e;
    struct store_row row;
    size_t bytes = 0;

    if ((e = cursor_open(c->unit, &range, &cursor)))
        return e;
    for (int64_t count = 0; !(e = cursor_next(cursor, &row)); count++) {
        struct stream_record record = {.number = 0};

        if (row.found)
            record = stream_read_record(&row);
        if (!count && it->on_record && record.number != it->next) {
            e = stream_trimmed(c->arena);
            break;
        }
        it->on_record = row.found;
        if (!row.found)
            break;
        it->next = record.number;
        if (count == limit || (count && bytes + record.json.len > LIMIT_PAGE_BYTES))
            break;
        bytes += record.json.len;
        wire_put_raw(&c->reply, record.json);
        it->next = record.number + 1;
    }
    *end = !row.found;
    cursor_close(cursor);
    return e;
}

static const struct error *get_records(struct call *c)
{
    const struct error *e;
    struct stream_iterator it;
    struct stream s;
    bool end;

    if ((e = stream_iterator_read(c, wire_text(wire_get(c->body, "ShardIterator")), &it)) ||
        (e = stream_of_arn(c, it.arn, &s)))
        return e;
    if (it.shard >= s.shards)
        return stream_shard_not_found(c->arena);
    wire_key(&c->reply, "Records");
    wire_open(&c->reply, '[');
    if ((e = put_records(c, &s, &it, &end)))
        return e;
    wire_close(&c->reply, ']');
    if (end && s.closed_ms)
        return NULL;
    it.issued_ms = clock_now_ms(c->clock);
    wire_put_member_text(&c->reply, "NextShardIterator", stream_iterator_text(c, &it));
    return NULL;
}

const struct op op_get_records = {
    .name = "GetRecords",
    .service = OP_STREAMS,
    .access = OP_READS,
    .members = get_records_members,
    .run = get_records,
};
