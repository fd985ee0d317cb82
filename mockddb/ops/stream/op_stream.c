/* op_stream.c: the four operations of DynamoDB Streams.
 *
 * Source: docs/behaviour/streams.md. */
#include "ops/disturbance.h"
#include "ops/stream/stream_iterator.h"

static const struct wire_shape stream_arn = {.type = WIRE_STRING,
                                             WIRE_BOUNDS(LIMIT_STREAM_ARN_MIN, LIMIT_ARN)};
static const struct wire_shape shard_id = {.type = WIRE_STRING, WIRE_BOUNDS(28, 65)};
static const struct wire_shape page_limit = {.type = WIRE_INTEGER,
                                             WIRE_BOUNDS(1, LIMIT_STREAM_PAGE)};

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
    if (found)
        wire_put_member_text(&c->reply, "LastEvaluatedStreamArn", last);
    return NULL;
}

const struct op op_list_streams = {
    .name = "ListStreams",
    .service = OP_STREAMS,
    .members = WIRE_MEMBERS({"TableName", &wire_index_name, WIRE_OPTIONAL},
                            {"Limit", &page_limit, 0}, {"ExclusiveStartStreamArn", &stream_arn, 0}),
    .run = list_streams,
};

static const struct wire_shape filter_shape = WIRE_STRUCT_OF(
    "ShardFilter", {"Type", WIRE_SHAPE(WIRE_STRING, .values = NAMES("CHILD_SHARDS")), 0},
    {"ShardId", &shard_id, 0});

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
    wire_put_key_schema(w, &s.keys);
    put_shards(c, &s);
    wire_close(w, '}');
    return NULL;
}

const struct op op_describe_stream = {
    .name = "DescribeStream",
    .service = OP_STREAMS,
    .members = WIRE_MEMBERS({"StreamArn", &stream_arn, WIRE_REQUIRED}, {"Limit", &page_limit, 0},
                            {"ExclusiveStartShardId", &shard_id, 0},
                            {"ShardFilter", &filter_shape, 0}),
    .run = describe_stream,
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
    uint64_t number = 0, last;
    const struct error *e = stream_last_number(c, s, it->shard, &last);
    struct span text = wire_text(wire_get(c->body, "SequenceNumber"));

    if (e)
        return e;
    if (trim_horizon || span_is(type, "LATEST")) {
        if (text.at)
            return error_validation(
                c->arena, "SequenceNumber must not be specified for the ShardIteratorType %.*s",
                SPAN_ARG(type));
        return stream_iterator_place(c, s, trim_horizon ? 0 : last + 1, it);
    }
    if (!text.len)
        return error_validation(c->arena, "SequenceNumber is required for the ShardIteratorType "
                                          "AT_SEQUENCE_NUMBER or AFTER_SEQUENCE_NUMBER");
    if (!stream_number(text, &number) || number > last)
        return error_caused(c->arena, ERROR_VALIDATION, ERROR_WHY(CAUSE_SEQUENCE, .place = text),
                            "Invalid SequenceNumber: %.*s", SPAN_ARG(text));
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
    .members = WIRE_MEMBERS(
        {"StreamArn", &stream_arn, WIRE_REQUIRED}, {"ShardId", &shard_id, WIRE_REQUIRED},
        {"ShardIteratorType",
         WIRE_SHAPE(WIRE_STRING, .values = NAMES("AFTER_SEQUENCE_NUMBER", "LATEST",
                                                 "AT_SEQUENCE_NUMBER", "TRIM_HORIZON")),
         WIRE_REQUIRED},
        {"SequenceNumber", WIRE_SHAPE(WIRE_STRING, WIRE_BOUNDS(21, 40)), 0}),
    .run = get_shard_iterator,
};

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
    int64_t until_ms = seen_until_ms(c), room = STREAM_ROOM;
    struct cursor *cursor = cursor_open(c->unit, stream_record_range(c, s, it->shard, it->next));
    const struct error *e;
    struct stream_record record;
    enum stream_next next;
    size_t bytes = 0;

    *page = (struct records_page){.count = 0};
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
    .members = WIRE_MEMBERS(
        {"ShardIterator", WIRE_SHAPE(WIRE_STRING, WIRE_BOUNDS(1, LIMIT_ITERATOR)), WIRE_REQUIRED},
        {"Limit", WIRE_SHAPE(WIRE_INTEGER, WIRE_BOUNDS(1, LIMIT_RECORDS_PAGE)), 0}),
    .run = get_records,
};
