/* fuzz_codec.c: what is stored, read back from any bytes: items, and tables' descriptions. */
#include "fuzz.h"

#include "model/item_codec.h"
#include "model/schema.h"

static struct span encoded(struct arena *a, const struct item *it)
{
    struct buf out = buf_in(a);

    item_encode(&out, it);
    return buf_span(&out);
}

/* Text that decodes, encodes to text that is stable from then on. */
static void check_round(struct arena *a, const struct item *it)
{
    struct span text = encoded(a, it);
    struct item again;

    must(item_decode_checked(a, text, &again), "what was encoded can be decoded");
    must(span_equal(encoded(a, &again), text), "encoding is stable");
    must(item_size(it) == item_size(&again), "the size is kept");
}

static void check_parts(struct arena *a, struct span text, const struct item *whole)
{
    for (size_t i = 0; i < whole->len; i++) {
        struct item part = item_decode_only(a, text, &whole->at[i].name, 1);

        must(part.len == 1 && span_equal(part.at[0].name, whole->at[i].name),
             "an attribute can be decoded alone");
    }
}

static void check_table(struct arena *a, struct span text)
{
    struct table *t = schema_decode(NULL, text), *again;
    struct span first;

    if (!t)
        return;
    first = schema_encode(a, t);
    again = schema_decode(NULL, first);
    must(again != NULL, "what was encoded can be decoded");
    must(span_equal(schema_encode(a, again), first), "encoding is stable");
    schema_free(again);
    again = schema_copy(NULL, t);
    must(span_equal(schema_encode(a, again), first), "a copy is the same");
    schema_free(again);
    schema_free(t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct span names[] = {SPAN_LIT_INIT("pk"), SPAN_LIT_INIT("a")};
    struct arena *a = arena_new();
    struct span text = fuzz_input(a, data, size);
    struct item it;

    item_decode(a, text);
    item_decode_only(a, text, names, COUNT(names));
    if (item_decode_checked(a, text, &it)) {
        check_round(a, &it);
        check_parts(a, text, &it);
    }
    check_table(a, text);
    arena_free(a);
    return 0;
}
