/* healthcheck: whether a server is there and well, for containers and scripts that wait for it. */
#include "client/client_http.h"
#include "commands/command.h"

#include <stdlib.h>

#define SECONDS 5

struct healthcheck_options {
    const char *endpoint;
};

static const char *take_endpoint(const struct option_value *v)
{
    struct healthcheck_options *o = v->into;

    o->endpoint = v->text;
    return strncmp(v->text, "http://", 7) == 0 || strncmp(v->text, "https://", 8) == 0
               ? NULL
               : "does not begin with http:// or https://";
}

static const struct option rows[] = {
    {"--endpoint", "URL", take_endpoint, 0, "the server to ask (http://127.0.0.1:8000)"},
    {NULL, NULL, NULL, 0, NULL},
};

static const struct option_group options[] = {
    {"With healthcheck", rows, 0},
    {NULL, NULL, 0},
};

static const struct healthcheck_options defaults = {.endpoint = "http://127.0.0.1:8000"};

/* Asks under a name that every server of ours answers to, whatever way leads there, and whoever's
 * certificate it has: nothing is told to it. */
static const char *ask(struct arena *a, const char *endpoint)
{
    const struct client_http_options connecting = {
        .host = "localhost", .trusts_anybody = true, .timeout_seconds = SECONDS};
    struct client_http *http;
    struct client_reply reply;
    const char *problem = client_http_new(a, endpoint, &connecting, &http);

    if (problem)
        return problem;
    problem = client_http_get(http, a, "/_mockddb/health", &reply);
    client_http_free(http);
    if (problem)
        return arena_printf(a, "no answer from %s", endpoint);
    return reply.status == 200 ? NULL : arena_printf(a, "%s answers %d", endpoint, reply.status);
}

static int healthcheck(struct arena *a, const void *given)
{
    const struct healthcheck_options *o = given;
    const char *problem = ask(a, o->endpoint);

    return problem ? command_fail(problem, EXIT_FAILURE) : EXIT_SUCCESS;
}

const struct command command_healthcheck = {
    .name = "healthcheck",
    .summary = "exit 0 when a server answers, 1 when none does",
    .options = options,
    .defaults = &defaults,
    .size = sizeof defaults,
    .run = healthcheck,
};
