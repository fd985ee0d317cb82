#include "unit.h"

#include "wire/wire_attr.h"

static const wire_node *parse(const char *text)
{
    const wire_node *tree = NULL;
    const struct error *e = wire_parse(arena, span_of(text), &tree);

    ck_assert_msg(!e, "refused: %s", text);
    return tree;
}

static const struct {
    const char *sent, *stored; /* NULL: as sent */
} values[] = {
    {"{\"S\":\"a\"}", NULL},
    {"{\"S\":\"\"}", NULL},
    {"{\"N\":\"1\"}", NULL},
    {"{\"N\":\"-12345678901234567890123456789012345678\"}", NULL},
    {"{\"N\":\"100\"}", NULL},
    {"{\"N\":\"0\"}", NULL},
    {"{\"N\":\"-0\"}", "{\"N\":\"0\"}"},
    {"{\"N\":\"007\"}", "{\"N\":\"7\"}"},
    {"{\"N\":\"1.50\"}", "{\"N\":\"1.5\"}"},
    {"{\"N\":\"+2e1\"}", "{\"N\":\"20\"}"},
    {"{\"N\":\"123456789012345678901234567890123456780\"}", NULL}, /* 38 digits and a zero */
    {"{\"B\":\"AQID\"}", NULL},
    {"{\"BOOL\":\"yes\"}", "{\"BOOL\":true}"},
    {"{\"BOOL\":false}", NULL},
    {"{\"NULL\":true}", NULL},
    {"{\"SS\":[\"b\",\"a\"]}", "{\"SS\":[\"a\",\"b\"]}"},
    {"{\"NS\":[\"10\",\"9.0\"]}", "{\"NS\":[\"9\",\"10\"]}"},
    {"{\"BS\":[\"/w==\",\"AA==\"]}", "{\"BS\":[\"AA==\",\"/w==\"]}"},
    {"{\"L\":[]}", NULL},
    {"{\"M\":{}}", NULL},
    {"{\"L\":[{\"M\":{\"x\":{\"L\":[{\"N\":\"1.0\"}]}}}]}",
     "{\"L\":[{\"M\":{\"x\":{\"L\":[{\"N\":\"1\"}]}}}]}"},
    {"{\"X\":1,\"S\":\"a\",\"N\":null}", "{\"S\":\"a\"}"},
    {"{\"S\":\"a\",\"S\":\"b\"}", "{\"S\":\"b\"}"},
    {"{\"S\":\"a\",\"N\":\"1\",\"S\":null}", "{\"N\":\"1\"}"},
    {"{\"M\":{\"a\":{\"N\":\"x\"},\"b\":{\"S\":\"\"},\"a\":{\"N\":\"1\"}}}",
     "{\"M\":{\"b\":{\"S\":\"\"},\"a\":{\"N\":\"1\"}}}"},
    {"{\"M\":{\"a\":{\"N\":{}},\"b\":{\"B\":1},\"c\":{\"SS\":{}},\"a\":{\"S\":\"\"},\"b\":{\"S\":"
     "\"\"},"
     "\"c\":{\"S\":\"\"}}}",
     "{\"M\":{\"a\":{\"S\":\"\"},\"b\":{\"S\":\"\"},\"c\":{\"S\":\"\"}}}"},
    {" { \"L\" : [ { \"S\" : \"a\" } , { \"M\" : { } } ] } ", "{\"L\":[{\"S\":\"a\"},{\"M\":{}}]}"},
    {"{\"L\":[{\"N\":\"1\"},{\"N\":\"2\"},{\"N\":\"3\"},{\"N\":\"4\"},{\"N\":\"5\"},{\"N\":\"6\"},"
     "{\"N\":\"7\"},{\"N\":\"8\"},{\"N\":\"9\"},{\"N\":\"10\"}]}",
     NULL},
};

START_TEST(reads_values_into_canonical_form)
{
    const char *stored = values[_i].stored ? values[_i].stored : values[_i].sent;
    struct buf out = buf_in(arena);
    struct attr value;

    ck_assert_ptr_null(wire_read_attr(arena, parse(values[_i].sent), WIRE_LAYER_CURRENT, &value));
    attr_encode(&out, &value);
    ck_assert_str_eq(buf_text(&out), stored);
}
END_TEST

/* {"n0":{"N":"0"},"n1":…}, with a tenth of the names twice. */
START_TEST(reads_large_maps_with_names_repeated)
{
    struct buf text = buf_in(arena);
    struct item it;

    buf_add_char(&text, '{');
    for (int i = 0; i < 1100; i++)
        buf_printf(&text, "%s\"n%d\":{\"N\":\"%s%d\"}", i ? "," : "", i % 1000, i < 100 ? "x" : "",
                   i);
    buf_add_char(&text, '}');
    ck_assert_ptr_null(wire_read_item(arena, parse(buf_text(&text)), WIRE_LAYER_CURRENT, &it));
    ck_assert_uint_eq(it.len, 1000);
    for (size_t i = 0; i < it.len; i++) {
        int n = (int)i + 100;

        ck_assert_span_eq(it.at[i].name, arena_printf(arena, "n%d", n % 1000));
        ck_assert_span_eq(it.at[i].value.bytes, arena_printf(arena, "%d", n));
    }
}
END_TEST

/* Where no request's types were checked before: clients read files of items. */
START_TEST(what_is_no_base64_is_no_value)
{
    const struct error *e;
    struct attr value;

    e = wire_read_attr(arena, parse("{\"B\":\"A!==\"}"), WIRE_LAYER_CURRENT, &value);
    ck_assert(e && e->kind == ERROR_SERIALIZATION);
    ck_assert_span_eq(e->message, "Invalid last non-pad Base64 character dectected");
}
END_TEST

#define PARAMETER "One or more parameter values were invalid: "

static const struct {
    const char *sent, *current, *older; /* older NULL: the same */
    bool bare;
} faults[] = {
    {"{}", "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes",
     NULL, true},
    {"{\"S\":\"a\",\"L\":[]}",
     "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the "
     "supported datatypes",
     NULL, true},
    {"{\"N\":\"x\",\"NULL\":false}", "The parameter cannot be converted to a numeric value: x",
     NULL, false},
    {"{\"SS\":[\"c\",\"a\",\"c\",\"b\"]}",
     PARAMETER "Input collection [\"a\", \"c\", \"c\", \"b\"] contains duplicates.",
     PARAMETER "Input collection [c, a, c, b] contains duplicates.", false},
    {"{\"BS\":[\"/w==\",\"AA==\",\"/w==\"]}",
     PARAMETER "Input collection [\"AA==\",\"/w==\",\"/w==\"]of type BS contains duplicates.",
     PARAMETER "Input collection [/w==, AA==, /w==]of type BS contains duplicates.", false},
    {"{\"NS\":[\"1\",\"1e0\"]}", PARAMETER "Input collection contains duplicates.",
     "Input collection contains duplicates", false},
    {"{\"L\":[{\"N\":\"\"}]}", "The parameter cannot be converted to a numeric value: ",
     "The parameter cannot be converted to a numeric value", false},
    {"{\"N\":\"1e2147483647\"}",
     "Number overflow. Attempting to store a number with magnitude larger than supported range",
     "Number underflow. Attempting to store a number with magnitude smaller than supported range",
     false},
    {"{\"M\":{\"\":{\"S\":\"a\"}}}", "Empty attribute name", NULL, false},
};

START_TEST(tells_what_is_wrong_with_a_value)
{
    const wire_node *node = parse(faults[_i].sent);
    struct attr value;
    const struct error *current = wire_read_attr(arena, node, WIRE_LAYER_CURRENT, &value);
    const struct error *older = wire_read_attr(arena, node, WIRE_LAYER_OLDER, &value);

    ck_assert_ptr_nonnull(current);
    ck_assert_ptr_nonnull(older);
    ck_assert_int_eq(current->kind, ERROR_VALIDATION);
    ck_assert_span_eq(current->message, faults[_i].current);
    ck_assert_int_eq(current->bare, faults[_i].bare);
    ck_assert_span_eq(older->message, faults[_i].older ? faults[_i].older : faults[_i].current);
}
END_TEST

/* A map with one value in `depth` lists and maps. */
static const wire_node *nested(size_t depth, const char *innermost)
{
    struct buf text = buf_in(arena);

    buf_add_text(&text, "{\"a\":");
    for (size_t i = 0; i < depth; i++)
        buf_add_text(&text, i % 2 ? "{\"M\":{\"m\":" : "{\"L\":[");
    buf_add_text(&text, innermost);
    for (size_t i = depth; i-- > 0;)
        buf_add_text(&text, i % 2 ? "}}" : "]}");
    buf_add_char(&text, '}');
    return parse(buf_text(&text));
}

START_TEST(counts_lists_and_maps_around_a_value)
{
    const wire_node *scalar = wire_first(nested(5, "{\"S\":\"a\"}"));
    const wire_node *empty = wire_first(nested(4, "{\"L\":[]}"));
    const wire_node *other = wire_first(nested(0, "{\"X\":[[[[[[[[1]]]]]]]]}"));

    ck_assert(!wire_is_deeper(scalar, 5));
    ck_assert(wire_is_deeper(scalar, 4));
    ck_assert(wire_is_deeper(scalar, 0));
    ck_assert(!wire_is_deeper(empty, 5));
    ck_assert(wire_is_deeper(empty, 4));
    ck_assert(!wire_is_deeper(other, 0));
}
END_TEST

START_TEST(refuses_items_that_are_nested_too_deeply)
{
    struct item it;

    ck_assert_ptr_null(wire_read_item(arena, nested(31, "{\"S\":\"a\"}"), WIRE_LAYER_CURRENT, &it));
    ck_assert_span_eq(
        wire_read_item(arena, nested(32, "{\"N\":\"x\"}"), WIRE_LAYER_CURRENT, &it)->message,
        "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels "
        "beyond supported limit");
}
END_TEST

START_TEST(reads_items_with_their_names)
{
    struct item it;

    ck_assert_ptr_null(wire_read_item(
        arena, parse("{\"pk\":{\"S\":\"a\"},\"n\\u0000\":{\"N\":\"1\"},\"pk\":{\"S\":\"b\"}}"),
        WIRE_LAYER_CURRENT, &it));
    ck_assert_str_eq(unit_item_text(&it), "{\"n\\u0000\":{\"N\":\"1\"},\"pk\":{\"S\":\"b\"}}");
    ck_assert_ptr_null(wire_read_item(arena, parse("{}"), WIRE_LAYER_CURRENT, &it));
    ck_assert_uint_eq(it.len, 0);
}
END_TEST

START_TEST(limits_the_length_of_names)
{
    size_t len = 65536;
    char *name = arena_alloc(arena, len + 1);
    struct item it;

    memset(name, 'a', len);
    ck_assert_ptr_nonnull(wire_read_item(arena,
                                         parse(arena_printf(arena, "{\"%s\":{\"S\":\"a\"}}", name)),
                                         WIRE_LAYER_CURRENT, &it));
    ck_assert_ptr_null(
        wire_read_item(arena, parse(arena_printf(arena, "{\"%s\":{\"S\":\"a\"}}", name + 1)),
                       WIRE_LAYER_CURRENT, &it));
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, what_is_no_base64_is_no_value);
    tcase_add_test(tc, reads_large_maps_with_names_repeated);
    tcase_add_loop_test(tc, reads_values_into_canonical_form, 0, COUNT(values));
    tcase_add_loop_test(tc, tells_what_is_wrong_with_a_value, 0, COUNT(faults));
    tcase_add_test(tc, counts_lists_and_maps_around_a_value);
    tcase_add_test(tc, refuses_items_that_are_nested_too_deeply);
    tcase_add_test(tc, reads_items_with_their_names);
    tcase_add_test(tc, limits_the_length_of_names);
}

UNIT_TESTS(wire_attr, add_tests)
