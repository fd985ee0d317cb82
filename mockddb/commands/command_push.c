/* push: copies tables with their items from a file of tables or files of items to any server. */
#include "commands/command.h"
#include "commands/copying.h"
#include "commands/write_consent.h"
#include "moving/moving_db.h"

#include <stdlib.h>

static const struct option param_rows[] = {
    {"--param", "NAME=VALUE", option_pair, offsetof(struct copying_options, what.params),
     TEMPLATE_PARAMS_HELP, NULL},
    {.name = NULL},
};

static int push_tables(struct arena *a, const struct copying_options *o, struct client *to)
{
    const char *problem = write_consent_ask(a, to->name, to->is_here, o->what.yes);
    struct moving_names tables;
    struct client *from;
    int status;

    if (problem || (problem = moving_db_open(a, o->db, true, &from)))
        return command_fail(problem, EXIT_FAILURE);
    problem = copying_tables(a, o, from, &tables);
    status = problem ? command_fail(problem, EXIT_FAILURE)
                     : copying_run(a, o, from, to, &tables, "push");
    client_free(from);
    return status;
}

static int run_push(struct arena *a, const void *given)
{
    const struct copying_options *o = given;
    struct importing_options files = o->what;
    bool has_words = o->what.words && *o->what.words;
    struct client *to;
    const char *problem;
    int status;

    if ((o->db != NULL) == has_words)
        return command_fail("push takes --db FILE, or paths of what import reads", EXIT_USAGE);
    if (o->db && o->what.params.count)
        return command_fail("--param is about templates, not about --db", EXIT_USAGE);
    if ((problem = endpoint_options_open(a, &o->at, true, &to)))
        return command_fail(problem, EXIT_FAILURE);
    files.region = o->at.region;
    files.compares = !o->no_compare;
    status = o->db ? push_tables(a, o, to) : importing_run(a, &files, to);
    client_free(to);
    return status;
}

static const struct option_group groups[] = {
    {"With push", copying_rows, 0},
    {NULL, param_rows, 0},
    {NULL, NULL, 0},
};

const struct command command_push = {
    .name = "push",
    .summary = "tables with their items from a file to a server anywhere",
    .words = "[PATH …]",
    .words_at = offsetof(struct copying_options, what.words),
    .words_are_its = true,
    .options = groups,
    .defaults = &copying_defaults,
    .size = sizeof copying_defaults,
    .run = run_push,
};
