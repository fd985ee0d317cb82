#include "commands/serve_options.h"

#include "base/date.h"
#include "client/client_options.h"
#include "mcp/mcp_tools.h"
#include "model/limits.h"

#define DB_NAME        "mockddb.db" /* the file in the folder of -dbPath */
#define LOCAL_DELAY_MS 2000         /* for -delayTransientStatuses */
#define MAX_COLLECTION 1000000000
#define TTL_SWEEP_MS   1000

static bool consists_of(const char *text, const char *characters)
{
    return !text[strspn(text, characters)];
}

#define DIGITS "0123456789"
#define LOWER  "abcdefghijklmnopqrstuvwxyz"

static const char *take_port(const struct option_value *v)
{
    struct serve_options *o = v->into;
    int64_t port;

    if (!option_read_number(v->text, 0, UINT16_MAX, &port))
        return "is not a port: 0 to 65535, 0 for any free port";
    o->port = (uint16_t)port;
    o->has_port = true;
    return NULL;
}

static const char *take_sync(const struct option_value *v)
{
    struct serve_options *o = v->into;
    static const char *const levels[] = {
        [STORE_SYNC_OFF] = "off", [STORE_SYNC_NORMAL] = "normal", [STORE_SYNC_FULL] = "full"};

    o->has_sync = true;
    for (size_t i = 0; i < COUNT(levels); i++) {
        if (strcmp(v->text, levels[i]) == 0) {
            o->sync = (enum store_sync)i;
            return NULL;
        }
    }
    return "is not one of off, normal, full";
}

/* Reads "off", or "provisioned", which may be followed by names of tables. */
static const char *take_throttle(const struct option_value *v)
{
    static const struct span mode = SPAN_LIT_INIT("provisioned");
    struct serve_options *o = v->into;
    struct throttle_rules *rules = &o->throttle;
    struct span rest = span_of(v->text), *tables;

    rules->on = span_starts_with(rest, mode);
    rules->table_count = 0;
    if (!rules->on)
        return span_is(rest, "off") ? NULL : "is not one of off, provisioned, provisioned,TABLE";
    rest = span_from(rest, mode.len);
    tables = arena_array(v->arena, rest.len + 1, sizeof *tables);
    while (rest.len && rest.at[0] == ',') {
        size_t name = strcspn(rest.at + 1, ",");

        if (!name)
            return "has an empty table name";
        tables[rules->table_count++] = (struct span){rest.at + 1, name};
        rest = span_from(rest, 1 + name);
    }
    rules->tables = tables;
    return rest.len ? "is not one of off, provisioned, provisioned,TABLE" : NULL;
}

static const char *take_burst(const struct option_value *v)
{
    struct serve_options *o = v->into;

    o->has_burst = true;
    o->throttle.empty = strcmp(v->text, "empty") == 0;
    return o->throttle.empty || strcmp(v->text, "full") == 0 ? NULL : "is not one of full, empty";
}

/* Reads 500, 64KB, 1MB or 10GB. */
static const char *take_collection_limit(const struct option_value *v)
{
    static const char *const units[] = {"", "KB", "MB", "GB"};
    struct serve_options *o = v->into;
    size_t digits = strspn(v->text, DIGITS), unit = 0;
    int64_t count;

    while (unit < COUNT(units) && strcmp(v->text + digits, units[unit]) != 0)
        unit++;
    if (unit == COUNT(units) ||
        !option_read_number(arena_text(v->arena, (struct span){v->text, digits}), 0, MAX_COLLECTION,
                            &count))
        return "is not a size such as 10GB, at most 1000000000 bytes, KB, MB or GB";
    o->service.item_collection_limit = (size_t)count << (10 * unit);
    return NULL;
}

static const char *take_fail_on(const struct option_value *v)
{
    struct serve_options *o = v->into;
    const struct problem *p = assertions_read_words(v->arena, v->text, &o->fail_on);

    *v->adds = true;
    return p ? arena_printf(v->arena, "is not understood: %s", problem_text(v->arena, p)) : NULL;
}

static const char *take_allowed_host(const struct option_value *v)
{
    return !option_list(v) && !strpbrk(v->text, ":/[], ") ? NULL
                                                          : "is not a name such as db.example";
}

static const char *take_region(const struct option_value *v)
{
    struct serve_options *o = v->into;

    o->service.region = span_of(v->text);
    return *v->text && strlen(v->text) < 64 && consists_of(v->text, DIGITS LOWER "-")
               ? NULL
               : "is not a region such as us-east-1";
}

static const char *take_account(const struct option_value *v)
{
    struct serve_options *o = v->into;

    o->service.account = span_of(v->text);
    return strlen(v->text) == LIMIT_ACCOUNT_DIGITS && consists_of(v->text, DIGITS)
               ? NULL
               : "is not an account of 12 digits";
}

static const char *take_delay(const struct option_value *v)
{
    struct serve_options *o = v->into;

    o->service.transition_ms = LOCAL_DELAY_MS;
    return NULL;
}

static const char *take_lag(const struct option_value *v)
{
    struct serve_options *o = v->into;

    o->has_lag = true;
    return option_number(v);
}

/* Reads "fixture", "real" or a time; ",frozen" after it stops the clock. */
static const char *take_clock(const struct option_value *v)
{
    struct serve_options *o = v->into;
    const char *comma = strchr(v->text, ',');
    struct span moment = {v->text, comma ? (size_t)(comma - v->text) : strlen(v->text)};

    o->clock = (struct clock_time){.moved = true, .rate = comma ? 0 : 1};
    if (comma && strcmp(comma, ",frozen") != 0)
        return "has something other than ,frozen after the time";
    o->clock_of_fixture = span_is(moment, "fixture");
    if (o->clock_of_fixture)
        return NULL;
    return date_read_extended(moment, &o->clock.now_ms) && o->clock.now_ms >= 0
               ? NULL
               : "is not one of fixture, 2026-01-01T00:00:00Z, each also with ,frozen";
}

static const char *take_template(const struct option_value *v)
{
    struct serve_options *o = v->into;

    o->world_snapshot = "";
    if (strcmp(v->text, "fixtures") == 0) {
        o->world_template = WORLDS_STARTUP;
    } else if (strcmp(v->text, "empty") == 0) {
        o->world_template = WORLDS_EMPTY;
    } else {
        o->world_template = WORLDS_SNAPSHOT;
        o->world_snapshot = v->text;
    }
    return world_is_name(span_of(v->text)) ? NULL : "is not one of empty, fixtures, and not a name";
}

#define AT(member) offsetof(struct serve_options, member)

static const struct option door_rows[] = {
    {"--host", "ADDRESS", option_text, AT(host), "listen on this address (127.0.0.1 and ::1)",
     NULL},
    {"--port", "N", take_port, 0, "listen on this port (8000); 0 takes a free one", NULL},
    {"--until-eof", NULL, option_flag, AT(until_eof),
     "stop when standard input ends: a server whose input is a pipe does not outlive its parent",
     NULL},
    {"--allow-host", "NAME", take_allowed_host, AT(allowed_hosts),
     "a further name by which our own pages may be reached, and whose pages may use the server; "
     "may be repeated",
     NULL},
    {"--cors", "ORIGINS", option_text, AT(cors_origins),
     "origins, separated by commas, whose pages may use the server besides those of this machine; "
     "*: all",
     NULL},
    {"--read-only", NULL, option_flag, AT(service.read_only),
     "refuse writes, once the fixtures are loaded; items do not expire", NULL},
    {"--no-admin", NULL, option_flag, AT(no_admin),
     "leave the verbs under /_mockddb/ out; health stays", NULL},
    {"--no-console", NULL, option_flag, AT(no_console),
     "leave the page at /_mockddb/ out; it needs the verbs, and is not there with"
     " --require-signature",
     NULL},
    {"--require-signature", "FILE", option_text, AT(keys),
     "let only requests in that are signed with a key of this file", NULL},
    {"--tls-cert", "FILE", option_text, AT(tls_certificate),
     "serve HTTPS with this certificate and those up to its authority's (PEM)", NULL},
    {"--tls-key", "FILE", option_text, AT(tls_key), "the certificate's key (PEM)", NULL},
    {.name = NULL},
};

static const struct option file_rows[] = {
    {"--db", "FILE", option_text, AT(db), "keep everything in this file (in memory)", NULL},
    {"--store", "URL", option_text, AT(store),
     "keep everything in a PostgreSQL database: postgresql://HOST/DATABASE?schema=NAME, which "
     "mockddb store init makes (docs/scale-out.md)",
     NULL},
    {"--workers", "N", option_number, AT(service.workers),
     "with --store: N processes answer requests, and one more does the jobs",
     OPTION_RANGE(1, 256, "a number of processes from 1 to 256")},
    {"--data-dir", "DIR", option_text, AT(data_dir),
     "keep each world and each snapshot in a file of this folder (in memory)", NULL},
    {"--s3-root", "DIR", option_text, AT(s3_root),
     "the folders in DIR are S3 buckets, for exports and imports (beside the --db file: FILE-s3; "
     "else a temporary folder)",
     NULL},
    {"--sync", "LEVEL", take_sync, 0,
     "off, normal or full: how the file is guarded against a power cut (normal)", NULL},
    {"--compact", NULL, option_flag, AT(compact), "make the file as small as it can be first",
     NULL},
    {.name = NULL},
};

static const struct option data_rows[] = {
    {"--fixtures", "NAME|PATH", option_list, AT(fixtures.names),
     "load tables and items at start; may be repeated", NULL},
    {"--table-prefix", "P", client_options_prefix, AT(fixtures.table_prefix),
     "put P in front of the fixtures' table names", NULL},
    {"--param", "NAME=VALUE", option_pair, AT(fixtures.params), TEMPLATE_PARAMS_HELP, NULL},
    {"--patterns", "FILE", option_list, AT(patterns),
     "access patterns that POST /_mockddb/patterns/run runs, besides the fixtures'; may be "
     "repeated",
     NULL},
    {.name = NULL},
};

static const struct option service_rows[] = {
    {"--account", "N", take_account, 0, "the account in ARNs (123456789012)", NULL},
    {"--region", "R", take_region, 0, "the region in ARNs (us-east-1)", NULL},
    {"--regions", "HOW", option_either, AT(service.regional),
     "one: all regions see the same tables; by-request: those of the region that a request is "
     "signed for (one)",
     OPTION_EITHER("one", "by-request")},
    {"--replica-lag-ms", "N", take_lag, AT(service.replica_lag_ms),
     "with --regions by-request, how long it takes until a write shows in replicas of other "
     "regions "
     "(0)",
     OPTION_RANGE(0, 3600000, "a number of milliseconds up to an hour")},
    {"--transition-ms", "N", option_number, AT(service.transition_ms),
     "how long tables stay CREATING, UPDATING or DELETING (0)",
     OPTION_RANGE(0, 3600000, "a number of milliseconds up to an hour")},
    {"--index-transition-ms", "N", option_number, AT(service.index_transition_ms),
     "how long each state of an index lasts that UpdateTable adds, where that is longer (0)",
     OPTION_RANGE(0, 3600000, "a number of milliseconds up to an hour")},
    {"--ttl-sweep-ms", "N", option_number, AT(service.ttl_sweep_ms),
     "from the end of an item's time to live to its deletion, at least a second (1000); 0: it "
     "stays",
     OPTION_RANGE(0, 86400000, "a number of milliseconds up to a day")},
    {"--stream-shards", "N", option_number, AT(service.stream_shards),
     "number of shards of new streams (1); an item's records stay in one shard",
     OPTION_RANGE(1, LIMIT_STREAM_SHARDS, "a number of shards from 1 to 100")},
    {"--kinesis-out", "DIR|URL", option_text, AT(service.kinesis_out),
     "write the records for each Kinesis stream to a file of this folder, in worlds other than the "
     "first to one of DIR/WORLD; http://HOST:PORT: send them there, as PutRecords (they are "
     "dropped)",
     NULL},
    {"--item-collection-limit", "SIZE", take_collection_limit, 0,
     "refuse writes by which the items of a partition key in a table with local indexes grow "
     "beyond "
     "SIZE, in the service 10GB (0: none are)",
     NULL},
    {"--search-conditions", "HOW", option_either, AT(service.extended_search),
     "what conditions of SearchVectors may ask for: equality: attributes that equal values, joined "
     "by AND; extended: also comparisons, BETWEEN, IN, functions, OR and NOT (equality)",
     OPTION_EITHER("equality", "extended")},
    {.name = NULL},
};

static const struct option fault_rows[] = {
    {"--faults", "FILE", option_list, AT(faults),
     "load fault rules, in the form of POST /_mockddb/faults; may be repeated", NULL},
    {"--throttle", "MODE[,TABLE]...", take_throttle, 0,
     "provisioned: tables, or these, give no more units than their settings say, and refuse the "
     "rest as the service does (off)",
     NULL},
    {"--throttle-burst", "HOW", take_burst, 0,
     "full or empty: how much burst capacity throttled tables have at first, of five minutes' "
     "units (full)",
     NULL},
    {.name = NULL},
};

static const struct option world_rows[] = {
    {"--worlds", "HOW", option_either, AT(worlds_by_key),
     "by-header: a request means the world that x-mockddb-world names, else the first; "
     "by-access-key: else its access key's (by-header)",
     OPTION_EITHER("by-header", "by-access-key")},
    {"--world-template", "WHAT", take_template, 0,
     "what new worlds begin with: empty, fixtures, or a snapshot of the first world (fixtures)",
     NULL},
    {"--world-idle-s", "N", option_number, AT(world_idle_s),
     "drop worlds that are unused for N seconds (0: never)",
     OPTION_RANGE(0, 31536000, "a number of seconds up to a year")},
    {"--max-worlds", "N", option_number, AT(max_worlds), "at most N worlds (1000)",
     OPTION_RANGE(1, 100000, "a number of worlds from 1 to 100000")},
    {"--worlds-memory", "MB", option_number, AT(worlds_memory_mb),
     "make no new worlds and snapshots while they use MB megabytes (4096)",
     OPTION_RANGE(1, 1048576, "a number of megabytes from 1 to 1048576")},
    {"--clock", "MOMENT[,frozen]", take_clock, 0,
     "the initial time of worlds: 2026-01-01T00:00:00Z, or fixture: when the fixture's data was "
     "taken (the real time)",
     NULL},
    {.name = NULL},
};

static const struct option journal_rows[] = {
    {"--journal", "N", option_number, AT(journal),
     "keep the newest N requests of each world for GET /_mockddb/journal (10000); 0: none",
     OPTION_RANGE(0, 1000000, "a number of requests up to a million")},
    {"--mask", "NAME", option_list, AT(masks),
     "an attribute whose values no journal shows; may be repeated", NULL},
    {"--fail-on", "RULES", take_fail_on, 0,
     "exit with 3 if the requests break a rule: no=Scan,max_read_units=20 (docs/journal.md)", NULL},
    {"--allow-none", NULL, option_flag, AT(allow_none),
     "with --fail-on: exit with 0 if no request came (3)", NULL},
    {"--explain", NULL, option_flag, AT(explains),
     "with run: list at the end which requests were refused, came back empty or could cost less, "
     "and why",
     NULL},
    {.name = NULL},
};

static const struct option local_rows[] = {
    {"-port", "N", take_port, 0, "as --port", NULL},
    {"-inMemory", NULL, option_flag, AT(in_memory), "in memory, as without --db", NULL},
    {"-dbPath", "DIR", option_text, AT(folder),
     "as --db DIR/" DB_NAME "; with options of this kind only, and without -inMemory, DIR is the "
     "working folder",
     NULL},
    {"-sharedDb", NULL, option_ignored, 0,
     "nothing: all credentials and regions see the same tables anyway", NULL},
    {"-cors", "ORIGINS", option_text, AT(cors_origins), "as --cors; without it, all", NULL},
    {"-delayTransientStatuses", NULL, take_delay, 0, "as --transition-ms 2000", NULL},
    {"-optimizeDbBeforeStartup", NULL, option_flag, AT(compact), "as --compact", NULL},
    {"-disableTelemetry", NULL, option_ignored, 0, "nothing: there is no telemetry", NULL},
    {"-jar", "FILE", option_ignored, 0, "ignored, like all options of java itself", NULL},
    {"-D*", NULL, option_ignored, 0, NULL, NULL},
    {"-X*", NULL, option_ignored, 0, NULL, NULL},
    {.name = NULL},
};

static const char *take_tools(const struct option_value *v)
{
    struct serve_options *o = v->into;

    o->mcp.tools = v->text;
    return *v->text ? mcp_tools_check(v->arena, v->text) : "is empty";
}

static const char *take_writes(const struct option_value *v)
{
    static const char *const words[] = {
        [MCP_WRITES_OWN] = "own", [MCP_WRITES_NONE] = "none", [MCP_WRITES_ANY] = "any"};
    struct serve_options *o = v->into;

    for (size_t i = 0; i < COUNT(words); i++)
        if (strcmp(v->text, words[i]) == 0) {
            o->mcp.writes = (enum mcp_writes)i;
            return NULL;
        }
    return "is not one of own, none, any";
}

static const struct option agent_rows[] = {
    {"--mcp", "FILE", option_text, AT(mcp_token),
     "give agents tools at /_mockddb/mcp, with the token in this file, which is made if it is "
     "missing (off)",
     NULL},
    {"--mcp-tools", "GROUPS", take_tools, 0,
     "the tools that are listed: rehearse, tests, data, separated by commas (rehearse)", NULL},
    {"--mcp-writes", "WHERE", take_writes, 0,
     "own: tools write only in worlds that an agent made; none: nowhere; any: in all worlds, after "
     "a snapshot of those that people use (own)",
     NULL},
    {"--mcp-files", "DIR", option_text, AT(mcp.files),
     "the folder in which import and export read and write files (none)", NULL},
    {.name = NULL},
};

static const struct option mcp_rows[] = {
    {"--endpoint", "URL", client_options_url, AT(endpoint),
     "ask this running server; without it, mcp has one of its own, and the options of serve", NULL},
    {"--print-config", NULL, option_flag, AT(prints_config),
     "print configuration for clients, and exit", NULL},
    {.name = NULL},
};

#define GROUPS                                                                            \
    {"Doors: where it listens, and who gets in", door_rows, AT(has_own)},                 \
        {"Files: what is kept, and where", file_rows, AT(has_own)},                       \
        {"Data: tables and items at the start", data_rows, AT(has_own)},                  \
        {"Service: how the service behaves", service_rows, AT(has_own)},                  \
        {"Faults: failures on demand", fault_rows, AT(has_own)},                          \
        {"Worlds: tests that share a server, and their clocks", world_rows, AT(has_own)}, \
        {"Journal: recorded requests, and rules for them", journal_rows, AT(has_own)},    \
        {"Agents: tools for them", agent_rows, 0},                                        \
    {                                                                                     \
        "Local: the options of DynamoDB Local", local_rows, AT(as_local)                  \
    }

const struct option_group serve_options_groups[] = {GROUPS, {NULL, NULL, 0}};

const struct option_group serve_options_mcp_groups[] = {
    {"With mcp", mcp_rows, 0}, GROUPS, {NULL, NULL, 0}};

const struct serve_options serve_options_default = {
    .port = 8000,
    .sync = STORE_SYNC_NORMAL,
    .fixtures.table_prefix = "",
    .journal = JOURNAL_COUNT,
    .service = {.region = SPAN_LIT_INIT(WORLD_REGION),
                .account = SPAN_LIT_INIT(WORLD_ACCOUNT),
                .ttl_sweep_ms = TTL_SWEEP_MS,
                .stream_shards = 1},
    .world_snapshot = "",
};

/* What a store in a database does not have, or has in another way. */
static const char *check_store(struct arena *a, const struct serve_options *o)
{
    const struct {
        bool given;
        const char *name;
    } refused[] = {
        {o->db != NULL, o->folder ? "-dbPath" : "--db"},
        {o->in_memory, "-inMemory"},
        {o->data_dir != NULL, "--data-dir"},
        {o->compact, "--compact"},
        {o->clock.moved, "--clock"},
        {o->worlds_by_key, "--worlds"},
        {o->world_template != serve_options_default.world_template, "--world-template"},
        {o->world_idle_s != serve_options_default.world_idle_s, "--world-idle-s"},
        {o->max_worlds != serve_options_default.max_worlds, "--max-worlds"},
        {o->worlds_memory_mb != serve_options_default.worlds_memory_mb, "--worlds-memory"},
        {o->service.item_collection_limit > 0, "--item-collection-limit"},
    };

    for (size_t i = 0; o->store && i < COUNT(refused); i++)
        if (refused[i].given)
            return arena_printf(a, "%s does not go with --store (docs/scale-out.md)",
                                refused[i].name);
    return NULL;
}

/* What belongs to one process, and would be of the one that happens to answer. */
static const char *check_workers(struct arena *a, const struct serve_options *o)
{
    const struct {
        bool given;
        const char *name;
    } refused[] = {
        {!o->store, "a server without --store"},
        {o->fail_on != NULL, "--fail-on"},
        {o->until_eof, "--until-eof"},
        {o->throttle.on, "--throttle"},
        {o->words != NULL, "run"},
    };

    for (size_t i = 0; o->service.workers && i < COUNT(refused); i++)
        if (refused[i].given)
            return arena_printf(a, "--workers does not go with %s (docs/scale-out.md)",
                                refused[i].name);
    return NULL;
}

const char *serve_options_check(struct arena *a, void *options)
{
    struct serve_options *o = options;
    const char *problem;

    o->opens_to_all = o->as_local && !o->cors_origins;
    if (o->opens_to_all)
        o->cors_origins = "*";
    if (o->folder && o->db)
        return "--db and -dbPath cannot both be given";
    if (o->in_memory && (o->folder || o->db))
        return o->folder ? "-inMemory and -dbPath cannot both be given"
                         : "-inMemory and --db cannot both be given";
    if (o->folder)
        o->db = arena_printf(a, "%s/" DB_NAME, o->folder);
    o->keeps_as_local = o->as_local && !o->has_own && !o->db && !o->in_memory && !o->compact;
    if (o->keeps_as_local)
        o->db = DB_NAME;
    if ((problem = check_store(a, o)) || (problem = check_workers(a, o)))
        return problem;
    if (o->in_memory && o->data_dir)
        return "-inMemory and --data-dir cannot both be given";
    o->has_s3_root = o->s3_root != NULL;
    if (o->data_dir && !o->s3_root)
        o->s3_root = arena_printf(a, "%s/s3", o->data_dir);
    if (o->db && !o->s3_root)
        o->s3_root = arena_printf(a, "%s-s3", o->db);
    if (o->data_dir && !o->db)
        o->db = world_files_world(a, o->data_dir, SPAN_LIT(WORLD_FIRST));
    if (o->compact && !o->db)
        return "there is no file to compact: give --db or -dbPath";
    if (o->has_sync && !o->db && !o->store)
        return "--sync is about a file: give --db or -dbPath";
    if (o->clock_of_fixture && !o->fixtures.names.count)
        return "--clock fixture is about a fixture: give --fixtures";
    if (o->has_lag && !o->service.regional)
        return "--replica-lag-ms is about separate regions: give --regions by-request";
    if (o->allow_none && !o->fail_on)
        return "--allow-none is about what is asserted: give --fail-on";
    if (o->has_burst && !o->throttle.on)
        return "--throttle-burst is about tables that are throttled: give --throttle provisioned";
    if (o->explains && o->masks.count)
        return "--explain shows values of items, also those that --mask hides: give one of them";
    if (o->masks.count && !o->journal)
        return "--mask is about the journal, and --journal 0 keeps none";
    if (o->mcp_token && o->no_admin)
        return "--mcp gives tools that use the verbs, which --no-admin leaves out";
    if (!o->tls_certificate != !o->tls_key)
        return "--tls-cert and --tls-key go together";
    return NULL;
}
