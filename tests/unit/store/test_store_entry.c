#include "unit_store.h"

/* --- entries ---------------------------------------------------------------------------------- */

START_TEST(keeps_gives_back_changes_and_deletes)
{
    struct store_row row;

    start(_i);
    begin();
    row = put(1, "a", "first");
    put(1, "b", "");
    end(true);
    has(1, "a", "first");
    has(1, "b", "");
    has_not(2, "a");
    begin();
    ok(unit_put(unit, &row, 6, SPAN_LIT("second")));
    end(true);
    has(1, "a", "second");
    begin();
    ok(unit_delete(unit, &row));
    end(true);
    has_not(1, "a");
    has_stats(1, 1, 0);
    stop();
}
END_TEST

START_TEST(keys_and_bodies_may_hold_any_byte)
{
    static const char bytes[] = "\0\xff\0\n";
    struct span body = {bytes, sizeof bytes};
    struct store_row row = {.found = false};
    struct unit *u;

    start(_i);
    row.key = arena_span(arena, (struct span){"\0\0\0\1\0\xff\xff\0", 8});
    begin();
    ok(unit_put(unit, &row, 77, body));
    end(true);
    u = begin_reading();
    ok(unit_get(u, row.key, &row));
    ok(unit_keep(u));
    ck_assert(row.found && span_equal(row.body, body));
    ck_assert_uint_eq(row.size, 77);
    stop();
}
END_TEST

START_TEST(an_index_entry_reads_the_body_of_the_item)
{
    struct store_row a, b, x, y, before;

    start(_i);
    begin();
    a = put(1, "a", "A");
    b = put(1, "b", "B");
    x = link_to(&a, 2, "x", 10);
    y = link_to(&b, 2, "y", 20);
    end(true);
    ck_assert_str_eq(range_text(2, "", "~", false, false), "x=A y=B");
    has_stats(2, 2, 30);
    begin();
    before = a;
    ok(unit_put(unit, &a, 1, SPAN_LIT("C")));
    if (unit_body_moved(&before, &a))
        ok(unit_link(unit, &x, &a, 10));
    ok(unit_link(unit, &y, &a, 5));
    end(true);
    ck_assert_str_eq(range_text(2, "", "~", false, false), "x=C y=C");
    has_stats(2, 2, 15);
    begin();
    ok(unit_unlink(unit, &x));
    end(true);
    ck_assert_str_eq(range_text(2, "", "~", false, false), "y=C");
    has_stats(2, 1, 5);
    stop();
}
END_TEST

static const struct {
    const char *low, *high, *forwards, *backwards;
} ranges[] = {
    {"", "~", "a=1 aa=2 b=3 c=4", "c=4 b=3 aa=2 a=1"},
    {"a", "c", "a=1 aa=2 b=3", "b=3 aa=2 a=1"},
    {"aa", "aaa", "aa=2", "aa=2"},
    {"ab", "b", "", ""},
    {"d", "~", "", ""},
    {"c", "a", "", ""},
};

START_TEST(reads_ranges_both_ways)
{
    for (int mode = MEMORY; mode < MODES; mode++) {
        start(mode);
        begin();
        put(7, "b", "3");
        put(6, "b", "not in this space");
        put(7, "a", "1");
        put(7, "c", "4");
        put(7, "aa", "2");
        put(8, "", "not in this space either");
        end(true);
        ck_assert_str_eq(range_text(7, ranges[_i].low, ranges[_i].high, false, false),
                         ranges[_i].forwards);
        ck_assert_str_eq(range_text(7, ranges[_i].low, ranges[_i].high, true, false),
                         ranges[_i].backwards);
        stop();
    }
}
END_TEST

START_TEST(reads_keys_alone)
{
    start(_i);
    begin();
    put(1, "a", "long");
    put(1, "b", "body");
    end(true);
    ck_assert_str_eq(range_text(1, "", "~", false, true), "a= b=");
    ck_assert_str_eq(range_text(1, "", "~", true, true), "b= a=");
    stop();
}
END_TEST

START_TEST(a_cursor_copies_its_bounds_and_ends_once)
{
    struct store_range range;
    struct store_row row;
    struct cursor *c;
    struct unit *u;
    char low[] = "\0\0\0\1a", high[] = "\0\0\0\1z";

    start(_i);
    begin();
    put(1, "b", "1");
    end(true);
    range = (struct store_range){.low = {low, 5}, .high = {high, 5}};
    u = begin_reading();
    c = cursor_open(u, range);
    memset(low, 0x7f, 5);
    memset(high, 0, 5);
    ok(cursor_next(c, &row));
    ck_assert(row.found);
    ok(cursor_next(c, &row));
    ck_assert(!row.found);
    ok(cursor_next(c, &row));
    ck_assert(!row.found);
    cursor_close(c);
    cursor_close(NULL);
    ok(unit_keep(u));
    stop();
}
END_TEST

static void read_range(int i)
{
    (void)range_text(1, "", "~", i % 2, i % 3 == 0);
}

/* A server reads for months: what one cursor needed, the next one uses again. */
START_TEST(cursors_are_used_again)
{
    start(_i);
    takes_no_memory(read_range, 2000);
    stop();
}
END_TEST

START_TEST(dropping_a_space_leaves_its_neighbours)
{
    start(_i);
    begin();
    for (uint32_t space = 1; space <= 3; space++) {
        struct store_row row = put(space, "a", "1");

        put(space, "b", "2");
        link_to(&row, space + 10, "x", 1);
    }
    end(true);
    begin();
    ok(unit_drop_space(unit, 2));
    ok(unit_drop_space(unit, 12));
    ok(unit_drop_space(unit, 99));
    end(true);
    has_stats(2, 0, 0);
    has_stats(12, 0, 0);
    ck_assert_str_eq(range_text(12, "", "~", false, true), _i == IN_FILE ? "x=" : "");
    reap();
    ck_assert(!store_has_doomed(store));
    ck_assert_str_eq(range_text(1, "", "~", false, false), "a=1 b=2");
    ck_assert_str_eq(range_text(2, "", "~", false, false), "");
    ck_assert_str_eq(range_text(3, "", "~", false, false), "a=1 b=2");
    ck_assert_str_eq(range_text(11, "", "~", false, false), "x=1");
    ck_assert_str_eq(range_text(12, "", "~", false, false), "");
    has_stats(3, 2, 2);
    stop();
}
END_TEST

/* Whether they hold entries when they go, held some once, or never did. */
START_TEST(a_space_that_went_is_forgotten)
{
    struct store_row row;

    start(IN_FILE);
    begin();
    put(1, "stays", "1");
    put(2, "held", "2");
    row = put(3, "goes", "3");
    end(true);
    ok(store_flush(store, arena));
    begin();
    ok(unit_delete(unit, &row));
    end(true);
    ok(store_flush(store, arena));
    ck_assert_int_eq(database_count("SELECT count(*) FROM space"), 3);
    if (_i)
        reopen();
    for (int keep = 0; keep < 2; keep++) {
        begin();
        for (uint32_t space = 2; space <= 4; space++)
            ok(unit_drop_space(unit, space));
        end(keep);
        ok(store_flush(store, arena));
        ck_assert_int_eq(database_count("SELECT count(*) FROM space"), keep ? 1 : 3);
        has_stats(2, !keep, !keep);
    }
    reap();
    ck_assert_int_eq(database_count("SELECT count(*) FROM entry"), 1);
    ck_assert_int_eq(database_count("SELECT count(*) FROM doomed"), 0);
    stop();
}
END_TEST

static void make_and_drop_space(int i)
{
    uint32_t space;

    (void)i;
    begin();
    space = new_space();
    put(space, "a", "1");
    end(true);
    begin();
    ok(unit_drop_space(unit, space));
    end(true);
    ok(store_flush(store, arena));
    reap();
}

START_TEST(spaces_that_went_take_no_memory)
{
    start(_i);
    takes_no_memory(make_and_drop_space, 1000);
    stop();
}
END_TEST

#define MANY 2500 /* entries: several slices of them, and of bodies */

START_TEST(a_large_space_goes_in_slices_and_after_a_restart)
{
    int64_t entries = MANY;
    bool more = true;
    int slices = 0;

    start(IN_FILE);
    begin();
    put(7, "stays", "1");
    for (int i = 0; i < MANY; i++)
        put(8, arena_printf(arena, "%d", i), "body");
    end(true);
    begin();
    ok(unit_drop_space(unit, 8));
    end(true);
    for (; more; slices++) {
        int64_t left = database_count("SELECT count(*) FROM entry") - 1;

        ck_assert_int_le(entries - left, 1000);
        entries = left;
        if (slices % 3 == 1)
            reopen();
        begin();
        ok(unit_reap(unit, &more));
        end(slices % 3 > 0);
    }
    ck_assert_int_gt(slices, MANY / 250);
    ck_assert_int_eq(database_count("SELECT count(*) FROM entry"), 1);
    ck_assert_int_eq(database_count("SELECT count(*) FROM item"), 1);
    ck_assert_int_eq(database_count("SELECT count(*) FROM doomed"), 0);
    has(7, "stays", "1");
    stop();
}
END_TEST

START_TEST(trims_a_range)
{
    start(_i);
    begin();
    put(1, "1", "one");
    put(1, "2", "two");
    put(1, "3", "three");
    end(true);
    begin();
    ok(unit_delete_range(unit, key_at(1, ""), key_at(1, "3")));
    ok(unit_delete_range(unit, key_at(1, ""), key_at(1, "3")));
    end(true);
    ck_assert_str_eq(range_text(1, "", "~", false, false), "3=three");
    has_stats(1, 1, 5);
    begin();
    put(1, "2", "two");
    end(true);
    has(1, "2", "two");
    stop();
}
END_TEST

START_TEST(a_missing_entry_is_an_error_and_the_unit_can_be_undone)
{
    struct store_row missing = {.found = true, .size = 1}, twice = {.found = false};

    start(_i);
    missing.key = key_at(1, "zz");
    twice.key = key_at(1, "a");
    begin();
    put(1, "a", "1");
    end(true);
    begin();
    put(1, "b", "1");
    ck_assert_ptr_nonnull(unit_unlink(unit, &missing));
    end(false);
    has_not(1, "b");
    has(1, "a", "1");
    begin();
    ck_assert_ptr_nonnull(unit_put(unit, &twice, 1, SPAN_LIT("twice")));
    end(false);
    has(1, "a", "1");
    has_stats(1, 1, 1);
    stop();
}
END_TEST

/* More pages than the first megabyte, given back and taken again. */
START_TEST(holds_many_megabytes_more_than_once)
{
    char body[5000];

    start(_i);
    for (uint32_t round = 1; round <= 3; round++) {
        begin();
        for (int i = 0; i < 2000; i++) {
            const char *key = arena_printf(arena, "%d", i * 7919 % 2000);
            struct store_row row = {.key = key_at(round, key)};

            memset(body, 'a' + i % 26, sizeof body);
            ok(unit_put(unit, &row, sizeof body, (struct span){body, sizeof body - (size_t)i}));
        }
        end(true);
        begin();
        if (round > 1)
            ok(unit_drop_space(unit, round - 1));
        end(true);
        reap();
        ok(store_flush(store, arena));
    }
    for (int i = 0; i < 2000; i++) {
        struct store_row row = get(3, arena_printf(arena, "%d", i * 7919 % 2000));

        ck_assert(row.found);
        ck_assert_uint_eq(row.body.len, sizeof body - (size_t)i);
        ck_assert_int_eq(row.body.at[row.body.len - 1], 'a' + i % 26);
    }
    has_stats(2, 0, 0);
    has_stats(3, 2000, 2000 * (int64_t)sizeof body);
    stop();
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, keeps_gives_back_changes_and_deletes, 0, MODES);
    tcase_add_loop_test(tc, keys_and_bodies_may_hold_any_byte, 0, MODES);
    tcase_add_loop_test(tc, an_index_entry_reads_the_body_of_the_item, 0, MODES);
    tcase_add_loop_test(tc, reads_ranges_both_ways, 0, COUNT(ranges));
    tcase_add_loop_test(tc, reads_keys_alone, 0, MODES);
    tcase_add_loop_test(tc, a_cursor_copies_its_bounds_and_ends_once, 0, MODES);
    tcase_add_loop_test(tc, cursors_are_used_again, 0, MODES);
    tcase_add_loop_test(tc, spaces_that_went_take_no_memory, 0, MODES);
    tcase_add_loop_test(tc, dropping_a_space_leaves_its_neighbours, 0, MODES);
    tcase_add_loop_test(tc, a_space_that_went_is_forgotten, 0, 2);
    tcase_add_test(tc, a_large_space_goes_in_slices_and_after_a_restart);
    tcase_add_loop_test(tc, trims_a_range, 0, MODES);
    tcase_add_loop_test(tc, a_missing_entry_is_an_error_and_the_unit_can_be_undone, 0, MODES);
    tcase_add_loop_test(tc, holds_many_megabytes_more_than_once, 0, MODES);
}

UNIT_TESTS(store_entry, add_tests)
