#include "capture/capture_run.h"

#include "base/digest.h"
#include "base/file.h"
#include "base/terminal.h"
#include "capture/capture_folder.h"
#include "fixtures/fixtures_table.h"
#include "model/item_codec.h"
#include "moving/moving_output.h"
#include "moving/moving_pages.h"
#include "wire/wire_attr.h"
#include "wire/wire_shape.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#define BATCH      100 /* keys in a BatchGetItem */
#define PAGE_BYTES (1 << 20)

struct capture_state {
    struct moving_pages pages; /* first; a part is a job */
    struct client_pace *pace;
    struct arena *arena;
    const struct capture_options *options;
    const struct capture_tables *tables;
    struct capture_folder *folder;
    size_t missing, missing_before; /* requested keys without an item; before the current job */
    struct clock *clock;
    struct mask_left *left; /* texts that the rules replaced; NULL: there are no rules */
};

/* --- tables ----------------------------------------------------------------------------------- */

/* Describes the table. */
static const char *read_table(struct client *client, struct arena *a, const char *prefix,
                              struct span name, struct capture_table *out)
{
    struct span full_name = span_of(arena_printf(a, "%s%.*s", prefix, SPAN_ARG(name)));
    struct buf lacks = buf_in(a);
    const char *problem = moving_scan_describe(a, client, full_name, &out->scan);

    if (problem)
        return problem;
    out->name = name;
    out->schema = fixtures_table_schema(a, name, out->scan.described, out->scan.ttl,
                                        (struct span){"", 0});
    fixtures_table_lacks(&lacks, out->scan.described);
    fixtures_table_add_lack(&lacks, "tags, a resource policy, point-in-time recovery, contributor "
                                    "insights and Kinesis destinations (not asked for)");
    out->lacks = buf_span(&lacks);
    return NULL;
}

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
        if ((problem = read_table(client, a, o->prefix, o->jobs[i].table, &out->at[out->len])))
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

/* Adds a page of items to the folder. */
static const char *put_page(struct moving_pages *p, struct arena *page,
                            const struct moving_scan *scan, const wire_node *items)
{
    struct capture_state *r = (struct capture_state *)p;
    struct span table = r->options->jobs[p->part].table;
    struct buf lines = buf_in(page);
    const char *problem = check_answer(page, scan->page);

    for (const wire_node *n = wire_first(items); n && !problem; n = wire_next(n))
        problem = add_item(r, page, table, n, &lines);
    r->missing = r->missing_before + scan->absent;
    return problem ? problem : capture_folder_add(r->folder, page, table, buf_span(&lines));
}

/* --- jobs ------------------------------------------------------------------------------------- */

/* At most what the rate allows in a second. Each key is charged by itself. */
static int64_t page_limit(const struct capture_state *r, const struct capture_table *t,
                          enum capture_what what)
{
    double mean = t->scan.items && t->scan.bytes ? (double)t->scan.bytes / (double)t->scan.items
                                                 : 400;
    double limit = what == CAPTURE_KEYS ? r->options->rate / (ceil(mean / 4096) / 2)
                                        : r->options->rate * 8192 / mean;
    int64_t most = what == CAPTURE_KEYS ? BATCH : PAGE_BYTES;

    return limit < 1 ? 1 : limit < (double)most ? (int64_t)limit : most;
}

static const char *begin_job(struct moving_pages *p, struct arena *a, struct moving_scan *scan)
{
    struct capture_state *r = (struct capture_state *)p;
    const struct capture_job *job = &r->options->jobs[p->part];
    const struct capture_table *t = capture_run_table(r->tables, job->table);
    bool by_keys = job->what == CAPTURE_KEYS;

    *scan = t->scan;
    scan->query = job->query;
    scan->wanted = job->keys;
    scan->wanted_count = job->key_count;
    scan->limit = page_limit(r, t, job->what);
    scan->pace = r->pace;
    scan->counts_units = true;
    scan->start = buf_in(a);
    scan->done = job->what == CAPTURE_SCHEMA || (by_keys && !job->key_count);
    r->missing_before = r->missing;
    progress_part(p->progress, job->table, by_keys ? job->key_count : (size_t)t->scan.items);
    return NULL;
}

/* --- the state -------------------------------------------------------------------------------- */

static void write_state(const struct moving_pages *p, struct wire_writer *w)
{
    const struct capture_state *r = (const struct capture_state *)p;

    wire_put_member_integer(w, "missing", (int64_t)r->missing);
    wire_put_member_raw(w, "units", span_of(arena_printf(w->out->arena, "%.17g", r->pace->spent)));
    capture_folder_put_sizes(r->folder, w);
}

static void read_state(struct moving_pages *p, const wire_node *state)
{
    struct capture_state *r = (struct capture_state *)p;

    r->missing = (size_t)wire_integer(wire_get(state, "missing"), 0);
    r->pace->spent += wire_double(wire_get(state, "units"), 0);
    capture_folder_take_sizes(r->folder, state);
}

static const char *make_folder(struct capture_state *r, const char *path)
{
    return file_make_folder(r->arena, path) ? NULL : file_error(r->arena, path);
}

/* The folder is created, or has an unfinished run of the same plan. */
static const char *open_folder(struct capture_state *r)
{
    struct arena *a = r->arena;
    const char *path = r->options->folder, *problem;
    unsigned char hash[SHA256_LEN];
    struct buf plan = buf_in(a);
    bool found;

    digest_sha256(r->options->plan, hash);
    buf_add_hex(&plan, hash, sizeof hash);
    r->folder = capture_folder_new(a, path);
    r->pages.state = capture_folder_path(r->folder, a, ".ddb-capture.json");
    r->pages.plan = buf_span(&plan);
    if ((problem = moving_pages_open(a, &r->pages, &found)))
        return problem;
    if (!found && capture_folder_is_fixture(r->folder, a))
        return arena_printf(a, "%s is a fixture already", path);
    if (!found && ((problem = make_folder(r, path)) || (problem = moving_pages_keep(a, &r->pages))))
        return problem;
    if ((problem = make_folder(r, capture_folder_path(r->folder, a, "tables"))))
        return problem;
    return make_folder(r, capture_folder_path(r->folder, a, "items"));
}

/* --- all -------------------------------------------------------------------------------------- */

static const char *write_head(struct capture_state *r)
{
    const char *fixture = capture_folder_path(r->folder, r->arena, "fixture.json");
    const char *taken = clock_iso_time(r->arena, clock_now_ms(r->clock)), *problem;

    if (access(fixture, F_OK) == 0)
        return NULL; /* it is written after the schemas */
    for (size_t i = 0; i < r->tables->len; i++) {
        const struct capture_table *t = &r->tables->at[i];
        const char *name = arena_printf(r->arena, "tables/%.*s.json", SPAN_ARG(t->name));

        if ((problem = moving_output_write_private(
                 r->arena, capture_folder_path(r->folder, r->arena, name), t->schema)))
            return problem;
    }
    return moving_output_write_private(
        r->arena, fixture, span_of(arena_printf(r->arena, "{\"taken\": \"%.19sZ\"}\n", taken)));
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

/* Whether the index has all attributes of its items. */
static bool holds_all(const struct capture_table *t, struct span index)
{
    static const char *const lists[] = {"LocalSecondaryIndexes", "GlobalSecondaryIndexes"};

    for (size_t i = 0; i < COUNT(lists); i++)
        for (const wire_node *n = wire_first(wire_get(t->scan.described, lists[i])); n;
             n = wire_next(n)) {
            const wire_node *type = wire_get(wire_get(n, "Projection"), "ProjectionType");

            if (span_equal(wire_text(wire_get(n, "IndexName")), index))
                return span_is(wire_text(type), "ALL");
        }
    return true;
}

/* Refuses an index that lacks attributes of its items. */
static const char *check_queries(const struct capture_state *r)
{
    for (size_t i = 0; i < r->options->job_count; i++) {
        const struct capture_job *job = &r->options->jobs[i];
        struct span index = wire_text(wire_get(job->query, "IndexName"));

        if (index.len && !holds_all(capture_run_table(r->tables, job->table), index))
            return arena_printf(r->arena,
                                "--query: %.*s does not hold whole items: query the table, or get "
                                "them by --keys",
                                SPAN_ARG(index));
    }
    return NULL;
}

/* Reads what was written: a text may have been replaced after another attribute with it was
 * written. */
static const char *look_for_replaced(struct moving_pages *p)
{
    const struct capture_state *r = (const struct capture_state *)p;
    struct arena *a = arena_new();
    const char *problem = NULL;

    for (size_t i = 0; r->left && i < r->tables->len && !problem; i++) {
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

const char *capture_run(struct client_pace *pace, struct arena *a, const struct capture_options *o,
                        const struct capture_tables *tables)
{
    struct capture_state r = {
        .pages = {.count = o->job_count,
                  .of_another = "is of an unfinished capture of something else: repeat that "
                                "command, or delete the folder",
                  .part_name = "job",
                  .done_name = "done",
                  .is_private = true,
                  .begin = begin_job,
                  .put = put_page,
                  .finish = look_for_replaced,
                  .write_state = write_state,
                  .read_state = read_state},
        .pace = pace,
        .arena = a,
        .options = o,
        .tables = tables,
    };
    const char *problem, *said;
    bool resumes;

    if ((problem = check_rules(&r)) || (problem = check_queries(&r)) || (problem = open_folder(&r)))
        return problem;
    resumes = r.pages.done || r.pages.part;
    if (o->rules)
        mask_rules_remember(o->rules, r.left = mask_left_new(a));
    r.clock = clock_new_system();
    r.pages.progress = progress_new(a, r.clock, isatty(STDERR_FILENO) ? stderr : NULL);
    if (!(problem = write_head(&r)))
        problem = moving_pages_run(a, &r.pages);
    if (!problem && o->rules && (said = mask_rules_unmet(a, o->rules)))
        terminal_say("ddb-capture: %s%s\n", resumes ? "in this run, " : "", said);
    if (!problem && o->rules && (said = mask_left_say(r.left, a)))
        terminal_say("ddb-capture: %s\n", said);
    if (!problem && o->rules && resumes)
        terminal_say("ddb-capture: texts that an earlier run replaced were not looked for\n");
    if (!problem && r.missing)
        terminal_say("ddb-capture: %zu of the keys have no item\n", r.missing);
    clock_free(r.clock);
    return problem;
}
