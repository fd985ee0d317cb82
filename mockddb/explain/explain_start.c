#include "explain/explain_start.h"

#include "model/limits.h"
#include "ops/op_target.h"

/* Key attributes of an index, of which a global one has several of each kind, and of the table. */
#define PARTS (2 * LIMIT_KEY_PARTS + 2)

/* What a start key consists of: the key of the index that is read, and the table's key. */
struct wanted {
    const struct key_part *at[PARTS];
    size_t len;
};

static void want(struct wanted *w, const struct key_part *parts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bool known = w->len == PARTS;

        for (size_t k = 0; k < w->len; k++)
            known = known || span_equal(w->at[k]->name, parts[i].name);
        if (!known)
            w->at[w->len++] = &parts[i];
    }
}

static const char *wanted_words(struct inquiry *q, const struct wanted *w)
{
    struct span names[PARTS];

    for (size_t i = 0; i < w->len; i++)
        names[i] = w->at[i]->name;
    return inquiry_names(q, names, w->len);
}

static bool has_part(const struct wanted *w, struct span name)
{
    for (size_t i = 0; i < w->len; i++)
        if (span_equal(w->at[i]->name, name))
            return true;
    return false;
}

/* The first thing that is wrong with it; "": nothing is. */
static const char *fault_of(struct inquiry *q, const struct wanted *w, const struct item *start)
{
    for (size_t i = 0; i < w->len; i++) {
        const struct attr *value = item_find(start, w->at[i]->name);

        if (!value)
            return arena_printf(q->arena, "%.*s is missing", SPAN_ARG(w->at[i]->name));
        if (value->type != w->at[i]->type)
            return arena_printf(q->arena, "%.*s is %s, not %s", SPAN_ARG(w->at[i]->name),
                                attr_type_code(w->at[i]->type), attr_type_code(value->type));
    }
    for (size_t i = 0; i < start->len; i++)
        if (!has_part(w, start->at[i].name))
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
    if (ix) {
        want(&w, ix->keys.hash, ix->keys.hash_count);
        want(&w, ix->keys.range, ix->keys.range_count);
    }
    want(&w, t->keys.hash, t->keys.hash_count);
    want(&w, t->keys.range, t->keys.range_count);
    fault = fault_of(q, &w, &start);
    if (*fault)
        inquiry_reason(q,
                       "ExclusiveStartKey of %s consists of %s: %s; pass on LastEvaluatedKey as "
                       "it came",
                       inquiry_place(q, t, ix), wanted_words(q, &w), fault);
    return *fault != '\0';
}
