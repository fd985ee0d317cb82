#include "model/schema.h"

void schema_free(struct table *t)
{
    if (t)
        arena_free(t->arena);
}

struct span schema_id(struct arena *a, struct span region, struct span name)
{
    struct buf id;

    if (!region.len)
        return name;
    id = buf_in(a);
    buf_add_span(&id, region);
    buf_add_char(&id, SCHEMA_ID_MARK);
    buf_add_span(&id, name);
    return buf_span(&id);
}

const struct index *schema_find_index(const struct table *t, struct span name)
{
    for (size_t i = 0; i < t->index_count; i++)
        if (span_equal(t->indexes[i].name, name))
            return &t->indexes[i];
    return NULL;
}

enum index_kind schema_kind(const struct index *ix)
{
    if (ix->vector.dimensions)
        return KIND_VECTOR;
    return ix->global ? KIND_GLOBAL : KIND_LOCAL;
}

size_t schema_count_kind(const struct table *t, enum index_kind kind)
{
    size_t count = 0;

    for (size_t i = 0; i < t->index_count; i++)
        count += schema_kind(&t->indexes[i]) == kind;
    return count;
}

const struct search_part *schema_search_part(const struct index *ix, struct span name)
{
    for (size_t i = 0; i < ix->vector.part_count; i++)
        if (span_equal(ix->vector.parts[i].name, name))
            return &ix->vector.parts[i];
    return NULL;
}

const struct search_part *schema_search_hash(const struct index *ix)
{
    for (size_t i = 0; i < ix->vector.part_count; i++)
        if (ix->vector.parts[i].hash)
            return &ix->vector.parts[i];
    return NULL;
}

bool schema_is_key(const struct key_schema *keys, struct span name)
{
    const struct key_part *part;

    for (size_t i = 0; (part = schema_key_part(keys, i)); i++)
        if (span_equal(part->name, name))
            return true;
    return false;
}

/* Whether a key or a SearchSchema of the table uses the attribute. */
static bool uses_attribute(const struct table *t, struct span name)
{
    if (schema_is_key(&t->keys, name))
        return true;
    for (size_t i = 0; i < t->index_count; i++)
        if (schema_is_key(&t->indexes[i].keys, name) || schema_search_part(&t->indexes[i], name))
            return true;
    return false;
}

void schema_prune(struct table *t)
{
    size_t kept = 0;

    for (size_t i = 0; i < t->definition_count; i++)
        if (uses_attribute(t, t->definitions[i].name))
            t->definitions[kept++] = t->definitions[i];
    t->definition_count = kept;
}

bool schema_projects(const struct table *t, const struct index *ix, struct span name)
{
    if (ix->projection == PROJECT_ALL || schema_is_key(&ix->keys, name) ||
        schema_is_key(&t->keys, name) || schema_search_part(ix, name))
        return true;
    if (ix->projection == PROJECT_INCLUDE)
        for (size_t i = 0; i < ix->include_count; i++)
            if (span_equal(ix->include[i], name))
                return true;
    return false;
}

static void add_named(struct arena *a, struct item *to, struct span name, const struct item *from)
{
    const struct attr *value = item_find(from, name);

    if (value)
        item_set(a, to, name, *value);
}

static void add_key(struct arena *a, struct item *to, const struct key_schema *keys,
                    const struct item *from)
{
    const struct key_part *part;

    for (size_t i = 0; (part = schema_key_part(keys, i)); i++)
        add_named(a, to, part->name, from);
}

/* The vector itself is stored beside the projection, as floats. */
static struct item without_vector(struct arena *a, const struct index *ix, const struct item *it)
{
    struct item view = {.at = arena_array(a, it->len, sizeof *view.at)};

    for (size_t i = 0; i < it->len; i++)
        if (!span_equal(it->at[i].name, ix->vector.attribute))
            view.at[view.len++] = it->at[i];
    return view;
}

struct item schema_project(struct arena *a, const struct table *t, const struct index *ix,
                           const struct item *it)
{
    struct item view = {0};

    if (ix->projection == PROJECT_ALL)
        return ix->vector.dimensions ? without_vector(a, ix, it) : *it;
    add_key(a, &view, &t->keys, it);
    add_key(a, &view, &ix->keys, it);
    for (size_t i = 0; i < ix->vector.part_count; i++)
        add_named(a, &view, ix->vector.parts[i].name, it);
    if (ix->projection == PROJECT_INCLUDE)
        for (size_t i = 0; i < ix->include_count; i++)
            add_named(a, &view, ix->include[i], it);
    return ix->vector.dimensions ? without_vector(a, ix, &view) : view;
}

size_t schema_vector_size(const struct index *ix)
{
    return ix->vector.attribute.len + sizeof(float) * (size_t)ix->vector.dimensions;
}

size_t schema_entry_size(const struct index *ix, const struct item *part)
{
    return item_size(part) + (schema_kind(ix) == KIND_VECTOR ? schema_vector_size(ix) : 0);
}

struct item schema_key_of(struct arena *a, const struct table *t, const struct item *it)
{
    struct item key = {0};

    add_key(a, &key, &t->keys, it);
    return key;
}
