/* run: starts a server for one command, and reports the command's requests. */
#include "base/terminal.h"
#include "commands/command.h"
#include "commands/serving.h"
#include "explain/explain_summary.h"
#include "journal/coverage.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOT_FOUND 127 /* a shell's exit status for an unknown command */
#define NOT_RUN   126
#define SIGNALLED 128

/* --- the command ------------------------------------------------------------------------------ */

/* Variables for the command. Test set-ups read the first ones (docs/worlds.md); SDKs and the CLI
 * read the others: the server's URL, the setting that makes them use it (else they would call the
 * real service), and keys and a region if none are set. */
static const struct variable {
    const char *name, *value; /* NULL: the server's URL */
    bool counts;              /* replaces an existing value */
} variables[] = {
    {"MOCKDDB_URL", NULL, true},
    {"AWS_ENDPOINT_URL", NULL, true},
    {"AWS_ENDPOINT_URL_DYNAMODB", NULL, true},
    {"AWS_ENDPOINT_URL_DYNAMODB_STREAMS", NULL, true},
    {"AWS_IGNORE_CONFIGURED_ENDPOINT_URLS", "false", true},
    {"AWS_ACCESS_KEY_ID", "local", false},
    {"AWS_SECRET_ACCESS_KEY", "local", false},
    {"AWS_REGION", WORLD_REGION, false},
    {"AWS_DEFAULT_REGION", WORLD_REGION, false},
};

/* Runs in the child. Restores what the server changed in the process, then executes the command. */
NO_RETURN static void become(char *const *words, const char *url, const struct rlimit *descriptors)
{
    bool set = true;
    int why;

    (void)signal(SIGPIPE, SIG_DFL);
    (void)signal(SIGXFSZ, SIG_DFL);
    (void)setrlimit(RLIMIT_NOFILE, descriptors);
    for (size_t i = 0; i < COUNT(variables) && set; i++)
        set = !setenv(variables[i].name, variables[i].value ? variables[i].value : url,
                      variables[i].counts);
    if (set)
        (void)execvp(words[0], words);
    why = errno;
    terminal_say("mockddb: %s: %s\n", words[0], strerror(why));
    _exit(why == ENOENT ? NOT_FOUND : NOT_RUN);
}

static int status_of(pid_t child)
{
    int status;

    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return EXIT_FAILURE;
    return WIFEXITED(status) ? WEXITSTATUS(status) : SIGNALLED + WTERMSIG(status);
}

/* --- the server ------------------------------------------------------------------------------- */

static int serve_command(struct arena *a, const struct serve_options *o, struct serving *p,
                         const struct run_report *report, const struct rlimit *descriptors)
{
    struct http_server *server = serving_server(p);
    struct buf out = buf_in(a);
    pid_t child;
    int status;

    (void)fflush(NULL);
    if (!(child = fork()))
        become(o->words, http_server_url(server), descriptors);
    if (child < 0)
        return command_fail(strerror(errno), NOT_RUN);
    http_server_serve_child(server, child);
    http_server_run(server);
    status = status_of(child);
    run_report_write(&out, report);
    if (serving_coverage(p))
        coverage_print(serving_coverage(p), &out);
    if (serving_summary(p))
        explain_summary_print(serving_summary(p), &out);
    terminal_say("%s", buf_text(&out));
    return status;
}

static int run_child(struct arena *a, const void *given)
{
    const struct serve_options *o = given;
    struct run_report *report = arena_alloc(a, sizeof *report);
    struct rlimit descriptors;
    struct serving *p;
    int status, broken;

    if (!o->words || !*o->words)
        return command_fail("there is no command to run: mockddb run [options] -- COMMAND …",
                            EXIT_USAGE);
    if (getrlimit(RLIMIT_NOFILE, &descriptors))
        return command_fail(strerror(errno), EXIT_FAILURE);
    if (!(p = serving_start(a, o, NULL, report, &status)))
        return status;
    status = serve_command(a, o, p, report, &descriptors);
    serving_stop(p);
    broken = serving_report(a, o); /* printed whatever the command's exit status is */
    return status ? status : broken;
}

/* Uses any free port, unless --port is given. */
static const char *check_options(struct arena *a, void *options)
{
    struct serve_options *o = options;

    if (o->until_eof)
        return "--until-eof is an option of serve: run ends with its command";
    if (!o->has_port)
        o->port = 0;
    o->has_own = true; /* by default, the data of a test is kept in memory */
    return serve_options_check(a, o);
}

const struct command command_run = {
    .name = "run",
    .summary = "start a server for one command, and report the command's requests",
    .words = "-- COMMAND …",
    .words_at = offsetof(struct serve_options, words),
    .options = serve_options_groups,
    .defaults = &serve_options_default,
    .size = sizeof serve_options_default,
    .check = check_options,
    .run = run_child,
};
