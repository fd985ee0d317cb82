#include "unit.h"

#include "wire/json.h"

static const wire_node *tree_of(const char *text)
{
    const wire_node *tree = NULL;

    ck_assert_msg(!wire_parse(arena, span_of(text), &tree), "not JSON: %s", text);
    return tree;
}

static const char document[] =
    "{\"Items\":[{\"pk\":{\"S\":\"a\"}},{\"pk\":{\"S\":\"b\"}}],\"a/b\":1,\"m~n\":2,\"\":3,"
    "\"big\":12345678901234567890.10,\"no\":null}";

/* Pointers and what is there, as JSON; NULL: nothing. */
static const struct {
    const char *pointer, *value;
} places[] = {
    {"/Items/0/pk", "{\"S\": \"a\"}"},
    {"/Items/1/pk/S", "\"b\""},
    {"/a~1b", "1"},
    {"/m~0n", "2"},
    {"/", "3"},
    {"/big", "12345678901234567890.10"},
    {"/no", "null"},
    {"/Items/2", NULL},
    {"/Items/01", NULL},
    {"/Items/-", NULL},
    {"/Items/0/pk/S/x", NULL},
    {"/items", NULL},
    {"Items", NULL},
    {"/Items/99999999999", NULL},
};

START_TEST(follows_json_pointers)
{
    const wire_node *node = json_at(tree_of(document), span_of(places[_i].pointer));
    struct buf out = buf_in(arena);

    if (node)
        json_write(&out, node);
    ck_assert_pstr_eq(node ? buf_text(&out) : NULL, places[_i].value);
}
END_TEST

START_TEST(the_empty_pointer_is_the_whole)
{
    const wire_node *tree = tree_of(document);

    ck_assert_ptr_eq(json_at(tree, SPAN_LIT("")), tree);
}
END_TEST

static const struct {
    const char *a, *b;
    bool equal;
} pairs[] = {
    {"{\"a\":1,\"b\":[1,2]}", "{\"b\":[1,2],\"a\":1.0}", true},
    {"{\"a\":[1,2]}", "{\"a\":[2,1]}", false},
    {"{\"a\":[1]}", "{\"a\":[1,2]}", false},
    {"{\"a\":1}", "{\"a\":1,\"b\":2}", false},
    {"{\"a\":\"1\"}", "{\"a\":1}", false},
    {"{\"a\":\"x\\u0000y\"}", "{\"a\":\"x\\u0000y\"}", true},
    {"{\"a\":\"x\\u0000y\"}", "{\"a\":\"x\\u0000z\"}", false},
    {"{\"a\":true}", "{\"a\":false}", false},
    {"{\"a\":null}", "{\"a\":null}", true},
    {"{\"a\":null}", "{\"b\":null}", false},
};

START_TEST(compares_values)
{
    ck_assert_int_eq(json_equal(tree_of(pairs[_i].a), tree_of(pairs[_i].b)), pairs[_i].equal);
}
END_TEST

/* Texts, and whether they are one value. */
static const struct {
    const char *text;
    bool good;
} texts[] = {
    {"{\"a\":1}", true},   {" [1, 2] ", true}, {"\"x\"", true}, {"-1.5e3", true},
    {"null", true},        {"", false},        {"1 2", false},  {"1,2", false},
    {"1,\"a\":2", false},  {"1}", false},      {"{", false},    {"1,\"document\":2", false},
    {"1},\"a\":{", false},
};

START_TEST(a_text_is_one_value)
{
    const wire_node *tree;

    ck_assert_int_eq(json_parse(arena, span_of(texts[_i].text), &tree), texts[_i].good);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, follows_json_pointers, 0, COUNT(places));
    tcase_add_test(tc, the_empty_pointer_is_the_whole);
    tcase_add_loop_test(tc, compares_values, 0, COUNT(pairs));
    tcase_add_loop_test(tc, a_text_is_one_value, 0, COUNT(texts));
}

UNIT_TESTS(json, add_tests)
