/* How near two texts are that should perhaps have been the same. */
#include "unit.h"

#include "explain/explain_near.h"

static struct inquiry *inquiry(void)
{
    struct inquiry *q = arena_alloc(arena, sizeof *q);

    q->arena = arena;
    return q;
}

static const struct {
    const char *asked, *there;
    bool same;
    const char *words; /* begin so; NULL: there are none */
} pairs[] = {
    {"index#", "INDEX#", true, "keys compare byte by byte, case"},
    {"in-progress", "in_progress", true, "keys compare byte by byte, -"},
    {"a\n", "a", true, "what was asked for ends with a line end"},
    {"a ", "a", true, "what was asked for ends with white space"},
    {" a", "a", true, "what was asked for begins"},
    {"a", "a ", true, "what is stored has white space"},
    {"a  b", "a b", true, "they differ in white space"},
    {"ab", "ac", false, NULL},
    {"a", "ab", false, NULL},
};

START_TEST(tells_what_is_the_same_but_for_spelling)
{
    struct span asked = span_of(pairs[_i].asked), there = span_of(pairs[_i].there);
    const char *words = explain_near_words(asked, there);

    ck_assert(explain_near_same(asked, there) == pairs[_i].same);
    ck_assert(explain_near_same(there, asked) == pairs[_i].same);
    ck_assert((words != NULL) == (pairs[_i].words != NULL));
    if (words)
        ck_assert(span_starts_with(span_of(words), span_of(pairs[_i].words)));
}
END_TEST

static const struct {
    const char *a, *b;
    size_t limit, distance;
} distances[] = {
    {"kitten", "sitting", 3, 3},
    {"kitten", "sitting", 2, 3},
    {"same", "same", 2, 0},
    {"", "ab", 2, 2},
    {"ab", "", 1, 2},
    {"abc", "abxc", 2, 1},
    {"abc", "xyz", 2, 3},
};

START_TEST(counts_what_has_to_change)
{
    struct span a = span_of(distances[_i].a), b = span_of(distances[_i].b);

    ck_assert_uint_eq(explain_near_distance(inquiry(), a, b, distances[_i].limit),
                      distances[_i].distance);
    ck_assert_uint_eq(explain_near_distance(inquiry(), b, a, distances[_i].limit),
                      distances[_i].distance);
}
END_TEST

START_TEST(keeps_the_nearest_three)
{
    static const char *const keys[] = {"order-1000", "order-1299", "order-1235", "order-1234x",
                                       "order-1234", "order-9999", "order-1235", "order-1334"};
    struct near_best best = {.len = 0};

    for (size_t i = 0; i < COUNT(keys); i++)
        explain_near_consider(inquiry(), &best, SPAN_LIT("order-1234"), span_of(keys[i]));
    ck_assert_uint_eq(best.len, 3);
    ck_assert(span_is(best.at[0], "order-1234"));
    ck_assert(span_is(best.at[1], "order-1235"));
    ck_assert(span_is(best.at[2], "order-1234x"));
}
END_TEST

START_TEST(short_texts_are_near_nothing)
{
    struct near_best best = {.len = 0};

    explain_near_consider(inquiry(), &best, SPAN_LIT("abc"), SPAN_LIT("abd"));
    ck_assert_uint_eq(best.len, 0);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, tells_what_is_the_same_but_for_spelling, 0, COUNT(pairs));
    tcase_add_loop_test(tc, counts_what_has_to_change, 0, COUNT(distances));
    tcase_add_test(tc, keeps_the_nearest_three);
    tcase_add_test(tc, short_texts_are_near_nothing);
}

int main(void)
{
    return unit_run("explain_near", add_tests);
}
