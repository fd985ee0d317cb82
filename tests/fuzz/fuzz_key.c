/* fuzz_key.c: key encoding. The input is read as bytes: the types of a table's keys, then two
 * items' worth of values. */
#include "fuzz.h"

#include "model/key.h"
#include "model/limits.h"

#define SPACE 20

struct reader {
    struct arena *arena;
    struct span rest;
};

static unsigned next_byte(struct reader *r)
{
    unsigned byte = 0;

    if (r->rest.len) {
        byte = (unsigned char)*r->rest.at;
        r->rest = span_from(r->rest, 1);
    }
    return byte;
}

/* A length and that many bytes, or as many as there are. */
static struct span next_bytes(struct reader *r)
{
    size_t len = next_byte(r) % 40;
    struct span bytes;

    if (len > r->rest.len)
        len = r->rest.len;
    bytes = (struct span){r->rest.at, len};
    r->rest = span_from(r->rest, len);
    return bytes;
}

static struct span next_number(struct reader *r)
{
    struct buf text = buf_in(r->arena);
    struct num n = {.negative = next_byte(r) % 2};
    struct span digits;

    n.exponent = (int)next_byte(r) - 129;
    digits = next_bytes(r);
    for (; n.digits < NUM_MAX_DIGITS && (size_t)n.digits < digits.len; n.digits++)
        n.digit[n.digits] = (unsigned char)digits.at[n.digits] % 10;
    while (n.digits && !n.digit[n.digits - 1])
        n.digits--;
    if (!n.digits || !n.digit[0] || n.exponent > 126)
        n = (struct num){0};
    num_format(&text, &n);
    return buf_span(&text);
}

static struct attr next_value(struct reader *r, enum attr_type type)
{
    return (struct attr){.type = type, .bytes = type == ATTR_N ? next_number(r) : next_bytes(r)};
}

static enum attr_type next_type(struct reader *r)
{
    static const enum attr_type types[] = {ATTR_S, ATTR_N, ATTR_B};

    return types[next_byte(r) % COUNT(types)];
}

static const char *const names[4] = {"h", "i", "r", "s"}; /* hash attributes, range attributes */

static struct key_schema next_schema(struct reader *r)
{
    struct key_schema keys = {.hash_count = 1 + next_byte(r) % 2, .range_count = next_byte(r) % 3};

    for (size_t i = 0; i < keys.hash_count; i++)
        keys.hash[i] = (struct key_part){span_of(names[i]), next_type(r)};
    for (size_t i = 0; i < 2 && i < keys.range_count; i++)
        keys.range[i] = (struct key_part){span_of(names[2 + i]), next_type(r)};
    return keys;
}

static struct item next_item(struct reader *r, const struct key_schema *keys)
{
    struct item it = {.len = 0};

    for (size_t i = 0; i < keys->hash_count; i++)
        item_set(r->arena, &it, keys->hash[i].name, next_value(r, keys->hash[i].type));
    for (size_t i = 0; i < keys->range_count; i++)
        item_set(r->arena, &it, keys->range[i].name, next_value(r, keys->range[i].type));
    return it;
}

/* Order of the parts of a kind in two items. */
static int compare_parts(const struct key_part *parts, size_t count, const struct item *a,
                         const struct item *b)
{
    for (size_t i = 0; i < count; i++) {
        int order = attr_compare(item_find(a, parts[i].name), item_find(b, parts[i].name));

        if (order)
            return fuzz_sign(order);
    }
    return 0;
}

static struct span key_of(struct arena *a, const struct table *t, const struct item *it)
{
    struct buf key = buf_in(a);

    key_of_item(&key, t, it);
    return buf_span(&key);
}

static struct span partition_of(struct arena *a, const struct table *t, const struct item *it)
{
    const struct attr *values[LIMIT_KEY_PARTS];
    struct buf key = buf_in(a);

    for (size_t i = 0; i < t->keys.hash_count; i++)
        values[i] = item_find(it, t->keys.hash[i].name);
    key_of_partition(&key, t->space, values, t->keys.hash_count);
    return buf_span(&key);
}

static void check_pair(struct arena *a, const struct table *t, const struct item *one,
                       const struct item *two)
{
    struct span keys[2] = {key_of(a, t, one), key_of(a, t, two)};
    struct span partitions[2] = {partition_of(a, t, one), partition_of(a, t, two)};
    bool together = compare_parts(t->keys.hash, t->keys.hash_count, one, two) == 0;
    int order = compare_parts(t->keys.range, t->keys.range_count, one, two);

    must(span_equal(partitions[0], partitions[1]) == together,
         "a partition has one beginning, and it alone");
    must(span_starts_with(keys[0], partitions[1]) == together, "a partition is one run");
    must(span_equal(keys[0], keys[1]) == (together && !order), "keys are equal where items are");
    if (together)
        must(fuzz_sign(span_compare(keys[0], keys[1])) == order, "keys are in the values' order");
    else
        must(!span_starts_with(keys[0], keys[1]), "no key begins another");
}

/* The values that begin with a prefix are those in the range that key_add_prefix makes. */
static void check_prefix(struct arena *a, const struct attr *value, const struct attr *prefix)
{
    struct buf key = buf_in(a), low = buf_in(a), high = buf_in(a);
    bool inside;

    if (value->type == ATTR_N || prefix->type != value->type)
        return;
    key_add_part(&key, value);
    key_add_prefix(&low, prefix);
    buf_add_span(&high, buf_span(&low));
    inside = span_compare(buf_span(&key), buf_span(&low)) >= 0 &&
             (!key_next(&high) || span_compare(buf_span(&key), buf_span(&high)) < 0);
    must(inside == span_starts_with(value->bytes, prefix->bytes), "begins_with is a range of keys");
}

static void check_segments(struct arena *a, struct span key, uint32_t total)
{
    uint32_t segment = key_segment(key, total);
    struct buf low = buf_in(a), high = buf_in(a);

    must(segment < total, "a key is in one of the segments");
    key_of_segment(&low, SPACE, segment, total);
    key_of_segment(&high, SPACE, segment + 1, total);
    must(span_compare(buf_span(&low), key) <= 0 && span_compare(key, buf_span(&high)) < 0,
         "a key lies between its segment's ends");
}

static void check_entry(struct arena *a, const struct table *t, struct reader *r,
                        const struct item *one, const struct item *two)
{
    struct index ix = {.space = SPACE + 1, .keys = {.hash_count = 1, .range_count = 1}};
    struct buf keys[2] = {buf_in(a), buf_in(a)};

    ix.keys.hash[0] = t->keys.hash[next_byte(r) % t->keys.hash_count];
    ix.keys.range[0] = t->keys.range_count ? t->keys.range[0] : t->keys.hash[0];
    if (!key_of_entry(&keys[0], t, &ix, one) || !key_of_entry(&keys[1], t, &ix, two))
        return;
    must(span_equal(buf_span(&keys[0]), buf_span(&keys[1])) ==
             span_equal(key_of(a, t, one), key_of(a, t, two)),
         "an item has an index entry of its own");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena *a = arena_new();
    struct reader r = {a, fuzz_input(a, data, size)};
    struct table t = {.space = SPACE};
    struct item one, two;

    t.keys = next_schema(&r);
    one = next_item(&r, &t.keys);
    two = next_item(&r, &t.keys);
    check_pair(a, &t, &one, &two);
    check_pair(a, &t, &two, &one);
    check_prefix(a, item_find(&one, SPAN_LIT("h")), item_find(&two, SPAN_LIT("h")));
    check_segments(a, key_of(a, &t, &one), 1 + next_byte(&r) * 3922);
    check_entry(a, &t, &r, &one, &two);
    arena_free(a);
    return 0;
}
