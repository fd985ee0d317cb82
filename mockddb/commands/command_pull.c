/* pull: copies tables with their items from any server into a file of tables or a fixture. */
#include "base/interrupt.h"
#include "base/terminal.h"
#include "client/client_profile.h"
#include "commands/command.h"
#include "commands/copying.h"
#include "commands/schema_lock.h"
#include "moving/moving_db.h"
#include "moving/moving_export.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int pull_tables(struct arena *a, const struct copying_options *o, struct client *from)
{
    struct moving_names tables;
    struct client *to;
    const char *problem;
    int status;

    if ((problem = copying_tables(a, o, from, &tables)) ||
        (problem = moving_db_open(a, o->db, false, &to)))
        return command_fail(problem, EXIT_FAILURE);
    status = copying_run(a, o, from, to, &tables, "pull");
    client_free(to);
    return status;
}

static const char *pull_table(struct arena *a, const struct copying_options *o, struct client *from,
                              struct span table, struct client_pace *pace)
{
    const struct moving_export_options how = {
        .format = MOVING_EXPORT_FIXTURE, .path = o->what.words[0], .compares = !o->no_compare};
    struct clock *clock = clock_new_system();
    struct moving_export_report report = {.items = 0};
    struct moving_scan scan;
    const char *problem = moving_scan_begin(a, from, table, &scan);

    scan.pace = pace;
    if (!problem)
        problem = moving_scan_schema(a, &scan);
    if (!problem)
        problem = moving_export(
            a, &scan, &how, progress_new(a, clock, isatty(STDERR_FILENO) ? stderr : NULL), &report);
    clock_free(clock);
    if (!problem || interrupt_signal())
        terminal_print("%" PRIu64 " items of %.*s\n", report.items, SPAN_ARG(table));
    if (!problem && how.compares)
        importing_print_equal(a, arena_text(a, table), &report.digest);
    if (!problem)
        copying_say_lacks(table, scan.lacks);
    return problem;
}

static int pull_fixture(struct arena *a, const struct copying_options *o, struct client *from)
{
    struct client_pace pace = {.rate = o->what.rate};
    struct moving_names tables;
    const char *problem = copying_tables(a, o, from, &tables);

    interrupt_watch();
    /* a fixture has the whole table if it has the schema, which is written last */
    for (size_t i = 0; i < tables.count && !problem; i++)
        if (access(arena_printf(a, "%s/tables/%.*s.json", o->what.words[0], SPAN_ARG(tables.at[i])),
                   F_OK))
            problem = pull_table(a, o, from, tables.at[i], &pace);
        else
            terminal_print("%.*s is there already\n", SPAN_ARG(tables.at[i]));
    if (problem && interrupt_signal())
        return command_interrupted("the last of these tables is not whole; the same command begins "
                                   "it again, and keeps those before it");
    return problem ? command_fail(problem, EXIT_FAILURE) : EXIT_SUCCESS;
}

#define AT(member) offsetof(struct copying_options, member)

static const struct option lock_rows[] = {
    {"--schema-only", NULL, option_flag, AT(schema_only),
     "write these tables, by names or ARNs, without items into a lock file for --fixtures", NULL},
    {"--check", NULL, option_flag, AT(check),
     "compare tables with the lock file; exit status 1 if they differ", NULL},
    {"--lock", "FILE", option_text, AT(lock), "the lock file (" SCHEMA_LOCK_FILE ")", NULL},
    {.name = NULL},
};

/* An ARN, and a profile, name tables of the real service, unless a server is named otherwise. */
static const char *open_for_lock(struct arena *a, const struct copying_options *o,
                                 struct client **out)
{
    const char *region = schema_lock_region(a, o->what.words), *problem;
    struct client_aws_options at = o->at;
    struct client_profile profile = {.region = NULL};

    if (at.profile && (problem = client_profile_load(a, at.profile, &profile)))
        return problem;
    if (!at.region)
        at.region = region ? region : profile.region;
    if (!profile.endpoint && at.region && (region || at.profile))
        profile.endpoint = client_endpoint_of_service(a, at.region);
    return client_options_open(
        a, "mockddb", &at, (struct client_endpoint_question){.otherwise = profile.endpoint}, out);
}

static const char *check_options(struct arena *a, void *given)
{
    const struct copying_options *o = given;
    const bool has_lock = o->schema_only || o->check;

    (void)a;
    if (o->lock && !has_lock)
        return "--lock is of --schema-only and --check";
    if (o->no_compare && has_lock)
        return "--no-compare is about items, not about --schema-only and --check";
    if (o->schema_only && o->check)
        return "--schema-only and --check do not go together";
    if (has_lock && (o->db || o->what.how.only.count || *o->what.how.prefix || o->what.rate > 0))
        return "--schema-only and --check take names of tables, --lock and a server, nothing else";
    return NULL;
}

static int run_pull(struct arena *a, const void *given)
{
    const struct copying_options *o = given;
    bool has_words = o->what.words && *o->what.words;
    struct client *from;
    const char *problem;
    int status;

    if (o->schema_only || o->check) {
        const char *path = o->lock ? o->lock : SCHEMA_LOCK_FILE;

        /* --schema-only and --check. */
        if ((problem = open_for_lock(a, o, &from)))
            return command_fail(problem, EXIT_FAILURE);
        status = o->check ? schema_lock_check(a, from, o->what.words, path)
                          : schema_lock_pull(a, from, o->what.words, path);
        client_free(from);
        return status;
    }
    if ((o->db != NULL) == has_words || (has_words && o->what.words[1]))
        return command_fail("pull takes --db FILE, or the path of a folder", EXIT_USAGE);
    if ((problem = endpoint_options_open(a, &o->at, false, &from)))
        return command_fail(problem, EXIT_FAILURE);
    status = o->db ? pull_tables(a, o, from) : pull_fixture(a, o, from);
    client_free(from);
    return status;
}

static const struct option_group groups[] = {
    {"With pull", copying_rows, 0},
    {NULL, lock_rows, 0},
    {NULL, NULL, 0},
};

const struct command command_pull = {
    .name = "pull",
    .summary = "tables with their items from a server anywhere into a file",
    .words = "[DIR | TABLE …]",
    .words_at = offsetof(struct copying_options, what.words),
    .words_are_its = true,
    .options = groups,
    .defaults = &copying_defaults,
    .size = sizeof copying_defaults,
    .check = check_options,
    .run = run_pull,
};
