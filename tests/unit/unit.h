/* unit.h: what every unit test program shares: an arena that is fresh for each test, items
 * written as their stored text, copies of files, and a main in one line. */
#ifndef UNIT_UNIT_H
#define UNIT_UNIT_H

#include "model/item_codec.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

static struct arena *arena;

static inline void unit_setup(void)
{
    arena = arena_new();
}

/* A number below `limit` (0: any number), in the same sequence at every run (xorshift). */
static inline unsigned unit_random(unsigned limit)
{
    static uint32_t state = 2463534242;

    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return limit ? state % limit : state;
}

/* From `low` to `high`, both included. */
static inline int unit_random_from(int low, int high)
{
    return low + (int)unit_random((unsigned)(high - low) + 1);
}

static inline void unit_teardown(void)
{
    arena_free(arena);
}

/* Whether each test has a process of its own. */
static inline bool unit_forks(void)
{
    const char *wish = getenv("CK_FORK");

    return !wish || strcmp(wish, "no") != 0;
}

/* Part of a long test program. CTest runs the parts side by side, by $CK_RUN_CASE:
 * tests/CMakeLists.txt. */
struct unit_part {
    const char *name;
    void (*add_tests)(TCase *tc);
};

/* Runs what the parts add, up to one without a name; the value is main's. */
static inline int unit_run_parts(const char *name, const struct unit_part *parts)
{
    Suite *suite = suite_create(name);
    SRunner *runner = srunner_create(suite);
    int failed;

    for (; parts->name; parts++) {
        TCase *tc = tcase_create(parts->name);

        tcase_add_checked_fixture(tc, unit_setup, unit_teardown);
        tcase_set_timeout(tc, 1800); /* a net: no test depends on speed */
        parts->add_tests(tc);
        suite_add_tcase(suite, tc);
    }
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* The same of one part. */
static inline int unit_run(const char *name, void (*add_tests)(TCase *tc))
{
    const struct unit_part parts[] = {{name, add_tests}, {NULL, NULL}};

    return unit_run_parts(name, parts);
}

/* An item from text such as {"pk":{"S":"a"}}. */
static inline struct item unit_item(const char *text)
{
    struct item it = {0};

    ck_assert_msg(item_decode_checked(arena, span_of(text), &it), "not an item: %s", text);
    return it;
}

/* A value from text such as {"S":"a"}. */
static inline struct attr unit_attr(const char *text)
{
    return unit_item(arena_printf(arena, "{\"v\":%s}", text)).at[0].value;
}

static inline const char *unit_item_text(const struct item *it)
{
    struct buf out = buf_in(arena);

    item_encode(&out, it);
    return buf_text(&out);
}

#define UNIT_FOLDER_SIZE 32

/* Makes a folder of its own for a test and writes its name, which is another one at every call. */
static inline void unit_make_folder(char name[UNIT_FOLDER_SIZE])
{
    strcpy(name, "/tmp/mockddb-unit-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(name));
}

static inline void unit_copy_file(const char *from, const char *to)
{
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    char block[8192];
    size_t len;

    ck_assert(in && out);
    while ((len = fread(block, 1, sizeof block, in)) > 0)
        ck_assert_uint_eq(fwrite(block, 1, len, out), len);
    ck_assert_int_eq(fclose(out), 0);
    ck_assert_int_eq(fclose(in), 0);
}

#define ck_assert_span_eq(actual, expected)                                                \
    do {                                                                                   \
        struct span actual_ = (actual);                                                    \
        ck_assert_msg(span_is(actual_, (expected)), "%s is \"%.*s\", not \"%s\"", #actual, \
                      SPAN_ARG(actual_), (expected));                                      \
    } while (0)

#endif
