#include "explain/explain_partition.h"

#include "base/fold.h"
#include "explain/explain_form.h"
#include "explain/explain_key.h"
#include "explain/explain_near.h"
#include "explain/explain_sparse.h"
#include "explain/explain_trial.h"
#include "model/key.h"
#include "ops/op_region.h"

#define SAMPLES   24   /* partitions that show what keys look like */
#define WALKED    400  /* partitions that are compared */
#define SHOWN     50   /* items of a partition that are counted */
#define ATTRS     12   /* attributes of an item that may be part of a key */
#define LONG_PART 64   /* bytes of what may */
#define FEW       3    /* partitions that are listed */
#define HOLDERS   1000 /* items in which the value is looked for */

struct search {
    struct inquiry *q;
    const struct rows *r;
    struct span name; /* of the partition attribute */
    const struct attr *asked;
    struct span_list samples;
};

static struct attr value_of(const struct search *s, struct span bytes)
{
    return (struct attr){.type = s->asked->type, .bytes = bytes};
}

static const char *count_words(struct inquiry *q, size_t count)
{
    return count < SHOWN ? inquiry_count(q, count, "item")
                         : arena_printf(q->arena, "%d items or more", SHOWN);
}

/* --- saying it -------------------------------------------------------------------------------- */

static const char *nothing(const struct search *s)
{
    return arena_printf(s->q->arena, "no item of %s has %.*s %s",
                        inquiry_place(s->q, s->r->table, s->r->index), SPAN_ARG(s->name),
                        inquiry_value(s->q, s->asked));
}

/* The reason, where the partition of another value is there; `why` is NULL or more about it. */
static bool offer(struct search *s, struct span value, const char *why)
{
    struct inquiry *q = s->q;
    struct attr there = value_of(s, value);
    size_t count = value.len && !span_equal(value, s->asked->bytes)
                       ? explain_rows_count(q, s->r, &there, SHOWN)
                       : 0;

    if (!count)
        return false;
    inquiry_reason(q, "%s; %s has %s%s%s", nothing(s), inquiry_value(q, &there),
                   count_words(q, count), why ? ": " : "", why ? why : "");
    if (there.type == ATTR_S)
        explain_near_show(q, s->asked->bytes, value);
    explain_trial_propose_value(q, s->asked, &there);
    return true;
}

/* --- other spellings -------------------------------------------------------------------------- */

/* The same thing, written in another way. */
static bool other_form(struct search *s)
{
    struct form forms[EXPLAIN_FORMS];
    size_t count = s->asked->type == ATTR_B ? explain_form_of_bytes(s->q, s->asked->bytes, forms)
                                            : explain_form_of_text(s->q, s->asked->bytes, forms);

    for (size_t i = 0; i < count; i++)
        if (offer(s, forms[i].value, forms[i].why))
            return true;
    return false;
}

static bool other_spelling(struct search *s)
{
    struct span text = s->asked->bytes, bare = fold_trimmed(text);

    if (other_form(s))
        return true;
    for (const char *mark = " :/|_-"; *mark; mark++)
        if (offer(s, explain_form_changed(s->q, bare, *mark, *mark, '#' - *mark),
                  "its parts are joined by #"))
            return true;
    for (size_t i = 0; i < s->samples.len; i++)
        if (explain_near_same(text, s->samples.at[i]) &&
            offer(s, s->samples.at[i], explain_near_words(text, s->samples.at[i])))
            return true;
    return false;
}

/* --- the form that keys have ------------------------------------------------------------------ */

/* `text` with another segment in place of the nth, which it has. */
static struct span with_segment(struct inquiry *q, struct span text, size_t n, struct span segment)
{
    struct span old = explain_rows_segment(text, n);
    struct buf out = buf_in(q->arena);

    buf_add(&out, text.at, (size_t)(old.at - text.at));
    buf_add_span(&out, segment);
    buf_add_span(&out, span_from(text, (size_t)(old.at - text.at) + old.len));
    return buf_span(&out);
}

/* A key that is there shows the form; what was asked for is a part of it, or has a part too many.
 */
static bool in_form_of(struct search *s, struct span sample)
{
    struct inquiry *q = s->q;
    struct span asked = s->asked->bytes;
    size_t parts = explain_rows_segments(asked), wanted = explain_rows_segments(sample);
    struct span last = explain_rows_segment(asked, parts - 1);

    if (offer(s, with_segment(q, sample, wanted - 1, parts == 1 ? asked : last), NULL))
        return true;
    for (size_t i = 0; parts == wanted && i + 1 < parts && inquiry_has_time(q); i++)
        if (offer(s, with_segment(q, asked, i, explain_rows_segment(sample, i)), NULL))
            return true;
    return false;
}

static bool in_other_form(struct search *s)
{
    struct span asked = s->asked->bytes;

    for (size_t i = 0; i < asked.len; i++)
        if (asked.at[i] == '#' && inquiry_has_time(s->q) &&
            (offer(s, span_from(asked, i + 1), NULL) || offer(s, (struct span){asked.at, i}, NULL)))
            return true;
    for (size_t i = 0; i < s->samples.len; i++)
        if (in_form_of(s, s->samples.at[i]))
            return true;
    return false;
}

/* --- somewhere else --------------------------------------------------------------------------- */

/* The nth table or index of the store that has one text attribute as its partition key; those of
 * the table that was asked come first. */
static bool place_at(const struct search *s, size_t n, struct rows *out)
{
    const struct table *own = s->r->table, *t = own;

    while (t) {
        for (size_t i = 0; i <= t->index_count; i++) {
            struct rows r = {t, i ? &t->indexes[i - 1] : NULL};
            const struct key_schema *keys = explain_rows_keys(&r);

            if (keys->hash_count != 1 || keys->hash[0].type != s->asked->type ||
                (t == own && r.index == s->r->index) || n--)
                continue;
            *out = r;
            return true;
        }
        t = op_region_table_after(&s->q->call, t == own ? SPAN_LIT("") : t->name);
        if (t == own)
            t = op_region_table_after(&s->q->call, t->name);
    }
    return false;
}

/* As the key of an index of this table, or of other tables. */
static bool somewhere_else(struct search *s, bool other_tables)
{
    struct inquiry *q = s->q;
    struct rows there;

    for (size_t n = 0; inquiry_has_time(q) && place_at(s, n, &there); n++) {
        struct span name = explain_rows_keys(&there)->hash[0].name;
        size_t count;

        if ((there.table != s->r->table) != other_tables ||
            !(count = explain_rows_count(q, &there, s->asked, SHOWN)))
            continue;
        if (other_tables)
            inquiry_reason(q, "%s; %s has %s with %.*s %s", nothing(s),
                           inquiry_place(q, there.table, there.index), count_words(q, count),
                           SPAN_ARG(name), inquiry_value(q, s->asked));
        else
            inquiry_reason(q, "%s: it is a %.*s, of which %s has %s", nothing(s), SPAN_ARG(name),
                           inquiry_place(q, there.table, there.index), count_words(q, count));
        explain_key_propose_query(q, there.table, there.index, name, s->asked);
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
    struct buf out = buf_in(q->arena);

    buf_add_span(&out, a);
    buf_add_char(&out, '-');
    buf_add_span(&out, b);
    return buf_span(&out);
}

/* Whether another attribute of the item, or two of them, make a key as the nth segment. */
static bool other_words(struct search *s, const struct rows *from, size_t n, const struct words *w)
{
    struct inquiry *q = s->q;
    struct span asked = s->asked->bytes, is = explain_rows_keys(from)->hash[0].name;

    for (size_t i = 0; i < w->len; i++)
        for (size_t k = 0; k < w->len; k++) {
            struct span value = i == k ? w->text[i] : joined(q, w->text[i], w->text[k]);
            struct span names = i == k ? w->name[i] : joined(q, w->name[i], w->name[k]);

            if (offer(s, with_segment(q, asked, n, value),
                      arena_printf(q->arena, "%.*s of %.*s belongs there, not %.*s",
                                   SPAN_ARG(names), SPAN_ARG(from->table->name), SPAN_ARG(is))))
                return true;
        }
    return false;
}

static bool other_attribute(struct search *s)
{
    struct inquiry *q = s->q;
    struct span asked = s->asked->bytes;
    size_t parts = explain_rows_segments(asked);
    struct rows from;

    for (size_t n = 0; inquiry_has_time(q) && place_at(s, n, &from); n++)
        for (size_t i = 0; i < parts && inquiry_has_time(q); i++) {
            struct attr segment = value_of(s, explain_rows_segment(asked, i));
            struct store_range range;
            struct words w;
            struct item it;

            if (!segment.bytes.len || !inquiry_may_read(q))
                continue;
            range = explain_rows_partition(q, &from, &segment);
            if (!explain_rows_first(q, &range, &it))
                continue;
            collect(&it, s->name, &w);
            if (other_words(s, &from, i, &w))
                return true;
        }
    return false;
}

/* --- the nearest ------------------------------------------------------------------------------ */

static bool offer_best(struct search *s, const struct near_best *best)
{
    if (!best->len || !offer(s, best->at[0], NULL))
        return false;
    explain_near_also(s->q, best);
    return true;
}

static bool nearest(struct search *s, const struct span_list *all)
{
    struct inquiry *q = s->q;
    struct span asked = s->asked->bytes;
    struct near_best typos = {.len = 0}, pieces = {.len = 0};

    for (size_t i = 0; i < all->len && inquiry_has_time(q); i++) {
        if (explain_near_same(asked, all->at[i]) &&
            offer(s, all->at[i], explain_near_words(asked, all->at[i])))
            return true;
        explain_near_consider(q, &typos, asked, all->at[i]);
        explain_near_consider_piece(q, &pieces, asked, all->at[i]);
    }
    return offer_best(s, &typos) ||
           (pieces.seen <= EXPLAIN_NEAR_BEST && offer_best(s, &pieces)); /* more: a common part */
}

/* --- the stored keys -------------------------------------------------------------------------- */

static const char *listed(struct inquiry *q, const struct span_list *list, bool more)
{
    struct attr values[FEW];

    for (size_t i = 0; i < list->len; i++)
        values[i] = (struct attr){.type = ATTR_S, .bytes = list->at[i]};
    return inquiry_values(q, values, list->len, " or ", more);
}

static bool is_in(const struct span_list *list, struct span text)
{
    for (size_t i = 0; i < list->len; i++)
        if (span_equal(list->at[i], text))
            return true;
    return false;
}

/* A text's first part with its #; at NULL: it is all of one part. */
static struct span start_of(struct span text)
{
    struct span part = explain_rows_segment(text, 0);

    return (struct span){part.len < text.len ? text.at : NULL, part.len + 1};
}

/* Those that begin as what was asked for does; without that, how they begin; where they have no
 * parts, the first of them. */
static void say_form(struct search *s, const struct span_list *all)
{
    struct inquiry *q = s->q;
    struct span own = start_of(s->asked->bytes), at[3][FEW];
    struct span_list like = {.at = at[0]}, starts = {.at = at[1]}, first = {.at = at[2]};
    size_t alike = 0, others = !all->all, random = 0;

    for (size_t i = 0; i < all->len; i++) {
        struct span start = start_of(all->at[i]);
        bool is_alike = own.at && span_starts_with(all->at[i], own);

        random += explain_near_is_random(all->at[i]);
        alike += is_alike;
        if (is_alike && like.len < FEW)
            like.at[like.len++] = all->at[i];
        if (first.len < FEW)
            first.at[first.len++] = all->at[i];
        if (!start.at || is_in(&starts, start))
            others += !start.at;
        else if (starts.len < FEW)
            starts.at[starts.len++] = start;
        else
            others++;
    }
    if (random && random == all->len && explain_near_is_random(s->asked->bytes))
        inquiry_reason(q, "%s", nothing(s));
    else if (random && random == all->len)
        inquiry_reason(q, "%s; the stored ones look like %s", nothing(s),
                       inquiry_text(q, all->at[0]));
    else if (like.len)
        inquiry_reason(q, "%s; with %s there is %s", nothing(s), inquiry_text(q, own),
                       listed(q, &like, alike > like.len || !all->all));
    else if (all->len > FEW && starts.len)
        inquiry_reason(q, "%s; they begin with %s, such as %s", nothing(s),
                       listed(q, &starts, others), inquiry_text(q, all->at[0]));
    else if (all->len)
        inquiry_reason(q, "%s; %.*s is %s", nothing(s), SPAN_ARG(s->name),
                       listed(q, &first, all->len > FEW || !all->all));
    else
        inquiry_reason(q, "%s", nothing(s));
}

/* --- the value of another attribute ----------------------------------------------------------- */

/* Items that have what was asked for elsewhere. */
struct holders {
    const struct search *s;
    struct span name; /* of the attribute */
    struct item it;   /* the first of them */
    size_t count;
};

static bool look_for_holder(struct inquiry *q, const struct item *it, void *data)
{
    struct holders *h = data;

    (void)q;
    for (size_t i = 0; i < it->len; i++) {
        const struct field *f = &it->at[i];

        if (!attr_equal(&f->value, h->s->asked) || span_equal(f->name, h->s->name) ||
            (h->count && !span_equal(f->name, h->name)))
            continue;
        if (!h->count)
            h->it = *it;
        h->name = f->name;
        h->count++;
    }
    return h->count > 1;
}

static struct holders find_holders(struct search *s)
{
    struct inquiry *q = s->q;
    struct holders h = {.s = s};
    struct buf low = buf_in(q->arena), high = buf_in(q->arena);

    key_of_space(&low, s->r->table->space);
    key_of_space(&high, s->r->table->space + 1);
    (void)explain_rows_find(q,
                            &(struct store_range){.low = buf_span(&low), .high = buf_span(&high)},
                            HOLDERS, look_for_holder, &h);
    return h;
}

/* The email where an id belongs. */
static bool has_holder(struct search *s, const struct holders *h)
{
    struct inquiry *q = s->q;
    const struct attr *key = h->count == 1 ? item_find(&h->it, s->name) : NULL;

    if (!key)
        return false;
    inquiry_reason(q, "%s: it is the %.*s of the item with %.*s %s", nothing(s), SPAN_ARG(h->name),
                   SPAN_ARG(s->name), inquiry_value(q, key));
    explain_trial_propose_value(q, s->asked, key);
    return true;
}

/* The city where an id belongs. */
static bool has_holders(struct search *s, const struct holders *h)
{
    if (h->count > 1)
        inquiry_reason(s->q, "%s: items there have it as their %.*s", nothing(s),
                       SPAN_ARG(h->name));
    return h->count > 1;
}

/* --- all -------------------------------------------------------------------------------------- */

static void explain_text(struct search *s)
{
    struct inquiry *q = s->q;
    struct span_list all;
    struct holders holders;

    s->samples = explain_rows_partitions(q, s->r, SAMPLES);
    if (other_spelling(s) || in_other_form(s) || somewhere_else(s, false) || other_attribute(s) ||
        somewhere_else(s, true))
        return;
    holders = find_holders(s);
    if (has_holder(s, &holders))
        return;
    all = explain_rows_partitions(q, s->r, WALKED);
    if (nearest(s, &all) || (s->r->index && explain_sparse(q, s->r, s->asked, NULL)) ||
        has_holders(s, &holders))
        return;
    say_form(s, &all);
}

void explain_partition(struct inquiry *q, const struct rows *r, const struct expr_key_clause *hash)
{
    struct search s = {.q = q, .r = r, .name = hash->attribute, .asked = &hash->low};

    if (hash->low.type == ATTR_S)
        explain_text(&s);
    else if (!(hash->low.type == ATTR_B && other_form(&s)) && !somewhere_else(&s, false) &&
             !somewhere_else(&s, true))
        inquiry_reason(q, "%s", nothing(&s));
}
