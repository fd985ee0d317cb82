#include "unit_store.h"

#include "store/space_copy.h"

#define MANY 1200 /* entries: several slices */

static struct space_copy *copy;
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
    ok(space_copy_begin(unit, from, &to, &copy));
    end(true);
}

static bool step(void)
{
    bool more;

    begin();
    ok(space_copy_step(copy, unit, &more));
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
    space_copy_end(copy);
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
    struct space_copy *first;
    const char *before, *between;
    uint32_t first_to;

    start(_i);
    fill();
    before = range_text(from, "", "~", false, false);
    begin_copy();
    first = copy;
    first_to = to;
    step();
    change_many(3);
    between = range_text(from, "", "~", false, false);
    begin_copy();
    change_many(5);
    while (step())
        change_many(1);
    space_copy_end(copy);
    ck_assert_str_eq(range_text(to, "", "~", false, false), between);
    copy = first;
    while (step())
        ;
    space_copy_end(copy);
    ck_assert_str_eq(range_text(first_to, "", "~", false, false), before);
    stop();
}
END_TEST

static void fails(void)
{
    bool more;

    begin();
    ck_assert_ptr_nonnull(space_copy_step(copy, unit, &more));
    end(false);
    space_copy_end(copy);
    space_copy_end(NULL);
}

START_TEST(a_copy_fails_where_a_slice_was_undone)
{
    bool more;

    start(_i);
    fill();
    begin_copy();
    begin();
    ok(space_copy_step(copy, unit, &more));
    end(false);
    fails();
    stop();
}
END_TEST

START_TEST(a_copy_fails_where_its_space_goes)
{
    start(_i % (int)MODES);
    fill();
    begin_copy();
    step();
    begin();
    if (_i < (int)MODES)
        ok(unit_drop_space(unit, from));
    else
        ok(unit_delete_range(unit, key_at(from, ""), key_at(from, "~")));
    end(true);
    fails();
    stop();
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, a_copy_is_of_its_beginning_whatever_changes_on_the_way, 0, MODES);
    tcase_add_loop_test(tc, copies_of_several_moments, 0, MODES);
    tcase_add_loop_test(tc, a_copy_fails_where_a_slice_was_undone, 0, MODES);
    tcase_add_loop_test(tc, a_copy_fails_where_its_space_goes, 0, 2 * MODES);
}

int main(void)
{
    return unit_run("space_copy", add_tests);
}
