/* Explanations that are kept: so many, and so many bytes. */
#include "explain/explanations.h"
#include "unit.h"

#define WORLD SPAN_LIT("w")

static struct explanations *all;

static void keep(size_t len)
{
    const struct explanation one = {.json = {arena_array(arena, 1, len), len}};

    (void)explanations_keep(all, WORLD, &one);
}

static bool is_there(uint64_t number)
{
    return explanations_find(all, WORLD, number).at != NULL;
}

START_TEST(long_ones_take_the_room_of_older_ones)
{
    const size_t half = EXPLANATIONS_BYTES / 2;

    all = explanations_new();
    keep(10);
    keep(half);
    ck_assert(is_there(1) && is_there(2));
    keep(half);
    ck_assert(!is_there(1) && !is_there(2) && is_there(3));
    keep(3 * half);
    ck_assert(!is_there(3) && is_there(4));
    explanations_forget(all, WORLD);
    ck_assert(!is_there(4));
    keep(half);
    keep(10);
    ck_assert(is_there(5) && is_there(6));
    explanations_free(all);
}
END_TEST

START_TEST(many_take_the_places_of_older_ones)
{
    all = explanations_new();
    for (size_t i = 0; i < EXPLANATIONS_KEPT + 3; i++)
        keep(1);
    ck_assert(!is_there(3) && is_there(4) && is_there(EXPLANATIONS_KEPT + 3));
    ck_assert(!is_there(EXPLANATIONS_KEPT + 4) && !is_there(0));
    explanations_free(all);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, long_ones_take_the_room_of_older_ones);
    tcase_add_test(tc, many_take_the_places_of_older_ones);
}

UNIT_TESTS(explanations, add_tests)
