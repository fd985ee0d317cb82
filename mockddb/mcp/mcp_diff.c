#include "mcp/mcp_diff.h"

#include "base/one_more.h"

#include <stdlib.h>

/* The items of a table in one world. */
struct side {
    const wire_node *schema; /* its key; NULL: the world does not have the table */
    const wire_node **pages;
    size_t count;
};

struct compared {
    struct span name;
    struct side base, world;
};

/* An item, with the JSON of its key's values, which is the same for the same key. */
struct entry {
    struct span key;
    const wire_node *item;
};

struct entries {
    struct entry *at;
    size_t count;
};

/* --- reading ---------------------------------------------------------------------------------- */

/* The request {"TableName": name, "ExclusiveStartKey": start}. */
static struct span table_request(struct mcp_call *c, struct span name, const wire_node *start)
{
    struct buf out = buf_in(c->arena);
    struct wire_writer w = {&out, false};

    wire_open(&w, '{');
    wire_put_member_text(&w, "TableName", name);
    if (start)
        wire_put_member_raw(&w, "ExclusiveStartKey", wire_raw(start));
    wire_close(&w, '}');
    return buf_span(&out);
}

static const struct problem *read_side(struct mcp_call *c, struct span world, struct span table,
                                       struct side *out)
{
    const wire_node *answer, *start = NULL;
    const struct problem *p = mcp_call_aside(c, world, "DescribeTable",
                                             table_request(c, table, NULL), &answer);

    if (p)
        return p;
    out->schema = wire_get(wire_get(answer, "Table"), "KeySchema");
    do {
        if ((p = mcp_call_aside(c, world, "Scan", table_request(c, table, start), &answer)))
            return p;
        out->pages = one_more(c->arena, out->pages, out->count, sizeof(const wire_node *));
        out->pages[out->count++] = answer;
        start = wire_get(answer, "LastEvaluatedKey");
    } while (start);
    return NULL;
}

static const struct problem *list_tables(struct mcp_call *c, struct span world,
                                         const wire_node **out)
{
    const wire_node *answer;
    const struct problem *p = mcp_call_aside(c, world, "ListTables", SPAN_LIT("{}"), &answer);

    *out = p ? NULL : wire_get(answer, "TableNames");
    return p;
}

/* --- comparing -------------------------------------------------------------------------------- */

static int by_key(const void *a, const void *b)
{
    return span_compare(((const struct entry *)a)->key, ((const struct entry *)b)->key);
}

static struct entries sort_items(struct mcp_call *c, const struct side *side)
{
    struct entries out = {NULL, 0};

    for (size_t i = 0; i < side->count; i++)
        for (const wire_node *item = wire_first(wire_get(side->pages[i], "Items")); item;
             item = wire_next(item)) {
            struct buf key = buf_in(c->arena);

            for (const wire_node *k = wire_first(side->schema); k; k = wire_next(k)) {
                const wire_node *value = wire_get_span(item,
                                                       wire_text(wire_get(k, "AttributeName")));

                if (value)
                    json_write(&key, value);
            }
            out.at = one_more(c->arena, out.at, out.count, sizeof *out.at);
            out.at[out.count++] = (struct entry){buf_span(&key), item};
        }
    if (out.count)
        qsort(out.at, out.count, sizeof *out.at, by_key);
    return out;
}

/* The items of a table that differ: lists of items, and pairs of them. */
struct found {
    struct buf added, removed, changed;
    size_t adds, removes, changes;
};

static void put_one(struct buf *out, size_t *count, const wire_node *item)
{
    buf_add_text(out, (*count)++ ? "," : "");
    buf_add_span(out, wire_raw(item));
}

static void compare_items(struct mcp_call *c, const struct compared *t, struct found *f)
{
    struct entries base = sort_items(c, &t->base), world = sort_items(c, &t->world);
    size_t b = 0, w = 0;

    while (b < base.count || w < world.count) {
        int order = b == base.count ? 1 : w == world.count ? -1 : by_key(&base.at[b], &world.at[w]);

        if (order < 0) {
            put_one(&f->removed, &f->removes, base.at[b++].item);
        } else if (order > 0) {
            put_one(&f->added, &f->adds, world.at[w++].item);
        } else {
            if (!json_equal(base.at[b].item, world.at[w].item)) {
                buf_add_text(&f->changed, f->changes++ ? ",{\"from\":" : "{\"from\":");
                buf_add_span(&f->changed, wire_raw(base.at[b].item));
                buf_add_text(&f->changed, ",\"to\":");
                buf_add_span(&f->changed, wire_raw(world.at[w].item));
                buf_add_char(&f->changed, '}');
            }
            b++;
            w++;
        }
    }
}

static void put_list(struct wire_writer *w, const char *member, const struct buf *list)
{
    wire_open_member(w, member, '[');
    if (list->len)
        wire_put_raw(w, buf_span(list));
    wire_close(w, ']');
}

/* Adds the table to the result if it differs; returns whether it does. */
static bool compare_table(struct mcp_call *c, const struct compared *t, struct wire_writer *w,
                          struct buf *about)
{
    struct found f = {
        .added = buf_in(c->arena), .removed = buf_in(c->arena), .changed = buf_in(c->arena)};

    compare_items(c, t, &f);
    if (t->base.schema && t->world.schema && !f.adds && !f.removes && !f.changes)
        return false;
    buf_printf(about, "%.*s%s: %zu items added, %zu removed, %zu changed\n", SPAN_ARG(t->name),
               !t->base.schema    ? " (new)"
               : !t->world.schema ? " (gone)"
                                  : "",
               f.adds, f.removes, f.changes);
    wire_open(w, '{');
    wire_put_member_text(w, "table", t->name);
    put_list(w, "added", &f.added);
    put_list(w, "removed", &f.removed);
    put_list(w, "changed", &f.changed);
    wire_close(w, '}');
    return true;
}

/* --- the result ------------------------------------------------------------------------------- */

/* The tables of both worlds, or the one that is asked for; names in `base` come first. */
static const struct problem *read_tables(struct mcp_call *c, struct span world, struct span base,
                                         struct span only, struct compared **out, size_t *count)
{
    const wire_node *in_base, *in_world;
    const struct problem *p;

    *out = NULL;
    *count = 0;
    if ((p = list_tables(c, base, &in_base)) || (p = list_tables(c, world, &in_world)))
        return p;
    for (int side = 0; side < 2; side++)
        for (const wire_node *n = wire_first(side ? in_world : in_base); n; n = wire_next(n)) {
            struct span name = wire_text(n);
            const bool is_in_base = wire_has_text(in_base, name);
            struct compared t = {.name = name};

            if ((side && is_in_base) || (only.len && !span_equal(only, name)))
                continue;
            if ((is_in_base && (p = read_side(c, base, name, &t.base))) ||
                (wire_has_text(in_world, name) && (p = read_side(c, world, name, &t.world))))
                return p;
            *out = one_more(c->arena, *out, *count, sizeof **out);
            (*out)[(*count)++] = t;
        }
    return NULL;
}

const struct problem *mcp_diff(struct mcp_call *c, struct span world, struct span base,
                               struct span table)
{
    struct buf about = buf_in(c->arena), data = buf_in(c->arena);
    struct wire_writer w = {&data, false};
    struct compared *tables;
    const struct problem *p;
    size_t count, differing = 0;

    if ((p = read_tables(c, world, base, table, &tables, &count)))
        return p;
    if (table.len && !count)
        return problem_invalid(c->arena, "neither world has table %.*s", SPAN_ARG(table));
    wire_open(&w, '[');
    for (size_t i = 0; i < count; i++)
        differing += compare_table(c, &tables[i], &w, &about);
    wire_close(&w, ']');
    c->result.reason = differing
                           ? arena_printf(c->arena, "%zu of %zu tables differ", differing, count)
                           : arena_printf(c->arena, "all %zu tables are the same", count);
    c->result.about = buf_span(&about);
    c->result.data = buf_span(&data);
    c->result.rest = "ask for more with max_items, or for one table";
    return NULL;
}
