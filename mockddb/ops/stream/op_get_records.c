#include "model/limits.h"
#include "ops/disturbance.h"
#include "ops/op.h"
#include "ops/stream/stream_iterator.h"

static const struct wire_shape iterator_shape = {.type = WIRE_STRING,
                                                 WIRE_BOUNDS(1, LIMIT_ITERATOR)};
static const struct wire_shape limit_shape = {.type = WIRE_INTEGER,
                                              WIRE_BOUNDS(1, LIMIT_RECORDS_PAGE)};

/* Younger records are hidden if a disturbance asks for it. */
static int64_t seen_until_ms(const struct call *c)
{
    int64_t late_ms = c->disturbance ? c->disturbance->stream_late_ms : 0;

    return late_ms ? clock_now_ms(c->clock) - late_ms : INT64_MAX;
}

struct records_page {
    int64_t count; /* number of records */
    bool end;      /* there are no more records now */
};

/* Writes a page of records and moves the iterator behind it. */
static const struct error *put_records(struct call *c, const struct stream *s,
                                       struct stream_iterator *it, struct records_page *page)
{
    int64_t limit = wire_integer(wire_get(c->body, "Limit"), LIMIT_RECORDS_PAGE);
    struct store_range range = stream_record_range(c, s, it->shard, it->next);
    int64_t until_ms = seen_until_ms(c), room = STREAM_ROOM;
    struct cursor *cursor;
    const struct error *e;
    struct stream_record record;
    enum stream_next next;
    size_t bytes = 0;

    *page = (struct records_page){.count = 0};
    if ((e = cursor_open(c->unit, &range, &cursor)))
        return e;
    for (; !(e = stream_next_record(c, cursor, &room, &record, &next)); page->count++) {
        if (!page->count && it->on_record && (next != STREAM_RECORD || record.number != it->next)) {
            e = stream_trimmed(c->arena);
            break;
        }
        it->on_record = next == STREAM_RECORD;
        if (next == STREAM_OLD)
            it->next = record.number + 1;
        if (next != STREAM_RECORD)
            break;
        it->next = record.number;
        if (record.created_ms > until_ms || page->count == limit ||
            (page->count && bytes + record.json.len > LIMIT_PAGE_BYTES))
            break;
        bytes += record.json.len;
        wire_put_raw(&c->reply, record.json);
        it->next = record.number + 1;
    }
    page->end = !e && next == STREAM_END;
    cursor_close(cursor);
    return e;
}

static const struct error *get_records(struct call *c)
{
    const struct error *e;
    struct stream_iterator it, next;
    struct stream s;
    struct records_page page;

    if ((e = stream_iterator_read(c, wire_text(wire_get(c->body, "ShardIterator")), &it)) ||
        (e = stream_of_arn(c, it.arn, &s)))
        return e;
    if (it.shard >= s.shards)
        return stream_shard_not_found(c->arena);
    next = it;
    wire_open_member(&c->reply, "Records", '[');
    if ((e = put_records(c, &s, &next, &page)))
        return e;
    wire_close(&c->reply, ']');
    next.again = c->disturbance && c->disturbance->stream_twice && page.count && !it.again;
    if (next.again) {
        next.next = it.next;
        next.on_record = it.on_record;
    } else if (page.end && s.closed_ms) {
        return NULL;
    }
    next.issued_ms = clock_now_ms(c->clock);
    wire_put_member_text(&c->reply, "NextShardIterator", stream_iterator_text(c, &next));
    return NULL;
}

const struct op op_get_records = {
    .name = "GetRecords",
    .service = OP_STREAMS,
    .form = OP_RECORDS,
    .members = WIRE_MEMBERS({"ShardIterator", &iterator_shape, WIRE_REQUIRED},
                            {"Limit", &limit_shape, 0}),
    .run = get_records,
};
