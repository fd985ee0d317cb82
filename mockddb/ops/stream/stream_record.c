#include "base/damaged.h"
#include "model/item_codec.h"
#include "ops/follower.h"
#include "ops/key_check.h"
#include "ops/stream/stream.h"

/* Body of a record: its time, then the JSON for GetRecords. */
#define TIME_LEN 8

/* Key of a record: space, shard, number (unit_append), all big-endian. */
#define SHARD_LEN 2

static struct buf shard_key(struct call *c, uint32_t space, uint32_t shard)
{
    struct buf key = buf_in(c->arena);

    buf_reserve(&key, KEY_SPACE_LEN + SHARD_LEN + STORE_NUMBER_LEN);
    key_of_space(&key, space);
    buf_add_big_endian(&key, shard, SHARD_LEN);
    return key;
}

struct span stream_record_key(struct call *c, const struct stream *s, uint32_t shard,
                              uint64_t number)
{
    struct buf key = shard_key(c, s->space, shard);

    buf_add_big_endian(&key, number, STORE_NUMBER_LEN);
    return buf_span(&key);
}

const struct error *stream_last_number(struct call *c, const struct stream *s, uint32_t shard,
                                       uint64_t *out)
{
    struct buf key = shard_key(c, s->space, shard);

    return unit_last_number(c->unit, buf_span(&key), out);
}

struct store_range stream_record_range(struct call *c, const struct stream *s, uint32_t shard,
                                       uint64_t number)
{
    return (struct store_range){
        .low = stream_record_key(c, s, shard, number),
        .high = stream_record_key(c, s, shard, UINT64_MAX),
    };
}

struct stream_record stream_read_record(const struct store_row *row)
{
    return (struct stream_record){
        .number = damaged_big_endian(row->key, KEY_SPACE_LEN + SHARD_LEN, STORE_NUMBER_LEN),
        .created_ms = (int64_t)damaged_big_endian(row->body, 0, TIME_LEN),
        .json = row->body.len > TIME_LEN ? span_from(row->body, TIME_LEN) : SPAN_LIT("{}"),
    };
}

#define BYTES_AT_LEAST 256 /* the minimum for an old record: the cost of reading a row */

const struct error *stream_next_record(struct call *c, struct cursor *cursor, int64_t *room,
                                       struct stream_record *out, enum stream_next *next)
{
    struct store_row row;
    const struct error *e;

    *next = STREAM_END;
    while (!(e = cursor_next(cursor, &row)) && row.found) {
        *out = stream_read_record(&row);
        *next = stream_keeps(c, out->created_ms) ? STREAM_RECORD : STREAM_OLD;
        if (*next == STREAM_RECORD)
            return NULL;
        *room -= row.body.len > BYTES_AT_LEAST ? (int64_t)row.body.len : BYTES_AT_LEAST;
        if (*room <= 0)
            return NULL;
        *next = STREAM_END;
    }
    return e;
}

/* Reads an image or the keys; false if it is not an item with the stream's key. *key becomes the
 * item's key in the table, without the space. */
static bool read_image(struct call *c, const struct stream *s, const wire_node *node,
                       struct buf *key)
{
    const struct table keyed = {.keys = s->keys};
    struct item it;

    if (!item_decode_checked(c->arena, wire_raw(node), &it) ||
        key_check_item(c->arena, &keyed, &it))
        return false;
    *key = buf_in(c->arena);
    key_of_item(key, &keyed, &it);
    return true;
}

static bool shows_items(struct call *c, const struct stream *s, const wire_node *change,
                        uint32_t shard)
{
    static const char *const images[] = {"OldImage", "NewImage"};
    const wire_node *keys = wire_get(change, "Keys");
    struct buf key, other;

    if (!keys || !read_image(c, s, keys, &key) || key_segment(buf_span(&key), s->shards) != shard)
        return false;
    for (size_t i = 0; i < COUNT(images); i++) {
        const wire_node *image = wire_get(change, images[i]);
        struct arena_mark mark = arena_mark(c->arena); /* large images are in memory in turn */

        if (image &&
            (!read_image(c, s, image, &other) || !span_equal(buf_span(&key), buf_span(&other))))
            return false;
        arena_release(c->arena, mark);
    }
    return true;
}

bool stream_record_is_sound(struct call *c, const struct stream *s, const struct store_row *row)
{
    struct stream_record record = stream_read_record(row);
    uint32_t shard = (uint32_t)damaged_big_endian(row->key, KEY_SPACE_LEN, SHARD_LEN);
    const wire_node *root, *change;

    if (row->key.len != KEY_SPACE_LEN + SHARD_LEN + STORE_NUMBER_LEN || shard >= s->shards ||
        record.created_ms < 0 || record.number <= s->first_number ||
        (s->closed_ms && record.number > s->last_number) ||
        wire_parse(c->arena, record.json, &root) || !(change = wire_get(root, "dynamodb")))
        return false;
    return span_equal(wire_text(wire_get(change, "SequenceNumber")),
                      stream_sequence(c, record.number)) &&
           shows_items(c, s, change, shard);
}

/* The images of each view. */
static const struct {
    bool before, after;
} views[] = {
    [VIEW_KEYS_ONLY] = {false, false},
    [VIEW_NEW_IMAGE] = {false, true},
    [VIEW_OLD_IMAGE] = {true, false},
    [VIEW_NEW_AND_OLD_IMAGES] = {true, true},
};

static const char *event_id(struct call *c)
{
    unsigned char b[16];
    struct buf id = buf_in(c->arena);

    clock_random(c->clock, b, sizeof b);
    buf_add_hex(&id, b, sizeof b);
    return buf_text(&id);
}

/* Writes an image if it is shown, and adds its size. */
static void put_image(struct wire_writer *w, const char *name, const struct item_image *image,
                      bool shown, size_t *size)
{
    if (!shown || !image->item)
        return;
    wire_put_member_raw(w, name, image->body);
    *size += image->size;
}

#define ROOM_OF_RECORD 512 /* usually enough, besides its images */

static size_t length_shown(const struct table *t, const struct item_image *before,
                           const struct item_image *after)
{
    return (views[t->stream_view].before ? before->body.len : 0) +
           (views[t->stream_view].after ? after->body.len : 0);
}

static void put_record(struct call *c, struct buf *out, const struct table *t,
                       const struct item_image *before, const struct item_image *after,
                       bool expired, size_t *digits_at)
{
    static const char no_number[] = "100000000000000000000";
    struct wire_writer w = {.out = out};
    struct item keys;
    size_t size;

    wire_open(&w, '{');
    wire_put_member_word(&w, "eventID", event_id(c));
    wire_put_member_word(&w, "eventName",
                         !before->item  ? "INSERT"
                         : !after->item ? "REMOVE"
                                        : "MODIFY");
    wire_put_member_word(&w, "eventVersion", "1.1");
    wire_put_member_word(&w, "eventSource", "aws:dynamodb");
    wire_put_member_text(&w, "awsRegion", op_region(c));
    wire_key(&w, "dynamodb");
    keys = schema_key_of(c->arena, t, after->item ? after->item : before->item);
    size = item_size(&keys);
    wire_open(&w, '{');
    wire_put_member_integer(&w, "ApproximateCreationDateTime", clock_now_ms(c->clock) / 1000);
    wire_key(&w, "Keys");
    wire_put_item(&w, &keys);
    put_image(&w, "NewImage", after, views[t->stream_view].after, &size);
    put_image(&w, "OldImage", before, views[t->stream_view].before, &size);
    wire_put_member_word(&w, "SequenceNumber", no_number);
    *digits_at = out->len - 1 - STORE_NUMBER_DIGITS; /* in front of the quotation mark */
    wire_put_member_integer(&w, "SizeBytes", (int64_t)size);
    wire_put_member_word(&w, "StreamViewType", names_views[t->stream_view]);
    wire_close(&w, '}');
    if (expired) {
        wire_open_member(&w, "userIdentity", '{');
        wire_put_member_word(&w, "PrincipalId", "dynamodb.amazonaws.com");
        wire_put_member_word(&w, "Type", "Service");
        wire_close(&w, '}');
    }
    wire_close(&w, '}');
}

static bool has_stream(const struct table *t)
{
    return t->stream_enabled;
}

static const struct error *append_record(struct call *c, struct item_write *w)
{
    const struct table *t = w->table;
    int64_t now = clock_now_ms(c->clock);
    struct buf key, body = buf_in(c->arena);
    struct store_record record;

    op_wake(c, WAKE_TRIM, now + LIMIT_STREAM_RETENTION_MS);
    key = shard_key(c, t->stream_space, key_segment(w->old->key, t->stream_shards));
    buf_reserve(&body, TIME_LEN + ROOM_OF_RECORD + length_shown(t, &w->before, &w->after));
    buf_add_big_endian(&body, (uint64_t)now, TIME_LEN);
    put_record(c, &body, t, &w->before, &w->after, w->expired, &record.digits_at);
    record.shard = buf_span(&key);
    record.body = body.at;
    record.len = body.len;
    return unit_append(c->unit, &record);
}

const struct follower stream_follower = {has_stream, append_record};
