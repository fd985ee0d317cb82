#include "unit_worlds.h"

#include <unistd.h>

START_TEST(others_are_served_while_a_world_is_copied)
{
    struct world *first = open_large();
    struct worlds_copy *copy;

    is_fine(worlds_begin_snapshot(arena, worlds, first, SPAN_LIT("s"), &copy));
    ck_assert(world_is_copied(first));
    run_in_slices(copy);
    worlds_copy_free(copy);
    ck_assert(!world_is_copied(first));
    put_large(first, LARGE_ITEMS, LARGE_ITEMS + 1);
    is_fine(worlds_begin_restore(arena, worlds, first, &worlds_snapshots(first)->at[0], &copy));
    run_in_slices(copy);
    ck_assert_str_eq(worlds_copy_snapshot(copy)->name, "s");
    worlds_copy_free(copy);
    ck_assert_int_eq(items(first), LARGE_ITEMS);
    is_fine(worlds_begin_make(arena, worlds, SPAN_LIT("fork"), first, NULL, &copy));
    run_in_slices(copy);
    ck_assert_int_eq(items(worlds_copy_world(copy)), LARGE_ITEMS);
    worlds_copy_free(copy);
    close_large();
}
END_TEST

START_TEST(a_copy_that_is_given_up_leaves_all_as_it_was)
{
    struct world *first = open_large(), *made = NULL;
    struct worlds_copy *copy;

    is_fine(worlds_begin_snapshot(arena, worlds, first, SPAN_LIT("s"), &copy));
    ck_assert(!worlds_copy_step(copy));
    worlds_copy_free(copy);
    ck_assert_uint_eq(worlds_snapshots(first)->count, 0);
    is_fine(worlds_begin_snapshot(arena, worlds, first, SPAN_LIT("s"), &copy));
    run_in_slices(copy);
    worlds_copy_free(copy);
    put_large(first, LARGE_ITEMS, LARGE_ITEMS + 1);
    is_fine(worlds_begin_restore(arena, worlds, first, &worlds_snapshots(first)->at[0], &copy));
    ck_assert(!worlds_copy_step(copy));
    worlds_copy_free(copy);
    ck_assert_int_eq(items(first), LARGE_ITEMS + 1);
    is_fine(worlds_begin_make(arena, worlds, SPAN_LIT("fork"), first, NULL, &copy));
    ck_assert(!worlds_copy_step(copy));
    worlds_copy_free(copy);
    is_fault(worlds_seek(arena, worlds, SPAN_LIT("fork"), &made), PROBLEM_MISSING);
    is_fine(worlds_at_once_make(arena, worlds, SPAN_LIT("fork"), NULL, &made));
    ck_assert_int_eq(items(made), -1);
    close_large();
}
END_TEST

START_TEST(what_a_copy_needs_waits_for_its_end)
{
    struct world *first = open_large(), *source, *w;
    struct worlds_copy *copy, *second;
    uint64_t ended;

    is_fine(worlds_begin_make(arena, worlds, SPAN_LIT("source"), first, NULL, &copy));
    run_in_slices(copy);
    source = worlds_copy_world(copy);
    worlds_copy_free(copy);
    ended = worlds_copies_ended(worlds);
    is_fine(worlds_begin_make(arena, worlds, SPAN_LIT("fork"), source, NULL, &copy));
    ck_assert_int_eq(world_rest_ms(source), WORLD_RESTS);
    is_fault(worlds_drop(arena, worlds, world_name(source)), PROBLEM_WAITS);
    is_fault(worlds_begin_snapshot(arena, worlds, source, SPAN_LIT("s"), &second), PROBLEM_WAITS);
    is_fault(worlds_begin_reset(arena, worlds, source, &second), PROBLEM_WAITS);
    is_fault(worlds_seek(arena, worlds, SPAN_LIT("fork"), &w), PROBLEM_WAITS);
    is_fault(worlds_use(arena, worlds, SPAN_LIT("fork"), &w), PROBLEM_WAITS);
    is_fault(worlds_begin_make(arena, worlds, SPAN_LIT("fork"), NULL, NULL, &second),
             PROBLEM_WAITS);
    is_fine(worlds_begin_make(arena, worlds, SPAN_LIT("two"), source, NULL, &second));
    run_in_slices(second);
    worlds_copy_free(second);
    is_fault(worlds_drop(arena, worlds, world_name(source)), PROBLEM_WAITS);
    run_in_slices(copy);
    worlds_copy_free(copy);
    ck_assert_uint_eq(worlds_copies_ended(worlds), ended + 2);
    ck_assert_ptr_null(worlds_drop(arena, worlds, world_name(source)));
    ck_assert_int_eq(items(use("fork")), LARGE_ITEMS);
    ck_assert_int_eq(items(use("two")), LARGE_ITEMS);
    close_large();
}
END_TEST

/* In files: whoever has a store open that another takes the place of would remove that one's log.
 */
START_TEST(a_world_that_is_replaced_is_not_forked_meanwhile)
{
    struct world *first = open_large();
    struct worlds_copy *copy, *fork;

    is_fine(worlds_begin_snapshot(arena, worlds, first, SPAN_LIT("s"), &copy));
    run_in_slices(copy);
    worlds_copy_free(copy);
    is_fine(worlds_begin_restore(arena, worlds, first, &worlds_snapshots(first)->at[0], &copy));
    is_fault(worlds_begin_make(arena, worlds, SPAN_LIT("fork"), first, NULL, &fork), PROBLEM_WAITS);
    run_in_slices(copy);
    worlds_copy_free(copy);
    is_fine(worlds_begin_reset(arena, worlds, first, &copy));
    is_fault(worlds_begin_make(arena, worlds, SPAN_LIT("fork"), first, NULL, &fork), PROBLEM_WAITS);
    worlds_copy_free(copy);
    is_fine(worlds_begin_make(arena, worlds, SPAN_LIT("fork"), first, NULL, &fork));
    worlds_copy_free(fork);
    close_large();
}
END_TEST

/* The request that began it may be gone: nobody takes the fault then. */
START_TEST(a_world_whose_making_failed_can_be_made)
{
    char folder[UNIT_FOLDER_SIZE];
    struct worlds_copy *copy;
    struct world *w;

    open_in_folder(folder);
    is_fine(worlds_begin_make(arena, worlds, SPAN_LIT("w"), NULL, NULL, &copy));
    copy->is_disowned = true;
    ck_assert_int_eq(unlink(arena_printf(arena, "%s/world.w.db.new", folder)), 0);
    while (!copy->is_over)
        worlds_copies_idle(worlds);
    is_fault(worlds_copy_problem(copy), PROBLEM_FAILED);
    is_fault(worlds_seek(arena, worlds, SPAN_LIT("w"), &w), PROBLEM_MISSING);
    is_fine(worlds_at_once_make(arena, worlds, SPAN_LIT("w"), NULL, &w));
    is_fine(worlds_drop(arena, worlds, world_name(w)));
    worlds_free(worlds);
    ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

/* A world that is there counts once, also while its making is not over. */
START_TEST(a_new_world_takes_one_place)
{
    const struct problem *p;
    struct worlds_copy *one, *two, *three;

    open_with((struct worlds_options){.max_count = 3, .max_memory = SIZE_MAX});
    is_fine(worlds_begin_make(arena, worlds, SPAN_LIT("one"), NULL, NULL, &one));
    is_fine(worlds_at_once_run(one));
    is_fine(worlds_begin_make(arena, worlds, SPAN_LIT("two"), NULL, NULL, &two));
    p = worlds_begin_make(arena, worlds, SPAN_LIT("three"), NULL, NULL, &three);
    is_fault(p, PROBLEM_LIMIT);
    ck_assert_str_eq(p->text, "the limit of 3 worlds is reached: drop some");
    worlds_copy_free(two);
    is_fine(worlds_begin_make(arena, worlds, SPAN_LIT("three"), NULL, NULL, &three));
    is_fine(worlds_at_once_run(three));
    worlds_copy_free(one);
    worlds_copy_free(three);
    is_fault(worlds_begin_make(arena, worlds, SPAN_LIT("two"), NULL, NULL, &two), PROBLEM_LIMIT);
    worlds_free(worlds);
}
END_TEST

/* In a file a new world is there before the disk has it. */
START_TEST(a_new_world_stays_until_its_making_is_over)
{
    char folder[UNIT_FOLDER_SIZE];
    struct worlds_copy *copy;
    struct world *w;

    unit_make_folder(folder);
    open_with((struct worlds_options){.folder = folder, .first.store.sync = STORE_SYNC_NORMAL});
    is_fine(worlds_begin_make(arena, worlds, SPAN_LIT("w"), NULL, NULL, &copy));
    while (!worlds_find(worlds, SPAN_LIT("w")))
        (void)worlds_copy_step(copy);
    w = worlds_find(worlds, SPAN_LIT("w"));
    if (!copy->is_over)
        is_fault(worlds_drop(arena, worlds, world_name(w)), PROBLEM_WAITS);
    is_fine(worlds_at_once_run(copy));
    ck_assert_ptr_eq(worlds_copy_world(copy), w);
    worlds_copy_free(copy);
    is_fine(worlds_drop(arena, worlds, world_name(w)));
    worlds_free(worlds);
    ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

START_TEST(a_snapshot_that_is_dropped_is_restored_all_the_same)
{
    struct world *first = open_large(), *w;
    const struct snapshot *s;
    struct worlds_copy *copy;

    is_fine(worlds_begin_snapshot(arena, worlds, first, SPAN_LIT("s"), &copy));
    is_fine(worlds_at_once_run(copy));
    worlds_copy_free(copy);
    s = &worlds_snapshots(first)->at[0];
    is_fine(worlds_begin_make(arena, worlds, SPAN_LIT("w"), NULL, &s->state, &copy));
    is_fine(worlds_drop_snapshot(arena, worlds, first, SPAN_LIT("s")));
    run_in_slices(copy);
    worlds_copy_free(copy);
    w = use("w");
    ck_assert_int_eq(items(w), LARGE_ITEMS);
    close_large();
}
END_TEST

/* The file of an export has no name; its descriptor begins with the store's file. */
START_TEST(an_exported_snapshot_can_be_read)
{
    static const char begins[] = "SQLite format 3";
    struct world *first = open_large();
    char head[sizeof begins];
    struct worlds_copy *copy;
    int fd;

    is_fine(worlds_begin_snapshot(arena, worlds, first, SPAN_LIT("s"), &copy));
    is_fine(worlds_at_once_run(copy));
    worlds_copy_free(copy);
    is_fine(worlds_begin_export(arena, worlds, &worlds_snapshots(first)->at[0], &copy));
    is_fine(worlds_at_once_run(copy));
    fd = worlds_copy_take_file(copy);
    worlds_copy_free(copy);
    ck_assert_int_eq(read(fd, head, sizeof head), sizeof head);
    ck_assert_mem_eq(head, begins, sizeof head);
    ck_assert_int_eq(close(fd), 0);
    close_large();
}
END_TEST

START_TEST(worlds_end_with_copies_on_their_way)
{
    struct world *first = open_large();
    struct worlds_copy *copy;

    is_fine(worlds_begin_snapshot(arena, worlds, first, SPAN_LIT("s"), &copy));
    is_fine(worlds_begin_make(arena, worlds, SPAN_LIT("w"), first, NULL, &copy));
    ck_assert(!worlds_copy_step(copy));
    close_large();
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, others_are_served_while_a_world_is_copied);
    tcase_add_test(tc, a_copy_that_is_given_up_leaves_all_as_it_was);
    tcase_add_test(tc, what_a_copy_needs_waits_for_its_end);
    tcase_add_test(tc, a_world_that_is_replaced_is_not_forked_meanwhile);
    tcase_add_test(tc, a_world_whose_making_failed_can_be_made);
    tcase_add_test(tc, a_new_world_takes_one_place);
    tcase_add_test(tc, a_new_world_stays_until_its_making_is_over);
    tcase_add_test(tc, a_snapshot_that_is_dropped_is_restored_all_the_same);
    tcase_add_test(tc, an_exported_snapshot_can_be_read);
    tcase_add_test(tc, worlds_end_with_copies_on_their_way);
}

UNIT_TESTS(worlds_copy, add_tests)
