#include "config.h"

#include <errno.h>
#include <stdlib.h>

#include "base/buf.h"
#include "model/limits.h"
#include "ops/stream/stream.h"

#define DB_NAME           "mockddb.db" /* what -dbPath's folder holds */
#define LOCAL_DELAY_MS    2000         /* what -delayTransientStatuses means */
#define MAX_TRANSITION_MS 3600000
#define TTL_SWEEP_MS      60000
#define MAX_TTL_SWEEP_MS  86400000

struct parsing {
    struct arena *arena;
    struct config *config;
    const char *folder; /* of -dbPath */
    bool in_memory;     /* was asked for by name */
    bool has_sync;
};

/* Takes an option's value (NULL for a flag); NULL, or what is wrong with it: "… is …". */
typedef const char *take_option(struct parsing *p, const char *value);

struct option {
    const char *name;
    const char *value; /* its name in the help; NULL for a flag */
    enum config_command command;
    take_option *take;
    const char *help; /* NULL: another spelling of the option before */
};

static const char *take_host(struct parsing *p, const char *value)
{
    p->config->host = value;
    return *value ? NULL : "is empty";
}

/* Digits only, up to `max`. */
static bool read_number(const char *text, long max, long *out)
{
    char *end;

    if (*text < '0' || *text > '9')
        return false;
    errno = 0;
    *out = strtol(text, &end, 10);
    return !*end && !errno && *out <= max;
}

static const char *take_port(struct parsing *p, const char *value)
{
    long port;

    if (!read_number(value, UINT16_MAX, &port))
        return "is no port: 0 to 65535, 0 for any that is free";
    p->config->port = (uint16_t)port;
    return NULL;
}

static const char *take_db(struct parsing *p, const char *value)
{
    p->config->db = value;
    return *value ? NULL : "is empty";
}

static const char *take_folder(struct parsing *p, const char *value)
{
    p->folder = value;
    return *value ? NULL : "is empty";
}

static const char *take_in_memory(struct parsing *p, const char *value)
{
    (void)value;
    p->in_memory = true;
    return NULL;
}

/* Everything is one database here, and nothing is reported to anybody. */
static const char *take_nothing(struct parsing *p, const char *value)
{
    (void)p, (void)value;
    return NULL;
}

static const char *take_compact(struct parsing *p, const char *value)
{
    (void)value;
    p->config->compact = true;
    return NULL;
}

static const char *take_read_only(struct parsing *p, const char *value)
{
    (void)value;
    p->config->read_only = true;
    return NULL;
}

static const char *take_sync(struct parsing *p, const char *value)
{
    static const char *const levels[] = {
        [STORE_SYNC_OFF] = "off", [STORE_SYNC_NORMAL] = "normal", [STORE_SYNC_FULL] = "full"};

    p->has_sync = true;
    for (size_t i = 0; i < COUNT(levels); i++) {
        if (strcmp(value, levels[i]) == 0) {
            p->config->sync = (enum store_sync)i;
            return NULL;
        }
    }
    return "is none of off, normal, full";
}

static const char *take_fixtures(struct parsing *p, const char *value)
{
    struct config *c = p->config;

    c->fixtures = arena_grow(p->arena, c->fixtures, c->fixture_count * sizeof *c->fixtures,
                             (c->fixture_count + 1) * sizeof *c->fixtures);
    c->fixtures[c->fixture_count++] = value;
    return *value ? NULL : "is empty";
}

static bool consists_of(const char *text, const char *characters)
{
    return !text[strspn(text, characters)];
}

#define DIGITS  "0123456789"
#define LOWER   "abcdefghijklmnopqrstuvwxyz"
#define CAPITAL "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

static const char *take_prefix(struct parsing *p, const char *value)
{
    p->config->table_prefix = value;
    return consists_of(value, DIGITS LOWER CAPITAL "_.-")
               ? NULL
               : "has characters that table names cannot have";
}

static const char *take_region(struct parsing *p, const char *value)
{
    p->config->region = value;
    return *value && strlen(value) < 64 && consists_of(value, DIGITS LOWER "-")
               ? NULL
               : "is no region such as us-east-1";
}

static const char *take_account(struct parsing *p, const char *value)
{
    p->config->account = value;
    return strlen(value) == 12 && consists_of(value, DIGITS) ? NULL : "is no account of 12 digits";
}

static const char *take_transition(struct parsing *p, const char *value)
{
    long ms;

    if (!read_number(value, MAX_TRANSITION_MS, &ms))
        return "is no number of milliseconds up to an hour";
    p->config->transition_ms = ms;
    return NULL;
}

static const char *take_delay(struct parsing *p, const char *value)
{
    (void)value;
    p->config->transition_ms = LOCAL_DELAY_MS;
    return NULL;
}

static const char *take_ttl_sweep(struct parsing *p, const char *value)
{
    long ms;

    if (!read_number(value, MAX_TTL_SWEEP_MS, &ms))
        return "is no number of milliseconds up to a day";
    p->config->ttl_sweep_ms = ms;
    return NULL;
}

static const char *take_shards(struct parsing *p, const char *value)
{
    long count;

    if (!read_number(value, LIMIT_STREAM_SHARDS, &count) || !count)
        return "is no number of shards from 1 to 100";
    p->config->stream_shards = (uint32_t)count;
    return NULL;
}

static const char *take_cors(struct parsing *p, const char *value)
{
    p->config->cors_origins = value;
    return *value ? NULL : "is empty";
}

static const char *take_keys(struct parsing *p, const char *value)
{
    p->config->keys = value;
    return *value ? NULL : "is empty";
}

static const char *take_certificate(struct parsing *p, const char *value)
{
    p->config->tls_certificate = value;
    return *value ? NULL : "is empty";
}

static const char *take_tls_key(struct parsing *p, const char *value)
{
    p->config->tls_key = value;
    return *value ? NULL : "is empty";
}

static const char *take_endpoint(struct parsing *p, const char *value)
{
    p->config->endpoint = value;
    return strncmp(value, "http://", 7) == 0 || strncmp(value, "https://", 8) == 0
               ? NULL
               : "does not begin with http:// or https://";
}

static const char *take_help(struct parsing *p, const char *value)
{
    (void)value;
    p->config->command = CONFIG_HELP;
    return NULL;
}

static const char *take_version(struct parsing *p, const char *value)
{
    (void)value;
    p->config->command = CONFIG_VERSION;
    return NULL;
}

/* In the order of the help. Options with one dash are DynamoDB Local's. */
static const struct option options[] = {
    {"--host", "ADDRESS", CONFIG_SERVE, take_host, "listen on this address (127.0.0.1)"},
    {"--port", "N", CONFIG_SERVE, take_port, "listen on this port (8000); 0 takes a free one"},
    {"--db", "FILE", CONFIG_SERVE, take_db, "keep everything in this file (in memory)"},
    {"--sync", "LEVEL", CONFIG_SERVE, take_sync,
     "off, normal or full: how the file is guarded against a power cut (normal)"},
    {"--compact", NULL, CONFIG_SERVE, take_compact, "make the file as small as it can be first"},
    {"--fixtures", "NAME|DIR", CONFIG_SERVE, take_fixtures,
     "load tables and items at start; may be repeated"},
    {"--table-prefix", "P", CONFIG_SERVE, take_prefix,
     "goes in front of the fixtures' table names"},
    {"--region", "R", CONFIG_SERVE, take_region, "the region in ARNs (us-east-1)"},
    {"--account", "N", CONFIG_SERVE, take_account, "the account in ARNs (123456789012)"},
    {"--transition-ms", "N", CONFIG_SERVE, take_transition,
     "how long tables stay CREATING, UPDATING or DELETING (0)"},
    {"--ttl-sweep-ms", "N", CONFIG_SERVE, take_ttl_sweep,
     "time between two sweeps for expired items (60000); 0: they stay"},
    {"--stream-shards", "N", CONFIG_SERVE, take_shards,
     "shards of each new stream (1); an item's records stay in one"},
    {"--read-only", NULL, CONFIG_SERVE, take_read_only,
     "refuse writes, once the fixtures are loaded; items do not expire"},
    {"--cors", "ORIGINS", CONFIG_SERVE, take_cors,
     "origins, separated by commas, whose pages may read answers (*)"},
    {"--require-signature", "FILE", CONFIG_SERVE, take_keys,
     "let only requests in that are signed with a key of this file"},
    {"--tls-cert", "FILE", CONFIG_SERVE, take_certificate,
     "serve HTTPS with this certificate and those up to its authority's (PEM)"},
    {"--tls-key", "FILE", CONFIG_SERVE, take_tls_key, "the certificate's key (PEM)"},
    {"--endpoint", "URL", CONFIG_HEALTHCHECK, take_endpoint,
     "with healthcheck: the server to ask (http://127.0.0.1:8000)"},
    {"--version", NULL, CONFIG_VERSION, take_version, "print the version"},
    {"--help", NULL, CONFIG_HELP, take_help, "print this"},
    {"-version", NULL, CONFIG_VERSION, take_version, NULL},
    {"-help", NULL, CONFIG_HELP, take_help, NULL},
    {"-h", NULL, CONFIG_HELP, take_help, NULL},
    {"-port", "N", CONFIG_SERVE, take_port, "as --port"},
    {"-inMemory", NULL, CONFIG_SERVE, take_in_memory, "in memory, as without --db"},
    {"-dbPath", "DIR", CONFIG_SERVE, take_folder, "as --db DIR/" DB_NAME},
    {"-sharedDb", NULL, CONFIG_SERVE, take_nothing,
     "nothing: all credentials and regions see the same tables anyway"},
    {"-cors", "ORIGINS", CONFIG_SERVE, take_cors, "as --cors"},
    {"-delayTransientStatuses", NULL, CONFIG_SERVE, take_delay, "as --transition-ms 2000"},
    {"-optimizeDbBeforeStartup", NULL, CONFIG_SERVE, take_compact, "as --compact"},
    {"-disableTelemetry", NULL, CONFIG_SERVE, take_nothing, "nothing: there is no telemetry"},
};

static const struct {
    const char *name;
    enum config_command command;
    const char *help;
} commands[] = {
    {"serve", CONFIG_SERVE, "answer requests until SIGTERM or Ctrl-C; what happens without a word"},
    {"healthcheck", CONFIG_HEALTHCHECK, "exit 0 when a server answers, 1 when none does"},
};

/* The option that `argument` names, alone or as `--name=value`. */
static const struct option *find_option(const char *argument, const char **inline_value)
{
    size_t len = strcspn(argument, "=");

    *inline_value = argument[len] ? argument + len + 1 : NULL;
    for (size_t i = 0; i < COUNT(options); i++)
        if (strlen(options[i].name) == len && strncmp(options[i].name, argument, len) == 0)
            return &options[i];
    return NULL;
}

/* Options of one command do not go with another; --help and --version go with all. */
static bool goes_with(const struct option *option, enum config_command command)
{
    return option->command == command || option->command > CONFIG_HEALTHCHECK ||
           command > CONFIG_HEALTHCHECK;
}

/* Takes the option at *argv and steps past what it took. */
static const char *parse_option(struct parsing *p, char *const **argv)
{
    const char *argument = *(*argv)++;
    const char *value, *problem;
    const struct option *option = find_option(argument, &value);

    if (!option)
        return arena_printf(p->arena, "unknown option %s; --help lists all", argument);
    if (!goes_with(option, p->config->command))
        return arena_printf(p->arena, "option %s does not go with this command", option->name);
    if (option->value && !value && !(value = *(*argv)))
        return arena_printf(p->arena, "option %s needs a value: %s", option->name, option->value);
    if (!option->value && value)
        return arena_printf(p->arena, "option %s takes no value", option->name);
    if (option->value && value == **argv)
        (*argv)++;
    if ((problem = option->take(p, value)))
        return arena_printf(p->arena, "option %s: \"%s\" %s", option->name, value, problem);
    return NULL;
}

static const char *parse_command(struct parsing *p, const char *word)
{
    for (size_t i = 0; i < COUNT(commands); i++) {
        if (strcmp(word, commands[i].name) == 0) {
            p->config->command = commands[i].command;
            return NULL;
        }
    }
    return arena_printf(p->arena, "unknown command %s; --help lists all", word);
}

/* What options say about each other. */
static const char *check_together(struct parsing *p)
{
    struct config *c = p->config;

    if (p->folder && c->db)
        return "--db and -dbPath cannot both be given";
    if (p->in_memory && (p->folder || c->db))
        return p->folder ? "-inMemory and -dbPath cannot both be given"
                         : "-inMemory and --db cannot both be given";
    if (p->folder)
        c->db = arena_printf(p->arena, "%s/" DB_NAME, p->folder);
    if (c->compact && !c->db)
        return "there is no file to make smaller: give --db or -dbPath";
    if (p->has_sync && !c->db)
        return "--sync is about a file: give --db or -dbPath";
    if (!c->tls_certificate != !c->tls_key)
        return "--tls-cert and --tls-key go together";
    return NULL;
}

const char *config_parse(struct arena *a, int argc, char *const *argv, struct config *out)
{
    struct parsing p = {.arena = a, .config = out};
    const char *problem;

    *out = (struct config){
        .host = "127.0.0.1",
        .port = 8000,
        .sync = STORE_SYNC_NORMAL,
        .table_prefix = "",
        .region = "us-east-1",
        .account = "123456789012",
        .ttl_sweep_ms = TTL_SWEEP_MS,
        .stream_shards = 1,
        .cors_origins = "*",
        .endpoint = "http://127.0.0.1:8000",
    };
    if (argc)
        argv++;
    if (*argv && **argv != '-' && (problem = parse_command(&p, *argv++)))
        return problem;
    while (*argv) {
        if (**argv != '-')
            return arena_printf(a, "unexpected word %s; --help lists all options", *argv);
        if ((problem = parse_option(&p, &argv)))
            return problem;
    }
    return check_together(&p);
}

const char *config_help(struct arena *a)
{
    struct buf out = buf_in(a);

    buf_add_text(&out, "usage: mockddb [command] [options]\n\n");
    for (size_t i = 0; i < COUNT(commands); i++)
        buf_printf(&out, "  %-27s%s\n", commands[i].name, commands[i].help);
    buf_add_char(&out, '\n');
    for (size_t i = 0; i < COUNT(options); i++) {
        const struct option *o = &options[i];

        if (o->help)
            buf_printf(&out, "  %-27s%s\n",
                       o->value ? arena_printf(a, "%s %s", o->name, o->value) : o->name, o->help);
    }
    return buf_text(&out);
}
