#include "unit_store.h"

#include "store/space_copy.h"

#define MANY 1200 /* entries: several slices */

static uint32_t from, to;

static const char *name_of(int i)
{
    return arena_printf(arena, "%04d", i);
}

/* A space with an entry for every even number. */
static void fill(void)
{
    begin();
    from = new_space();
    for (int i = 0; i < MANY; i += 2)
        put(from, name_of(i), name_of(i));
    end(true);
}

static void begin_copy(void)
{
    begin();
    ok(space_copy_begin(unit, from, &to));
    end(true);
}

static bool step(void)
{
    bool more;

    begin();
    ok(space_copy_step(unit, to, &more));
    end(true);
    return more;
}

static void change(int i, int round)
{
    struct store_row row = get(from, name_of(i));

    if (!row.found)
        ok(unit_put(unit, &row, 3, SPAN_LIT("new")));
    else if (round % 3 == 0)
        ok(unit_delete(unit, &row));
    else
        ok(unit_put(unit, &row, 7, SPAN_LIT("changed")));
}

/* Changes entries all over the space, some of them several times, some in a unit that is undone. */
static void change_many(int round)
{
    for (int keep = 0; keep < 2; keep++) {
        begin();
        for (int i = round; i < MANY; i += 7)
            change(i, round + i);
        for (int i = round; i < MANY; i += 35)
            change(i, round + i + 1);
        end(keep);
    }
}

START_TEST(a_copy_is_of_its_beginning_whatever_changes_on_the_way)
{
    const char *before;
    bool more = true;

    start(_i);
    fill();
    before = range_text(from, "", "~", false, false);
    begin_copy();
    change_many(0);
    for (int round = 1; more; round++) {
        more = step();
        change_many(round);
        if (round % 2)
            ok(store_flush(store, arena));
    }
    ck_assert_str_ne(range_text(from, "", "~", false, false), before);
    ck_assert_str_eq(range_text(to, "", "~", false, false), before);
    has_stats(to, MANY / 2, 4 * MANY / 2);
    begin();
    ok(unit_drop_space(unit, from));
    end(true);
    reap();
    ck_assert_str_eq(range_text(to, "", "~", false, false), before);
    stop();
}
END_TEST

START_TEST(copies_of_several_moments)
{
    const char *before, *between;
    uint32_t first;

    start(_i);
    fill();
    before = range_text(from, "", "~", false, false);
    begin_copy();
    first = to;
    step();
    change_many(3);
    between = range_text(from, "", "~", false, false);
    begin_copy();
    ck_assert_uint_eq(space_copy_next(store, 0), first);
    ck_assert_uint_eq(space_copy_next(store, first), to);
    change_many(5);
    while (step())
        change_many(1);
    ck_assert(!space_copy_fills(store, to));
    ck_assert_str_eq(range_text(to, "", "~", false, false), between);
    to = first;
    ck_assert(space_copy_fills(store, to));
    while (step())
        ;
    ck_assert_str_eq(range_text(first, "", "~", false, false), before);
    ck_assert_uint_eq(space_copy_next(store, 0), 0);
    stop();
}
END_TEST

START_TEST(a_slice_that_was_undone_is_made_again)
{
    const char *before;
    bool more;

    start(_i);
    fill();
    before = range_text(from, "", "~", false, false);
    begin_copy();
    step();
    begin();
    ok(space_copy_step(unit, to, &more));
    end(false);
    change_many(2);
    while (step()) {
        begin();
        ok(space_copy_step(unit, to, &more));
        end(false);
        if (!more)
            ck_assert(space_copy_fills(store, to));
    }
    ck_assert_str_eq(range_text(to, "", "~", false, false), before);
    stop();
}
END_TEST

START_TEST(a_copy_whose_beginning_was_undone_never_was)
{
    start(_i);
    fill();
    begin();
    ok(space_copy_begin(unit, from, &to));
    ck_assert(space_copy_fills(store, to));
    end(false);
    ck_assert(!space_copy_fills(store, to));
    change_many(1);
    has_stats(to, 0, 0);
    stop();
}
END_TEST

/* All of it at once, or what a stream loses. */
START_TEST(what_goes_while_it_is_copied_is_in_the_copy)
{
    const char *before;

    start(_i % (int)MODES);
    fill();
    before = range_text(from, "", "~", false, false);
    begin_copy();
    step();
    begin();
    if (_i < (int)MODES)
        ok(unit_drop_space(unit, from));
    else
        ok(unit_delete_range(unit, key_at(from, ""), key_at(from, "~")));
    end(true);
    reap();
    while (step())
        reap();
    reap();
    ck_assert_str_eq(range_text(to, "", "~", false, false), before);
    ck_assert_str_eq(range_text(from, "", "~", false, false), "");
    stop();
}
END_TEST

START_TEST(whoever_gives_up_the_new_space_ends_the_copy)
{
    start(_i);
    fill();
    begin_copy();
    step();
    begin();
    ok(unit_drop_space(unit, to));
    end(true);
    ck_assert(!space_copy_fills(store, to));
    change_many(1);
    reap();
    ck_assert_str_eq(range_text(to, "", "~", false, false), "");
    stop();
}
END_TEST

START_TEST(a_copy_goes_on_after_a_restart)
{
    const char *before;

    start(IN_FILE);
    fill();
    before = range_text(from, "", "~", false, false);
    begin_copy();
    for (int round = 0; space_copy_fills(store, to); round++) {
        reopen();
        change_many(round);
        step();
        change_many(round + 1);
    }
    ck_assert_str_eq(range_text(to, "", "~", false, false), before);
    stop();
}
END_TEST

START_TEST(a_copy_of_the_store_goes_on_by_itself)
{
    struct store_options options = {.path = NULL};
    const char *before, *problem;
    struct store *first;

    start(_i);
    fill();
    before = range_text(from, "", "~", false, false);
    begin_copy();
    step();
    first = store;
    store = store_copy(arena, first, &options, &problem);
    ck_assert_ptr_nonnull(store);
    change_many(1);
    while (step())
        ;
    ck_assert_str_eq(range_text(to, "", "~", false, false), before);
    store_free(store);
    store = first;
    ck_assert(space_copy_fills(store, to));
    change_many(2);
    while (step())
        ;
    ck_assert_str_eq(range_text(to, "", "~", false, false), before);
    stop();
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, a_copy_is_of_its_beginning_whatever_changes_on_the_way, 0, MODES);
    tcase_add_loop_test(tc, copies_of_several_moments, 0, MODES);
    tcase_add_loop_test(tc, a_slice_that_was_undone_is_made_again, 0, MODES);
    tcase_add_loop_test(tc, a_copy_whose_beginning_was_undone_never_was, 0, MODES);
    tcase_add_loop_test(tc, what_goes_while_it_is_copied_is_in_the_copy, 0, 2 * MODES);
    tcase_add_loop_test(tc, whoever_gives_up_the_new_space_ends_the_copy, 0, MODES);
    tcase_add_test(tc, a_copy_goes_on_after_a_restart);
    tcase_add_loop_test(tc, a_copy_of_the_store_goes_on_by_itself, 0, MODES);
}

int main(void)
{
    return unit_run("space_copy", add_tests);
}
