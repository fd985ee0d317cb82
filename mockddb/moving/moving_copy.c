#include "moving/moving_copy.h"

#include "moving/moving_load.h"

/* Returns a text that is equal for runs of the same copy. */
static struct span plan_of(struct arena *a, const struct moving_copy *c)
{
    struct buf out = buf_in(a);

    buf_printf(&out, "%s > %s %s", c->from->name, c->to->name, c->prefix);
    for (size_t i = 0; i < c->tables->count; i++)
        buf_printf(&out, " %.*s", SPAN_ARG(c->tables->at[i]));
    return buf_span(&out);
}

static void write_state(const struct moving_pages *p, struct wire_writer *w)
{
    const struct moving_copy *c = (const struct moving_copy *)p;

    if (!c->before_unknown)
        wire_put_member_integer(w, "put", (int64_t)(c->before + c->report->items));
    if (c->compared.items) {
        wire_put_member_integer(w, "equal", (int64_t)c->compared.items);
        wire_put_member_text(w, "digest", span_of(moving_digest_text(w->out->arena, &c->compared)));
    }
}

static void read_state(struct moving_pages *p, const wire_node *state)
{
    struct moving_copy *c = (struct moving_copy *)p;

    c->before = (uint64_t)wire_integer(wire_get(state, "put"), 0);
    c->before_unknown = !wire_get(state, "put") && (p->part || p->done);
    moving_digest_read(wire_text(wire_get(state, "digest")), &c->compared);
    c->compared.items = (uint64_t)wire_integer(wire_get(state, "equal"), 0);
}

/* Finds the next table and creates it there. */
static const char *begin_table(struct moving_pages *p, struct arena *a, struct moving_scan *scan)
{
    struct moving_copy *c = (struct moving_copy *)p;
    struct span from = c->tables->at[p->part];
    struct span to = span_of(arena_printf(a, "%s%.*s", c->prefix, SPAN_ARG(from)));
    const struct moving_table *table;
    const char *problem;

    if ((problem = moving_scan_begin(a, c->from, from, scan)) ||
        (problem = moving_scan_schema(a, scan)) ||
        (problem = moving_tables_make(c->made, scan->schema, to)) ||
        (problem = moving_tables_find(c->made, to, &table)))
        return problem;
    scan->pace = c->pace; /* each page is written at once */
    progress_part(p->progress, from, scan->items);
    if (!p->done)
        c->compared = (struct moving_digest){.items = 0};
    moving_load_free(c->load);
    c->load = moving_load_new(c->to, table->name, table->keys, table->key_count, c->report);
    moving_load_set_ttl(c->load, moving_tables_ttl(c->made, table->name), client_now_ms(c->to, a));
    return NULL;
}

static const char *put_page(struct moving_pages *p, struct arena *page,
                            const struct moving_scan *scan, const wire_node *items)
{
    const struct moving_copy *c = (const struct moving_copy *)p;
    const char *file = arena_text(page, scan->table), *problem = NULL;
    struct moving_item item = {.file = file, .line = p->done};

    for (const wire_node *n = wire_first(items); n && !problem; n = wire_next(n)) {
        item.node = n;
        item.json = wire_raw(n);
        item.line++;
        problem = moving_load_put(c->load, page, &item);
    }
    problem = problem ? problem : moving_load_end(c->load, page);
    if (!problem && scan->done && c->finished)
        c->finished(c, scan->table);
    return problem;
}

const char *moving_copy_run(struct arena *a, struct moving_copy *c)
{
    struct moving_pages *p = &c->pages;
    const char *problem;
    bool found;

    p->count = c->tables->count;
    p->plan = plan_of(a, c);
    p->of_another = "belongs to another unfinished copy: repeat that command, or delete the file";
    p->part_name = "table";
    p->done_name = "items";
    p->begin = begin_table;
    p->put = put_page;
    p->write_state = write_state;
    p->read_state = read_state;
    c->made = moving_tables_new(a, c->to);
    if (!(problem = moving_pages_open(a, p, &found)))
        problem = moving_pages_run(a, p);
    moving_load_free(c->load);
    return problem;
}
