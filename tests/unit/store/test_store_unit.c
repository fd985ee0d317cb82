#include "unit_store.h"

/* --- units ------------------------------------------------------------------------------------ */

START_TEST(a_unit_that_is_not_kept_leaves_no_trace)
{
    struct store_row a, b;

    start(_i);
    begin();
    a = put(1, "a", "1");
    b = put(1, "b", "22");
    put_table("T", "one");
    put_table("U", "one");
    end(true);
    begin();
    put(1, "c", "333");
    ok(unit_put(unit, &a, 4, SPAN_LIT("4444")));
    ok(unit_delete(unit, &b));
    ok(unit_drop_space(unit, 1));
    put(5, "z", "z");
    put_table("T", "two");
    put_table("V", "two");
    ok(unit_remove_table(unit, SPAN_LIT("U")));
    put_table("V", "three");
    end(false);
    ck_assert_str_eq(range_text(1, "", "~", false, false), "a=1 b=22");
    has_stats(1, 2, 3);
    has_stats(5, 0, 0);
    ck_assert_uint_eq(store_table_count(store), 2);
    ck_assert_span_eq(store_table(store, SPAN_LIT("T"))->uuid, "one");
    ck_assert_span_eq(store_table(store, SPAN_LIT("U"))->uuid, "one");
    ck_assert_ptr_null(store_table(store, SPAN_LIT("V")));
    begin();
    put(1, "d", "4");
    end(true);
    ck_assert_str_eq(range_text(1, "", "~", false, false), "a=1 b=22 d=4");
    if (_i == IN_FILE) {
        reopen();
        ck_assert_str_eq(range_text(1, "", "~", false, false), "a=1 b=22 d=4");
        has_stats(1, 3, 4);
        has_stats(5, 0, 0);
        ck_assert_uint_eq(store_table_count(store), 2);
        ck_assert_span_eq(store_table(store, SPAN_LIT("T"))->uuid, "one");
    }
    stop();
}
END_TEST

START_TEST(what_is_spared_follows_the_unit_and_goes_with_the_space)
{
    start(_i);
    begin();
    put(1, "a", "1");
    unit_spare(unit, 1, 7);
    end(true);
    begin();
    unit_spare(unit, 1, 5);
    end(false);
    ck_assert_int_eq(store_stats(store, 1).spared, 7);
    if (_i == IN_FILE) {
        reopen();
        ck_assert_int_eq(store_stats(store, 1).spared, 7);
    }
    begin();
    ok(unit_drop_space(unit, 1));
    end(true);
    ck_assert_int_eq(store_stats(store, 1).spared, 0);
    stop();
}
END_TEST

START_TEST(only_a_file_needs_a_flush)
{
    start(_i);
    ck_assert(!store_needs_flush(store));
    begin();
    put(1, "a", "1");
    end(false);
    ck_assert(!store_needs_flush(store));
    begin();
    put(1, "a", "1");
    end(true);
    ck_assert_int_eq(store_needs_flush(store), _i == IN_FILE);
    ok(store_flush(store, arena));
    ck_assert(!store_needs_flush(store));
    ok(store_flush(store, arena));
    has(1, "a", "1");
    stop();
}
END_TEST

START_TEST(what_was_not_flushed_does_not_survive_a_kill)
{
    pid_t child;
    int status;

    make_folder();
    child = fork();
    if (child == 0) {
        store = open_store(path);
        begin();
        put(new_space(), "a", "flushed");
        put_table("T", "flushed");
        end(true);
        ok(store_flush(store, arena));
        begin();
        put(new_space(), "b", "kept");
        put_table("T", "kept");
        end(true);
        begin();
        put(new_space(), "c", "open");
        _exit(7);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 7);
    store = open_store(path);
    has(FIRST, "a", "flushed");
    has_not(FIRST + 1, "b");
    has_not(FIRST + 2, "c");
    has_stats(FIRST, 1, 7);
    has_stats(FIRST + 1, 0, 0);
    ck_assert_span_eq(store_table(store, SPAN_LIT("T"))->uuid, "flushed");
    begin();
    ck_assert_uint_eq(new_space(), FIRST + 1);
    end(true);
    stop();
}
END_TEST

/* --- several things at a time ----------------------------------------------------------------- */

static struct cursor *open_range(struct unit *u, uint32_t space, bool backwards)
{
    struct store_range range = {
        .low = key_at(space, ""), .high = key_at(space, "~"), .backwards = backwards};

    return cursor_open(u, range);
}

/* Moves on and says which key it is at, "" at the end. */
static const char *next_key(struct cursor *c)
{
    struct store_row row;

    ok(cursor_next(c, &row));
    return row.found ? arena_text(arena, span_from(row.key, KEY_SPACE_LEN)) : "";
}

static void fill_letters(uint32_t space)
{
    begin();
    put(space, "a", "1");
    put(space, "b", "2");
    put(space, "c", "3");
    end(true);
}

START_TEST(several_cursors_go_their_own_ways)
{
    struct cursor *one, *two, *back;
    struct unit *u;

    start(_i);
    fill_letters(1);
    fill_letters(2);
    u = begin_reading();
    for (int round = 0; round < 3; round++) { /* closed ones are opened again */
        one = open_range(u, 1, false);
        two = open_range(u, 2, false);
        back = open_range(u, 1, true);
        ck_assert_str_eq(next_key(one), "a");
        ck_assert_str_eq(next_key(one), "b");
        ck_assert_str_eq(next_key(two), "a");
        ck_assert_str_eq(next_key(back), "c");
        cursor_close(one);
        ck_assert_str_eq(next_key(two), "b");
        ck_assert_str_eq(next_key(back), "b");
        cursor_close(back);
        if (round < 2)
            cursor_close(two);
    }
    ok(unit_keep(u));
    stop();
}
END_TEST

START_TEST(what_is_under_a_cursor_can_be_changed_and_deleted)
{
    struct store_row row;
    struct cursor *c;
    int met = 0;

    start(_i);
    fill_letters(1);
    begin();
    c = open_range(unit, 1, false);
    for (;; met++) {
        ok(cursor_next(c, &row));
        if (!row.found)
            break;
        row.key = arena_span(arena, row.key);
        if (met == 1)
            ok(unit_delete(unit, &row));
        else
            ok(unit_put(unit, &row, 7, SPAN_LIT("changed")));
    }
    end(true);
    ck_assert_int_eq(met, 3);
    ck_assert_str_eq(range_text(1, "", "~", false, false), "a=changed c=changed");
    stop();
}
END_TEST

START_TEST(a_unit_within_another_is_undone_alone)
{
    struct unit *outer;
    struct cursor *c;

    start(_i);
    fill_letters(1);
    outer = begin_reading();
    c = open_range(outer, 1, false);
    ck_assert_str_eq(next_key(c), "a");
    for (int keep = 0; keep < 2; keep++) {
        begin();
        ck_assert(unit_writes(unit) && !unit_writes(outer));
        put(2, "x", keep ? "kept" : "undone");
        end(keep);
    }
    ck_assert_str_eq(next_key(c), "b");
    ck_assert_str_eq(next_key(c), "c");
    ck_assert_str_eq(next_key(c), "");
    ok(unit_keep(outer));
    has(2, "x", "kept");
    stop();
}
END_TEST

/* Work that is cut short leaves units, cursors and statements open. */
START_TEST(what_is_abandoned_leaves_no_trace)
{
    start(_i);
    fill_letters(1);
    for (int round = 0; round < 3; round++) {
        struct unit *outer = begin_reading();

        ck_assert_str_eq(next_key(open_range(outer, 1, false)), "a");
        begin();
        put(1, "d", "4");
        put_table("T", "one");
        ck_assert_str_eq(next_key(open_range(unit, 1, true)), "d");
        ck_assert_str_eq(next_key(open_range(begin_reading(), 1, false)), "a");
        if (round == 0)
            store_abandon(store);
        else if (round == 1)
            unit_undo(outer);
        else
            ok(unit_keep(outer)); /* of what is within it nothing is kept either */
        store_abandon(store);
        ok(store_flush(store, arena));
        ck_assert_str_eq(range_text(1, "", "~", false, false), "a=1 b=2 c=3");
        ck_assert_uint_eq(store_table_count(store), 0);
    }
    if (_i == IN_FILE)
        reopen();
    has_stats(1, 3, 3);
    fill_letters(2);
    stop();
}
END_TEST

/* Lets the file grow no further, or again as it likes. */
static void limit_pages(bool limit)
{
    const char *text = limit ? "PRAGMA max_page_count = 1" : "PRAGMA max_page_count = 1000000000";

    ck_assert_int_eq(sqlite3_exec(database_newest(), text, NULL, NULL, NULL), SQLITE_OK);
}

static void fill_until_full(uint32_t space)
{
    char body[4000];
    const struct error *e = NULL;

    memset(body, 'x', sizeof body);
    for (int i = 0; i < 100 && !e; i++) {
        struct store_row row = {.key = key_at(space, arena_printf(arena, "%d", i))};

        e = unit_put(unit, &row, sizeof body, (struct span){body, sizeof body});
    }
    ck_assert_ptr_nonnull(e);
    ck_assert_int_eq(e->kind, ERROR_INTERNAL);
}

START_TEST(a_full_disk_undoes_the_unit_and_the_next_one_works)
{
    start(_i);
    begin();
    put(1, "a", "1");
    put_table("T", "one");
    end(true);
    ok(store_flush(store, arena));
    begin();
    put(1, "b", "2");
    put_table("T", "two");
    limit_pages(true);
    fill_until_full(2);
    limit_pages(false);
    end(false);
    ok(store_flush(store, arena));
    ck_assert_str_eq(range_text(1, "", "~", false, false), "a=1");
    has_stats(1, 1, 1);
    has_stats(2, 0, 0);
    ck_assert_span_eq(store_table(store, SPAN_LIT("T"))->uuid, "one");
    begin();
    put(1, "c", "3");
    end(true);
    ok(store_flush(store, arena));
    ck_assert_str_eq(range_text(1, "", "~", false, false), "a=1 c=3");
    stop();
}
END_TEST

static int refuse(void *unused, int action, const char *a, const char *b, const char *c,
                  const char *d)
{
    (void)unused, (void)action, (void)a, (void)b, (void)c, (void)d;
    return SQLITE_DENY;
}

/* Makes SQLite undo all that was not committed, and a call find out about it. */
static void lose_everything(void)
{
    sqlite3 *db = database_newest();

    ck_assert_int_eq(sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_set_authorizer(db, refuse, NULL);
    ck_assert_ptr_nonnull(unit_remove_table(unit, SPAN_LIT("T")));
    sqlite3_set_authorizer(db, NULL, NULL);
}

/* Where SQLite undid everything since the last flush, units that were kept by then are gone, and
 * the flush is what says so. */
START_TEST(a_lost_group_is_told_by_the_flush)
{
    start(IN_FILE);
    begin();
    put(1, "a", "1");
    end(true);
    ok(store_flush(store, arena));
    begin();
    put(1, "b", "2");
    put_table("T", "one");
    end(true);
    begin();
    lose_everything();
    end(false);
    ck_assert(store_needs_flush(store));
    ck_assert_ptr_nonnull(unit_begin(store, arena, UNIT_WRITES, &unit));
    ck_assert_ptr_nonnull(store_flush(store, arena));
    ck_assert(!store_needs_flush(store));
    ck_assert_str_eq(range_text(1, "", "~", false, false), "a=1");
    has_stats(1, 1, 1);
    ck_assert_uint_eq(store_table_count(store), 0);
    begin();
    put(1, "c", "3");
    end(true);
    ok(store_flush(store, arena));
    reopen();
    ck_assert_str_eq(range_text(1, "", "~", false, false), "a=1 c=3");
    stop();
}
END_TEST

/* --- catalog ---------------------------------------------------------------------------------- */

START_TEST(tables_are_found_by_name_and_in_byte_order)
{
    static const char *const names[] = {"b", "a", "B", "aa", "c"};
    struct buf order = buf_in(arena);
    struct span name = {"", 0};
    const struct table *t;

    start(_i);
    begin();
    for (size_t i = 0; i < COUNT(names); i++)
        put_table(names[i], "one");
    end(true);
    ck_assert_uint_eq(store_table_count(store), COUNT(names));
    while ((t = store_table_after(store, name))) {
        buf_printf(&order, "%.*s ", SPAN_ARG(t->name));
        name = t->name;
    }
    ck_assert_str_eq(buf_text(&order), "B a aa b c ");
    ck_assert_span_eq(store_table_after(store, SPAN_LIT("ab"))->name, "b");
    ck_assert_ptr_null(store_table(store, SPAN_LIT("ab")));
    ck_assert_span_eq(store_table(store, SPAN_LIT("aa"))->name, "aa");
    stop();
}
END_TEST

static void put_table_in(const char *region, const char *name)
{
    struct table *t = new_table(name, region);

    t->region = arena_span(t->arena, span_of(region));
    ok(unit_put_table(unit, t));
}

static struct span id_of(const char *region, const char *name)
{
    return schema_id(arena, span_of(region), span_of(name));
}

START_TEST(tables_of_one_name_are_apart_by_region)
{
    struct buf order = buf_in(arena);
    struct span id = {"", 0};
    const struct table *t;

    start(_i);
    begin();
    put_table_in("west", "a");
    put_table_in("", "z");
    put_table_in("east", "z");
    put_table_in("", "a");
    put_table_in("east", "a");
    end(true);
    begin();
    ok(unit_remove_table(unit, id_of("east", "z")));
    end(true);
    while ((t = store_table_after(store, id))) {
        buf_printf(&order, "%.*s/%.*s ", SPAN_ARG(t->region), SPAN_ARG(t->name));
        id = schema_id(arena, t->region, t->name);
    }
    ck_assert_str_eq(buf_text(&order), "/a /z east/a west/a ");
    ck_assert_span_eq(store_table(store, SPAN_LIT("a"))->uuid, "");
    ck_assert_span_eq(store_table(store, id_of("west", "a"))->uuid, "west");
    ck_assert_ptr_null(store_table(store, id_of("east", "z")));
    ck_assert_ptr_null(store_table(store, SPAN_LIT("west/a")));
    stop();
}
END_TEST

/* A draft of a table that was replaced or made since would undo that change. */
START_TEST(a_table_is_put_only_where_it_was_read)
{
    struct table *stale, *fresh;

    start(_i);
    begin();
    put_table("T", "one");
    end(true);
    stale = schema_copy(NULL, store_table(store, SPAN_LIT("T")));
    begin();
    put_table("T", "two");
    end(true);
    begin();
    ck_assert_ptr_nonnull(unit_put_table(unit, stale));
    fresh = new_table("T", "three"); /* as if there were none */
    ck_assert_ptr_nonnull(unit_put_table(unit, fresh));
    end(true);
    ck_assert_span_eq(store_table(store, SPAN_LIT("T"))->uuid, "two");
    schema_free(stale);
    schema_free(fresh);
    stop();
}
END_TEST

START_TEST(a_replaced_table_lives_until_the_unit_ends)
{
    const struct table *before;

    start(_i);
    begin();
    put_table("T", "one");
    before = store_table(store, SPAN_LIT("T"));
    put_table("T", "two");
    ck_assert_span_eq(before->uuid, "one");
    ck_assert_span_eq(store_table(store, SPAN_LIT("T"))->uuid, "two");
    ok(unit_remove_table(unit, SPAN_LIT("T")));
    ck_assert_span_eq(before->uuid, "one");
    ck_assert_ptr_null(store_table(store, SPAN_LIT("T")));
    end(true);
    stop();
}
END_TEST

START_TEST(space_numbers_are_never_used_twice)
{
    uint32_t last = 0;

    start(_i);
    for (int i = 0; i < 6; i++) {
        uint32_t space;

        begin();
        space = new_space();
        ck_assert_uint_gt(space, last);
        last = space;
        end(i % 2 == 0);
        if (_i == IN_FILE && i == 2)
            reopen();
    }
    stop();
}
END_TEST

START_TEST(when_space_numbers_are_used_up_that_is_an_error)
{
    uint32_t space = 7;
    const struct error *e;

    start(IN_FILE);
    begin();
    new_space();
    end(true);
    ok(store_flush(store, arena));
    ck_assert_int_eq(sqlite3_exec(database_newest(),
                                  "UPDATE meta SET value = (1 << 25) - 1"
                                  " WHERE name = 'next_space'",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    reopen();
    begin();
    e = unit_new_space(unit, 0, &space);
    ck_assert(e && e->kind == ERROR_INTERNAL);
    ck_assert_uint_eq(space, 7);
    end(false);
    stop();
}
END_TEST

/* What SQLite has of memory, of every size: larger and smaller, and nothing of it is lost. */
START_TEST(memory_of_every_size_grows_and_shrinks)
{
    static const int sizes[] = {1, 500, 1024, 8192, 8400, 8704, 8705, 16400, 16896, 20000};
    void *early[300];

    start(IN_FILE);
    for (size_t i = 0; i < COUNT(early); i++) /* malloc's share; the pools give what follows */
        ck_assert_ptr_nonnull(early[i] = sqlite3_malloc(i % 2 ? 8400 : 16400));
    for (size_t from = 0; from < COUNT(sizes); from++)
        for (size_t to = 0; to < COUNT(sizes); to++) {
            int kept = sizes[from] < sizes[to] ? sizes[from] : sizes[to];
            unsigned char *block = sqlite3_malloc(sizes[from]);

            memset(block, 0xA5, (size_t)sizes[from]);
            block = sqlite3_realloc(block, sizes[to]);
            for (int i = 0; i < kept; i++)
                ck_assert_uint_eq(block[i], 0xA5);
            memset(block, 0x5A, (size_t)sizes[to]);
            sqlite3_free(block);
        }
    for (size_t i = 0; i < COUNT(early); i++)
        sqlite3_free(early[i]);
    stop();
    ck_assert_int_eq(sqlite3_shutdown(), SQLITE_OK);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, when_space_numbers_are_used_up_that_is_an_error);
    tcase_add_test(tc, memory_of_every_size_grows_and_shrinks);
    tcase_add_loop_test(tc, a_unit_that_is_not_kept_leaves_no_trace, 0, MODES);
    tcase_add_loop_test(tc, what_is_spared_follows_the_unit_and_goes_with_the_space, 0, MODES);
    tcase_add_loop_test(tc, several_cursors_go_their_own_ways, 0, MODES);
    tcase_add_loop_test(tc, what_is_under_a_cursor_can_be_changed_and_deleted, 0, MODES);
    tcase_add_loop_test(tc, a_unit_within_another_is_undone_alone, 0, MODES);
    tcase_add_loop_test(tc, what_is_abandoned_leaves_no_trace, 0, MODES);
    tcase_add_loop_test(tc, only_a_file_needs_a_flush, 0, MODES);
    tcase_add_test(tc, what_was_not_flushed_does_not_survive_a_kill);
    tcase_add_loop_test(tc, a_full_disk_undoes_the_unit_and_the_next_one_works, IN_FILE, MODES);
    tcase_add_test(tc, a_lost_group_is_told_by_the_flush);
    tcase_add_loop_test(tc, tables_are_found_by_name_and_in_byte_order, 0, MODES);
    tcase_add_loop_test(tc, tables_of_one_name_are_apart_by_region, 0, MODES);
    tcase_add_loop_test(tc, a_table_is_put_only_where_it_was_read, 0, MODES);
    tcase_add_loop_test(tc, a_replaced_table_lives_until_the_unit_ends, 0, MODES);
    tcase_add_loop_test(tc, space_numbers_are_never_used_twice, 0, MODES);
}

UNIT_TESTS(store_unit, add_tests)
