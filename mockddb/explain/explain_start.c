#include "explain/explain_start.h"

#include "explain/explain_entry.h"
#include "model/limits.h"

/* Key attributes of an index, of which a global one has several of each kind, and of the table. */
#define PARTS (2 * LIMIT_KEY_PARTS + 2)

/* What a start key consists of: the key of the index that is read, and the table's key. */
struct wanted {
    struct span names[PARTS];
    enum attr_type types[PARTS];
    size_t len;
};

static size_t find_part(const struct wanted *w, struct span name)
{
    size_t i = 0;

    while (i < w->len && !span_equal(w->names[i], name))
        i++;
    return i;
}

static void want(struct wanted *w, const struct key_schema *keys)
{
    const struct key_part *part;

    for (size_t i = 0; (part = inquiry_key_part(keys, i)); i++) {
        if (w->len == PARTS || find_part(w, part->name) < w->len)
            continue;
        w->names[w->len] = part->name;
        w->types[w->len++] = part->type;
    }
}

/* What is wrong with it first; NULL: its types and names fit. */
static const char *fault_of(struct inquiry *q, const struct wanted *w, const struct item *start)
{
    for (size_t i = 0; i < w->len; i++) {
        const struct attr *value = item_find(start, w->names[i]);

        if (!value)
            return arena_printf(q->arena, "%.*s is missing", SPAN_ARG(w->names[i]));
        if (value->type != w->types[i])
            return arena_printf(q->arena, "%.*s is %s, not %s", SPAN_ARG(w->names[i]),
                                attr_type_code(w->types[i]), attr_type_code(value->type));
    }
    for (size_t i = 0; i < start->len; i++)
        if (find_part(w, start->at[i].name) == w->len)
            return arena_printf(q->arena, "%.*s does not belong to it",
                                SPAN_ARG(start->at[i].name));
    return NULL;
}

void explain_start(struct inquiry *q, const struct refusal *r)
{
    struct span name = wire_text(wire_get(q->entry, "IndexName"));
    const struct index *ix = NULL;
    struct wanted w = {.len = 0};
    const struct table *t;
    struct item start;
    const char *fault;

    (void)r;
    if (!explain_entry_table(q, &t) || (name.len && !(ix = schema_find_index(t, name))) ||
        !inquiry_read_item(q, wire_get(q->entry, "ExclusiveStartKey"), &start))
        return;
    if (ix)
        want(&w, &ix->keys);
    want(&w, &t->keys);
    if ((fault = fault_of(q, &w, &start)))
        inquiry_reason(q,
                       "ExclusiveStartKey of %s consists of %s: %s; pass on LastEvaluatedKey as "
                       "it came",
                       inquiry_place(q, t, ix), inquiry_names(q, w.names, w.len), fault);
}
