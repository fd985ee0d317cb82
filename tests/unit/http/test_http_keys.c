#include "unit.h"

#include <stdio.h>
#include <unistd.h>

#include "http/http_keys.h"

static char path[] = "/tmp/test_http_keys.XXXXXX";

static const struct http_keys *load(const char *text, size_t len, const char **problem)
{
    int fd;
    FILE *file;
    const struct http_keys *keys;

    strcpy(path + sizeof path - sizeof "XXXXXX", "XXXXXX");
    fd = mkstemp(path);
    file = fd < 0 ? NULL : fdopen(fd, "w");
    ck_assert(file && fwrite(text, 1, len, file) == len && fclose(file) == 0);
    keys = http_keys_load(arena, path, problem);
    unlink(path);
    return keys;
}

START_TEST(reads_keys_line_by_line)
{
    static const char text[] = "# who            secret\n"
                               "AKIAFIRST        first/secret+\n"
                               "\n"
                               "  \tASIASECOND\tsecond  token/with==signs  \r\n"
                               "  # another comment\n"
                               "AKIATHIRD #third";
    const char *problem;
    const struct http_keys *keys = load(text, sizeof text - 1, &problem);
    const struct sigv4_keys *found;

    ck_assert_ptr_nonnull(keys);
    found = http_keys_find(keys, SPAN_LIT("AKIAFIRST"));
    ck_assert_str_eq(found->secret_key, "first/secret+");
    ck_assert_ptr_null(found->session_token);
    found = http_keys_find(keys, SPAN_LIT("ASIASECOND"));
    ck_assert_str_eq(found->secret_key, "second");
    ck_assert_str_eq(found->session_token, "token/with==signs");
    ck_assert_str_eq(http_keys_find(keys, SPAN_LIT("AKIATHIRD"))->secret_key, "#third");
    ck_assert_ptr_null(http_keys_find(keys, SPAN_LIT("AKIAFIRS")));
    ck_assert_ptr_null(http_keys_find(keys, SPAN_LIT("#")));
    ck_assert_ptr_null(http_keys_find(keys, SPAN_LIT("")));
}
END_TEST

#define FORM "expected an access key, a secret and, if there is one, a session token"

/* What follows the name of the file; what stands in it is never printed. */
static const struct {
    const char *text, *problem;
} broken[] = {
    {"", " has no keys"},
    {"# nothing\n\n", " has no keys"},
    {"AKIA\n", ", line 1: " FORM},
    {"A b\n\nAKIA secret token more\n", ", line 3: " FORM},
    {"A b\nA c\n", ", line 2: this access key is listed twice"},
    {"\xEF\xBB\xBF"
     "A b\n",
     ": the file begins with a byte order mark; save it without one"},
};

START_TEST(says_what_is_wrong_without_telling_secrets)
{
    const char *problem;

    ck_assert_ptr_null(load(broken[_i].text, strlen(broken[_i].text), &problem));
    ck_assert_str_eq(problem, arena_printf(arena, "%s%s", path, broken[_i].problem));
}
END_TEST

START_TEST(refuses_what_is_no_text_or_no_file)
{
    const char *problem;

    ck_assert_ptr_null(load("A b\0c", 5, &problem));
    ck_assert_str_eq(problem, arena_printf(arena, "%s is no text", path));
    ck_assert_ptr_null(http_keys_load(arena, "/no/such/file", &problem));
    ck_assert_str_eq(problem, "cannot read /no/such/file: No such file or directory");
    ck_assert_ptr_null(http_keys_load(arena, "/", &problem));
    ck_assert_str_eq(problem, "cannot read /: Is a directory");
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, reads_keys_line_by_line);
    tcase_add_loop_test(tc, says_what_is_wrong_without_telling_secrets, 0, COUNT(broken));
    tcase_add_test(tc, refuses_what_is_no_text_or_no_file);
}

UNIT_TESTS(http_keys, add_tests)
