#include "store/catalog.h"

#include <assert.h>
#include <stdlib.h>

/* Makes room for one more element of `size` bytes. */
static void *with_room(void *at, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity)
        return at;
    *capacity = *capacity ? *capacity * 2 : 16;
    if (!(at = realloc(at, *capacity * size)))
        process_out_of_memory();
    return at;
}

size_t catalog_position(const struct catalog *c, struct span name)
{
    size_t low = 0, high = c->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (span_compare(c->tables[middle]->name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct table *catalog_find(const struct catalog *c, struct span name)
{
    size_t at = catalog_position(c, name);

    return at < c->count && span_equal(c->tables[at]->name, name) ? c->tables[at] : NULL;
}

/* Puts `after` where `before` is; one of the two may be NULL. */
static void replace(struct catalog *c, const struct table *before, struct table *after)
{
    const struct table *either = before ? before : after;
    struct table **tables;
    size_t at;

    assert(either);
    at = catalog_position(c, either->name);
    if (!before) {
        c->tables = tables = with_room(c->tables, c->count, &c->capacity, sizeof(struct table *));
        memmove(tables + at + 1, tables + at, (c->count - at) * sizeof(struct table *));
        c->count++;
    }
    if (after) {
        c->tables[at] = after;
    } else {
        c->count--;
        memmove(c->tables + at, c->tables + at + 1, (c->count - at) * sizeof(struct table *));
    }
}

static void change(struct catalog *c, struct table *before, struct table *after)
{
    c->changes = with_room(c->changes, c->change_count, &c->change_capacity,
                           sizeof(struct catalog_change));
    c->changes[c->change_count++] = (struct catalog_change){before, after};
    replace(c, before, after);
}

void catalog_put(struct catalog *c, struct table *t)
{
    change(c, catalog_find(c, t->name), t);
}

void catalog_remove(struct catalog *c, struct span name)
{
    struct table *t = catalog_find(c, name);

    if (t)
        change(c, t, NULL);
}

void catalog_undo(struct catalog *c, size_t mark)
{
    while (c->change_count > mark) {
        struct catalog_change *last = &c->changes[--c->change_count];

        replace(c, last->after, last->before);
        schema_free(last->after);
    }
}

void catalog_keep(struct catalog *c)
{
    for (size_t i = 0; i < c->change_count; i++)
        schema_free(c->changes[i].before);
    c->change_count = 0;
}

void catalog_free(struct catalog *c)
{
    catalog_keep(c);
    for (size_t i = 0; i < c->count; i++)
        schema_free(c->tables[i]);
    free(c->tables);
    free(c->changes);
    *c = (struct catalog){0};
}
