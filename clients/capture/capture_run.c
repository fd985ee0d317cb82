#include "capture/capture_run.h"

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

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define BATCH      100 /* keys in a BatchGetItem */
#define PAGE_BYTES (1 << 20)

struct capture_state {
    struct client *client;
    struct client_pace *pace;
    struct arena *arena;
    const struct capture_options *options;
    const struct capture_tables *tables;
    struct capture_folder *folder;
    struct capture_place place;
    struct clock *clock;
    struct progress *progress;
    struct mask_left *left; /* texts that the rules replaced; NULL: there are no rules */
};

/* --- tables ----------------------------------------------------------------------------------- */

const struct capture_table *capture_run_table(const struct capture_tables *tables, struct span name)
{
    size_t i = 0;

    while (i + 1 < tables->len && !span_equal(tables->at[i].name, name))
        i++;
    return &tables->at[i];
}

const char *capture_run_tables(struct client *client, struct arena *a,
                               const struct capture_options *o, struct capture_tables *out)
{
    const char *problem;

    *out = (struct capture_tables){arena_array(a, o->job_count, sizeof *out->at), 0};
    for (size_t i = 0; i < o->job_count; i++) {
        if (out->len &&
            span_equal(capture_run_table(out, o->jobs[i].table)->name, o->jobs[i].table))
            continue;
        if ((problem = capture_table_read(client, a, o->prefix, o->jobs[i].table,
                                          &out->at[out->len])))
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
    r->place.units = r->pace->spent;
    progress_at(r->progress, r->place.done);
    return capture_folder_add(r->folder, a, table, buf_span(&lines), &r->place);
}

/* --- pages ------------------------------------------------------------------------------------ */

static double mean_size(const struct capture_table *t)
{
    return t->scan.items && t->scan.bytes ? (double)t->scan.bytes / (double)t->scan.items : 400;
}

/* Reads at most as many items as the rate allows in a second. */
static int64_t page_limit(const struct capture_state *r, const struct capture_table *t)
{
    double limit = r->options->rate * 8192 / mean_size(t);

    return limit < 1 ? 1 : limit < PAGE_BYTES ? (int64_t)limit : PAGE_BYTES;
}

static void begin_next_job(struct capture_state *r)
{
    r->place.job++;
    r->place.done = 0;
    r->place.start = (struct span){"", 0};
}

static const char *read_pages(struct capture_state *r, const struct capture_job *job)
{
    const struct capture_table *t = capture_run_table(r->tables, job->table);
    struct moving_scan scan = t->scan;
    struct arena *page = arena_new();
    const char *problem = NULL;

    scan.query = job->query;
    scan.limit = page_limit(r, t);
    scan.pace = r->pace;
    scan.counts_units = true;
    scan.start = buf_in(r->arena);
    buf_add_span(&scan.start, r->place.start);
    scan.done = r->place.done && !r->place.start.len; /* the interrupted run read the last page */
    while (!scan.done && !problem) {
        const wire_node *items;

        arena_reset(page);
        if ((problem = moving_scan_next(&scan, page, &items)) ||
            (problem = check_answer(page, scan.page)))
            break;
        r->place.start = buf_span(&scan.start);
        problem = keep_page(r, page, job->table, items);
    }
    problem = problem ? arena_text(r->arena, span_of(problem)) : NULL;
    arena_free(page);
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
        wire_open_member(&w, arena_printf(a, "%s%.*s", r->options->prefix, SPAN_ARG(job->table)),
                         '{');
        wire_open_member(&w, "Keys", '[');
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

        if (left && !client_rest(r->client, idle))
            return "BatchGetItem: the endpoint leaves keys unprocessed again and again";
        if ((problem = client_pace_call(r->pace, r->client, a, "BatchGetItem",
                                        batch_request(r, a, job, left), &answer)))
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
    r->place.units = r->pace->spent;
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
                      job->what == CAPTURE_KEYS ? job->key_count : (size_t)t->scan.items);
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
                                        r->tables->at[i].scan.keys,
                                        r->tables->at[i].scan.key_count);
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

/* Reads what was written: a text may have been replaced after another attribute with it was
 * written. */
static const char *look_for_replaced(struct capture_state *r)
{
    struct arena *a = arena_new();
    const char *problem = NULL;

    for (size_t i = 0; i < r->tables->len && !problem; i++) {
        struct span table = r->tables->at[i].name;
        FILE *items = capture_folder_items(r->folder, a, table);
        char *line = NULL;
        size_t size = 0;
        ssize_t len;

        while (items && (len = getline(&line, &size, items)) > 0) {
            struct item it;

            arena_reset(a);
            if (item_decode_checked(a, (struct span){line, (size_t)len - 1}, &it))
                mask_left_look(r->left, a, table, &it);
        }
        if (items ? ferror(items) : errno != ENOENT)
            problem = "the captured items cannot be read again";
        free(line);
        if (items)
            (void)fclose(items);
    }
    arena_free(a);
    return problem;
}

const char *capture_run(struct client *client, struct client_pace *pace, struct arena *a,
                        const struct capture_options *o, const struct capture_tables *tables)
{
    struct capture_state r = {
        .client = client, .pace = pace, .arena = a, .options = o, .tables = tables};
    const char *problem, *said;
    bool resumes;

    if ((problem = check_rules(&r)) || (problem = check_queries(&r)) ||
        (problem = capture_folder_open(a, o->folder, o->plan, &r.folder, &r.place)))
        return problem;
    resumes = r.place.done || r.place.job;
    pace->spent += r.place.units;
    if (o->rules)
        mask_rules_remember(o->rules, r.left = mask_left_new(a));
    r.clock = clock_new_system();
    r.progress = progress_new(a, r.clock, isatty(STDERR_FILENO) ? stderr : NULL);
    if (!(problem = write_head(&r)) && !(problem = read_jobs(&r)) &&
        !(problem = o->rules ? look_for_replaced(&r) : NULL))
        problem = capture_folder_end(r.folder, a);
    progress_end(r.progress);
    if (!problem && o->rules && (said = mask_rules_unmet(a, o->rules)))
        terminal_say("ddb-capture: %s%s\n", resumes ? "in this run, " : "", said);
    if (!problem && o->rules && (said = mask_left_say(r.left, a)))
        terminal_say("ddb-capture: %s\n", said);
    if (!problem && o->rules && resumes)
        terminal_say("ddb-capture: texts that an earlier run replaced were not looked for\n");
    if (!problem && r.place.missing)
        terminal_say("ddb-capture: %zu of the keys have no item\n", r.place.missing);
    clock_free(r.clock);
    return problem;
}
