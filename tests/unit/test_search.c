/* Substring search, against the obvious way of doing it. */
#include "base/search.h"

#include "unit.h"

static bool obvious(struct span in, struct span part)
{
    for (size_t i = 0; i + part.len <= in.len; i++)
        if (span_starts_with(span_from(in, i), part))
            return true;
    return false;
}

static void fill(char *to, size_t len, int letters)
{
    for (size_t i = 0; i < len; i++)
        to[i] = (char)('a' + rand() % letters);
}

START_TEST(agrees_with_the_obvious_search)
{
    srand(1);
    for (int round = 0; round < 200000; round++) {
        char text[24], wanted[12];
        int letters = 1 + rand() % 3;
        struct span in = {text, (size_t)rand() % sizeof text};
        struct span part = {wanted, (size_t)rand() % (round % 2 ? sizeof wanted : 5)};

        fill(text, in.len, letters);
        fill(wanted, part.len, letters);
        ck_assert_msg(search_contains(in, part) == obvious(in, part), "%.*s in %.*s",
                      SPAN_ARG(part), SPAN_ARG(in));
    }
}
END_TEST

START_TEST(stays_linear_for_hostile_bytes)
{
    size_t len = 400000;
    char *text = arena_alloc(arena, len), *wanted = arena_alloc(arena, len / 2);

    memset(text, 'a', len);
    for (size_t odd = 0; odd < len / 2; odd += len / 8 - 1) {
        memset(wanted, 'a', len / 2);
        wanted[odd] = 'b';
        ck_assert(!search_contains((struct span){text, len}, (struct span){wanted, len / 2}));
    }
    memset(wanted, 'a', len / 2);
    ck_assert(search_contains((struct span){text, len}, (struct span){wanted, len / 2}));
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, agrees_with_the_obvious_search);
    tcase_add_test(tc, stays_linear_for_hostile_bytes);
}

int main(void)
{
    return unit_run("search", add_tests);
}
