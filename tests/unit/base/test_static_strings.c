/* What the static programs have in place of the C library's functions, under other names, beside
 * those. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "unit.h"

#include <strings.h>
#include <sys/mman.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wcast-qual" /* as strchr has to */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#define memcmp      own_memcmp
#define bcmp        own_bcmp
#define memchr      own_memchr
#define strlen      own_strlen
#define strchr      own_strchr
#define strspn      own_strspn
#define strcspn     own_strcspn
#define strcasecmp  own_strcasecmp
#define strncasecmp own_strncasecmp
#include "../../../packages/static/libraries/strings.c"
#undef memcmp
#undef bcmp
#undef memchr
#undef strlen
#undef strchr
#undef strspn
#undef strcspn
#undef strcasecmp
#undef strncasecmp

enum { LONGEST = 40, ROUNDS = 200 };

static const char alphabet[] = "abAB@Z[z`{,\x01\x7f\x80\x81\xff";
static char *page_end; /* what is behind it cannot be read */

static void map_pages(void)
{
    size_t size = (size_t)sysconf(_SC_PAGESIZE);
    char *pages;

    if (page_end)
        return;
    pages = mmap(NULL, 2 * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(pages, MAP_FAILED);
    page_end = pages + size;
    ck_assert_int_eq(mprotect(page_end, size, PROT_NONE), 0);
    memset(pages, 1, size); /* the byte after which a carry could be taken for a zero */
}

static unsigned next_random(void)
{
    static unsigned state = 1;

    state = state * 1664525 + 1013904223;
    return state >> 16;
}

/* A text that ends with the page. */
static const char *write_text(size_t len)
{
    char *text = page_end - len - 1;

    for (size_t i = 0; i < len; i++)
        text[i] = alphabet[next_random() % (sizeof alphabet - 1)];
    text[len] = '\0';
    return text;
}

static int sign(int order)
{
    return (order > 0) - (order < 0);
}

START_TEST(find_what_the_library_finds)
{
    size_t len = (size_t)_i;

    map_pages();
    for (int round = 0; round < ROUNDS; round++) {
        const char *text = write_text(len);
        const char set[] = {alphabet[next_random() % 16], alphabet[next_random() % 16], '\0'};

        ck_assert_uint_eq(own_strlen(text), len);
        ck_assert_uint_eq(own_strspn(text, alphabet), len);
        ck_assert_uint_eq(own_strspn(text, set), strspn(text, set));
        ck_assert_uint_eq(own_strcspn(text, set), strcspn(text, set));
        ck_assert_ptr_eq(own_memchr(text, '\0', SIZE_MAX), text + len); /* as strnlen may ask */
        for (size_t i = 0; i < sizeof alphabet; i++) {
            ck_assert_ptr_eq(own_strchr(text, alphabet[i]), strchr(text, alphabet[i]));
            ck_assert_ptr_eq(own_memchr(text, alphabet[i], len), memchr(text, alphabet[i], len));
        }
    }
}
END_TEST

START_TEST(compare_as_the_library_does)
{
    size_t len = (size_t)_i;
    char other[LONGEST + 1];

    map_pages();
    for (int round = 0; round < ROUNDS; round++) {
        const char *text = write_text(len);

        memcpy(other, text, len + 1);
        if (len && round % 4) /* one byte is another, or the text ends there */
            other[next_random() % len] = alphabet[next_random() % sizeof alphabet];
        ck_assert_int_eq(sign(own_memcmp(text, other, len)), sign(memcmp(text, other, len)));
        ck_assert_int_eq(own_bcmp(other, text, len) != 0, memcmp(other, text, len) != 0);
        ck_assert_int_eq(sign(own_strcasecmp(text, other)), sign(strcasecmp(text, other)));
        ck_assert_int_eq(sign(own_strncasecmp(text, other, len / 2)),
                         sign(strncasecmp(text, other, len / 2)));
    }
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, find_what_the_library_finds, 0, LONGEST);
    tcase_add_loop_test(tc, compare_as_the_library_does, 0, LONGEST);
}

UNIT_TESTS(static_strings, add_tests)
