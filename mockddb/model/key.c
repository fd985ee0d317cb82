#include "model/key.h"

#include "base/hash.h"
#include "model/vector.h"

#include <assert.h>

static void add_word(struct buf *out, uint32_t word)
{
    unsigned char bytes[4] = {(unsigned char)(word >> 24), (unsigned char)(word >> 16),
                              (unsigned char)(word >> 8), (unsigned char)word};

    buf_add(out, bytes, sizeof bytes);
}

/* 00 → 00 FF: below every other escaped byte, above the end mark 00 00. */
static void add_escaped(struct buf *out, struct span bytes)
{
    while (bytes.len) {
        const char *zero = memchr(bytes.at, 0, bytes.len);
        size_t plain = zero ? (size_t)(zero - bytes.at) + 1 : bytes.len;

        buf_add(out, bytes.at, plain);
        if (zero)
            buf_add_char(out, (char)0xFF);
        bytes = span_from(bytes, plain);
    }
}

void key_add_prefix(struct buf *out, const struct attr *value)
{
    unsigned char number[NUM_KEY_MAX];
    struct num n;

    assert(value->type <= ATTR_B);
    if (value->type != ATTR_N) {
        add_escaped(out, value->bytes);
        return;
    }
    n = num_of(value->bytes);
    add_escaped(out, (struct span){(const char *)number, num_encode_key(&n, number)});
}

void key_add_part(struct buf *out, const struct attr *value)
{
    key_add_prefix(out, value);
    buf_add(out, "\0", 2);
}

/* Writes the hash of the bytes behind the prefix into it; the partition begins at `start`. */
static void set_hash(struct buf *out, size_t start)
{
    size_t from = start + KEY_PREFIX_LEN;
    uint32_t hash = hash_bytes((struct span){out->at + from, out->len - from});

    for (size_t i = 0; i < 4; i++)
        out->at[start + KEY_SPACE_LEN + i] = (char)(hash >> (24 - 8 * i));
}

void key_of_partition(struct buf *out, uint32_t space, const struct attr *const *hash, size_t count)
{
    size_t start = out->len;

    add_word(out, space);
    add_word(out, 0);
    for (size_t i = 0; i < count; i++)
        key_add_part(out, hash[i]);
    set_hash(out, start);
}

static void add_parts(struct buf *out, const struct key_part *parts, size_t count,
                      const struct item *it)
{
    for (size_t i = 0; i < count; i++) {
        const struct attr *value = item_find(it, parts[i].name);

        assert(value && value->type == parts[i].type);
        key_add_part(out, value);
    }
}

static void add_position(struct buf *out, uint32_t space, const struct key_schema *keys,
                         const struct item *it)
{
    size_t start = out->len;

    add_word(out, space);
    add_word(out, 0);
    add_parts(out, keys->hash, keys->hash_count, it);
    set_hash(out, start);
    add_parts(out, keys->range, keys->range_count, it);
}

void key_of_item(struct buf *out, const struct table *t, const struct item *it)
{
    add_position(out, t->space, &t->keys, it);
}

/* An index holds no empty or too long keys: such items can only be older than the index. */
static bool has_parts(const struct key_part *parts, size_t count, const struct item *it,
                      size_t most)
{
    size_t bytes = 0;

    for (size_t i = 0; i < count; i++) {
        const struct attr *value = item_find(it, parts[i].name);

        if (!value || value->type != parts[i].type || !value->bytes.len)
            return false;
        bytes += attr_size(value);
    }
    return bytes <= most;
}

/* A vector index is partitioned by its HASH, if it has one; within a partition only the primary key
 * counts. */
static void add_vector_position(struct buf *out, const struct index *ix, const struct item *it)
{
    const struct search_part *hash = schema_search_hash(ix);
    const struct attr *value = hash ? item_find(it, hash->name) : NULL;

    key_of_partition(out, ix->space, &value, value ? 1 : 0);
}

bool key_of_entry(struct buf *out, const struct table *t, const struct index *ix,
                  const struct item *it)
{
    bool of_vector = schema_kind(ix) == KIND_VECTOR;

    if (of_vector && !vector_is_indexed(ix, it))
        return false;
    if (!has_parts(ix->keys.hash, ix->keys.hash_count, it, LIMIT_HASH_BYTES) ||
        !has_parts(ix->keys.range, ix->keys.range_count, it, LIMIT_RANGE_BYTES))
        return false;
    if (of_vector)
        add_vector_position(out, ix, it);
    else
        add_position(out, ix->space, &ix->keys, it);
    add_parts(out, t->keys.hash, t->keys.hash_count, it);
    add_parts(out, t->keys.range, t->keys.range_count, it);
    return true;
}

/* --- decoding --------------------------------------------------------------------------------- */

/* Takes an escaped attribute and its end mark off the front of *rest. */
static struct span take_escaped(struct arena *a, struct span *rest)
{
    struct span bytes = {rest->at, 0};
    struct buf copy = buf_in(a);

    for (;;) {
        const char *zero = memchr(rest->at, 0, rest->len);

        assert(zero && (size_t)(zero - rest->at) + 1 < rest->len);
        bytes.len = (size_t)(zero - bytes.at);
        *rest = span_from(*rest, (size_t)(zero - rest->at) + 2);
        if (!zero[1])
            break;
        buf_add(&copy, bytes.at, bytes.len + 1);
        bytes = (struct span){rest->at, 0};
    }
    if (!copy.len)
        return bytes;
    buf_add_span(&copy, bytes);
    return buf_span(&copy);
}

static void add_once(struct item *to, struct field field)
{
    if (!item_find(to, field.name))
        to->at[to->len++] = field;
}

/* Takes the attributes of one key, in an array with room for `more` further ones. */
static struct item take_key(struct arena *a, const struct key_schema *keys, size_t more,
                            struct span *rest)
{
    size_t most = schema_key_count(keys) + more;
    struct item out = {.at = arena_alloc_raw(a, most * sizeof *out.at)};
    const struct key_part *part;

    for (size_t i = 0; (part = schema_key_part(keys, i)); i++) {
        struct span bytes = take_escaped(a, rest);

        if (part->type == ATTR_N) {
            struct num n = num_decode_key(bytes);
            struct buf text = buf_in(a);

            num_format(&text, &n);
            bytes = buf_span(&text);
        }
        add_once(&out, (struct field){part->name, {.type = part->type, .bytes = bytes}});
    }
    return out;
}

struct item key_read(struct arena *a, const struct table *t, const struct index *ix,
                     struct span key)
{
    struct span rest = span_from(key, KEY_PREFIX_LEN);
    struct item of_index = {.len = 0}, out;

    if (ix)
        of_index = take_key(a, &ix->keys, 0, &rest);
    out = take_key(a, &t->keys, of_index.len, &rest);
    for (size_t i = 0; i < of_index.len; i++)
        add_once(&out, of_index.at[i]);
    return out;
}

struct span key_partition(const struct key_schema *keys, struct span key)
{
    size_t len = KEY_PREFIX_LEN;

    for (size_t i = 0; i < keys->hash_count; i++) {
        while (len + 1 < key.len && (key.at[len] || key.at[len + 1]))
            len += key.at[len] ? 1 : 2;
        len += 2;
    }
    return (struct span){key.at, len < key.len ? len : key.len};
}

bool key_next(struct buf *position)
{
    size_t len = position->len;

    while (len && (unsigned char)position->at[len - 1] == 0xFF)
        len--;
    if (!len)
        return false;
    position->len = len;
    position->at[len - 1]++;
    return true;
}

void key_of_space(struct buf *out, uint32_t space)
{
    add_word(out, space);
}

void key_of_segment(struct buf *out, uint32_t space, uint32_t segment, uint32_t total)
{
    uint64_t lowest;

    assert(total && segment <= total);
    if (segment == total) {
        assert(space < UINT32_MAX);
        add_word(out, space + 1);
        return;
    }
    lowest = (((uint64_t)segment << 32) + total - 1) / total;
    add_word(out, space);
    add_word(out, (uint32_t)lowest);
}

uint32_t key_hash(struct span key)
{
    assert(key.len >= KEY_PREFIX_LEN);
    return (uint32_t)span_big_endian((struct span){key.at + KEY_SPACE_LEN, 4});
}

uint32_t key_segment(struct span key, uint32_t total)
{
    return (uint32_t)((uint64_t)key_hash(key) * total >> 32);
}
