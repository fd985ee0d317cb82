/* Conditions as text for people, in parts, and as single comparisons. */
#include "unit_expr.h"

#include "expr/expr_print.h"

#define VARS \
    "{\"#s\":{\"S\":\"status\"},\":a\":{\"S\":\"a\"},\":b\":{\"S\":\"b\"},\":n\":{\"N\":\"1\"}}"

static struct expr_cond *read_condition(const char *text)
{
    struct expr_vars *vars = arena_alloc(arena, sizeof *vars);
    struct expr_cond *cond = NULL;

    *vars = unit_vars(VARS);
    ck_assert_ptr_null(expr_read_condition(arena, "FilterExpression", span_of(text), vars, &cond));
    return cond;
}

static const char *print(const struct expr_cond *cond)
{
    struct buf out = buf_in(arena);

    expr_print_condition(&out, cond);
    return buf_text(&out);
}

static const struct {
    const char *text;
    const char *parts[4]; /* up to NULL */
} conditions[] = {
    {"x = :a", {"x = :a"}},
    {"#s  =  :a AND y<>:b", {"status = :a", "y <> :b"}},
    {"x = :a AND (y = :b AND z = :n)", {"x = :a", "y = :b", "z = :n"}},
    {"x = :a OR y = :b AND z = :n", {"x = :a OR (y = :b AND z = :n)"}},
    {"(x = :a OR y = :b) AND z = :n", {"x = :a OR y = :b", "z = :n"}},
    {"NOT (x = :a OR y = :b)", {"NOT (x = :a OR y = :b)"}},
    {"x BETWEEN :a AND :b AND y IN (:a, :b)", {"x BETWEEN :a AND :b", "y IN (:a, :b)"}},
    {"size(a.b[1]) > :n AND contains(x, :a)", {"size(a.b[1]) > :n", "contains(x, :a)"}},
    {"attribute_exists(x)", {"attribute_exists(x)"}},
};

START_TEST(prints_each_part)
{
    struct expr_parts parts = expr_condition_parts(arena, read_condition(conditions[_i].text));

    for (size_t i = 0; i < parts.len; i++)
        ck_assert_str_eq(print(parts.at[i]), conditions[_i].parts[i]);
    ck_assert_ptr_null(conditions[_i].parts[parts.len]);
}
END_TEST

START_TEST(no_condition_has_no_parts)
{
    ck_assert_uint_eq(expr_condition_parts(arena, NULL).len, 0);
}
END_TEST

static const struct {
    const char *item, *shown;
} values[] = {
    {"{\"v\":{\"S\":\"a\\\"b\"}}", "\"a\\\"b\""},     {"{\"v\":{\"N\":\"12\"}}", "12"},
    {"{\"v\":{\"B\":\"AQI=\"}}", "<2 bytes>"},        {"{\"v\":{\"BOOL\":true}}", "true"},
    {"{\"v\":{\"SS\":[\"a\"]}}", "{\"SS\":[\"a\"]}"},
};

START_TEST(values_are_for_people)
{
    struct item it = unit_item(values[_i].item);
    struct buf out = buf_in(arena);

    expr_print_value(&out, &it.at[0].value);
    ck_assert_str_eq(buf_text(&out), values[_i].shown);
}
END_TEST

START_TEST(long_text_is_cut_between_characters)
{
    struct attr value = {.type = ATTR_S};
    struct buf text = buf_in(arena), out = buf_in(arena);

    buf_add_char(&text, 'x');
    for (size_t i = 0; i < 100; i++)
        buf_add_text(&text, "\xc3\xa9");
    value.bytes = buf_span(&text);
    expr_print_value(&out, &value);
    ck_assert_uint_eq(out.len, 1 + 119 + 1 + strlen("…"));
}
END_TEST

static const struct {
    const char *text;
    bool is;
    enum expr_op op;
    bool has_value, has_second;
} comparisons[] = {
    {"x = :a", true, EXPR_EQ, true, false},
    {":a < x", true, EXPR_GT, true, false},
    {"x BETWEEN :a AND :b", true, EXPR_BETWEEN, true, true},
    {"begins_with(x, :a)", true, EXPR_BEGINS_WITH, true, false},
    {"attribute_not_exists(x)", true, EXPR_NOT_EXISTS, false, false},
    {"size(x) > :n", false, EXPR_EQ, false, false},
    {"x = y", false, EXPR_EQ, false, false},
    {"x BETWEEN :a AND y", false, EXPR_EQ, false, false},
    {"x BETWEEN y AND :a", false, EXPR_EQ, false, false},
    {":a BETWEEN x AND :b", false, EXPR_EQ, false, false},
    {":a IN (x, :b)", false, EXPR_EQ, false, false},
    {"begins_with(:a, x)", false, EXPR_EQ, false, false},
    {"contains(:a, x)", false, EXPR_EQ, false, false},
    {"x = :a OR x = :b", false, EXPR_EQ, false, false},
    {"NOT x = :a", false, EXPR_EQ, false, false},
};

START_TEST(tells_one_comparison)
{
    struct expr_comparison one;

    ck_assert(expr_as_comparison(read_condition(comparisons[_i].text), &one) == comparisons[_i].is);
    if (!comparisons[_i].is)
        return;
    ck_assert_int_eq(one.op, comparisons[_i].op);
    ck_assert(span_is(one.path->at[0].name, "x"));
    ck_assert((one.value != NULL) == comparisons[_i].has_value);
    ck_assert((one.second != NULL) == comparisons[_i].has_second);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, prints_each_part, 0, COUNT(conditions));
    tcase_add_test(tc, no_condition_has_no_parts);
    tcase_add_loop_test(tc, values_are_for_people, 0, COUNT(values));
    tcase_add_test(tc, long_text_is_cut_between_characters);
    tcase_add_loop_test(tc, tells_one_comparison, 0, COUNT(comparisons));
}

UNIT_TESTS(expr_print, add_tests)
