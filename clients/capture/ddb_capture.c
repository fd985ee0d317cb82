/* ddb-capture: copies chosen tables and items of a DynamoDB endpoint into a fixture folder. The
 * only operations that it sends are DescribeTable, DescribeTimeToLive, BatchGetItem, Query and
 * Scan. */
#include "base/terminal.h"
#include "capture/capture_consent.h"
#include "common/program.h"

#include <stdio.h>
#include <stdlib.h>

static const char *capture(struct arena *a, const struct capture_options *o, struct client *client)
{
    struct client_pace pace = {.rate = o->rate};
    struct buf estimate = buf_in(a);
    struct capture_tables tables;
    const char *problem;

    if ((problem = capture_run_tables(client, a, o, &tables)))
        return problem;
    capture_consent_estimate(&estimate, o, &tables);
    terminal_say("%s", buf_text(&estimate));
    if (o->estimate)
        return NULL;
    if ((problem = capture_consent_ask(a, o)) ||
        (problem = capture_run(client, &pace, a, o, &tables)))
        return problem;
    for (size_t i = 0; i < tables.len; i++)
        terminal_say("ddb-capture: of %.*s these are not captured: %.*s\n",
                     SPAN_ARG(tables.at[i].name), SPAN_ARG(tables.at[i].lacks));
    terminal_say("ddb-capture: %s is a fixture of %zu table%s now; %.15g read units\n", o->folder,
                 tables.len, tables.len == 1 ? "" : "s", pace.spent);
    return NULL;
}

static int run_capture(struct arena *a, const void *given);

static const struct command program = {
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
        return program_fail(&program, problem, COMMAND_LINE_WRONG);
    problem = capture(a, o, client);
    client_free(client);
    return problem ? program_fail(&program, problem, EXIT_FAILURE) : EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    return program_run(&program, argc, argv);
}
