#include "moving/moving_door.h"

#include "base/interrupt.h"
#include "client/client_aws.h"
#include "worlds/world.h"

#include <errno.h>
#include <time.h>

#define TRIES    10
#define BREAKS   3     /* broken connections that a call survives */
#define PAUSE_US 50000 /* before the second try; twice that before the next one */

struct moving_door {
    const char *name;
    struct client_aws *client; /* NULL: the dispatcher */
    bool answered;             /* a call succeeded once, so there is a server */
    struct dispatcher *dispatcher;
    struct settings settings;       /* of requests to the dispatcher */
    struct world *world;            /* NULL: the dispatcher is borrowed */
    struct dispatch_memory *memory; /* of the world */
};

/* --- opening ---------------------------------------------------------------------------------- */

static void use(struct moving_door *d, struct dispatcher *dispatcher,
                const struct settings *settings)
{
    d->dispatcher = dispatcher;
    d->settings = *settings;
    d->settings.transition_ms = 0;
    d->settings.read_only = false;
}

static const char *open_file(struct arena *a, const char *path, struct moving_door *d)
{
    const struct world_options options = {
        .name = SPAN_LIT(WORLD_FIRST),
        .store = {.path = path, .sync = STORE_SYNC_NORMAL},
        .settings = {.region = SPAN_LIT(WORLD_REGION), .account = SPAN_LIT(WORLD_ACCOUNT)},
    };
    const struct world_state from = {.store = NULL};
    const char *problem = NULL;

    d->name = path;
    d->memory = dispatch_memory_new();
    if (!(d->world = world_new(a, &options, &from, d->memory, &problem)))
        return problem;
    use(d, world_dispatcher(d->world), world_settings(d->world));
    return NULL;
}

static const char *open_client(struct arena *a, const struct moving_door_options *o,
                               struct moving_door *d)
{
    const struct client_aws_options to = {
        .endpoint = o->endpoint, .region = o->region, .profile = o->profile, .world = o->world};
    const char *problem = client_aws_new(a, &to, &d->client);

    if (!problem)
        d->name = client_aws_endpoint(d->client);
    return problem;
}

struct moving_door *moving_door_open(struct arena *a, const struct moving_door_options *options,
                                     const char **problem)
{
    struct moving_door *d = arena_alloc(a, sizeof *d);

    *problem = options->db ? open_file(a, options->db, d) : open_client(a, options, d);
    if (!*problem)
        return d;
    moving_door_close(d);
    return NULL;
}

struct moving_door *moving_door_to(struct arena *a, struct dispatcher *dispatcher,
                                   const struct settings *settings)
{
    struct moving_door *d = arena_alloc(a, sizeof *d);

    d->name = "this server";
    use(d, dispatcher, settings);
    return d;
}

void moving_door_close(struct moving_door *d)
{
    if (!d)
        return;
    client_aws_free(d->client);
    if (d->world)
        world_free(d->world);
    if (d->memory)
        dispatch_memory_free(d->memory);
}

const char *moving_door_name(const struct moving_door *d)
{
    return d->name;
}

bool moving_door_is_here(const struct moving_door *d)
{
    return !d->client || client_aws_is_loopback(d->client);
}

/* The time of a mockddb, whose clock may be frozen or moved; any other server uses the real
 * time. */
int64_t moving_door_now_ms(struct moving_door *d, struct arena *a)
{
    const struct client_aws_request question = {
        .method = "GET", .path = "/_mockddb/clock", .query = "", .body = {"", 0}};
    struct client_reply reply;
    const wire_node *body;
    struct timespec now;

    (void)clock_gettime(CLOCK_REALTIME, &now);
    if (d->client && client_aws_is_loopback(d->client) &&
        !client_aws_ask(d->client, a, &question, &reply) && reply.status == 200 &&
        !wire_parse(a, reply.body, &body) && wire_get(body, "now_ms"))
        return wire_integer(wire_get(body, "now_ms"), 0);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

size_t moving_door_width(const struct moving_door *d)
{
    return d->client ? CLIENT_HTTP_AT_ONCE : 1;
}

/* --- calling ---------------------------------------------------------------------------------- */

static const char *call_here(struct moving_door *d, struct arena *a, const char *operation,
                             struct span body, struct client_answer *out)
{
    const struct request request = {.target = dispatch_target(a, span_of(operation)),
                                    .body = body,
                                    .settings = &d->settings,
                                    .aside = true};
    struct reply reply;

    dispatch(d->dispatcher, &request, &reply);
    return client_answer_read(a, reply.status, arena_span(a, reply.body), out)
               ? NULL
               : "the answer is not JSON";
}

bool moving_door_rest(const struct moving_door *d, int tries)
{
    struct timespec rest = {0, 0};
    int64_t us = (int64_t)PAUSE_US << tries;

    if (!d->client || tries >= TRIES || interrupt_check())
        return false;
    rest = (struct timespec){us / 1000000, us % 1000000 * 1000};
    while (nanosleep(&rest, &rest) && errno == EINTR && !interrupt_check())
        ;
    return !interrupt_check();
}

/* Whether a call without an answer is repeated: not if the first one may have taken effect and the
 * second would then be refused. */
static bool survives(struct moving_door *d, const char *operation, const char *problem, int breaks)
{
    d->answered |= !problem;
    return problem && d->answered && !op_find(OP_DYNAMODB, span_of(operation))->once &&
           breaks < BREAKS && moving_door_rest(d, breaks);
}

const char *moving_door_call(struct moving_door *d, struct arena *a, const char *operation,
                             struct span request, struct client_answer *out)
{
    int tries = 0, breaks = 0;
    const char *problem;

    if (!d->client)
        return call_here(d, a, operation, request, out);
    if (interrupt_check())
        return interrupt_check();
    do
        do
            problem = client_aws_call(d->client, a, operation, request, out);
        while (survives(d, operation, problem, breaks++));
    while (!problem && out->error_type.len && client_answer_is_passing(out) &&
           moving_door_rest(d, tries++));
    return problem;
}

const char *moving_door_call_all(struct moving_door *d, struct arena *a, const char *operation,
                                 const struct span *requests, size_t count,
                                 struct client_answer *out)
{
    const char *problem = NULL;
    int breaks = 0;

    if (d->client && interrupt_check())
        return interrupt_check();
    if (d->client) {
        do
            problem = client_aws_call_all(d->client, a, operation, requests, count, out);
        while (survives(d, operation, problem, breaks++));
        return problem;
    }
    for (size_t i = 0; i < count && !problem; i++)
        problem = call_here(d, a, operation, requests[i], &out[i]);
    return problem;
}

const char *moving_door_flush(struct moving_door *d)
{
    return d->client || dispatch_flush(d->dispatcher) ? NULL : "the written items cannot be saved";
}
