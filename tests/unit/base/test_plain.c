#include "unit.h"

/* What processors without SSE2 run. */
#define PLAIN_PORTABLE
#define plain_end plain_end_portable
/* NOLINTNEXTLINE(bugprone-suspicious-include): once more, as it is without SSE2 */
#include "base/plain.c"
#undef plain_end
const char *plain_end(const char *at, const char *end);

#define LONGEST 40 /* blocks of 16 bytes, and what does not fill one */

static const char special[] = {'"', '\\', '\0', '\n', 0x1F};
static const char plain[] = {'x', ' ', '#', ']', '!', 0x7F, '\x80', '\xFF', '\xA2', '\xDC'};

/* No byte from `at` on but two special ones. */
static void check(char fill, char stop, size_t len, size_t at, size_t next)
{
    char *text = malloc(len + 1); /* its end is watched under sanitizers */

    memset(text, fill, len);
    text[at] = text[next] = stop;
    ck_assert_uint_eq((size_t)(plain_end(text, text + len) - text), at);
    ck_assert_uint_eq((size_t)(plain_end_portable(text, text + len) - text), at);
    free(text);
}

START_TEST(plain_text_ends_at_its_first_special_byte)
{
    for (size_t p = 0; p < COUNT(plain); p++)
        for (size_t len = 0; len <= LONGEST; len++)
            for (size_t at = 0; at <= len; at++)
                for (size_t next = at; next <= len && next <= at + 3; next++)
                    check(plain[p], special[_i], len, at, next);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, plain_text_ends_at_its_first_special_byte, 0, COUNT(special));
}

UNIT_TESTS(plain, add_tests)
