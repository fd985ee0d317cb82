#include "store/catalog.h"

#include <assert.h>
#include <stdlib.h>

/* A table's position in the order. */
struct catalog_place {
    struct span region, name;
};

static struct catalog_place place_of(const struct table *t)
{
    return (struct catalog_place){t->region, t->name};
}

static struct catalog_place place_of_id(struct span id)
{
    const char *mark = span_find(id, SCHEMA_ID_MARK);
    size_t len = mark ? (size_t)(mark - id.at) : 0;

    return (struct catalog_place){{id.at, len}, span_from(id, mark ? len + 1 : 0)};
}

static int compare(const struct table *t, const struct catalog_place *p)
{
    int order = t->region.len || p->region.len ? span_compare(t->region, p->region) : 0;

    return order ? order : span_compare(t->name, p->name);
}

/* Index of the first table that is not before that position. */
static size_t position_of(const struct catalog *c, struct catalog_place place)
{
    size_t low = 0, high = c->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (compare(c->tables[middle], &place) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_at(const struct catalog *c, size_t at, struct catalog_place place)
{
    return at < c->count && compare(c->tables[at], &place) == 0;
}

struct table *catalog_find(const struct catalog *c, struct span id)
{
    struct catalog_place place = place_of_id(id);
    size_t at = position_of(c, place);

    return is_at(c, at, place) ? c->tables[at] : NULL;
}

struct table *catalog_after(const struct catalog *c, struct span id)
{
    struct catalog_place place = place_of_id(id);
    size_t at = position_of(c, place);

    if (is_at(c, at, place))
        at++;
    return at < c->count ? c->tables[at] : NULL;
}

/* Replaces `before` with `after`; one of the two may be NULL. */
static void replace_table(struct catalog *c, const struct table *before, struct table *after)
{
    const struct table *either = before ? before : after;
    struct table **tables;
    size_t at;

    assert(either);
    at = position_of(c, place_of(either));
    if (!before) {
        tables = c->tables; /* there is room already */
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

/* If memory is out, nothing is changed. Each change reserves room in the list of outdated tables,
 * whether it is kept or undone. */
static void note_change(struct arena *a, struct catalog *c, struct table *before,
                        struct table *after)
{
    c->tables = arena_kept_room(a, c->tables, c->count + 1, &c->capacity, sizeof(struct table *));
    c->changes = arena_kept_room(a, c->changes, c->change_count + 1, &c->change_capacity,
                                 sizeof(struct catalog_change));
    c->outdated = arena_kept_room(a, c->outdated, c->outdated_count + c->change_count + 1,
                                  &c->outdated_capacity, sizeof(struct table *));
    c->changes[c->change_count++] = (struct catalog_change){before, after};
    replace_table(c, before, after);
}

void catalog_put(struct arena *a, struct catalog *c, struct table *t, uint64_t version)
{
    struct catalog_place place = place_of(t);
    size_t at = position_of(c, place);

    note_change(a, c, is_at(c, at, place) ? c->tables[at] : NULL, t);
    t->version = c->version = version;
}

void catalog_remove(struct arena *a, struct catalog *c, struct span id)
{
    struct table *t = catalog_find(c, id);

    if (t)
        note_change(a, c, t, NULL);
}

static void outdate(struct catalog *c, struct table *t)
{
    if (t)
        c->outdated[c->outdated_count++] = t;
}

void catalog_lend(struct catalog *c, struct table *t)
{
    c->outdated = arena_kept_room(NULL, c->outdated, c->outdated_count + c->change_count + 1,
                                  &c->outdated_capacity, sizeof(struct table *));
    outdate(c, t);
}

void catalog_undo(struct catalog *c, size_t mark)
{
    while (c->change_count > mark) {
        struct catalog_change *last = &c->changes[--c->change_count];

        replace_table(c, last->after, last->before);
        outdate(c, last->after);
    }
}

void catalog_keep(struct catalog *c)
{
    for (size_t i = 0; i < c->change_count; i++)
        outdate(c, c->changes[i].before);
    c->change_count = 0;
}

void catalog_release(struct catalog *c)
{
    while (c->outdated_count)
        schema_free(c->outdated[--c->outdated_count]);
}

void catalog_free(struct catalog *c)
{
    catalog_keep(c);
    catalog_release(c);
    for (size_t i = 0; i < c->count; i++)
        schema_free(c->tables[i]);
    free(c->tables);
    free(c->changes);
    free(c->outdated);
    *c = (struct catalog){0};
}
