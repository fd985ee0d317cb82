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
    {"index#", "INDEX#", true, "case counts, texts compare byte by byte"},
    {"in-progress", "in_progress", true, "texts compare byte by byte, -"},
    {"a\n", "a", true, "what was asked for ends with a line end"},
    {"a ", "a", true, "what was asked for ends with white space"},
    {" a", "a", true, "what was asked for begins"},
    {"a", "a ", true, "what is stored has white space"},
    {"a  b", "a b", true, "they differ in white space"},
    {"a\u00a0", "a", true, "one of them has a no-break"},
    {"2026\u201301", "2026-01", true, "one of them has a long dash"},
    {"Zo\u00eb", "Zoe\u0308", true, "an accent is part of its letter"},
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

START_TEST(keeps_those_that_are_equally_near)
{
    static const char *const keys[] = {"order-axyz", "order-axcd", "order-abce", "order-abcdx",
                                       "order-zzzz", "order-abce", "order-abcf", "order-abxd"};
    struct near_best best = {.len = 0};

    explain_near_consider(inquiry(), &best, SPAN_LIT("order-abcd"), SPAN_LIT("order-axyd"));
    ck_assert_uint_eq(best.distance, 2);
    for (size_t i = 0; i < COUNT(keys); i++)
        explain_near_consider(inquiry(), &best, SPAN_LIT("order-abcd"), span_of(keys[i]));
    ck_assert_uint_eq(best.len, 3);
    ck_assert_uint_eq(best.distance, 1);
    ck_assert(span_is(best.at[0], "order-axcd"));
    ck_assert(span_is(best.at[1], "order-abce"));
    ck_assert(span_is(best.at[2], "order-abcdx"));
    explain_near_consider(inquiry(), &best, SPAN_LIT("order-abcd"), SPAN_LIT("order-abcd"));
    ck_assert_uint_eq(best.len, 1);
    ck_assert_uint_eq(best.distance, 0);
}
END_TEST

static const struct {
    const char *asked, *there;
    size_t len; /* 1: it is near */
    size_t distance;
} numbered[] = {
    {"ORDER#2027", "ORDER#2026", 0, 0}, /* another one */
    {"USER#u007#1", "USER#u008#1", 0, 0},
    {"2026-03-05", "2026-03-06", 0, 0},
    {"2026-09-01T14:12:36.078Z", "2026-09-01T14:12:36.079Z", 0, 0},
    {"sensor-7", "sensor-07", 1, 0}, /* the same one */
    {"2026-3-5", "2026-03-05", 1, 0},
    {"shop-e5-44", "shop-e5-4", 0, 0},
    {"2026-1-15", "2026-11-5", 0, 0},   /* the same digits */
    {"shop-eb-44", "shop-ea-44", 1, 1}, /* mistyped */
    {"3f2b8c54-9d1e-4a77-b0c6-5e8f1a2d7c90", "3f2b8c54-9d1e-4a78-b0c6-5e8f1a2d7c90", 1, 1},
    {"USER#69372864036", "USER#69372864037", 0, 0},
    {"sensor-07", "sensar-08", 0, 0},
    {"sensor-07 ", "sensor-08", 0, 0}, /* another one, and a blank */
    {"07", "007", 1, 0},
    {"1742cb3b952c4cc3ae634a076fac9743", "1742CB3B-952c-4cc3-ae63-4a076fac9743", 1, 0}, /* marks */
    {"a-b-c", "abc", 0, 0},
};

static const struct {
    const char *name, *longer;
    bool is_longer;
} names[] = {
    {"email", "user_email", true},  {"email", "email_verified", true}, {"email", "userEmail", true},
    {"email", "emailOfUser", true}, {"email", "email", false},         {"email", "emails", false},
    {"id", "user_id", false}, /* in too many */
    {"user_email", "email", false},
};

START_TEST(knows_a_longer_name)
{
    ck_assert(explain_near_longer_name(span_of(names[_i].name), span_of(names[_i].longer)) ==
              names[_i].is_longer);
}
END_TEST

START_TEST(numbers_tell_things_apart)
{
    struct near_best best = {.len = 0};

    explain_near_consider(inquiry(), &best, span_of(numbered[_i].asked),
                          span_of(numbered[_i].there));
    ck_assert_uint_eq(best.len, numbered[_i].len);
    if (best.len)
        ck_assert_uint_eq(best.distance, numbered[_i].distance);
}
END_TEST

static const struct {
    const char *small, *large;
    bool is_piece;
} pieces[] = {
    {"SHOP#cool-store", "SHOP#cool-store.myshopify.com", true},
    {"SHOP#cool.com", "SHOP#https://cool.com", true},
    {"shopify-e5", "kl7a9h55-shopify-e5", true},
    {"INDEX#e5", "INDEX#shopify-e5", true},
    {"101", "ROOM#101", true},
    {"ROOM#10", "ROOM#101", false},
    {"2026-03-05", "2026-03-05T00:00", false},
    {"same", "same", false},
    {"ab", "ab#c", false}, /* too short */
    {"abc#x", "abd#x#y", false},
};

START_TEST(finds_a_part_more)
{
    struct span small = span_of(pieces[_i].small), large = span_of(pieces[_i].large);

    ck_assert(explain_near_piece(small, large) == pieces[_i].is_piece);
    ck_assert(explain_near_piece(large, small) == pieces[_i].is_piece);
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
    tcase_add_test(tc, keeps_those_that_are_equally_near);
    tcase_add_loop_test(tc, numbers_tell_things_apart, 0, COUNT(numbered));
    tcase_add_loop_test(tc, knows_a_longer_name, 0, COUNT(names));
    tcase_add_loop_test(tc, finds_a_part_more, 0, COUNT(pieces));
    tcase_add_test(tc, short_texts_are_near_nothing);
}

UNIT_TESTS(explain_near, add_tests)
