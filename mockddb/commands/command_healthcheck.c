/* healthcheck: whether a server answers and is healthy, for containers and scripts that wait for
 * it. */
#include "base/clock.h"
#include "client/client_http.h"
#include "commands/command.h"
#include "commands/endpoint_options.h"
#include "wire/json.h"

#include <stdlib.h>
#include <time.h>

#define SECONDS  5  /* limit for one answer */
#define AGAIN_MS 20 /* between two attempts */

struct healthcheck_options {
    struct client_aws_options at;
    double wait_seconds;
};

static const struct option rows[] = {
    {"--endpoint", "URL", client_options_url, offsetof(struct healthcheck_options, at.endpoint),
     ENDPOINT_HELP, NULL},
    {"--wait", "S", option_decimal, offsetof(struct healthcheck_options, wait_seconds),
     "retry for S seconds (0)", OPTION_RANGE(0, 3600, "a number of seconds up to an hour")},
    {.name = NULL},
};

static const struct healthcheck_options defaults = {.wait_seconds = 0};

/* Uses a host name that every mockddb answers to, however it is reached, and accepts any
 * certificate: the request has no secrets. */
static const char *ask_health(struct arena *a, const char *endpoint)
{
    const struct client_http_options connecting = {
        .host = "localhost", .trusts_anybody = true, .timeout_seconds = SECONDS};
    const struct client_http_request question = {.method = "GET", .target = "/_mockddb/health"};
    const wire_node *health;
    struct client_http *http;
    struct client_reply reply;
    const char *problem = client_http_new(a, endpoint, &connecting, &http);

    if (problem)
        return problem;
    problem = client_http_send(http, a, &question, &reply);
    client_http_free(http);
    if (problem)
        return arena_printf(a, "no answer from %s", endpoint);
    if (reply.status != 200)
        return arena_printf(a, "%s answers %d", endpoint, reply.status);
    return json_parse(a, reply.body, &health) && wire_get(health, "status")
               ? NULL
               : arena_printf(a, "%s is not mockddb: another server answers", endpoint);
}

static int healthcheck(struct arena *a, const void *given)
{
    const struct healthcheck_options *o = given;
    const struct timespec pause = {.tv_nsec = AGAIN_MS * 1000000L};
    const struct client_endpoint_question which = {.option = o->at.endpoint};
    struct client_endpoint endpoint;
    const char *problem = client_endpoint_find(a, &which, &endpoint);
    struct arena_mark mark = arena_mark(a);

    struct clock *clock;
    int64_t until;

    if (problem)
        return command_fail(problem, EXIT_FAILURE);
    clock = clock_new_system();
    until = clock_ticks_us(clock) + (int64_t)(o->wait_seconds * 1e6);
    while ((problem = ask_health(a, endpoint.url)) && clock_ticks_us(clock) < until) {
        arena_release(a, mark);
        (void)nanosleep(&pause, NULL);
    }
    clock_free(clock);
    return problem ? command_fail(problem, EXIT_FAILURE) : EXIT_SUCCESS;
}

const struct command command_healthcheck = {
    .name = "healthcheck",
    .summary = "exit 0 when a server answers, 1 when none does",
    .options = OPTION_GROUPS({"With healthcheck", rows, 0}),
    .defaults = &defaults,
    .size = sizeof defaults,
    .run = healthcheck,
};
