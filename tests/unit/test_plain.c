#include "unit.h"

#include "json/plain.h"

/* A document and the lines that come of it; NULL: it is refused. */
static const struct {
    const char *in, *out;
} documents[] = {
    /* values */
    {"{\"a\":{\"S\":\"x\"}}", "{\"a\": \"x\"}\n"},
    {"{\"a\":{\"S\":\"x\\u0000\\\"\\n\"}}", "{\"a\": \"x\\u0000\\\"\\n\"}\n"},
    {"{\"a\":{\"B\":\"AQI=\"}}", "{\"a\": \"AQI=\"}\n"},
    {"{\"a\":{\"BOOL\":false},\"b\":{\"NULL\":true}}", "{\"a\": false, \"b\": null}\n"},
    {"{\"a\":{\"SS\":[\"b\",\"a\"]},\"b\":{\"BS\":[\"AQI=\"]},\"c\":{\"NS\":[\"1\",\"2.50\"]}}",
     "{\"a\": [\"b\", \"a\"], \"b\": [\"AQI=\"], \"c\": [1, 2.50]}\n"},
    {"{\"a\":{\"L\":[{\"N\":\"1\"},{\"L\":[]}]},\"b\":{\"M\":{\"c\":{\"S\":\"d\"}}}}",
     "{\"a\": [1, []], \"b\": {\"c\": \"d\"}}\n"},
    /* answers */
    {"{\"Items\":[{\"a\":{\"N\":\"1\"}},{\"a\":{\"N\":\"2\"}}],\"Count\":2,\"ScannedCount\":2}",
     "{\"a\": 1}\n{\"a\": 2}\n"},
    {"{\"Items\":[{}],\"Count\":1}", "{}\n"},
    {"{\"Item\":{\"a\":{\"N\":\"1\"}}}", "{\"a\": 1}\n"},
    {"{\"Attributes\":{\"a\":{\"N\":\"1\"}},\"ConsumedCapacity\":{}}", "{\"a\": 1}\n"},
    {"{\"Responses\":{\"Users\":[{\"a\":{\"N\":\"1\"}}],\"Orders\":[{\"b\":{\"N\":\"2\"}}]}}",
     "{\"a\": 1}\n{\"b\": 2}\n"},
    {"{\"Responses\":[{\"Item\":{\"a\":{\"N\":\"1\"}}},{}]}", "{\"a\": 1}\n"},
    {"{\"Count\":7,\"ScannedCount\":9}", ""},
    {"{}", ""},
    /* what --query leaves of an answer */
    {"[{\"a\":{\"N\":\"1\"}},{\"N\":\"2\"}]", "{\"a\": 1}\n2\n"},
    {"{\"S\":\"x\"}", "\"x\"\n"},
    {"[]", ""},
    {"null", ""},
    /* attributes that are named like members of answers, or like types */
    {"{\"Item\":{\"S\":\"x\"}}", "{\"Item\": \"x\"}\n"},
    {"{\"Items\":{\"L\":[{\"S\":\"x\"}]}}", "{\"Items\": [\"x\"]}\n"},
    {"{\"Item\":{\"M\":{\"a\":{\"S\":\"x\"}}}}", "{\"Item\": {\"a\": \"x\"}}\n"},
    {"{\"Item\":{\"M\":{\"S\":\"x\"}}}", "{\"M\": \"x\"}\n"},
    {"{\"M\":{\"M\":{}}}", "{\"M\": {}}\n"},
    {"{\"S\":{\"S\":\"x\"}}", "{\"S\": \"x\"}\n"},
    /* not DynamoDB JSON */
    {"{\"a\":1}", NULL},
    {"{\"a\":{\"S\":1}}", NULL},
    {"{\"a\":{\"S\":\"x\",\"N\":\"1\"}}", NULL},
    {"{\"a\":{\"N\":\"one\"}}", NULL},
    {"{\"a\":{\"NULL\":false}}", NULL},
    {"{\"a\":{\"L\":[1]}}", NULL},
    {"{\"Items\":[{\"a\":1}]}", NULL},
    {"[1]", NULL},
    {"\"x\"", NULL},
};

static const wire_node *document_of(const char *text)
{
    const wire_node *tree = NULL;
    const char *wrapped = arena_printf(arena, "{\"d\":%s}", text);

    ck_assert_msg(!wire_parse(arena, span_of(wrapped), &tree), "not JSON: %s", text);
    return wire_first(tree);
}

START_TEST(writes_plain_lines)
{
    struct buf out = buf_in(arena);
    bool known = plain_document(arena, &out, document_of(documents[_i].in));

    ck_assert_pstr_eq(known ? buf_text(&out) : NULL, documents[_i].out);
    ck_assert(known || out.len == 0);
}
END_TEST

/* Digits stay; only what JSON does not allow is mended. */
static const struct {
    const char *in, *out;
} numbers[] = {
    {"0", "0"},
    {"-0.50", "-0.50"},
    {"12345678901234567890123456789012345678", "12345678901234567890123456789012345678"},
    {"0.1000000000000000055511151231257827", "0.1000000000000000055511151231257827"},
    {"1E+125", "1E+125"},
    {"1.5e-7", "1.5e-7"},
    {"+5", "5"},
    {"007", "7"},
    {"-00.5", "-0.5"},
    {".5", "0.5"},
    {"5.", "5"},
    {"5.e2", "5e2"},
    {"", NULL},
    {"-", NULL},
    {".", NULL},
    {"1e", NULL},
    {"1 ", NULL},
    {"0x10", NULL},
    {"NaN", NULL},
    {"1.2.3", NULL},
};

START_TEST(keeps_numbers_digit_for_digit)
{
    const char *in = arena_printf(arena, "{\"N\":\"%s\"}", numbers[_i].in);
    struct buf out = buf_in(arena);
    bool known = plain_document(arena, &out, document_of(in));

    if (numbers[_i].out)
        ck_assert_str_eq(buf_text(&out), arena_printf(arena, "%s\n", numbers[_i].out));
    ck_assert_int_eq(known, numbers[_i].out != NULL);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, writes_plain_lines, 0, COUNT(documents));
    tcase_add_loop_test(tc, keeps_numbers_digit_for_digit, 0, COUNT(numbers));
}

int main(void)
{
    return unit_run("plain", add_tests);
}
