/* The files that a path means: those of folders and exports, and what is refused. */
#include "moving/moving_files.h"
#include "unit.h"

#include <sys/stat.h>
#include <unistd.h>

#define SUMMARY "manifest-summary.json"
#define LISTED  "manifest-files.json"
#define MOST    5

/* Files by their paths in the folder, up to one without a path. A text that begins with "->" makes
 * a link to the rest of it, a path that ends with a slash a folder. */
struct entry {
    const char *path, *text;
};

static const struct {
    struct entry entries[MOST + 1];
    const char *found;   /* "path table items" of each file, a line each … */
    const char *problem; /* … or the end of the sentence that says what is wrong */
} folders[] = {
    {{{"Orders.json", "{}"}, {"Users.json", "{}"}},
     "Orders.json Orders -1\nUsers.json Users -1\n",
     NULL},
    {{{"sub/", NULL}, {"sub/Users.json", "{}"}, {".hidden", "{}"}, {"_hidden", "{}"}},
     "sub/Users.json Users -1\n",
     NULL},
    {{{"Orders.json", "{}"}, {"linked.json", "->Orders.json"}},
     "Orders.json Orders -1\nlinked.json linked -1\n",
     NULL},
    {{{".hidden", "{}"}}, NULL, "it contains nothing that can be imported"},
    /* the first problem counts, whatever follows it */
    {{{"a", "->nowhere"}, {"b.json", "{}"}}, NULL, "/a: No such file or directory"},
    {{{"sub/", NULL}, {"a", "->sub"}, {"b.json", "{}"}},
     NULL,
     "/a: a link to a folder is followed only if it is named itself"},
    /* exports */
    {{{SUMMARY, "{\"tableArn\":\"arn:aws:dynamodb:us-east-1:0:table/T01\",\"itemCount\":3}"},
      {LISTED, "{\"dataFileS3Key\":\"x/data/one.json\",\"itemCount\":1}\n\n"
               "{\"dataFileS3Key\":\"x/data/two.json\",\"itemCount\":2}\n"},
      {"data/", NULL},
      {"data/one.json", "{}\n"},
      {"data/two.json", "{}\n{}\n"}},
     "data/one.json T01 1\ndata/two.json T01 2\n",
     NULL},
    {{{SUMMARY, "{\"tableArn\":\"arn:aws:dynamodb:us-east-1:0:table/T01\"}"},
      {LISTED, "{\"dataFileS3Key\":\"x/data/one.json\",\"itemCount\":1}\n"},
      {"data/", NULL},
      {"data/one.json", "{}\n"}},
     "data/one.json T01 1\n",
     NULL},
    {{{SUMMARY, "{\"tableArn\":\"arn:aws:dynamodb:us-east-1:0:table/T01\",\"itemCount\":2}"},
      {LISTED, "{\"dataFileS3Key\":\"x/data/one.json\",\"itemCount\":1}\n"},
      {"data/", NULL},
      {"data/one.json", "{}\n"}},
     NULL,
     SUMMARY " counts 2 items, " LISTED " 1"},
    {{{LISTED,
       "{\"dataFileS3Key\":\"x/data/gone.json\"}\n{\"dataFileS3Key\":\"x/data/one.json\"}\n"},
      {"data/", NULL},
      {"data/one.json", "{}\n"}},
     NULL,
     LISTED " names data/gone.json, which does not exist"},
    {{{LISTED, "{\"dataFileS3Key\":\"x/data/one.json\"}\n"},
      {"data/", NULL},
      {"data/one.json/", NULL}},
     NULL,
     LISTED " names data/one.json, which does not exist"},
    {{{LISTED, "nothing\n{\"dataFileS3Key\":\"x/data/one.json\"}\n"},
      {"data/", NULL},
      {"data/one.json", "{}\n"}},
     NULL,
     LISTED ": this is not JSON"},
    {{{LISTED, "{\"dataFileS3Key\":\"x/data/one.json\",\"md5Checksum\":\"AAAA\"}\n"},
      {"data/", NULL},
      {"data/one.json", "{}\n"}},
     NULL,
     "/data/one.json: these are not the contents that " LISTED " has a digest of"},
#ifdef __linux__ /* a file that can be opened, and not be read */
    {{{LISTED, "{\"dataFileS3Key\":\"x/data/one.json\",\"md5Checksum\":\"AAAA\"}\n"},
      {"data/", NULL},
      {"data/one.json", "->/proc/self/mem"}},
     NULL,
     "/data/one.json: Input/output error"},
#endif
    {{{SUMMARY, "{}"}}, NULL, "the folder of the data can be imported by itself"},
};

static char folder[UNIT_FOLDER_SIZE];

static const char *path_of(const struct entry *e)
{
    return arena_printf(arena, "%s/%s", folder, e->path);
}

static void write_entry(const struct entry *e)
{
    const char *path = path_of(e);
    FILE *f;

    if (!e->text) {
        ck_assert_int_eq(mkdir(path, 0700), 0);
    } else if (span_starts_with(span_of(e->text), SPAN_LIT("->"))) {
        ck_assert_int_eq(symlink(e->text + 2, path), 0);
    } else {
        ck_assert_ptr_nonnull(f = fopen(path, "w"));
        ck_assert(fputs(e->text, f) >= 0 && fclose(f) == 0);
    }
}

static const char *shown(const struct moving_files *files)
{
    struct buf out = buf_in(arena);

    for (size_t i = 0; i < files->count; i++)
        buf_printf(&out, "%s %.*s %lld\n", files->at[i].path + strlen(folder) + 1,
                   SPAN_ARG(files->at[i].table), (long long)files->at[i].items);
    return buf_text(&out);
}

START_TEST(a_folder_means_its_files)
{
    const struct entry *entries = folders[_i].entries;
    struct moving_files files = {.count = 0};
    const char *problem, *wanted = folders[_i].problem;
    size_t count = 0;

    unit_make_folder(folder);
    for (; entries[count].path; count++)
        write_entry(&entries[count]);
    problem = moving_files_find(arena, folder, &files);
    while (count--)
        ck_assert_int_eq(remove(path_of(&entries[count])), 0);
    ck_assert_int_eq(rmdir(folder), 0);
    if (!wanted) {
        ck_assert_msg(!problem, "%s", problem);
        ck_assert_str_eq(shown(&files), folders[_i].found);
        return;
    }
    ck_assert_msg(problem && strlen(problem) >= strlen(wanted) &&
                      strcmp(problem + strlen(problem) - strlen(wanted), wanted) == 0,
                  "%s", problem);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, a_folder_means_its_files, 0, COUNT(folders));
}

UNIT_TESTS(moving_files, add_tests)
