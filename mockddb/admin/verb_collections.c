/* GET /_mockddb/collections: the parts of keys, and the kinds of items. */
#include "admin/admin_verb.h"
#include "admin/collections.h"
#include "base/ascii.h"
#include "base/base64.h"
#include "base/utf8.h"

#include <stdlib.h>

#define KEYS       200000 /* default: keys that are read */
#define MOST_KEYS  1000000
#define PARTS      100 /* default: parts in the answer */
#define MOST_PARTS 1000

struct collecting {
    struct collections *walk;
    size_t limit;
};

static bool step_collecting(struct admin_work *w)
{
    return collections_step(((struct collecting *)w->state)->walk);
}

static const struct problem *answer_collecting(struct admin_call *c, struct admin_work *w)
{
    struct collecting *n = w->state;

    collections_show(n->walk, n->limit, &c->out);
    return NULL;
}

static void end_collecting(struct admin_work *w)
{
    struct collecting *n = w->state;

    collections_free(n->walk);
    free(n);
}

static const struct admin_job job = {
    .step = step_collecting, .answer = answer_collecting, .end = end_collecting};

/* --- the request ------------------------------------------------------------------------------ */

static const struct problem *find_keys(struct admin_call *c, struct collections_options *o)
{
    struct span table, index = admin_filter(c, "index");
    const struct problem *p = admin_read_table(c, &table);

    if (p)
        return p;
    if (!table.at)
        return problem_invalid(c->arena, "table is needed");
    o->store = world_store(c->world);
    o->table = store_table(o->store, table);
    if (!o->table)
        return admin_no_table(c, table);
    if (!index.at)
        return NULL;
    o->index = schema_find_index(o->table, index);
    if (!o->index)
        return problem_new(c->arena, PROBLEM_MISSING, "table %.*s has no such index",
                           SPAN_ARG(table));
    if (o->index->vector.dimensions)
        return problem_invalid(c->arena, "index is a vector index, whose entries have no keys");
    return NULL;
}

/* Reads the value of a partition key: a number's digits, a binary's base64. */
static const struct problem *read_partition(struct admin_call *c, const struct key_schema *keys,
                                            struct collections_options *o, struct attr *value)
{
    struct span text = admin_filter(c, "partition");
    struct buf number = buf_in(c->arena);
    struct num n;

    if (!text.at)
        return NULL;
    if (keys->hash_count != 1 || !keys->range_count)
        return problem_invalid(c->arena,
                               "partition is for keys of one partition attribute and a sort key");
    *value = (struct attr){.type = keys->hash[0].type, .bytes = text};
    if (value->type == ATTR_N) {
        if (num_parse(text, false, &n) != NUM_OK)
            return problem_invalid(c->arena, "partition is not a number");
        num_format(&number, &n);
        value->bytes = buf_span(&number);
    } else if (value->type == ATTR_B && !base64_decode(c->arena, text, &value->bytes)) {
        return problem_invalid(c->arena, "partition is not base64");
    }
    o->partition = value;
    return NULL;
}

static const struct problem *read_prefix(struct admin_call *c, const struct key_schema *keys,
                                         struct collections_options *o)
{
    struct span separator = admin_filter(c, "separator");
    const struct key_part *part = o->partition ? &keys->range[0] : &keys->hash[0];

    o->prefix = admin_filter(c, "prefix");
    if (!o->prefix.at)
        o->prefix = (struct span){"", 0};
    if (o->prefix.len > LIMIT_HASH_BYTES || !utf8_valid(o->prefix))
        return problem_invalid(c->arena, "prefix is not a text of at most %d bytes",
                               LIMIT_HASH_BYTES);
    if (o->prefix.len && part->type != ATTR_S)
        return problem_invalid(c->arena, "prefix is only for keys that are strings");
    if (!separator.at)
        return NULL;
    if (separator.len != 1 || separator.at[0] <= ' ' || separator.at[0] > '~')
        return problem_invalid(c->arena, "separator is not one printable character of ASCII");
    o->separator = separator.at[0];
    return NULL;
}

static const struct problem *begin_collecting(struct admin_call *c)
{
    struct collections_options o = {.keys = KEYS};
    const struct key_schema *keys;
    const struct problem *p;
    uint64_t limit = PARTS;
    struct collecting *n;
    struct attr value;

    if ((p = find_keys(c, &o)) || (p = admin_read_count(c, "keys", MOST_KEYS, &o.keys)) ||
        (p = admin_read_count(c, "limit", MOST_PARTS, &limit)))
        return p;
    keys = o.index ? &o.index->keys : &o.table->keys;
    if ((p = read_partition(c, keys, &o, &value)) || (p = read_prefix(c, keys, &o)))
        return p;
    n = process_zeroed(sizeof *n);
    n->walk = collections_new(&o);
    n->limit = (size_t)limit;
    admin_begin(c, &job, n);
    return NULL;
}

const struct admin_verb verb_collections[] = {
    {"GET", "collections", ADMIN_ALONE, NULL, "table index partition prefix separator keys limit",
     begin_collecting},
    {0},
};
