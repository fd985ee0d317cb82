#include "setup/setup_options.h"

#include "base/ascii.h"
#include "base/date.h"
#include "client/client_prefix.h"
#include "journal/assertions.h"
#include "model/limits.h"
#include "model/names.h"
#include "templates/template_params.h"

#define MAX_COLLECTION 1000000000

static const char *take_sync(const struct option_value *v)
{
    struct setup_options *o = v->into;
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
    struct setup_options *o = v->into;
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
    struct setup_options *o = v->into;

    o->has_burst = true;
    o->throttle.empty = strcmp(v->text, "empty") == 0;
    return o->throttle.empty || strcmp(v->text, "full") == 0 ? NULL : "is not one of full, empty";
}

/* Reads 500, 64KB, 1MB or 10GB. */
static const char *take_collection_limit(const struct option_value *v)
{
    static const char *const units[] = {"", "KB", "MB", "GB"};
    struct setup_options *o = v->into;
    size_t digits = strspn(v->text, "0123456789"), unit = 0;
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
    struct setup_options *o = v->into;
    const struct problem *p = assertions_read_words(v->arena, v->text, &o->fail_on);

    *v->adds = true;
    return p ? arena_printf(v->arena, "is not understood: %s", problem_text(v->arena, p)) : NULL;
}

static const char *take_region(const struct option_value *v)
{
    struct setup_options *o = v->into;

    o->service.region = span_of(v->text);
    return names_is_region(o->service.region) ? NULL : "is not a region such as us-east-1";
}

static const char *take_account(const struct option_value *v)
{
    struct setup_options *o = v->into;

    o->service.account = span_of(v->text);
    return strlen(v->text) == LIMIT_ACCOUNT_DIGITS &&
                   span_is_all(o->service.account, ascii_is_digit)
               ? NULL
               : "is not an account of 12 digits";
}

static const char *take_lag(const struct option_value *v)
{
    struct setup_options *o = v->into;

    o->has_lag = true;
    return option_number(v);
}

/* Reads "fixture", "real" or a time; ",frozen" after it stops the clock. */
static const char *take_clock(const struct option_value *v)
{
    struct setup_options *o = v->into;
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
    struct setup_options *o = v->into;

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

#define AT(member) offsetof(struct setup_options, member)

const struct option setup_options_files[] = {
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

const struct option setup_options_data[] = {
    {"--fixtures", "NAME|PATH", option_list, AT(fixtures.names),
     "load tables and items at start; may be repeated", NULL},
    {"--table-prefix", "P", client_prefix_take, AT(fixtures.table_prefix),
     "put P in front of the fixtures' table names", NULL},
    {"--param", "NAME=VALUE", option_pair, AT(fixtures.params), TEMPLATE_PARAMS_HELP, NULL},
    {"--patterns", "FILE", option_list, AT(patterns),
     "access patterns that POST /_mockddb/patterns/run runs, besides the fixtures'; may be "
     "repeated",
     NULL},
    {.name = NULL},
};

const struct option setup_options_service[] = {
    {"--account", "N", take_account, 0, "the account in ARNs (123456789012)", NULL},
    {"--region", "R", take_region, 0, "the region in ARNs (us-east-1)", NULL},
    {"--read-only", NULL, option_flag, AT(service.read_only),
     "refuse writes, once the fixtures are loaded; items do not expire", NULL},
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

const struct option setup_options_faults[] = {
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

const struct option setup_options_worlds[] = {
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

const struct option setup_options_journal[] = {
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

const struct setup_options setup_options_default = SETUP_OPTIONS_DEFAULT;

const char *setup_options_check(struct arena *a, struct setup_options *o)
{
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
    return NULL;
}
