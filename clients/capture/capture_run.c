#include "capture/capture_run.h"

#include "base/cycle.h"
#include "base/date.h"
#include "base/progress.h"
#include "base/terminal.h"
#include "capture/capture_folder.h"
#include "masking/mask_rules.h"
#include "model/item_codec.h"
#include "wire/json.h"
#include "wire/wire_attr.h"
#include "wire/wire_print.h"
#include "wire/wire_reply.h"

#include <math.h>
#include <unistd.h>

#define BATCH      100 /* keys in a BatchGetItem */
#define PAGE_BYTES (1 << 20)

struct capture_state {
    struct capture_caller *caller;
    struct arena *arena;
    const struct capture_options *options;
    const struct capture_tables *tables;
    struct capture_folder *folder;
    struct capture_place place;
    struct cycle starts; /* start keys of the job's pages */
    struct clock *clock;
    struct progress *progress;
};

/* --- tables ----------------------------------------------------------------------------------- */

const struct capture_table *capture_run_table(const struct capture_tables *tables, struct span name)
{
    size_t i = 0;

    while (i + 1 < tables->len && !span_equal(tables->at[i].name, name))
        i++;
    return &tables->at[i];
}

const char *capture_run_tables(struct capture_caller *c, struct arena *a,
                               const struct capture_options *o, struct capture_tables *out)
{
    const char *problem;

    *out = (struct capture_tables){arena_array(a, o->job_count, sizeof *out->at), 0};
    for (size_t i = 0; i < o->job_count; i++) {
        if (out->len &&
            span_equal(capture_run_table(out, o->jobs[i].table)->name, o->jobs[i].table))
            continue;
        if ((problem = capture_table_read(c, a, o->prefix, o->jobs[i].table, &out->at[out->len])))
            return problem;
        out->len++;
    }
    return NULL;
}

/* --- items ------------------------------------------------------------------------------------ */

/* An endpoint may send anything: checks the parts of the answer that are read. */
static const char *check_answer(struct arena *a, const wire_node *answer)
{
    static const struct wire_shape items = {.type = WIRE_LIST, .element = &wire_attr_map};
    static const struct wire_shape responses = {.type = WIRE_MAP, .element = &items};
    static const struct wire_member members[] = {{"Items", &items, 0},
                                                 {"Responses", &responses, 0},
                                                 {"LastEvaluatedKey", &wire_attr_map, 0},
                                                 {NULL, NULL, 0}};

    return wire_check_types(a, members, answer) ? "the endpoint answers with something else" : NULL;
}

static const char *add_item(struct capture_state *r, struct arena *a, struct span table,
                            const wire_node *node, struct buf *lines)
{
    struct item it;

    if (wire_read_item(a, node, WIRE_LAYER_CURRENT, &it))
        return "the endpoint answers with something else than items";
    if (r->options->rules)
        it = mask_rules_apply(r->options->rules, a, table, &it);
    item_encode(lines, &it);
    buf_add_char(lines, '\n');
    return NULL;
}

/* Adds a page of items to the folder; the place then is after the page. */
static const char *keep_page(struct capture_state *r, struct arena *a, struct span table,
                             const wire_node *items)
{
    struct buf lines = buf_in(a);
    const char *problem;

    for (const wire_node *n = wire_first(items); n; n = wire_next(n))
        if ((problem = add_item(r, a, table, n, &lines)))
            return problem;
    r->place.done += wire_count(items);
    r->place.units = r->caller->units;
    progress_at(r->progress, r->place.done);
    return capture_folder_add(r->folder, a, table, buf_span(&lines), &r->place);
}

/* --- pages ------------------------------------------------------------------------------------ */

static double mean_size(const struct capture_table *t)
{
    return t->items > 0 && t->bytes > 0 ? t->bytes / t->items : 400;
}

/* Reads at most as many items as the rate allows in a second. */
static int64_t page_limit(const struct capture_state *r, const struct capture_table *t)
{
    double limit = r->options->rate * 8192 / mean_size(t);

    return limit < 1 ? 1 : limit < PAGE_BYTES ? (int64_t)limit : PAGE_BYTES;
}

static struct span page_request(struct capture_state *r, struct arena *a,
                                const struct capture_job *job)
{
    struct buf out = buf_in(a);
    struct wire_writer w = {&out, false};

    wire_open(&w, '{');
    wire_put_member_word(&w, "TableName",
                         arena_printf(a, "%s%.*s", r->options->prefix, SPAN_ARG(job->table)));
    for (const wire_node *n = wire_first(job->query); n; n = wire_next(n)) {
        struct buf json = buf_in(a);

        if (span_is(wire_name(n), "TableName") || span_is(wire_name(n), "ReturnConsumedCapacity"))
            continue;
        wire_print_json(&json, n);
        wire_key_span(&w, wire_name(n));
        wire_put_raw(&w, buf_span(&json));
    }
    if (r->place.start.len) {
        wire_key(&w, "ExclusiveStartKey");
        wire_put_raw(&w, r->place.start);
    }
    wire_put_member_integer(&w, "Limit", page_limit(r, capture_run_table(r->tables, job->table)));
    wire_put_member_word(&w, "ReturnConsumedCapacity", "TOTAL");
    wire_close(&w, '}');
    return buf_span(&out);
}

/* Sets where the next page begins, in memory of the run; "" after the last page. */
static void set_start(struct capture_state *r, const wire_node *last)
{
    struct buf start = buf_in(r->arena);

    if (last)
        wire_print_json(&start, last);
    r->place.start = last ? buf_span(&start) : (struct span){"", 0};
}

static void begin_next_job(struct capture_state *r)
{
    r->place.job++;
    r->place.done = 0;
    r->starts = (struct cycle){0};
    r->place.start = (struct span){"", 0};
}

static const char *read_page(struct capture_state *r, struct arena *a,
                             const struct capture_job *job, bool *more)
{
    struct client_answer answer;
    const wire_node *last;
    const char *problem;

    if ((problem = capture_call(r->caller, a, job->query ? CAPTURE_QUERY : CAPTURE_SCAN,
                                page_request(r, a, job), &answer)) ||
        (problem = check_answer(a, answer.body)))
        return problem;
    last = wire_get(answer.body, "LastEvaluatedKey");
    *more = last != NULL;
    set_start(r, last);
    if (last && cycle_closes(&r->starts, r->place.start))
        return "the endpoint repeats a LastEvaluatedKey";
    return keep_page(r, a, job->table, wire_get(answer.body, "Items"));
}

static const char *read_pages(struct capture_state *r, const struct capture_job *job)
{
    const char *problem = NULL;

    /* no request if the interrupted run had read the last page */
    for (bool more = !r->place.done || r->place.start.len; more && !problem;) {
        struct arena *a = arena_new();

        problem = read_page(r, a, job, &more);
        problem = problem ? arena_printf(r->arena, "%s", problem) : NULL;
        arena_free(a);
    }
    return problem;
}

/* --- keys ------------------------------------------------------------------------------------- */

/* At most as many keys as the rate allows in a second: each key is charged by itself. */
static size_t batch_size(const struct capture_state *r, const struct capture_job *job)
{
    double units = ceil(mean_size(capture_run_table(r->tables, job->table)) / 4096) / 2;
    double limit = r->options->rate / units;
    size_t rest = job->key_count - r->place.done, size = BATCH;

    if (limit < BATCH)
        size = limit < 1 ? 1 : (size_t)limit;
    return size < rest ? size : rest;
}

/* Returns {"RequestItems": {table: {"Keys": […]}}} with the next keys, or the unprocessed ones. */
static struct span batch_request(struct capture_state *r, struct arena *a,
                                 const struct capture_job *job, const wire_node *left)
{
    struct buf out = buf_in(a);
    struct wire_writer w = {&out, false};
    size_t end = r->place.done + batch_size(r, job);

    wire_open(&w, '{');
    wire_key(&w, "RequestItems");
    if (left) {
        wire_print_json(&out, left);
        w.comma = true;
    } else {
        wire_open(&w, '{');
        wire_key(&w, arena_printf(a, "%s%.*s", r->options->prefix, SPAN_ARG(job->table)));
        wire_open(&w, '{');
        wire_key(&w, "Keys");
        wire_open(&w, '[');
        for (size_t i = r->place.done; i < end; i++) {
            struct buf json = buf_in(a);

            wire_print_json(&json, job->keys[i]);
            wire_put_raw(&w, buf_span(&json));
        }
        wire_close(&w, ']');
        wire_close(&w, '}');
        wire_close(&w, '}');
    }
    wire_put_member_word(&w, "ReturnConsumedCapacity", "TOTAL");
    wire_close(&w, '}');
    return buf_span(&out);
}

static size_t keys_in(const wire_node *left)
{
    return wire_count(left) ? wire_count(wire_get(wire_first(left), "Keys")) : 0;
}

/* Repeats until no key is unprocessed, with longer pauses while nothing is read. */
static const char *read_batch(struct capture_state *r, struct arena *a,
                              const struct capture_job *job)
{
    struct buf lines = buf_in(a);
    const wire_node *left = NULL;
    struct client_answer answer;
    const char *problem;
    size_t count = batch_size(r, job), before = count, found = 0, idle = 0;

    do {
        const wire_node *responses;

        if (left && !client_rest(r->caller->client, idle))
            return "BatchGetItem: the endpoint leaves keys unprocessed again and again";
        if ((problem = capture_call(r->caller, a, CAPTURE_BATCH_GET, batch_request(r, a, job, left),
                                    &answer)))
            return problem;
        left = wire_get(answer.body, "UnprocessedKeys");
        if ((problem = check_answer(a, answer.body)))
            return problem;
        responses = wire_first(wire_get(answer.body, "Responses"));
        for (const wire_node *n = wire_first(responses); n; n = wire_next(n), found++)
            if ((problem = add_item(r, a, job->table, n, &lines)))
                return problem;
        idle = keys_in(left) < before ? 0 : idle + 1;
        before = keys_in(left);
    } while (before);
    if (found > count)
        return "the endpoint answers with something else";
    r->place.missing += count - found;
    r->place.done += count;
    r->place.units = r->caller->units;
    progress_at(r->progress, r->place.done);
    return capture_folder_add(r->folder, a, job->table, buf_span(&lines), &r->place);
}

static const char *read_keys(struct capture_state *r, const struct capture_job *job)
{
    const char *problem = NULL;

    while (r->place.done < job->key_count && !problem) {
        struct arena *a = arena_new();

        problem = read_batch(r, a, job);
        problem = problem ? arena_printf(r->arena, "%s", problem) : NULL;
        arena_free(a);
    }
    return problem;
}

/* --- all -------------------------------------------------------------------------------------- */

static const char *write_head(struct capture_state *r)
{
    const char *taken = clock_iso_time(r->arena, clock_now_ms(r->clock));
    const char *problem;

    if (capture_folder_has(r->folder, r->arena, "fixture.json"))
        return NULL; /* the schema is written last */
    for (size_t i = 0; i < r->tables->len; i++) {
        const struct capture_table *t = &r->tables->at[i];

        if ((problem = capture_folder_write(
                 r->folder, r->arena, arena_printf(r->arena, "tables/%.*s.json", SPAN_ARG(t->name)),
                 t->schema)))
            return problem;
    }
    return capture_folder_write(
        r->folder, r->arena, "fixture.json",
        span_of(arena_printf(r->arena, "{\"taken\": \"%.19sZ\"}\n", taken)));
}

static const char *read_jobs(struct capture_state *r)
{
    const char *problem = NULL;

    for (; r->place.job < r->options->job_count && !problem; begin_next_job(r)) {
        const struct capture_job *job = &r->options->jobs[r->place.job];
        const struct capture_table *t = capture_run_table(r->tables, job->table);

        progress_part(r->progress, job->table,
                      job->what == CAPTURE_KEYS ? job->key_count : (size_t)t->items);
        if (job->what == CAPTURE_KEYS)
            problem = read_keys(r, job);
        else if (job->what != CAPTURE_SCHEMA)
            problem = read_pages(r, job);
        if (problem)
            return problem;
    }
    return NULL;
}

static const char *check_rules(const struct capture_state *r)
{
    const char *problem = NULL;

    for (size_t i = 0; i < r->tables->len && r->options->rules && !problem; i++)
        problem = mask_rules_check_keys(r->arena, r->options->rules, r->tables->at[i].name,
                                        r->tables->at[i].keys, r->tables->at[i].key_count);
    return problem;
}

/* Refuses an index that lacks attributes of its items. */
static const char *check_queries(const struct capture_state *r)
{
    for (size_t i = 0; i < r->options->job_count; i++) {
        const struct capture_job *job = &r->options->jobs[i];
        struct span index = wire_text(wire_get(job->query, "IndexName"));

        if (index.len && !capture_table_holds_all(capture_run_table(r->tables, job->table), index))
            return arena_printf(r->arena,
                                "--query: %.*s does not hold whole items: query the table, or get "
                                "them by --keys",
                                SPAN_ARG(index));
    }
    return NULL;
}

const char *capture_run(struct capture_caller *c, struct arena *a, const struct capture_options *o,
                        const struct capture_tables *tables)
{
    struct capture_state r = {.caller = c, .arena = a, .options = o, .tables = tables};
    const char *problem, *unmet;
    bool resumes;

    if ((problem = check_rules(&r)) || (problem = check_queries(&r)) ||
        (problem = capture_folder_open(a, o->folder, o->plan, &r.folder, &r.place)))
        return problem;
    resumes = r.place.done || r.place.job;
    c->units += r.place.units;
    r.clock = clock_new_system();
    r.progress = progress_new(a, r.clock, isatty(STDERR_FILENO) ? stderr : NULL);
    if (!(problem = write_head(&r)) && !(problem = read_jobs(&r)))
        problem = capture_folder_end(r.folder, a);
    progress_end(r.progress);
    if (!problem && o->rules && (unmet = mask_rules_unmet(a, o->rules)))
        terminal_say("ddb-capture: %s%s\n", resumes ? "in this run, " : "", unmet);
    if (!problem && r.place.missing)
        terminal_say("ddb-capture: %zu of the keys have no item\n", r.place.missing);
    clock_free(r.clock);
    return problem;
}
