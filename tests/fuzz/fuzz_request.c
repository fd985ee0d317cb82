/* fuzz_request.c: whole requests, one a line, through dispatch into a store in memory.
 *
 *   PutItem {"TableName":"Hash",…}     a request: operation and body
 *   advance 86400000                   the clock moves
 *   idle                               the work between requests is done
 *   slow 1000                          tables take that long to be made from here on
 *
 * No reply is an InternalServerError, each is JSON, and afterwards items, indexes and counters
 * agree. So does what the journal shows of them, and what it says of access patterns. The tables
 * Hash, Range and Bytes are there. */
#include "fuzz.h"

#include "journal/coverage.h"
#include "journal/journal_show.h"

#include "support/offline_server.h"
#include "support/store_check.h"

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

static void idle(struct offline_server *s)
{
    int slices = 0;

    while (dispatch_idle(s->dispatcher))
        must(++slices < MAX_IDLE, "the work between requests comes to an end");
}

static bool is_json(struct offline_server *s, struct span text)
{
    const wire_node *node;

    return !wire_parse(s->arena, text, &node);
}

static void send(struct offline_server *s, struct span op, struct span body, bool succeeds)
{
    struct span answer;
    int status = offline_server_send(s, op, body, &answer);

    must(status == 200 || status == 400, "a request is answered or refused");
    must(status == 200 || !succeeds, "the tables of the target can be made");
    must((status == 200 && !answer.len) || is_json(s, answer), "a reply is JSON");
}

static int64_t number_of(struct offline_server *s, struct span text)
{
    long long value = strtoll(arena_text(s->arena, text), NULL, 10);

    return value > MAX_MOVE ? MAX_MOVE : value < 0 ? 0 : value;
}

static void run(struct offline_server *s, struct span line, bool succeeds)
{
    const char *blank = line.len ? memchr(line.at, ' ', line.len) : NULL;
    struct span word = {line.at, blank ? (size_t)(blank - line.at) : line.len};
    struct span rest = span_from(line, word.len + (blank != NULL));

    if (span_is(word, "idle"))
        idle(s);
    else if (span_is(word, "advance"))
        clock_advance(s->clock, number_of(s, rest));
    else if (span_is(word, "slow"))
        s->settings.transition_ms = number_of(s, rest);
    else
        send(s, word, rest, succeeds);
}

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
        must(is_json(s, buf_span(&out)), "an entry is JSON");
    }
    wire_open(&w, '{');
    coverage_show(journal_coverage(j), s->arena, journal_options_of(j), &w);
    wire_close(&w, '}');
    must(is_json(s, buf_span(&coverage)), "what is said of patterns is JSON");
    dispatch_unobserve(s->dispatcher, journal_observer(j));
    journal_free(j);
}

/* --- a target --------------------------------------------------------------------------------- */

static void open_server(struct offline_server *s)
{
    static const struct offline_options options = {
        .seed = 1,
        .settings = {.account = SPAN_LIT_INIT("123456789012"), .ttl_sweep_ms = 1000},
    };

    offline_server_open(s, arena_new(), &options);
    for (size_t i = 0; i < COUNT(setup); i++)
        run(s, fuzz_json(s->arena, setup[i]), true);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct offline_server s;
    struct journal *journal;
    struct span rest;
    const char *problem;

    open_server(&s);
    journal = open_journal(&s);
    rest = fuzz_input(s.arena, data, size);
    while (rest.len)
        run(&s, fuzz_line(&rest), false);
    idle(&s);
    check_journal(&s, journal);
    problem = store_check(s.store, s.arena);
    must(!problem, problem ? problem : "the store agrees with itself");
    offline_server_close(&s);
    arena_free(s.arena);
    return 0;
}
