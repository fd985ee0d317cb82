/* fuzz_stream.c: what clients hand back to us: shard iterators, sequence numbers and ARNs. The
 * first line is an iterator, or an ARN; the second a sequence number. */
#include "fuzz.h"

#include "ops/stream/stream_iterator.h"
#include "ops/table/table_arn.h"
#include "ops/table/table_name.h"

#define NOW_MS 1700000000000

static void check_iterator(struct call *c, struct span text)
{
    struct stream_iterator it, again;
    const struct error *e = stream_iterator_read(c, text, &it);

    if (e) {
        must(e->kind == ERROR_VALIDATION || e->kind == ERROR_EXPIRED_ITERATOR,
             "an iterator is invalid, expired or good");
        return;
    }
    must(!stream_iterator_read(c, stream_iterator_text(c, &it), &again),
         "the iterator's own text can be read");
    must(span_equal(it.arn, again.arn) && it.shard == again.shard && it.next == again.next &&
             it.issued_ms == again.issued_ms,
         "an iterator's text says where it is");
}

static void check_sequence(struct call *c, struct span text)
{
    uint64_t number;

    if (stream_number(text, &number))
        must(span_equal(stream_sequence(c, number), text), "a sequence number has one text");
}

static void check_arn(struct call *c, struct span text)
{
    struct span name;
    struct arn arn;

    if (table_arn_parse(text, &arn))
        must(arn.table.len + arn.rest.len < text.len, "an ARN is more than its table");
    if (!table_name_read(c, text, &name))
        must(name.len <= text.len, "a name is part of its text");
}

/* One without tables, in which names are looked for. */
static struct store *empty_store(void)
{
    static struct store *store;
    struct arena *a = arena_new();
    const char *problem = NULL;

    if (!store)
        store = store_open(a, &(struct store_options){.path = NULL}, &problem);
    must(store != NULL, "a store in memory can be opened");
    arena_free(a);
    return store;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct settings settings = {SPAN_LIT_INIT("us-east-1"), SPAN_LIT_INIT("123456789012"),
                                .stream_shards = 1};
    struct call c = {.arena = arena_new(), .settings = &settings, .store = empty_store()};
    struct span rest = fuzz_input(c.arena, data, size);
    struct span first = fuzz_line(&rest);

    c.clock = clock_new_fixed(NOW_MS, 1);
    check_iterator(&c, first);
    check_arn(&c, first);
    check_sequence(&c, rest);
    clock_free(c.clock);
    arena_free(c.arena);
    return 0;
}
