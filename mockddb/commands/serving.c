#include "commands/serving.h"

#include "base/file.h"
#include "base/log.h"
#include "base/terminal.h"
#include "commands/command.h"
#include "commands/kinesis_sender.h"
#include "commands/loaded_patterns.h"
#include "explain/explain_summary.h"
#include "fixtures/fixtures.h"
#include "fixtures/fixtures_moment.h"
#include "http/http_handler.h"
#include "journal/coverage.h"
#include "moving/moving_fixtures.h"
#include "ops/transfer/buckets.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
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

/* Everything that lives as long as the server. */
struct serving {
    struct arena *arena;
    const struct serve_options *options;
    struct clock *clock; /* the real time */
    struct fixtures_moment moment;
    struct clock_time start; /* initial time of worlds */
    struct buckets *buckets; /* shared by all worlds */
    struct kinesis_sender
        *kinesis; /* shared by all worlds; NULL: records are written to files, or dropped */
    struct worlds *worlds;
    const struct http_keys *keys; /* NULL: signatures are not verified */
    struct http_tls *tls;         /* NULL: plain HTTP */
    struct watching watching;
    struct rule_file *rule_files;
    size_t rule_file_count;
    struct admin_patterns patterns;
    struct coverage *coverage;       /* of all worlds; NULL: no patterns were loaded */
    struct explain_summary *summary; /* of all worlds; NULL: without --explain */
    struct http_handler *handler;
    struct http_server *server;
    int exit_status; /* if the start fails */
};

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
static const char *begin_world(void *serving, struct arena *a, struct world *w)
{
    const struct serving *p = serving;
    const char *problem = NULL;

    for (size_t i = 0; i < p->rule_file_count && !problem; i++) {
        const struct rule_file *file = &p->rule_files[i];

        if ((problem = world_add_faults(w, a, file->text, file->table_prefix)))
            problem = arena_printf(a, "%s: %s", file->name, problem);
    }
    return problem;
}

/* Loads the fixtures into a world, as at the start. */
static const char *fill_world(void *serving, struct arena *a, struct world *w)
{
    const struct serving *p = serving;
    struct progress *progress = progress_new(a, p->clock, isatty(STDERR_FILENO) ? stderr : NULL);

    return moving_fixtures_load(a, world_dispatcher(w), world_settings(w), p->options->fixtures.at,
                                p->options->fixtures.count, p->options->table_prefix, progress);
}

/* Finds the time at which the fixtures' data was taken: items' times to live are only right at that
 * time. */
static const char *find_moment(struct serving *p)
{
    const struct serve_options *o = p->options;
    const char *problem = fixtures_moment_read(p->arena, o->fixtures.at, o->fixtures.count,
                                               o->table_prefix, &p->moment);

    p->start = o->clock;
    if (problem)
        return problem;
    if (o->clock_of_fixture) {
        p->start.now_ms = p->moment.taken_ms;
        return p->moment.fixture ? NULL : "--clock fixture: none of the fixtures names a moment";
    }
    if (p->moment.fixture)
        log_error("the items of fixture %s, which was taken at %s, do not expire; with --clock "
                  "fixture they do, from then on",
                  p->moment.fixture, clock_iso_time(p->arena, p->moment.taken_ms));
    return NULL;
}

/* A folder given by option must exist; a default one is created when it is needed. */
static const char *open_buckets(struct serving *p)
{
    const struct serve_options *o = p->options;

    p->buckets = buckets_new(o->s3_root);
    if (!o->has_s3_root || buckets_folder(p->buckets))
        return NULL;
    return arena_printf(p->arena, "--s3-root %s cannot be used", o->s3_root);
}

static const char *open_worlds(struct serving *p)
{
    const struct serve_options *o = p->options;
    bool expires = o->clock_of_fixture;
    const struct worlds_options options = {
        .first = {.store = {.path = o->db,
                            .sync = o->sync,
                            .compact = o->compact,
                            .read_only = o->read_only},
                  .settings = {.region = span_of(o->region),
                               .regional = o->regional,
                               .replica_lag_ms = o->replica_lag_ms,
                               .extended_search = o->extended_search,
                               .account = span_of(o->account),
                               .transition_ms = o->transition_ms,
                               .index_transition_ms = o->index_transition_ms,
                               .ttl_sweep_ms = o->ttl_sweep_ms,
                               .stream_shards = (uint32_t)o->stream_shards,
                               .kept_tables = expires ? NULL : p->moment.tables,
                               .kept_table_count = expires ? 0 : p->moment.table_count,
                               .kinesis_out = p->kinesis ? NULL : o->kinesis_out,
                               .kinesis_sink = p->kinesis ? &p->kinesis->sink : NULL,
                               .read_only = o->read_only,
                               .item_collection_limit = o->item_collection_limit,
                               .buckets = p->buckets},
                  .throttle = o->throttle,
                  .journal = {.count = (size_t)o->journal,
                              .bytes = JOURNAL_BYTES,
                              .masks = o->masks.at,
                              .mask_count = o->masks.count,
                              .reader = p->watching.assertions || p->watching.report
                                            ? &p->watching.reader
                                            : NULL,
                              .catalogue = p->patterns.catalogue,
                              .total = p->coverage}},
        .start = p->start,
        .fill = o->fixtures.count ? fill_world : NULL,
        .fill_data = p,
        .begin = begin_world,
        .begin_data = p,
        .template = o->world_template,
        .snapshot = span_of(o->world_snapshot),
        .max_count = (size_t)o->max_worlds,
        .max_memory = (size_t)o->worlds_memory_mb << 20,
        .idle_ms = o->world_idle_s * 1000,
        .folder = o->data_dir,
    };
    const char *problem = NULL;

    if (o->data_dir && mkdir(o->data_dir, 0777) && errno != EEXIST)
        return arena_printf(p->arena, "%s cannot be made: %s", o->data_dir, strerror(errno));
    p->worlds = worlds_new(p->arena, &options, &problem);
    return problem;
}

/* A fixture's rules are for its own tables, whose names get the prefix. */
static const char *read_rule_files(struct serving *p)
{
    const struct serve_options *o = p->options;
    const char *problem;
    struct span text;

    p->rule_files = arena_array(p->arena, o->fixtures.count + o->faults.count,
                                sizeof *p->rule_files);
    for (size_t i = 0; i < o->fixtures.count; i++) {
        if ((problem = fixtures_read_faults(p->arena, o->fixtures.at[i], &text)))
            return problem;
        if (text.len)
            p->rule_files[p->rule_file_count++] = (struct rule_file){
                arena_printf(p->arena, "%s/faults.json", o->fixtures.at[i]), o->table_prefix, text};
    }
    for (size_t i = 0; i < o->faults.count; i++) {
        if (!file_read(p->arena, o->faults.at[i], &text))
            return arena_printf(p->arena, "%s cannot be read: %s", o->faults.at[i],
                                strerror(errno));
        p->rule_files[p->rule_file_count++] = (struct rule_file){o->faults.at[i], "", text};
    }
    return NULL;
}

static const char *load_keys(struct serving *p)
{
    const char *problem = NULL;

    if (p->options->keys)
        p->keys = http_keys_load(p->arena, p->options->keys, &problem);
    return problem;
}

static const char *load_certificate(struct serving *p)
{
    struct http_tls_files files = {p->options->tls_certificate, p->options->tls_key};
    const char *problem = NULL;

    if (files.certificate)
        p->tls = http_tls_new(p->arena, &files, &problem);
    return problem;
}

static const char *load_patterns(struct serving *p)
{
    const struct serve_options *o = p->options;
    const struct loaded_patterns_options options = {o->patterns, o->fixtures, o->table_prefix};
    const char *problem = loaded_patterns_read(p->arena, &options, &p->patterns);

    if (problem)
        return problem;
    if (p->patterns.catalogue) {
        p->coverage = coverage_new(p->patterns.catalogue);
        coverage_tell(p->coverage);
    }
    if (!o->fail_on || !(problem = assertions_know(p->arena, o->fail_on, p->patterns.catalogue)))
        return NULL;
    p->exit_status = EXIT_USAGE; /* as for every mistake in --fail-on */
    return arena_printf(p->arena, "--fail-on: %s", problem);
}

/* The console uses the verbs, and its requests are not signed. */
static unsigned left_out(const struct serve_options *o)
{
    return (o->no_admin ? (unsigned)HTTP_ADMIN : 0) |
           (o->no_admin || o->no_console || o->keys ? (unsigned)HTTP_CONSOLE : 0);
}

/* Listens before it loads, so that a port in use is reported before anything is changed. */
static const char *start_listening(struct serving *p)
{
    const char *host = p->options->host;
    struct http_handler_options handling = {
        .region = span_of(p->options->region),
        .door = {host ? host : HTTP_LOOPBACK, p->options->allowed_hosts.at,
                 p->options->allowed_hosts.count, p->options->cors_origins},
        .keys = p->keys,
        .patterns = &p->patterns,
        .summary = p->summary,
        .worlds_by_key = p->options->worlds_by_key,
        .local_mode = p->options->as_local,
        .without = left_out(p->options)};
    struct http_server_options listening = {.host = host, .port = p->options->port, .tls = p->tls};
    const char *problem = NULL;

    p->handler = http_handler_new(p->worlds, p->clock, &handling);
    p->server = http_server_new(p->arena, &listening, p->worlds, p->handler, &problem);
    return problem;
}

/* Records are kept from the first request, and sent once the event loop runs. A folder is created
 * here, so that a failure is reported before any record is lost. */
static const char *open_kinesis(struct serving *p)
{
    const char *out = p->options->kinesis_out;

    if (out && kinesis_sender_is_endpoint(out))
        p->kinesis = kinesis_sender_new(p->arena);
    else if (out && strstr(out, "://"))
        return arena_printf(p->arena, "--kinesis-out: %s does not begin with http:// or https://",
                            out);
    else if (out && (!file_make_folder(p->arena, out) || access(out, W_OK | X_OK)))
        return arena_printf(p->arena,
                            "--kinesis-out: nothing can be written into the folder %s: %s", out,
                            strerror(errno));
    return NULL;
}

static const char *start_kinesis(struct serving *p)
{
    const char *problem = NULL;

    if (p->kinesis)
        problem = client_kinesis_start(p->kinesis->client, p->arena, p->options->kinesis_out,
                                       http_server_base(p->server));
    return problem ? arena_printf(p->arena, "--kinesis-out: %s", problem) : NULL;
}

static const char *load_fixtures(struct serving *p)
{
    struct world *w = worlds_first(p->worlds);
    const char *problem;

    if (p->options->fixtures.count && store_is_for_reading(world_store(w)))
        return arena_printf(p->arena,
                            "--fixtures are loaded into the file of --db, and %s cannot be written",
                            p->options->db);
    problem = fill_world(p, p->arena, w);
    if (!problem && !world_flush(w))
        problem = "the fixtures could not be saved";
    return problem;
}

/* The snapshot may be taken later; until then no world can be made from it. */
static void warn_about_template(const struct serving *p)
{
    const struct serve_options *o = p->options;
    const struct snapshot *found;

    if (*o->world_snapshot &&
        worlds_find_snapshot(p->arena, worlds_first(p->worlds), span_of(o->world_snapshot), &found))
        log_error("--world-template: there is no snapshot %s of the first world yet, and until "
                  "there is one no other world can be made",
                  o->world_snapshot);
}

/* Reports tables in files of DynamoDB Local: they are not served, and the file is not changed. */
static void warn_about_local_files(const struct serving *p)
{
    const char *slash = strrchr(p->options->db, '/');
    const char *folder = slash
                             ? arena_text(p->arena, (struct span){p->options->db,
                                                                  (size_t)(slash - p->options->db)})
                             : ".";
    DIR *entries = opendir(*folder ? folder : "/");
    const struct dirent *entry;

    while (entries && (entry = readdir(entries))) {
        const char *path = arena_printf(p->arena, "%s/%s", folder, entry->d_name);

        if (strcmp(entry->d_name, slash ? slash + 1 : p->options->db) == 0)
            continue; /* closing a descriptor of our own file would release its locks */
        if (store_is_of_local(path))
            log_error("%s is not served: " STORE_OF_LOCAL, entry->d_name);
    }
    if (entries)
        (void)closedir(entries);
}

static const char *start_parts(struct serving *p)
{
    const char *problem;

    p->watching.reader.read = take_entry;
    p->watching.assertions = p->options->fail_on;
    p->clock = clock_new_system();
    if ((problem = open_kinesis(p)) || (problem = load_keys(p)) ||
        (problem = load_certificate(p)) || (problem = find_moment(p)) ||
        (problem = load_patterns(p)) || (problem = read_rule_files(p)) ||
        (problem = open_buckets(p)) || (problem = open_worlds(p)) ||
        (problem = start_listening(p)) || (problem = start_kinesis(p)) ||
        (problem = load_fixtures(p)))
        return problem;
    warn_about_template(p);
    if (p->options->keeps_as_local)
        log_error("everything is kept in %s of the working folder, as DynamoDB Local keeps a file "
                  "there; with -inMemory nothing is kept",
                  p->options->db);
    if (p->options->as_local && p->options->db)
        warn_about_local_files(p);
    if (p->options->opens_to_all)
        log_error(
            "pages of every origin may use this server, as they may use DynamoDB Local, since "
            "an option with one dash was given; --cors ORIGINS lets in fewer");
    return worlds_begin_first(p->arena, p->worlds);
}

void serving_stop(struct serving *p)
{
    if (!p)
        return;
    if (p->kinesis)
        client_kinesis_free(p->kinesis->client);
    http_server_free(p->server);
    http_tls_free(p->tls);
    http_handler_free(p->handler);
    worlds_free(p->worlds);
    coverage_free(p->coverage);
    explain_summary_free(p->summary);
    buckets_free(p->buckets);
    clock_free(p->clock);
}

struct serving *serving_start(struct arena *a, const struct serve_options *options,
                              struct run_report *report, int *status)
{
    struct serving *p = arena_alloc(a, sizeof *p);
    const char *problem;

    p->arena = a;
    p->options = options;
    p->watching.report = report;
    p->summary = options->explains ? explain_summary_new() : NULL;
    p->exit_status = EXIT_FAILURE;
    if (!(problem = start_parts(p)))
        return p;
    *status = command_fail(problem, p->exit_status);
    serving_stop(p);
    return NULL;
}

struct http_server *serving_server(const struct serving *p)
{
    return p->server;
}

const struct coverage *serving_coverage(const struct serving *p)
{
    return p->coverage;
}

const struct explain_summary *serving_summary(const struct serving *p)
{
    return p->summary;
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
