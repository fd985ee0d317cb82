/* unit_main.c: the main of the unit tests of a room.
 *
 * Usage: unit_ROOM [test_NAME...]. Runs the suites of these files, or of all the room's files. */
#include "store/store.h"
#include "unit.h"

/* The build writes unit_suites.h, a SUITE(test_NAME) for each of the room's files. */
#define SUITE(name) extern const struct unit_suite name;
#include "unit_suites.h"
#undef SUITE
#define SUITE(name) {#name, &name},

static const struct {
    const char *file;
    const struct unit_suite *suite;
} suites[] = {
#include "unit_suites.h"
};

struct arena *arena;
static struct arena *part_arena; /* of what is set up once for all tests of a part */

static void set_arena_up(void)
{
    part_arena = arena;
    arena = arena_new();
}

static void tear_arena_down(void)
{
    arena_free(arena);
    arena = part_arena;
}

static Suite *new_suite(const struct unit_suite *of)
{
    Suite *suite = suite_create(of->name);

    for (const struct unit_part *part = of->parts; part->name; part++) {
        TCase *tc = tcase_create(part->name);

        tcase_add_unchecked_fixture(tc, set_arena_up, tear_arena_down);
        tcase_add_checked_fixture(tc, set_arena_up, tear_arena_down);
        tcase_set_timeout(tc, 1800); /* a net: no test depends on speed */
        part->add_tests(tc);
        suite_add_tcase(suite, tc);
    }
    return suite;
}

static bool is_asked_for(const char *file, char *const *names)
{
    bool asked = !*names;

    for (; *names && !asked; names++)
        asked = strcmp(*names, file) == 0;
    return asked;
}

/* Adds the suites that are asked for; returns how many. */
static int add_suites(SRunner *runner, char *const *names)
{
    int added = 0;

    for (size_t i = 0; i < COUNT(suites); i++)
        if (is_asked_for(suites[i].file, names)) {
            srunner_add_suite(runner, new_suite(suites[i].suite));
            added++;
        }
    return added;
}

int main(int argc, char **argv)
{
    SRunner *runner = srunner_create(NULL);
    int added = add_suites(runner, argv + 1);
    bool passed = argc == 1 || added == argc - 1;

    store_start();
    if (passed) {
        srunner_run_all(runner, CK_NORMAL);
        passed = srunner_ntests_failed(runner) == 0;
    } else
        (void)fprintf(stderr, "usage: unit_ROOM [test_NAME...]\n");
    srunner_free(runner);
    return passed ? EXIT_SUCCESS : EXIT_FAILURE;
}
