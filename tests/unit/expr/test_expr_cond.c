/* Conditions run on items, conditions built without text, and what a condition reads. */
#include "unit_expr.h"

#define ITEM                                                                                  \
    "{\"s\":{\"S\":\"banana\"},\"n\":{\"N\":\"10\"},\"neg\":{\"N\":\"-2.5\"},"                \
    "\"b\":{\"B\":\"/wABAg==\"},\"yes\":{\"BOOL\":true},\"nil\":{\"NULL\":true},"             \
    "\"ss\":{\"SS\":[\"a\",\"b\"]},\"ns\":{\"NS\":[\"1\",\"2\"]},\"bs\":{\"BS\":[\"/wA=\"]}," \
    "\"l\":{\"L\":[{\"S\":\"x\"},{\"N\":\"1\"},{\"M\":{\"k\":{\"NULL\":true}}}]},"            \
    "\"m\":{\"M\":{\"k\":{\"L\":[{\"M\":{\"d\":{\"S\":\"deep\"}}}]},\"o\":{\"N\":\"1\"}}},"   \
    "\"blank\":{\"S\":\"\"},\"nought\":{\"L\":[]},\"wide\":{\"S\":\"ab\xc3\xa9\"},"           \
    "\"emoji\":{\"S\":\"\xf0\x9f\x98\x80\"},\"a.b\":{\"S\":\"dotted\"}}"

#define VALUES                                                                                     \
    "{\":a\":{\"S\":\"a\"},\":banana\":{\"S\":\"banana\"},\":ban\":{\"S\":\"ban\"},"               \
    "\":nan\":{\"S\":\"nan\"},\":z\":{\"S\":\"z\"},\":e\":{\"S\":\"\"},\":1\":{\"N\":\"1\"},"      \
    "\":2\":{\"N\":\"2\"},\":3\":{\"N\":\"3\"},\":9\":{\"N\":\"9\"},\":10\":{\"N\":\"10\"},"       \
    "\":100\":{\"N\":\"100\"},\":s10\":{\"S\":\"10\"},\":b\":{\"B\":\"/wABAg==\"},"                \
    "\":b1\":{\"B\":\"/wA=\"},\":b2\":{\"B\":\"AQI=\"},\":true\":{\"BOOL\":true},"                 \
    "\":false\":{\"BOOL\":false},\":null\":{\"NULL\":true},\":ss\":{\"SS\":[\"a\",\"b\"]},"        \
    "\":ss1\":{\"SS\":[\"a\"]},\":ns\":{\"NS\":[\"1\",\"2\"]},\":x\":{\"S\":\"x\"},"               \
    "\":l\":{\"L\":[{\"S\":\"x\"},{\"N\":\"1\"},{\"M\":{\"k\":{\"NULL\":true}}}]},"                \
    "\":lr\":{\"L\":[{\"N\":\"1\"},{\"S\":\"x\"},{\"M\":{\"k\":{\"NULL\":true}}}]},"               \
    "\":mk\":{\"M\":{\"k\":{\"NULL\":true}}},"                                                     \
    "\":m\":{\"M\":{\"o\":{\"N\":\"1\"},\"k\":{\"L\":[{\"M\":{\"d\":{\"S\":\"deep\"}}}]}}},"       \
    "\":S\":{\"S\":\"S\"},\":N\":{\"S\":\"N\"},\":B\":{\"S\":\"B\"},\":SS\":{\"S\":\"SS\"},"       \
    "\":NS\":{\"S\":\"NS\"},\":BS\":{\"S\":\"BS\"},\":BOOL\":{\"S\":\"BOOL\"},"                    \
    "\":NULL\":{\"S\":\"NULL\"},\":L\":{\"S\":\"L\"},\":M\":{\"S\":\"M\"},\":m3\":{\"N\":\"-3\"}," \
    "\"#s\":{\"S\":\"s\"},\"#dots\":{\"S\":\"a.b\"}}"

static const struct {
    const char *text;
    bool holds;
} conditions[] = {
    /* equality */
    {"s = :banana", true},
    {"s = :ban", false},
    {"s <> :ban", true},
    {"#s = :banana", true},
    {"#dots = :banana", false},
    {"n = :10", true},
    {"n = :s10", false},
    {"n <> :s10", true},
    {"b = :b", true},
    {"yes = :true", true},
    {"yes = :false", false},
    {"nil = :null", true},
    {"ss = :ss", true},
    {"ss = :ss1", false},
    {"ns = :ns", true},
    {"l = :l", true},
    {"l = :lr", false},
    {"l <> :lr", true},
    {"m = :m", true},
    {"m <> :mk", true},
    {"l[2] = :mk", true},
    {"m.k[0].d = s", false},
    {"m.o = l[1]", true},
    {":1 = :1", true},
    /* order: of one type only, and only S, N and B have one */
    {"n > :9", true},
    {"n < :100", true},
    {"n >= :10 AND n <= :10", true},
    {"n < :10 OR n > :10", false},
    {"neg < :1", true},
    {"neg > :m3", true},
    {"s > :a", true},
    {"s < :z", true},
    {"s < :1", false},
    {"s > :1", false},
    {"b >= :b", true},
    {"b > :b1", true},
    {"ss > :a", false},
    {"yes >= yes2", false},
    {"l >= m", false},
    {":a < s", true},
    /* what is missing equals nothing and differs from everything */
    {"q = :1", false},
    {"q <> :1", true},
    {"q < :1 OR q <= :1 OR q > :1 OR q >= :1", false},
    {"q BETWEEN :1 AND :2", false},
    {"n BETWEEN q AND :100", false},
    {"q IN (:1, :2)", false},
    {"n IN (q)", false},
    {"q = p", false},
    {"q <> p", true},
    {"NOT q = :1", true},
    {"NOT q <> :1", false},
    {"begins_with(q, :a) OR contains(q, :a) OR attribute_type(q, :S)", false},
    {"contains(s, q)", false},
    {"s.x = :1 OR n[0] = :1 OR l[3] = :1 OR l.x = :1 OR m[0] = :1 OR m.q.z = :1", false},
    {"s.x <> :1", true},
    {"a.b = :1", false},
    {"NOT attribute_exists(q) OR q > :1", true},
    {"attribute_not_exists(q)", true},
    {"attribute_not_exists(m.q.z)", true},
    {"attribute_exists(l[2].k)", true},
    {"attribute_exists(nil)", true},
    {"attribute_exists(blank)", true},
    {"attribute_exists(l[3])", false},
    {"attribute_exists(#dots)", true},
    /* BETWEEN and IN */
    {"n BETWEEN :10 AND :100", true},
    {"n BETWEEN :9 AND :10", true},
    {"n BETWEEN :1 AND :9", false},
    {":2 BETWEEN :1 AND :3", true},
    {"s BETWEEN :1 AND :9", false},
    {"n BETWEEN neg AND :s10", false},
    {"b BETWEEN :b1 AND :b", true},
    {"size(s) BETWEEN :1 AND :9", true},
    {"s IN (:1, :mk, :banana)", true},
    {"s IN (:1)", false},
    {"l IN (:lr, :l)", true},
    {"s IN (:1, :2, :3, :9, :10, :100, :a, :z, :banana, :b)", true},
    {"n IN (:100, :10, :9, :3, :2, :1, :a, :z, :banana, :b)", true},
    {"n IN (:100, :9, :3, :2, :1, :a, :z, :s10, :banana, :b)", false},
    {"l IN (:1, :2, :3, :9, :100, :a, :z, :lr, :l, :b)", true},
    {"m IN (:1, :2, :3, :9, :100, :a, :z, :lr, :l, :b)", false},
    {"b IN (:b1, :2, :3, :9, :100, :a, :z, :lr, :l, :b)", true},
    {"size(ss) IN (:1, :3, :9, :100, :a, :z, :lr, :l, :b, :2)", true},
    {"n IN (:1, :2, :3, :9, :100, :a, :z, :lr, :l, m.q)", false},
    {"size(ss) IN (:1, :2)", true},
    {":1 IN (l[1], s)", true},
    /* functions */
    {"begins_with(s, :ban)", true},
    {"begins_with(s, :nan)", false},
    {"begins_with(s, :e)", true},
    {"begins_with(blank, :e)", true},
    {"begins_with(b, :b1)", true},
    {"begins_with(s, :b1)", false},
    {"begins_with(n, :s10)", false},
    {"begins_with(s, n)", false},
    {"contains(s, :nan)", true},
    {"contains(s, :z)", false},
    {"contains(s, :e)", true},
    {"contains(s, :1)", false},
    {"contains(b, :b2)", true},
    {"contains(n, :1)", false},
    {"contains(ss, :a)", true},
    {"contains(ss, :ban)", false},
    {"contains(ns, :2)", true},
    {"contains(ns, :s10)", false},
    {"contains(ss, :ss)", false},
    {"contains(bs, :b1)", true},
    {"contains(l, :x)", true},
    {"contains(l, :mk)", true},
    {"contains(l, :2)", false},
    {"contains(m, :a)", false},
    {"contains(yes, :true)", false},
    {"contains(:banana, s)", true},
    {"attribute_type(s, :S) AND attribute_type(n, :N) AND attribute_type(b, :B)", true},
    {"attribute_type(ss, :SS) AND attribute_type(ns, :NS) AND attribute_type(bs, :BS)", true},
    {"attribute_type(yes, :BOOL) AND attribute_type(nil, :NULL)", true},
    {"attribute_type(l, :L) AND attribute_type(m, :M) AND attribute_type(l[2], :M)", true},
    {"attribute_type(s, :N)", false},
    /* size */
    {"size(s) = size(:banana)", true},
    {"size(wide) = :3", true},
    {"size(emoji) = :2", true},
    {"size(b) > :3", true},
    {"size(ss) = :2 AND size(ns) = :2 AND size(bs) = :1", true},
    {"size(l) = :3 AND size(m) = :2", true},
    {"size(blank) < :1 AND size(nought) < :1", true},
    {"size(n) > :1", false},
    {"size(n) <> :1", true},
    {"size(q) <> :1", true},
    {"NOT size(yes) > :1", true},
    {"size(s) = :s10", false},
    /* precedence */
    {"s = :a AND s = :a OR n = :10", true},
    {"n = :10 OR s = :a AND s = :a", true},
    {"(n = :10 OR s = :a) AND s = :a", false},
    {"NOT s = :a AND n = :10", true},
    {"NOT (s = :a OR n = :10)", false},
    {"NOT NOT n = :10", true},
    {"n BETWEEN :1 AND :100 AND s = :a", false},
};

START_TEST(holds_or_not)
{
    struct expr_vars vars = unit_vars(VALUES);
    struct item it = unit_item(ITEM);
    struct expr_cond *cond = NULL;
    const struct error *e = expr_read_condition(arena, "FilterExpression",
                                                span_of(conditions[_i].text), &vars, &cond);

    ck_assert_msg(!e, "%s: %.*s", conditions[_i].text, SPAN_ARG(e->message));
    ck_assert_msg(expr_matches(cond, &it) == conditions[_i].holds, "%s", conditions[_i].text);
}
END_TEST

START_TEST(a_missing_item_has_no_attributes)
{
    static const char *const texts[] = {"attribute_not_exists(s)", "s <> :a", "NOT s = :a"};
    struct expr_vars vars = unit_vars(VALUES);
    struct expr_cond *cond = NULL;

    for (size_t i = 0; i < COUNT(texts); i++) {
        ck_assert_ptr_null(
            expr_read_condition(arena, "ConditionExpression", span_of(texts[i]), &vars, &cond));
        ck_assert(expr_matches(cond, NULL));
    }
    ck_assert(expr_matches(NULL, NULL));
}
END_TEST

/* --- conditions without text --------------------------------------------------------------- */

static struct path path_of(const char *name)
{
    struct path_step *step = arena_alloc(arena, sizeof *step);

    step->name = span_of(name);
    return (struct path){step, 1};
}

static const struct {
    const char *name;
    enum expr_op op;
    const char *first, *second;
    bool holds;
} comparisons[] = {
    {"n", EXPR_EQ, "{\"N\":\"10\"}", NULL, true},
    {"n", EXPR_NE, "{\"N\":\"10\"}", NULL, false},
    {"q", EXPR_NE, "{\"N\":\"10\"}", NULL, true},
    {"n", EXPR_LT, "{\"N\":\"11\"}", NULL, true},
    {"n", EXPR_LE, "{\"N\":\"10\"}", NULL, true},
    {"n", EXPR_GT, "{\"N\":\"9\"}", NULL, true},
    {"n", EXPR_GE, "{\"N\":\"11\"}", NULL, false},
    {"n", EXPR_BETWEEN, "{\"N\":\"9\"}", "{\"N\":\"10\"}", true},
    {"n", EXPR_BETWEEN, "{\"N\":\"10\"}", "{\"N\":\"9\"}", false},
    {"n", EXPR_IN, "{\"N\":\"1\"}", "{\"N\":\"10\"}", true},
    {"n", EXPR_IN, "{\"N\":\"1\"}", NULL, false},
    {"s", EXPR_BEGINS_WITH, "{\"S\":\"ban\"}", NULL, true},
    {"s", EXPR_CONTAINS, "{\"S\":\"nan\"}", NULL, true},
    {"s", EXPR_NOT_CONTAINS, "{\"S\":\"nan\"}", NULL, false},
    {"q", EXPR_CONTAINS, "{\"S\":\"nan\"}", NULL, false},
    {"q", EXPR_NOT_CONTAINS, "{\"S\":\"nan\"}", NULL, false},
    {"n", EXPR_NOT_CONTAINS, "{\"S\":\"nan\"}", NULL, true},
    {"nil", EXPR_EXISTS, NULL, NULL, true},
    {"q", EXPR_EXISTS, NULL, NULL, false},
    {"q", EXPR_NOT_EXISTS, NULL, NULL, true},
    {"a.b", EXPR_EQ, "{\"S\":\"dotted\"}", NULL, true},
};

START_TEST(compares_a_path_with_values)
{
    struct item it = unit_item(ITEM);
    struct path path = path_of(comparisons[_i].name);
    struct attr values[2];
    size_t count = 0;

    if (comparisons[_i].first)
        values[count++] = unit_attr(comparisons[_i].first);
    if (comparisons[_i].second)
        values[count++] = unit_attr(comparisons[_i].second);
    ck_assert(expr_matches(expr_compare_path(arena, &path, comparisons[_i].op, values, count),
                           &it) == comparisons[_i].holds);
}
END_TEST

START_TEST(joins_conditions)
{
    struct item it = unit_item(ITEM);
    struct path yes = path_of("s"), no = path_of("q");
    struct expr_cond *conds[] = {expr_compare_path(arena, &yes, EXPR_EXISTS, NULL, 0),
                                 expr_compare_path(arena, &no, EXPR_EXISTS, NULL, 0)};

    ck_assert(!expr_matches(expr_join(arena, false, conds, 2), &it));
    ck_assert(expr_matches(expr_join(arena, true, conds, 2), &it));
    ck_assert(expr_matches(expr_join(arena, false, conds, 1), &it));
    ck_assert(!expr_matches(expr_join(arena, true, conds + 1, 1), &it));
    ck_assert_ptr_null(expr_join(arena, true, conds, 0));
}
END_TEST

/* --- what a condition reads ---------------------------------------------------------------- */

START_TEST(lists_names_once_and_paths_always)
{
    struct expr_vars vars = unit_vars(VALUES);
    struct buf printed = buf_in(arena);
    struct expr_cond *cond = NULL;
    const struct path *const *paths;
    struct span *names;
    size_t count;

    ck_assert_ptr_null(expr_read_condition(
        arena, "FilterExpression",
        SPAN_LIT("m.o = l[1] AND (NOT contains(#s, :a) OR size(m.k[0].d) IN (:1, n, m))"), &vars,
        &cond));
    expr_condition_paths(arena, cond, &paths, &count);
    for (size_t i = 0; i < count; i++)
        path_print(&printed, paths[i]);
    ck_assert_str_eq(buf_text(&printed), "[m, o][l, [1]][s][m, k, [0], d][n][m]");
    expr_condition_names(arena, cond, &names, &count);
    ck_assert_uint_eq(count, 4);
    ck_assert_span_eq(names[0], "m");
    ck_assert_span_eq(names[1], "l");
    ck_assert_span_eq(names[2], "s");
    ck_assert_span_eq(names[3], "n");
    expr_condition_names(arena, NULL, &names, &count);
    ck_assert_uint_eq(count, 0);
    expr_condition_paths(arena, NULL, &paths, &count);
    ck_assert_uint_eq(count, 0);
}
END_TEST

static const struct {
    const char *text, *message; /* of a projection; after the sentence that is always the same */
} below_keys[] = {
    {"pk, sk, gk, a.b", NULL},      {"a, pk.x", "Key: pk"},    {"sk[0]", "Key: sk"},
    {"gk.x, pk.x", "IndexKey: gk"}, {"lk[0]", "IndexKey: lk"}, {"dual.x", "Key: dual"},
};

START_TEST(keys_have_no_inside)
{
    struct index indexes[] = {
        {.keys = {.hash = {{SPAN_LIT("pk"), ATTR_S}},
                  .hash_count = 1,
                  .range = {{SPAN_LIT("lk"), ATTR_S}},
                  .range_count = 1}},
        {.global = true,
         .keys = {.hash = {{SPAN_LIT("gk"), ATTR_S}, {SPAN_LIT("dual"), ATTR_S}},
                  .hash_count = 2}}};
    struct table t = {.keys = {.hash = {{SPAN_LIT("pk"), ATTR_S}, {SPAN_LIT("dual"), ATTR_S}},
                               .hash_count = 2,
                               .range = {{SPAN_LIT("sk"), ATTR_S}},
                               .range_count = 1},
                      .indexes = indexes,
                      .index_count = COUNT(indexes)};
    struct expr_vars vars = {0};
    struct expr_projection p = {.len = 0};
    const struct path *paths[8];
    const struct error *e;

    ck_assert_ptr_null(expr_read_projection(arena, span_of(below_keys[_i].text), &vars, &p));
    for (size_t i = 0; i < p.len; i++)
        paths[i] = &p.paths[i];
    e = expr_check_key_paths(arena, &t, paths, p.len);
    if (!below_keys[_i].message) {
        ck_assert_ptr_null(e);
        return;
    }
    ck_assert_ptr_nonnull(e);
    ck_assert(e->bare);
    ck_assert_span_eq(e->message,
                      arena_printf(arena,
                                   "Key attributes must be scalars; list random access '[]' and "
                                   "map lookup '.' are not allowed: %s",
                                   below_keys[_i].message));
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, holds_or_not, 0, COUNT(conditions));
    tcase_add_test(tc, a_missing_item_has_no_attributes);
    tcase_add_loop_test(tc, compares_a_path_with_values, 0, COUNT(comparisons));
    tcase_add_test(tc, joins_conditions);
    tcase_add_test(tc, lists_names_once_and_paths_always);
    tcase_add_loop_test(tc, keys_have_no_inside, 0, COUNT(below_keys));
}

UNIT_TESTS(expr_cond, add_tests)
