#include "unit.h"

#include "model/item_codec.h"

/* Items in the one form that encoding writes. */
static const char *const texts[] = {
    "{}",
    "{\"a\":{\"S\":\"x\"},\"l\":{\"L\":[{\"N\":\"1\"}]},\"b\":{\"B\":\"AP8=\"},\"t\":{\"BOOL\":"
    "true},\"n\":{\"NULL\":true},\"ss\":{\"SS\":[\"a\"]}}",
    "{\"\":{\"S\":\"\"}}",
    "{\"f\":{\"BOOL\":false},\"e\":{\"B\":\"\"},\"l\":{\"L\":[]},\"m\":{\"M\":{}}}",
    "{\"ns\":{\"NS\":[\"-1.5\",\"0\",\"2\"]},\"bs\":{\"BS\":[\"\",\"AA==\"]},\"ss\":{\"SS\":[\"\","
    "\"a,b\",\"c]\"]}}",
    "{\"m\":{\"M\":{\"m\":{\"M\":{\"l\":{\"L\":[{\"L\":[{\"M\":{}}]},{\"S\":\"}\"}]}}}}}}",
    "{\"e\\\"\\\\\\n\\r\\t\\b\\f\\u0000\\u001f\":{\"S\":\"\\\"\\\\\\n\\r\\t\\b\\f\\u0000\\u001f\"}"
    "}",
    "{\"s\":{\"S\":\"\\\\\"},\"t\":{\"S\":\"\\\\\\\"\"},\"u\":{\"S\":\"\\\\\\\\\"}}",
    "{\"s\":{\"S\":\"\\\"\"},\"t\":{\"SS\":[\"\\\\\",\"\\\\\\\"],\"]}}",
    "{\"\xc3\xa9\":{\"S\":\"\xf0\x9f\x98\x80 /\x7f\"}}",
    "{\"SS\":{\"S\":\"S\"},\"{\":{\"S\":\"{\\\"S\\\":\\\"x\\\"}\"}}",
};

START_TEST(decoding_and_encoding_give_the_same_text)
{
    struct item it = unit_item(texts[_i]);
    struct item trusted = item_decode(arena, span_of(texts[_i]));

    ck_assert_str_eq(unit_item_text(&it), texts[_i]);
    ck_assert(item_equal(&it, &trusted));
}
END_TEST

START_TEST(decodes_what_the_text_says)
{
    struct item it = unit_item(
        "{\"a\\n\":{\"S\":\"\\u0001\\\"\"},\"b\":{\"B\":\"AP8=\"},\"l\":{\"L\":"
        "[{\"N\":\"-1\"},{\"BOOL\":true}]}}");

    ck_assert_uint_eq(it.len, 3);
    ck_assert_span_eq(it.at[0].name, "a\n");
    ck_assert_int_eq(it.at[0].value.type, ATTR_S);
    ck_assert_span_eq(it.at[0].value.bytes, "\001\"");
    ck_assert_int_eq(it.at[1].value.type, ATTR_B);
    ck_assert(span_equal(it.at[1].value.bytes, SPAN_LIT("\0\xff")));
    ck_assert_int_eq(it.at[2].value.type, ATTR_L);
    ck_assert_uint_eq(it.at[2].value.list.len, 2);
    ck_assert_int_eq(it.at[2].value.list.at[0].type, ATTR_N);
    ck_assert_span_eq(it.at[2].value.list.at[0].bytes, "-1");
    ck_assert(it.at[2].value.list.at[1].boolean);
}
END_TEST

START_TEST(strings_without_escapes_are_borrowed)
{
    static const char text[] = "{\"name\":{\"S\":\"value\"}}";
    struct item it = item_decode(arena, span_of(text));

    ck_assert_ptr_eq(it.at[0].name.at, text + 2);
    ck_assert_ptr_eq(it.at[0].value.bytes.at, text + 14);
}
END_TEST

START_TEST(any_bytes_survive)
{
    char bytes[256];
    struct field f = {.name = {bytes, sizeof bytes}};
    struct item it = {.at = &f, .len = 1}, again;
    struct buf out = buf_in(arena);

    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (char)i;
    f.value = (struct attr){.type = _i ? ATTR_B : ATTR_S, .bytes = f.name};
    item_encode(&out, &it);
    ck_assert(item_decode_checked(arena, buf_span(&out), &again));
    ck_assert(item_equal(&it, &again));
}
END_TEST

START_TEST(many_members_are_kept_in_order)
{
    struct buf text = buf_in(arena);
    struct item it;

    buf_add_text(&text, "{\"l\":{\"L\":[");
    for (int i = 0; i < 1000; i++)
        buf_printf(&text, "%s{\"L\":[{\"N\":\"%d\"},{\"M\":{\"x\":{\"S\":\"y\"}}}]}", i ? "," : "",
                   i);
    buf_add_text(&text, "]},\"z\":{\"S\":\"end\"}}");
    it = unit_item(buf_text(&text));
    ck_assert_uint_eq(it.at[0].value.list.len, 1000);
    for (size_t i = 0; i < 1000; i++)
        ck_assert_span_eq(it.at[0].value.list.at[i].list.at[0].bytes,
                          arena_printf(arena, "%zu", i));
    ck_assert_str_eq(unit_item_text(&it), buf_text(&text));
}
END_TEST

static const char *const damaged[] = {
    "",
    "{",
    "}",
    "null",
    "[]",
    "{}x",
    "{} ",
    " {}",
    "{\"a\"}",
    "{\"a\":}",
    "{\"a\":1}",
    "{\"a\":{}}",
    "{\"a\":{\"S\":\"x\"}",
    "{\"a\":{\"S\":\"x\"},}",
    "{\"a\":{\"S\":\"x\"}\"b\":{\"S\":\"x\"}}",
    "{\"a\":{\"S\":\"x}}",
    "{\"a\":{\"S\":\"x\\",
    "{\"a\":{\"S\":\"x\\\"",
    "{\"a\":{\"S\":\"x\\\"}}",
    "{\"a\":{\"S\":x}}",
    "{\"a\":{\"S\":\"\\x\"}}",
    "{\"a\":{\"S\":\"\\u00\"}}",
    "{\"a\":{\"S\":\"\\u00zz\"}}",
    "{\"a\":{\"S\":\"\\u0041\"}}",
    "{\"a\":{\"S\":\"x\",\"N\":\"1\"}}",
    "{\"a\":{\"X\":\"xxxxx\"}}",
    "{\"a\":{\"SX\":[\"x\"]}}",
    "{\"a\":{\"BOOL\":tru}}",
    "{\"a\":{\"BOOL\":\"true\"}}",
    "{\"a\":{\"NULL\":null}}",
    "{\"a\":{\"B\":\"!!!!\"}}",
    "{\"a\":{\"B\":\"YQ=\"}}",
    "{\"a\":{\"SS\":[\"x\",]}}",
    "{\"a\":{\"SS\":[\"x\"}}",
    "{\"a\":{\"SS\":\"x\"}}",
    "{\"a\":{\"L\":[\"x\"]}}",
    "{\"a\":{\"L\":{}}}",
    "{\"a\":{\"M\":[]}}",
    "{\"a\" : {\"S\":\"x\"}}",
    "{\"a\":{\"N\":\"-?.5\"}}",
    "{\"a\":{\"NS\":[\"1\",\"x\"]}}",
    "{\"a\":{\"L\":[{\"M\":{\"b\":{\"N\":\"\"}}}]}}",
    "{\"a\":{\"N\":\"1.0\"}}",
    "{\"a\":{\"N\":\"01\"}}",
    "{\"a\":{\"N\":\"+1\"}}",
    "{\"a\":{\"N\":\"-0\"}}",
    "{\"a\":{\"N\":\"1e2\"}}",
    "{\"a\":{\"NS\":[\"1\",\"2.0\"]}}",
    "{\"a\":{\"NS\":[\"10\",\"9\"]}}",
    "{\"a\":{\"SS\":[\"b\",\"a\"]}}",
    "{\"a\":{\"SS\":[\"a\",\"a\"]}}",
    "{\"a\":{\"L\":[{\"BS\":[\"AQ==\",\"AA==\"]}]}}",
};

/* Longer than any number that is written here. */
START_TEST(long_zeros_are_no_number)
{
    char zeros[300];
    struct item it;

    memset(zeros, '0', sizeof zeros);
    ck_assert(!item_decode_checked(
        arena, span_of(arena_printf(arena, "{\"a\":{\"N\":\"1.%.*s\"}}", (int)sizeof zeros, zeros)),
        &it));
}
END_TEST

START_TEST(damaged_text_is_no_item)
{
    size_t len = strlen(damaged[_i]);
    /* a block of its own, so that reading past it is noticed */
    struct span text = {memcpy(arena_alloc_raw(arena, len), damaged[_i], len), len};
    struct span name = SPAN_LIT("b");
    struct item it = {.len = 7};

    ck_assert(!item_decode_checked(arena, text, &it));
    ck_assert_uint_eq(it.len, 7);
    item_decode(arena, text);
    item_decode_only(arena, text, &name, 1);
}
END_TEST

START_TEST(every_shortened_text_is_no_item)
{
    struct span name = SPAN_LIT("nowhere");
    struct item it;

    for (size_t len = 0; len < strlen(texts[_i]); len++) {
        struct span text = {memcpy(arena_alloc(arena, len), texts[_i], len), len};

        ck_assert(!item_decode_checked(arena, text, &it));
        item_decode_only(arena, text, &name, 1);
    }
}
END_TEST

START_TEST(bottomless_text_is_no_item)
{
    struct buf text = buf_in(arena);
    struct span name = SPAN_LIT("b");
    struct item it;

    buf_add_text(&text, "{\"a\":");
    for (int i = 0; i < 1000000; i++)
        buf_add_text(&text, "{\"L\":[");
    ck_assert(!item_decode_checked(arena, buf_span(&text), &it));
    ck_assert_uint_eq(item_decode_only(arena, buf_span(&text), &name, 1).len, 0);
}
END_TEST

/* Often one that means something. */
static char random_byte(void)
{
    static const char syntax[] = "\"\\{}[],:SNBLM0u";

    if (unit_random(2))
        return syntax[unit_random(COUNT(syntax))];
    return (char)unit_random_from(-128, 127);
}

START_TEST(altered_text_is_refused_or_survives)
{
    size_t len = strlen(texts[_i]);
    struct span name = SPAN_LIT("m");

    for (int i = 0; i < 2000; i++) {
        char *altered = memcpy(arena_alloc_raw(arena, len), texts[_i], len);
        struct span text = {altered, len};
        struct buf out = buf_in(arena);
        struct item it, again;

        for (unsigned k = unit_random(3) + 1; k > 0; k--)
            altered[unit_random((unsigned)len)] = random_byte();
        item_decode_only(arena, text, &name, 1);
        if (item_decode_checked(arena, text, &it)) {
            item_encode(&out, &it);
            ck_assert(item_decode_checked(arena, buf_span(&out), &again));
            ck_assert(item_equal(&it, &again));
        }
        arena_reset(arena);
    }
}
END_TEST

static const char *const whole =
    "{\"a\":{\"S\":\"}\\\"]\"},\"b\\\\\":{\"L\":[{\"M\":{\"a\":{\"SS\":[\"[\",\"{\"]}}},{\"B\":"
    "\"AA==\"}]},\"c\":{\"BOOL\":false},\"aa\":{\"NULL\":true},\"d\":{\"N\":\"1\"}}";

static const struct {
    const char *names[3];
    const char *left;
} choices[] = {
    {{NULL}, "{}"},
    {{"x"}, "{}"},
    {{"a"}, "{\"a\":{\"S\":\"}\\\"]\"}}"},
    {{"b"}, "{}"},
    {{"b\\"}, "{\"b\\\\\":{\"L\":[{\"M\":{\"a\":{\"SS\":[\"[\",\"{\"]}}},{\"B\":\"AA==\"}]}}"},
    {{"d"}, "{\"d\":{\"N\":\"1\"}}"},
    {{"d", "c"}, "{\"c\":{\"BOOL\":false},\"d\":{\"N\":\"1\"}}"},
    {{"aa", "x", "c"}, "{\"c\":{\"BOOL\":false},\"aa\":{\"NULL\":true}}"},
    {{"d", "d"}, "{\"d\":{\"N\":\"1\"}}"},
};

static size_t chosen(int row, struct span names[3])
{
    size_t count = 0;

    while (count < 3 && choices[row].names[count]) {
        names[count] = span_of(choices[row].names[count]);
        count++;
    }
    return count;
}

START_TEST(decodes_only_what_was_asked_for)
{
    struct span names[3];
    size_t count = chosen(_i, names);
    struct item it = item_decode_only(arena, span_of(whole), names, count);

    ck_assert_str_eq(unit_item_text(&it), choices[_i].left);
}
END_TEST

START_TEST(finds_the_texts_of_what_was_asked_for)
{
    struct span names[3];
    size_t count = chosen(_i, names);
    struct item found = item_find_texts(arena, span_of(whole), names, count);
    struct buf out = buf_in(arena);

    for (size_t i = 0; i < found.len; i++) {
        buf_add_char(&out, i ? ',' : '{');
        buf_add_json_string(&out, found.at[i].name);
        buf_add_char(&out, ':');
        buf_add_span(&out, found.at[i].value.bytes);
    }
    buf_add_text(&out, found.len ? "}" : "{}");
    ck_assert_str_eq(buf_text(&out), choices[_i].left);
}
END_TEST

START_TEST(finds_all_texts)
{
    struct item found = item_texts(arena, span_of(whole));
    struct item it = item_decode(arena, span_of(whole));

    ck_assert_uint_eq(found.len, it.len);
    for (size_t i = 0; i < it.len; i++) {
        struct buf text = buf_in(arena);

        attr_encode(&text, &it.at[i].value);
        ck_assert_span_eq(found.at[i].name, arena_text(arena, it.at[i].name));
        ck_assert_span_eq(found.at[i].value.bytes, buf_text(&text));
    }
    ck_assert_uint_eq(item_texts(arena, SPAN_LIT("{}")).len, 0);
}
END_TEST

START_TEST(of_an_empty_item_nothing_is_decoded)
{
    struct span name = SPAN_LIT("a");

    ck_assert_uint_eq(item_decode_only(arena, SPAN_LIT("{}"), &name, 1).len, 0);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, decoding_and_encoding_give_the_same_text, 0, COUNT(texts));
    tcase_add_test(tc, decodes_what_the_text_says);
    tcase_add_test(tc, strings_without_escapes_are_borrowed);
    tcase_add_loop_test(tc, any_bytes_survive, 0, 2);
    tcase_add_test(tc, many_members_are_kept_in_order);
    tcase_add_loop_test(tc, damaged_text_is_no_item, 0, COUNT(damaged));
    tcase_add_test(tc, long_zeros_are_no_number);
    tcase_add_loop_test(tc, every_shortened_text_is_no_item, 0, COUNT(texts));
    tcase_add_loop_test(tc, altered_text_is_refused_or_survives, 0, COUNT(texts));
    tcase_add_test(tc, bottomless_text_is_no_item);
    tcase_add_loop_test(tc, decodes_only_what_was_asked_for, 0, COUNT(choices));
    tcase_add_test(tc, finds_all_texts);
    tcase_add_loop_test(tc, finds_the_texts_of_what_was_asked_for, 0, COUNT(choices));
    tcase_add_test(tc, of_an_empty_item_nothing_is_decoded);
}

UNIT_TESTS(item_codec, add_tests)
