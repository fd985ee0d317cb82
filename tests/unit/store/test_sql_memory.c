#include "unit_store.h"

#include "store/engine.h"
#include "store/store_memory.h"

#include <malloc.h>

/* Memory of stores that are gone goes back to the system, and what others have stays. */

#define BODIES     3000 /* of 8 KB: 24 MB */
#define BODY       8000
#define LEAST_KB   (16L * 1024) /* that has to go back: not every page lies beside enough others */
#define MOST_STEPS 1000

static long resident_kb(void)
{
    FILE *f = fopen("/proc/self/status", "r");
    char line[256];
    long kb = -1;

    ck_assert_ptr_nonnull(f);
    while (kb < 0 && fgets(line, sizeof line, f))
        if (sscanf(line, "VmRSS: %ld", &kb) != 1)
            kb = -1;
    (void)fclose(f);
    ck_assert_int_gt(kb, 0);
    return kb;
}

/* A database in memory. */
static struct store *open_pages(void)
{
    struct store_options options = {.path = NULL};
    const char *problem;
    struct store *s = store_sql_open(arena, &options, &problem);

    ck_assert_ptr_nonnull(s);
    return s;
}

static const char *key_of(int i)
{
    return arena_printf(arena, "%06d", i);
}

static const char *body_of(int i)
{
    return arena_printf(arena, "%0*d", BODY, i);
}

static void fill(struct store *s, int from, int to)
{
    store = s;
    begin();
    for (int i = from; i < to; i++)
        put(KEY_FIRST_SPACE, key_of(i), body_of(i));
    end(true);
    arena_reset(arena);
}

static void has_bodies(struct store *s)
{
    store = s;
    for (int i = 0; i < BODIES; i += 7) {
        has(KEY_FIRST_SPACE, key_of(i), body_of(i));
        arena_reset(arena);
    }
}

static void return_all(void)
{
    int steps = 0;

    while (store_memory_return_step())
        ck_assert_int_lt(steps++, MOST_STEPS);
}

START_TEST(what_a_store_had_goes_back)
{
    struct store *s = open_pages();
    long full;

    fill(s, 0, BODIES);
    return_all();
    has_bodies(s);
    (void)malloc_trim(0); /* only pages of the store are left to go */
    full = resident_kb();
    store_free(s);
    return_all();
    ck_assert_int_ge(full - resident_kb(), LEAST_KB);
}
END_TEST

/* Two stores whose pages lie between one another's; in the middle of a return, one is filled. */
START_TEST(what_another_store_has_stays)
{
    struct store *stays = open_pages(), *goes = open_pages(), *comes;

    for (int i = 0; i < BODIES; i += 100) {
        fill(stays, i, i + 100);
        fill(goes, i, i + 100);
    }
    store_free(goes);
    comes = open_pages();
    for (int i = 0; i < BODIES; i += 100) {
        (void)store_memory_return_step();
        fill(comes, i, i + 100);
        (void)store_memory_return_step();
    }
    return_all();
    has_bodies(stays);
    has_bodies(comes);
    store_free(stays);
    return_all();
    has_bodies(comes);
    store_free(comes);
    return_all();
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, what_a_store_had_goes_back);
    tcase_add_test(tc, what_another_store_has_stays);
}

UNIT_TESTS(sql_memory, add_tests)
