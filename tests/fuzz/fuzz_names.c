/* fuzz_names.c: names of members. The first byte says how many bytes a name has, the rest is names:
 * an object is made of them. Of equal names the last one counts, however the keyed hash scatters
 * them; the key is what the input begins with, so that names which collide under one can be found
 * and kept. The work that names take is bounded by their number alone: a budget checks it. */
#include "fuzz.h"

#include "model/limits.h"
#include "wire/wire_attr.h"

#include <setjmp.h>

#define MOST_NAMES    2000
#define STEPS_OF_NAME 200

struct names {
    struct span at[MOST_NAMES];
    size_t count;
};

static const char hex[] = "0123456789abcdef";

static void add_hex(struct buf *out, struct span bytes)
{
    for (size_t i = 0; i < bytes.len; i++) {
        buf_add_char(out, hex[(unsigned char)bytes.at[i] >> 4]);
        buf_add_char(out, hex[(unsigned char)bytes.at[i] & 15]);
    }
}

static void read_names(struct arena *a, struct span rest, struct names *out)
{
    size_t len = rest.len ? (unsigned char)rest.at[0] % 16 + 1 : 1;

    rest = span_from(rest, rest.len > 0);
    while (rest.len >= len && out->count < MOST_NAMES) {
        struct buf name = buf_in(a);

        add_hex(&name, (struct span){rest.at, len});
        out->at[out->count++] = buf_span(&name);
        rest = span_from(rest, len);
    }
}

/* {"Item":{"name":{"N":"0"},"name":{"N":"1"},…}} */
static struct span body_of(struct arena *a, const struct names *names)
{
    struct buf out = buf_in(a);

    buf_add_text(&out, "{\"Item\":{");
    for (size_t i = 0; i < names->count; i++)
        buf_printf(&out, "%s\"%.*s\":{\"N\":\"%zu\"}", i ? "," : "", SPAN_ARG(names->at[i]), i);
    buf_add_text(&out, "}}");
    return buf_span(&out);
}

static bool comes_again(const struct names *names, size_t at)
{
    for (size_t i = at + 1; i < names->count; i++)
        if (span_equal(names->at[i], names->at[at]))
            return true;
    return false;
}

/* Those that count are there with their values, and there are no others. */
static void check(const struct names *names, const wire_node *object, const struct item *it)
{
    size_t counted = 0;

    for (size_t i = 0; i < names->count; i++) {
        const struct attr *value;
        char text[24];
        int len = snprintf(text, sizeof text, "%zu", i);

        if (comes_again(names, i))
            continue;
        counted++;
        value = item_find(it, names->at[i]);
        must(value && span_equal(value->bytes, (struct span){text, (size_t)len}),
             "the last of equal names counts");
    }
    must(it->len == counted && wire_count(object) == counted, "each name is there once");
}

static void read_back(struct arena *a, const struct names *names, const struct siphash_key *key)
{
    struct span text = body_of(a, names);
    const wire_node *body, *object;
    struct arena_budget budget = {.bytes = SIZE_MAX};
    struct item it;
    jmp_buf landing;

    budget.steps = (int64_t)(10000 + names->count * STEPS_OF_NAME);
    if (setjmp(landing) != ARENA_SPENT_NOTHING)
        must(false, "names take no more work than their number says");
    arena_limit(a, &budget, &landing);
    must(!wire_parse_keyed(a, text, key, &body) && (object = wire_get(body, "Item")),
         "the names make a body");
    must(!wire_read_item(a, object, WIRE_LAYER_CURRENT, &it), "the names make an item");
    check(names, object, &it);
    arena_unlimit(a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena *a = arena_new();
    struct span rest = fuzz_input(a, data, size);
    struct siphash_key key = {{0, 0}};
    struct names *names = arena_alloc(a, sizeof *names);
    size_t len = rest.len < sizeof key ? rest.len : sizeof key;

    if (len)
        memcpy(&key, rest.at, len);
    read_names(a, span_from(rest, len), names);
    read_back(a, names, &key);
    arena_free(a);
    return 0;
}
