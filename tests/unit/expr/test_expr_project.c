/* Projections: what is chosen of an item. */
#include "unit_expr.h"

#define ITEM                                                                                     \
    "{\"pk\":{\"S\":\"k\"},\"l\":{\"L\":[{\"S\":\"x\"},{\"M\":{\"p\":{\"N\":\"1\"},"             \
    "\"q\":{\"N\":\"2\"},\"r\":{\"N\":\"3\"}}},{\"S\":\"z\"}]},"                                 \
    "\"m\":{\"M\":{\"a\":{\"N\":\"1\"},\"b\":{\"M\":{\"c\":{\"N\":\"2\"},\"d\":{\"N\":\"3\"}}}," \
    "\"l\":{\"L\":[{\"N\":\"4\"}]}}},\"a.b\":{\"NULL\":true},\"e\":{\"M\":{}}}"

static const struct {
    const char *text, *shown;
} picks[] = {
    {"pk", "{\"pk\":{\"S\":\"k\"}}"},
    {"q", "{}"},
    {"q, pk, m.q", "{\"pk\":{\"S\":\"k\"}}"},
    {"l[2], l[0]", "{\"l\":{\"L\":[{\"S\":\"x\"},{\"S\":\"z\"}]}}"},
    {"l[2],l[99],l[0],l[7]", "{\"l\":{\"L\":[{\"S\":\"x\"},{\"S\":\"z\"}]}}"},
    {"l[3]", "{}"},
    {"l[1].p, l[1].r", "{\"l\":{\"L\":[{\"M\":{\"p\":{\"N\":\"1\"},\"r\":{\"N\":\"3\"}}}]}}"},
    {"l[1].p, l[0]", "{\"l\":{\"L\":[{\"S\":\"x\"},{\"M\":{\"p\":{\"N\":\"1\"}}}]}}"},
    {"m.a", "{\"m\":{\"M\":{\"a\":{\"N\":\"1\"}}}}"},
    {"m.b.c, m.a, m.b.d", "{\"m\":{\"M\":{\"b\":{\"M\":{\"c\":{\"N\":\"2\"},\"d\":{\"N\":\"3\"}}},"
                          "\"a\":{\"N\":\"1\"}}}}"},
    {"m.l, pk, l[2], l[0]", "{\"m\":{\"M\":{\"l\":{\"L\":[{\"N\":\"4\"}]}}},\"pk\":{\"S\":\"k\"},"
                            "\"l\":{\"L\":[{\"S\":\"x\"},{\"S\":\"z\"}]}}"},
    {"m.l[0], m.l[1]", "{\"m\":{\"M\":{\"l\":{\"L\":[{\"N\":\"4\"}]}}}}"},
    {"m.b", "{\"m\":{\"M\":{\"b\":{\"M\":{\"c\":{\"N\":\"2\"},\"d\":{\"N\":\"3\"}}}}}}"},
    {"m[0], l.x, pk.z", "{}"},
    {"m.a.x, pk[0]", "{}"},
    {"#dots", "{\"a.b\":{\"NULL\":true}}"},
    {"e", "{\"e\":{\"M\":{}}}"},
    {"e.x", "{}"},
};

START_TEST(shows_the_chosen_parts)
{
    struct expr_vars vars = unit_vars("{\"#dots\":{\"S\":\"a.b\"}}");
    struct item it = unit_item(ITEM), shown;
    struct expr_projection p = {.len = 0};

    ck_assert_ptr_null(expr_read_projection(arena, span_of(picks[_i].text), &vars, &p));
    shown = expr_project(arena, &p, &it);
    ck_assert_str_eq(unit_item_text(&shown), picks[_i].shown);
    p.pick = NULL;
    shown = expr_project(arena, &p, &it);
    ck_assert_str_eq(unit_item_text(&shown), picks[_i].shown);
    ck_assert_str_eq(unit_item_text(&it), ITEM);
    shown = expr_project(arena, &p, NULL);
    ck_assert_uint_eq(shown.len, 0);
}
END_TEST

START_TEST(the_shorter_of_two_overlapping_paths_decides)
{
    struct path_step steps[] = {{.name = SPAN_LIT("m")}, {.name = SPAN_LIT("a")}};
    struct path_step index[] = {{.name = SPAN_LIT("m")}, {.is_index = true}};
    struct path paths[] = {{steps, 2}, {index, 2}, {steps, 1}};
    struct expr_projection p = expr_projection_of(arena, paths, COUNT(paths));
    struct item it = unit_item(ITEM), shown = expr_project(arena, &p, &it);

    ck_assert_uint_eq(shown.len, 1);
    ck_assert(attr_equal(&shown.at[0].value, item_find(&it, SPAN_LIT("m"))));
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, shows_the_chosen_parts, 0, COUNT(picks));
    tcase_add_test(tc, the_shorter_of_two_overlapping_paths_decides);
}

UNIT_TESTS(expr_project, add_tests)
