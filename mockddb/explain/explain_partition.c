#include "explain/explain_partition.h"

#include "explain/explain_candidate.h"
#include "explain/explain_key.h"
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
    struct position position;
};

static const char *count_words(struct inquiry *q, size_t count)
{
    return count < SHOWN ? inquiry_count(q, count, "item")
                         : arena_printf(q->arena, "%d items or more", SHOWN);
}

static const char *nothing(const struct search *s)
{
    return arena_printf(s->q->arena, "no item of %s has %.*s %s",
                        inquiry_place(s->q, s->r->table, s->r->index), SPAN_ARG(s->name),
                        inquiry_value(s->q, s->asked));
}

static size_t find_partition(const struct position *p, const struct attr *to, struct attr *found)
{
    const struct rows *r = p->data;

    *found = *to;
    return to->type == explain_rows_keys(r)->hash[0].type ? explain_rows_count(p->q, r, to, SHOWN)
                                                          : 0;
}

static bool say(struct search *s, const struct candidate *c)
{
    inquiry_reason(s->q, "%s; %s has %s%s%s", nothing(s), inquiry_value(s->q, &c->to[0]),
                   count_words(s->q, c->count), c->why ? ": " : "", c->why ? c->why : "");
    explain_candidate_show(&s->position, c);
    return true;
}

static bool offer(struct search *s, enum form_tier tier)
{
    struct candidate c;

    return explain_candidate_find(&s->position, tier, &c) && say(s, &c);
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
    return span_of(arena_printf(q->arena, "%.*s-%.*s", SPAN_ARG(a), SPAN_ARG(b)));
}

/* Whether another attribute of the item, or two of them, make a key as the nth segment. */
static bool other_words(struct search *s, const struct rows *from, size_t n, const struct words *w)
{
    struct inquiry *q = s->q;
    struct span asked = s->asked->bytes, is = explain_rows_keys(from)->hash[0].name;
    struct candidate c;

    for (size_t i = 0; i < w->len; i++)
        for (size_t k = 0; k < w->len; k++) {
            struct span value = i == k ? w->text[i] : joined(q, w->text[i], w->text[k]);
            struct span names = i == k ? w->name[i] : joined(q, w->name[i], w->name[k]);
            struct span text = explain_form_with_part(q, asked, explain_rows_segment(asked, n),
                                                      value);

            if (explain_candidate_try(&s->position, text,
                                      arena_printf(q->arena, "%.*s of %.*s belongs there, not %.*s",
                                                   SPAN_ARG(names), SPAN_ARG(from->table->name),
                                                   SPAN_ARG(is)),
                                      &c))
                return say(s, &c);
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
            struct attr segment = {.type = ATTR_S, .bytes = explain_rows_segment(asked, i)};
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

/* --- the stored keys -------------------------------------------------------------------------- */

/* Values that are said, each once. */
struct listed {
    struct attr at[FEW];
    size_t len;
    bool more;
};

static void list(struct listed *out, struct span text)
{
    struct attr value = {.type = ATTR_S, .bytes = text};

    for (size_t i = 0; i < out->len; i++)
        if (attr_equal(&out->at[i], &value))
            return;
    out->more = out->more || out->len == FEW;
    if (out->len < FEW)
        out->at[out->len++] = value;
}

static const char *listed(struct inquiry *q, const struct listed *l)
{
    return inquiry_values(q, l->at, l->len, " or ", l->more);
}

/* A text's first part with its #; at NULL: it is all of one part. */
static struct span start_of(struct span text)
{
    struct span part = explain_rows_segment(text, 0);

    return (struct span){part.len < text.len ? text.at : NULL, part.len + 1};
}

/* Those that begin as what was asked for does; without that, how they begin; where they have no
 * parts, the first of them. */
static void say_form(struct search *s)
{
    struct inquiry *q = s->q;
    const struct values *all = &s->position.there;
    struct span own = start_of(s->asked->bytes);
    struct listed like = {.more = !all->all}, starts = like, first = like;
    size_t random = 0;

    for (size_t i = 0; i < all->len; i++) {
        struct span text = all->at[i].bytes, start = start_of(text);

        random += explain_near_is_random(text);
        list(&first, text);
        if (own.at && span_starts_with(text, own))
            list(&like, text);
        if (start.at)
            list(&starts, start);
        else
            starts.more = true;
    }
    if (!all->len || (random == all->len && explain_near_is_random(s->asked->bytes)))
        inquiry_reason(q, "%s", nothing(s));
    else if (random == all->len)
        inquiry_reason(q, "%s; the stored ones look like %s", nothing(s),
                       inquiry_value(q, all->at));
    else if (like.len)
        inquiry_reason(q, "%s; with %s there is %s", nothing(s), inquiry_text(q, own),
                       listed(q, &like));
    else if (all->len > FEW && starts.len)
        inquiry_reason(q, "%s; they begin with %s, such as %s", nothing(s), listed(q, &starts),
                       inquiry_value(q, all->at));
    else
        inquiry_reason(q, "%s; %.*s is %s", nothing(s), SPAN_ARG(s->name), listed(q, &first));
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
    struct holders h = {.s = s};
    struct store_range all = explain_rows_all(s->q, &(struct rows){s->r->table, NULL});

    (void)explain_rows_find(s->q, &all, HOLDERS, look_for_holder, &h);
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
    struct holders holders;

    if (offer(s, FORM_SPELLING) || offer(s, FORM_PART) || somewhere_else(s, false) ||
        other_attribute(s) || somewhere_else(s, true))
        return;
    holders = find_holders(s);
    if (has_holder(s, &holders))
        return;
    s->position.there = explain_rows_partitions(q, s->r, WALKED);
    if (offer(s, FORM_SPELLING) || offer(s, FORM_SLIP) || offer(s, FORM_PIECE) ||
        (s->r->index && explain_sparse(q, s->r, s->asked, NULL)) || has_holders(s, &holders))
        return;
    say_form(s);
}

void explain_partition(struct inquiry *q, const struct rows *r, const struct expr_key_clause *hash)
{
    struct search s = {.q = q, .r = r, .name = hash->attribute, .asked = &hash->low};

    s.position = (struct position){.q = q,
                                   .op = EXPR_EQ,
                                   .asked = {hash->low},
                                   .name = hash->attribute,
                                   .there = explain_rows_partitions(q, r, SAMPLES),
                                   .find = find_partition,
                                   .data = r};
    if (hash->low.type == ATTR_S)
        explain_text(&s);
    else if (!offer(&s, FORM_SPELLING) && !somewhere_else(&s, false) && !somewhere_else(&s, true))
        inquiry_reason(q, "%s", nothing(&s));
}
