#include "wire/wire_cbor.h"

#include <math.h>

#include "base/base64.h"
#include "model/limits.h"

#define MAX_DEPTH 32
#define MAX_HEADS 262144 /* 500 queries of metrics with 30 dimensions each have half as many */
#define MAX_TEXT  ((size_t)1 << 20) /* of a string; in JSON a byte may take six */

enum major {
    CBOR_UNSIGNED,
    CBOR_NEGATIVE,
    CBOR_BYTES,
    CBOR_TEXT,
    CBOR_ARRAY,
    CBOR_MAP,
    CBOR_TAG,
    CBOR_SIMPLE
};

/* Values of the initial byte's lower five bits. */
enum { INFO_8 = 24, INFO_16, INFO_32, INFO_64, INFO_INDEFINITE = 31 };

/* Simple values, and floats by their length. */
enum { SIMPLE_FALSE = 20, SIMPLE_TRUE, SIMPLE_NULL, SIMPLE_UNDEFINED };

#define BREAK     0xff
#define TAG_EPOCH 1

/* --- reading ---------------------------------------------------------------------------------- */

struct cbor_reading {
    struct arena *arena;
    struct span rest;
    struct buf out;
    size_t heads; /* read so far: items, names, pieces of strings */
};

struct cbor_head {
    enum major major;
    unsigned info;
    uint64_t value; /* of info, or of the bytes after it */
    bool indefinite;
};

static bool take_bytes(struct cbor_reading *r, uint64_t len, struct span *out)
{
    if (len > r->rest.len)
        return false;
    *out = (struct span){r->rest.at, (size_t)len};
    r->rest = span_from(r->rest, (size_t)len);
    return true;
}

static bool read_head(struct cbor_reading *r, struct cbor_head *h)
{
    struct span bytes;

    if (r->heads++ == MAX_HEADS || !take_bytes(r, 1, &bytes))
        return false;
    h->major = (enum major)((unsigned char)bytes.at[0] >> 5);
    h->info = (unsigned char)bytes.at[0] & 31;
    h->indefinite = h->info == INFO_INDEFINITE;
    h->value = h->info;
    if (h->info < INFO_8 || h->indefinite)
        return true;
    if (h->info > INFO_64 || !take_bytes(r, (uint64_t)1 << (h->info - INFO_8), &bytes))
        return false;
    h->value = span_big_endian(bytes);
    return true;
}

/* Whether a container has another element: counts down `left`, or looks for a break. */
static bool has_next(struct cbor_reading *r, const struct cbor_head *h, uint64_t *left)
{
    struct span end;

    if (!h->indefinite)
        return (*left)-- > 0;
    if (!r->rest.len || (unsigned char)r->rest.at[0] != BREAK)
        return true;
    return !take_bytes(r, 1, &end);
}

/* Reads a string in one piece, or in pieces of the same kind up to a break. */
static bool read_string(struct cbor_reading *r, const struct cbor_head *h, struct buf *out)
{
    struct span bytes;
    uint64_t left = 0;

    if (!h->indefinite) {
        if (!take_bytes(r, h->value, &bytes))
            return false;
        buf_add_span(out, bytes);
        return out->len <= MAX_TEXT;
    }
    while (has_next(r, h, &left)) {
        struct cbor_head piece;

        if (!read_head(r, &piece) || piece.major != h->major || piece.indefinite ||
            !take_bytes(r, piece.value, &bytes))
            return false;
        buf_add_span(out, bytes);
    }
    return out->len <= MAX_TEXT;
}

static bool add_number(struct cbor_reading *r, double value)
{
    if (!isfinite(value))
        return false;
    buf_printf(&r->out, "%.17g", value);
    return true;
}

static double half_of(uint64_t bits)
{
    int exponent = (int)(bits >> 10 & 31);
    double mantissa = (double)(bits & 1023), value;

    if (exponent == 0)
        value = ldexp(mantissa, -24);
    else if (exponent == 31)
        value = mantissa != 0 ? (double)NAN : HUGE_VAL;
    else
        value = ldexp(mantissa + 1024, exponent - 25);
    return bits >> 15 ? -value : value;
}

static double single_of(uint64_t bits)
{
    uint32_t word = (uint32_t)bits;
    float value;

    memcpy(&value, &word, sizeof value);
    return (double)value;
}

static double double_of(uint64_t bits)
{
    double value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

static bool read_item(struct cbor_reading *r, int depth);

static bool read_text(struct cbor_reading *r, const struct cbor_head *h)
{
    struct buf text = buf_in(r->arena), coded = buf_in(r->arena);

    if (!read_string(r, h, &text))
        return false;
    if (h->major == CBOR_BYTES) {
        base64_encode(&coded, buf_span(&text));
        text = coded;
    }
    buf_add_json_string(&r->out, buf_span(&text));
    return r->out.len <= LIMIT_REQUEST_BYTES;
}

static bool read_array(struct cbor_reading *r, const struct cbor_head *h, int depth)
{
    uint64_t left = h->value;
    bool first = true;

    buf_add_char(&r->out, '[');
    for (; has_next(r, h, &left); first = false) {
        if (!first)
            buf_add_char(&r->out, ',');
        if (!read_item(r, depth + 1))
            return false;
    }
    buf_add_char(&r->out, ']');
    return true;
}

static bool read_map(struct cbor_reading *r, const struct cbor_head *h, int depth)
{
    uint64_t left = h->value;
    bool first = true;

    buf_add_char(&r->out, '{');
    for (; has_next(r, h, &left); first = false) {
        struct cbor_head key;

        if (!first)
            buf_add_char(&r->out, ',');
        if (!read_head(r, &key) || key.major != CBOR_TEXT || !read_text(r, &key))
            return false;
        buf_add_char(&r->out, ':');
        if (!read_item(r, depth + 1))
            return false;
    }
    buf_add_char(&r->out, '}');
    return true;
}

/* Refuses indefinite numbers and unknown tags. */
static bool read_item(struct cbor_reading *r, int depth)
{
    struct cbor_head h;

    if (depth > MAX_DEPTH || !read_head(r, &h))
        return false;
    switch (h.major) {
    case CBOR_UNSIGNED:
        buf_printf(&r->out, "%llu", (unsigned long long)h.value);
        return !h.indefinite;
    case CBOR_NEGATIVE:
        buf_printf(&r->out, "%.17g", -1.0 - (double)h.value);
        return !h.indefinite;
    case CBOR_BYTES:
    case CBOR_TEXT:
        return read_text(r, &h);
    case CBOR_ARRAY:
        return read_array(r, &h, depth);
    case CBOR_MAP:
        return read_map(r, &h, depth);
    case CBOR_TAG:
        return !h.indefinite && read_item(r, depth + 1);
    case CBOR_SIMPLE:
        break;
    }
    switch (h.info) {
    case SIMPLE_FALSE:
        buf_add_text(&r->out, "false");
        return true;
    case SIMPLE_TRUE:
        buf_add_text(&r->out, "true");
        return true;
    case SIMPLE_NULL:
    case SIMPLE_UNDEFINED:
        buf_add_text(&r->out, "null");
        return true;
    case INFO_16:
        return add_number(r, half_of(h.value));
    case INFO_32:
        return add_number(r, single_of(h.value));
    case INFO_64:
        return add_number(r, double_of(h.value));
    default:
        return false;
    }
}

bool wire_cbor_read(struct arena *a, struct span cbor, struct span *json)
{
    struct cbor_reading r = {.arena = a, .rest = cbor, .out = buf_in(a)};

    if (!read_item(&r, 0) || r.rest.len)
        return false;
    *json = buf_span(&r.out);
    return true;
}

/* --- writing ---------------------------------------------------------------------------------- */

static void put_head(struct buf *out, enum major major, uint64_t value)
{
    unsigned info = value < INFO_8        ? (unsigned)value
                    : value <= UINT8_MAX  ? INFO_8
                    : value <= UINT16_MAX ? INFO_16
                    : value <= UINT32_MAX ? INFO_32
                                          : INFO_64;

    buf_add_char(out, (char)((unsigned)major << 5 | info));
    if (info >= INFO_8)
        buf_add_big_endian(out, value, (size_t)1 << (info - INFO_8));
}

static void put_simple(struct buf *out, unsigned info)
{
    buf_add_char(out, (char)((unsigned)CBOR_SIMPLE << 5 | info));
}

static void put_double(struct buf *out, double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    put_simple(out, INFO_64);
    buf_add_big_endian(out, bits, sizeof bits);
}

static void put_text(struct buf *out, struct span text)
{
    put_head(out, CBOR_TEXT, text.len);
    buf_add_span(out, text);
}

static void put_integer(struct buf *out, int64_t value)
{
    if (value < 0)
        put_head(out, CBOR_NEGATIVE, (uint64_t)(-1 - value));
    else
        put_head(out, CBOR_UNSIGNED, (uint64_t)value);
}

static void put_value(struct buf *out, const struct wire_shape *shape, const wire_node *n)
{
    switch (shape->type) {
    case WIRE_BOOLEAN:
        put_simple(out, wire_bool(n, false) ? SIMPLE_TRUE : SIMPLE_FALSE);
        return;
    case WIRE_INTEGER:
    case WIRE_LONG:
        put_integer(out, wire_integer(n, 0));
        return;
    case WIRE_DOUBLE:
        put_double(out, wire_double(n, 0));
        return;
    case WIRE_TIMESTAMP:
        put_head(out, CBOR_TAG, TAG_EPOCH);
        put_double(out, wire_double(n, 0));
        return;
    case WIRE_LIST:
        put_head(out, CBOR_ARRAY, wire_count(n));
        for (const wire_node *e = wire_first(n); e; e = wire_next(e))
            put_value(out, shape->element, e);
        return;
    case WIRE_MAP:
        buf_add_char(out, (char)((unsigned)CBOR_MAP << 5 | INFO_INDEFINITE));
        for (const wire_node *e = wire_first(n); e; e = wire_next(e)) {
            put_text(out, wire_name(e));
            put_value(out, shape->element, e);
        }
        buf_add_char(out, (char)BREAK);
        return;
    case WIRE_STRUCT:
        wire_cbor_write(out, shape->members, n);
        return;
    default:
        put_text(out, wire_text(n));
    }
}

void wire_cbor_write(struct buf *out, const struct wire_member *members, const wire_node *body)
{
    buf_add_char(out, (char)((unsigned)CBOR_MAP << 5 | INFO_INDEFINITE));
    for (const struct wire_member *m = members; m->name; m++) {
        const wire_node *value = wire_get(body, m->name);

        if (!value)
            continue;
        put_text(out, span_of(m->name));
        put_value(out, m->shape, value);
    }
    buf_add_char(out, (char)BREAK);
}
