#include "unit_worlds.h"

#include "base/file.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[UNIT_FOLDER_SIZE];

static void open_folder(void)
{
    open_with((struct worlds_options){.folder = folder});
}

static size_t count_files(void)
{
    DIR *dir = opendir(folder);
    const struct dirent *entry;
    size_t count = 0;

    while ((entry = readdir(dir)))
        count += entry->d_name[0] != '.';
    closedir(dir);
    return count;
}

/* Ends the worlds and removes their files. */
static void close_folder(void)
{
    DIR *dir = opendir(folder);
    const struct dirent *entry;

    worlds_free(worlds);
    while ((entry = readdir(dir)))
        (void)unlinkat(dirfd(dir), entry->d_name, 0);
    closedir(dir);
    ck_assert_int_eq(rmdir(folder), 0);
}

/* In a new folder: a world with large items, its snapshot s, and the path of that snapshot's file.
 */
static struct world *make_large(const char *name, const char **path)
{
    struct worlds_copy *copy;
    struct world *w;

    open_in_folder(folder);
    w = use(name);
    ck_assert_int_eq(send(w, "CreateTable", offline_server_table_of(arena, "Large", "")), 200);
    put_large(w, 0, LARGE_ITEMS);
    worlds_flush(worlds);
    is_fine(worlds_begin_snapshot(arena, worlds, w, SPAN_LIT("s"), &copy));
    is_fine(worlds_at_once_run(copy));
    worlds_copy_free(copy);
    *path = arena_printf(arena, "%s/snapshot.%s.s.mockddb", folder, name);
    return w;
}

/* Nobody else flushes what a world did between requests. */
START_TEST(work_between_requests_is_flushed)
{
    const char *path;
    struct world *w;

    w = make_large("w", &path);
    ck_assert_int_eq(send(use("w"), "DeleteTable", "{\"TableName\":\"Large\"}"), 200);
    worlds_flush(worlds);
    ck_assert(store_has_doomed(world_store(w)) && !store_needs_flush(world_store(w)));
    settle();
    ck_assert(!store_has_doomed(world_store(w)) && !store_needs_flush(world_store(w)));
    close_folder();
}
END_TEST

/* A folder has the name that the new file should take. */
START_TEST(a_reset_that_cannot_take_its_place_says_so)
{
    const struct problem *p;
    const char *path, *file;
    struct world *w;

    w = make_large("w", &path);
    file = arena_printf(arena, "%s/world.w.db", folder);
    ck_assert_int_eq(unlink(file), 0);
    ck_assert_int_eq(mkdir(file, 0700), 0);
    p = worlds_at_once_reset(arena, worlds, w);
    is_fault(p, PROBLEM_FAILED);
    ck_assert_msg(span_starts_with(span_of(p->text), SPAN_LIT("world w ")), "%s", p->text);
    ck_assert_int_eq(rmdir(file), 0);
    close_folder();
}
END_TEST

/* A folder has the name that the snapshot's file should take. */
START_TEST(a_snapshot_that_cannot_take_its_place_is_not_kept)
{
    struct worlds_copy *copy;
    const struct problem *p;
    const char *path, *file;
    struct world *w;

    w = make_large("w", &path);
    file = arena_printf(arena, "%s/snapshot.w.t.mockddb", folder);
    ck_assert_int_eq(mkdir(file, 0700), 0);
    is_fine(worlds_begin_snapshot(arena, worlds, w, SPAN_LIT("t"), &copy));
    p = worlds_at_once_run(copy);
    is_fault(p, PROBLEM_FAILED);
    worlds_copy_free(copy);
    ck_assert_uint_eq(worlds_snapshots(w)->count, 1);
    ck_assert_int_eq(rmdir(file), 0);
    close_folder();
}
END_TEST

static int64_t items_of(const struct world *w, const char *snapshot)
{
    const struct snapshot *s;
    const struct table *t;

    is_fine(worlds_find_snapshot(arena, w, span_of(snapshot), &s));
    t = store_table(s->state.store, SPAN_LIT("Large"));
    return t ? store_stats(s->state.store, t->space).entries : -1;
}

static void write_file(const char *path, struct span text)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

    ck_assert(file_write(fd, text));
    close(fd);
}

static void copy_file(const char *from, const char *to)
{
    struct span text;

    ck_assert(file_read(arena, from, &text));
    write_file(to, text);
}

START_TEST(a_file_becomes_a_snapshot_in_slices)
{
    const char *path, *file;
    struct worlds_copy *copy, *other;
    size_t files;
    struct world *w;

    w = make_large("w", &path);
    file = arena_printf(arena, "%s/file", folder);
    copy_file(path, file);
    put_large(w, LARGE_ITEMS, LARGE_ITEMS + 1);
    worlds_flush(worlds);
    is_fine(worlds_begin_snapshot(arena, worlds, w, SPAN_LIT("t"), &copy));
    is_fine(worlds_at_once_run(copy));
    worlds_copy_free(copy);
    files = count_files();

    /* given up at any slice: the old one stays, or at last the new one is kept; no other file */
    for (int slices = 1; slices < 1000; slices = 2 * slices + 1) {
        bool done = false;
        int64_t kept;

        is_fine(worlds_begin_load(arena, worlds, w, SPAN_LIT("t"), file, &copy));
        for (int i = 0; i < slices && !done; i++)
            done = worlds_copy_step(copy);
        worlds_copy_free(copy);
        if (done)
            break;
        ck_assert(!world_is_copied(w));
        kept = items_of(w, "t");
        ck_assert(kept == LARGE_ITEMS + 1 || (kept == LARGE_ITEMS && slices > 1));
        ck_assert_uint_eq(count_files(), files);
        is_fine(worlds_begin_snapshot(arena, worlds, w, SPAN_LIT("t"), &copy));
        is_fine(worlds_at_once_run(copy));
        worlds_copy_free(copy);
    }

    is_fine(worlds_begin_load(arena, worlds, w, SPAN_LIT("u"), file, &copy));
    is_fault(worlds_drop(arena, worlds, world_name(w)), PROBLEM_CONFLICT);
    ck_assert(!world_is_copied(w)); /* it is served while the file is read, … */
    is_fine(worlds_begin_make(arena, worlds, SPAN_LIT("fork"), w, NULL, &other));
    ck_assert(worlds_copy_waits(copy)); /* … and another copy of it ends first */
    ck_assert(!worlds_copy_step(copy));
    is_fine(worlds_at_once_run(other));
    worlds_copy_free(other);
    run_in_slices(copy);
    ck_assert_str_eq(worlds_copy_snapshot(copy)->name, "u");
    worlds_copy_free(copy);
    ck_assert_int_eq(items_of(w, "u"), LARGE_ITEMS);
    ck_assert_int_eq(items(w), LARGE_ITEMS + 1);
    is_fine(worlds_drop(arena, worlds, world_name(w)));

    ck_assert_int_eq(truncate(file, 1000), 0);
    w = use("other");
    is_fine(worlds_begin_load(arena, worlds, w, SPAN_LIT("v"), file, &copy));
    is_fault(worlds_at_once_run(copy), PROBLEM_INVALID);
    worlds_copy_free(copy);
    ck_assert_uint_eq(worlds_snapshots(w)->count, 0);
    close_folder();
}
END_TEST

/* Does the slices of the copies that no request waits for; other worlds are served meanwhile. */
static int open_in_slices(const char *name, struct world **out)
{
    struct world *other = use("other");
    const struct problem *p;
    int slices = 0;

    while ((p = worlds_seek(arena, worlds, span_of(name), out))) {
        is_fault(p, PROBLEM_WAITS);
        slices++;
        worlds_copies_idle(worlds);
        ck_assert_int_eq(send(other, "ListTables", "{}"), 200);
        worlds_flush(worlds);
    }
    return slices;
}

START_TEST(a_closed_world_is_opened_in_slices)
{
    const char *path, *second, *third;
    struct world *w;

    (void)make_large("w", &path);
    worlds_free(worlds);
    second = arena_printf(arena, "%s/snapshot.w.t.mockddb", folder);
    third = arena_printf(arena, "%s/snapshot.w.u.mockddb", folder);
    copy_file(path, second);
    copy_file(path, third);
    ck_assert_int_eq(truncate(second, 1000), 0);

    open_folder();
    is_fault(worlds_seek(arena, worlds, SPAN_LIT("w"), &w), PROBLEM_WAITS);
    is_fault(worlds_use(arena, worlds, SPAN_LIT("w"), &w), PROBLEM_WAITS);
    is_fault(worlds_at_once_make(arena, worlds, SPAN_LIT("w"), NULL, &w), PROBLEM_WAITS);
    ck_assert_ptr_null(worlds_find(worlds, SPAN_LIT("w"))); /* with all its snapshots or not yet */
    worlds_free(worlds);

    open_folder();
    ck_assert_int_ge(open_in_slices("w", &w), FEW_SLICES);
    ck_assert_int_eq(items(w), LARGE_ITEMS);
    ck_assert_uint_eq(worlds_snapshots(w)->count, 2);
    ck_assert_int_eq(items_of(w, "s"), LARGE_ITEMS);
    ck_assert_int_eq(items_of(w, "u"), LARGE_ITEMS);
    ck_assert_int_eq(access(second, F_OK), 0); /* one that cannot be read stays in its file */
    close_folder();
}
END_TEST

/* Its snapshots would be loaded first; what a crash left beside its file must not come back. */
START_TEST(a_closed_world_is_dropped_without_being_opened)
{
    const char *path, *file;
    struct world *w;

    (void)make_large("w", &path);
    worlds_free(worlds);
    file = arena_printf(arena, "%s/world.w.db", folder);
    copy_file(file, arena_printf(arena, "%s.next", file));

    open_folder();
    is_fine(worlds_drop(arena, worlds, SPAN_LIT("w")));
    ck_assert_uint_eq(count_files(), 0);
    is_fault(worlds_drop(arena, worlds, SPAN_LIT("w")), PROBLEM_MISSING);
    is_fault(worlds_drop(arena, worlds, SPAN_LIT("../w")), PROBLEM_INVALID);
    is_fault(worlds_seek(arena, worlds, SPAN_LIT("w"), &w), PROBLEM_MISSING);
    ck_assert_int_eq(items(use("w")), -1);
    close_folder();
}
END_TEST

START_TEST(a_closed_world_that_is_being_opened_is_dropped_afterwards)
{
    const char *path;
    struct world *w;

    (void)make_large("w", &path);
    worlds_free(worlds);
    open_folder();
    is_fault(worlds_seek(arena, worlds, SPAN_LIT("w"), &w), PROBLEM_WAITS);
    is_fault(worlds_drop(arena, worlds, SPAN_LIT("w")), PROBLEM_WAITS);
    (void)open_in_slices("w", &w);
    is_fine(worlds_drop(arena, worlds, SPAN_LIT("w")));
    close_folder();
}
END_TEST

/* As a world that is opened does. */
START_TEST(a_new_world_has_the_snapshots_that_are_in_files)
{
    const char *path;
    struct world *w;

    (void)make_large("w", &path);
    copy_file(path, arena_printf(arena, "%s/snapshot.v.s.mockddb", folder));
    w = use("v");
    ck_assert_int_eq(items(w), -1);
    ck_assert_int_eq(items_of(w, "s"), LARGE_ITEMS);
    close_folder();
}
END_TEST

/* The fault is for the request that names the world; the next one tries again. */
START_TEST(a_world_that_cannot_be_opened_says_so_each_time)
{
    const char *path, *file;
    struct world *w;

    (void)make_large("w", &path);
    worlds_free(worlds);
    file = arena_printf(arena, "%s/world.w.db", folder);
    write_file(file, SPAN_LIT("this is not a file of mockddb"));
    open_folder();
    for (int i = 0; i < 2; i++) {
        const struct problem *p;

        while ((p = worlds_seek(arena, worlds, SPAN_LIT("w"), &w)) && p->kind == PROBLEM_WAITS)
            worlds_copies_idle(worlds);
        is_fault(p, PROBLEM_FAILED);
    }
    close_folder();
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, work_between_requests_is_flushed);
    tcase_add_test(tc, a_reset_that_cannot_take_its_place_says_so);
    tcase_add_test(tc, a_snapshot_that_cannot_take_its_place_is_not_kept);
    tcase_add_test(tc, a_file_becomes_a_snapshot_in_slices);
    tcase_add_test(tc, a_closed_world_is_opened_in_slices);
    tcase_add_test(tc, a_closed_world_is_dropped_without_being_opened);
    tcase_add_test(tc, a_closed_world_that_is_being_opened_is_dropped_afterwards);
    tcase_add_test(tc, a_new_world_has_the_snapshots_that_are_in_files);
    tcase_add_test(tc, a_world_that_cannot_be_opened_says_so_each_time);
}

UNIT_TESTS(worlds_files, add_tests)
