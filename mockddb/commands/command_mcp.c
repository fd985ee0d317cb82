/* mcp: speaks the Model Context Protocol on standard input and output, for agents: docs/mcp.md. The
 * tools ask a running server, or one that the command starts for itself. */
#include "base/clock.h"
#include "base/file.h"
#include "base/platform.h"
#include "client/client_aws.h"
#include "commands/command.h"
#include "commands/serving.h"
#include "mcp/mcp.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- messages --------------------------------------------------------------------------------- */

struct talking {
    struct client *client;
    const struct mcp_options *options;
    struct clock *clock; /* for random numbers */
    struct arena *arena; /* of a message */
};

#define EARLY_US 10000 /* that libevent's timeouts may come too early: its clock is coarse */

/* Seconds after which a request's time is over, rounded up; 0: never. */
static int seconds_until(const struct talking *t, int64_t until_us)
{
    const int64_t second_us = 1000000;

    return until_us ? (int)((until_us - clock_ticks_us(t->clock) + EARLY_US) / second_us) + 1 : 0;
}

/* The server ends the work of a verb whose connection is closed. */
static void ask_server(struct talking *t, struct mcp_message *m, const struct mcp_request *request)
{
    const int64_t until_us = mcp_until_us(m);
    const struct client_aws_request out = {
        .method = request->method,
        .path = arena_printf(t->arena, "/_mockddb/%s", request->path),
        .query = request->query,
        .body = request->body,
        .seconds = seconds_until(t, until_us),
        .world = request->world.at ? arena_text(t->arena, request->world) : NULL,
    };
    struct client_reply reply = {.status = 0};
    const char *problem = client_aws_ask(t->client, t->arena, &out, &reply);

    if (!problem && !reply.request_id)
        problem = arena_printf(t->arena, "%s is not mockddb", t->client->name);
    if (problem && until_us && clock_ticks_us(t->clock) >= until_us) {
        mcp_end(m);
        return;
    }
    mcp_take(m, &(struct mcp_answer){reply.status, reply.body}, problem);
}

/* Returns false if no more output can be written: the client has gone. */
static bool answer_line(struct talking *t, struct span line)
{
    static const struct mcp_envelope no_headers = {.is_http = false};
    const struct mcp_request *request;
    struct mcp_message *m;
    struct span reply;
    uint64_t number;
    bool written;

    arena_reset(t->arena);
    clock_random(t->clock, &number, sizeof number);
    m = mcp_new(t->options, &no_headers, line, number);
    while ((request = mcp_step(m, clock_ticks_us(t->clock))))
        ask_server(t, m, request);
    reply = mcp_reply(m);
    written = !reply.len ||
              (file_write(STDOUT_FILENO, reply) && file_write(STDOUT_FILENO, SPAN_LIT("\n")));
    mcp_free(m);
    return written;
}

/* Answers each line, until the end of the input. Of a line that is too long only the beginning is
 * kept, one byte more than a message may have. */
static int talk(struct talking *t)
{
    static char line[MCP_MESSAGE_BYTES + 1], part[64 * 1024];
    size_t len = 0;
    ssize_t got;

    while ((got = read(STDIN_FILENO, part, sizeof part)) > 0 || (got < 0 && errno == EINTR))
        for (ssize_t i = 0; i < got; i++) {
            if (part[i] != '\n') {
                if (len < sizeof line)
                    line[len++] = part[i];
                continue;
            }
            if (len && !answer_line(t, (struct span){line, len}))
                return EXIT_SUCCESS;
            len = 0;
        }
    if (len)
        (void)answer_line(t, (struct span){line, len});
    return EXIT_SUCCESS;
}

static int talk_with(struct arena *a, const struct serve_options *o, const char *endpoint)
{
    struct talking t = {.options = &o->mcp};
    const char *problem = client_aws_new(a, &(struct client_aws_options){.endpoint = endpoint},
                                         &t.client);
    int status;

    if (problem)
        return command_fail(problem, EXIT_FAILURE);
    t.clock = clock_new_system();
    t.arena = arena_new();
    status = talk(&t);
    arena_free(t.arena);
    clock_free(t.clock);
    client_free(t.client);
    return status;
}

/* --- a server of its own ---------------------------------------------------------------------- */

/* The server is this process; a child process talks, so that neither waits for the other. */
static int serve_and_talk(struct arena *a, const struct serve_options *o)
{
    static const int handled[] = {SIGINT, SIGTERM, SIGHUP, SIGCHLD};
    struct http_server *server;
    struct serving *p;
    pid_t child;
    int status = EXIT_SUCCESS;

    if (!(p = serving_start(a, o, NULL, NULL, &status)))
        return status;
    server = serving_server(p);
    (void)fflush(NULL);
    if (!(child = fork())) {
        for (size_t i = 0; i < COUNT(handled); i++)
            (void)signal(handled[i], SIG_DFL);
        _exit(talk_with(a, o, http_server_url(server)));
    }
    if (child < 0)
        return command_fail(strerror(errno), EXIT_FAILURE);
    http_server_serve_child(server, child);
    http_server_run(server);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    serving_stop(p);
    return serving_report(a, o);
}

/* --- configuration ---------------------------------------------------------------------------- */

static int print_config(struct arena *a, const struct serve_options *o)
{
    const char *args = o->endpoint
                           ? arena_printf(a, "[\"mcp\", \"--endpoint\", \"%s\"]", o->endpoint)
                           : "[\"mcp\", \"--fixtures\", \"./fixture\"]";

    return command_line_print(
        "mockddb",
        arena_printf(
            a,
            "Claude Code, .mcp.json in the project; Cursor, .cursor/mcp.json:\n\n"
            "{\"mcpServers\": {\"mockddb\": {\"command\": \"mockddb\", \"args\": %s}}}\n\n"
            "VS Code, .vscode/mcp.json:\n\n"
            "{\"servers\": {\"mockddb\": {\"type\": \"stdio\", \"command\": \"mockddb\", \"args\": "
            "%s}}}\n\n"
            "Codex, ~/.codex/config.toml:\n\n"
            "[mcp_servers.mockddb]\ncommand = \"mockddb\"\nargs = %s\n\n"
            "Add options to the arguments as needed: mockddb mcp --help lists them.\n",
            args, args, args));
}

static int run_mcp(struct arena *a, const void *given)
{
    const struct serve_options *o = given;

    if (o->prints_config)
        return print_config(a, o);
    return o->endpoint ? talk_with(a, o, o->endpoint) : serve_and_talk(a, o);
}

/* Uses any free port, unless --port is given. */
static const char *check_options(struct arena *a, void *options)
{
    struct serve_options *o = options;

    if (o->endpoint && (o->has_own || o->as_local))
        return "--endpoint asks a running server: options of serve do not go with it";
    if (o->until_eof || o->setup.explains)
        return "--until-eof and --explain do not go with mcp, which ends with its input";
    if (!o->has_port)
        o->port = 0;
    o->has_own = true;
    return serve_options_check(a, o);
}

const struct command command_mcp = {
    .name = "mcp",
    .summary = "give agents tools for a server, by the Model Context Protocol",
    .options = serve_options_mcp_groups,
    .defaults = &serve_options_default,
    .size = sizeof serve_options_default,
    .check = check_options,
    .run = run_mcp,
};
