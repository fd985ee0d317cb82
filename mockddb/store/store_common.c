#include "base/log.h"
#include "store/memory/memory_store.h"
#include "store/store_core.h"
#include "store/store_database.h"

#include <assert.h>
#include <stdlib.h>

struct store *store_open(struct arena *a, const struct store_options *options, const char **problem)
{
    if (options->url)
        return store_database_open(a, options, problem);
    return options->path ? store_sql_open(a, options, problem) : memory_store_open();
}

void store_free(struct store *s)
{
    struct arena *a;

    if (!s)
        return;
    if (s->sharers) {
        s->sharers--;
        return;
    }
    a = arena_new();
    store_abandon(s);
    if (store_flush(s, a))
        log_error("the last changes could not be saved");
    arena_free(a);
    catalog_free(&s->catalog);
    vectors_free(&s->vectors);
    spaces_free(&s->spaces);
    free(s->conflict.at);
    s->engine->free(s);
}

struct store *store_share(struct store *s)
{
    s->sharers++;
    return s;
}

bool store_lasts(const struct store *s)
{
    return s->in_file || s->in_database;
}

bool store_is_in_database(const struct store *s)
{
    return s->in_database;
}

int64_t store_renew(struct store *s)
{
    return s->in_database ? s->engine->renew(s) : 0;
}

bool store_answers(struct store *s)
{
    return !s->in_database || s->engine->answers(s);
}

bool store_needs_flush(const struct store *s)
{
    return s->group_units > 0 || s->group_lost;
}

/* --- as of now -------------------------------------------------------------------------------- */

void store_release_tables(struct store *s)
{
    if (s->is_outdated)
        s->engine->refresh(s);
    s->is_current = false;
    catalog_release(&s->catalog);
}

const struct table *store_table(struct store *s, struct span id)
{
    return s->unread ? s->engine->read_table(s, id, false) : catalog_find(&s->catalog, id);
}

const struct table *store_table_after(struct store *s, struct span id)
{
    return s->unread ? s->engine->read_table(s, id, true) : catalog_after(&s->catalog, id);
}

const struct table *store_table_next(struct arena *a, struct store *s, const struct table *t)
{
    return store_table_after(s, t ? schema_id(a, t->region, t->name) : (struct span){"", 0});
}

size_t store_table_count(const struct store *s)
{
    return s->unread ? s->unread : s->catalog.count;
}

uint64_t store_next_number(struct store *s)
{
    return s->engine->number ? s->engine->number(s) : ++s->number;
}

uint64_t store_last_number(const struct store *s)
{
    return s->number;
}

void store_return_numbers(struct store *s, uint64_t last)
{
    s->number = last;
}

void store_skip_numbers(struct store *s, uint64_t last)
{
    if (s->number < last)
        s->number = last;
}

struct space_stats store_stats(const struct store *s, uint32_t space)
{
    const struct space *known = spaces_find(&s->spaces, space);

    return known ? known->now : (struct space_stats){.entries = 0};
}

struct vectors *store_vectors(struct store *s)
{
    return &s->vectors;
}

bool store_gave_space(const struct store *s, uint32_t space)
{
    return space >= KEY_FIRST_SPACE && space < s->next_space;
}

bool store_has_space(struct store *s, uint32_t space)
{
    return store_gave_space(s, space) && !s->engine->is_doomed(s, space);
}

bool store_has_doomed(const struct store *s)
{
    return s->may_have_doomed;
}

size_t store_memory(const struct store *s)
{
    return s->engine->memory(s);
}
