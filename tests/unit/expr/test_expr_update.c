/* Updates: what they charge, what they touch, what becomes of an item, and what is shown of it. */
#include "model/limits.h"
#include "unit_expr.h"

#define VALUES                                                                                 \
    "{\":v\":{\"S\":\"v\"},\":w\":{\"S\":\"w\"},\":x\":{\"S\":\"x\"},\":one\":{\"N\":\"1\"},"  \
    "\":half\":{\"N\":\"0.5\"},\":big\":{\"N\":\"1" ZEROS "\"},\":tiny\":{\"N\":\"0." ZEROS    \
    "1\"},\":l\":{\"L\":[{\"S\":\"n\"}]},\":none\":{\"L\":[]},\":m\":{\"M\":{\"k\":{\"N\":"    \
    "\"7\"}}},\":ab\":{\"SS\":[\"a\",\"b\"]},\":bc\":{\"SS\":[\"b\",\"c\"]},\":abc\":{\"SS\":" \
    "[\"a\",\"b\",\"c\"]},\":z\":{\"SS\":[\"z\"]},\":n1\":{\"NS\":[\"-3\",\"1\",\"10\"]},"     \
    "\":bs\":{\"BS\":[\"AQ==\",\"Ag==\"]},\"#a\":{\"S\":\"a\"},\"#dots\":{\"S\":\"a.b\"}}"

#define ZEROS "0000000000000000000000000000000000000000" /* 40 */

static struct expr_update *read_update(const char *text)
{
    struct expr_vars vars = unit_vars(VALUES);
    struct expr_update *u = NULL;
    const struct error *e = expr_read_update(arena, span_of(text), &vars, &u);

    ck_assert_msg(!e, "%s: %.*s", text, SPAN_ARG(e->message));
    return u;
}

/* --- applying ------------------------------------------------------------------------------ */

static const struct {
    const char *text, *old, *new;
} applied[] = {
    /* SET */
    {"SET a = :v", "{}", "{\"a\":{\"S\":\"v\"}}"},
    {"SET a = :v", "{\"pk\":{\"S\":\"k\"},\"a\":{\"N\":\"1\"}}",
     "{\"pk\":{\"S\":\"k\"},\"a\":{\"S\":\"v\"}}"},
    {"SET a = :v, b = a", "{\"a\":{\"N\":\"1\"}}", "{\"a\":{\"S\":\"v\"},\"b\":{\"N\":\"1\"}}"},
    {"SET a = b, b = a", "{\"a\":{\"N\":\"1\"},\"b\":{\"N\":\"2\"}}",
     "{\"a\":{\"N\":\"2\"},\"b\":{\"N\":\"1\"}}"},
    {"SET #dots = :v", "{\"a\":{\"M\":{}}}", "{\"a\":{\"M\":{}},\"a.b\":{\"S\":\"v\"}}"},
    {"SET m.x = :v, m.y.z = :w", "{\"m\":{\"M\":{\"y\":{\"M\":{\"z\":{\"N\":\"1\"}}}}}}",
     "{\"m\":{\"M\":{\"y\":{\"M\":{\"z\":{\"S\":\"w\"}}},\"x\":{\"S\":\"v\"}}}}"},
    {"SET m.y.b = :v, m.a = :w, m.y.a = :x", "{\"m\":{\"M\":{\"y\":{\"M\":{}}}}}",
     "{\"m\":{\"M\":{\"y\":{\"M\":{\"b\":{\"S\":\"v\"},\"a\":{\"S\":\"x\"}}},"
     "\"a\":{\"S\":\"w\"}}}}"},
    {"SET a = m.y, m.y.z = :v REMOVE m.q",
     "{\"m\":{\"M\":{\"q\":{\"N\":\"2\"},\"y\":{\"M\":{\"z\":{\"N\":\"1\"}}}}}}",
     "{\"m\":{\"M\":{\"y\":{\"M\":{\"z\":{\"S\":\"v\"}}}}},\"a\":{\"M\":{\"z\":{\"N\":\"1\"}}}}"},
    /* arithmetic */
    {"SET n = n + :one", "{\"n\":{\"N\":\"9\"}}", "{\"n\":{\"N\":\"10\"}}"},
    {"SET n = :one - n", "{\"n\":{\"N\":\"9\"}}", "{\"n\":{\"N\":\"-8\"}}"},
    {"SET n = (n - :half)", "{\"n\":{\"N\":\"0.5\"}}", "{\"n\":{\"N\":\"0\"}}"},
    {"SET n = l[0] + m.k", "{\"l\":{\"L\":[{\"N\":\"1\"}]},\"m\":{\"M\":{\"k\":{\"N\":\"2\"}}}}",
     "{\"l\":{\"L\":[{\"N\":\"1\"}]},\"m\":{\"M\":{\"k\":{\"N\":\"2\"}}},\"n\":{\"N\":\"3\"}}"},
    {"SET n = if_not_exists(n, :half) + :one", "{}", "{\"n\":{\"N\":\"1.5\"}}"},
    {"SET n = if_not_exists(n, :half) + :one", "{\"n\":{\"N\":\"1\"}}", "{\"n\":{\"N\":\"2\"}}"},
    /* functions */
    {"SET a = if_not_exists(b, :v)", "{\"b\":{\"N\":\"1\"}}",
     "{\"b\":{\"N\":\"1\"},\"a\":{\"N\":\"1\"}}"},
    {"SET a = if_not_exists(b, c)", "{\"c\":{\"N\":\"1\"}}",
     "{\"c\":{\"N\":\"1\"},\"a\":{\"N\":\"1\"}}"},
    {"SET a = if_not_exists(a, q)", "{\"a\":{\"N\":\"1\"}}", "{\"a\":{\"N\":\"1\"}}"},
    {"SET a = if_not_exists(q, if_not_exists(r, :v))", "{}", "{\"a\":{\"S\":\"v\"}}"},
    {"SET l = list_append(l, :l)", "{\"l\":{\"L\":[{\"N\":\"1\"}]}}",
     "{\"l\":{\"L\":[{\"N\":\"1\"},{\"S\":\"n\"}]}}"},
    {"SET l = list_append(:l, l)", "{\"l\":{\"L\":[{\"N\":\"1\"}]}}",
     "{\"l\":{\"L\":[{\"S\":\"n\"},{\"N\":\"1\"}]}}"},
    {"SET l = list_append(if_not_exists(l, :none), :l)", "{}", "{\"l\":{\"L\":[{\"S\":\"n\"}]}}"},
    {"SET l = list_append(:none, :none)", "{}", "{\"l\":{\"L\":[]}}"},
    /* lists */
    {"SET l[0] = :v", "{\"l\":{\"L\":[{\"N\":\"1\"},{\"N\":\"2\"}]}}",
     "{\"l\":{\"L\":[{\"S\":\"v\"},{\"N\":\"2\"}]}}"},
    {"SET l[9] = :v", "{\"l\":{\"L\":[{\"N\":\"1\"},{\"N\":\"2\"}]}}",
     "{\"l\":{\"L\":[{\"N\":\"1\"},{\"N\":\"2\"},{\"S\":\"v\"}]}}"},
    {"SET l[9] = :x, l[7] = :v", "{\"l\":{\"L\":[{\"N\":\"1\"}]}}",
     "{\"l\":{\"L\":[{\"N\":\"1\"},{\"S\":\"v\"},{\"S\":\"x\"}]}}"},
    {"SET m.l[5] = :x, l[10] = :w, m.l[3] = :v, l[2] = :x",
     "{\"l\":{\"L\":[]},\"m\":{\"M\":{\"l\":{\"L\":[]}}}}",
     "{\"l\":{\"L\":[{\"S\":\"x\"},{\"S\":\"w\"}]},"
     "\"m\":{\"M\":{\"l\":{\"L\":[{\"S\":\"v\"},{\"S\":\"x\"}]}}}}"},
    {"SET l[0][9] = :v, l[9] = :w, l[0][8] = :x", "{\"l\":{\"L\":[{\"L\":[]}]}}",
     "{\"l\":{\"L\":[{\"L\":[{\"S\":\"x\"},{\"S\":\"v\"}]},{\"S\":\"w\"}]}}"},
    {"SET a[0].x = :v, a[1].x = :w, a[0].y = :x", "{\"a\":{\"L\":[{\"M\":{}},{\"M\":{}}]}}",
     "{\"a\":{\"L\":[{\"M\":{\"x\":{\"S\":\"v\"},\"y\":{\"S\":\"x\"}}},"
     "{\"M\":{\"x\":{\"S\":\"w\"}}}]}}"},
    /* REMOVE */
    {"REMOVE a", "{\"a\":{\"N\":\"1\"},\"b\":{\"N\":\"2\"}}", "{\"b\":{\"N\":\"2\"}}"},
    {"REMOVE q", "{\"a\":{\"N\":\"1\"}}", "{\"a\":{\"N\":\"1\"}}"},
    {"REMOVE m.x", "{\"m\":{\"M\":{\"y\":{\"N\":\"1\"}}}}",
     "{\"m\":{\"M\":{\"y\":{\"N\":\"1\"}}}}"},
    {"REMOVE m.y", "{\"m\":{\"M\":{\"y\":{\"N\":\"1\"}}}}", "{\"m\":{\"M\":{}}}"},
    {"REMOVE l[0], l[2]",
     "{\"l\":{\"L\":[{\"S\":\"a\"},{\"S\":\"b\"},{\"S\":\"c\"},{\"S\":\"d\"}]}}",
     "{\"l\":{\"L\":[{\"S\":\"b\"},{\"S\":\"d\"}]}}"},
    {"REMOVE l[7]", "{\"l\":{\"L\":[{\"S\":\"a\"}]}}", "{\"l\":{\"L\":[{\"S\":\"a\"}]}}"},
    {"REMOVE l[0] SET l[9] = :v, l[1] = :w", "{\"l\":{\"L\":[{\"S\":\"a\"},{\"S\":\"b\"}]}}",
     "{\"l\":{\"L\":[{\"S\":\"w\"},{\"S\":\"v\"}]}}"},
    {"REMOVE l[2] SET l[9] = :v", "{\"l\":{\"L\":[{\"S\":\"a\"},{\"S\":\"b\"}]}}",
     "{\"l\":{\"L\":[{\"S\":\"a\"},{\"S\":\"b\"},{\"S\":\"v\"}]}}"},
    {"REMOVE l[0], l[1].x, l[2][0] SET l[1].y = :v, l[2][7] = :w",
     "{\"l\":{\"L\":[{\"S\":\"a\"},{\"M\":{\"x\":{\"N\":\"1\"}}},{\"L\":[{\"N\":\"2\"}]}]}}",
     "{\"l\":{\"L\":[{\"M\":{\"y\":{\"S\":\"v\"}}},{\"L\":[{\"S\":\"w\"}]}]}}"},
    {"REMOVE a, m.x, b SET c = :v",
     "{\"a\":{\"N\":\"1\"},\"m\":{\"M\":{\"x\":{\"N\":\"1\"}}},"
     "\"b\":{\"N\":\"1\"}}",
     "{\"m\":{\"M\":{}},\"c\":{\"S\":\"v\"}}"},
    /* ADD */
    {"ADD n :one", "{}", "{\"n\":{\"N\":\"1\"}}"},
    {"ADD n :half", "{\"n\":{\"N\":\"-3\"}}", "{\"n\":{\"N\":\"-2.5\"}}"},
    {"ADD m.n :one, l[0] :one, l[5] :half", "{\"m\":{\"M\":{}},\"l\":{\"L\":[{\"N\":\"1\"}]}}",
     "{\"m\":{\"M\":{\"n\":{\"N\":\"1\"}}},\"l\":{\"L\":[{\"N\":\"2\"},{\"N\":\"0.5\"}]}}"},
    {"ADD s :ab", "{}", "{\"s\":{\"SS\":[\"a\",\"b\"]}}"},
    {"ADD s :bc", "{\"s\":{\"SS\":[\"a\",\"b\",\"d\"]}}",
     "{\"s\":{\"SS\":[\"a\",\"b\",\"c\",\"d\"]}}"},
    {"ADD s :n1", "{\"s\":{\"NS\":[\"2\",\"10\",\"30\"]}}",
     "{\"s\":{\"NS\":[\"-3\",\"1\",\"2\",\"10\",\"30\"]}}"},
    {"ADD s :bs", "{\"s\":{\"BS\":[\"Ag==\"]}}", "{\"s\":{\"BS\":[\"AQ==\",\"Ag==\"]}}"},
    /* DELETE */
    {"DELETE s :bc", "{\"s\":{\"SS\":[\"a\",\"b\"]}}", "{\"s\":{\"SS\":[\"a\"]}}"},
    {"DELETE s :z", "{\"s\":{\"SS\":[\"a\",\"b\"]}}", "{\"s\":{\"SS\":[\"a\",\"b\"]}}"},
    {"DELETE s :abc", "{\"s\":{\"SS\":[\"a\",\"b\"]},\"t\":{\"N\":\"1\"}}",
     "{\"t\":{\"N\":\"1\"}}"},
    {"DELETE s :abc", "{\"t\":{\"N\":\"1\"}}", "{\"t\":{\"N\":\"1\"}}"},
    {"DELETE m.s :n1", "{\"m\":{\"M\":{\"s\":{\"NS\":[\"1\",\"2\"]}}}}",
     "{\"m\":{\"M\":{\"s\":{\"NS\":[\"2\"]}}}}"},
    {"DELETE m.s :n1, l[0] :z",
     "{\"m\":{\"M\":{\"s\":{\"NS\":[\"1\"]}}},"
     "\"l\":{\"L\":[{\"SS\":[\"z\"]},{\"N\":\"1\"}]}}",
     "{\"m\":{\"M\":{}},\"l\":{\"L\":[{\"N\":\"1\"}]}}"},
    {"DELETE m.s :n1", "{\"m\":{\"M\":{}}}", "{\"m\":{\"M\":{}}}"},
};

START_TEST(changes_a_copy_of_the_item)
{
    struct expr_update *u = read_update(applied[_i].text);
    struct item old = unit_item(applied[_i].old), new = {.len = 0};
    const struct error *e = expr_apply(arena, u, &old, &new);

    ck_assert_msg(!e, "%s: %.*s", applied[_i].text, SPAN_ARG(e->message));
    ck_assert_msg(strcmp(unit_item_text(&new), applied[_i].new) == 0, "%s: %s, not %s",
                  applied[_i].text, unit_item_text(&new), applied[_i].new);
    ck_assert_str_eq(unit_item_text(&old), applied[_i].old);
}
END_TEST

#define PATH    "The document path provided in the update expression is invalid for update"
#define MISSING "The provided expression refers to an attribute that does not exist in the item"
#define TYPE    "An operand in the update expression has an incorrect data type"
#define OVERFLOW \
    "Number overflow. Attempting to store a number with magnitude larger than supported range"

static const struct {
    const char *text, *old, *message;
} refused[] = {
    {"SET m.x = :v", "{}", PATH},
    {"SET m.x.y = :v", "{\"m\":{\"M\":{}}}", PATH},
    {"SET m[0] = :v", "{\"m\":{\"M\":{}}}", PATH},
    {"SET l.x = :v", "{\"l\":{\"L\":[]}}", PATH},
    {"SET l[0].x = :v", "{\"l\":{\"L\":[]}}", PATH},
    {"SET n.x = :v", "{\"n\":{\"N\":\"1\"}}", PATH},
    {"REMOVE m.x", "{}", PATH},
    {"REMOVE m[0]", "{\"m\":{\"M\":{}}}", PATH},
    {"REMOVE l[1].x", "{\"l\":{\"L\":[]}}", PATH},
    {"ADD m.x :one", "{}", PATH},
    {"DELETE m.x :ab", "{}", PATH},
    {"DELETE m.x :ab", "{\"m\":{\"L\":[]}}", PATH},
    {"SET a = b", "{}", MISSING},
    {"SET n = n + :one", "{}", MISSING},
    {"SET n = :one - n", "{}", MISSING},
    {"SET a = list_append(a, :l)", "{}", MISSING},
    {"SET a = if_not_exists(b, c)", "{}", MISSING},
    {"SET a = l[1]", "{\"l\":{\"L\":[{\"N\":\"1\"}]}}", MISSING},
    {"SET a = l.x", "{\"l\":{\"L\":[{\"N\":\"1\"}]}}", MISSING},
    {"SET n = n + :one", "{\"n\":{\"S\":\"1\"}}", TYPE},
    {"SET n = if_not_exists(q, :v) + :one", "{}", TYPE},
    {"SET n = list_append(n, :l)", "{\"n\":{\"S\":\"1\"}}", TYPE},
    {"ADD n :one", "{\"n\":{\"S\":\"1\"}}", TYPE},
    {"ADD n :one", "{\"n\":{\"NS\":[\"1\"]}}", TYPE},
    {"ADD n :ab", "{\"n\":{\"NS\":[\"1\"]}}", TYPE},
    {"DELETE n :ab", "{\"n\":{\"NS\":[\"1\"]}}", TYPE},
    {"DELETE n :ab", "{\"n\":{\"S\":\"a\"}}", TYPE},
    {"SET n = n + n", "{\"n\":{\"N\":\"9" ZEROS ZEROS ZEROS "00000\"}}", OVERFLOW},
    {"ADD n :half", "{\"n\":{\"N\":\"1" ZEROS "\"}}", OVERFLOW},
    {"SET n = :big + :tiny", "{}", OVERFLOW},
    /* of several faults: wrong containers, types, then from the last clause to the first what is
     * missing, and numbers at the end */
    {"SET a = :one + v, m.x = :v", "{\"v\":{\"S\":\"\"},\"m\":{\"L\":[]}}", PATH},
    {"SET m.x = :v, a = :one + v", "{\"v\":{\"S\":\"\"}}", TYPE},
    {"SET a = q, b = :one + v", "{\"v\":{\"S\":\"\"}}", TYPE},
    {"SET a = q + v", "{\"v\":{\"S\":\"\"}}", TYPE},
    {"SET m.x = :v, a = q", "{}", MISSING},
    {"SET a = q, m.x = :v", "{}", PATH},
    {"SET m.x = q", "{}", PATH},
    {"SET a = :big + :tiny, b = q", "{}", MISSING},
    {"SET a = :big + :tiny REMOVE m.x", "{}", PATH},
};

START_TEST(refuses_what_does_not_fit_the_item)
{
    struct expr_update *u = read_update(refused[_i].text);
    struct item old = unit_item(refused[_i].old), new = {.len = 0};
    const struct error *e = expr_apply(arena, u, &old, &new);

    ck_assert_msg(e != NULL, "%s: nothing wrong", refused[_i].text);
    ck_assert(e->kind == ERROR_VALIDATION && e->bare);
    ck_assert_msg(span_is(e->message, refused[_i].message), "%s: %.*s", refused[_i].text,
                  SPAN_ARG(e->message));
    ck_assert_str_eq(unit_item_text(&old), refused[_i].old);
    ck_assert_ptr_null(new.at);
}
END_TEST

/* Each list fits; all of them, or one of twice its size, do not. */
static const char *const too_large[] = {
    "SET a = list_append(l, l)",
    "SET a = list_append(if_not_exists(q, l), l), b = list_append(a, l)",
    "SET a = list_append(l, :v), b = list_append(l, :v), c = list_append(l, :v), d = l, e = l",
    "SET a = l, b = l, c = l, d = l, e = l, f = l, g = l, h = l, i = l, j = list_append(l, :v)",
};

START_TEST(what_no_item_has_room_for_is_not_made)
{
    struct expr_vars vars = unit_vars("{\":v\":{\"L\":[{\"NULL\":true}]}}");
    struct item old = unit_item("{\"a\":{\"L\":[]}}"), new;
    struct attr list = {.type = ATTR_L, .list.len = 150000};
    const struct arena_budget budget = {8 << 20, INT64_MAX};
    struct expr_update *u;
    jmp_buf landing;

    list.list.at = arena_array(arena, list.list.len, sizeof *list.list.at);
    for (size_t i = 0; i < list.list.len; i++)
        list.list.at[i] = (struct attr){.type = ATTR_NULL, .boolean = true};
    item_set(arena, &old, SPAN_LIT("l"), list);
    ck_assert_ptr_null(expr_read_update(arena, span_of(too_large[_i]), &vars, &u));
    if (setjmp(landing))
        ck_abort_msg("made");
    arena_limit(arena, &budget, &landing);
    ck_assert_ptr_null(expr_apply(arena, u, &old, &new));
    arena_unlimit(arena);
    ck_assert_uint_gt(item_size(&new), LIMIT_ITEM_BYTES);
}
END_TEST

/* Of an item of 2 000 attributes, every third is changed and every fifth taken; 500 are added. */
START_TEST(many_attributes_of_a_wide_item_change_at_once)
{
    struct item old = {.at = arena_array(arena, 2000, sizeof *old.at), .len = 2000}, new;
    struct expr_update *u = expr_update_new(arena, NULL);
    struct attr value = unit_attr("{\"S\":\"v\"}");
    struct path_step *steps = arena_array(arena, 2500, sizeof *steps);

    for (size_t i = 0; i < 2500; i++) {
        struct path path = {&steps[i], 1};

        steps[i].name = span_of(arena_printf(arena, "a%zu", i));
        if (i < 2000)
            old.at[i] = (struct field){steps[i].name, {.type = ATTR_NULL}};
        if (i < 2000 && i % 5 == 0)
            expr_update_add(arena, u, EXPR_REMOVE, &path, NULL);
        else if (i >= 2000 || i % 3 == 0)
            expr_update_add(arena, u, EXPR_SET, &path, &value);
    }
    item_make_findable(arena, &old);
    ck_assert_ptr_null(expr_apply(arena, u, &old, &new));
    ck_assert_uint_eq(new.len, 2500 - 400);
    for (size_t i = 0; i < 2500; i++) {
        const struct attr *found = item_find(&new, steps[i].name);

        ck_assert((found == NULL) == (i < 2000 && i % 5 == 0));
        ck_assert(!found || found->type == (i >= 2000 || i % 3 == 0 ? ATTR_S : ATTR_NULL));
        ck_assert((item_find(&old, steps[i].name) != NULL) == (i < 2000));
    }
}
END_TEST

START_TEST(many_changes_in_large_containers_stay_cheap)
{
    struct item old = {.at = arena_alloc(arena, sizeof *old.at), .len = 1}, new;
    struct attr_list *list = &old.at[0].value.list;
    struct expr_update *u = expr_update_new(arena, NULL);
    struct attr value = unit_attr("{\"S\":\"v\"}");
    struct path_step *steps = arena_array(arena, 6000, sizeof *steps);

    old.at[0] = (struct field){SPAN_LIT("l"), {.type = ATTR_L}};
    *list = (struct attr_list){arena_array(arena, 50000, sizeof *list->at), 50000};
    for (size_t i = 0; i < list->len; i++)
        list->at[i] = (struct attr){.type = ATTR_N, .bytes = SPAN_LIT("1")};
    for (uint32_t i = 0; i < 3000; i++) {
        struct path path = {&steps[2 * (size_t)i], 2};

        path.at[0].name = SPAN_LIT("l");
        path.at[1] = (struct path_step){.is_index = true, .index = i % 2 ? i : 60000 - i};
        expr_update_add(arena, u, i % 2 ? EXPR_REMOVE : EXPR_SET, &path, i % 2 ? NULL : &value);
    }
    ck_assert_ptr_null(expr_apply(arena, u, &old, &new));
    ck_assert_uint_eq(new.at[0].value.list.len, 50000);
    ck_assert_uint_eq(list->len, 50000);
}
END_TEST

/* --- updates without text ------------------------------------------------------------------ */

static const struct {
    enum expr_action action;
    const char *value, *old, *new; /* new NULL: refused */
} plain[] = {
    {EXPR_SET, "{\"L\":[]}", "{\"a\":{\"N\":\"1\"}}", "{\"a\":{\"L\":[]}}"},
    {EXPR_REMOVE, NULL, "{\"a\":{\"N\":\"1\"}}", "{}"},
    {EXPR_REMOVE, NULL, "{}", "{}"},
    {EXPR_ADD, "{\"N\":\"1\"}", "{\"a\":{\"N\":\"1\"}}", "{\"a\":{\"N\":\"2\"}}"},
    {EXPR_ADD, "{\"N\":\"1\"}", "{}", "{\"a\":{\"N\":\"1\"}}"},
    {EXPR_ADD, "{\"NS\":[\"1\"]}", "{\"a\":{\"NS\":[\"1\",\"2\"]}}",
     "{\"a\":{\"NS\":[\"1\",\"2\"]}}"},
    {EXPR_ADD, "{\"L\":[{\"N\":\"2\"}]}", "{}", "{\"a\":{\"L\":[{\"N\":\"2\"}]}}"},
    {EXPR_ADD, "{\"L\":[{\"N\":\"2\"}]}", "{\"a\":{\"L\":[{\"N\":\"1\"}]}}",
     "{\"a\":{\"L\":[{\"N\":\"1\"},{\"N\":\"2\"}]}}"},
    {EXPR_ADD, "{\"L\":[]}", "{\"a\":{\"M\":{}}}", NULL},
    {EXPR_ADD, "{\"N\":\"1\"}", "{\"a\":{\"S\":\"1\"}}", NULL},
    {EXPR_ADD, "{\"S\":\"1\"}", "{\"a\":{\"S\":\"1\"}}", NULL},
    {EXPR_DELETE, "{\"SS\":[\"a\"]}", "{\"a\":{\"SS\":[\"a\"]}}", "{}"},
    {EXPR_DELETE, "{\"SS\":[\"a\"]}", "{\"a\":{\"NS\":[\"1\"]}}", NULL},
};

START_TEST(takes_clauses_without_text)
{
    static const char *const clashes[] = {NULL, "Type mismatch for attribute to update"};

    for (size_t i = 0; i < COUNT(clashes); i++) {
        struct expr_update *u = expr_update_new(arena, clashes[i]);
        struct path_step step = {.name = SPAN_LIT("a")};
        struct path path = {&step, 1};
        struct item old = unit_item(plain[_i].old), new = {.len = 0};
        struct attr value = {0};
        const struct error *e;

        if (plain[_i].value)
            value = unit_attr(plain[_i].value);
        expr_update_add(arena, u, plain[_i].action, &path, plain[_i].value ? &value : NULL);
        e = expr_apply(arena, u, &old, &new);
        if (plain[_i].new) {
            ck_assert_ptr_null(e);
            ck_assert_str_eq(unit_item_text(&new), plain[_i].new);
        } else {
            ck_assert_ptr_nonnull(e);
            ck_assert(e->bare);
            ck_assert_span_eq(e->message, clashes[i] ? clashes[i] : TYPE);
        }
    }
}
END_TEST

/* --- what an update says about itself ------------------------------------------------------ */

static const struct {
    const char *text, *targets, *paths;
    const char *computed; /* a letter for each target */
    size_t charge;
} facts[] = {
    {"SET b = :v", "[b]", "[b]", "-", 3 + 19 + 1 + 1},
    {"SET abc.de[10] = (:v)", "[abc, de, [10]]", "[abc, de, [10]]", "-",
     3 + 19 + 3 + (4 + 2) + (4 + 2) + 1},
    {"REMOVE ab.c", "[ab, c]", "[ab, c]", "-", 3 + 1 + 2 + 5},
    {"SET b = ab.c[2]", "[b]", "[b][ab, c, [2]]", "c",
     3 + 19 + 1 + 1 + (14 + 2) + (14 + 1) + (14 + 1)},
    {"SET b = b + :one", "[b]", "[b][b]", "c", 3 + 19 + 1 + 34 + (1 + 14 + 1) + 2},
    {"SET b = :one - :one", "[b]", "[b]", "c", 3 + 19 + 1 + 37 + 2 + 2},
    {"SET b = if_not_exists(c, :v)", "[b]", "[b][c]", "c", 3 + 19 + 1 + 39 + (1 + 14 + 1) + 1},
    {"SET b = list_append(if_not_exists(#a, :none), :l)", "[b]", "[b][a]", "c",
     3 + 19 + 1 + 37 + 39 + (1 + 14 + 1) + 3 + (3 + 1 + 1)},
    {"ADD n :one, s :ab DELETE t :abc REMOVE x, yy SET z = :m", "[n][s][t][x][yy][z]",
     "[n][s][t][x][yy][z]", "------",
     3 + (19 + 1 + 2) + (19 + 1 + 2) + (1 + 1) + (1 + 1) + (1 + 2) + (19 + 1 + 3 + 1 + 1 + 2)},
};

START_TEST(tells_targets_paths_and_charge)
{
    struct expr_update *u = read_update(facts[_i].text);
    struct buf printed = buf_in(arena), all = buf_in(arena), computed = buf_in(arena);
    const struct path *targets, *const *paths;
    size_t count;

    expr_update_targets(arena, u, &targets, &count);
    for (size_t i = 0; i < count; i++) {
        path_print(&printed, &targets[i]);
        buf_add_char(&computed, expr_update_is_computed(u, i) ? 'c' : '-');
    }
    ck_assert_str_eq(buf_text(&printed), facts[_i].targets);
    ck_assert_str_eq(buf_text(&computed), facts[_i].computed);
    expr_update_paths(arena, u, &paths, &count);
    for (size_t i = 0; i < count; i++)
        path_print(&all, paths[i]);
    ck_assert_str_eq(buf_text(&all), facts[_i].paths);
    ck_assert_uint_eq(expr_update_charge(u), facts[_i].charge);
}
END_TEST

/* --- UPDATED_OLD and UPDATED_NEW ------------------------------------------------------------ */

static const struct {
    const char *text, *old, *old_part, *new_part;
} shown[] = {
    {"SET p.c = :v",
     "{\"p\":{\"M\":{\"c\":{\"N\":\"1\"},\"d\":{\"N\":\"2\"}}},\"q\":{\"N\":\"1\"}}",
     "{\"p\":{\"M\":{\"c\":{\"N\":\"1\"}}}}", "{\"p\":{\"M\":{\"c\":{\"S\":\"v\"}}}}"},
    {"SET p.c = :v, p.e = :w", "{\"p\":{\"M\":{\"c\":{\"N\":\"1\"},\"d\":{\"N\":\"2\"}}}}",
     "{\"p\":{\"M\":{\"c\":{\"N\":\"1\"}}}}",
     "{\"p\":{\"M\":{\"c\":{\"S\":\"v\"},\"e\":{\"S\":\"w\"}}}}"},
    {"SET a = :v", "{}", "{}", "{\"a\":{\"S\":\"v\"}}"},
    {"SET a = :v, b = b", "{\"a\":{\"S\":\"v\"},\"b\":{\"N\":\"1\"}}",
     "{\"a\":{\"S\":\"v\"},\"b\":{\"N\":\"1\"}}", "{\"a\":{\"S\":\"v\"},\"b\":{\"N\":\"1\"}}"},
    {"REMOVE a, q", "{\"a\":{\"N\":\"1\"},\"b\":{\"N\":\"1\"}}", "{\"a\":{\"N\":\"1\"}}", "{}"},
    {"DELETE s :ab", "{\"s\":{\"SS\":[\"a\"]}}", "{\"s\":{\"SS\":[\"a\"]}}", "{}"},
    {"DELETE s :ab", "{}", "{}", "{}"},
    {"SET l[2] = :v, l[0] = :w", "{\"l\":{\"L\":[{\"N\":\"0\"},{\"N\":\"1\"},{\"N\":\"2\"}]}}",
     "{\"l\":{\"L\":[{\"N\":\"0\"},{\"N\":\"2\"}]}}",
     "{\"l\":{\"L\":[{\"S\":\"w\"},{\"S\":\"v\"}]}}"},
    {"SET l[99] = :v", "{\"l\":{\"L\":[{\"N\":\"0\"}]}}", "{}", "{}"},
    {"SET l[1] = :v", "{\"l\":{\"L\":[{\"N\":\"0\"}]}}", "{}", "{\"l\":{\"L\":[{\"S\":\"v\"}]}}"},
    {"REMOVE l[1]", "{\"l\":{\"L\":[{\"N\":\"0\"},{\"N\":\"1\"},{\"N\":\"2\"}]}}",
     "{\"l\":{\"L\":[{\"N\":\"1\"}]}}", "{\"l\":{\"L\":[{\"N\":\"2\"}]}}"},
    {"REMOVE l[1]", "{\"l\":{\"L\":[{\"N\":\"0\"},{\"N\":\"1\"}]}}",
     "{\"l\":{\"L\":[{\"N\":\"1\"}]}}", "{}"},
};

START_TEST(shows_what_the_targets_held_and_hold)
{
    struct expr_update *u = read_update(shown[_i].text);
    struct item old = unit_item(shown[_i].old), new = {.len = 0}, part;

    ck_assert_ptr_null(expr_apply(arena, u, &old, &new));
    part = expr_updated_part(arena, u, &old);
    ck_assert_str_eq(unit_item_text(&part), shown[_i].old_part);
    part = expr_updated_part(arena, u, &new);
    ck_assert_str_eq(unit_item_text(&part), shown[_i].new_part);
    part = expr_updated_part(arena, u, NULL);
    ck_assert_uint_eq(part.len, 0);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, changes_a_copy_of_the_item, 0, COUNT(applied));
    tcase_add_loop_test(tc, refuses_what_does_not_fit_the_item, 0, COUNT(refused));
    tcase_add_loop_test(tc, what_no_item_has_room_for_is_not_made, 0, COUNT(too_large));
    tcase_add_test(tc, many_attributes_of_a_wide_item_change_at_once);
    tcase_add_test(tc, many_changes_in_large_containers_stay_cheap);
    tcase_add_loop_test(tc, takes_clauses_without_text, 0, COUNT(plain));
    tcase_add_loop_test(tc, tells_targets_paths_and_charge, 0, COUNT(facts));
    tcase_add_loop_test(tc, shows_what_the_targets_held_and_hold, 0, COUNT(shown));
}

UNIT_TESTS(expr_update, add_tests)
