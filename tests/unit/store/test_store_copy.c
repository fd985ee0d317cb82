#include "unit_store.h"

#include "store/sqlite/sql_store.h"
#include "support/store_at_once.h"

/* A store is copied from memory or a file into memory or a file. */
#define WAYS ((int)MODES * (int)MODES)

static const char *copy_path;
static struct store *original;

static const char *path_of_copy(int way)
{
    return way / (int)MODES == IN_FILE ? copy_path : NULL;
}

static struct store *copy_to(const char *file)
{
    struct store_options options = {.path = file, .sync = STORE_SYNC_NORMAL};
    const char *problem = NULL;
    struct store *s = store_at_once_copy(arena, original, &options, &problem);

    ck_assert_msg(s != NULL, "%s", problem);
    return s;
}

static void start_copying(int way)
{
    start(way % (int)MODES);
    original = store;
    copy_path = arena_printf(arena, "%s/copy.db", folder);
}

static void stop_copying(void)
{
    store_free(original);
    store_free(store);
    unlink(copy_path);
    remove_folder();
}

/* What a unit can do, some of it flushed. */
static void fill(void)
{
    struct store_row row;
    uint32_t space;

    begin();
    space = new_space();
    row = put(space, "a", "1");
    put(space, "b", "22");
    link_to(&row, new_space(), "x", 7);
    put(3, "gone", "333");
    put_table("T", "one");
    end(true);
    ok(store_flush(store, arena));
    begin();
    put(space, "c", "333");
    ok(unit_drop_space(unit, 3));
    put_table("U", "two");
    end(true);
    (void)store_next_number(store);
    (void)store_next_number(store);
}

static void has_all(void)
{
    ck_assert_str_eq(range_text(FIRST, "", "~", false, false), "a=1 b=22 c=333");
    ck_assert_str_eq(range_text(FIRST + 1, "", "~", false, false), "x=1");
    has_stats(FIRST, 3, 6);
    has_stats(FIRST + 1, 1, 7);
    has_stats(3, 0, 0);
    ck_assert_uint_eq(store_table_count(store), 2);
    ck_assert_span_eq(store_table(store, SPAN_LIT("T"))->uuid, "one");
    ck_assert_span_eq(store_table(store, SPAN_LIT("U"))->uuid, "two");
}

START_TEST(a_copy_has_everything)
{
    start_copying(_i);
    fill();
    store = copy_to(path_of_copy(_i));
    has_all();
    ck_assert_uint_ge(store_last_number(store), 2);
    ck_assert_int_eq(store_has_doomed(store), _i > 0); /* in memory, what is given up is gone */
    reap();
    ck_assert_str_eq(range_text(3, "", "~", false, true), "");
    begin();
    ck_assert_uint_eq(new_space(), FIRST + 2);
    put(FIRST, "d", "4");
    end(true);
    has(FIRST, "d", "4");
    stop_copying();
}
END_TEST

START_TEST(a_copy_and_its_original_go_their_own_ways)
{
    struct store *copy;

    start_copying(_i);
    fill();
    store = copy = copy_to(path_of_copy(_i));
    begin();
    put(FIRST, "new", "of the copy");
    put_table("T", "changed");
    end(true);
    ok(store_flush(store, arena));
    store = original;
    has_all();
    begin();
    put(FIRST, "new", "of the original");
    end(true);
    ok(store_flush(store, arena));
    store = copy;
    has(FIRST, "new", "of the copy");
    stop_copying();
}
END_TEST

START_TEST(a_copy_in_a_file_is_there_when_it_is_opened_again)
{
    start_copying(_i);
    fill();
    store = copy_to(copy_path);
    store_free(store);
    store = open_store(copy_path);
    has_all();
    ck_assert_uint_gt(store_next_number(store), 2);
    stop_copying();
}
END_TEST

/* --- in the place of another ------------------------------------------------------------------ */

/* A copy of the original takes the place of the store. */
static const char *replace(const struct store_options *options)
{
    struct store_copying *copying = store_copying_new(original, options);
    const char *problem;

    while (!store_copying_step(copying, true))
        continue;
    problem = store_copying_place(arena, copying, &store);
    while (!problem && !store_copying_step(copying, true))
        continue;
    store_copying_free(copying);
    return problem;
}

static struct store_options options_of_copy(int way)
{
    return (struct store_options){.path = path_of_copy(way), .sync = STORE_SYNC_NORMAL};
}

/* A store of its own, with something in it. */
static struct store *open_other(int way)
{
    store = open_store(path_of_copy(way));
    begin();
    put(new_space(), "other", "1");
    put_table("Other", "other");
    end(true);
    ok(store_flush(store, arena));
    return store;
}

START_TEST(a_store_is_replaced_by_a_copy)
{
    struct store_options options;

    start_copying(_i);
    options = options_of_copy(_i);
    fill();
    store = open_other(_i);
    ck_assert_ptr_null(replace(&options));
    has_all();
    if (options.path) {
        store_free(store);
        store = open_store(options.path);
        has_all();
    }
    stop_copying();
}
END_TEST

/* Whether another process finds SQLite's lock on the file. */
static bool is_locked(const char *file)
{
    pid_t child = fork();
    int status = -1;

    if (child == 0) {
        struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 0x40000000};
        int fd = open(file, O_RDWR);

        _exit(fd < 0 || fcntl(fd, F_GETLK, &lock) || lock.l_type == F_UNLCK);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    return status == 0;
}

START_TEST(the_file_of_a_copy_is_locked)
{
    struct store_options options = {.sync = (enum store_sync)_i};
    const char *problem = NULL;

    start_copying(IN_FILE);
    options.path = copy_path;
    fill();
    store = store_at_once_copy(arena, original, &options, &problem);
    ck_assert_msg(store != NULL, "%s", problem);
    ck_assert(is_locked(copy_path));
    ck_assert_ptr_null(replace(&options));
    ck_assert(is_locked(copy_path));
    store_free(store);
    store = NULL;
    ck_assert(!is_locked(copy_path));
    stop_copying();
}
END_TEST

/* The new file cannot be made where a folder has its name. */
START_TEST(a_store_that_cannot_be_replaced_is_as_it_was)
{
    const char *obstacle;
    struct store_options options;

    start_copying(_i);
    options = (struct store_options){.path = copy_path, .sync = STORE_SYNC_NORMAL};
    obstacle = arena_printf(arena, "%s.new", copy_path);
    fill();
    store = open_other(IN_FILE * MODES);
    ck_assert_int_eq(mkdir(obstacle, 0700), 0);
    ck_assert_ptr_nonnull(replace(&options));
    has(FIRST, "other", "1");
    ck_assert_uint_eq(store_table_count(store), 1);
    ck_assert_int_eq(rmdir(obstacle), 0);
    stop_copying();
}
END_TEST

/* The process ended when the new file was whole, and the old log not yet removed. */
START_TEST(a_replacement_that_was_interrupted_is_finished)
{
    struct store_options next;

    start_copying(_i);
    fill();
    store = open_other(IN_FILE * MODES);
    store_leave_log(store);
    store_free(store);
    ck_assert_int_eq(access(arena_printf(arena, "%s-wal", copy_path), F_OK), 0);
    next = (struct store_options){.path = arena_printf(arena, "%s.next", copy_path)};
    ck_assert_ptr_null(store_at_once_save(arena, original, &next));
    store = open_store(copy_path);
    has_all();
    ck_assert_int_ne(access(next.path, F_OK), 0);
    stop_copying();
}
END_TEST

/* The server that uses the file may still be replacing it; another one finds it in use. */
START_TEST(a_replacement_is_left_to_the_process_that_uses_the_file)
{
    struct store_options next;
    int status = -1;
    pid_t child;

    start_copying(IN_FILE);
    fill();
    store = open_other(IN_FILE * MODES);
    next = (struct store_options){.path = arena_printf(arena, "%s.next", copy_path)};
    ck_assert_ptr_null(store_at_once_save(arena, original, &next));
    if ((child = fork()) == 0)
        _exit(store_finish_placing(arena, &(struct store_options){.path = copy_path}) != NULL);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    ck_assert_int_eq(access(next.path, F_OK), 0);
    has(FIRST, "other", "1");
    unlink(next.path);
    stop_copying();
}
END_TEST

START_TEST(a_copy_that_is_given_up_leaves_no_file)
{
    struct store_options options = {.sync = STORE_SYNC_NORMAL};
    struct store_copying *copying;

    start_copying(_i);
    options.path = copy_path;
    fill();
    for (int steps = 0; steps < 3; steps++) {
        copying = store_copying_new(original, &options);
        for (int i = 0; i < steps; i++)
            (void)store_copying_step(copying, true);
        store_copying_free(copying);
        ck_assert_int_ne(access(arena_printf(arena, "%s.new", copy_path), F_OK), 0);
        ck_assert_int_ne(access(copy_path, F_OK), 0);
    }
    store = copy_to(NULL);
    has_all();
    stop_copying();
}
END_TEST

/* The log of an old file, which was deleted alone, is of no use to the new one. */
START_TEST(a_copy_beside_a_log_without_its_file_has_only_its_own)
{
    start_copying(_i);
    fill();
    store = open_other(IN_FILE * MODES);
    store_leave_log(store);
    store_free(store);
    ck_assert_int_eq(unlink(copy_path), 0);
    ck_assert_int_eq(access(arena_printf(arena, "%s-wal", copy_path), F_OK), 0);
    store = copy_to(copy_path);
    has_all();
    store_free(store);
    store = open_store(copy_path);
    has_all();
    stop_copying();
}
END_TEST

static int lowest_free_descriptor(void)
{
    int fd = dup(STDERR_FILENO);

    ck_assert_int_ge(fd, 0);
    close(fd);
    return fd;
}

START_TEST(a_copy_leaves_no_file_open)
{
    struct store_options options = {.sync = STORE_SYNC_FULL};
    int before;

    start_copying(_i);
    options.path = copy_path;
    fill();
    store = open_other(IN_FILE * MODES);
    ck_assert_ptr_null(replace(&options));
    before = lowest_free_descriptor();
    for (int i = 0; i < 3; i++)
        ck_assert_ptr_null(replace(&options));
    ck_assert_int_eq(lowest_free_descriptor(), before);
    stop_copying();
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, a_copy_beside_a_log_without_its_file_has_only_its_own, 0, MODES);
    tcase_add_loop_test(tc, a_copy_leaves_no_file_open, 0, MODES);
    tcase_add_loop_test(tc, a_replacement_that_was_interrupted_is_finished, 0, MODES);
    tcase_add_test(tc, a_replacement_is_left_to_the_process_that_uses_the_file);
    tcase_add_loop_test(tc, a_copy_that_is_given_up_leaves_no_file, 0, MODES);
    tcase_add_loop_test(tc, a_copy_has_everything, 0, WAYS);
    tcase_add_loop_test(tc, the_file_of_a_copy_is_locked, STORE_SYNC_OFF, STORE_SYNC_FULL + 1);
    tcase_add_loop_test(tc, a_copy_and_its_original_go_their_own_ways, 0, WAYS);
    tcase_add_loop_test(tc, a_copy_in_a_file_is_there_when_it_is_opened_again, 0, MODES);
    tcase_add_loop_test(tc, a_store_is_replaced_by_a_copy, 0, WAYS);
    tcase_add_loop_test(tc, a_store_that_cannot_be_replaced_is_as_it_was, 0, MODES);
}

UNIT_TESTS(store_copy, add_tests)
