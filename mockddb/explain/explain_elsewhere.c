#include "explain/explain_elsewhere.h"

#include "explain/explain_key.h"
#include "explain/explain_trial.h"
#include "ops/op.h"

#define LOOKED_AT 1500 /* items */
#define ATTRS     12   /* attributes of an item that may be part of a key */
#define LONG_PART 64   /* bytes of what may */

/* --- in the table, not in the index ----------------------------------------------------------- */

static const char *const plural[] = {
    [ATTR_S] = "strings", [ATTR_N] = "numbers", [ATTR_B] = "binary values"};

/* The attribute of the index's key that keeps the item out of it; NULL: nothing does. */
static const struct key_part *missing_part(const struct key_schema *keys, const struct item *it,
                                           const struct attr **value)
{
    const struct key_part *part;

    for (size_t i = 0; (part = inquiry_key_part(keys, i)); i++) {
        *value = item_find(it, part->name);
        if (!*value || (*value)->type != part->type)
            break;
    }
    return part;
}

struct outside {
    const struct rows *r;
    const struct expr_key_clause *const *clauses; /* NULL: the text is looked for */
    size_t count;
    bool is_vague;
    const struct attr *text;
    struct item it; /* what was found: the item … */
    const struct key_part *part;
    const struct attr *value; /* … what it has for this part; NULL: nothing … */
    struct span where;        /* … and the attribute that has the text */
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

/* Whether the item fits the clauses on what it has for the index; a value of another type does if
 * it is written in the same way. */
static bool fits_clauses(const struct outside *o, const struct item *it)
{
    size_t fit = 0;

    for (size_t i = 0; i < o->count; i++) {
        const struct expr_key_clause *c = o->clauses[i];
        const struct attr *value = item_find(it, c->attribute);

        if (!value && !o->is_vague)
            return false;
        if (!value)
            continue;
        if (!explain_rows_fits_clause(c, value) &&
            (value->type == c->low.type || value->type > ATTR_N || c->low.type > ATTR_N ||
             c->op != EXPR_EQ || !span_equal(value->bytes, c->low.bytes)))
            return false;
        fit++;
    }
    return fit > 0;
}

static bool look_outside(struct inquiry *q, const struct item *it, void *data)
{
    struct outside *o = data;

    (void)q;
    o->part = missing_part(&o->r->index->keys, it, &o->value);
    if (!o->part)
        return false;
    o->it = *it;
    if (o->clauses)
        return fits_clauses(o, it);
    for (size_t i = 0; i < it->len; i++) {
        o->where = it->at[i].name;
        if (it->at[i].value.type == ATTR_S && has_segment(it->at[i].value.bytes, o->text->bytes))
            return true;
    }
    return false;
}

static void propose_item(struct inquiry *q, const struct table *t, const struct item *it)
{
    struct item key = schema_key_of(q->arena, t, it);
    struct buf body = buf_in(q->arena);
    struct wire_writer w = {&body, false};

    wire_open(&w, '{');
    wire_put_member_text(&w, "TableName", t->name);
    wire_key(&w, "Key");
    wire_put_item(&w, &key);
    wire_close(&w, '}');
    (void)explain_trial_propose(q, "GetItem", buf_span(&body), &q->proposal);
}

bool explain_elsewhere_outside(struct inquiry *q, const struct rows *r,
                               const struct expr_key_clause *const *clauses, size_t count,
                               bool is_vague)
{
    struct outside o = {.r = r, .clauses = clauses, .count = count, .is_vague = is_vague};
    struct store_range all = explain_rows_all(q, &(struct rows){r->table, NULL});
    struct buf have = buf_in(q->arena);

    if (!r->index || !explain_rows_find(q, &all, LOOKED_AT, look_outside, &o))
        return false;
    for (size_t i = 0; i < count; i++)
        if (item_find(&o.it, clauses[i]->attribute) &&
            !span_equal(clauses[i]->attribute, o.value ? o.part->name : SPAN_LIT("")))
            buf_printf(&have, "%s%s", have.len ? " and " : " with ",
                       explain_rows_clause_words(q, clauses[i]));
    if (!o.value)
        inquiry_reason(q, "items of %.*s%s have no %.*s, so %.*s does not have them",
                       SPAN_ARG(r->table->name), buf_text(&have), SPAN_ARG(o.part->name),
                       SPAN_ARG(r->index->name));
    else
        inquiry_reason(q, "%.*s is %s in items of %.*s%s, and %.*s takes %s",
                       SPAN_ARG(o.part->name), inquiry_type(o.value->type),
                       SPAN_ARG(r->table->name), buf_text(&have), SPAN_ARG(r->index->name),
                       plural[o.part->type]);
    propose_item(q, r->table, &o.it);
    return true;
}

bool explain_elsewhere_unindexed(struct inquiry *q, const struct rows *r, const struct attr *text,
                                 const struct store_range *range)
{
    struct outside o = {.r = r, .text = text};

    if (!r->index || text->type != ATTR_S || !text->bytes.len ||
        !explain_rows_find(q, range, LOOKED_AT, look_outside, &o))
        return false;
    inquiry_reason(q, "the item with %.*s %s is in %.*s but lacks %.*s, so %.*s does not have it",
                   SPAN_ARG(o.where), inquiry_value(q, item_find(&o.it, o.where)),
                   SPAN_ARG(r->table->name), SPAN_ARG(o.part->name), SPAN_ARG(r->index->name));
    propose_item(q, r->table, &o.it);
    return true;
}

static bool look_for_other_type(struct inquiry *q, const struct item *it, void *data)
{
    struct outside *o = data;

    (void)q;
    o->part = missing_part(&o->r->index->keys, it, &o->value);
    return o->value != NULL;
}

void explain_elsewhere_no_entries(struct inquiry *q, const struct rows *r)
{
    struct outside o = {.r = r};
    struct store_range all = explain_rows_all(q, &(struct rows){r->table, NULL});

    if (explain_rows_find(q, &all, LOOKED_AT, look_for_other_type, &o))
        inquiry_reason(q, "%.*s is empty: %.*s is %s in the items, the index takes %s",
                       SPAN_ARG(r->index->name), SPAN_ARG(o.part->name),
                       inquiry_type(o.value->type), plural[o.part->type]);
    else
        inquiry_reason(q, "%.*s is empty: no item of %.*s has %s", SPAN_ARG(r->index->name),
                       SPAN_ARG(r->table->name), inquiry_schema(q, &r->index->keys));
}

/* --- as another attribute --------------------------------------------------------------------- */

static bool look_for_holder(struct inquiry *q, const struct item *it, void *data)
{
    struct holders *h = data;

    (void)q;
    for (size_t i = 0; i < it->len && !explain_near_is_of_digits(h->asked->bytes); i++) {
        const struct field *f = &it->at[i];

        if (!attr_equal(&f->value, h->asked) || span_equal(f->name, h->name) ||
            (h->count && !span_equal(f->name, h->holder)))
            continue;
        if (!h->count)
            h->it = *it;
        h->holder = f->name;
        h->count++;
    }
    return h->count > 1;
}

void explain_elsewhere_holders(struct inquiry *q, const struct store_range *range,
                               struct holders *h)
{
    (void)explain_rows_find(q, range, LOOKED_AT, look_for_holder, h);
}

/* --- in another table or index ---------------------------------------------------------------- */

/* The nth table or index of the store that has one text attribute as its partition key; those of
 * the table that was asked come first. */
static bool place_at(struct inquiry *q, const struct rows *r, enum attr_type type, size_t n,
                     struct rows *out)
{
    const struct table *own = r->table, *t = own;

    while (t) {
        for (size_t i = 0; i <= t->index_count; i++) {
            struct rows at = {t, i ? &t->indexes[i - 1] : NULL};
            const struct key_schema *keys = explain_rows_keys(&at);

            if (keys->hash_count != 1 || keys->hash[0].type != type ||
                (t == own && at.index == r->index) || n--)
                continue;
            *out = at;
            return true;
        }
        t = op_region_table_after(&q->call, t == own ? SPAN_LIT("") : t->name);
        if (t == own)
            t = op_region_table_after(&q->call, t->name);
    }
    return false;
}

bool explain_elsewhere_partition(struct inquiry *q, const struct rows *r, const struct attr *asked,
                                 bool other_tables, const char *nothing)
{
    struct rows there;

    for (size_t n = 0; inquiry_has_time(q) && place_at(q, r, asked->type, n, &there); n++) {
        struct span name = explain_rows_keys(&there)->hash[0].name;
        const char *place = inquiry_place(q, there.table, there.index);
        struct store_range range = explain_rows_partition(q, &there, asked);
        size_t count = (there.table != r->table) == other_tables
                           ? explain_rows_count_range(q, &range, EXPLAIN_ROWS_COUNTED)
                           : 0;

        if (!count)
            continue;
        if (other_tables)
            inquiry_reason(q, "%s; %s has %s with %.*s %s", nothing, place,
                           explain_rows_count_words(q, count), SPAN_ARG(name),
                           inquiry_value(q, asked));
        else
            inquiry_reason(q, "%s: it is a %.*s, of which %s has %s", nothing, SPAN_ARG(name),
                           place, explain_rows_count_words(q, count));
        explain_key_propose_query(q, there.table, there.index, name, asked);
        return true;
    }
    return false;
}

/* --- the other attribute of a composite ------------------------------------------------------- */

/* The short texts of an item, which may be part of a key; the attribute `first` before others. */
struct words {
    struct span name[ATTRS], text[ATTRS];
    size_t len;
};

static void collect(const struct item *it, struct span first, struct words *out)
{
    out->len = 0;
    for (int own = 1; own >= 0; own--)
        for (size_t i = 0; i < it->len && out->len < ATTRS; i++) {
            const struct field *f = &it->at[i];

            if (f->value.type != ATTR_S || !f->value.bytes.len || f->value.bytes.len > LONG_PART ||
                span_equal(f->name, first) != (own == 1))
                continue;
            out->name[out->len] = f->name;
            out->text[out->len++] = f->value.bytes;
        }
}

static struct span joined(struct inquiry *q, struct span a, struct span b)
{
    return span_of(arena_printf(q->arena, "%.*s-%.*s", SPAN_ARG(a), SPAN_ARG(b)));
}

/* Whether another attribute of the item, or two of them, make a key as the nth segment. */
static bool other_words(const struct position *p, const struct rows *from, size_t n,
                        const struct words *w, struct candidate *out)
{
    struct inquiry *q = p->q;
    struct span asked = p->asked[0].bytes, is = explain_rows_keys(from)->hash[0].name;

    for (size_t i = 0; i < w->len; i++)
        for (size_t k = 0; k < w->len; k++) {
            struct span value = i == k ? w->text[i] : joined(q, w->text[i], w->text[k]);
            struct span names = i == k ? w->name[i] : joined(q, w->name[i], w->name[k]);
            struct span text = explain_trial_with_part(q, asked, explain_rows_segment(asked, n),
                                                       value);

            if (explain_candidate_try(p, text,
                                      arena_printf(q->arena, "%.*s of %.*s belongs there, not %.*s",
                                                   SPAN_ARG(names), SPAN_ARG(from->table->name),
                                                   SPAN_ARG(is)),
                                      out))
                return true;
        }
    return false;
}

bool explain_elsewhere_composite(const struct position *p, const struct rows *r,
                                 struct candidate *out)
{
    struct inquiry *q = p->q;
    struct span asked = p->asked[0].bytes;
    size_t parts = explain_rows_segments(asked);
    struct rows from;

    for (size_t n = 0; inquiry_has_time(q) && place_at(q, r, ATTR_S, n, &from); n++)
        for (size_t i = 0; i < parts && inquiry_has_time(q); i++) {
            struct attr segment = {.type = ATTR_S, .bytes = explain_rows_segment(asked, i)};
            struct store_range range;
            struct words w;
            struct item it;

            if (!segment.bytes.len || !inquiry_may_read(q))
                continue;
            range = explain_rows_partition(q, &from, &segment);
            if (!explain_rows_first(q, &range, &it))
                continue;
            collect(&it, p->name, &w);
            if (other_words(p, &from, i, &w, out))
                return true;
        }
    return false;
}
