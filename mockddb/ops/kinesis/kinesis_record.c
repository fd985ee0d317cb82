#include "ops/kinesis/kinesis_record.h"

#include "base/cut.h"
#include "base/digest.h"
#include "ops/follower.h"
#include "ops/table/table_arn.h"

/* A row of the outbox. Key: space, running number. Body: region, stream and partition key, one line
 * each, then the record. */
#define NUMBER_LEN 8

bool kinesis_record_parse_arn(const struct call *c, struct span text, struct span *name, bool *ours)
{
    static const struct span kind = SPAN_LIT_INIT(":stream/");
    struct arn arn;
    struct span resource;

    if (!table_arn_parse(text, &arn) || !span_is(arn.service, "kinesis"))
        return false;
    resource = span_from(text, (size_t)(arn.account.at - text.at) + arn.account.len);
    if (!span_starts_with(resource, kind))
        return false;
    *name = span_from(resource, kind.len);
    *ours = span_is(arn.partition, "aws") && span_equal(arn.region, op_region(c)) &&
            span_equal(arn.account, c->settings->account);
    return names_match_pattern(*name) && name->len <= LIMIT_KINESIS_NAME;
}

static void put_image(struct wire_writer *w, const char *name, const struct item *image,
                      size_t *size)
{
    if (!image)
        return;
    wire_key(w, name);
    wire_put_item(w, image);
    *size += item_size(image);
}

static void put_identity(struct wire_writer *w, bool expired)
{
    wire_key(w, "userIdentity");
    if (!expired) {
        wire_put_raw(w, SPAN_LIT("null"));
        return;
    }
    wire_open(w, '{');
    wire_put_member_word(w, "principalId", "dynamodb.amazonaws.com");
    wire_put_member_word(w, "type", "Service");
    wire_close(w, '}');
}

static void put_record(struct call *c, struct buf *out, const struct table *t,
                       const struct item *before, const struct item *after, bool expired,
                       enum destination_precision precision)
{
    struct wire_writer w = {.out = out};
    struct item keys;
    int64_t now;
    size_t size = 0;

    wire_open(&w, '{');
    wire_put_member_text(&w, "awsRegion", op_region(c));
    wire_put_member_word(&w, "eventID", clock_uuid(c->clock, c->arena));
    wire_put_member_word(&w, "eventName", !before ? "INSERT" : !after ? "REMOVE" : "MODIFY");
    put_identity(&w, expired);
    wire_put_member_word(&w, "recordFormat", "application/json");
    wire_put_member_text(&w, "tableName", t->name);
    wire_key(&w, "dynamodb");
    keys = schema_key_of(c->arena, t, after ? after : before);
    now = clock_now_ms(c->clock);
    wire_open(&w, '{');
    wire_put_member_integer(&w, "ApproximateCreationDateTime",
                            precision == PRECISION_MICROSECOND ? now * 1000 : now);
    put_image(&w, "Keys", &keys, &size);
    put_image(&w, "NewImage", after, &size);
    put_image(&w, "OldImage", before, &size);
    wire_put_member_integer(&w, "SizeBytes", (int64_t)size);
    if (precision != PRECISION_UNSAID)
        wire_put_member_word(&w, "ApproximateCreationDateTimePrecision",
                             names_precisions[precision]);
    wire_close(&w, '}');
    wire_put_member_word(&w, "eventSource", "aws:dynamodb");
    wire_close(&w, '}');
}

/* All records of an item have the same partition key: 32 digits made from its primary key. */
static void add_partition_key(struct call *c, struct buf *out, const struct table *t,
                              const struct item *it)
{
    struct buf key = buf_in(c->arena);
    unsigned char digest[MD5_LEN];

    key_of_item(&key, t, it);
    digest_md5(span_from(buf_span(&key), KEY_SPACE_LEN), digest);
    for (size_t i = 0; i < MD5_LEN; i++)
        buf_printf(out, "%02X", digest[i]);
}

static const struct error *append_record(struct call *c, const struct kinesis_record *record)
{
    struct buf key = buf_in(c->arena), body = buf_in(c->arena);
    const struct span lines[] = {record->region, record->stream, record->partition_key};
    struct store_row row = {.found = false};

    key_of_space(&key, KEY_SPACE_OUTBOX);
    buf_add_big_endian(&key, store_next_number(c->store), NUMBER_LEN);
    for (size_t i = 0; i < COUNT(lines); i++) {
        buf_add_span(&body, lines[i]);
        buf_add_char(&body, '\n');
    }
    buf_add_span(&body, record->json);
    row.key = buf_span(&key);
    op_wake(c, WAKE_DELIVER, clock_now_ms(c->clock));
    return unit_put(c->unit, &row, body.len, buf_span(&body));
}

static bool has_destinations(const struct table *t)
{
    return t->destination_count != 0;
}

/* Appends a record to the outbox for each destination that is on. */
static const struct error *append_records(struct call *c, struct item_write *w)
{
    const struct table *t = w->table;
    const struct item *before = w->before.item, *after = w->after.item;

    if (!c->settings->kinesis_files && !c->settings->kinesis_sink &&
        !c->settings->kinesis_elsewhere)
        return NULL;
    for (size_t i = 0; i < t->destination_count; i++) {
        const struct destination *d = &t->destinations[i];
        struct buf json = buf_in(c->arena), partition = buf_in(c->arena);
        struct kinesis_record record = {.region = op_region(c)};
        const struct error *e;
        bool ours;

        if ((d->status != DESTINATION_ACTIVE && d->status != DESTINATION_UPDATING) ||
            !kinesis_record_parse_arn(c, d->stream_arn, &record.stream, &ours))
            continue;
        put_record(c, &json, t, before, after, w->expired, d->precision);
        add_partition_key(c, &partition, t, after ? after : before);
        record.json = buf_span(&json);
        record.partition_key = buf_span(&partition);
        if ((e = append_record(c, &record)))
            return e;
    }
    return NULL;
}

const struct follower kinesis_record_follower = {has_destinations, append_records};

struct kinesis_record kinesis_record_read(const struct store_row *row)
{
    struct span rest = row->body;
    struct kinesis_record record = {.region = cut_part(&rest, '\n')};

    record.stream = cut_part(&rest, '\n');
    record.partition_key = cut_part(&rest, '\n');
    record.json = rest;
    return record;
}

static bool is_name(struct span text)
{
    return text.len <= LIMIT_NAME && names_match_pattern(text);
}

bool kinesis_record_is_sound(struct arena *a, const struct store_row *row)
{
    struct kinesis_record record = kinesis_record_read(row);
    const wire_node *root;

    return row->key.len == KEY_SPACE_LEN + NUMBER_LEN && is_name(record.region) &&
           is_name(record.stream) && is_name(record.partition_key) &&
           !span_find(record.json, '\n') && !wire_parse(a, record.json, &root);
}
