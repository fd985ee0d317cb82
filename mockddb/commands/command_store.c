/* store: makes the schema that a store in PostgreSQL needs, and looks at it. */
#include "base/terminal.h"
#include "commands/command.h"
#include "store/store_database.h"

#include <stdlib.h>

struct store_command_options {
    char *const *words;
};

static const struct option_group no_options[] = {{NULL, NULL, 0}};

static const struct store_command_options defaults = {.words = NULL};

static const struct {
    const char *name, *help;
    const char *(*run)(struct arena *a, const char *url, struct buf *said);
} verbs[] = {
    {"init", "make the schema that the URL names, which needs the right to create",
     store_database_init},
    {"upgrade", "change a schema that an older mockddb made", store_database_upgrade},
    {"status", "say what is in the schema, and which processes use it", store_database_status},
    {"views", "make a view for each table, for other programs to read", store_database_views},
};

static const char *show_verb(struct arena *a, size_t at, const char **help)
{
    if (at == COUNT(verbs))
        return NULL;
    *help = verbs[at].help;
    return arena_printf(a, "%s URL", verbs[at].name);
}

static int run_store(struct arena *a, const void *given)
{
    const struct store_command_options *o = given;
    char *const *words = o->words;
    struct buf said = buf_in(a);
    const char *problem;

    if (!words || !words[0] || !words[1] || words[2])
        return command_fail("store needs a verb and a URL: mockddb store init "
                            "postgresql://HOST/DATABASE?schema=NAME",
                            EXIT_USAGE);
    for (size_t i = 0; i < COUNT(verbs); i++) {
        if (strcmp(words[0], verbs[i].name) != 0)
            continue;
        problem = verbs[i].run(a, words[1], &said);
        terminal_print("%s", buf_text(&said));
        return problem ? command_fail(problem, EXIT_FAILURE) : EXIT_SUCCESS;
    }
    return command_fail(arena_printf(a, "store has no verb %s; --help lists them", words[0]),
                        EXIT_USAGE);
}

const struct command command_store = {
    .name = "store",
    .summary = "make and look at the schema of a store in PostgreSQL",
    .words = "VERB URL",
    .words_at = offsetof(struct store_command_options, words),
    .verb = show_verb,
    .options = no_options,
    .defaults = &defaults,
    .size = sizeof defaults,
    .run = run_store,
};
