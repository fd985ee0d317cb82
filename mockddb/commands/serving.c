#include "commands/serving.h"

#include "base/cut.h"
#include "base/file.h"
#include "base/log.h"
#include "base/terminal.h"
#include "client/client_kinesis.h"
#include "commands/command.h"
#include "commands/loaded_patterns.h"
#include "explain/explain_summary.h"
#include "fixtures/fixtures.h"
#include "fixtures/fixtures_moment.h"
#include "http/http_handler.h"
#include "journal/coverage.h"
#include "ops/kinesis/kinesis_sink.h"
#include "ops/transfer/buckets.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Fault rules for every world. */
struct rule_file {
    const char *name;
    const char *table_prefix; /* the prefix of the tables that the rules name */
    struct span text;
};

/* Reads the journal's entries for --fail-on and the report of run. */
struct watching {
    struct journal_reader reader;  /* first */
    struct assertions *assertions; /* NULL: none */
    struct run_report *report;     /* NULL: no report is needed */
};

/* Sends the records of all worlds to a Kinesis endpoint. */
struct kinesis_sender {
    struct kinesis_sink sink; /* first */
    struct client_kinesis *client;
};

/* Everything that lives as long as the server. */
struct serving {
    struct arena *arena;
    const struct serve_options *options;
    const struct serving_role *role; /* NULL: it is the only process */
    struct clock *clock;             /* the real time */
    struct fixtures_moment moment;
    bool is_loaded;          /* the first world has its fixtures */
    struct clock_time start; /* initial time of worlds */
    struct buckets *buckets; /* shared by all worlds */
    struct kinesis_sender
        *kinesis; /* shared by all worlds; NULL: records are written to files, or dropped */
    struct worlds *worlds;
    const struct http_keys *keys; /* NULL: signatures are not verified */
    struct http_tls *tls;         /* NULL: plain HTTP */
    const char *mcp_token;        /* NULL: no tools for agents over HTTP */
    struct watching watching;
    struct rule_file *rule_files;
    size_t rule_file_count;
    struct admin_patterns patterns;
    struct coverage *coverage;       /* of all worlds; NULL: no patterns were loaded */
    struct explain_summary *summary; /* of all worlds; NULL: without --explain */
    struct http_handler *handler;
    struct http_server *server;
};

static bool does_jobs(const struct serving *s)
{
    return !s->role || s->role->does_jobs;
}

/* The assertions of --fail-on and the report of run cover all worlds together. */
static void take_entry(struct journal_reader *self, struct span world,
                       const struct journal_entry *e)
{
    struct watching *w = (struct watching *)self;

    if (w->assertions)
        assertions_take(w->assertions, world, e);
    if (w->report)
        run_report_take(w->report, e);
}

/* Adds the initial fault rules to a world. */
static const struct problem *begin_world(void *serving, struct arena *a, struct world *w)
{
    const struct serving *s = serving;
    const struct problem *p;

    for (size_t i = 0; i < s->rule_file_count; i++) {
        const struct rule_file *file = &s->rule_files[i];

        if ((p = world_add_faults(w, a, file->text, file->table_prefix)))
            return problem_new(a, PROBLEM_FAILED, "%s: %s", file->name, p->text);
    }
    return NULL;
}

static void note_template(struct moving_report *r, const char *text)
{
    (void)r;
    log_error("%s", text);
}

/* Loads the fixtures into a world, as at the start. */
static const struct problem *fill_world(void *serving, struct arena *a, struct world *w)
{
    const struct serving *s = serving;
    struct moving_fixtures fixtures = s->options->fixtures;

    fixtures.progress = progress_new(a, s->clock, isatty(STDERR_FILENO) ? stderr : NULL);
    fixtures.note = s->is_loaded ? NULL : note_template;
    return problem_of(a, PROBLEM_FAILED,
                      moving_fixtures_load(a, world_dispatcher(w), world_settings(w), &fixtures));
}

/* Finds the time at which the fixtures' data was taken: items' times to live are only right at that
 * time. */
static const struct problem *find_moment(struct serving *s)
{
    const struct serve_options *o = s->options;
    const char *problem = fixtures_moment_read(s->arena, o->fixtures.names.at,
                                               o->fixtures.names.count, o->fixtures.table_prefix,
                                               &s->moment);

    s->start = o->clock;
    if (problem)
        return problem_of(s->arena, PROBLEM_FAILED, problem);
    if (o->clock_of_fixture) {
        s->start.now_ms = s->moment.taken_ms;
        return s->moment.fixture
                   ? NULL
                   : problem_new(s->arena, PROBLEM_FAILED,
                                 "--clock fixture: none of the fixtures names a moment");
    }
    if (s->moment.fixture && does_jobs(s))
        log_error("the items of fixture %s, which was taken at %s, do not expire%s",
                  s->moment.fixture, clock_iso_time(s->arena, s->moment.taken_ms),
                  o->store ? "" : "; with --clock fixture they do, from then on");
    return NULL;
}

/* A folder given by option must exist; a default one is created when it is needed. */
static const struct problem *open_buckets(struct serving *s)
{
    const struct serve_options *o = s->options;

    s->buckets = buckets_new(o->s3_root);
    if (!o->has_s3_root || buckets_folder(s->buckets))
        return NULL;
    return problem_new(s->arena, PROBLEM_FAILED, "--s3-root %s cannot be used", o->s3_root);
}

static const struct problem *open_worlds(struct serving *s)
{
    const struct serve_options *o = s->options;
    struct worlds_options options = {
        .first = {.store = {.path = o->db,
                            .url = o->store,
                            .sync = o->sync,
                            .compact = o->compact,
                            .read_only = o->service.read_only,
                            .no_jobs = !does_jobs(s)},
                  .settings = o->service,
                  .throttle = o->throttle,
                  .journal = {.count = (size_t)o->journal,
                              .bytes = JOURNAL_BYTES,
                              .masks = o->masks.at,
                              .mask_count = o->masks.count,
                              .reader = s->watching.assertions || s->watching.report
                                            ? &s->watching.reader
                                            : NULL,
                              .catalogue = s->patterns.catalogue,
                              .total = s->coverage}},
        .start = s->start,
        .fill = o->fixtures.names.count ? fill_world : NULL,
        .fill_data = s,
        .begin = begin_world,
        .begin_data = s,
        .template = o->world_template,
        .snapshot = span_of(o->world_snapshot),
        .max_count = (size_t)o->max_worlds,
        .max_memory = (size_t)o->worlds_memory_mb << 20,
        .idle_ms = o->world_idle_s * 1000,
        .summary = s->summary,
        .folder = o->data_dir,
    };
    struct settings *settings = &options.first.settings;

    settings->buckets = s->buckets;
    if (!does_jobs(s)) {
        settings->kinesis_elsewhere = settings->kinesis_out != NULL;
        settings->kinesis_out = NULL;
    }
    if (s->kinesis) {
        settings->kinesis_out = NULL;
        settings->kinesis_sink = &s->kinesis->sink;
    }
    if (!o->clock_of_fixture) {
        settings->kept_tables = s->moment.tables;
        settings->kept_table_count = s->moment.table_count;
    }
    if (o->data_dir && mkdir(o->data_dir, 0777) && errno != EEXIST)
        return problem_new(s->arena, PROBLEM_FAILED, "%s cannot be made: %s", o->data_dir,
                           strerror(errno));
    return worlds_new(s->arena, &options, &s->worlds);
}

/* A fixture's rules are for its own tables, whose names get the prefix. */
static const struct problem *read_rule_files(struct serving *s)
{
    const struct serve_options *o = s->options;
    const char *problem;
    struct span text;

    s->rule_files = arena_array(s->arena, o->fixtures.names.count + o->faults.count,
                                sizeof *s->rule_files);
    for (size_t i = 0; i < o->fixtures.names.count; i++) {
        if ((problem = fixtures_read_faults(s->arena, o->fixtures.names.at[i], &text)))
            return problem_of(s->arena, PROBLEM_FAILED, problem);
        if (text.len)
            s->rule_files[s->rule_file_count++] = (struct rule_file){
                arena_printf(s->arena, "%s/faults.json", o->fixtures.names.at[i]),
                o->fixtures.table_prefix, text};
    }
    for (size_t i = 0; i < o->faults.count; i++) {
        if (!file_read(s->arena, o->faults.at[i], &text))
            return problem_new(s->arena, PROBLEM_FAILED, "%s cannot be read: %s", o->faults.at[i],
                               strerror(errno));
        s->rule_files[s->rule_file_count++] = (struct rule_file){o->faults.at[i], "", text};
    }
    return NULL;
}

static const struct problem *load_keys(struct serving *s)
{
    const char *problem = NULL;

    if (s->options->keys)
        s->keys = http_keys_load(s->arena, s->options->keys, &problem);
    return problem_of(s->arena, PROBLEM_FAILED, problem);
}

static const struct problem *load_certificate(struct serving *s)
{
    struct http_tls_files files = {s->options->tls_certificate, s->options->tls_key};
    const char *problem = NULL;

    if (files.certificate)
        s->tls = http_tls_new(s->arena, &files, &problem);
    return problem_of(s->arena, PROBLEM_FAILED, problem);
}

static const struct problem *load_patterns(struct serving *s)
{
    const struct serve_options *o = s->options;
    const struct problem *p = loaded_patterns_read(s->arena, &o->patterns, &o->fixtures,
                                                   &s->patterns);

    if (p)
        return problem_of(s->arena, PROBLEM_FAILED, problem_text(s->arena, p));
    if (s->patterns.catalogue) {
        s->coverage = coverage_new(s->patterns.catalogue);
        coverage_tell(s->coverage);
    }
    if (!o->fail_on || !(p = assertions_know(s->arena, o->fail_on, s->patterns.catalogue)))
        return NULL;
    return problem_invalid(s->arena, "--fail-on: %s", problem_text(s->arena, p));
}

#define TOKEN_BYTES 24 /* random ones of a new token */
#define TOKEN_LEAST 16 /* characters of a token */

static bool is_in_token(char c)
{
    return c > ' ' && c < '\x7f';
}

/* Reads the token from the first line of the file, or makes the file, for this user alone. */
static const struct problem *load_token(struct serving *s)
{
    const char *path = s->options->mcp_token;
    unsigned char bytes[TOKEN_BYTES];
    struct buf made = buf_in(s->arena);
    struct span text;
    int fd;

    if (!path)
        return NULL;
    fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd >= 0) {
        clock_random(s->clock, bytes, sizeof bytes);
        buf_add_hex(&made, bytes, sizeof bytes);
        buf_add_char(&made, '\n');
        if (!file_write(fd, buf_span(&made)) || close(fd))
            return problem_new(s->arena, PROBLEM_FAILED, "--mcp %s: %s", path, strerror(errno));
    }
    if (!file_read(s->arena, path, &text))
        return problem_new(s->arena, PROBLEM_FAILED, "--mcp %s: %s", path, strerror(errno));
    text = cut_part(&text, '\n');
    if (text.len && text.at[text.len - 1] == '\r')
        text.len--;
    if (text.len < TOKEN_LEAST || !span_is_all(text, is_in_token))
        return problem_new(s->arena, PROBLEM_FAILED,
                           "--mcp %s: its first line is no token: %d or more characters without "
                           "blanks",
                           path, TOKEN_LEAST);
    s->mcp_token = arena_text(s->arena, text);
    return NULL;
}

/* The console uses the verbs, and its requests are not signed. */
static unsigned left_out(const struct serve_options *o)
{
    return (o->no_admin ? (unsigned)HTTP_ADMIN : 0) |
           (o->no_admin || o->no_console || o->keys ? (unsigned)HTTP_CONSOLE : 0) |
           (o->mcp_token ? 0 : (unsigned)HTTP_AGENTS);
}

/* The sockets that the process inherits, or new ones. */
static const char *find_sockets(const struct serving *s, struct http_sockets *out)
{
    const struct serve_options *o = s->options;
    const char *problem;

    if (s->role) {
        *out = s->role->sockets;
        return NULL;
    }
    if ((problem = http_sockets_inherit(s->arena, out)))
        return problem;
    if (!out->count)
        return http_sockets_open(s->arena, o->host, o->port, out);
    return o->host || o->has_port ? "--host and --port do not go with sockets that another program "
                                    "passes (LISTEN_FDS)"
                                  : NULL;
}

/* Listens at the sockets that the process inherits, else where the options say; before it loads, so
 * that a port in use is reported before anything is changed. */
static const struct problem *start_listening(struct serving *s)
{
    struct http_sockets sockets;
    const char *problem = find_sockets(s, &sockets);
    struct http_handler_options handling = {.region = s->options->service.region,
                                            .door = {sockets.host, s->options->allowed_hosts.at,
                                                     s->options->allowed_hosts.count,
                                                     s->options->cors_origins},
                                            .keys = s->keys,
                                            .patterns = &s->patterns,
                                            .mcp = &s->options->mcp,
                                            .mcp_token = s->mcp_token,
                                            .worlds_by_key = s->options->worlds_by_key,
                                            .local_mode = s->options->as_local,
                                            .without = left_out(s->options)};

    if (problem)
        return problem_new(s->arena, PROBLEM_FAILED, "%s", problem);
    s->handler = http_handler_new(s->worlds, s->clock, &handling);
    s->server = http_server_new(&(struct http_server_options){.sockets = sockets, .tls = s->tls},
                                s->worlds, s->handler);
    return NULL;
}

static void put_record(struct kinesis_sink *self, const struct kinesis_record *record)
{
    const struct kinesis_sender *s = (const struct kinesis_sender *)self;

    client_kinesis_put(s->client, &(struct client_kinesis_record){
                                      .region = record->region,
                                      .stream = record->stream,
                                      .partition_key = record->partition_key,
                                      .data = record->json,
                                  });
}

/* Records are kept from the first request, and sent once the event loop runs. A folder is created
 * here, so that a failure is reported before any record is lost; it is locked until the process
 * ends. */
static const struct problem *open_kinesis(struct serving *s)
{
    const char *out = s->options->service.kinesis_out;

    if (!does_jobs(s))
        return NULL;
    if (out && (strncmp(out, "http://", 7) == 0 || strncmp(out, "https://", 8) == 0)) {
        s->kinesis = arena_alloc(s->arena, sizeof *s->kinesis);
        *s->kinesis = (struct kinesis_sender){{put_record}, client_kinesis_new()};
    } else if (out && strstr(out, "://")) {
        return problem_new(s->arena, PROBLEM_FAILED,
                           "--kinesis-out: %s does not begin with http:// or https://", out);
    } else if (out && (!file_make_folder(s->arena, out) || access(out, W_OK | X_OK))) {
        return problem_new(s->arena, PROBLEM_FAILED,
                           "--kinesis-out: nothing can be written into the folder %s: %s", out,
                           strerror(errno));
    } else if (out && flock(open(out, O_RDONLY | O_DIRECTORY | O_CLOEXEC), LOCK_EX | LOCK_NB) &&
               errno == EWOULDBLOCK) {
        /* it would cut lines that are being written, and empty files at a reset */
        return problem_new(s->arena, PROBLEM_FAILED,
                           "--kinesis-out: another server writes into the folder %s", out);
    }
    return NULL;
}

static const struct problem *start_kinesis(struct serving *s)
{
    const char *problem = NULL;

    if (s->kinesis)
        problem = client_kinesis_start(s->kinesis->client, s->arena,
                                       s->options->service.kinesis_out,
                                       http_server_base(s->server));
    return problem ? problem_new(s->arena, PROBLEM_FAILED, "--kinesis-out: %s", problem) : NULL;
}

static const struct problem *load_fixtures(struct serving *s)
{
    struct world *w = worlds_first(s->worlds);
    const struct problem *p;

    if (s->options->fixtures.names.count && store_is_for_reading(world_store(w)))
        return problem_new(s->arena, PROBLEM_FAILED,
                           "--fixtures are loaded into the file of --db, and %s cannot be written",
                           s->options->db);
    if (!does_jobs(s))
        return NULL;
    if ((p = fill_world(s, s->arena, w)) ||
        (p = problem_of(s->arena, PROBLEM_FAILED,
                        template_params_unused(s->arena, &s->options->fixtures.params))))
        return p;
    s->is_loaded = true;
    if (world_flush(w))
        return NULL;
    return problem_new(s->arena, PROBLEM_FAILED, "the fixtures could not be saved");
}

/* The snapshot may be taken later; until then no world can be made from it. */
static void warn_about_template(const struct serving *s)
{
    const struct serve_options *o = s->options;
    const struct snapshot *found;

    if (*o->world_snapshot &&
        worlds_find_snapshot(s->arena, worlds_first(s->worlds), span_of(o->world_snapshot), &found))
        log_error("--world-template: there is no snapshot %s of the first world yet, and until "
                  "there is one no other world can be made",
                  o->world_snapshot);
}

/* Reports tables in files of DynamoDB Local: they are not served, and the file is not changed. */
static void warn_about_local_files(const struct serving *s)
{
    const char *slash = strrchr(s->options->db, '/');
    const char *folder = slash
                             ? arena_text(s->arena, (struct span){s->options->db,
                                                                  (size_t)(slash - s->options->db)})
                             : ".";
    DIR *entries = opendir(*folder ? folder : "/");
    const struct dirent *entry;

    while (entries && (entry = readdir(entries))) {
        const char *path = arena_printf(s->arena, "%s/%s", folder, entry->d_name);

        if (strcmp(entry->d_name, slash ? slash + 1 : s->options->db) == 0)
            continue; /* closing a descriptor of our own file would release its locks */
        if (store_is_of_local(path))
            log_error("%s is not served: " STORE_OF_LOCAL, entry->d_name);
    }
    if (entries)
        (void)closedir(entries);
}

static const struct problem *start_parts(struct serving *s)
{
    const struct problem *p;

    s->watching.reader.read = take_entry;
    s->watching.assertions = s->options->fail_on;
    s->clock = clock_new_system();
    if ((p = open_kinesis(s)) || (p = load_keys(s)) || (p = load_token(s)) ||
        (p = load_certificate(s)) || (p = find_moment(s)) || (p = load_patterns(s)) ||
        (p = read_rule_files(s)) || (p = open_buckets(s)) || (p = open_worlds(s)) ||
        (p = start_listening(s)) || (p = start_kinesis(s)) || (p = load_fixtures(s)))
        return p;
    warn_about_template(s);
    if (s->options->keeps_as_local)
        log_error("everything is kept in %s of the working folder, as DynamoDB Local keeps a file "
                  "there; with -inMemory nothing is kept",
                  s->options->db);
    if (s->options->as_local && s->options->db)
        warn_about_local_files(s);
    if (s->options->opens_to_all)
        log_error(
            "pages of every origin may use this server, as they may use DynamoDB Local, since "
            "an option with one dash was given; --cors ORIGINS lets in fewer");
    return worlds_begin_first(s->arena, s->worlds);
}

void serving_stop(struct serving *s)
{
    if (!s)
        return;
    if (s->kinesis)
        client_kinesis_free(s->kinesis->client);
    http_server_free(s->server);
    http_tls_free(s->tls);
    http_handler_free(s->handler);
    worlds_free(s->worlds);
    coverage_free(s->coverage);
    explain_summary_free(s->summary);
    buckets_free(s->buckets);
    clock_free(s->clock);
}

struct serving *serving_start(struct arena *a, const struct serve_options *options,
                              const struct serving_role *role, struct run_report *report,
                              int *status)
{
    struct serving *s = arena_alloc(a, sizeof *s);
    const struct problem *p;

    s->arena = a;
    s->options = options;
    s->role = role;
    s->watching.report = report;
    s->summary = options->explains ? explain_summary_new() : NULL;
    if (!(p = start_parts(s)))
        return s;
    *status = command_problem(a, p);
    serving_stop(s);
    return NULL;
}

struct http_server *serving_server(const struct serving *s)
{
    return s->server;
}

const struct coverage *serving_coverage(const struct serving *s)
{
    return s->coverage;
}

const struct explain_summary *serving_summary(const struct serving *s)
{
    return s->summary;
}

int serving_report(struct arena *a, const struct serve_options *options)
{
    struct buf out = buf_in(a);

    if (!options->fail_on)
        return EXIT_SUCCESS;
    if (!assertions_requests(options->fail_on) && !options->allow_none) {
        terminal_say("mockddb: --fail-on: no request came, so nothing was checked; --allow-none "
                     "allows that\n");
        return EXIT_ASSERTION;
    }
    assertions_print(options->fail_on, &out);
    terminal_say("%s", buf_text(&out));
    return assertions_hold(options->fail_on) ? EXIT_SUCCESS : EXIT_ASSERTION;
}
