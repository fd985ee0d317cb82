#include "support/fault_vfs.h"
#include "unit_store.h"

#include <signal.h>
#include <sys/resource.h>

/* --- files ------------------------------------------------------------------------------------ */

START_TEST(a_file_has_everything_when_it_is_opened_again)
{
    struct store_row row;

    start(IN_FILE);
    begin();
    row = put(1, "a", "1");
    put(1, "b", "22");
    put(3, "c", "333");
    link_to(&row, 2, "x", 9);
    put_table("T", "one");
    put_table("U", "one");
    end(true);
    begin();
    ok(unit_remove_table(unit, SPAN_LIT("U")));
    ok(unit_drop_space(unit, 3));
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

/* What a flush syncs under each setting of --sync. */
static const struct {
    enum store_sync sync;
    bool syncs;
} flushes[] = {{STORE_SYNC_OFF, false}, {STORE_SYNC_NORMAL, false}, {STORE_SYNC_FULL, true}};

START_TEST(a_flush_syncs_the_log_only_where_that_is_asked_for)
{
    struct store_options options = {.sync = flushes[_i].sync};
    const char *problem;
    unsigned before;

    start(MEMORY); /* sets SQLite up */
    store_free(store);
    fault_install();
    options.path = path;
    ck_assert_ptr_nonnull(store = store_open(arena, &options, &problem));
    for (int i = 0; i < 3; i++) {
        before = fault_syncs();
        begin();
        put(1, arena_printf(arena, "%d", i), "1");
        end(true);
        ok(store_flush(store, arena));
        if (i) /* the first one writes the header of the log */
            ck_assert_int_eq(fault_syncs() > before, flushes[_i].syncs);
    }
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
    ok(unit_drop_space(unit, 1));
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

static off_t size_of(const char *file)
{
    struct stat found;

    return stat(file, &found) == 0 ? found.st_size : 0;
}

/* However much is written, the log has no more than 128 MB and a commit. */
START_TEST(a_log_is_copied_into_the_file_when_it_is_full)
{
    const off_t full = (off_t)128 << 20, commit = (off_t)8 << 20;
    struct store_options options = {.sync = STORE_SYNC_NORMAL};
    const char *log, *body, *problem;
    off_t longest = 0;

    make_folder();
    options.path = path;
    store = store_open(arena, &options, &problem);
    ck_assert_ptr_nonnull(store);
    log = arena_printf(arena, "%s-wal", path);
    body = arena_printf(arena, "%0*d", 1 << 20, 1);
    for (int i = 0; i < 70; i++) {
        begin();
        put(1, arena_printf(arena, "a%d", i), body);
        put(1, arena_printf(arena, "b%d", i), body);
        end(true);
        ok(store_flush(store, arena));
        longest = size_of(log) > longest ? size_of(log) : longest;
    }
    ck_assert_int_gt(longest, full);
    ck_assert_int_lt(longest, full + commit);
    ck_assert_int_gt(size_of(path), full - commit);
    reopen();
    has(1, "b69", body);
    stop();
}
END_TEST

/* As `ulimit -f` sets it. */
START_TEST(a_limit_on_the_size_of_files_is_a_full_disk)
{
    const char *body = arena_printf(arena, "%0*d", 1 << 20, 1);
    struct rlimit before, limit;
    const struct error *e;

    start(IN_FILE);
    begin();
    put(1, "a", "1");
    end(true);
    ok(store_flush(store, arena));
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit = before;
    limit.rlim_cur = 1 << 18;
    signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    begin();
    put(1, "b", body);
    end(true);
    e = store_flush(store, arena);
    ck_assert_ptr_nonnull(e);
    ck_assert(span_equal(e->message, error_disk_full(arena)->message));
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &before), 0);
    reopen();
    has(1, "a", "1");
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
    execute("PRAGMA user_version = 5");
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
    execute("INSERT INTO space(number, entries, bytes) VALUES(-3, 1, 1)");
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
    {make_newer, " was written by a newer mockddb (its format is 5, this one knows 4)"},
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

/* With something in it, or with nothing but the mark of its program. */
static const char *const foreign[] = {
    "CREATE TABLE theirs(x); INSERT INTO theirs VALUES(1)",
    "PRAGMA application_id = 7",
};

START_TEST(a_foreign_database_is_left_as_it_is)
{
    struct stat before, after;

    make_folder();
    execute(foreign[_i]);
    ck_assert_int_eq(stat(path, &before), 0);
    ck_assert_str_eq(why_not_opened(path), arena_printf(arena, "%s is not a mockddb file", path));
    ck_assert_int_eq(stat(path, &after), 0);
    ck_assert_int_eq(before.st_mtim.tv_nsec, after.st_mtim.tv_nsec);
    ck_assert_int_eq(before.st_size, after.st_size);
    execute("CREATE TABLE more(x)");
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
                     arena_printf(arena, "%s is in use by another process or handle", path));
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
    tcase_add_test(tc, a_file_has_everything_when_it_is_opened_again);
    tcase_add_loop_test(tc, a_flush_syncs_the_log_only_where_that_is_asked_for, 0, COUNT(flushes));
    tcase_add_test(tc, compacting_shrinks_a_file_and_keeps_what_is_in_it);
    tcase_add_test(tc, a_log_is_copied_into_the_file_when_it_is_full);
    tcase_add_test(tc, a_limit_on_the_size_of_files_is_a_full_disk);
    tcase_add_loop_test(tc, a_file_that_will_not_do_is_refused_in_one_sentence, 0, COUNT(spoilt));
    tcase_add_loop_test(tc, a_foreign_database_is_left_as_it_is, 0, COUNT(foreign));
    tcase_add_test(tc, an_empty_file_is_a_new_one);
    tcase_add_test(tc, a_file_is_opened_once_at_a_time);
    tcase_add_test(tc, a_folder_that_is_missing_is_named);
    tcase_add_test(tc, a_name_is_never_a_uri);
}

UNIT_TESTS(store_file, add_tests)
