#include "explain/explain_sparse.h"

#include "explain/explain_trial.h"
#include "model/key.h"

#define LOOKED_AT 1500 /* items */

struct outside {
    const struct rows *r;
    struct span text;
    struct span lacks; /* the index key attribute that is not there */
    struct span where; /* the attribute that has the text */
    struct item it;
};

static bool has_segment(struct span text, struct span part)
{
    for (;;) {
        struct span first = explain_rows_segment(text, 0);

        if (span_equal(first, part))
            return true;
        if (first.len == text.len)
            return false;
        text = span_from(text, first.len + 1);
    }
}

static struct span lacking(const struct key_schema *keys, const struct item *it)
{
    for (size_t i = 0; i < keys->hash_count; i++)
        if (!item_find(it, keys->hash[i].name))
            return keys->hash[i].name;
    for (size_t i = 0; i < keys->range_count; i++)
        if (!item_find(it, keys->range[i].name))
            return keys->range[i].name;
    return (struct span){NULL, 0};
}

static bool look(struct inquiry *q, const struct item *it, void *data)
{
    struct outside *o = data;
    struct span lacks = lacking(&o->r->index->keys, it);

    (void)q;
    if (!lacks.at)
        return false;
    for (size_t i = 0; i < it->len; i++) {
        const struct field *f = &it->at[i];

        if (f->value.type != ATTR_S || !has_segment(f->value.bytes, o->text))
            continue;
        o->lacks = lacks;
        o->where = f->name;
        o->it = *it;
        return true;
    }
    return false;
}

static void say(struct inquiry *q, const struct outside *o)
{
    const struct table *t = o->r->table;
    struct item key = schema_key_of(q->arena, t, &o->it);
    const struct attr *named = item_find(&o->it, o->where);
    struct buf body = buf_in(q->arena);
    struct wire_writer w = {&body, false};

    inquiry_reason(q, "the item with %.*s %s is in %.*s but lacks %.*s, so %.*s does not have it",
                   SPAN_ARG(o->where), inquiry_value(q, named), SPAN_ARG(t->name),
                   SPAN_ARG(o->lacks), SPAN_ARG(o->r->index->name));
    wire_open(&w, '{');
    wire_put_member_text(&w, "TableName", t->name);
    wire_key(&w, "Key");
    wire_put_item(&w, &key);
    wire_close(&w, '}');
    (void)explain_trial_propose(q, "GetItem", buf_span(&body), &q->proposal);
}

bool explain_sparse(struct inquiry *q, const struct rows *r, const struct attr *text,
                    const struct attr *hash)
{
    struct rows base = {r->table, NULL};
    struct outside o = {.r = r, .text = text->bytes};
    struct store_range range = hash ? explain_rows_partition(q, &base, hash)
                                    : explain_rows_all(q, &base);

    if (text->type != ATTR_S || !text->bytes.len)
        return false;
    if (!explain_rows_find(q, &range, LOOKED_AT, look, &o))
        return false;
    say(q, &o);
    return true;
}

/* --- an index without entries ----------------------------------------------------------------- */

/* Items whose attribute is of another type than the index takes. */
struct mistyped {
    const struct rows *r;
    struct span name;
    enum attr_type there, wanted;
};

static bool look_for_mistyped(struct inquiry *q, const struct item *it, void *data)
{
    struct mistyped *m = data;
    const struct key_schema *keys = &m->r->index->keys;

    (void)q;
    for (size_t i = 0; i < keys->hash_count + keys->range_count; i++) {
        const struct key_part *part = i < keys->hash_count ? &keys->hash[i]
                                                           : &keys->range[i - keys->hash_count];
        const struct attr *value = item_find(it, part->name);

        if (!value || value->type == part->type)
            continue;
        m->name = part->name;
        m->there = value->type;
        m->wanted = part->type;
        return true;
    }
    return false;
}

void explain_sparse_empty(struct inquiry *q, const struct rows *r)
{
    static const char *const plural[] = {
        [ATTR_S] = "strings", [ATTR_N] = "numbers", [ATTR_B] = "binary values"};
    struct mistyped m = {.r = r};
    struct store_range all = explain_rows_all(q, &(struct rows){r->table, NULL});

    if (explain_rows_find(q, &all, LOOKED_AT, look_for_mistyped, &m))
        inquiry_reason(q, "%.*s is empty: %.*s is %s in the items, the index takes %s",
                       SPAN_ARG(r->index->name), SPAN_ARG(m.name), inquiry_type(m.there),
                       plural[m.wanted]);
    else
        inquiry_reason(q, "%.*s is empty: no item of %.*s has %s", SPAN_ARG(r->index->name),
                       SPAN_ARG(r->table->name), inquiry_schema(q, &r->index->keys));
}
