#include "unit.h"

#include "model/key.h"
#include "store/store_core.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Every test that says `modes` runs in memory and on a file. */
enum { MEMORY, IN_FILE, MODES };

static struct store *store;
static char *folder;
static const char *path;

static struct store *open_store(const char *file)
{
    struct store_options options = {.path = file, .sync = STORE_SYNC_NORMAL};
    const char *problem = NULL;
    struct store *s = store_open(arena, &options, &problem);

    ck_assert_msg(s != NULL, "%s", problem);
    return s;
}

static const char *why_not_opened(const char *file)
{
    struct store_options options = {.path = file};
    const char *problem = NULL;

    ck_assert_ptr_null(store_open(arena, &options, &problem));
    ck_assert_ptr_nonnull(problem);
    return problem;
}

static void make_folder(void)
{
    static char template[32];

    strcpy(template, "/tmp/mockddb-unit-XXXXXX");
    folder = mkdtemp(template);
    ck_assert_ptr_nonnull(folder);
    path = arena_printf(arena, "%s/data.db", folder);
}

static void remove_folder(void)
{
    static const char *const endings[] = {"", "-wal", "-journal", "-shm"};

    for (size_t i = 0; i < COUNT(endings); i++)
        unlink(arena_printf(arena, "%s%s", path, endings[i]));
    rmdir(folder);
}

static void start(int mode)
{
    make_folder();
    store = open_store(mode == IN_FILE ? path : NULL);
}

static void stop(void)
{
    store_free(store);
    remove_folder();
}

static void reopen(void)
{
    store_free(store);
    store = open_store(path);
}

#define FIRST KEY_FIRST_SPACE

/* --- short forms: a key is the space and a text ----------------------------------------------- */

static struct span key_at(uint32_t space, const char *text)
{
    struct buf key = buf_in(arena);

    buf_add_char(&key, (char)(space >> 24));
    buf_add_char(&key, (char)(space >> 16));
    buf_add_char(&key, (char)(space >> 8));
    buf_add_char(&key, (char)space);
    buf_add_text(&key, text);
    return buf_span(&key);
}

static void ok(const struct error *e)
{
    if (e)
        ck_abort_msg("%.*s", SPAN_ARG(e->message));
}

static void begin(void)
{
    ok(store_begin(store, arena));
}

static void end(bool keep)
{
    ok(store_end(store, arena, keep));
}

static int64_t put(uint32_t space, const char *key, const char *body)
{
    int64_t id = 0;

    ok(store_put(store, arena, key_at(space, key), 0, strlen(body), 0, span_of(body), &id));
    return id;
}

static bool get(uint32_t space, const char *key, struct store_row *row)
{
    bool found;

    ok(store_get(store, arena, key_at(space, key), row, &found));
    return found;
}

static void has(uint32_t space, const char *key, const char *body)
{
    struct store_row row;

    ck_assert_msg(get(space, key, &row), "%s is missing", key);
    ck_assert_span_eq(row.body, body);
    ck_assert_uint_eq(row.size, strlen(body));
}

static void has_not(uint32_t space, const char *key)
{
    struct store_row row;

    ck_assert_msg(!get(space, key, &row), "%s is there", key);
}

static void has_stats(uint32_t space, int64_t entries, int64_t bytes)
{
    struct space_stats stats = store_stats(store, space);

    ck_assert_int_eq(stats.entries, entries);
    ck_assert_int_eq(stats.bytes, bytes);
}

static uint32_t new_space(void)
{
    uint32_t space = 0;

    ok(store_new_space(store, arena, &space));
    return space;
}

static struct table *new_table(const char *name, const char *uuid)
{
    struct table *t = schema_new();

    t->name = arena_span(t->arena, span_of(name));
    t->uuid = arena_span(t->arena, span_of(uuid));
    t->keys.hash_count = 1;
    t->keys.hash[0] = (struct key_part){SPAN_LIT("pk"), ATTR_S};
    return t;
}

static void put_table(const char *name, const char *uuid)
{
    ok(store_table_put(store, arena, new_table(name, uuid)));
}

/* The keys of a range with their bodies, "a=1 b=2", as the cursor gives them. */
static const char *range_text(uint32_t space, const char *low, const char *high, bool backwards,
                              bool keys_only)
{
    struct store_range range = {key_at(space, low), key_at(space, high), backwards, keys_only};
    struct buf text = buf_in(arena);
    struct store_cursor *c;
    struct store_row row;
    bool found = true;

    ok(store_cursor_open(store, arena, &range, &c));
    for (;;) {
        ok(store_cursor_next(c, &row, &found));
        if (!found)
            break;
        if (text.len)
            buf_add_char(&text, ' ');
        buf_add_span(&text, span_from(row.key, KEY_SPACE_LEN));
        buf_add_char(&text, '=');
        buf_add_span(&text, row.body);
    }
    store_cursor_close(c);
    return buf_text(&text);
}

static void reap(void)
{
    bool more = store_has_doomed(store);

    while (more) {
        begin();
        ok(store_reap(store, arena, &more));
        end(true);
    }
}

/* --- entries ---------------------------------------------------------------------------------- */

START_TEST(keeps_gives_back_changes_and_deletes)
{
    int64_t id;

    start(_i);
    begin();
    id = put(1, "a", "first");
    put(1, "b", "");
    end(true);
    has(1, "a", "first");
    has(1, "b", "");
    has_not(2, "a");
    begin();
    ok(store_put(store, arena, key_at(1, "a"), id, 6, 5, SPAN_LIT("second"), NULL));
    end(true);
    has(1, "a", "second");
    begin();
    ok(store_delete(store, arena, key_at(1, "a"), id, 6));
    end(true);
    has_not(1, "a");
    has_stats(1, 1, 0);
    stop();
}
END_TEST

START_TEST(keys_and_bodies_may_hold_any_byte)
{
    static const char bytes[] = "\0\xff\0\n";
    struct span key, body = {bytes, sizeof bytes};
    struct store_row row;
    bool found;

    start(_i);
    key = arena_span(arena, (struct span){"\0\0\0\1\0\xff\xff\0", 8});
    begin();
    ok(store_put(store, arena, key, 0, 77, 0, body, NULL));
    end(true);
    ok(store_get(store, arena, key, &row, &found));
    ck_assert(found && span_equal(row.body, body) && span_equal(row.key, key));
    ck_assert_uint_eq(row.size, 77);
    stop();
}
END_TEST

START_TEST(an_index_entry_reads_the_body_of_the_item)
{
    int64_t a, b;

    start(_i);
    begin();
    a = put(1, "a", "A");
    b = put(1, "b", "B");
    ok(store_entry_put(store, arena, key_at(2, "x"), a, 10, -1));
    ok(store_entry_put(store, arena, key_at(2, "y"), b, 20, -1));
    end(true);
    ck_assert_str_eq(range_text(2, "", "~", false, false), "x=A y=B");
    has_stats(2, 2, 30);
    begin();
    ok(store_put(store, arena, key_at(1, "a"), a, 1, 1, SPAN_LIT("C"), NULL));
    ok(store_entry_put(store, arena, key_at(2, "y"), a, 5, 20));
    end(true);
    ck_assert_str_eq(range_text(2, "", "~", false, false), "x=C y=C");
    has_stats(2, 2, 15);
    begin();
    ok(store_entry_delete(store, arena, key_at(2, "x"), 10));
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
    struct store_cursor *c;
    struct store_row row;
    bool found;
    char low[] = "\0\0\0\1a", high[] = "\0\0\0\1z";

    start(_i);
    begin();
    put(1, "b", "1");
    end(true);
    range = (struct store_range){{low, 5}, {high, 5}, false, false};
    ok(store_cursor_open(store, arena, &range, &c));
    memset(low, 0x7f, 5);
    memset(high, 0, 5);
    ok(store_cursor_next(c, &row, &found));
    ck_assert(found);
    ok(store_cursor_next(c, &row, &found));
    ck_assert(!found);
    ok(store_cursor_next(c, &row, &found));
    ck_assert(!found);
    store_cursor_close(c);
    store_cursor_close(NULL);
    stop();
}
END_TEST

START_TEST(dropping_a_space_leaves_its_neighbours)
{
    int64_t id;

    start(_i);
    begin();
    for (uint32_t space = 1; space <= 3; space++) {
        id = put(space, "a", "1");
        put(space, "b", "2");
        ok(store_entry_put(store, arena, key_at(space + 10, "x"), id, 1, -1));
    }
    end(true);
    begin();
    ok(store_drop_space(store, arena, 2));
    ok(store_drop_space(store, arena, 12));
    ok(store_drop_space(store, arena, 99));
    end(true);
    has_stats(2, 0, 0);
    has_stats(12, 0, 0);
    ck_assert_str_eq(range_text(12, "", "~", false, true), "x=");
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

static int64_t count_rows(const char *sql)
{
    sqlite3_stmt *row;
    int64_t count;

    ck_assert_int_eq(sqlite3_prepare_v2(store->db.handle, sql, -1, &row, NULL), SQLITE_OK);
    ck_assert_int_eq(sqlite3_step(row), SQLITE_ROW);
    count = sqlite3_column_int64(row, 0);
    sqlite3_finalize(row);
    return count;
}

#define MANY 2500 /* entries: several slices of them, and of bodies */

START_TEST(a_large_space_goes_in_slices_and_after_a_restart)
{
    int64_t entries = MANY;
    bool more = true;
    int slices = 0;

    start(_i);
    begin();
    put(7, "stays", "1");
    for (int i = 0; i < MANY; i++)
        put(8, arena_printf(arena, "%d", i), "body");
    end(true);
    begin();
    ok(store_drop_space(store, arena, 8));
    end(true);
    for (; more; slices++) {
        int64_t left = count_rows("SELECT count(*) FROM entry") - 1;

        ck_assert_int_le(entries - left, 1000);
        entries = left;
        if (_i == IN_FILE && slices % 3 == 1)
            reopen();
        begin();
        ok(store_reap(store, arena, &more));
        end(slices % 3 > 0);
    }
    ck_assert_int_gt(slices, MANY / 250);
    ck_assert_int_eq(count_rows("SELECT count(*) FROM entry"), 1);
    ck_assert_int_eq(count_rows("SELECT count(*) FROM item"), 1);
    ck_assert_int_eq(count_rows("SELECT count(*) FROM doomed"), 0);
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
    ok(store_delete_range(store, arena, key_at(1, ""), key_at(1, "3")));
    ok(store_delete_range(store, arena, key_at(1, ""), key_at(1, "3")));
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
    start(_i);
    begin();
    put(1, "a", "1");
    end(true);
    begin();
    put(1, "b", "1");
    ck_assert_ptr_nonnull(store_entry_delete(store, arena, key_at(1, "zz"), 1));
    end(false);
    has_not(1, "b");
    has(1, "a", "1");
    begin();
    ck_assert_ptr_nonnull(
        store_put(store, arena, key_at(1, "a"), 0, 1, 0, SPAN_LIT("twice"), NULL));
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
            memset(body, 'a' + i % 26, sizeof body);
            ok(store_put(store, arena, key_at(round, arena_printf(arena, "%d", i * 7919 % 2000)), 0,
                         sizeof body, 0, (struct span){body, sizeof body - (size_t)i}, NULL));
        }
        end(true);
        begin();
        if (round > 1)
            ok(store_drop_space(store, arena, round - 1));
        end(true);
        reap();
        ok(store_flush(store, arena));
    }
    for (int i = 0; i < 2000; i++) {
        struct store_row row;

        ck_assert(get(3, arena_printf(arena, "%d", i * 7919 % 2000), &row));
        ck_assert_uint_eq(row.body.len, sizeof body - (size_t)i);
        ck_assert_int_eq(row.body.at[row.body.len - 1], 'a' + i % 26);
    }
    has_stats(2, 0, 0);
    has_stats(3, 2000, 2000 * (int64_t)sizeof body);
    stop();
}
END_TEST

/* --- units ------------------------------------------------------------------------------------ */

START_TEST(a_unit_that_is_not_kept_leaves_no_trace)
{
    int64_t a, b;

    start(_i);
    begin();
    a = put(1, "a", "1");
    b = put(1, "b", "22");
    put_table("T", "one");
    put_table("U", "one");
    end(true);
    begin();
    put(1, "c", "333");
    ok(store_put(store, arena, key_at(1, "a"), a, 4, 1, SPAN_LIT("4444"), NULL));
    ok(store_delete(store, arena, key_at(1, "b"), b, 2));
    ok(store_drop_space(store, arena, 1));
    put(5, "z", "z");
    put_table("T", "two");
    put_table("V", "two");
    ok(store_table_remove(store, arena, SPAN_LIT("U")));
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

/* Lets the file grow no further, or again as it likes. */
static void limit_pages(bool limit)
{
    const char *text = limit ? "PRAGMA max_page_count = 1" : "PRAGMA max_page_count = 1000000000";

    ck_assert_int_eq(sqlite3_exec(store->db.handle, text, NULL, NULL, NULL), SQLITE_OK);
}

static void fill_until_full(uint32_t space)
{
    char body[4000];
    const struct error *e = NULL;

    memset(body, 'x', sizeof body);
    for (int i = 0; i < 100 && !e; i++)
        e = store_put(store, arena, key_at(space, arena_printf(arena, "%d", i)), 0, sizeof body, 0,
                      (struct span){body, sizeof body}, NULL);
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
    ck_assert_int_eq(sqlite3_exec(store->db.handle, "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
    ck_assert_ptr_nonnull(store_entry_delete(store, arena, key_at(1, "b"), 1));
    ck_assert_ptr_nonnull(store_failed(store, arena, "as after a failure"));
    end(false);
    ck_assert(store_needs_flush(store));
    ck_assert_ptr_nonnull(store_begin(store, arena));
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
    ok(store_table_remove(store, arena, SPAN_LIT("T")));
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

/* --- files ------------------------------------------------------------------------------------ */

START_TEST(a_file_has_everything_when_it_is_opened_again)
{
    int64_t id;

    start(IN_FILE);
    begin();
    id = put(1, "a", "1");
    put(1, "b", "22");
    put(3, "c", "333");
    ok(store_entry_put(store, arena, key_at(2, "x"), id, 9, -1));
    put_table("T", "one");
    put_table("U", "one");
    end(true);
    begin();
    ok(store_table_remove(store, arena, SPAN_LIT("U")));
    ok(store_drop_space(store, arena, 3));
    end(true);
    reopen();
    reap();
    ck_assert_str_eq(range_text(1, "", "~", false, false), "a=1 b=22");
    ck_assert_str_eq(range_text(2, "", "~", false, false), "x=1");
    ck_assert_str_eq(range_text(3, "", "~", false, false), "");
    has_stats(1, 2, 3);
    has_stats(2, 1, 9);
    has_stats(3, 0, 0);
    ck_assert_uint_eq(store_table_count(store), 1);
    begin();
    put(1, "c", "4");
    end(true);
    has(1, "a", "1");
    has(1, "b", "22");
    stop();
}
END_TEST

START_TEST(compacting_shrinks_a_file_and_keeps_what_is_in_it)
{
    struct store_options options = {0};
    const char *problem = NULL;
    struct stat before, after;

    start(IN_FILE);
    begin();
    for (int i = 0; i < 500; i++)
        put(1, arena_printf(arena, "%d", i), arena_printf(arena, "%04000d", i));
    put(2, "a", "1");
    end(true);
    begin();
    ok(store_drop_space(store, arena, 1));
    end(true);
    store_free(store);
    ck_assert_int_eq(stat(path, &before), 0);
    options.path = path;
    options.compact = true;
    store = store_open(arena, &options, &problem);
    ck_assert_msg(store != NULL, "%s", problem);
    has(2, "a", "1");
    store_free(store);
    ck_assert_int_eq(stat(path, &after), 0);
    ck_assert_int_lt(after.st_size, before.st_size / 10);
    store = open_store(path);
    stop();
}
END_TEST

/* What is done to the file of a store with one item before it is opened again. */
static void write_at(long offset, const void *bytes, size_t len)
{
    FILE *f = fopen(path, "r+b");

    ck_assert_ptr_nonnull(f);
    ck_assert_int_eq(fseek(f, offset, SEEK_SET), 0);
    ck_assert_uint_eq(fwrite(bytes, 1, len, f), len);
    ck_assert_int_eq(fclose(f), 0);
}

static void spoil_magic(void)
{
    write_at(0, "not a database, ", 16);
}

static void execute(const char *sql)
{
    sqlite3 *db;

    ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
    ck_assert_int_eq(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

static void make_foreign(void)
{
    execute("PRAGMA application_id = 77");
}

static void make_newer(void)
{
    execute("PRAGMA user_version = 3");
}

static void make_versionless(void)
{
    execute("PRAGMA user_version = 0");
}

static void drop_a_table(void)
{
    execute("DROP TABLE space");
}

static void add_a_trigger(void)
{
    execute("CREATE TRIGGER t AFTER INSERT ON item BEGIN DELETE FROM entry; END");
}

static void spoil_the_catalog(void)
{
    execute("UPDATE catalog SET body = x'7b'");
}

static void spoil_the_numbering(void)
{
    execute("UPDATE meta SET value = -1");
}

static void spoil_a_space(void)
{
    execute("INSERT INTO space VALUES(-3, 1, 1)");
}

static void truncate_file(void)
{
    ck_assert_int_eq(truncate(path, 8192 + 100), 0);
}

static void spoil_first_page(void)
{
    char garbage[4000];

    memset(garbage, 0xA5, sizeof garbage);
    write_at(100, garbage, sizeof garbage);
}

static void replace_by_text(void)
{
    ck_assert_int_eq(truncate(path, 0), 0);
    write_at(0, "{\"hello\": \"world\"}", 18);
}

static void replace_by_folder(void)
{
    unlink(path);
    ck_assert_int_eq(mkdir(path, 0700), 0);
}

static const struct {
    void (*spoil)(void);
    const char *problem; /* after the path */
} spoilt[] = {
    {spoil_magic, " is not a mockddb file"},
    {make_foreign, " is not a mockddb file"},
    {make_newer, " was written by a newer mockddb (its format is 3, this one knows 2)"},
    {make_versionless, " is damaged"},
    {drop_a_table, " is damaged"},
    {add_a_trigger, " is damaged"},
    {spoil_the_catalog, " is damaged"},
    {spoil_the_numbering, " is damaged"},
    {spoil_a_space, " is damaged"},
    {truncate_file, " is damaged"},
    {spoil_first_page, " is damaged"},
    {replace_by_text, " is not a mockddb file"},
    {replace_by_folder, " cannot be opened: Is a directory"},
};

START_TEST(a_file_that_will_not_do_is_refused_in_one_sentence)
{
    start(IN_FILE);
    begin();
    put(new_space(), "a", "1");
    put_table("T", "one");
    end(true);
    store_free(store);
    spoilt[_i].spoil();
    ck_assert_str_eq(why_not_opened(path), arena_printf(arena, "%s%s", path, spoilt[_i].problem));
    rmdir(path);
    remove_folder();
}
END_TEST

START_TEST(a_foreign_database_is_left_as_it_is)
{
    struct stat before, after;

    make_folder();
    execute("CREATE TABLE theirs(x); INSERT INTO theirs VALUES(1)");
    ck_assert_int_eq(stat(path, &before), 0);
    ck_assert_str_eq(why_not_opened(path), arena_printf(arena, "%s is not a mockddb file", path));
    ck_assert_int_eq(stat(path, &after), 0);
    ck_assert_int_eq(before.st_mtim.tv_nsec, after.st_mtim.tv_nsec);
    ck_assert_int_eq(before.st_size, after.st_size);
    execute("INSERT INTO theirs VALUES(2)");
    remove_folder();
}
END_TEST

START_TEST(an_empty_file_is_a_new_one)
{
    make_folder();
    ck_assert_int_eq(close(open(path, O_CREAT | O_WRONLY, 0600)), 0);
    store = open_store(path);
    begin();
    put(1, "a", "1");
    end(true);
    stop();
}
END_TEST

START_TEST(a_file_is_opened_once_at_a_time)
{
    start(IN_FILE);
    ck_assert_str_eq(why_not_opened(path),
                     arena_printf(arena, "%s is in use by another process", path));
    begin();
    put(1, "a", "1");
    end(true);
    reopen();
    has(1, "a", "1");
    stop();
}
END_TEST

START_TEST(a_folder_that_is_missing_is_named)
{
    make_folder();
    ck_assert_str_eq(
        why_not_opened(arena_printf(arena, "%s/none/data.db", folder)),
        arena_printf(arena, "%s/none/data.db cannot be opened: No such file or directory", folder));
    remove_folder();
}
END_TEST

START_TEST(a_name_is_never_a_uri)
{
    char before[4096];

    make_folder();
    ck_assert_ptr_nonnull(getcwd(before, sizeof before));
    ck_assert_int_eq(chdir(folder), 0);
    store = open_store("file:x?mode=memory");
    store_free(store);
    ck_assert_int_eq(unlink("file:x?mode=memory"), 0);
    ck_assert_int_eq(chdir(before), 0);
    remove_folder();
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
    tcase_add_loop_test(tc, dropping_a_space_leaves_its_neighbours, 0, MODES);
    tcase_add_loop_test(tc, a_large_space_goes_in_slices_and_after_a_restart, 0, MODES);
    tcase_add_loop_test(tc, trims_a_range, 0, MODES);
    tcase_add_loop_test(tc, a_missing_entry_is_an_error_and_the_unit_can_be_undone, 0, MODES);
    tcase_add_loop_test(tc, holds_many_megabytes_more_than_once, 0, MODES);
    tcase_add_loop_test(tc, a_unit_that_is_not_kept_leaves_no_trace, 0, MODES);
    tcase_add_loop_test(tc, only_a_file_needs_a_flush, 0, MODES);
    tcase_add_test(tc, what_was_not_flushed_does_not_survive_a_kill);
    tcase_add_loop_test(tc, a_full_disk_undoes_the_unit_and_the_next_one_works, 0, MODES);
    tcase_add_test(tc, a_lost_group_is_told_by_the_flush);
    tcase_add_loop_test(tc, tables_are_found_by_name_and_in_byte_order, 0, MODES);
    tcase_add_loop_test(tc, a_replaced_table_lives_until_the_unit_ends, 0, MODES);
    tcase_add_loop_test(tc, space_numbers_are_never_used_twice, 0, MODES);
    tcase_add_test(tc, a_file_has_everything_when_it_is_opened_again);
    tcase_add_test(tc, compacting_shrinks_a_file_and_keeps_what_is_in_it);
    tcase_add_loop_test(tc, a_file_that_will_not_do_is_refused_in_one_sentence, 0, COUNT(spoilt));
    tcase_add_test(tc, a_foreign_database_is_left_as_it_is);
    tcase_add_test(tc, an_empty_file_is_a_new_one);
    tcase_add_test(tc, a_file_is_opened_once_at_a_time);
    tcase_add_test(tc, a_folder_that_is_missing_is_named);
    tcase_add_test(tc, a_name_is_never_a_uri);
}

int main(void)
{
    return unit_run("store", add_tests);
}
