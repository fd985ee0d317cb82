/* ddb-capture: copies chosen tables and items of a DynamoDB endpoint into a fixture folder. The
 * only operations that it sends are DescribeTable, DescribeTimeToLive, BatchGetItem, Query and
 * Scan. */
#include "base/terminal.h"
#include "capture/capture_run.h"
#include "common/program.h"
#include "ops/capacity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* --- whole tables are read after two confirmations -------------------------------------------- */

/* Adds a line for each whole table: its items, read units, time and price. */
static void add_estimate(struct buf *out, const struct capture_options *o,
                         const struct capture_tables *tables)
{
    for (size_t i = 0; i < o->job_count; i++) {
        const struct capture_table *t = capture_run_table(tables, o->jobs[i].table);
        double units = fmax(ceil((double)t->scan.bytes / 4096) / 2, 0.5);

        if (o->jobs[i].what == CAPTURE_WHOLE)
            buf_printf(out,
                       "%.*s: %.0f items, %.1f MB as counted last: about %.15g read units, %.0f s "
                       "at %.15g a second, %.4f USD on demand\n",
                       SPAN_ARG(t->name), (double)t->scan.items, (double)t->scan.bytes / 1e6, units,
                       units / o->rate, o->rate, units * CAPACITY_USD);
    }
}

/* Reads a line from the terminal. */
static struct span answer_of(char *line, size_t size)
{
    size_t len;

    (void)fflush(stderr);
    if (!fgets(line, (int)size, stdin))
        return (struct span){"", 0};
    len = strcspn(line, "\n");
    return (struct span){line, len};
}

static bool asks_twice(struct span table)
{
    char line[512];

    terminal_say("Read all of %.*s? [y/N] ", SPAN_ARG(table));
    if (!span_is(answer_of(line, sizeof line), "y"))
        return false;
    terminal_say("Type the table's name to continue: ");
    return span_equal(answer_of(line, sizeof line), table);
}

/* Asks on the terminal, or requires --sure without one. Returns NULL, or why nothing may be read.
 */
static const char *ask_consent(struct arena *a, const struct capture_options *o)
{
    for (size_t i = 0; i < o->job_count; i++) {
        struct span table = o->jobs[i].table;
        size_t k = 0;

        while (k < o->sure.count && !span_is(table, o->sure.at[k]))
            k++;
        if (o->jobs[i].what != CAPTURE_WHOLE || k < o->sure.count)
            continue;
        if (!isatty(STDIN_FILENO))
            return arena_printf(a, "there is no terminal to ask on: --sure %.*s confirms --all",
                                SPAN_ARG(table));
        if (!asks_twice(table))
            return "nothing was read";
    }
    return NULL;
}

/* --- the run ---------------------------------------------------------------------------------- */

static const char *capture(struct arena *a, const struct capture_options *o, struct client *client)
{
    struct client_pace pace = {.rate = o->rate};
    struct buf estimate = buf_in(a);
    struct capture_tables tables;
    const char *problem;

    if ((problem = capture_run_tables(client, a, o, &tables)))
        return problem;
    add_estimate(&estimate, o, &tables);
    terminal_say("%s", buf_text(&estimate));
    if (o->estimate)
        return NULL;
    if ((problem = ask_consent(a, o)) || (problem = capture_run(&pace, a, o, &tables)))
        return problem;
    for (size_t i = 0; i < tables.len; i++)
        terminal_say("ddb-capture: of %.*s these are not captured: %.*s\n",
                     SPAN_ARG(tables.at[i].name), SPAN_ARG(tables.at[i].lacks));
    terminal_say("ddb-capture: %s is a fixture of %zu table%s now; %.15g read units\n", o->folder,
                 tables.len, tables.len == 1 ? "" : "s", pace.spent);
    return NULL;
}

static int run_capture(struct arena *a, const void *given);

const struct command program_capture = {
    .name = "ddb-capture",
    .summary = "Reads chosen tables and items from a DynamoDB endpoint and writes a fixture "
               "folder, which\n"
               "mockddb --fixtures FOLDER loads. Nothing is ever written to the endpoint.\n"
               "Exit status: 0 all was written, 1 it was not, 2 the command line is wrong.",
    .options = capture_options_groups,
    .defaults = &capture_options_default,
    .size = sizeof capture_options_default,
    .check = capture_options_check,
    .run = run_capture,
};

static int run_capture(struct arena *a, const void *given)
{
    const struct capture_options *o = given;
    struct client *client;
    const char *problem = client_aws_new(a, &o->at, &client);

    if (problem)
        return program_fail(&program_capture, problem, COMMAND_LINE_WRONG);
    problem = capture(a, o, client);
    client_free(client);
    return problem ? program_fail(&program_capture, problem, EXIT_FAILURE) : EXIT_SUCCESS;
}
