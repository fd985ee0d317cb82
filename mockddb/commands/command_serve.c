/* serve: answers requests until SIGTERM or Ctrl-C. */
#include "base/log.h"
#include "commands/command.h"
#include "commands/serving.h"
#include "commands/workers.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Prints the first line of DynamoDB Local's output: programs that start it may wait for this
 * line. */
static void say_as_local(const struct serve_options *options, const char *url)
{
    printf("Initializing DynamoDB Local with the following configuration:\n"
           "Port:\t%s\n"
           "InMemory:\t%s\n"
           "DbPath:\t%s\n"
           "SharedDb:\ttrue\n"
           "shouldDelayTransientStatuses:\t%s\n"
           "CorsParams:\t%s\n",
           strrchr(url, ':') + 1, options->setup.db ? "false" : "true",
           options->folder ? options->folder : "null",
           options->setup.service.transition_ms ? "true" : "false", options->cors_origins);
}

static int serve(struct arena *a, const void *given)
{
    const struct serve_options *options = given;
    struct serving *p;
    int status;

    if (options->setup.service.workers)
        return workers_run(a, options);
    if (!(p = serving_start(a, options, NULL, NULL, &status)))
        return status;
    if (options->until_eof)
        http_server_watch_input(serving_server(p));
    printf("mockddb listening on %s\n", http_server_url(serving_server(p)));
    if (options->as_local)
        say_as_local(options, http_server_url(serving_server(p)));
    if (fflush(stdout) ||
        ferror(stdout)) /* without this output, no user can find out a port chosen by --port 0 */
        log_error("standard output cannot be written: listening on %s",
                  http_server_url(serving_server(p)));
    http_server_run(serving_server(p));
    serving_stop(p);
    return serving_report(a, options);
}

/* Whether standard input is of a kind whose end can be waited for: a file or /dev/null has always
 * ended. */
static bool input_can_end(void)
{
    struct stat info;

    return fstat(STDIN_FILENO, &info) == 0 &&
           (S_ISFIFO(info.st_mode) || S_ISSOCK(info.st_mode) || isatty(STDIN_FILENO));
}

static const char *check_options(struct arena *a, void *options)
{
    const struct serve_options *o = options;

    if (o->setup.explains)
        return "--explain is about a command: mockddb run --explain -- COMMAND";
    if (o->until_eof && !input_can_end())
        return "--until-eof: standard input is not a pipe, a socket or a terminal";
    return serve_options_check(a, options);
}

const struct command command_serve = {
    .name = "serve",
    .summary = "answer requests until SIGTERM or Ctrl-C; the default command",
    .options = serve_options_groups,
    .defaults = &serve_options_default,
    .size = sizeof serve_options_default,
    .check = check_options,
    .run = serve,
};
