#include "unit.h"

#include "base/hash.h"
#include "model/key.h"

static int sign_of(int order)
{
    return (order > 0) - (order < 0);
}

/* --- single attributes --------------------------------------------------------------------- */

static struct span part_of(const struct attr *value)
{
    struct buf out = buf_in(arena);

    key_add_part(&out, value);
    return buf_span(&out);
}

static const struct {
    const char *value;
    struct span part;
} parts[] = {
    {"{\"S\":\"a\"}", SPAN_LIT_INIT("a\0\0")},
    {"{\"S\":\"\"}", SPAN_LIT_INIT("\0\0")},
    {"{\"S\":\"\\u0000\"}", SPAN_LIT_INIT("\0\xff\0\0")},
    {"{\"S\":\"a\\u0000b\"}", SPAN_LIT_INIT("a\0\xff"
                                            "b\0\0")},
    {"{\"B\":\"AAD/\"}", SPAN_LIT_INIT("\0\xff\0\xff\xff\0\0")},
    {"{\"N\":\"0\"}", SPAN_LIT_INIT("\x80\0\0")},
    {"{\"N\":\"1\"}", SPAN_LIT_INIT("\x81\x82\x0b\0\0")},
    {"{\"N\":\"-1\"}", SPAN_LIT_INIT("\x7f\x7d\xf4\xff\0\0")},
    {"{\"N\":\"123\"}", SPAN_LIT_INIT("\x81\x84\x0d\x1f\0\0")},
};

/* These bytes are part of the file format. */
START_TEST(an_attribute_is_escaped_and_ended)
{
    struct attr value = unit_attr(parts[_i].value);

    ck_assert(span_equal(part_of(&value), parts[_i].part));
}
END_TEST

START_TEST(a_prefix_is_what_longer_values_begin_with)
{
    struct attr prefix = unit_attr("{\"S\":\"a\\u0000\"}");
    struct attr longer = unit_attr("{\"S\":\"a\\u0000b\"}"), other = unit_attr("{\"S\":\"ab\"}");
    struct buf out = buf_in(arena);

    key_add_prefix(&out, &prefix);
    ck_assert(span_starts_with(part_of(&longer), buf_span(&out)));
    ck_assert(span_starts_with(part_of(&prefix), buf_span(&out)));
    ck_assert(!span_starts_with(part_of(&other), buf_span(&out)));
}
END_TEST

/* Short values from few symbols, so that equal beginnings are common. */
static struct attr random_value(enum attr_type type)
{
    static const char *const symbols[] = {"", "\x01", "a", "b", "\xc3\xa9", "\xf0\x9f\x98\x80"};
    struct attr value = {.type = type};
    struct buf bytes = buf_in(arena);

    if (type == ATTR_N) {
        struct num n;

        ck_assert_int_eq(num_parse(span_of(arena_printf(arena, "%de%d", unit_random_from(-150, 149),
                                                        unit_random_from(-3, 3))),
                                   false, &n),
                         NUM_OK);
        num_format(&bytes, &n);
    } else {
        for (unsigned i = unit_random(5); i > 0; i--) {
            const char *symbol = symbols[unit_random(COUNT(symbols))];

            if (type == ATTR_B)
                buf_add_char(&bytes, (char)unit_random_from(-1, 1));
            else if (*symbol)
                buf_add_text(&bytes, symbol);
            else
                buf_add_char(&bytes, '\0');
        }
    }
    value.bytes = buf_span(&bytes);
    return value;
}

START_TEST(parts_sort_like_their_values)
{
    for (int i = 0; i < 20000; i++) {
        enum attr_type type = (enum attr_type)(unit_random(3));
        struct attr a = random_value(type), b = random_value(type);

        ck_assert_int_eq(sign_of(span_compare(part_of(&a), part_of(&b))),
                         sign_of(attr_compare(&a, &b)));
        if (i % 100 == 0)
            arena_reset(arena);
    }
}
END_TEST

/* --- positions ----------------------------------------------------------------------------- */

static struct table *table_of(uint32_t space)
{
    static struct index indexes[3];
    struct table *t = arena_alloc(arena, sizeof *t);

    t->name = SPAN_LIT("T");
    t->space = space;
    t->keys = (struct key_schema){.hash = {{SPAN_LIT("pk"), ATTR_S}},
                                  .hash_count = 1,
                                  .range = {{SPAN_LIT("sk"), ATTR_N}},
                                  .range_count = 1};
    indexes[0] = (struct index){.name = SPAN_LIT("local"), .space = space + 1, .keys = t->keys};
    indexes[0].keys.range[0] = (struct key_part){SPAN_LIT("l"), ATTR_S};
    indexes[1] = (struct index){.name = SPAN_LIT("global"),
                                .space = space + 2,
                                .keys = {.hash = {{SPAN_LIT("g"), ATTR_B}}, .hash_count = 1}};
    indexes[2] = (struct index){
        .name = SPAN_LIT("many"),
        .space = space + 3,
        .keys = {
            .hash = {{SPAN_LIT("a"), ATTR_S}, {SPAN_LIT("b"), ATTR_S}},
            .hash_count = 2,
            .range = {{SPAN_LIT("c"), ATTR_S}, {SPAN_LIT("d"), ATTR_N}, {SPAN_LIT("e"), ATTR_B}},
            .range_count = 3}};
    t->indexes = indexes;
    t->index_count = COUNT(indexes);
    return t;
}

static struct span item_key(const struct table *t, const struct item *it)
{
    struct buf out = buf_in(arena);

    key_of_item(&out, t, it);
    return buf_span(&out);
}

static struct span entry_key(const struct table *t, size_t index, const struct item *it)
{
    struct buf out = buf_in(arena);

    ck_assert(key_of_entry(&out, t, &t->indexes[index], it));
    return buf_span(&out);
}

START_TEST(a_position_is_space_hash_and_attributes)
{
    const struct table *t = table_of(0x01020304);
    struct item it = unit_item("{\"sk\":{\"N\":\"1\"},\"x\":{\"N\":\"2\"},\"pk\":{\"S\":\"a\"}}");
    struct buf expected = buf_in(arena);
    uint32_t hash = hash_bytes(SPAN_LIT("a\0\0"));

    buf_add(&expected, "\1\2\3\4", 4);
    for (int shift = 24; shift >= 0; shift -= 8)
        buf_add_char(&expected, (char)(hash >> shift));
    buf_add(&expected, "a\0\0\x81\x82\x0b\0\0", 8);
    ck_assert(span_equal(item_key(t, &it), buf_span(&expected)));
}
END_TEST

START_TEST(positions_are_appended)
{
    const struct table *t = table_of(1);
    struct item it = unit_item("{\"sk\":{\"N\":\"1\"},\"pk\":{\"S\":\"a\"}}");
    struct span alone = item_key(t, &it);
    struct buf out = buf_in(arena);

    buf_add_text(&out, "before");
    key_of_item(&out, t, &it);
    ck_assert(span_equal(span_from(buf_span(&out), 6), alone));
}
END_TEST

START_TEST(a_partition_begins_its_positions)
{
    const struct table *t = table_of(1);
    struct item it = unit_item("{\"sk\":{\"N\":\"1\"},\"pk\":{\"S\":\"a\"}}");
    const struct attr *hash = item_find(&it, SPAN_LIT("pk"));
    struct buf out = buf_in(arena);

    key_of_partition(&out, t->space, &hash, 1);
    ck_assert(span_starts_with(item_key(t, &it), buf_span(&out)));
    ck_assert(span_equal(key_partition(&t->keys, item_key(t, &it)), buf_span(&out)));
    key_add_part(&out, item_find(&it, SPAN_LIT("sk")));
    ck_assert(span_equal(item_key(t, &it), buf_span(&out)));
}
END_TEST

START_TEST(an_entry_ends_with_the_primary_key)
{
    const struct table *t = table_of(1);
    struct item it = unit_item(
        "{\"sk\":{\"N\":\"1\"},\"pk\":{\"S\":\"a\"},\"l\":{\"S\":\"x\"},\"g\":{"
        "\"B\":\"AA==\"}}");
    struct span primary = span_from(item_key(t, &it), KEY_PREFIX_LEN);
    struct span local = entry_key(t, 0, &it), global = entry_key(t, 1, &it);

    ck_assert(span_equal(span_from(local, KEY_PREFIX_LEN + 6), primary));
    ck_assert(span_equal((struct span){local.at + KEY_PREFIX_LEN, 6}, SPAN_LIT("a\0\0x\0\0")));
    ck_assert(span_equal(span_from(global, KEY_PREFIX_LEN + 4), primary));
}
END_TEST

static const struct {
    const char *item, *table, *local, *global; /* what each key gives back */
} readable[] = {
    {"{\"pk\":{\"S\":\"a\"},\"sk\":{\"N\":\"-12.5\"},\"l\":{\"S\":\"x\"},\"g\":{\"B\":\"AA==\"}}",
     "{\"pk\":{\"S\":\"a\"},\"sk\":{\"N\":\"-12.5\"}}",
     "{\"pk\":{\"S\":\"a\"},\"sk\":{\"N\":\"-12.5\"},\"l\":{\"S\":\"x\"}}",
     "{\"pk\":{\"S\":\"a\"},\"sk\":{\"N\":\"-12.5\"},\"g\":{\"B\":\"AA==\"}}"},
    {"{\"g\":{\"B\":\"AP8A/wA=\"},\"l\":{\"S\":\"\\u0000\"},\"x\":{\"S\":\"y\"},\"sk\":{\"N\":"
     "\"0\"},\"pk\":{\"S\":\"\\u0000a\\u0000\"}}",
     "{\"pk\":{\"S\":\"\\u0000a\\u0000\"},\"sk\":{\"N\":\"0\"}}",
     "{\"pk\":{\"S\":\"\\u0000a\\u0000\"},\"sk\":{\"N\":\"0\"},\"l\":{\"S\":\"\\u0000\"}}",
     "{\"pk\":{\"S\":\"\\u0000a\\u0000\"},\"sk\":{\"N\":\"0\"},\"g\":{\"B\":\"AP8A/wA=\"}}"},
};

START_TEST(a_key_gives_its_attributes_back)
{
    const struct table *t = table_of(1);
    struct item it = unit_item(readable[_i].item), back;

    back = key_read(arena, t, NULL, item_key(t, &it));
    ck_assert_str_eq(unit_item_text(&back), readable[_i].table);
    back = key_read(arena, t, &t->indexes[0], entry_key(t, 0, &it));
    ck_assert_str_eq(unit_item_text(&back), readable[_i].local);
    back = key_read(arena, t, &t->indexes[1], entry_key(t, 1, &it));
    ck_assert_str_eq(unit_item_text(&back), readable[_i].global);
}
END_TEST

static const char *const outside[] = {
    "{\"pk\":{\"S\":\"a\"},\"sk\":{\"N\":\"1\"}}",
    "{\"pk\":{\"S\":\"a\"},\"sk\":{\"N\":\"1\"},\"g\":{\"S\":\"x\"}}",
    "{\"pk\":{\"S\":\"a\"},\"sk\":{\"N\":\"1\"},\"g\":{\"B\":\"\"}}",
    "{\"pk\":{\"S\":\"a\"},\"sk\":{\"N\":\"1\"},\"g\":{\"L\":[]}}",
    "{\"pk\":{\"S\":\"a\"},\"sk\":{\"N\":\"1\"},\"g\":{\"NULL\":true}}",
};

START_TEST(an_index_leaves_out_what_has_no_key)
{
    const struct table *t = table_of(1);
    struct item it = unit_item(outside[_i]);
    struct buf out = buf_in(arena);

    ck_assert(!key_of_entry(&out, t, &t->indexes[1], &it));
    ck_assert_uint_eq(out.len, 0);
}
END_TEST

START_TEST(an_index_leaves_out_what_lacks_one_of_many)
{
    static const char *const names[] = {"a", "b", "c", "d", "e"};
    const struct table *t = table_of(1);
    struct item it = unit_item(
        "{\"pk\":{\"S\":\"a\"},\"sk\":{\"N\":\"1\"},\"a\":{\"S\":\"1\"},\"b\":{"
        "\"S\":\"2\"},\"c\":{\"S\":\"3\"},\"d\":{\"N\":\"4\"},\"e\":{\"B\":"
        "\"AA==\"}}");
    struct buf out = buf_in(arena);

    ck_assert(key_of_entry(&out, t, &t->indexes[2], &it));
    for (size_t i = 0; i < it.len; i++)
        if (span_is(it.at[i].name, names[_i]))
            it.at[i].name = SPAN_LIT("other");
    out.len = 0;
    ck_assert(!key_of_entry(&out, t, &t->indexes[2], &it));
    ck_assert_uint_eq(out.len, 0);
}
END_TEST

static struct item random_item(void)
{
    static const char *const names[] = {"c", "d", "e", "pk", "sk"};
    static const enum attr_type types[] = {ATTR_S, ATTR_N, ATTR_B, ATTR_S, ATTR_N};
    struct item it = {0};

    item_set(arena, &it, SPAN_LIT("a"), unit_attr("{\"S\":\"a\"}"));
    item_set(arena, &it, SPAN_LIT("b"), unit_attr("{\"S\":\"b\"}"));
    for (size_t i = 0; i < COUNT(names); i++) {
        struct attr value;

        do
            value = random_value(types[i]);
        while (!value.bytes.len);
        item_set(arena, &it, span_of(names[i]), value);
    }
    return it;
}

/* Sort attributes of the index one after the other, then the primary key. */
static int order_in_index(const struct item *a, const struct item *b)
{
    static const char *const names[] = {"c", "d", "e", "pk", "sk"};
    int order = 0;

    for (size_t i = 0; !order && i < COUNT(names); i++)
        order = attr_compare(item_find(a, span_of(names[i])), item_find(b, span_of(names[i])));
    return order;
}

START_TEST(entries_sort_by_their_attributes_then_the_primary_key)
{
    for (int i = 0; i < 5000; i++) {
        const struct table *t = table_of(1);
        struct item a = random_item(), b = random_item();

        if (unit_random(2))
            item_set(arena, &b, SPAN_LIT("c"), *item_find(&a, SPAN_LIT("c")));
        if (unit_random(2))
            item_set(arena, &b, SPAN_LIT("d"), *item_find(&a, SPAN_LIT("d")));
        ck_assert_int_eq(sign_of(span_compare(entry_key(t, 2, &a), entry_key(t, 2, &b))),
                         sign_of(order_in_index(&a, &b)));
        b = key_read(arena, t, &t->indexes[2], entry_key(t, 2, &a));
        ck_assert(item_equal(&b, &a)); /* all its attributes are in this key */
        arena_reset(arena);
    }
}
END_TEST

START_TEST(attributes_do_not_run_together)
{
    const struct table *t = table_of(1);
    struct item a = random_item(), b;

    item_set(arena, &a, SPAN_LIT("a"), unit_attr("{\"S\":\"x\"}"));
    item_set(arena, &a, SPAN_LIT("b"), unit_attr("{\"S\":\"yz\"}"));
    b = item_copy(arena, &a);
    item_set(arena, &b, SPAN_LIT("a"), unit_attr("{\"S\":\"xy\"}"));
    item_set(arena, &b, SPAN_LIT("b"), unit_attr("{\"S\":\"z\"}"));
    ck_assert(!span_equal(entry_key(t, 2, &a), entry_key(t, 2, &b)));
}
END_TEST

/* --- ranges -------------------------------------------------------------------------------- */

static const struct {
    struct span position, next; /* next.at NULL: there is none */
} nexts[] = {
    {SPAN_LIT_INIT("a"), SPAN_LIT_INIT("b")},
    {SPAN_LIT_INIT("a\0\0"), SPAN_LIT_INIT("a\0\1")},
    {SPAN_LIT_INIT("a\xff"), SPAN_LIT_INIT("b")},
    {SPAN_LIT_INIT("a\x7f"), SPAN_LIT_INIT("a\x80")},
    {SPAN_LIT_INIT("a\0\xff\xff"), SPAN_LIT_INIT("a\1")},
    {SPAN_LIT_INIT("\xff\xff"), {NULL, 0}},
    {SPAN_LIT_INIT(""), {NULL, 0}},
};

START_TEST(finds_the_end_of_all_that_begins_alike)
{
    struct buf position = buf_in(arena);

    buf_add_span(&position, nexts[_i].position);
    ck_assert(key_next(&position) == (nexts[_i].next.at != NULL));
    ck_assert(
        span_equal(buf_span(&position), nexts[_i].next.at ? nexts[_i].next : nexts[_i].position));
}
END_TEST

START_TEST(a_space_begins_all_its_positions)
{
    const struct table *t = table_of(7);
    struct item it = unit_item("{\"sk\":{\"N\":\"1\"},\"pk\":{\"S\":\"a\"}}");
    struct buf out = buf_in(arena);

    key_of_space(&out, 7);
    ck_assert_uint_eq(out.len, KEY_SPACE_LEN);
    ck_assert(span_starts_with(item_key(t, &it), buf_span(&out)));
}
END_TEST

static struct span segment_start(uint32_t segment, uint32_t total)
{
    struct buf out = buf_in(arena);

    key_of_segment(&out, 9, segment, total);
    return buf_span(&out);
}

static const uint32_t totals[] = {1, 2, 3, 5, 7, 64, 1000, 4096, 999999, 1000000};

START_TEST(segments_are_ranges_that_cover_all_hashes)
{
    uint32_t total = totals[_i];
    struct table *t = table_of(9);

    ck_assert(span_equal(segment_start(0, total), SPAN_LIT("\0\0\0\x09\0\0\0\0")));
    ck_assert(span_equal(segment_start(total, total), SPAN_LIT("\0\0\0\x0a")));
    for (int i = 0; i < 1000; i++) {
        struct item it = unit_item(arena_printf(
            arena, "{\"pk\":{\"S\":\"%u\"},\"sk\":{\"N\":\"%d\"}}", unit_random(1000000), i));
        struct span key = item_key(t, &it);
        uint32_t segment = key_segment(key, total);

        ck_assert_uint_lt(segment, total);
        ck_assert_int_le(span_compare(segment_start(segment, total), key), 0);
        ck_assert_int_gt(span_compare(segment_start(segment + 1, total), key), 0);
    }
}
END_TEST

/* The lowest hash of a segment, and the one before it, in the segment and before it. */
START_TEST(segment_bounds_are_exact)
{
    uint32_t total = totals[_i];

    for (uint32_t segment = 1; segment < total; segment += 1 + total / 1000) {
        struct span start = segment_start(segment, total);
        struct span before;
        char *bytes = arena_text(arena, start);

        ck_assert_uint_eq(start.len, KEY_PREFIX_LEN);
        ck_assert_uint_eq(key_segment(start, total), segment);
        for (size_t i = KEY_PREFIX_LEN; i-- > KEY_SPACE_LEN && bytes[i]-- == 0;)
            ;
        before = (struct span){bytes, KEY_PREFIX_LEN};
        ck_assert_uint_eq(key_segment(before, total), segment - 1);
    }
}
END_TEST

START_TEST(partitions_spread_over_segments)
{
    struct table *t = table_of(9);
    int counts[16] = {0};

    for (int i = 0; i < 1600; i++) {
        struct item it = unit_item(
            arena_printf(arena, "{\"pk\":{\"S\":\"user#%d\"},\"sk\":{\"N\":\"1\"}}", i));

        counts[key_segment(item_key(t, &it), 16)]++;
    }
    for (size_t i = 0; i < COUNT(counts); i++) {
        ck_assert_int_gt(counts[i], 50);
        ck_assert_int_lt(counts[i], 200);
    }
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, an_attribute_is_escaped_and_ended, 0, COUNT(parts));
    tcase_add_test(tc, a_prefix_is_what_longer_values_begin_with);
    tcase_add_test(tc, parts_sort_like_their_values);
    tcase_add_test(tc, a_position_is_space_hash_and_attributes);
    tcase_add_test(tc, positions_are_appended);
    tcase_add_test(tc, a_partition_begins_its_positions);
    tcase_add_test(tc, an_entry_ends_with_the_primary_key);
    tcase_add_loop_test(tc, a_key_gives_its_attributes_back, 0, COUNT(readable));
    tcase_add_loop_test(tc, an_index_leaves_out_what_has_no_key, 0, COUNT(outside));
    tcase_add_loop_test(tc, an_index_leaves_out_what_lacks_one_of_many, 0, 5);
    tcase_add_test(tc, entries_sort_by_their_attributes_then_the_primary_key);
    tcase_add_test(tc, attributes_do_not_run_together);
    tcase_add_loop_test(tc, finds_the_end_of_all_that_begins_alike, 0, COUNT(nexts));
    tcase_add_test(tc, a_space_begins_all_its_positions);
    tcase_add_loop_test(tc, segments_are_ranges_that_cover_all_hashes, 0, COUNT(totals));
    tcase_add_loop_test(tc, segment_bounds_are_exact, 0, COUNT(totals));
    tcase_add_test(tc, partitions_spread_over_segments);
}

UNIT_TESTS(key, add_tests)
