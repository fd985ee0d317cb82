#include "setup/setup.h"

#include "base/file.h"
#include "base/log.h"
#include "explain/explain_summary.h"
#include "fixtures/fixtures.h"
#include "fixtures/fixtures_moment.h"
#include "journal/coverage.h"
#include "ops/transfer/buckets.h"
#include "setup/setup_patterns.h"
#include "templates/template_params.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Fault rules for every world. */
struct rule_file {
    const char *name;
    const char *table_prefix; /* the prefix of the tables that the rules name */
    struct span text;
};

struct setup {
    struct arena *arena;
    const struct setup_options *options;
    struct setup_parts parts;
    struct clock *clock; /* the real time */
    struct fixtures_moment moment;
    bool is_loaded;          /* the first world has its fixtures */
    struct clock_time start; /* initial time of worlds */
    struct buckets *buckets; /* shared by all worlds */
    int records;             /* the locked folder for records for Kinesis; -1: none */
    struct worlds *worlds;
    struct rule_file *rule_files;
    size_t rule_file_count;
    struct admin_patterns patterns;
    struct coverage *coverage;       /* of all worlds; NULL: no patterns were loaded */
    struct explain_summary *summary; /* of all worlds; NULL: without --explain */
};

/* Adds the initial fault rules to a world. */
static const struct problem *begin_world(void *setup, struct arena *a, struct world *w)
{
    const struct setup *s = setup;
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
static const struct problem *fill_world(void *setup, struct arena *a, struct world *w)
{
    const struct setup *s = setup;
    struct moving_fixtures fixtures = s->options->fixtures;

    fixtures.progress = progress_new(a, s->clock, s->parts.terminal);
    fixtures.note = s->is_loaded ? NULL : note_template;
    return problem_of(a, PROBLEM_FAILED,
                      moving_fixtures_load(a, world_dispatcher(w), world_settings(w), &fixtures));
}

/* Finds the time at which the fixtures' data was taken: items' times to live are only right at that
 * time. */
static const struct problem *find_moment(struct setup *s)
{
    const struct setup_options *o = s->options;
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
    if (s->moment.fixture && !s->parts.no_jobs)
        log_error("the items of fixture %s, which was taken at %s, do not expire%s",
                  s->moment.fixture, clock_iso_time(s->arena, s->moment.taken_ms),
                  o->store ? "" : "; with --clock fixture they do, from then on");
    return NULL;
}

/* Records are kept from the first request. A folder is created here, so that a failure is reported
 * before any record is lost; it stays locked. */
static const struct problem *open_records(struct setup *s)
{
    const char *out = s->options->service.kinesis_out;

    if (!out || s->parts.kinesis || s->parts.no_jobs)
        return NULL;
    if (strstr(out, "://"))
        return problem_new(s->arena, PROBLEM_FAILED,
                           "--kinesis-out: %s does not begin with http:// or https://", out);
    if (!file_make_folder(s->arena, out) || access(out, W_OK | X_OK))
        return problem_new(s->arena, PROBLEM_FAILED,
                           "--kinesis-out: nothing can be written into the folder %s: %s", out,
                           strerror(errno));
    s->records = open(out, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (flock(s->records, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
        /* it would cut lines that are being written, and empty files at a reset */
        return problem_new(s->arena, PROBLEM_FAILED,
                           "--kinesis-out: another server writes into the folder %s", out);
    return NULL;
}

/* A folder given by option must exist; a default one is created when it is needed. */
static const struct problem *open_buckets(struct setup *s)
{
    const struct setup_options *o = s->options;

    s->buckets = buckets_new(o->s3_root);
    if (!o->has_s3_root || buckets_folder(s->buckets))
        return NULL;
    return problem_new(s->arena, PROBLEM_FAILED, "--s3-root %s cannot be used", o->s3_root);
}

static const struct problem *open_worlds(struct setup *s)
{
    const struct setup_options *o = s->options;
    struct worlds_options options = {
        .first = {.store = {.path = o->db,
                            .url = o->store,
                            .sync = o->sync,
                            .compact = o->compact,
                            .read_only = o->service.read_only,
                            .no_jobs = s->parts.no_jobs},
                  .settings = o->service,
                  .throttle = o->throttle,
                  .journal = {.count = (size_t)o->journal,
                              .bytes = JOURNAL_BYTES,
                              .masks = o->masks.at,
                              .mask_count = o->masks.count,
                              .reader = s->parts.reader,
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
    if (s->parts.no_jobs) {
        settings->kinesis_elsewhere = settings->kinesis_out != NULL;
        settings->kinesis_out = NULL;
    }
    if (s->parts.kinesis) {
        settings->kinesis_out = NULL;
        settings->kinesis_sink = s->parts.kinesis;
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
static const struct problem *read_rule_files(struct setup *s)
{
    const struct setup_options *o = s->options;
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

static const struct problem *load_patterns(struct setup *s)
{
    const struct setup_options *o = s->options;
    const struct problem *p = setup_patterns_read(s->arena, &o->patterns, &o->fixtures,
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

static const struct problem *load_fixtures(struct setup *s)
{
    struct world *w = worlds_first(s->worlds);
    const struct problem *p;

    if (s->options->fixtures.names.count && store_is_for_reading(world_store(w)))
        return problem_new(s->arena, PROBLEM_FAILED,
                           "--fixtures are loaded into the file of --db, and %s cannot be written",
                           s->options->db);
    if (s->parts.no_jobs)
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
static void warn_about_template(const struct setup *s)
{
    const struct setup_options *o = s->options;
    const struct snapshot *found;

    if (*o->world_snapshot &&
        worlds_find_snapshot(s->arena, worlds_first(s->worlds), span_of(o->world_snapshot), &found))
        log_error("--world-template: there is no snapshot %s of the first world yet, and until "
                  "there is one no other world can be made",
                  o->world_snapshot);
}

const struct problem *setup_new(struct arena *a, const struct setup_options *options,
                                const struct setup_parts *parts, struct setup **out)
{
    struct setup *s = arena_alloc(a, sizeof *s);
    const struct problem *p;

    *s = (struct setup){.arena = a,
                        .options = options,
                        .parts = *parts,
                        .clock = clock_new_system(),
                        .records = -1,
                        .summary = options->explains ? explain_summary_new() : NULL};
    *out = s;
    if ((p = open_records(s)) || (p = find_moment(s)) || (p = load_patterns(s)) ||
        (p = read_rule_files(s)) || (p = open_buckets(s)))
        return p;
    return open_worlds(s);
}

const struct problem *setup_fill(struct setup *s)
{
    const struct problem *p = load_fixtures(s);

    if (p)
        return p;
    warn_about_template(s);
    return worlds_begin_first(s->arena, s->worlds);
}

void setup_free(struct setup *s)
{
    if (!s)
        return;
    worlds_free(s->worlds);
    coverage_free(s->coverage);
    explain_summary_free(s->summary);
    buckets_free(s->buckets);
    clock_free(s->clock);
    if (s->records >= 0)
        (void)close(s->records);
}

struct worlds *setup_worlds(const struct setup *s)
{
    return s->worlds;
}

const struct admin_patterns *setup_patterns(const struct setup *s)
{
    return &s->patterns;
}

struct explain_summary *setup_summary(const struct setup *s)
{
    return s->summary;
}

const struct coverage *setup_coverage(const struct setup *s)
{
    return s->coverage;
}
