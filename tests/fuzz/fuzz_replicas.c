/* fuzz_replicas.c: whole requests, one a line (fuzz_server.h), to a server that tells regions
 * apart.
 *
 * No reply is an InternalServerError, each is JSON, and so is each record for Kinesis. Once all is
 * quiet the store agrees with itself, replicas have the same items, and nothing is on its way. The
 * table Orders is there, with a replica in eu-west-1, a vector index and a Kinesis destination. */
#include "fuzz_server.h"

#include "model/key.h"
#include "model/limits.h"
#include "ops/kinesis/kinesis_sink.h"
#include "store/cursor.h"
#include "store/unit.h"
#include "support/store_check.h"

#define LAG_MS LIMIT_SECOND_MS

static const char table[] =
    "CreateTable {'TableName':'Orders','BillingMode':'PAY_PER_REQUEST','AttributeDefinitions':["
    "{'AttributeName':'pk','AttributeType':'S'},{'AttributeName':'g','AttributeType':'S'}],"
    "'KeySchema':[{'AttributeName':'pk','KeyType':'HASH'}],"
    "'GlobalSecondaryIndexes':[{'IndexName':'byG','Projection':{'ProjectionType':'ALL'},"
    "'KeySchema':[{'AttributeName':'g','KeyType':'HASH'}]}],"
    "'VectorIndexes':[{'IndexName':'near','Projection':{'ProjectionType':'ALL'},"
    "'VectorAttribute':{'AttributeName':'v'},'Dimensions':2,'DistanceFunction':'COSINE',"
    "'SearchSchema':[{'AttributeName':'g','SearchSchemaElementType':'INLINE_FILTER'}]}]}";
static const char time_to_live[] =
    "UpdateTimeToLive {'TableName':'Orders',"
    "'TimeToLiveSpecification':{'AttributeName':'ttl','Enabled':true}}";
static const char replica[] =
    "UpdateTable {'TableName':'Orders','ReplicaUpdates':[{'Create':{'RegionName':'eu-west-1'}}]}";
static const char destination[] =
    "EnableKinesisStreamingDestination {'TableName':'Orders','StreamArn':"
    "'arn:aws:kinesis:us-east-1:123456789012:stream/orders'}";
static const char *const setup[] = {table, time_to_live, replica, "idle", destination, "idle"};

/* --- Kinesis ---------------------------------------------------------------------------------- */

struct taker {
    struct kinesis_sink sink; /* first */
    struct arena *arena;
};

static void take(struct kinesis_sink *self, const struct kinesis_record *record)
{
    const struct taker *t = (const struct taker *)self;

    must(fuzz_is_json(t->arena, record->json), "a record is JSON");
    must(record->partition_key.len == 32, "a partition key has 32 digits");
    must(record->stream.len && record->region.len, "a record knows where it goes");
}

/* --- replicas --------------------------------------------------------------------------------- */

static struct cursor *open_items(struct offline_server *s, struct unit *u, const struct table *t)
{
    struct buf low = buf_in(s->arena), high = buf_in(s->arena);
    struct store_range range;

    key_of_space(&low, t->space);
    key_of_space(&high, t->space + 1);
    range = (struct store_range){.low = buf_span(&low), .high = buf_span(&high)};
    return cursor_open(u, range);
}

static struct store_row next_item(struct cursor *cursor)
{
    struct store_row row;

    must(!cursor_next(cursor, &row), "items can be read");
    return row;
}

static void check_equal(struct offline_server *s, const struct table *one, const struct table *two)
{
    struct cursor *left, *right;
    struct unit *u;

    must(!unit_begin(s->store, s->arena, UNIT_READS, &u), "a unit can be begun");
    left = open_items(s, u, one);
    right = open_items(s, u, two);
    for (;;) {
        struct store_row a = next_item(left), b = next_item(right);

        must(a.found == b.found, "replicas have as many items");
        if (!a.found)
            break;
        must(span_equal(span_from(a.key, KEY_SPACE_LEN), span_from(b.key, KEY_SPACE_LEN)) &&
                 span_equal(a.body, b.body),
             "replicas have the same items");
    }
    must(!unit_keep(u), "a unit that reads can be kept");
}

static void check_replicas(struct offline_server *s)
{
    const struct table *home = store_table(s->store, SPAN_LIT("Orders"));
    const struct table *away = store_table(
        s->store, schema_id(s->arena, SPAN_LIT("eu-west-1"), SPAN_LIT("Orders")));

    if (!home || !away || !home->global.log_space ||
        home->global.log_space != away->global.log_space)
        return;
    check_equal(s, home, away);
    must(!store_stats(s->store, home->global.log_space).entries &&
             !store_stats(s->store, home->global.latest_space).entries,
         "nothing is on its way");
}

/* --- a target --------------------------------------------------------------------------------- */

/* Until transitions are over, what was written has arrived, and what expires has done so. */
static void settle(struct offline_server *s)
{
    for (int i = 0; i < 4; i++) {
        clock_advance(s->clock, s->settings.transition_ms + 10 * LAG_MS);
        fuzz_idle(s);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct taker taker = {.sink = {.put = take}, .arena = arena_new()};
    struct offline_server s;
    struct span rest;
    const char *problem;

    offline_server_open(&s, arena_new(),
                        &(struct offline_options){.seed = 1,
                                                  .settings = {.account = SPAN_LIT("123456789012"),
                                                               .ttl_sweep_ms = LAG_MS,
                                                               .regional = true,
                                                               .replica_lag_ms = LAG_MS,
                                                               .extended_search = true,
                                                               .kinesis_sink = &taker.sink}});
    for (size_t i = 0; i < COUNT(setup); i++)
        fuzz_run(&s, fuzz_json(s.arena, setup[i]), true);
    rest = fuzz_input(s.arena, data, size);
    while (rest.len)
        fuzz_run(&s, fuzz_line(&rest), false);
    settle(&s);
    problem = store_check(s.store, s.arena);
    must(!problem, problem ? problem : "the store agrees with itself");
    check_replicas(&s);
    offline_server_close(&s);
    arena_free(s.arena);
    arena_free(taker.arena);
    return 0;
}
