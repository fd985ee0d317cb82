#include "unit.h"

#include "worlds/snapshots.h"

static struct snapshot taken_of(size_t items)
{
    static const struct store_options in_memory = {.path = NULL};
    struct snapshot taken = {.taken_ms = (int64_t)items, .content = {.items = (int64_t)items}};
    const char *problem;

    taken.state.store = store_open(arena, &in_memory, &problem);
    ck_assert_ptr_nonnull(taken.state.store);
    return taken;
}

START_TEST(a_snapshot_takes_the_place_of_one_with_its_name)
{
    struct snapshots *all = snapshots_new();
    struct snapshot first = taken_of(1), second = taken_of(2), other = taken_of(3);
    size_t one;

    snapshots_adopt(all, SPAN_LIT("base"), &first);
    one = all->memory;
    ck_assert_uint_gt(one, 0);
    snapshots_adopt(all, SPAN_LIT("base"), &second);
    ck_assert_uint_eq(all->count, 1);
    ck_assert_int_eq(all->at[0].content.items, 2);
    ck_assert_uint_eq(all->memory, one);
    snapshots_adopt(all, SPAN_LIT("a"), &other);
    ck_assert_uint_eq(all->memory, 2 * one);
    ck_assert_str_eq(all->at[0].name, "a");
    ck_assert(snapshots_remove(all, SPAN_LIT("base")));
    ck_assert(!snapshots_remove(all, SPAN_LIT("base")));
    ck_assert_uint_eq(all->memory, one);
    snapshots_free(all);
}
END_TEST

START_TEST(a_snapshot_that_is_removed_leaves_the_others)
{
    static const char *const names[] = {"a", "b", "c"};

    for (size_t gone = 0; gone < COUNT(names); gone++) {
        struct snapshots *all = snapshots_new();

        for (size_t i = 0; i < COUNT(names); i++) {
            struct snapshot taken = taken_of(i);

            snapshots_adopt(all, span_of(names[i]), &taken);
        }
        ck_assert(snapshots_remove(all, span_of(names[gone])));
        ck_assert_uint_eq(all->count, COUNT(names) - 1);
        for (size_t i = 0; i < all->count; i++)
            ck_assert_str_eq(all->at[i].name, names[i < gone ? i : i + 1]);
        snapshots_free(all);
    }
}
END_TEST

START_TEST(a_world_has_a_hundred_snapshots_at_most)
{
    struct snapshots *all = snapshots_new();

    for (int i = 0; i < SNAPSHOTS_MAX; i++) {
        struct snapshot taken = taken_of(1);
        struct span name = span_of(arena_printf(arena, "s%d", i));

        ck_assert_ptr_null(snapshots_check_room(arena, all, name));
        snapshots_adopt(all, name, &taken);
    }
    ck_assert_ptr_null(snapshots_check_room(arena, all, SPAN_LIT("s7"))); /* replaces it */
    ck_assert_str_eq(problem_text(arena, snapshots_check_room(arena, all, SPAN_LIT("more"))),
                     "a world has 100 snapshots at most");
    snapshots_free(all);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, a_snapshot_that_is_removed_leaves_the_others);
    tcase_add_test(tc, a_world_has_a_hundred_snapshots_at_most);
    tcase_add_test(tc, a_snapshot_takes_the_place_of_one_with_its_name);
}

UNIT_TESTS(snapshots, add_tests)
