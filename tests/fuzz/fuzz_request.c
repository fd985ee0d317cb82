/* fuzz_request.c: whole requests, one a line, through dispatch into a store in memory.
 *
 *   PutItem {"TableName":"Hash",…}     a request: operation and body
 *   advance 86400000                   the clock moves
 *   idle                               the work between requests is done
 *   slow 1000                          tables take that long to be made from here on
 *
 * No reply is an InternalServerError, each is JSON, and afterwards items, indexes and counters
 * agree. The tables Hash, Range and Bytes are there. */
#include "fuzz.h"

#include "dispatch/dispatch.h"
#include "support/store_check.h"

#define NOW_MS   1700000000000
#define MAX_MOVE ((int64_t)400 * 24 * 3600 * 1000)
#define MAX_IDLE 1000 /* slices of work that a few requests can leave at most */

static const char table_hash[] =
    "CreateTable {'TableName':'Hash','BillingMode':'PAY_PER_REQUEST','AttributeDefinitions':["
    "{'AttributeName':'pk','AttributeType':'S'},{'AttributeName':'g','AttributeType':'S'},"
    "{'AttributeName':'n','AttributeType':'N'}],"
    "'KeySchema':[{'AttributeName':'pk','KeyType':'HASH'}],"
    "'GlobalSecondaryIndexes':[{'IndexName':'byG','Projection':{'ProjectionType':'ALL'},"
    "'KeySchema':[{'AttributeName':'g','KeyType':'HASH'},"
    "{'AttributeName':'n','KeyType':'RANGE'}]}],"
    "'StreamSpecification':{'StreamEnabled':true,'StreamViewType':'NEW_AND_OLD_IMAGES'}}";
static const char table_range[] =
    "CreateTable {'TableName':'Range','BillingMode':'PAY_PER_REQUEST','AttributeDefinitions':["
    "{'AttributeName':'pk','AttributeType':'S'},{'AttributeName':'sk','AttributeType':'N'},"
    "{'AttributeName':'a','AttributeType':'S'},{'AttributeName':'b','AttributeType':'B'}],"
    "'KeySchema':[{'AttributeName':'pk','KeyType':'HASH'},"
    "{'AttributeName':'sk','KeyType':'RANGE'}],"
    "'LocalSecondaryIndexes':[{'IndexName':'byA','Projection':{'ProjectionType':'KEYS_ONLY'},"
    "'KeySchema':[{'AttributeName':'pk','KeyType':'HASH'},"
    "{'AttributeName':'a','KeyType':'RANGE'}]}],"
    "'GlobalSecondaryIndexes':[{'IndexName':'byB','Projection':{'ProjectionType':'INCLUDE',"
    "'NonKeyAttributes':['c']},'KeySchema':[{'AttributeName':'b','KeyType':'HASH'}]}]}";
static const char time_to_live[] =
    "UpdateTimeToLive {'TableName':'Range',"
    "'TimeToLiveSpecification':{'AttributeName':'ttl','Enabled':true}}";
static const char table_bytes[] =
    "CreateTable {'TableName':'Bytes','ProvisionedThroughput':{'ReadCapacityUnits':5,"
    "'WriteCapacityUnits':5},'AttributeDefinitions':[{'AttributeName':'pk','AttributeType':'B'},"
    "{'AttributeName':'sk','AttributeType':'B'}],"
    "'KeySchema':[{'AttributeName':'pk','KeyType':'HASH'},"
    "{'AttributeName':'sk','KeyType':'RANGE'}]}";
static const char *const setup[] = {table_hash, table_range, time_to_live, table_bytes};

struct world {
    struct arena *arena;
    struct settings settings;
    struct clock *clock;
    struct store *store;
    struct dispatcher *dispatcher;
};

static void idle(struct world *w)
{
    int slices = 0;

    while (dispatch_idle(w->dispatcher))
        must(++slices < MAX_IDLE, "the work between requests comes to an end");
}

static bool is_json(struct world *w, struct span text)
{
    const wire_node *node;

    return !wire_parse(w->arena, text, &node);
}

static void send(struct world *w, struct span op, struct span body, bool succeeds)
{
    const char *service = op_find(OP_STREAMS, op) ? "DynamoDBStreams" : "DynamoDB";
    struct request request = {
        .target = span_of(arena_printf(w->arena, "%s_20120810.%.*s", service, SPAN_ARG(op))),
        .body = body,
        .host = SPAN_LIT("localhost:8000"),
        .auth_error = ERROR_KIND_COUNT,
    };
    struct reply reply;

    dispatch(w->dispatcher, &request, &reply);
    must(reply.status == 200 || reply.status == 400, "a request is answered or refused");
    must(reply.status == 200 || !succeeds, "the tables of the target can be made");
    must((reply.status == 200 && !reply.body.len) || is_json(w, reply.body), "a reply is JSON");
}

static int64_t number_of(struct world *w, struct span text)
{
    long long value = strtoll(arena_text(w->arena, text), NULL, 10);

    return value > MAX_MOVE ? MAX_MOVE : value < 0 ? 0 : value;
}

static void run(struct world *w, struct span line, bool succeeds)
{
    const char *blank = line.len ? memchr(line.at, ' ', line.len) : NULL;
    struct span word = {line.at, blank ? (size_t)(blank - line.at) : line.len};
    struct span rest = span_from(line, word.len + (blank != NULL));

    if (span_is(word, "idle"))
        idle(w);
    else if (span_is(word, "advance"))
        clock_advance(w->clock, number_of(w, rest));
    else if (span_is(word, "slow"))
        w->settings.transition_ms = number_of(w, rest);
    else
        send(w, word, rest, succeeds);
}

static void open_world(struct world *w)
{
    const char *problem = NULL;

    *w = (struct world){.arena = arena_new()};
    w->settings.region = SPAN_LIT("us-east-1");
    w->settings.account = SPAN_LIT("123456789012");
    w->settings.ttl_sweep_ms = 60000;
    w->clock = clock_new_fixed(NOW_MS, 1);
    w->store = store_open(w->arena, &(struct store_options){.path = NULL}, &problem);
    must(w->store != NULL, "a store can be opened");
    w->dispatcher = dispatch_new(w->store, w->clock, &w->settings);
    for (size_t i = 0; i < COUNT(setup); i++)
        run(w, fuzz_json(w->arena, setup[i]), true);
}

static void close_world(struct world *w)
{
    dispatch_free(w->dispatcher);
    store_free(w->store);
    clock_free(w->clock);
    arena_free(w->arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct world w;
    struct span rest;
    const char *problem;

    open_world(&w);
    rest = fuzz_input(w.arena, data, size);
    while (rest.len)
        run(&w, fuzz_line(&rest), false);
    idle(&w);
    problem = store_check(w.store, w.arena);
    must(!problem, problem ? problem : "the store agrees with itself");
    close_world(&w);
    return 0;
}
