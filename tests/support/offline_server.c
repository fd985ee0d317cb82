#include "support/offline_server.h"

#include "support/database.h"
#include "support/store_at_once.h"

#include <stdio.h>
#include <stdlib.h>

const char offline_server_table[] =
    "{\"TableName\":\"Table\",\"BillingMode\":\"PAY_PER_REQUEST\",\"AttributeDefinitions\":["
    "{\"AttributeName\":\"pk\",\"AttributeType\":\"S\"},"
    "{\"AttributeName\":\"g\",\"AttributeType\":\"S\"}],"
    "\"KeySchema\":[{\"AttributeName\":\"pk\",\"KeyType\":\"HASH\"}],"
    "\"GlobalSecondaryIndexes\":[{\"IndexName\":\"byG\","
    "\"KeySchema\":[{\"AttributeName\":\"g\",\"KeyType\":\"HASH\"}],"
    "\"Projection\":{\"ProjectionType\":\"ALL\"}}]}";

const char *offline_server_table_of(struct arena *a, const char *name, const char *more)
{
    return arena_printf(
        a,
        "{\"TableName\":\"%s\",\"BillingMode\":\"PAY_PER_REQUEST\","
        "\"AttributeDefinitions\":[{\"AttributeName\":\"pk\",\"AttributeType\":\"S\"}"
        "],\"KeySchema\":[{\"AttributeName\":\"pk\",\"KeyType\":\"HASH\"}]%s}",
        name, more);
}

static void complete(struct settings *settings)
{
    if (!settings->region.len)
        settings->region = SPAN_LIT("us-east-1");
    if (!settings->account.len)
        settings->account = SPAN_LIT("000000000000");
}

static struct clock *new_clock(const struct offline_options *options)
{
    return clock_new_fixed(options->now_ms ? options->now_ms : OFFLINE_NOW_MS, options->seed);
}

NO_RETURN static void give_up(const char *problem)
{
    printf("the store cannot be opened: %s\n", problem);
    (void)fflush(stdout);
    abort();
}

void offline_server_open(struct offline_server *s, struct arena *a,
                         const struct offline_options *options)
{
    const char *problem = NULL;

    *s = (struct offline_server){.arena = a,
                                 .settings = options->settings,
                                 .budget = options->budget,
                                 .metrics = options->metrics};
    complete(&s->settings);
    s->clock = new_clock(options);
    database_watch();
    s->store = options->copy_of ? store_at_once_copy(a, options->copy_of, &options->store, &problem)
                                : store_open(a, &options->store, &problem);
    if (!s->store)
        give_up(problem);
    s->memory = dispatch_memory_new();
    offline_server_restart(s);
}

void offline_server_restart(struct offline_server *s)
{
    dispatch_free(s->dispatcher);
    s->dispatcher = dispatch_new(&(struct dispatch_parts){.store = s->store,
                                                          .clock = s->clock,
                                                          .settings = &s->settings,
                                                          .memory = s->memory,
                                                          .budget = s->budget,
                                                          .metrics = s->metrics});
}

void offline_server_close(struct offline_server *s)
{
    dispatch_free(s->dispatcher);
    dispatch_memory_free(s->memory);
    store_free(s->store);
    clock_free(s->clock);
}

static struct span target_of(struct arena *a, struct span operation)
{
    const char *service = op_find(OP_STREAMS, operation) ? "DynamoDBStreams" : "DynamoDB";

    if (span_has(operation, '.'))
        return operation;
    return span_of(arena_printf(a, "%s_20120810.%.*s", service, SPAN_ARG(operation)));
}

int offline_server_send(struct offline_server *s, struct span operation, struct span body,
                        struct span *answer)
{
    struct request request = {
        .target = target_of(s->arena, operation),
        .body = body,
        .host = SPAN_LIT("localhost:8000"),
        .region = s->region,
    };
    struct reply reply;

    dispatch(s->dispatcher, &request, &reply);
    *answer = arena_span(s->arena, reply.body);
    return reply.status;
}

struct worlds *offline_worlds_new(struct arena *a, const struct offline_options *options,
                                  struct clock **clock)
{
    struct worlds_options server = {.first = {.store = options->store,
                                              .settings = options->settings,
                                              .journal = options->journal,
                                              .clock = new_clock(options)}};
    const struct problem *p;
    struct worlds *all;

    complete(&server.first.settings);
    *clock = server.first.clock;
    if ((p = worlds_new(a, &server, &all)))
        give_up(p->text);
    return all;
}
