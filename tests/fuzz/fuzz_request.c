/* fuzz_request.c: whole requests, one a line (fuzz_server.h), through dispatch into a store in
 * memory.
 *
 * No reply is an InternalServerError, each is JSON, and afterwards items, indexes and counters
 * agree. So does what the journal shows of them, and what it says of access patterns. The tables
 * Hash, Range and Bytes are there. */
#include "fuzz_server.h"

#include "dispatch/metering.h"
#include "journal/coverage.h"
#include "journal/journal_show.h"

#include "support/store_check.h"

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

/* --- what is written down --------------------------------------------------------------------- */

static const char patterns[] =
    "{'patterns':[{'name':'g','question':'?','steps':[{'operation':'Query','request':{'TableName':"
    "'Hash','IndexName':'byG','KeyConditionExpression':'g = :g AND n > :n'}}]},"
    "{'name':'one','question':'?','steps':[{'operation':'GetItem','request':{'TableName':'Range',"
    "'Key':{'pk':{'S':'{x}'},'sk':{'$from':'a','at':'/b'}}}}]}]}";

static struct journal *open_journal(struct offline_server *s)
{
    struct pattern_file *file = arena_alloc(s->arena, sizeof *file);
    struct catalogue *catalogue = NULL;
    struct journal *j;

    must(!pattern_file_parse(s->arena, "f", fuzz_json(s->arena, patterns), file) &&
             !catalogue_new(s->arena, file, 1, "", &catalogue),
         "the patterns are sound");
    j = journal_new(
        &(struct journal_options){.count = 100, .bytes = JOURNAL_BYTES, .catalogue = catalogue});
    dispatch_observe(s->dispatcher, journal_observer(j));
    return j;
}

static void check_journal(struct offline_server *s, struct journal *j)
{
    struct buf coverage = buf_in(s->arena);
    struct wire_writer w = {&coverage, false};

    for (uint64_t id = journal_first(j); id <= journal_last(j); id++) {
        struct buf out = buf_in(s->arena);

        journal_show(s->arena, j, SPAN_LIT("w"), journal_find(j, id), true, &out);
        must(fuzz_is_json(s->arena, buf_span(&out)), "an entry is JSON");
    }
    wire_open(&w, '{');
    coverage_show(journal_coverage(j), s->arena, journal_options_of(j), &w);
    wire_close(&w, '}');
    must(fuzz_is_json(s->arena, buf_span(&coverage)), "what is said of patterns is JSON");
    journal_free(j);
}

/* --- a target --------------------------------------------------------------------------------- */

static void open_server(struct offline_server *s, struct metrics *metrics)
{
    offline_server_open(s, arena_new(),
                        &(struct offline_options){.seed = 1,
                                                  .metrics = metrics,
                                                  .settings = {.account = SPAN_LIT("123456789012"),
                                                               .ttl_sweep_ms = 1000}});
    for (size_t i = 0; i < COUNT(setup); i++)
        fuzz_run(s, fuzz_json(s->arena, setup[i]), true);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct metrics *metrics = metrics_new(METRICS_POINTS);
    struct metering *metering = metering_new(metrics);
    struct offline_server s;
    struct journal *journal;
    struct span rest;
    const char *problem;

    open_server(&s, metrics);
    dispatch_observe(s.dispatcher, metering_observer(metering));
    journal = open_journal(&s);
    rest = fuzz_input(s.arena, data, size);
    while (rest.len)
        fuzz_run(&s, fuzz_line(&rest), false);
    fuzz_idle(&s);
    check_journal(&s, journal);
    problem = store_check(s.store, s.arena);
    must(!problem, problem ? problem : "the store agrees with itself");
    offline_server_close(&s);
    arena_free(s.arena);
    metering_free(metering);
    metrics_free(metrics);
    return 0;
}
