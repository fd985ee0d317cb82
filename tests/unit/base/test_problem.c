#include "unit.h"

#include "base/problem.h"

START_TEST(a_problem_names_its_place)
{
    const struct problem *p = problem_invalid(arena, "no %s", "name");

    ck_assert_str_eq(problem_text(arena, p), "no name");
    p = problem_within(arena, problem_within(arena, p, "step %d", 1), "pattern %d", 2);
    ck_assert_str_eq(problem_text(arena, p), "pattern 2, step 1: no name");
    p = problem_in(arena, p, "f");
    ck_assert_str_eq(problem_text(arena, p), "f: pattern 2, step 1: no name");
    p = problem_in(arena, &(struct problem){.text = "no JSON", .file = "f", .place = {3, 4}}, "g");
    ck_assert_str_eq(problem_text(arena, p), "g:3:4: no JSON"); /* the place stays */
    ck_assert_str_eq(p->text, "no JSON");
    ck_assert_int_eq(p->kind, PROBLEM_INVALID);
}
END_TEST

START_TEST(success_stays_success)
{
    ck_assert_ptr_null(problem_of(arena, PROBLEM_FAILED, NULL));
    ck_assert_ptr_null(problem_copy(arena, NULL));
    ck_assert_ptr_null(problem_within(arena, NULL, "part"));
    ck_assert_ptr_null(problem_in(arena, NULL, "f"));
    ck_assert_ptr_null(problem_text(arena, NULL));
}
END_TEST

START_TEST(a_copy_outlives_the_first_arena)
{
    struct arena *first = arena_new();
    const struct problem *p = problem_new(first, PROBLEM_WAITS, "later");
    const struct problem *copy = problem_copy(
        arena, problem_in(first, problem_within(first, problem_because(first, p, "h"), "part"),
                          arena_text(first, SPAN_LIT("f"))));

    arena_free(first);
    ck_assert_int_eq(copy->kind, PROBLEM_WAITS);
    ck_assert_str_eq(copy->hint, "h");
    ck_assert_str_eq(problem_text(arena, copy), "f: part: later");
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, a_problem_names_its_place);
    tcase_add_test(tc, success_stays_success);
    tcase_add_test(tc, a_copy_outlives_the_first_arena);
}

UNIT_TESTS(problem, add_tests)
