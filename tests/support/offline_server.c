#include "support/offline_server.h"

#include <stdio.h>
#include <stdlib.h>

void offline_server_open(struct offline_server *s, struct arena *a,
                         const struct offline_options *options)
{
    const char *problem = NULL;

    *s = (struct offline_server){.arena = a, .settings = options->settings};
    if (!s->settings.region.len)
        s->settings.region = SPAN_LIT("us-east-1");
    if (!s->settings.account.len)
        s->settings.account = SPAN_LIT("000000000000");
    s->clock = clock_new_fixed(options->now_ms ? options->now_ms : OFFLINE_NOW_MS, options->seed);
    s->store = store_open(a, &options->store, &problem);
    if (!s->store) {
        printf("the store cannot be opened: %s\n", problem);
        (void)fflush(stdout);
        abort();
    }
    s->dispatcher = dispatch_new(s->store, s->clock, &s->settings);
}

void offline_server_close(struct offline_server *s)
{
    dispatch_free(s->dispatcher);
    store_free(s->store);
    clock_free(s->clock);
}

int offline_server_send(struct offline_server *s, struct span operation, struct span body,
                        struct span *answer)
{
    const char *service = op_find(OP_STREAMS, operation) ? "DynamoDBStreams" : "DynamoDB";
    struct request request = {
        .target = span_of(arena_printf(s->arena, "%s_20120810.%.*s", service, SPAN_ARG(operation))),
        .body = body,
        .host = SPAN_LIT("localhost:8000"),
        .auth_error = ERROR_KIND_COUNT,
    };
    struct reply reply;

    dispatch(s->dispatcher, &request, &reply);
    *answer = arena_span(s->arena, reply.body);
    return reply.status;
}
