#include "unit.h"

#include <stdint.h>

#include "wire/wire_body.h"
#include "wire/wire_cursor.h"

static const wire_node *parse(const char *text)
{
    const wire_node *tree = NULL;
    const struct error *e = wire_parse(arena, span_of(text), &tree);

    ck_assert_msg(!e, "refused: %s", text);
    return tree;
}

static const struct {
    struct span text;
    bool valid;
} bodies[] = {
    {SPAN_LIT_INIT("{}"), true},
    {SPAN_LIT_INIT(" \t\r\n{\"a\":[1,-2.5e+3,true,false,null,\"x\",{}]} \n"), true},
    {SPAN_LIT_INIT("\xEF\xBB\xBF{}"), true}, /* a byte order mark */
    {SPAN_LIT_INIT("{\"a\":\"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\"}"), true},
    {SPAN_LIT_INIT("{\"a\":\"\\u00e9\\ud83d\\ude00\\\"\\\\\\/\\b\\f\\n\\r\\t\"}"), true},
    {SPAN_LIT_INIT("{\"a\":0,\"b\":-0,\"c\":10,\"d\":0.0,\"e\":1E5,\"f\":1e-5}"), true},
    {SPAN_LIT_INIT(""), false},
    {SPAN_LIT_INIT("[]"), false},
    {SPAN_LIT_INIT("null"), false},
    {SPAN_LIT_INIT("{}x"), false},
    {SPAN_LIT_INIT("{}\0"), false},
    {SPAN_LIT_INIT("{\0}"), false},
    {SPAN_LIT_INIT("{\x0B}"), false},
    {SPAN_LIT_INIT("{\"a\":\"\0\"}"), false},
    {SPAN_LIT_INIT("{\"a\":\"\x1F\"}"), false},
    {SPAN_LIT_INIT("{\"a\":\"long enough for a word\n\"}"), false},
    {SPAN_LIT_INIT("{\"a\":\"\xFF\"}"), false},
    {SPAN_LIT_INIT("{\"a\":\"\xC0\x80\"}"), false},         /* overlong */
    {SPAN_LIT_INIT("{\"a\":\"\xED\xA0\x80\"}"), false},     /* a surrogate */
    {SPAN_LIT_INIT("{\"a\":\"\xF4\x90\x80\x80\"}"), false}, /* beyond Unicode */
    {SPAN_LIT_INIT("{\"a\":\"\xE2\x82\"}"), false},
    {SPAN_LIT_INIT("{\"a\":01}"), false},
    {SPAN_LIT_INIT("{\"a\":-01}"), false},
    {SPAN_LIT_INIT("{\"a\":1.}"), false},
    {SPAN_LIT_INIT("{\"a\":.1}"), false},
    {SPAN_LIT_INIT("{\"a\":1e}"), false},
    {SPAN_LIT_INIT("{\"a\":1e+}"), false},
    {SPAN_LIT_INIT("{\"a\":-}"), false},
    {SPAN_LIT_INIT("{\"a\":+1}"), false},
    {SPAN_LIT_INIT("{\"a\":1 2}"), false},
    {SPAN_LIT_INIT("{\"a\":1x}"), false},
    {SPAN_LIT_INIT("{\"a\":truex}"), false},
    {SPAN_LIT_INIT("{\"a\":nul}"), false},
    {SPAN_LIT_INIT("{\"a\":\"\\x\"}"), false},
    {SPAN_LIT_INIT("{\"a\":\"\\u12\"}"), false},
    {SPAN_LIT_INIT("{\"a\":\"\\u12G4\"}"), false},
    {SPAN_LIT_INIT("{\"a\":\"\\ud83d\"}"), false}, /* half of a pair */
    {SPAN_LIT_INIT("{\"a\":\"\\ud83d\\u0041\"}"), false},
    {SPAN_LIT_INIT("{\"a\":\"\\ude00\"}"), false},
    {SPAN_LIT_INIT("{\"a\":[1}"), false},
    {SPAN_LIT_INIT("{\"a\":{\"b\":1]}"), false},
    {SPAN_LIT_INIT("{\"a\":1,\"b\"}"), false},
    {SPAN_LIT_INIT("{,}"), false},
    {SPAN_LIT_INIT("{\"a\":[,1]}"), false},
    {SPAN_LIT_INIT("{\"a\":123456789012345678901234567890123456789012345678901234567890123456789"
                   "0}"),
     true},
    {SPAN_LIT_INIT("{\"a\":\"\\"), false},
    {SPAN_LIT_INIT("{\"a\":\""), false},
    {SPAN_LIT_INIT("{\"a\":1"), false},
    {SPAN_LIT_INIT("{\"a\":1,}"), false},
    {SPAN_LIT_INIT("{\"a\":[1,]}"), false},
    {SPAN_LIT_INIT("{\"a\" 1}"), false},
    {SPAN_LIT_INIT("{a:1}"), false},
};

START_TEST(takes_strict_json_objects_only)
{
    const wire_node *tree = NULL;
    const struct error *e = wire_parse(arena, bodies[_i].text, &tree);

    ck_assert_int_eq(!e, bodies[_i].valid);
    if (!e)
        return;
    ck_assert_ptr_null(tree);
    ck_assert_int_eq(e->kind, ERROR_SERIALIZATION);
    ck_assert_uint_eq(e->message.len, 0);
}
END_TEST

START_TEST(finds_members_by_exact_name)
{
    const wire_node *tree = parse("{\"Ab\":1,\"ab\":2,\"Abc\":3,\"\":4,\"n\":null,\"N\\u0000\":5}");

    ck_assert_int_eq(wire_integer(wire_get(tree, "Ab"), 0), 1);
    ck_assert_int_eq(wire_integer(wire_get(tree, "ab"), 0), 2);
    ck_assert_int_eq(wire_integer(wire_get(tree, ""), 0), 4);
    ck_assert_int_eq(wire_integer(wire_get_span(tree, SPAN_LIT("Abc")), 0), 3);
    ck_assert_int_eq(wire_integer(wire_get_span(tree, SPAN_LIT("N\0")), 0), 5);
    ck_assert_ptr_null(wire_get(tree, "A"));
    ck_assert_ptr_null(wire_get(tree, "AB"));
    ck_assert_ptr_null(wire_get(tree, "N"));
    ck_assert_ptr_null(wire_get(tree, "n"));
    ck_assert_ptr_null(wire_get_span(tree, SPAN_LIT("n")));
    ck_assert_ptr_null(wire_get(wire_get(tree, "Ab"), "a"));
    ck_assert_ptr_null(wire_get_span(wire_get(tree, "Ab"), SPAN_LIT("a")));
    ck_assert_ptr_null(wire_get(NULL, "a"));
}
END_TEST

START_TEST(walks_lists_and_objects)
{
    const wire_node *tree = parse("{\"l\":[\"a\",null,{}],\"o\":{\"x\":1,\"y\":null}}");
    const wire_node *node = wire_first(wire_get(tree, "l"));

    ck_assert_uint_eq(wire_count(tree), 2);
    ck_assert_uint_eq(wire_count(wire_get(tree, "l")), 3);
    ck_assert_uint_eq(wire_count(wire_get(tree, "o")), 2);
    ck_assert_uint_eq(wire_count(node), 0);
    ck_assert_uint_eq(wire_count(NULL), 0);
    ck_assert_span_eq(wire_text(node), "a");
    ck_assert_uint_eq(wire_name(node).len, 0);
    ck_assert_ptr_null(wire_text(wire_next(node)).at);
    ck_assert_ptr_null(wire_next(wire_next(wire_next(node))));
    ck_assert_span_eq(wire_name(wire_next(wire_first(wire_get(tree, "o")))), "y");
    ck_assert_ptr_null(wire_first(NULL));
}
END_TEST

START_TEST(keeps_nul_in_strings_and_names)
{
    const wire_node *tree = parse("{\"a\\u0000b\":\"\\u0000\\\\u0000x\\u0000\",\"c\":\"d\"}");
    const wire_node *node = wire_first(tree);

    ck_assert(span_equal(wire_name(node), SPAN_LIT("a\0b")));
    ck_assert(span_equal(wire_text(node), SPAN_LIT("\0\\u0000x\0")));
    ck_assert_span_eq(wire_text(wire_get(tree, "c")), "d");
}
END_TEST

START_TEST(keeps_the_last_of_repeated_names)
{
    const wire_node *tree = parse("{\"a\":1,\"b\":2,\"a\":3,\"c\":4,\"a\":5,\"b\":6}");

    ck_assert_uint_eq(wire_count(tree), 3);
    ck_assert_int_eq(wire_integer(wire_get(tree, "a"), 0), 5);
    ck_assert_int_eq(wire_integer(wire_get(tree, "b"), 0), 6);
    ck_assert_int_eq(wire_integer(wire_get(tree, "c"), 0), 4);
}
END_TEST

START_TEST(keeps_the_last_of_many_repeated_names)
{
    struct buf text = buf_in(arena);
    const wire_node *tree;
    size_t walked = 0;

    buf_add_char(&text, '{');
    for (int i = 0; i < 3000; i++)
        buf_printf(&text, "%s\"n%d\":%d", i ? "," : "", i % 1000, i);
    buf_add_char(&text, '}');
    tree = parse(buf_text(&text));
    ck_assert_uint_eq(wire_count(tree), 1000);
    for (const wire_node *node = wire_first(tree); node; node = wire_next(node), walked++) {
        int64_t value = wire_integer(node, 0);

        ck_assert_int_ge(value, 2000);
        ck_assert_span_eq(wire_name(node), arena_printf(arena, "n%d", (int)value - 2000));
    }
    ck_assert_uint_eq(walked, 1000);
}
END_TEST

static const struct {
    const char *sent;
    struct span read;
} strings[] = {
    {"", SPAN_LIT_INIT("")},
    {"plain", SPAN_LIT_INIT("plain")},
    {"\\\"\\\\\\/\\b\\f\\n\\r\\t", SPAN_LIT_INIT("\"\\/\b\f\n\r\t")},
    {"a\\u0000", SPAN_LIT_INIT("a\0")},
    {"\\u0041\\u00e9\\u00DF\\u20aC", SPAN_LIT_INIT("A\xC3\xA9\xC3\x9F\xE2\x82\xAC")},
    {"\\uFFFF\\ud83d\\ude00\\uDBFF\\uDFFF",
     SPAN_LIT_INIT("\xEF\xBF\xBF\xF0\x9F\x98\x80\xF4\x8F\xBF\xBF")},
    {"\\\\u0041", SPAN_LIT_INIT("\\u0041")},
};

START_TEST(reads_strings_and_their_escapes)
{
    const char *sent = strings[_i].sent;
    const wire_node *tree = parse(arena_printf(arena, "{\"%s\":[\"%s\"]}", sent, sent));

    ck_assert(span_equal(wire_name(wire_first(tree)), strings[_i].read));
    ck_assert(span_equal(wire_text(wire_first(wire_first(tree))), strings[_i].read));
}
END_TEST

/* {"a":[…],"b":[…], …} with more in each, and brackets in strings. */
START_TEST(steps_over_containers_of_any_size)
{
    struct buf text = buf_in(arena);
    const wire_node *tree;
    size_t len = 0;

    for (int name = 'a'; name <= 'z'; name++) {
        buf_printf(&text, "%s\"%c\":[", name == 'a' ? "{" : " , ", name);
        for (int i = 0; i < (name - 'a') * 4; i++)
            buf_printf(&text, "%s[{\"x\":\"]}\\\"\"}]", i ? "," : "");
        buf_add_text(&text, "]");
    }
    buf_add_text(&text, "}");
    tree = parse(buf_text(&text));
    ck_assert_uint_eq(wire_count(tree), 26);
    for (const wire_node *node = wire_first(tree); node; node = wire_next(node), len += 4) {
        size_t walked = 0;

        ck_assert_uint_eq(wire_count(node), len);
        for (const wire_node *one = wire_first(node); one; one = wire_next(one), walked++)
            ck_assert_span_eq(wire_text(wire_get(wire_first(one), "x")), "]}\"");
        ck_assert_uint_eq(walked, len);
    }
}
END_TEST

static const struct {
    const char *text;
    int64_t value;
} integers[] = {
    {"0", 0},
    {"-0", 0},
    {"42", 42},
    {"-42", -42},
    {"1.9", 1},
    {"-1.1", -2},
    {"1e3", 1000},
    {"0.5", 0},
    {"9007199254740993", 9007199254740993}, /* more than a double holds */
    {"9223372036854775807", INT64_MAX},
    {"9223372036854775808", INT64_MAX},
    {"-9223372036854775809", INT64_MIN},
    {"1e300", INT64_MAX},
    {"-1e300", INT64_MIN},
    {"\"1\"", 7},
    {"null", 7},
    {"true", 7},
};

START_TEST(reads_integers_rounded_down)
{
    const wire_node *tree = parse(arena_printf(arena, "{\"v\":%s}", integers[_i].text));

    ck_assert_int_eq(wire_integer(wire_get(tree, "v"), 7), integers[_i].value);
}
END_TEST

START_TEST(reads_doubles)
{
    const wire_node *tree = parse("{\"a\":-2.5e-1,\"b\":3,\"c\":\"1\"}");

    ck_assert_double_eq(wire_double(wire_get(tree, "a"), 9), -0.25);
    ck_assert_double_eq(wire_double(wire_get(tree, "b"), 9), 3);
    ck_assert_double_eq(wire_double(wire_get(tree, "c"), 9), 9);
    ck_assert_double_eq(wire_double(NULL, 9), 9);
}
END_TEST

static const struct {
    const char *text;
    bool value;
} booleans[] = {
    {"true", true},   {"false", false},  {"\"true\"", true}, {"\"FALSE\"", false}, {"\"1\"", true},
    {"\"0\"", false}, {"\"Yes\"", true}, {"\"no\"", false},  {"\"maybe\"", false}, {"\"\"", false},
};

START_TEST(reads_booleans_and_words_for_them)
{
    const wire_node *tree = parse(arena_printf(arena, "{\"v\":%s}", booleans[_i].text));

    ck_assert_int_eq(wire_bool(wire_get(tree, "v"), !booleans[_i].value), booleans[_i].value);
    ck_assert(wire_bool(NULL, true));
    ck_assert(!wire_bool(NULL, false));
}
END_TEST

/* {"a":[[…]]} */
static const struct error *parse_nested(size_t depth)
{
    struct buf text = buf_in(arena);
    const wire_node *tree;

    buf_add_text(&text, "{\"a\":");
    for (size_t i = 0; i < depth; i++)
        buf_add_char(&text, '[');
    for (size_t i = 0; i < depth; i++)
        buf_add_char(&text, ']');
    buf_add_char(&text, '}');
    return wire_parse(arena, buf_span(&text), &tree);
}

START_TEST(refuses_what_is_nested_without_end)
{
    ck_assert_ptr_null(parse_nested(900));
    ck_assert_ptr_nonnull(parse_nested(1001));
    ck_assert_ptr_nonnull(parse_nested(100000));
}
END_TEST

static const struct {
    const char *text;
    struct text_place place;
} broken[] = {
    {"{\n\"a\": 1,\n}", {3, 1}},  {"{\"a\" 1}", {1, 6}},        {"{}\n\nx", {3, 1}}, {"", {1, 1}},
    {"{\n\"a\":\n\n01}", {4, 3}}, {"{\"a\":[\n1,\n2}", {3, 2}},
};

START_TEST(tells_the_place_of_a_syntax_error)
{
    const struct text_place place = wire_error_place(arena, span_of(broken[_i].text));

    ck_assert_uint_eq(place.line, broken[_i].place.line);
    ck_assert_uint_eq(place.column, broken[_i].place.column);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, takes_strict_json_objects_only, 0, COUNT(bodies));
    tcase_add_loop_test(tc, tells_the_place_of_a_syntax_error, 0, COUNT(broken));
    tcase_add_test(tc, finds_members_by_exact_name);
    tcase_add_test(tc, walks_lists_and_objects);
    tcase_add_test(tc, keeps_nul_in_strings_and_names);
    tcase_add_test(tc, keeps_the_last_of_repeated_names);
    tcase_add_test(tc, keeps_the_last_of_many_repeated_names);
    tcase_add_loop_test(tc, reads_strings_and_their_escapes, 0, COUNT(strings));
    tcase_add_test(tc, steps_over_containers_of_any_size);
    tcase_add_loop_test(tc, reads_integers_rounded_down, 0, COUNT(integers));
    tcase_add_test(tc, reads_doubles);
    tcase_add_loop_test(tc, reads_booleans_and_words_for_them, 0, COUNT(booleans));
    tcase_add_test(tc, refuses_what_is_nested_without_end);
}

UNIT_TESTS(wire_body, add_tests)
