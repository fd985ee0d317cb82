/* Conditions of searches: what they come out as in both forms, and what may not stand in one. */
#include "unit_expr.h"

#define V                                                                                   \
    "{\":v\":{\"S\":\"a\"},\":w\":{\"S\":\"b\"},\":n\":{\"N\":\"1\"},\":m\":{\"N\":\"2\"}," \
    "\"#k\":{\"S\":\"kind\"},\"#dots\":{\"S\":\"a.b\"}}"

static const char *const op_names[] = {
    [EXPR_EQ] = "=",          [EXPR_NE] = "<>",
    [EXPR_LT] = "<",          [EXPR_LE] = "<=",
    [EXPR_GT] = ">",          [EXPR_GE] = ">=",
    [EXPR_BETWEEN] = "among", [EXPR_IN] = "in",
    [EXPR_EXISTS] = "there",  [EXPR_NOT_EXISTS] = "not there",
    [EXPR_BEGINS_WITH] = "^",
};

static const struct error *read_as(enum expr_search_form form, const char *text,
                                   struct expr_search *out)
{
    struct expr_vars vars = unit_vars(V);
    struct node *tree = NULL;
    const struct error *e = expr_read_search(arena, span_of(text), &vars, &tree);

    return e ? e : expr_reduce_search(arena, tree, form, out);
}

static void print_test(struct buf *out, const struct expr_search_test *test)
{
    buf_printf(out, "%.*s %s", SPAN_ARG(test->path->at[0].name), op_names[test->op]);
    for (size_t i = 0; i < test->value_count; i++)
        buf_printf(out, " %.*s", SPAN_ARG(test->values[i]->bytes));
}

static void print(struct buf *out, const struct expr_search *s, const struct expr_search_node *n)
{
    static const char *const joins[] = {"all", "any", "not"};

    if (n->join == EXPR_SEARCH_TEST) {
        print_test(out, &s->tests[n->test]);
        return;
    }
    buf_printf(out, "%s(", joins[n->join]);
    for (size_t i = 0; i < n->len; i++) {
        buf_add_text(out, i ? ", " : "");
        print(out, s, &n->at[i]);
    }
    buf_add_char(out, ')');
}

static const struct {
    const char *text, *reduced;
} taken[] =
    {
        {"a = :v", "a = a"},
        {":v = a", "a = a"},
        {"#k = :v AND b = :n", "all(kind = a, b = 1)"},
        {"#dots = :v", "a.b = a"},
        {"(a = :v) and (b = :w and (c = :n))", "all(a = a, all(b = b, c = 1))"},
},
  extended[] = {
      {"a <> :v", "a <> a"},
      {"a < :v AND a >= :n", "all(a < a, a >= 1)"},
      {"a <= :v OR a > :n", "any(a <= a, a > 1)"},
      {"a BETWEEN :n AND :m", "a among 1 2"},
      {"a IN (:v, :n, :w)", "a in a 1 b"},
      {"begins_with(a, :v)", "a ^ a"},
      {"attribute_exists(a) AND NOT attribute_not_exists(#k)", "all(a there, not(kind not there))"},
      {"a = :v OR b = :v AND NOT c = :v", "any(a = a, all(b = a, not(c = a)))"},
      {"(a = :v OR b = :v) AND c = :v", "all(any(a = a, b = a), c = a)"},
};

static void comes_out(enum expr_search_form form, const char *text, const char *reduced)
{
    struct buf out = buf_in(arena);
    struct expr_search search;

    ck_assert_ptr_null(read_as(form, text, &search));
    print(&out, &search, &search.root);
    ck_assert_str_eq(buf_text(&out), reduced);
}

START_TEST(equality_is_taken_in_both_forms)
{
    comes_out(EXPR_SEARCH_EQUALITY, taken[_i].text, taken[_i].reduced);
    comes_out(EXPR_SEARCH_EXTENDED, taken[_i].text, taken[_i].reduced);
}
END_TEST

START_TEST(more_is_taken_in_the_extended_form)
{
    struct expr_search search;

    comes_out(EXPR_SEARCH_EXTENDED, extended[_i].text, extended[_i].reduced);
    ck_assert_ptr_nonnull(read_as(EXPR_SEARCH_EQUALITY, extended[_i].text, &search));
}
END_TEST

#define MISUSED(what) \
    "Invalid SearchConditionExpression: Invalid " what " used in SearchConditionExpression"
#define COMPARATOR MISUSED("comparator")
#define OPERATOR   MISUSED("operator")

static const struct {
    const char *text, *equality, *extended; /* NULL: it is taken */
} refused[] = {
    {"a = b", OPERATOR, OPERATOR},
    {":v = :w", OPERATOR, OPERATOR},
    {":v < a", COMPARATOR, OPERATOR},
    {"a < b", COMPARATOR, OPERATOR},
    {"a IN (:v, b)", OPERATOR, OPERATOR},
    {":v IN (a)", OPERATOR, OPERATOR},
    {"a BETWEEN :v AND b", OPERATOR, OPERATOR},
    {"contains(a, :v)", OPERATOR, OPERATOR},
    {"size(a) = :n", OPERATOR, OPERATOR},
    {"begins_with(a, b)", OPERATOR, OPERATOR},
    {"a = :v AND contains(a, :v)", OPERATOR, OPERATOR},
    {"a < :v OR b = :v", OPERATOR, NULL},
    {"a = :v AND b <> :v", COMPARATOR, NULL},
};

static void is_refused(enum expr_search_form form, const char *text, const char *message)
{
    struct expr_search search;
    const struct error *e = read_as(form, text, &search);

    if (!message) {
        ck_assert_ptr_null(e);
        return;
    }
    ck_assert_ptr_nonnull(e);
    ck_assert_int_eq(e->kind, ERROR_VALIDATION);
    ck_assert_msg(span_is(e->message, message), "%s: %.*s", text, SPAN_ARG(e->message));
}

START_TEST(what_is_refused_is_told)
{
    is_refused(EXPR_SEARCH_EQUALITY, refused[_i].text, refused[_i].equality);
    is_refused(EXPR_SEARCH_EXTENDED, refused[_i].text, refused[_i].extended);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, equality_is_taken_in_both_forms, 0, COUNT(taken));
    tcase_add_loop_test(tc, more_is_taken_in_the_extended_form, 0, COUNT(extended));
    tcase_add_loop_test(tc, what_is_refused_is_told, 0, COUNT(refused));
}

UNIT_TESTS(expr_search, add_tests)
