/* Files that are written: each gets its name when it is complete, and not before. */
#include "base/file.h"
#include "moving/moving_output.h"
#include "support/memory_in_use.h"
#include "unit.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[UNIT_FOLDER_SIZE];
static const char *path;

static size_t count_files(void)
{
    DIR *dir = opendir(folder);
    size_t count = 0;

    for (const struct dirent *entry; (entry = readdir(dir));)
        count += entry->d_name[0] != '.';
    closedir(dir);
    return count;
}

/* Whether the only file is the one at `path`, with this text. */
static bool has_only(const char *text)
{
    struct span found;

    return count_files() == 1 && file_read(arena, path, &found) && span_is(found, text);
}

static void begin(void)
{
    unit_make_folder(folder);
    path = arena_printf(arena, "%s/items", folder);
}

static void end(void)
{
    unlink(path);
    ck_assert_int_eq(rmdir(folder), 0);
}

START_TEST(a_file_has_its_name_when_it_is_complete)
{
    const char *problem;
    struct moving_output *o;

    begin();
    o = moving_output_open(arena, path, &problem);
    ck_assert_ptr_nonnull(o);
    ck_assert_ptr_null(moving_output_add(o, SPAN_LIT("one\n")));
    ck_assert_ptr_null(moving_output_add(o, SPAN_LIT("two\n")));
    ck_assert_int_ne(access(path, F_OK), 0);
    ck_assert_ptr_null(moving_output_end(o));
    moving_output_free(o);
    ck_assert(has_only("one\ntwo\n"));
    end();
}
END_TEST

START_TEST(a_file_that_is_given_up_leaves_nothing)
{
    const char *problem;
    struct moving_output *o;

    begin();
    ck_assert_ptr_null(moving_output_write(arena, path, SPAN_LIT("before\n")));
    o = moving_output_open(arena, path, &problem);
    ck_assert_ptr_nonnull(o);
    ck_assert_ptr_null(moving_output_add(o, SPAN_LIT("after\n")));
    moving_output_free(o);
    ck_assert(has_only("before\n"));
    end();
}
END_TEST

/* A file that is replaced keeps its permissions; what is private has its own. */
START_TEST(permissions_stay_unless_the_file_is_private)
{
    struct stat found;

    begin();
    ck_assert_ptr_null(moving_output_write(arena, path, SPAN_LIT("one\n")));
    ck_assert_int_eq(chmod(path, 0640), 0);
    ck_assert_ptr_null(moving_output_write(arena, path, SPAN_LIT("two\n")));
    ck_assert(stat(path, &found) == 0 && (found.st_mode & 07777) == 0640);
    ck_assert_ptr_null(moving_output_write_private(arena, path, SPAN_LIT("three\n")));
    ck_assert(stat(path, &found) == 0 && (found.st_mode & 07777) == 0600);
    ck_assert(has_only("three\n"));
    end();
}
END_TEST

START_TEST(a_folder_that_is_missing_is_named)
{
    const char *problem;

    begin();
    path = arena_printf(arena, "%s/none/items", folder);
    ck_assert_ptr_null(moving_output_open(arena, path, &problem));
    ck_assert_str_eq(problem, arena_printf(arena, "%s: No such file or directory", path));
    ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

#define PARTS 12 /* of a megabyte, which hardly get smaller */

START_TEST(packed_bytes_are_not_kept)
{
    struct buf part = buf_in(arena);
    struct moving_output *o;
    const char *problem;
    size_t before;

    begin();
    path = arena_printf(arena, "%s/items.gz", folder);
    while (part.len < 1 << 20)
        buf_add_char(&part, (char)unit_random(256));
    o = moving_output_open(arena, path, &problem);
    ck_assert_ptr_null(moving_output_add(o, buf_span(&part)));
    before = memory_in_use();
    for (int i = 0; i < PARTS; i++)
        ck_assert_ptr_null(moving_output_add(o, buf_span(&part)));
    ck_assert_uint_lt(memory_in_use(), before + part.len * PARTS / 2);
    ck_assert_ptr_null(moving_output_end(o));
    moving_output_free(o);
    end();
}
END_TEST

/* A device is written to, and stays what it is. */
START_TEST(a_device_is_not_replaced)
{
    struct stat found;

    ck_assert_ptr_null(moving_output_write(arena, "/dev/null", SPAN_LIT("text\n")));
    ck_assert(stat("/dev/null", &found) == 0 && S_ISCHR(found.st_mode));
}
END_TEST

START_TEST(the_file_that_is_read_is_known_by_each_of_its_names)
{
    const char *link, *other;

    begin();
    link = arena_printf(arena, "%s/link", folder);
    other = arena_printf(arena, "%s/other", folder);
    ck_assert_ptr_null(moving_output_write(arena, path, SPAN_LIT("one\n")));
    ck_assert_ptr_null(moving_output_write(arena, other, SPAN_LIT("one\n")));
    ck_assert_int_eq(symlink("items", link), 0);
    ck_assert(moving_output_hits(path, path) && moving_output_hits(link, path));
    ck_assert(moving_output_hits(path, link));
    ck_assert(!moving_output_hits(path, other) && !moving_output_hits("-", path));
    ck_assert(!moving_output_hits(NULL, path) && !moving_output_hits(path, NULL));
    ck_assert(!moving_output_hits(arena_printf(arena, "%s/new", folder), path));
    ck_assert(unlink(link) == 0 && unlink(other) == 0);
    end();
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, a_file_has_its_name_when_it_is_complete);
    tcase_add_test(tc, a_file_that_is_given_up_leaves_nothing);
    tcase_add_test(tc, permissions_stay_unless_the_file_is_private);
    tcase_add_test(tc, a_folder_that_is_missing_is_named);
    tcase_add_test(tc, packed_bytes_are_not_kept);
    tcase_add_test(tc, a_device_is_not_replaced);
    tcase_add_test(tc, the_file_that_is_read_is_known_by_each_of_its_names);
}

UNIT_TESTS(moving_output, add_tests)
