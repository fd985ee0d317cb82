#include "masking/mask_value.h"

#include "base/ascii.h"
#include "base/buf.h"
#include "model/attr_set.h"

#define ROUNDS 8

struct mask_key mask_value_key(struct span salt)
{
    struct mask_key key = {.bytes = {0}};

    digest_sha256(salt, key.bytes);
    return key;
}

/* Bytes computed from the key, a mark for their purpose, and a text. */
static void keyed_bytes(struct arena *a, const struct mask_key *key, char mark, struct span text,
                        unsigned char out[SHA256_LEN])
{
    struct buf bytes = buf_in(a);

    buf_add(&bytes, key->bytes, sizeof key->bytes);
    buf_add_char(&bytes, mark);
    buf_add_span(&bytes, text);
    digest_sha256(buf_span(&bytes), out);
}

/* --- replacing: another text of the same form ------------------------------------------------- */

/* A position in the text that can hold one of `radix` characters. */
struct text_slot {
    size_t at;
    unsigned radix, base;
};

struct slots {
    struct text_slot *at;
    size_t len;
};

static void add_slot(struct slots *s, size_t at, unsigned radix, unsigned base)
{
    s->at[s->len++] = (struct text_slot){at, radix, base};
}

static bool goes_on(struct span text, size_t at)
{
    return at < text.len && ((unsigned char)text.at[at] & 0xC0) == 0x80;
}

/* Letters, digits, and the last byte of other characters, which has 64 values. */
static struct slots slots_of_text(struct arena *a, struct span text)
{
    struct slots s = {arena_array(a, text.len, sizeof *s.at), 0};

    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.at[i];

        if (c >= 'a' && c <= 'z')
            add_slot(&s, i, 26, 'a');
        else if (c >= 'A' && c <= 'Z')
            add_slot(&s, i, 26, 'A');
        else if (ascii_is_digit((char)c))
            add_slot(&s, i, 10, '0');
        else if (goes_on(text, i) && !goes_on(text, i + 1))
            add_slot(&s, i, 64, 0x80);
    }
    return s;
}

/* The digits of a number in plain decimal. The first significant one and the last of a fraction
 * stay nonzero, because zeros there are not written. */
static struct slots slots_of_number(struct arena *a, struct span text)
{
    bool fraction = span_has(text, '.'), counts = false;
    struct slots s = {arena_array(a, text.len, sizeof *s.at), 0};

    for (size_t i = 0; i < text.len; i++) {
        bool first = !counts;

        if (!ascii_is_digit(text.at[i]) || (first && text.at[i] == '0'))
            continue;
        counts = true;
        if (first || (fraction && i + 1 == text.len))
            add_slot(&s, i, 9, '1');
        else
            add_slot(&s, i, 10, '0');
    }
    return s;
}

static struct slots slots_of_bytes(struct arena *a, struct span bytes)
{
    struct slots s = {arena_array(a, bytes.len, sizeof *s.at), 0};

    for (size_t i = 0; i < bytes.len; i++)
        add_slot(&s, i, 256, 0);
    return s;
}

/* Rotates the digits of some slots by a seed made of the other slots and the form. */
static void turn_slots(struct arena *a, const struct mask_key *key, struct buf *seed, char *text,
                       const struct slots *s, size_t from, size_t to)
{
    unsigned char stream[SHA256_LEN];
    size_t used = SHA256_LEN;

    for (size_t i = from; i < to; i++, used += 2) {
        const struct text_slot *slot = &s->at[i];
        unsigned digit = (unsigned char)text[slot->at] - slot->base;

        if (used + 2 > SHA256_LEN) {
            buf_printf(seed, ":%zu", i);
            keyed_bytes(a, key, 'r', buf_span(seed), stream);
            used = 0;
        }
        digit = (digit + (stream[used] * 256u + stream[used + 1])) % slot->radix;
        text[slot->at] = (char)(slot->base + digit);
    }
}

/* A Feistel network over slots of any radix: a permutation of all texts of the form. */
static struct span permuted_text(struct arena *a, const struct mask_key *key, struct span text,
                                 const struct slots *s)
{
    size_t middle = (s->len + 1) / 2;
    char *out = arena_text(a, text);

    for (int round = 0; round < ROUNDS && s->len; round++) {
        size_t from = round % 2 ? middle : 0, to = round % 2 ? s->len : middle;
        char *rest = arena_alloc(a, text.len + 1);
        struct buf seed = buf_in(a);

        memcpy(rest, out, text.len);
        for (size_t i = from; i < to; i++) /* the slots that are changed are not part of the seed */
            rest[s->at[i].at] = 0;
        buf_printf(&seed, "%d:%zu:", round, s->len);
        buf_add(&seed, rest, text.len);
        turn_slots(a, key, &seed, out, s, from, to);
    }
    return (struct span){out, text.len};
}

/* --- one value -------------------------------------------------------------------------------- */

static struct span with_hash(struct arena *a, const struct mask_key *key, const char *with,
                             struct span text)
{
    const char *place = strstr(with, "{}");
    unsigned char hash[SHA256_LEN];
    struct buf out = buf_in(a);

    keyed_bytes(a, key, 'h', text, hash);
    buf_add(&out, with, (size_t)(place - with));
    buf_add_hex(&out, hash, 8);
    buf_add_text(&out, place + 2);
    return buf_span(&out);
}

struct span mask_value_text(struct arena *a, const struct mask_key *key, enum mask_action action,
                            const char *with, struct span text)
{
    struct slots s;

    if (action == MASK_HIDE)
        return SPAN_LIT("***");
    if (!text.len)
        return text;
    if (action == MASK_HASH) {
        unsigned char hash[SHA256_LEN];
        struct buf out = buf_in(a);

        keyed_bytes(a, key, 'h', text, hash);
        buf_add_hex(&out, hash, 16);
        return buf_span(&out);
    }
    if (with)
        return with_hash(a, key, with, text);
    s = slots_of_text(a, text);
    return permuted_text(a, key, text, &s);
}

/* A number stays a number: its hash is 30 digits. */
static struct span mask_number(struct arena *a, const struct mask_key *key, enum mask_action action,
                               struct span text)
{
    unsigned char hash[SHA256_LEN];
    struct buf out = buf_in(a);
    struct slots s;

    if (action == MASK_HIDE)
        return SPAN_LIT("0");
    if (action == MASK_REPLACE) {
        s = slots_of_number(a, text);
        return permuted_text(a, key, text, &s);
    }
    keyed_bytes(a, key, 'n', text, hash);
    buf_add_char(&out, (char)('1' + hash[0] % 9));
    for (size_t i = 1; i < 30; i++)
        buf_add_char(&out, (char)('0' + hash[i] % 10));
    return buf_span(&out);
}

static struct span mask_binary(struct arena *a, const struct mask_key *key, enum mask_action action,
                               struct span bytes)
{
    unsigned char hash[SHA256_LEN];
    struct slots s;

    if (action == MASK_HIDE)
        return SPAN_LIT("*");
    if (action == MASK_REPLACE) {
        s = slots_of_bytes(a, bytes);
        return permuted_text(a, key, bytes, &s);
    }
    keyed_bytes(a, key, 'b', bytes, hash);
    return arena_span(a, (struct span){(const char *)hash, 16});
}

static struct attr mask_scalar(struct arena *a, const struct mask_key *key, enum mask_action action,
                               const char *with, enum attr_type type, struct span bytes)
{
    struct attr out = {.type = type};

    if (type == ATTR_N)
        out.bytes = mask_number(a, key, action, bytes);
    else if (type == ATTR_B)
        out.bytes = mask_binary(a, key, action, bytes);
    else
        out.bytes = mask_value_text(a, key, action, with, bytes);
    return out;
}

static struct attr set_or_list(struct arena *a, const struct mask_key *key, enum mask_action action,
                               const char *with, const struct attr *value)
{
    struct attr out = {.type = value->type};
    bool is_set = attr_is_set(value->type);

    out.list.at = arena_array(a, value->list.len, sizeof *out.list.at);
    out.list.len = is_set && action == MASK_HIDE ? 1 : value->list.len;
    for (size_t i = 0; i < out.list.len; i++)
        out.list.at[i] = mask_value(a, key, action, with, &value->list.at[i]);
    if (is_set)
        (void)attr_set_normalize(a, &out);
    return out;
}

struct attr mask_value(struct arena *a, const struct mask_key *key, enum mask_action action,
                       const char *with, const struct attr *value)
{
    struct attr out = {.type = value->type};

    switch (value->type) {
    case ATTR_S:
    case ATTR_N:
    case ATTR_B:
        return mask_scalar(a, key, action, with, value->type, value->bytes);
    case ATTR_M:
        out.map.at = arena_array(a, value->map.len, sizeof *out.map.at);
        for (; out.map.len < value->map.len; out.map.len++)
            out.map.at[out.map.len] = (struct field){
                value->map.at[out.map.len].name,
                mask_value(a, key, action, with, &value->map.at[out.map.len].value)};
        return out;
    case ATTR_BOOL:
        out.boolean = action != MASK_HIDE && value->boolean;
        return out;
    case ATTR_NULL:
        return *value;
    default:
        return set_or_list(a, key, action, with, value);
    }
}
