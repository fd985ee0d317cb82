#include "ops/stream/stream.h"

#include "base/hash.h"
#include "model/item_codec.h"
#include "ops/table/table_arn.h"

#include <stdlib.h>

/* --- descriptions ----------------------------------------------------------------------------- */

static struct span description_key(struct call *c, struct span place)
{
    struct buf key = buf_in(c->arena);

    key_of_space(&key, KEY_SPACE_STREAMS);
    buf_add_span(&key, place);
    return buf_span(&key);
}

static void set_number(struct call *c, struct item *it, const char *name, uint64_t value)
{
    const char *text = arena_printf(c->arena, "%llu", (unsigned long long)value);

    item_set(c->arena, it, span_of(name), (struct attr){.type = ATTR_N, .bytes = span_of(text)});
}

static uint64_t get_number(struct call *c, const struct item *it, const char *name)
{
    const struct attr *value = item_find(it, span_of(name));

    return value ? strtoull(arena_text(c->arena, value->bytes), NULL, 10) : 0;
}

/* The description has the table at the opening of the stream, and the stream's own data. */
static struct span encode_stream(struct call *c, const struct stream *s, struct span table)
{
    struct item it = {.len = 0};
    struct buf out = buf_in(c->arena);

    item_set(c->arena, &it, span_of("table"), (struct attr){.type = ATTR_S, .bytes = table});
    set_number(c, &it, "shards", s->shards);
    set_number(c, &it, "created", (uint64_t)s->created_ms);
    set_number(c, &it, "closed", (uint64_t)s->closed_ms);
    set_number(c, &it, "first", s->first_number);
    set_number(c, &it, "last", s->last_number);
    item_encode(&out, &it);
    return buf_span(&out);
}

/* Its ARN on this server. It may have been opened with another account or region. */
static struct span arn_here(const struct call *c, const struct table *t)
{
    struct span region = t->region.len ? t->region : c->settings->region;

    return span_of(arena_printf(c->arena, "arn:aws:dynamodb:%.*s:%.*s:table/%.*s/stream/%.*s",
                                SPAN_ARG(region), SPAN_ARG(c->settings->account), SPAN_ARG(t->name),
                                SPAN_ARG(t->stream_label)));
}

/* *table is the encoded table, to encode the description again. */
static bool decode_stream(struct call *c, const struct store_row *row, struct stream *out,
                          struct span *table)
{
    struct item it = item_decode(c->arena, arena_span(c->arena, row->body));
    const struct attr *text = item_find(&it, SPAN_LIT("table"));
    struct table *t = text ? schema_decode(c->arena, text->bytes) : NULL;

    if (!t)
        return false;
    *table = text->bytes;
    *out = (struct stream){
        .place = arena_span(c->arena, span_from(row->key, KEY_SPACE_LEN)),
        .arn = arn_here(c, t),
        .region = arena_span(c->arena, t->region),
        .label = arena_span(c->arena, t->stream_label),
        .table_name = arena_span(c->arena, t->name),
        .keys = t->keys,
        .view = t->stream_view,
        .space = t->stream_space,
        .shards = (uint32_t)get_number(c, &it, "shards"),
        .created_ms = (int64_t)get_number(c, &it, "created"),
        .closed_ms = (int64_t)get_number(c, &it, "closed"),
        .first_number = get_number(c, &it, "first"),
        .last_number = get_number(c, &it, "last"),
    };
    for (size_t i = 0; i < t->keys.hash_count; i++)
        out->keys.hash[i].name = arena_span(c->arena, t->keys.hash[i].name);
    for (size_t i = 0; i < t->keys.range_count; i++)
        out->keys.range[i].name = arena_span(c->arena, t->keys.range[i].name);
    schema_free(t);
    return true;
}

bool stream_decode(struct call *c, const struct store_row *row, struct stream *out)
{
    struct span table;

    return decode_stream(c, row, out, &table);
}

/* --- finding a stream ------------------------------------------------------------------------- */

/* Reads the stream at a place; *found if it has the ARN. A server with a single region does not
 * find streams of other regions. */
static const struct error *read_place(struct call *c, struct span place, struct span arn,
                                      struct store_row *row, struct stream *out, struct span *table,
                                      bool *found)
{
    const struct error *e = unit_get(c->unit, description_key(c, place), row);

    if (e)
        return e;
    *found = row->found && decode_stream(c, row, out, table) && span_equal(out->arn, arn) &&
             (c->settings->regional || !out->region.len);
    return NULL;
}

/* Finds the first place from `from` on and cuts it to "arn:aws:dynamodb:us-east-1:123456789012:";
 * empty if no place is left. */
static const struct error *next_origin(struct call *c, struct span from, struct span *out)
{
    struct store_range range = cursor_range(c->arena, KEY_SPACE_STREAMS);
    struct cursor *cursor;
    const struct error *e;
    struct store_row row;
    struct arn parts;

    *out = (struct span){"", 0};
    range.low = description_key(c, from);
    cursor = cursor_open(c->unit, range);
    if (!(e = cursor_next(cursor, &row)) && row.found) {
        struct span place = arena_span(c->arena, span_from(row.key, KEY_SPACE_LEN));

        if (table_arn_parse(place, &parts))
            *out = (struct span){place.at,
                                 (size_t)(parts.account.at + parts.account.len + 1 - place.at)};
    }
    cursor_close(cursor);
    return e;
}

/* Finds a stream by its ARN. Its place is its ARN at its opening, with this server's account and
 * region or others. A store has few such origins, so all are tried. */
static const struct error *find_row(struct call *c, struct span arn, struct store_row *row,
                                    struct stream *out, struct span *table, bool *found)
{
    const struct error *e = read_place(c, arn, arn, row, out, table, found);
    struct span origin = {"", 0}, from = origin;
    struct arn parts;

    if (e || *found || !table_arn_parse(arn, &parts) || !parts.table.len)
        return e;
    for (;;) {
        struct buf place = buf_in(c->arena), behind = buf_in(c->arena);

        if ((e = next_origin(c, from, &origin)) || !origin.len)
            return e;
        buf_add_span(&place, origin);
        buf_add_text(&place, "table/");
        buf_add_span(&place, parts.table);
        buf_add_span(&place, parts.rest);
        if ((e = read_place(c, buf_span(&place), arn, row, out, table, found)) || *found)
            return e;
        buf_add(&behind, origin.at, origin.len - 1);
        buf_add_char(&behind, ':' + 1); /* behind all places of this origin */
        from = buf_span(&behind);
    }
}

/* --- life ----------------------------------------------------------------------------------- */

static struct span arn_of(const struct call *c, const struct table *t)
{
    return table_arn(c, t->name, "/stream/", t->stream_label);
}

const struct error *stream_open(struct call *c, const struct table *t)
{
    struct stream s = {
        .shards = t->stream_shards,
        .created_ms = clock_now_ms(c->clock),
        .first_number = store_next_number(c->store),
    };
    struct span body = encode_stream(c, &s, schema_encode(c->arena, t));
    struct store_row row = {.key = description_key(c, arn_of(c, t))};

    return unit_put(c->unit, &row, body.len, body);
}

const struct error *stream_close(struct call *c, const struct table *t)
{
    struct span table, body;
    const struct error *e;
    struct store_row row;
    struct stream s;
    bool found;

    if (!t->stream_enabled)
        return NULL;
    if ((e = find_row(c, arn_of(c, t), &row, &s, &table, &found)) || !found)
        return e;
    s.closed_ms = clock_now_ms(c->clock);
    op_wake(c, WAKE_TRIM, s.closed_ms + LIMIT_STREAM_RETENTION_MS);
    s.last_number = store_next_number(c->store);
    body = encode_stream(c, &s, table);
    return unit_put(c->unit, &row, body.len, body);
}

const struct error *stream_forget(struct call *c, const struct stream *s)
{
    struct store_row row;
    const struct error *e;

    if ((e = op_wake_drop_space(c, s->space)) ||
        (e = unit_get(c->unit, description_key(c, s->place), &row)) || !row.found)
        return e;
    return unit_delete(c->unit, &row);
}

/* --- lookup --------------------------------------------------------------------------------- */

bool stream_keeps(const struct call *c, int64_t moment_ms)
{
    return c->settings->read_only ||
           clock_now_ms(c->clock) - moment_ms <= LIMIT_STREAM_RETENTION_MS;
}

bool stream_is_over(const struct call *c, const struct stream *s)
{
    return s->closed_ms && !stream_keeps(c, s->closed_ms);
}

const struct error *stream_find(struct call *c, struct span arn, struct stream *out, bool *found)
{
    struct store_row row;
    struct span table;

    return find_row(c, arn, &row, out, &table, found);
}

const struct error *stream_after(struct call *c, struct span place, struct span table,
                                 struct stream *out, bool *found)
{
    struct cursor *cursor = cursor_open(
        c->unit, cursor_range_behind(c->arena, KEY_SPACE_STREAMS,
                                     place.len ? description_key(c, place) : place));
    const struct error *e;
    struct store_row row;

    while (!(e = cursor_next(cursor, &row)) && row.found) {
        struct span encoded;

        if (decode_stream(c, &row, out, &encoded) &&
            (!table.len || span_equal(out->table_name, table)))
            break;
    }
    cursor_close(cursor);
    *found = !e && row.found;
    return e;
}

/* --- shards and sequence numbers -------------------------------------------------------------- */

struct span stream_shard_id(struct call *c, const struct stream *s, uint32_t shard)
{
    return span_of(arena_printf(c->arena, "shardId-%020lld-%08x", (long long)s->created_ms,
                                hash_bytes(s->place) + shard));
}

uint32_t stream_find_shard(struct call *c, const struct stream *s, struct span id)
{
    uint32_t shard = 0;

    while (shard < s->shards && !span_equal(stream_shard_id(c, s, shard), id))
        shard++;
    return shard;
}

#define SEQUENCE_DIGITS 21 /* clients accept 21 to 40 */

struct span stream_sequence(struct call *c, uint64_t number)
{
    return span_of(arena_printf(c->arena, "1%020llu", (unsigned long long)number));
}

bool stream_number(struct span sequence, uint64_t *out)
{
    uint64_t number = 0;

    if (sequence.len != SEQUENCE_DIGITS || sequence.at[0] != '1')
        return false;
    for (size_t i = 1; i < sequence.len; i++) {
        unsigned digit = (unsigned)(sequence.at[i] - '0');

        if (digit > 9 || number > (UINT64_MAX - digit) / 10)
            return false;
        number = number * 10 + digit;
    }
    *out = number;
    return true;
}

/* --- streams of requests ---------------------------------------------------------------------- */

bool stream_is_arn(struct span text)
{
    struct arn parts;

    return table_arn_parse(text, &parts) && parts.table.len &&
           span_starts_with(parts.rest, SPAN_LIT("/stream/"));
}

const struct error *stream_check_arn(struct call *c, struct span arn)
{
    return stream_is_arn(arn)
               ? NULL
               : error_caused(
                     c->arena, ERROR_VALIDATION,
                     ERROR_WHY(CAUSE_ARN_KIND, .place = arn,
                               .beside = SPAN_LIT(
                                   "arn:aws:dynamodb:REGION:ACCOUNT:table/NAME/stream/LABEL")),
                     "Invalid StreamArn");
}

const struct error *stream_of_arn(struct call *c, struct span arn, struct stream *out)
{
    const struct error *e;
    bool found;

    if ((e = stream_check_arn(c, arn)))
        return e;
    if ((e = stream_find(c, arn, out, &found)) || (found && !stream_is_over(c, out)))
        return e;
    return error_caused(c->arena, ERROR_RESOURCE_NOT_FOUND, ERROR_WHY(CAUSE_NO_STREAM),
                        "Requested resource not found: Stream: %.*s not found", SPAN_ARG(arn));
}

const struct error *stream_shard_not_found(struct arena *a)
{
    return error_caused(a, ERROR_RESOURCE_NOT_FOUND, ERROR_WHY(CAUSE_NO_SHARD),
                        "Requested resource not found: Shard does not exist");
}

const struct error *stream_trimmed(struct arena *a)
{
    return error_caused(a, ERROR_TRIMMED_DATA, ERROR_WHY(CAUSE_TRIMMED),
                        "The data you are trying to access has been trimmed");
}
