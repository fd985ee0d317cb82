/* Files that lose their last name: what is seen at once, and that nothing of them is left open. */
#include "unit.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/file_release.h"

#define LARGE ((size_t)4 << 20)

static char folder[UNIT_FOLDER_SIZE];

static const char *path_of(const char *name)
{
    return arena_printf(arena, "%s/%s", folder, name);
}

static void make(const char *name, char filling, size_t len)
{
    char *bytes = arena_alloc(arena, len);
    int fd = open(path_of(name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

    memset(bytes, filling, len);
    ck_assert(file_write(fd, (struct span){bytes, len}));
    close(fd);
}

static void has(const char *name, char filling, size_t len)
{
    struct span text;

    ck_assert(file_read(arena, path_of(name), &text));
    ck_assert_uint_eq(text.len, len);
    ck_assert_int_eq(text.at[0], filling);
    ck_assert(memcmp(text.at, text.at + 1, len - 1) == 0); /* each byte is as the one before it */
}

static int count_open(void)
{
    DIR *dir = opendir("/proc/self/fd");
    int count = 0;

    while (readdir(dir))
        count++;
    closedir(dir);
    return count;
}

static void wait_until_open(int count)
{
    const struct timespec moment = {.tv_nsec = 1000000};

    while (count_open() > count)
        nanosleep(&moment, NULL);
}

static const size_t sizes[] = {1, LARGE};

START_TEST(the_name_is_gone_at_once_and_the_file_soon)
{
    int before = count_open();

    unit_make_folder(folder);
    make("a", 'a', sizes[_i]);
    ck_assert_int_eq(file_release_unlink(path_of("a")), 0);
    ck_assert_int_ne(access(path_of("a"), F_OK), 0);
    wait_until_open(before);
    ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

START_TEST(a_file_takes_the_name_of_another)
{
    int before = count_open();

    unit_make_folder(folder);
    make("old", 'o', sizes[_i]);
    make("new", 'n', 2 * sizes[_i]);
    ck_assert_int_eq(file_release_rename(path_of("new"), path_of("old")), 0);
    ck_assert_int_ne(access(path_of("new"), F_OK), 0);
    has("old", 'n', 2 * sizes[_i]);
    wait_until_open(before);
    has("old", 'n', 2 * sizes[_i]);
    ck_assert_int_eq(unlink(path_of("old")), 0);
    ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

START_TEST(a_descriptor_without_a_name_is_closed)
{
    int before = count_open(), fd;

    unit_make_folder(folder);
    make("a", 'a', sizes[_i]);
    fd = open(path_of("a"), O_RDONLY | O_CLOEXEC);
    ck_assert_int_eq(file_release_unlink(path_of("a")), 0);
    file_release_close(fd);
    file_release_close(-1);
    wait_until_open(before);
    ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

START_TEST(what_cannot_be_done_changes_nothing)
{
    int before = count_open();

    unit_make_folder(folder);
    make("old", 'o', sizes[_i]);
    errno = 0;
    ck_assert_int_ne(file_release_unlink(path_of("none")), 0);
    ck_assert_int_eq(errno, ENOENT);
    errno = 0;
    ck_assert_int_ne(file_release_rename(path_of("none"), path_of("old")), 0);
    ck_assert_int_eq(errno, ENOENT);
    wait_until_open(before);
    has("old", 'o', sizes[_i]);
    ck_assert_int_eq(unlink(path_of("old")), 0);
    ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, the_name_is_gone_at_once_and_the_file_soon, 0, COUNT(sizes));
    tcase_add_loop_test(tc, a_descriptor_without_a_name_is_closed, 0, COUNT(sizes));
    tcase_add_loop_test(tc, a_file_takes_the_name_of_another, 0, COUNT(sizes));
    tcase_add_loop_test(tc, what_cannot_be_done_changes_nothing, 0, COUNT(sizes));
}

UNIT_TESTS(file_release, add_tests)
