#include "unit.h"

static const struct {
    enum attr_type type;
    const char *code, *name;
} types[] = {
    {ATTR_S, "S", "STRING"},        {ATTR_N, "N", "NUMBER"},       {ATTR_B, "B", "BINARY"},
    {ATTR_SS, "SS", "STRING_SET"},  {ATTR_NS, "NS", "NUMBER_SET"}, {ATTR_BS, "BS", "BINARY_SET"},
    {ATTR_BOOL, "BOOL", "BOOLEAN"}, {ATTR_NULL, "NULL", "NULL"},   {ATTR_L, "L", "LIST"},
    {ATTR_M, "M", "MAP"},
};

START_TEST(names_types_both_ways)
{
    enum attr_type type;

    ck_assert_str_eq(attr_type_code(types[_i].type), types[_i].code);
    ck_assert_str_eq(attr_type_name(types[_i].type), types[_i].name);
    ck_assert(attr_type_of_code(span_of(types[_i].code), &type));
    ck_assert_int_eq(type, types[_i].type);
}
END_TEST

static const char *const no_types[] = {"", "s", "SSS", "STRING", "BOO", "NULLS", "X"};

START_TEST(knows_no_other_type)
{
    enum attr_type type;

    ck_assert(!attr_type_of_code(span_of(no_types[_i]), &type));
}
END_TEST

/* All different from each other. */
static const char *const values[] = {
    "{\"S\":\"\"}",
    "{\"S\":\"1\"}",
    "{\"S\":\"a\"}",
    "{\"S\":\"a\\u0000\"}",
    "{\"N\":\"1\"}",
    "{\"N\":\"-1\"}",
    "{\"B\":\"\"}",
    "{\"B\":\"YQ==\"}",
    "{\"SS\":[\"a\"]}",
    "{\"SS\":[\"a\",\"b\"]}",
    "{\"NS\":[\"1\"]}",
    "{\"NS\":[\"1\",\"2\"]}",
    "{\"BS\":[\"YQ==\"]}",
    "{\"BOOL\":true}",
    "{\"BOOL\":false}",
    "{\"NULL\":true}",
    "{\"L\":[]}",
    "{\"L\":[{\"S\":\"a\"}]}",
    "{\"L\":[{\"S\":\"a\"},{\"N\":\"1\"}]}",
    "{\"L\":[{\"N\":\"1\"},{\"S\":\"a\"}]}",
    "{\"M\":{}}",
    "{\"M\":{\"a\":{\"S\":\"a\"}}}",
    "{\"M\":{\"a\":{\"S\":\"b\"}}}",
    "{\"M\":{\"b\":{\"S\":\"a\"}}}",
    "{\"M\":{\"a\":{\"M\":{\"a\":{\"S\":\"a\"}}}}}",
};

static uint64_t hash_of(struct attr value)
{
    static const struct siphash_key key = {{1, 2}};
    struct field field = {SPAN_LIT("a"), value};

    return item_hash(&key, &(struct item){.at = &field, .len = 1});
}

START_TEST(only_equal_values_are_equal)
{
    struct attr a = unit_attr(values[_i]);

    for (size_t i = 0; i < COUNT(values); i++) {
        struct attr b = unit_attr(values[i]);

        ck_assert_msg(attr_equal(&a, &b) == (_i == (int)i), "%s, %s", values[_i], values[i]);
        ck_assert_msg((hash_of(a) == hash_of(b)) == (_i == (int)i), "%s, %s", values[_i],
                      values[i]);
    }
}
END_TEST

START_TEST(a_map_is_equal_in_any_order)
{
    struct item a = unit_item("{\"a\":{\"S\":\"1\"},\"b\":{\"N\":\"2\"},\"c\":{\"NULL\":true}}");
    struct item b = unit_item("{\"c\":{\"NULL\":true},\"a\":{\"S\":\"1\"},\"b\":{\"N\":\"2\"}}");
    struct item c = unit_item("{\"c\":{\"NULL\":true},\"a\":{\"S\":\"1\"},\"d\":{\"N\":\"2\"}}");

    ck_assert(item_equal(&a, &b));
    ck_assert(!item_equal(&a, &c));
    ck_assert_uint_eq(item_hash(&(struct siphash_key){{1, 2}}, &a),
                      item_hash(&(struct siphash_key){{1, 2}}, &b));
    ck_assert(item_equal(NULL, NULL));
    ck_assert(!item_equal(NULL, &a));
    ck_assert(!item_equal(&a, NULL));
}
END_TEST

/* `count` attributes a0, a1, …, from the last to the first when reversed. */
static struct item large_item(size_t count, bool reversed)
{
    struct item it = {.at = arena_array(arena, count, sizeof(struct field)), .len = count};

    for (size_t i = 0; i < count; i++) {
        size_t n = reversed ? count - 1 - i : i;

        it.at[i].name = span_of(arena_printf(arena, "a%zu", n));
        it.at[i].value.type = ATTR_N;
        it.at[i].value.bytes = span_of(arena_printf(arena, "%zu", n));
    }
    return it;
}

static void finds_all(const struct item *it, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct attr *found = item_find(it, span_of(arena_printf(arena, "a%zu", i)));

        ck_assert_ptr_nonnull(found);
        ck_assert_span_eq(found->bytes, arena_printf(arena, "%zu", i));
    }
    ck_assert_ptr_null(item_find(it, SPAN_LIT("a")));
    ck_assert_ptr_null(item_find(it, span_of(arena_printf(arena, "a%zu", count))));
}

/* Of which the names are searched, hashed after many searches, and hashed after few. */
static const size_t sizes_of_maps[] = {1, 32, 33, 1000, 2000};

/* Often enough that names are hashed on the way, and in order once maps were compared; what is
 * added makes both void. */
START_TEST(names_are_found_in_large_maps_whatever_happened_to_them)
{
    size_t count = sizes_of_maps[_i];
    struct item it = large_item(count, true), other = large_item(count, false), copy;

    item_make_findable(arena, &it);
    copy = item_copy(arena, &it);
    finds_all(&it, count);
    ck_assert(item_equal(&it, &other) && item_equal(&other, &copy));
    for (size_t round = 0; round < 3; round++) {
        finds_all(&it, count);
        item_set(arena, &it, span_of(arena_printf(arena, "b%zu", round)), it.at[0].value);
        item_make_findable(arena, &it);
    }
    finds_all(&it, count);
    ck_assert_ptr_eq(item_find(&it, SPAN_LIT("b2")), &it.at[count + 2].value);
    finds_all(&copy, count);
    item_set(arena, &copy, SPAN_LIT("b"), unit_attr("{\"S\":\"x\"}"));
    ck_assert_span_eq(item_find(&copy, SPAN_LIT("b"))->bytes, "x");
}
END_TEST

/* Damaged items can have one. */
START_TEST(of_a_name_that_comes_twice_the_first_is_found)
{
    struct item it = large_item(100, false);

    it.at[90].name = it.at[7].name;
    item_make_findable(arena, &it);
    for (int i = 0; i < 1000; i++)
        ck_assert_ptr_eq(item_find(&it, SPAN_LIT("a7")), &it.at[7].value);
}
END_TEST

START_TEST(sizes_go_along_with_copies)
{
    struct attr value = unit_attr("{\"L\":[{\"S\":\"abc\"},{\"M\":{\"a\":{\"N\":\"1\"}}}]}"), copy;
    size_t size = attr_size(&value);

    copy = value;
    ck_assert_uint_eq(copy.size, size);
    copy = attr_copy(arena, &value);
    copy.list.at[0].bytes = SPAN_LIT("a");
    ck_assert_uint_eq(attr_size(&copy), size - 2);
    *item_slot(&copy.list.at[1].map, SPAN_LIT("a")) = unit_attr("{\"NULL\":true}");
    copy.size = copy.list.at[1].size = 0;
    ck_assert_uint_eq(attr_size(&copy), size - 3);
}
END_TEST

START_TEST(large_maps_are_compared_without_searching)
{
    struct item a = large_item(50000, false), b = large_item(50000, true);

    ck_assert(item_equal(&a, &b));
    item_make_findable(arena, &b);
    ck_assert(item_equal(&a, &b) && item_equal(&b, &a));
    item_make_findable(arena, &a);
    for (int i = 0; i < 100; i++) /* the order is there */
        ck_assert(item_equal(&a, &b) && item_equal(&b, &a));
    b.at[100].value.bytes = SPAN_LIT("7");
    ck_assert(!item_equal(&a, &b));
    b = large_item(50000, true);
    b.at[100].name = SPAN_LIT("other");
    ck_assert(!item_equal(&a, &b));
}
END_TEST

/* Each row is less than the next of its type. */
static const char *const ascending[] = {
    "{\"S\":\"\"}",
    "{\"S\":\"A\"}",
    "{\"S\":\"Z\"}",
    "{\"S\":\"a\"}",
    "{\"S\":\"a\\u0000\"}",
    "{\"S\":\"aa\"}",
    "{\"S\":\"\xc3\xa9\"}",
    "{\"S\":\"\xef\xbf\xbd\"}",
    "{\"S\":\"\xf0\x9f\x98\x80\"}",
    "{\"B\":\"\"}",
    "{\"B\":\"AA==\"}",
    "{\"B\":\"fw==\"}",
    "{\"B\":\"gA==\"}",
    "{\"B\":\"/w==\"}",
    "{\"N\":\"-100\"}",
    "{\"N\":\"-20\"}",
    "{\"N\":\"-3\"}",
    "{\"N\":\"-1.5\"}",
    "{\"N\":\"-1.25\"}",
    "{\"N\":\"-1\"}",
    "{\"N\":\"-0.5\"}",
    "{\"N\":\"-0.05\"}",
    "{\"N\":\"0\"}",
    "{\"N\":\"0.05\"}",
    "{\"N\":\"0.5\"}",
    "{\"N\":\"1\"}",
    "{\"N\":\"1.25\"}",
    "{\"N\":\"1.5\"}",
    "{\"N\":\"3\"}",
    "{\"N\":\"20\"}",
    "{\"N\":\"100\"}",
};

START_TEST(sorts_keys_by_value)
{
    struct attr a = unit_attr(ascending[_i]);

    for (size_t i = 0; i < COUNT(ascending); i++) {
        struct attr b = unit_attr(ascending[i]);
        int order;

        if (a.type != b.type)
            continue;
        order = attr_compare(&a, &b);
        ck_assert_msg((order > 0) - (order < 0) == (_i > (int)i) - (_i < (int)i), "%s, %s",
                      ascending[_i], ascending[i]);
    }
}
END_TEST

START_TEST(numbers_compare_as_num_compares)
{
    for (int i = 0; i < 20000; i++) {
        struct attr value[2];
        struct num n[2];
        int order, expected;

        for (int k = 0; k < 2; k++) {
            struct buf text = buf_in(arena);

            ck_assert_int_eq(
                num_parse(span_of(arena_printf(arena, "%de%d", unit_random_from(-1000, 999),
                                               unit_random_from(-4, 4))),
                          false, &n[k]),
                NUM_OK);
            num_format(&text, &n[k]);
            value[k] = (struct attr){.type = ATTR_N, .bytes = buf_span(&text)};
        }
        order = attr_compare(&value[0], &value[1]);
        expected = num_compare(&n[0], &n[1]);
        ck_assert_int_eq((order > 0) - (order < 0), (expected > 0) - (expected < 0));
        arena_reset(arena);
    }
}
END_TEST

static const struct {
    const char *value;
    size_t size;
} sizes[] = {
    {"{\"S\":\"\"}", 0},
    {"{\"S\":\"a\"}", 1},
    {"{\"S\":\"\xc3\xa9\"}", 2},
    {"{\"S\":\"\\n\"}", 1},
    {"{\"N\":\"100.5\"}", 4},
    {"{\"B\":\"YWJj\"}", 3},
    {"{\"BOOL\":false}", 1},
    {"{\"NULL\":true}", 1},
    {"{\"SS\":[\"a\",\"bcd\"]}", 4},
    {"{\"NS\":[\"-42\",\"0\"]}", 4},
    {"{\"BS\":[\"\",\"YWJj\"]}", 3},
    {"{\"L\":[]}", 3},
    {"{\"L\":[{\"S\":\"aa\"},{\"NULL\":true}]}", 3 + 1 + 2 + 1 + 1},
    {"{\"M\":{}}", 3},
    {"{\"M\":{\"abc\":{\"S\":\"aa\"},\"d\":{\"L\":[]}}}", 3 + 1 + 3 + 2 + 1 + 1 + 3},
};

START_TEST(counts_bytes_as_the_service_does)
{
    struct attr value = unit_attr(sizes[_i].value);

    ck_assert_uint_eq(attr_size(&value), sizes[_i].size);
}
END_TEST

START_TEST(an_item_is_as_long_as_its_names_and_values)
{
    struct item empty = {0};
    struct item it = unit_item("{\"pk\":{\"S\":\"a\"},\"m\":{\"M\":{}},\"n\":{\"N\":\"1\"}}");

    ck_assert_uint_eq(item_size(&empty), 0);
    ck_assert_uint_eq(item_size(&it), 2 + 1 + 1 + 3 + 1 + 2);
}
END_TEST

START_TEST(finds_attributes_by_whole_name)
{
    struct item it = unit_item("{\"ab\":{\"S\":\"1\"},\"a\":{\"S\":\"2\"},\"\":{\"S\":\"3\"}}");

    ck_assert_span_eq(item_find(&it, SPAN_LIT("a"))->bytes, "2");
    ck_assert_span_eq(item_find(&it, SPAN_LIT("ab"))->bytes, "1");
    ck_assert_span_eq(item_find(&it, SPAN_LIT(""))->bytes, "3");
    ck_assert_ptr_null(item_find(&it, SPAN_LIT("abc")));
    ck_assert_ptr_null(item_find(NULL, SPAN_LIT("a")));
}
END_TEST

START_TEST(sets_and_replaces_attributes)
{
    struct item it = {0};

    for (int i = 0; i < 100; i++)
        item_set(arena, &it, span_of(arena_printf(arena, "a%d", i % 50)),
                 (struct attr){.type = ATTR_BOOL, .boolean = i >= 50});
    ck_assert_uint_eq(it.len, 50);
    for (size_t i = 0; i < it.len; i++)
        ck_assert(it.at[i].value.boolean);
}
END_TEST

START_TEST(a_copy_may_be_changed)
{
    const char *text = "{\"l\":{\"L\":[{\"M\":{\"x\":{\"N\":\"1\"}}}]},\"m\":{\"M\":{\"y\":{\"S\":"
                       "\"z\"}}},\"s\":{\"SS\":[\"a\",\"b\"]}}";
    struct item it = unit_item(text), copy = item_copy(arena, &it);

    ck_assert(item_equal(&it, &copy));
    item_set(arena, &copy.at[0].value.list.at[0].map, SPAN_LIT("x"), unit_attr("{\"N\":\"2\"}"));
    item_set(arena, &copy.at[1].value.map, SPAN_LIT("y2"), unit_attr("{\"N\":\"2\"}"));
    copy.at[2].value.list.at[0].bytes = SPAN_LIT("c");
    copy.len = 1;
    ck_assert_str_eq(unit_item_text(&it), text);
}
END_TEST

static const struct {
    const char *value;
    size_t depth; /* lists and maps round the innermost value, or empty ones */
} nestings[] = {
    {"{\"S\":\"a\"}", 0},
    {"{\"SS\":[\"a\"]}", 0},
    {"{\"L\":[]}", 1},
    {"{\"M\":{\"a\":{\"N\":\"1\"}}}", 1},
    {"{\"L\":[{\"S\":\"a\"},{\"M\":{\"x\":{\"L\":[{\"NULL\":true}]}}}]}", 3},
};

START_TEST(measures_nesting)
{
    struct attr value = unit_attr(nestings[_i].value);

    for (size_t limit = 0; limit < 5; limit++)
        ck_assert(attr_is_deeper(&value, limit) == (nestings[_i].depth > limit));
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, names_types_both_ways, 0, COUNT(types));
    tcase_add_loop_test(tc, knows_no_other_type, 0, COUNT(no_types));
    tcase_add_loop_test(tc, only_equal_values_are_equal, 0, COUNT(values));
    tcase_add_test(tc, a_map_is_equal_in_any_order);
    tcase_add_loop_test(tc, names_are_found_in_large_maps_whatever_happened_to_them, 0,
                        COUNT(sizes_of_maps));
    tcase_add_test(tc, of_a_name_that_comes_twice_the_first_is_found);
    tcase_add_test(tc, sizes_go_along_with_copies);
    tcase_add_test(tc, large_maps_are_compared_without_searching);
    tcase_add_loop_test(tc, sorts_keys_by_value, 0, COUNT(ascending));
    tcase_add_test(tc, numbers_compare_as_num_compares);
    tcase_add_loop_test(tc, counts_bytes_as_the_service_does, 0, COUNT(sizes));
    tcase_add_test(tc, an_item_is_as_long_as_its_names_and_values);
    tcase_add_loop_test(tc, measures_nesting, 0, COUNT(nestings));
    tcase_add_test(tc, finds_attributes_by_whole_name);
    tcase_add_test(tc, sets_and_replaces_attributes);
    tcase_add_test(tc, a_copy_may_be_changed);
}

UNIT_TESTS(attr, add_tests)
