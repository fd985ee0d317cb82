/* ddb-capture: copies chosen tables and items of a DynamoDB endpoint into a fixture folder. The
 * only operations that it sends are DescribeTable, DescribeTimeToLive, BatchGetItem, Query and
 * Scan. */
#include "base/terminal.h"
#include "capture/capture_consent.h"
#include "common/options.h"

#include <stdio.h>
#include <stdlib.h>

enum { EXIT_CAPTURED = 0, EXIT_FAILED = 1, EXIT_WRONG = 2 };

static int print_problem(const char *problem, int status)
{
    terminal_say("ddb-capture: %s\n", problem);
    return status;
}

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

static int run_capture(struct arena *a, int argc, char **argv)
{
    const char *answer = NULL, *problem;
    struct capture_options options;
    struct client *client;

    if ((problem = capture_options_read(a, argc, argv, &options, &answer)))
        return print_problem(problem, EXIT_WRONG);
    if (answer)
        return options_print("ddb-capture", answer) ? EXIT_CAPTURED : EXIT_FAILED;
    if ((problem = client_aws_new(a, &options.aws, &client)))
        return print_problem(problem, EXIT_WRONG);
    problem = capture(a, &options, client);
    client_free(client);
    return problem ? print_problem(problem, EXIT_FAILED) : EXIT_CAPTURED;
}

int main(int argc, char **argv)
{
    struct arena *a;
    int status;

    options_start();
    a = arena_new();
    status = run_capture(a, argc, argv);
    arena_free(a);
    return status;
}
