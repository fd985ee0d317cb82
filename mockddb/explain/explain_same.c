#include "explain/explain_same.h"

#include "base/siphash.h"
#include "ops/capacity.h"

#include <stdlib.h>

#define COMPARED 2000 /* items */

struct answer {
    struct item it;
    uint64_t hash;
};

struct answers {
    struct answer *at;
    size_t len;
    int64_t count; /* as the reply says it; -1: it does not */
    bool has_items, more;
};

static bool read_answers(struct inquiry *q, struct span reply, struct answers *out)
{
    const wire_node *root, *list;

    *out = (struct answers){.len = 0};
    if (!reply.len || wire_parse(q->arena, reply, &root))
        return false;
    list = wire_get(root, "Items");
    out->has_items = list != NULL;
    out->count = wire_integer(wire_get(root, "Count"), -1);
    out->more = wire_get(root, "LastEvaluatedKey") || wire_get(root, "NextToken");
    if (wire_count(list) > COMPARED)
        return false;
    out->at = arena_array(q->arena, wire_count(list) + 1, sizeof *out->at);
    for (const wire_node *n = wire_first(list); n; n = wire_next(n))
        if (!inquiry_read_item(q, n, &out->at[out->len++].it))
            return false;
    return true;
}

static int by_hash(const void *a, const void *b)
{
    const struct answer *x = a, *y = b;

    return x->hash < y->hash ? -1 : x->hash > y->hash;
}

static void sort_answers(struct answers *all)
{
    static const struct siphash_key key;

    for (size_t i = 0; i < all->len; i++)
        all->at[i].hash = item_hash(&key, &all->at[i].it);
    qsort(all->at, all->len, sizeof *all->at, by_hash);
}

/* Whether each of `some` is among `all`. */
static bool are_among(struct answers *some, struct answers *all)
{
    size_t k = 0;

    sort_answers(some);
    sort_answers(all);
    for (size_t i = 0; i < some->len; i++, k++) {
        while (k < all->len && (all->at[k].hash < some->at[i].hash ||
                                (all->at[k].hash == some->at[i].hash &&
                                 !item_equal(&all->at[k].it, &some->at[i].it))))
            k++;
        if (k == all->len || all->at[k].hash != some->at[i].hash)
            return false;
    }
    return true;
}

/* Leaves only the key of each item; false: one of them does not have all of it. */
static bool reduce_to_keys(struct inquiry *q, const struct table *t, struct answers *all)
{
    for (size_t i = 0; i < all->len; i++) {
        struct item *it = &all->at[i].it;
        const struct key_part *part;

        for (size_t k = 0; (part = inquiry_key_part(&t->keys, k)); k++)
            if (!item_find(it, part->name))
                return false;
        *it = schema_key_of(q->arena, t, it);
    }
    return true;
}

enum sameness explain_same(struct inquiry *q, const struct table *t, const struct proposal *p,
                           double *fetch_units)
{
    struct answers ours, theirs;

    *fetch_units = 0;
    if (!read_answers(q, q->record->reply, &ours) || !read_answers(q, p->answer, &theirs) ||
        (theirs.more && !ours.more))
        return SAME_NOT;
    /* The conditions are the same, so an index can only give fewer items. */
    if (!ours.has_items || !theirs.has_items)
        return !ours.more && ours.count == theirs.count ? SAME_ITEMS : SAME_NOT;
    if (!ours.more && ours.len != theirs.len)
        return SAME_NOT;
    if (are_among(&ours, &theirs))
        return SAME_ITEMS;
    for (size_t i = 0; i < ours.len; i++)
        *fetch_units += capacity_read_units(item_size(&ours.at[i].it)) / 2;
    if (!reduce_to_keys(q, t, &ours) || !reduce_to_keys(q, t, &theirs))
        return SAME_NOT;
    return are_among(&ours, &theirs) ? SAME_KEYS : SAME_NOT;
}
