#include "moving/moving_copy.h"

#include "base/file.h"
#include "moving/moving_load.h"
#include "moving/moving_output.h"
#include "wire/wire_print.h"
#include "wire/wire_reply.h"

#include <errno.h>
#include <unistd.h>

/* The progress of a copy. */
struct copy_place {
    size_t table;     /* number of the current table */
    size_t line;      /* its items copied so far */
    struct buf start; /* start key of its next page, as JSON; empty: the first page */
};

/* --- the state -------------------------------------------------------------------------------- */

/* Returns a text that is equal for runs of the same copy. */
static struct span plan_of(struct arena *a, const struct moving_copy *c)
{
    struct buf out = buf_in(a);

    buf_printf(&out, "%s > %s %s", c->from->name, c->to->name, c->prefix);
    for (size_t i = 0; i < c->table_count; i++)
        buf_printf(&out, " %.*s", SPAN_ARG(c->tables[i]));
    return buf_span(&out);
}

static const char *write_state(struct arena *a, const struct moving_copy *c,
                               const struct copy_place *place)
{
    struct buf out = buf_in(a);
    struct wire_writer w = {&out, false};

    wire_open(&w, '{');
    wire_put_member_text(&w, "plan", plan_of(a, c));
    wire_put_member_integer(&w, "table", (int64_t)place->table);
    wire_put_member_integer(&w, "items", (int64_t)place->line);
    if (!c->before_unknown)
        wire_put_member_integer(&w, "put", (int64_t)(c->before + c->report->items));
    if (place->start.len)
        wire_put_member_raw(&w, "start", buf_span(&place->start));
    wire_close(&w, '}');
    return moving_output_write(a, c->state, buf_span(&out));
}

static const char *read_state(struct arena *a, struct moving_copy *c, struct copy_place *place)
{
    const wire_node *state;
    struct span text;

    if (!file_read(a, c->state, &text))
        return errno == ENOENT ? NULL : file_error(a, c->state);
    if (wire_parse(a, text, &state))
        return arena_printf(a, "%s is damaged: delete it to start again", c->state);
    if (!span_equal(wire_text(wire_get(state, "plan")), plan_of(a, c)))
        return arena_printf(a,
                            "%s belongs to another unfinished copy: repeat that command, or delete "
                            "the file",
                            c->state);
    place->table = (size_t)wire_integer(wire_get(state, "table"), 0);
    place->line = (size_t)wire_integer(wire_get(state, "items"), 0);
    c->before = (uint64_t)wire_integer(wire_get(state, "put"), 0);
    c->before_unknown = !wire_get(state, "put") && (place->table || place->line);
    if (wire_get(state, "start"))
        wire_print_json(&place->start, wire_get(state, "start"));
    return NULL;
}

/* --- a table ---------------------------------------------------------------------------------- */

static const char *put_page(struct arena *page, const struct moving_copy *c, struct moving_load *l,
                            const char *file, const wire_node *items, struct copy_place *place)
{
    const char *problem = NULL;

    for (const wire_node *n = wire_first(items); n && !problem; n = wire_next(n)) {
        const struct moving_item item = {
            .node = n, .json = wire_raw(n), .file = file, .line = ++place->line};

        problem = moving_load_put(l, page, &item);
    }
    progress_at(c->progress, place->line);
    return problem ? problem : moving_load_end(l, page);
}

/* Copies page by page; the state records the progress after each page. */
static const char *copy_items(struct arena *a, const struct moving_copy *c,
                              struct moving_scan *scan, struct moving_load *l,
                              struct copy_place *place)
{
    const char *file = arena_printf(a, "%.*s", SPAN_ARG(scan->table)), *problem = NULL;
    struct arena *page = arena_new();

    buf_add_span(&scan->start, buf_span(&place->start));
    while (!scan->done && !problem) {
        const wire_node *items;

        arena_reset(page);
        if ((problem = moving_scan_next(scan, page, &items)) ||
            (problem = put_page(page, c, l, file, items, place)))
            break;
        place->start.len = 0;
        buf_add_span(&place->start, buf_span(&scan->start));
        if (!scan->done)
            problem = write_state(page, c, place);
    }
    problem = problem ? arena_text(a, span_of(problem)) : NULL;
    arena_free(page);
    return problem;
}

static const char *copy_table(struct arena *a, const struct moving_copy *c,
                              struct moving_tables *tables, struct copy_place *place)
{
    struct span from = c->tables[place->table];
    struct span to = span_of(arena_printf(a, "%s%.*s", c->prefix, SPAN_ARG(from)));
    const struct moving_table *table;
    struct moving_scan scan;
    struct moving_load *l;
    const char *problem;

    if ((problem = moving_scan_begin(a, c->from, from, &scan)) ||
        (problem = moving_scan_schema(a, &scan)) ||
        (problem = moving_tables_make(tables, scan.schema, to)) ||
        (problem = moving_tables_find(tables, to, &table)))
        return problem;
    scan.pace = c->pace; /* each page is written at once */
    progress_part(c->progress, from, scan.items);
    l = moving_load_new(c->to, table->name, table->keys, table->key_count, c->report);
    moving_load_set_ttl(l, moving_tables_ttl(tables, table->name), client_now_ms(c->to, a));
    problem = copy_items(a, c, &scan, l, place);
    moving_load_free(l);
    return problem;
}

const char *moving_copy_run(struct arena *a, struct moving_copy *c)
{
    struct moving_tables *tables = moving_tables_new(a, c->to);
    struct copy_place place = {.start = buf_in(a)};
    const char *problem = read_state(a, c, &place);

    while (!problem && place.table < c->table_count) {
        if ((problem = copy_table(a, c, tables, &place)))
            break;
        place.table++;
        place.line = 0;
        place.start.len = 0;
        problem = write_state(a, c, &place);
    }
    progress_end(c->progress);
    if (!problem && unlink(c->state) && errno != ENOENT)
        problem = file_error(a, c->state);
    return problem;
}
