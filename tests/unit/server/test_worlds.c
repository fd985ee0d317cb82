#include "unit_worlds.h"

#include <poll.h>

#define MANY 200

struct worlds *worlds;

/* --- the order -------------------------------------------------------------------------------- */

static void check_order(const struct worlds_order *o, const int64_t *due, size_t count)
{
    const struct world *first = worlds_order_first(o);
    int64_t least = INT64_MAX;

    for (size_t i = 0; i < count; i++)
        if (due[i] < least)
            least = due[i];
    if (least == INT64_MAX)
        ck_assert_ptr_null(first);
    else
        ck_assert_int_eq(first->place.due_ms, least);
}

START_TEST(the_first_that_is_due_is_known_whatever_changes)
{
    static struct world many[MANY];
    struct worlds_order order = {.count = 0};
    int64_t due[MANY];

    for (size_t i = 0; i < MANY; i++)
        due[i] = INT64_MAX;
    for (size_t n = 0; n < 20000; n++) {
        size_t i = unit_random(MANY);

        due[i] = unit_random(3) ? (int64_t)unit_random(1000) : INT64_MAX;
        worlds_order_set(&order, &many[i], due[i]);
        check_order(&order, due, MANY);
    }
    for (size_t i = 0; i < MANY; i++) {
        worlds_order_set(&order, &many[i], due[i] = INT64_MAX);
        check_order(&order, due, MANY);
    }
    worlds_order_free(&order);
}
END_TEST

/* --- worlds ----------------------------------------------------------------------------------- */

START_TEST(worlds_are_in_the_order_of_their_names)
{
    static const char *const names[] = {"m", "a", "z", "default0", "c", "b"};
    struct span before = {"", 0};

    open_worlds();
    for (size_t i = 0; i < COUNT(names); i++)
        use(names[i]);
    ck_assert_uint_eq(worlds_count(worlds), COUNT(names) + 1);
    for (size_t i = 0; i < worlds_count(worlds); i++) {
        struct span name = world_name(worlds_at(worlds, i));

        ck_assert_int_lt(span_compare(before, name), 0);
        ck_assert_ptr_eq(worlds_find(worlds, name), worlds_at(worlds, i));
        before = name;
    }
    ck_assert_ptr_null(worlds_find(worlds, SPAN_LIT("d")));
    worlds_free(worlds);
}
END_TEST

START_TEST(idle_worlds_ask_for_nothing)
{
    open_worlds();
    for (int i = 0; i < 20; i++)
        use(arena_printf(arena, "w%d", i));
    ck_assert_int_eq(worlds_rest_ms(worlds), 0);
    settle();
    ck_assert_int_eq(worlds_rest_ms(worlds), WORLD_RESTS);
    worlds_free(worlds);
}
END_TEST

/* The work that is due before the clock is frozen is done. */
START_TEST(a_world_whose_clock_is_frozen_does_what_is_due)
{
    struct world *w;

    open_worlds();
    w = use("a");
    clock_set_rate(world_clock(w), 0);
    ck_assert_int_eq(world_rest_ms(w), 0);
    settle();
    ck_assert_int_eq(world_rest_ms(w), WORLD_RESTS);
    worlds_free(worlds);
}
END_TEST

START_TEST(a_world_in_which_somebody_is_at_work_stays)
{
    struct world *w;

    open_worlds();
    w = use("a");
    world_hold(w);
    ck_assert_int_eq(worlds_drop(arena, worlds, world_name(w))->kind, PROBLEM_CONFLICT);
    ck_assert_int_eq(worlds_at_once_reset(arena, worlds, w)->kind, PROBLEM_CONFLICT);
    world_release(w);
    ck_assert_ptr_null(worlds_at_once_reset(arena, worlds, w));
    ck_assert_ptr_null(worlds_drop(arena, worlds, world_name(w)));
    ck_assert_ptr_null(worlds_find(worlds, SPAN_LIT("a")));
    worlds_free(worlds);
}
END_TEST

START_TEST(a_dropped_world_answers_until_the_turn_is_over)
{
    struct world *w;

    open_worlds();
    w = use("a");
    ck_assert_ptr_null(worlds_drop(arena, worlds, world_name(w)));
    ck_assert_ptr_ne(use("a"), w);
    worlds_flush(worlds);
    ck_assert(!world_lost(w));
    worlds_flush(worlds);
    ck_assert(TAILQ_EMPTY(&worlds->leaving)); /* it is freed */
    worlds_free(worlds);
}
END_TEST

START_TEST(a_snapshot_in_memory_can_be_dropped)
{
    const struct snapshot *found;
    struct worlds_copy *copy;

    open_worlds();
    is_fine(worlds_begin_snapshot(arena, worlds, worlds_first(worlds), SPAN_LIT("s"), &copy));
    is_fine(worlds_at_once_run(copy));
    worlds_copy_free(copy);
    is_fine(worlds_drop_snapshot(arena, worlds, worlds_first(worlds), SPAN_LIT("s")));
    is_fault(worlds_find_snapshot(arena, worlds_first(worlds), SPAN_LIT("s"), &found),
             PROBLEM_MISSING);
    is_fault(worlds_drop_snapshot(arena, worlds, worlds_first(worlds), SPAN_LIT("s")),
             PROBLEM_MISSING);
    worlds_free(worlds);
}
END_TEST

START_TEST(a_read_only_server_makes_no_files_of_worlds)
{
    char folder[UNIT_FOLDER_SIZE];
    const struct problem *p;
    struct world *w;

    unit_make_folder(folder);
    open_with((struct worlds_options){.folder = folder, .first.settings.read_only = true});
    p = worlds_at_once_make(arena, worlds, SPAN_LIT("w"), NULL, &w);
    is_fault(p, PROBLEM_INVALID);
    ck_assert_str_eq(p->text, "world w does not exist, and the server is read-only");
    worlds_free(worlds);
    ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

/* A world that is used stays; the one that nobody uses goes, also if it was made later. */
START_TEST(the_world_that_was_used_longest_ago_goes_first)
{
    open_with((struct worlds_options){.idle_ms = 100});
    use("kept");
    use("goes");
    while (worlds_find(worlds, SPAN_LIT("goes"))) { /* CTest's limit ends it if that never is */
        use("kept");
        (void)worlds_idle(worlds);
        worlds_flush(worlds);
        (void)poll(NULL, 0, 1);
    }
    worlds_free(worlds);
}
END_TEST

START_TEST(names_are_plain)
{
    static const struct {
        const char *name;
        bool good;
    } rows[] = {
        {"a", true},
        {"A.b-c_9", true},
        {"", false},
        {".a", false},
        {"a/b", false},
        {"a b", false},
        {"\303\244", false},
        {"..", false},
        {"0123456789012345678901234567890123456789012345678901234567890123", true},
        {"01234567890123456789012345678901234567890123456789012345678901234", false},
    };

    ck_assert(world_is_name(span_of(rows[_i].name)) == rows[_i].good);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, the_first_that_is_due_is_known_whatever_changes);
    tcase_add_test(tc, worlds_are_in_the_order_of_their_names);
    tcase_add_test(tc, idle_worlds_ask_for_nothing);
    tcase_add_test(tc, a_world_whose_clock_is_frozen_does_what_is_due);
    tcase_add_test(tc, a_world_in_which_somebody_is_at_work_stays);
    tcase_add_test(tc, a_dropped_world_answers_until_the_turn_is_over);
    tcase_add_test(tc, a_read_only_server_makes_no_files_of_worlds);
    tcase_add_test(tc, a_snapshot_in_memory_can_be_dropped);
    tcase_add_test(tc, the_world_that_was_used_longest_ago_goes_first);
    tcase_add_loop_test(tc, names_are_plain, 0, 10);
}

UNIT_TESTS(worlds, add_tests)
