#include "dispatch/dispatch_client.h"

struct dispatch_client {
    struct client client; /* first */
    struct dispatcher *dispatcher;
    struct dispatch_client_options options;
    struct settings settings;
};

static const char *call(struct client *client, struct arena *a, const char *operation,
                        struct span body, struct client_answer *out)
{
    struct dispatch_client *c = (struct dispatch_client *)client;
    const struct request request = {.target = dispatch_target(a, span_of(operation)),
                                    .body = body,
                                    .settings = c->options.settings ? &c->settings : NULL,
                                    .aside = c->options.aside};
    struct reply reply;

    dispatch(c->dispatcher, &request, &reply);
    return client_answer_read(a, reply.status, arena_span(a, reply.body), out)
               ? NULL
               : arena_printf(a, "the answer to %s is not JSON", operation);
}

static const char *call_all(struct client *c, struct arena *a, const char *operation,
                            const struct span *requests, size_t count, struct client_answer *out)
{
    const char *problem = NULL;

    for (size_t i = 0; i < count && !problem; i++)
        problem = call(c, a, operation, requests[i], &out[i]);
    return problem;
}

static const char *ask(struct client *client, struct arena *a, const char *verb, struct span body,
                       struct client_verb_answer *out)
{
    const struct dispatch_client_options *o = &((struct dispatch_client *)client)->options;

    o->ask(o->context, a, verb, body, out);
    return NULL;
}

static int64_t now_ms(struct client *c, struct arena *a)
{
    (void)a;
    return clock_now_ms(dispatch_parts_of(((struct dispatch_client *)c)->dispatcher)->clock);
}

static const char *flush(struct client *client)
{
    const struct dispatch_client *c = (struct dispatch_client *)client;

    return c->options.is_unsaved || dispatch_flush(c->dispatcher)
               ? NULL
               : "the written items cannot be saved";
}

static void close_client(struct client *client)
{
    struct dispatch_client *c = (struct dispatch_client *)client;

    if (c->options.close)
        c->options.close(c->options.context);
}

static const struct client_transport in_process = {.width = 1,
                                                   .call = call,
                                                   .call_all = call_all,
                                                   .ask = ask,
                                                   .now_ms = now_ms,
                                                   .flush = flush,
                                                   .free = close_client};

struct client *dispatch_client_new(struct arena *a, struct dispatcher *d,
                                   const struct dispatch_client_options *options)
{
    struct dispatch_client *c = arena_alloc(a, sizeof *c);

    *c = (struct dispatch_client){
        .client = {.transport = &in_process, .name = options->name, .is_here = true},
        .dispatcher = d,
        .options = *options};
    if (options->settings)
        c->settings = *options->settings;
    c->settings.transition_ms = 0;
    c->settings.read_only = false;
    return &c->client;
}
