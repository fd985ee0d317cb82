/* serve: answers requests until SIGTERM or Ctrl-C. */
#include "commands/command.h"
#include "commands/serving.h"

#include <stdio.h>
#include <stdlib.h>

static int serve(struct arena *a, const void *options)
{
    const char *problem;
    struct serving *p = serving_start(a, options, NULL, &problem);

    if (!p)
        return command_fail(problem, EXIT_FAILURE);
    printf("mockddb listening on %s\n", http_server_url(serving_server(p)));
    (void)fflush(stdout);
    http_server_run(serving_server(p));
    serving_stop(p);
    return serving_report(a, options);
}

const struct command command_serve = {
    .name = "serve",
    .summary = "answer requests until SIGTERM or Ctrl-C; what happens without a word",
    .options = serve_options_groups,
    .defaults = &serve_options_default,
    .size = sizeof serve_options_default,
    .check = serve_options_check,
    .run = serve,
};
