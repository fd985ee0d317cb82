#include "ops/read/read_start.h"

#include "ops/key_check.h"

#define START_INVALID "The provided starting key is invalid"

/* Adds the prefix, except for errors of numbers and of repeated set members. */
static const struct error *prefix_error(struct arena *a, const struct error *e)
{
    struct buf message = buf_in(a);

    if (e->unprefixed)
        return e;
    buf_add_text(&message, START_INVALID ": ");
    buf_add_span(&message, e->message);
    return error_written(&message, e->why);
}

const struct error *read_start(struct call *c, enum wire_layer layer, struct item *key,
                               bool *present)
{
    const wire_node *node = wire_get(c->body, "ExclusiveStartKey");
    const struct error *e;

    *present = node != NULL;
    if (!node || !(e = wire_read_item(c->arena, node, layer, key)))
        return NULL;
    return prefix_error(c->arena, e);
}

const struct error *read_start_invalid(struct arena *a, bool schema)
{
    return error_caused(a, ERROR_VALIDATION, ERROR_WHY(CAUSE_START_KEY),
                        schema ? START_INVALID
                            ": The provided key element does not match the schema"
                               : START_INVALID);
}

/* Counts the attributes of `keys` in the key, without those that are also in `except`. */
static size_t count_present(const struct key_schema *keys, const struct key_schema *except,
                            const struct item *key, size_t *wanted)
{
    const struct key_part *part;
    size_t present = 0;

    for (size_t i = 0; (part = schema_key_part(keys, i)); i++) {
        if (except && schema_is_key(except, part->name))
            continue;
        ++*wanted;
        present += item_find(key, part->name) != NULL;
    }
    return present;
}

bool read_start_is_complete(const struct table *t, const struct index *ix, const struct item *key)
{
    size_t wanted = 0, present = count_present(&t->keys, NULL, key, &wanted);

    if (ix)
        present += count_present(&ix->keys, &t->keys, key, &wanted);
    return present == wanted && key->len == wanted;
}

const struct error *read_start_check(struct arena *a, const struct table *t, const struct index *ix,
                                     const struct item *key)
{
    const struct error *e = key_check_batch_item(a, t, key);

    if (!e && ix)
        e = key_check_index(a, ix, key);
    return e ? error_because(a, prefix_error(a, e), ERROR_WHY(CAUSE_START_KEY)) : NULL;
}

bool read_start_fits(const struct key_schema *keys, const struct item *key)
{
    const struct key_part *part;

    for (size_t i = 0; (part = schema_key_part(keys, i)); i++)
        if (item_find(key, part->name)->type != part->type)
            return false;
    return true;
}

void read_start_at(struct call *c, const struct table *t, const struct index *ix,
                   const struct item *key, struct store_range *range)
{
    struct buf position = buf_in(c->arena);

    if (!ix)
        key_of_item(&position, t, key);
    else if (!key_of_entry(&position, t, ix, key))
        return;
    if (range->backwards) {
        if (span_compare(buf_span(&position), range->high) < 0)
            range->high = buf_span(&position);
        return;
    }
    buf_add_char(&position, '\0'); /* no key is a prefix of another, so this is the next position */
    if (span_compare(buf_span(&position), range->low) > 0)
        range->low = buf_span(&position);
}
