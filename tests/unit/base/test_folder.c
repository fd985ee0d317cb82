#include "unit.h"

#include "base/buf.h"
#include "base/file.h"
#include "base/folder.h"
#include "support/file_tree.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static char root[] = "/tmp/mockddb-folder-XXXXXX";
static struct folder *folder;

static const char *at(const char *path)
{
    return arena_printf(arena, "%s/%s", root, path);
}

static void put(const char *path, const char *text)
{
    ck_assert(folder_put(folder, span_of(path), SPAN_LIT(".aside/x"), span_of(text)));
}

static void begin(void)
{
    strcpy(root + sizeof root - 7, "XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(root));
    ck_assert_ptr_nonnull(folder = folder_open(root));
}

static void end(void)
{
    folder_free(folder);
    ck_assert(file_tree_remove(root));
}

static const struct {
    struct span path;
    bool allowed;
} paths[] = {
    {SPAN_LIT_INIT("a"), true},       {SPAN_LIT_INIT("a/b.c/d"), true},
    {SPAN_LIT_INIT("..."), true},     {SPAN_LIT_INIT(""), false},
    {SPAN_LIT_INIT("/a"), false},     {SPAN_LIT_INIT("a/"), false},
    {SPAN_LIT_INIT("a//b"), false},   {SPAN_LIT_INIT(".."), false},
    {SPAN_LIT_INIT("a/../b"), false}, {SPAN_LIT_INIT("./a"), false},
    {SPAN_LIT_INIT("a\0b"), false},
};

START_TEST(a_path_stays_in_its_folder)
{
    ck_assert_int_eq(folder_allows(paths[_i].path), paths[_i].allowed);
}
END_TEST

START_TEST(files_are_put_whole_and_read)
{
    struct span text;
    int fd;

    begin();
    put("b/deep/er/file", "one");
    put("b/deep/er/file", "two");
    ck_assert(folder_has(folder, SPAN_LIT("b/deep")));
    ck_assert(!folder_has(folder, SPAN_LIT("b/deep/er/file")));
    ck_assert(file_read(arena, at("b/deep/er/file"), &text));
    ck_assert(span_is(text, "two"));
    ck_assert_int_ge(fd = folder_read(folder, SPAN_LIT("b/deep/er/file")), 0);
    close(fd);
    ck_assert_int_eq(access(at(".aside/x"), F_OK), -1);
    ck_assert(folder_remove(folder, SPAN_LIT("b/deep/er/file")));
    ck_assert_int_eq(folder_read(folder, SPAN_LIT("b/deep/er/file")), -1);
    end();
}
END_TEST

START_TEST(no_link_is_followed)
{
    begin();
    put("b/file", "one");
    ck_assert_int_eq(symlink("/etc", at("b/out")), 0);
    ck_assert_int_eq(symlink("file", at("b/link")), 0);
    ck_assert_int_eq(mkfifo(at("b/pipe"), 0600), 0);
    ck_assert_int_eq(folder_read(folder, SPAN_LIT("b/out/passwd")), -1);
    ck_assert_int_eq(folder_read(folder, SPAN_LIT("b/link")), -1);
    ck_assert_int_eq(folder_read(folder, SPAN_LIT("b/pipe")), -1);
    ck_assert_int_eq(folder_read(folder, SPAN_LIT("b")), -1);
    ck_assert_int_eq(folder_write(folder, SPAN_LIT("b/link")), -1);
    ck_assert(!folder_has(folder, SPAN_LIT("b/out")));
    ck_assert(!folder_put(folder, SPAN_LIT("b/out/x"), SPAN_LIT("a"), SPAN_LIT("x")));
    end();
}
END_TEST

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static const char *all_files(const char *under, const char *prefix)
{
    struct folder_walk *w = folder_walk_new(folder, span_of(under), span_of(prefix));
    struct buf out = buf_in(arena);
    struct folder_found found;
    char *files[20] = {NULL};
    size_t count = 0;
    bool fits;

    while (folder_walk_next(w, &found, &fits))
        if (fits && count < COUNT(files))
            files[count++] = arena_printf(arena, "%.*s %d;", SPAN_ARG(found.path), (int)found.size);
    folder_walk_free(w);
    qsort(files, count, sizeof *files, compare);
    for (size_t i = 0; i < count; i++)
        buf_add_text(&out, files[i]);
    return buf_text(&out);
}

START_TEST(files_are_found_by_how_their_paths_begin)
{
    begin();
    put("b/in/a.json", "1");
    put("b/in/x/b.json", "12");
    put("b/into", "123");
    put("b/other", "");
    put("c/in", "1");
    ck_assert_int_eq(symlink("into", at("b/in/link")), 0);
    ck_assert_str_eq(all_files("b", ""), "in/a.json 1;in/x/b.json 2;into 3;other 0;");
    ck_assert_str_eq(all_files("b", "in"), "in/a.json 1;in/x/b.json 2;into 3;");
    ck_assert_str_eq(all_files("b", "in/"), "in/a.json 1;in/x/b.json 2;");
    ck_assert_str_eq(all_files("b", "in/x/b"), "in/x/b.json 2;");
    ck_assert_str_eq(all_files("b", "../c"), "");
    ck_assert_str_eq(all_files("missing", ""), "");
    end();
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, a_path_stays_in_its_folder, 0, COUNT(paths));
    tcase_add_test(tc, files_are_put_whole_and_read);
    tcase_add_test(tc, no_link_is_followed);
    tcase_add_test(tc, files_are_found_by_how_their_paths_begin);
}

UNIT_TESTS(folder, add_tests)
