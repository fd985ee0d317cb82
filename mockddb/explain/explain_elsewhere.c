#include "explain/explain_elsewhere.h"

#include "explain/explain_key.h"
#include "explain/explain_trial.h"
#include "explain/say.h"
#include "ops/op.h"

#define LOOKED_AT 1500 /* items */
#define ATTRS     12   /* attributes of an item that may be part of a key */
#define LONG_PART 64   /* bytes of what may */

/* --- in the table, not in the index ----------------------------------------------------------- */

static const char *const plural[] = {
    [ATTR_S] = "strings", [ATTR_N] = "numbers", [ATTR_B] = "binary values"};

/* An item that is not in an index. */
struct outside {
    struct item it;
    const struct key_part *part; /* of the index's key, that keeps it out */
    const struct attr *value;    /* what it has for this part; NULL: nothing */
};

/* Whether an index has no entry of the item. */
static bool is_outside(const struct index *ix, const struct item *it, struct outside *out)
{
    out->it = *it;
    for (size_t i = 0; (out->part = inquiry_key_part(&ix->keys, i)); i++) {
        out->value = item_find(it, out->part->name);
        if (!out->value || out->value->type != out->part->type)
            return true;
    }
    return false;
}

/* The next item of a walk that is not in the index. */
static bool next_outside(struct walk *w, const struct index *ix, struct outside *out)
{
    while (explain_rows_next(w))
        if (is_outside(ix, &w->it, out))
            return true;
    return false;
}

static bool has_segment(struct span text, struct span part)
{
    for (size_t n = explain_rows_segments(text); n; n--)
        if (span_equal(explain_rows_segment(text, n - 1), part))
            return true;
    return false;
}

/* Whether the item fits the clauses on what it has for the index; a value of another type does if
 * it is written in the same way. */
static bool fits_clauses(const struct item *it, const struct expr_key_clause *clauses, size_t count,
                         bool is_vague)
{
    size_t fit = 0;

    for (size_t i = 0; i < count; i++) {
        const struct expr_key_clause *c = &clauses[i];
        const struct attr *value = item_find(it, c->attribute);

        if (!value && is_vague)
            continue;
        if (!value ||
            (!explain_rows_fits_clause(c, value) &&
             (value->type == c->low.type || value->type > ATTR_N || c->low.type > ATTR_N ||
              c->op != EXPR_EQ || !span_equal(value->bytes, c->low.bytes))))
            return false;
        fit++;
    }
    return fit > 0;
}

static void propose_item(struct inquiry *q, const struct table *t, const struct item *it)
{
    struct item key = schema_key_of(q->arena, t, it);

    (void)explain_trial_propose(
        q, "GetItem",
        explain_trial_with(q, NULL, TRIAL_TEXT("TableName", t->name),
                           TRIAL_JSON("Key", explain_trial_json_item(q, &key))),
        &q->proposal);
}

bool explain_elsewhere_outside(struct inquiry *q, const struct rows *r,
                               const struct expr_key_clause *clauses, size_t count, bool is_vague)
{
    struct store_range all = explain_rows_all(q, &(struct rows){r->table, NULL});
    struct walk w = explain_rows_walk(q, &all, r->index ? LOOKED_AT : 0);
    struct buf have = buf_in(q->arena);
    struct outside o;

    do {
        if (!next_outside(&w, r->index, &o))
            return false;
    } while (!fits_clauses(&o.it, clauses, count, is_vague));
    for (size_t i = 0; i < count; i++)
        if (item_find(&o.it, clauses[i].attribute) &&
            !(o.value && span_equal(clauses[i].attribute, o.part->name)))
            say_add(&have, "%%", have.len ? " and " : " with ", &clauses[i]);
    if (!o.value)
        say_why(q, "items of %% have no %, so % does not have them", r->table, buf_text(&have),
                o.part->name, r->index);
    else
        say_why(q, "% is % in items of %%, and % takes %", o.part->name, say_type(o.value->type),
                r->table, buf_text(&have), r->index, plural[o.part->type]);
    propose_item(q, r->table, &o.it);
    return true;
}

bool explain_elsewhere_unindexed(struct inquiry *q, const struct rows *r, const struct attr *text,
                                 const struct store_range *range)
{
    bool can_be = r->index && text->type == ATTR_S && text->bytes.len;
    struct walk w = explain_rows_walk(q, range, can_be ? LOOKED_AT : 0);
    struct outside o;

    while (next_outside(&w, r->index, &o))
        for (size_t i = 0; i < o.it.len; i++) {
            const struct field *f = &o.it.at[i];

            if (f->value.type != ATTR_S || !has_segment(f->value.bytes, text->bytes))
                continue;
            say_why(q, "the item with % % is in % but lacks %, so % does not have it", f->name,
                    &f->value, r->table, o.part->name, r->index);
            propose_item(q, r->table, &o.it);
            return true;
        }
    return false;
}

void explain_elsewhere_no_entries(struct inquiry *q, const struct rows *r)
{
    struct store_range all = explain_rows_all(q, &(struct rows){r->table, NULL});
    struct walk w = explain_rows_walk(q, &all, LOOKED_AT);
    struct outside o;

    while (next_outside(&w, r->index, &o))
        if (o.value) {
            say_why(q, "% is empty: % is % in the items, the index takes %", r->index, o.part->name,
                    say_type(o.value->type), plural[o.part->type]);
            return;
        }
    say_why(q, "% is empty: no item of % has %", r->index, r->table, &r->index->keys);
}

/* --- as another attribute --------------------------------------------------------------------- */

void explain_elsewhere_holders(struct inquiry *q, const struct store_range *range,
                               struct holders *h)
{
    bool says_much = !explain_near_is_of_digits(h->asked->bytes);
    struct walk w = explain_rows_walk(q, range, says_much ? LOOKED_AT : 0);

    while (h->count < 2 && explain_rows_next(&w))
        for (size_t i = 0; i < w.it.len; i++) {
            const struct field *f = &w.it.at[i];

            if (!attr_equal(&f->value, h->asked) || span_equal(f->name, h->name) ||
                (h->count && !span_equal(f->name, h->holder)))
                continue;
            h->it = h->count++ ? h->it : w.it;
            h->holder = f->name;
        }
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
        struct word place = say_place(there.table, there.index);
        struct store_range range = explain_rows_partition(q, &there, asked);
        size_t count = (there.table != r->table) == other_tables
                           ? explain_rows_count_range(q, &range, EXPLAIN_ROWS_COUNTED)
                           : 0;

        if (!count)
            continue;
        if (other_tables)
            say_why(q, "%; % has % with % %", nothing, place, explain_rows_count_words(q, count),
                    name, asked);
        else
            say_why(q, "%: it is a %, of which % has %", nothing, name, place,
                    explain_rows_count_words(q, count));
        explain_key_propose_query(q, there.table, there.index, name, asked);
        return true;
    }
    return false;
}

/* --- the other attribute of a composite ------------------------------------------------------- */

/* Whether an attribute of the item, or two of them, make a key as the nth segment; the attribute of
 * the position before others. */
static bool other_words(const struct position *p, const struct rows *from, size_t n,
                        const struct item *it, struct candidate *out)
{
    struct span asked = p->asked[0].bytes, is = explain_rows_keys(from)->hash[0].name;
    const struct field *words[ATTRS];
    size_t count = 0;

    for (int own = 1; own >= 0; own--)
        for (size_t i = 0; i < it->len && count < ATTRS; i++)
            if (it->at[i].value.type == ATTR_S && it->at[i].value.bytes.len &&
                it->at[i].value.bytes.len <= LONG_PART &&
                span_equal(it->at[i].name, p->name) == (own == 1))
                words[count++] = &it->at[i];
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < count; k++) {
            const struct field *a = words[i], *b = words[k];
            struct span value = a == b ? a->value.bytes
                                       : say_text_span(p->q, "%-%", a->value.bytes, b->value.bytes);
            struct span text = explain_trial_with_part(p->q, asked, explain_rows_segment(asked, n),
                                                       value);

            if (explain_candidate_try(
                    p, text,
                    say_text(p->q, "% of % belongs there, not %",
                             a == b ? a->name : say_text_span(p->q, "%-%", a->name, b->name),
                             from->table, is),
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
            struct walk w;

            if (!segment.bytes.len || !inquiry_may_read(q))
                continue;
            range = explain_rows_partition(q, &from, &segment);
            w = explain_rows_walk(q, &range, 1);
            if (explain_rows_next(&w) && other_words(p, &from, i, &w.it, out))
                return true;
        }
    return false;
}
