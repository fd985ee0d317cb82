/* unit.h: what every file of unit tests shares: its suite in one line, an arena that is fresh for
 * each test, items written as their stored text, and copies of files. */
#pragma once

#include "model/item_codec.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

/* Check writes each assertion that holds into a pipe: two system calls for each of millions. A
 * crash says where it is without that. */
#define _mark_point(file, line) ((void)0) /* NOLINT(bugprone-reserved-identifier) */

/* Part of a suite. CTest runs the parts of a long one side by side, by $CK_RUN_CASE:
 * tests/CMakeLists.txt. */
struct unit_part {
    const char *name;
    void (*add_tests)(TCase *tc);
};

#define UNIT_PARTS_MAX 8

struct unit_suite {
    const char *name;
    struct unit_part parts[UNIT_PARTS_MAX + 1]; /* up to one without a name */
};

/* The suite of test_NAME.c, made of the parts {"name", function}, … */
#define UNIT_SUITE(name, ...)                   \
    extern const struct unit_suite test_##name; \
    const struct unit_suite test_##name = {#name, {__VA_ARGS__}};

/* A suite of one part. The last line of most files. */
#define UNIT_TESTS(name, add_tests) UNIT_SUITE(name, {#name, add_tests})

extern struct arena *arena; /* of the test that runs */

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

/* Whether each test has a process of its own. */
static inline bool unit_forks(void)
{
    const char *wish = getenv("CK_FORK");

    return !wish || strcmp(wish, "no") != 0;
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
