#include "commands/serve_options.h"

#include "client/client_options.h"
#include "mcp/mcp_tools.h"

#define DB_NAME        "mockddb.db" /* the file in the folder of -dbPath */
#define LOCAL_DELAY_MS 2000         /* for -delayTransientStatuses */

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

static const char *take_allowed_host(const struct option_value *v)
{
    return !option_list(v) && !strpbrk(v->text, ":/[], ") ? NULL
                                                          : "is not a name such as db.example";
}

static const char *take_delay(const struct option_value *v)
{
    struct serve_options *o = v->into;

    o->setup.service.transition_ms = LOCAL_DELAY_MS;
    return NULL;
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
    {"-optimizeDbBeforeStartup", NULL, option_flag, AT(setup.compact), "as --compact", NULL},
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
    {"--mcp-seconds", "N", option_number, AT(mcp.seconds),
     "the time that a call may take; then its work is ended (60)",
     OPTION_RANGE(1, 3600, "a number of seconds up to an hour")},
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

#define GROUPS                                                                                  \
    {"Doors: where it listens, and who gets in", door_rows, AT(has_own)},                       \
        {"Files: what is kept, and where", setup_options_files, AT(has_own)},                   \
        {"Data: tables and items at the start", setup_options_data, AT(has_own)},               \
        {"Service: how the service behaves", setup_options_service, AT(has_own)},               \
        {"Faults: failures on demand", setup_options_faults, AT(has_own)},                      \
        {"Worlds: tests that share a server, and their clocks", setup_options_worlds,           \
         AT(has_own)},                                                                          \
        {"Journal: recorded requests, and rules for them", setup_options_journal, AT(has_own)}, \
        {"Agents: tools for them", agent_rows, 0},                                              \
    {                                                                                           \
        "Local: the options of DynamoDB Local", local_rows, AT(as_local)                        \
    }

const struct option_group serve_options_groups[] = {GROUPS, {NULL, NULL, 0}};

const struct option_group serve_options_mcp_groups[] = {
    {"With mcp", mcp_rows, 0}, GROUPS, {NULL, NULL, 0}};

const struct serve_options serve_options_default = {.setup = SETUP_OPTIONS_DEFAULT, .port = 8000};

/* What a store in a database does not have, or has in another way. */
static const char *check_store(struct arena *a, const struct serve_options *o)
{
    const struct {
        bool given;
        const char *name;
    } refused[] = {
        {o->setup.db != NULL, o->folder ? "-dbPath" : "--db"},
        {o->in_memory, "-inMemory"},
        {o->setup.data_dir != NULL, "--data-dir"},
        {o->setup.compact, "--compact"},
        {o->setup.clock.moved, "--clock"},
        {o->setup.worlds_by_key, "--worlds"},
        {o->setup.world_template != serve_options_default.setup.world_template, "--world-template"},
        {o->setup.world_idle_s != serve_options_default.setup.world_idle_s, "--world-idle-s"},
        {o->setup.max_worlds != serve_options_default.setup.max_worlds, "--max-worlds"},
        {o->setup.worlds_memory_mb != serve_options_default.setup.worlds_memory_mb,
         "--worlds-memory"},
        {o->setup.service.item_collection_limit > 0, "--item-collection-limit"},
    };

    for (size_t i = 0; o->setup.store && i < COUNT(refused); i++)
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
        {!o->setup.store, "a server without --store"},
        {o->setup.fail_on != NULL, "--fail-on"},
        {o->until_eof, "--until-eof"},
        {o->setup.throttle.on, "--throttle"},
        {o->words != NULL, "run"},
    };

    for (size_t i = 0; o->setup.service.workers && i < COUNT(refused); i++)
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
    if (o->folder && o->setup.db)
        return "--db and -dbPath cannot both be given";
    if (o->in_memory && (o->folder || o->setup.db))
        return o->folder ? "-inMemory and -dbPath cannot both be given"
                         : "-inMemory and --db cannot both be given";
    if (o->folder)
        o->setup.db = arena_printf(a, "%s/" DB_NAME, o->folder);
    o->keeps_as_local = o->as_local && !o->has_own && !o->setup.db && !o->in_memory &&
                        !o->setup.compact;
    if (o->keeps_as_local)
        o->setup.db = DB_NAME;
    if ((problem = check_store(a, o)) || (problem = check_workers(a, o)))
        return problem;
    if (o->in_memory && o->setup.data_dir)
        return "-inMemory and --data-dir cannot both be given";
    if ((problem = setup_options_check(a, &o->setup)))
        return problem;
    if (o->mcp_token && o->no_admin)
        return "--mcp gives tools that use the verbs, which --no-admin leaves out";
    if (!o->tls_certificate != !o->tls_key)
        return "--tls-cert and --tls-key go together";
    return NULL;
}
