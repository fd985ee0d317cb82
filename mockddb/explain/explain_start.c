#include "explain/explain_start.h"

#include "model/limits.h"
#include "ops/op_target.h"

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
    for (size_t i = 0; i < keys->hash_count + keys->range_count; i++) {
        const struct key_part *part = i < keys->hash_count ? &keys->hash[i]
                                                           : &keys->range[i - keys->hash_count];

        if (w->len == PARTS || find_part(w, part->name) < w->len)
            continue;
        w->names[w->len] = part->name;
        w->types[w->len++] = part->type;
    }
}

/* The first thing that is wrong with it; "": nothing is. */
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
    return "";
}

bool explain_start(struct inquiry *q)
{
    const wire_node *node = wire_get(q->call.body, "ExclusiveStartKey");
    struct span name = wire_text(wire_get(q->call.body, "IndexName"));
    const struct index *ix = NULL;
    struct wanted w = {.len = 0};
    const struct table *t;
    struct item start;
    const char *fault;

    if (!node)
        return false;
    if (op_target_find(&q->call, &t) || (name.len && !(ix = schema_find_index(t, name))) ||
        !inquiry_read_item(q, node, &start))
        return true;
    if (ix)
        want(&w, &ix->keys);
    want(&w, &t->keys);
    fault = fault_of(q, &w, &start);
    if (*fault)
        inquiry_reason(q,
                       "ExclusiveStartKey of %s consists of %s: %s; pass on LastEvaluatedKey as "
                       "it came",
                       inquiry_place(q, t, ix), inquiry_names(q, w.names, w.len), fault);
    return *fault != '\0';
}
