#include "explain/explain_find.h"

#include <assert.h>

#include "base/ascii.h"
#include "explain/explain_candidate.h"
#include "explain/explain_cause.h"
#include "explain/explain_entry.h"
#include "explain/explain_trial.h"
#include "explain/say.h"
#include "ops/op.h"
#include "ops/read/query_key.h"

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

/* The next item of a walk that is not in the index. */
static bool next_outside(struct walk *w, const struct index *ix, struct outside *out)
{
    while (explain_rows_next(w)) {
        assert(ix);
        out->it = w->it;
        for (size_t i = 0; (out->part = schema_key_part(&ix->keys, i)); i++) {
            out->value = item_find(&w->it, out->part->name);
            if (!out->value || out->value->type != out->part->type)
                return true;
        }
    }
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

void explain_missing_no_entries(struct inquiry *q, const struct rows *r)
{
    struct walk w = explain_rows_walk_all(q, r->table, LOOKED_AT);
    struct span nested = {NULL, 0};
    struct outside o;

    while (next_outside(&w, r->index, &o)) {
        for (size_t i = 0; i < o.it.len && !nested.at; i++)
            nested = explain_near_nested(q, &o.it.at[i], o.part->name);
        if (o.value) {
            say_why(q, "% is empty: % is % in the items, the index takes %", r->index, o.part->name,
                    say_type(o.value->type), plural[o.part->type]);
            return;
        }
    }
    say_why(q, "% is empty: no item of % has %%", r->index, r->table, &r->index->keys,
            nested.at
                ? say_text(q, "; % is in a map, and an index takes attributes of the item", nested)
                : "");
}

/* --- the search ------------------------------------------------------------------------------- */

#define SAMPLES   24   /* partitions that show what keys look like */
#define WALKED    500  /* keys that are compared */
#define ENTRIES   1000 /* entries in which an attribute of several is looked for */
#define CONDITION "KeyConditionExpression"

/* Where the wrong clause is, as bits. */
enum {
    PARTITION = 1,
    PART = 2, /* an attribute of a partition key of several */
    SORT = 4, /* a text, or its beginning */
    ENDS = 8  /* a range, or a value that is no text */
};

/* How a step is done, where it has two ways. */
enum { VAGUE = 1, OWN_TABLE = 0, OTHER_TABLES = 1 };

struct search {
    struct inquiry *q;
    const struct rows *r;
    const struct key_schema *keys;
    struct expr_key_clause clauses[2 * LIMIT_KEY_PARTS]; /* in the key's order */
    size_t count;
    size_t at; /* the one that is wrong */
    struct position position;
    struct holders holders; /* of the value, elsewhere in items */
    int how;                /* of the step that runs */
};

/* What the first `count` clauses read; with `to`, another operator and value for the wrong one.
 * False: no key can be so. */
static bool range_of(const struct search *s, size_t count, enum expr_op op, const struct attr *to,
                     struct store_range *out)
{
    struct expr_key_clause clauses[2 * LIMIT_KEY_PARTS];
    const struct expr_key key = {clauses, count};

    memcpy(clauses, s->clauses, sizeof clauses);
    if (to)
        clauses[s->at] = (struct expr_key_clause){clauses[s->at].attribute, op, to[0],
                                                  to[op == EXPR_BETWEEN]};
    *out = (struct store_range){.keys_only = true};
    return !query_key_range(&s->q->call, s->r->table, s->r->index, &key, NULL, out);
}

/* How many clauses it takes to look at the wrong one. */
static size_t needed(const struct search *s)
{
    return s->at < s->keys->hash_count ? s->keys->hash_count : s->at + 1;
}

static size_t find_key(const struct position *p, const struct attr *to, struct attr *found)
{
    const struct search *s = p->data;
    struct store_range range;
    struct attr last = to[0];

    *found = to[0];
    if (!range_of(s, needed(s), p->op, to, &range) ||
        (explain_candidate_is_range(p->op) &&
         !explain_rows_ends(p->q, s->r, &range, p->name, found, &last)))
        return 0;
    if (p->op == EXPR_LT || p->op == EXPR_LE)
        *found = last;
    return explain_rows_count_range(p->q, &range, EXPLAIN_ROWS_COUNTED);
}

/* How many keys begin with the text. */
static size_t count_beginning(const struct search *s, struct span text)
{
    struct attr start = {.type = ATTR_S, .bytes = text};
    struct store_range range;

    return text.len && range_of(s, needed(s), EXPR_BEGINS_WITH, &start, &range)
               ? explain_rows_count_range(s->q, &range, EXPLAIN_ROWS_COUNTED)
               : 0;
}

/* Values of an attribute among the entries of all partitions that fit the other clauses of a
 * partition of several attributes. */
static void look_at_entries(struct search *s)
{
    struct store_range all = explain_rows_all(s->q, s->r);
    struct walk w = explain_rows_walk(s->q, &all, ENTRIES);

    while (explain_rows_next(&w)) {
        const struct attr *value = item_find(&w.it, s->position.name), *other;
        bool fits = value != NULL;

        for (size_t i = 0; i < s->keys->hash_count && fits; i++)
            fits = i == s->at || ((other = item_find(&w.it, s->clauses[i].attribute)) &&
                                  explain_rows_fits_clause(&s->clauses[i], other));
        if (fits)
            explain_rows_note(s->q, &s->position.there, ENTRIES, value);
    }
    s->position.there.all = w.all;
}

/* The position of the wrong clause, with up to `limit` values. */
static void look_at(struct search *s, size_t at, size_t limit)
{
    const struct expr_key_clause *c = &s->clauses[at];
    struct store_range range;

    s->at = at;
    s->position = (struct position){.q = s->q,
                                    .op = c->op,
                                    .asked = {c->low, c->high},
                                    .name = c->attribute,
                                    .is_ordered = at >= s->keys->hash_count,
                                    .find = find_key,
                                    .data = s};
    if (at < s->keys->hash_count && s->keys->hash_count > 1)
        look_at_entries(s);
    else if (at < s->keys->hash_count)
        s->position.there = explain_rows_partitions(s->q, s->r, limit);
    else if (range_of(s, at, c->op, NULL, &range))
        s->position.there = explain_rows_values(s->q, s->r, &range, c->attribute, &c->low, limit);
}

static bool has_entry(const struct search *s, size_t count)
{
    struct store_range range;

    return range_of(s, count, EXPR_EQ, NULL, &range) && explain_rows_count_range(s->q, &range, 1);
}

/* --- saying it -------------------------------------------------------------------------------- */

/* tenant "A" and region "B": up to the wrong clause, or those that hold beside it. */
static const char *clauses_words(const struct search *s, bool beside)
{
    struct buf out = buf_in(s->q->arena);

    for (size_t i = 0; i < needed(s); i++)
        if (!beside || i != s->at)
            say_add(&out, "%%", out.len ? " and " : "", &s->clauses[i]);
    return buf_text(&out);
}

static bool is_partition(const struct search *s)
{
    return s->keys->hash_count == 1 && s->at == 0;
}

static bool is_sort(const struct search *s)
{
    return s->keys->hash_count == 1 && s->at == 1 && s->keys->range_count == 1;
}

static const char *nothing_words(const struct search *s)
{
    static const char *const forms[] = {
        [EXPR_EQ] = "no % is %% under %",
        [EXPR_LT] = "no % is before %% under %",
        [EXPR_LE] = "no % is up to %% under %",
        [EXPR_GT] = "no % is after %% under %",
        [EXPR_GE] = "no % is from %% under %",
        [EXPR_BETWEEN] = "no % is between %% under %",
        [EXPR_BEGINS_WITH] = "no % begins with %% under %",
    };
    const struct expr_key_clause *c = &s->clauses[s->at];

    if (!is_sort(s))
        return say_text(s->q, "no item of % has %", say_place(s->r->table, s->r->index),
                        clauses_words(s, false));
    return say_text(s->q, forms[c->op], c->attribute, &c->low,
                    c->op == EXPR_BETWEEN ? say_text(s->q, " and %", &c->high) : "",
                    &s->clauses[0]);
}

/* "2 begin with", "50 or more begin with" */
static const char *begin_words(const struct search *s, size_t count)
{
    return say_text(s->q, "%% begin% with", count, count < EXPLAIN_ROWS_COUNTED ? "" : " or more",
                    count == 1 ? "s" : "");
}

static bool say_candidate(struct search *s, const struct candidate *c)
{
    struct inquiry *q = s->q;
    const struct position *p = &s->position;
    const char *why = say_behind(q, ": ", c->why);
    size_t more = c->to[0].bytes.len - p->asked[0].bytes.len;

    if (is_partition(s))
        say_why(q, "%; % has %%", nothing_words(s), &c->to[0],
                explain_rows_count_words(q, c->count), why);
    else if (!is_sort(s))
        say_why(q, "%; with %, % is %%", nothing_words(s), clauses_words(s, true), p->name,
                &c->found, why);
    else if (p->op == EXPR_BEGINS_WITH)
        say_why(q, "%; % %%", nothing_words(s), begin_words(s, c->count), &c->to[0], why);
    else if (explain_candidate_is_range(p->op) && c->tier == FORM_PART &&
             c->to[0].bytes.len > p->asked[0].bytes.len)
        say_why(q, "%; keys that begin with % would fit", nothing_words(s),
                say_quoted((struct span){c->to[0].bytes.at, more}));
    else
        say_why(q, "%% %", nothing_words(s), c->is_sure ? ":" : ";", explain_candidate_words(p, c));
    explain_candidate_show(p, c);
    return true;
}

static void say_stored(const struct search *s)
{
    const char *name = is_sort(s) ? NULL : arena_text(s->q->arena, s->position.name);
    const char *stored = explain_candidate_stored(&s->position, name);
    bool several = stored && !is_partition(s) && !is_sort(s);

    say_why(s->q, "%%%", nothing_words(s),
            several ? say_text(s->q, "; with %", clauses_words(s, true)) : "",
            say_behind(s->q, several ? ", " : "; ", stored));
}

/* --- the steps -------------------------------------------------------------------------------- */

/* The first value of a tier that would have found something is the reason. */
static bool offer_tier(struct search *s)
{
    struct candidate c;

    return explain_candidate_find(&s->position, (enum form_tier)s->how, &c) && say_candidate(s, &c);
}

static bool look_further(struct search *s)
{
    look_at(s, s->at, (size_t)s->how);
    return false;
}

/* Items of the table that fit the clauses and are not in the index, since they lack another
 * attribute of its key, or have one as another type. With how = VAGUE they may lack one that a
 * clause is about. */
static bool say_outside(struct search *s)
{
    struct inquiry *q = s->q;
    const struct rows *r = s->r;
    struct walk w = explain_rows_walk_all(q, r->table, r->index ? LOOKED_AT : 0);
    struct buf have = buf_in(q->arena);
    struct outside o;

    do {
        if (!next_outside(&w, r->index, &o))
            return false;
    } while (!fits_clauses(&o.it, s->clauses, s->count, s->how));
    for (size_t i = 0; i < s->count; i++)
        if (item_find(&o.it, s->clauses[i].attribute) &&
            !(o.value && span_equal(s->clauses[i].attribute, o.part->name)))
            say_add(&have, "%%", have.len ? " and " : " with ", &s->clauses[i]);
    if (!o.value)
        say_why(q, "items of %% have no %, so % does not have them", r->table, buf_text(&have),
                o.part->name, r->index);
    else
        say_why(q, "% is % in items of %%, and % takes %", o.part->name, say_type(o.value->type),
                r->table, buf_text(&have), r->index, plural[o.part->type]);
    propose_item(q, r->table, &o.it);
    return true;
}

/* An item that is not in the index and has the text as an attribute or as a part of one; of a sort
 * attribute, in the partition. */
static bool say_unindexed(struct search *s)
{
    struct inquiry *q = s->q;
    const struct rows *r = s->r, base = {r->table, NULL};
    const struct attr *text = &s->position.asked[0];
    bool can_be = r->index && text->type == ATTR_S && text->bytes.len &&
                  (!s->at || (s->keys->hash_count == 1 &&
                              span_equal(s->keys->hash[0].name, r->table->keys.hash[0].name)));
    struct store_range range = s->at && can_be
                                   ? explain_rows_partition(q, &base, &s->clauses[0].low)
                                   : explain_rows_all(q, &base);
    struct walk w = explain_rows_walk(q, &range, can_be ? LOOKED_AT : 0);
    struct outside o;

    while (next_outside(&w, r->index, &o))
        for (size_t i = 0; i < o.it.len; i++) {
            const struct field *f = &o.it.at[i];
            size_t n = f->value.type == ATTR_S ? explain_rows_segments(f->value.bytes) : 0;

            while (n && !span_equal(explain_rows_segment(f->value.bytes, n - 1), text->bytes))
                n--;
            if (!n)
                continue;
            say_why(q, "the item with % % is in % but lacks %, so % does not have it", f->name,
                    &f->value, r->table, o.part->name, r->index);
            propose_item(q, r->table, &o.it);
            return true;
        }
    return false;
}

/* The email where an id belongs, or the city: the attribute of the one item that has the value. Two
 * of them are enough to know that there are several. */
static bool say_holder(struct search *s)
{
    const struct rows base = {s->r->table, NULL};
    struct store_range range = s->at ? explain_rows_partition(s->q, s->r, &s->clauses[0].low)
                                     : explain_rows_all(s->q, &base);
    struct walk w = explain_rows_walk(s->q, &range, LOOKED_AT);
    struct holders *h = &s->holders;
    const struct attr *key;

    *h = (struct holders){.asked = &s->position.asked[0], .except = s->position.name};
    while (s->position.op == EXPR_EQ && s->keys->hash_count == 1 && h->count < 2 &&
           explain_rows_next(&w))
        explain_rows_hold(h, &w.it);
    if (h->count != 1 || !(key = item_find(&h->it, s->position.name)))
        return false;
    say_why(s->q, "%: it is the % of the item with % %", nothing_words(s), h->name,
            s->position.name, key);
    explain_trial_propose_value(s->q, &s->position.asked[0], key);
    return true;
}

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

/* The partition of another index of this table, or of other tables. */
static bool say_other_partition(struct search *s)
{
    struct inquiry *q = s->q;
    const struct rows *r = s->r;
    const struct attr *asked = &s->position.asked[0];
    struct rows there;

    for (size_t n = 0; inquiry_has_time(q) && place_at(q, r, asked->type, n, &there); n++) {
        struct span name = explain_rows_keys(&there)->hash[0].name;
        struct word place = say_place(there.table, there.index);
        struct store_range range = explain_rows_partition(q, &there, asked);
        size_t count = (there.table != r->table) == (s->how == OTHER_TABLES)
                           ? explain_rows_count_range(q, &range, EXPLAIN_ROWS_COUNTED)
                           : 0;

        if (!count)
            continue;
        if (s->how == OTHER_TABLES)
            say_why(q, "%; % has % with % %", nothing_words(s), place,
                    explain_rows_count_words(q, count), name, asked);
        else
            say_why(q, "%: it is a %, of which % has %", nothing_words(s), name, place,
                    explain_rows_count_words(q, count));
        explain_key_propose_query(q, there.table, there.index, name, asked);
        return true;
    }
    return false;
}

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

/* A partition of this position that has, for a part of what was asked for, another attribute of
 * the item that this part is the key of: the index's name for the shop's domain. */
static bool say_composite(struct search *s)
{
    struct inquiry *q = s->q;
    struct span asked = s->position.asked[0].bytes;
    size_t parts = s->position.asked[0].type == ATTR_S ? explain_rows_segments(asked) : 0;
    struct candidate c;
    struct rows from;

    for (size_t n = 0; parts && inquiry_has_time(q) && place_at(q, s->r, ATTR_S, n, &from); n++)
        for (size_t i = 0; i < parts && inquiry_has_time(q); i++) {
            struct attr segment = {.type = ATTR_S, .bytes = explain_rows_segment(asked, i)};
            struct store_range range;
            struct walk w;

            if (!segment.bytes.len || !inquiry_may_read(q))
                continue;
            range = explain_rows_partition(q, &from, &segment);
            w = explain_rows_walk(q, &range, 1);
            if (explain_rows_next(&w) && other_words(&s->position, &from, i, &w.it, &c))
                return say_candidate(s, &c);
        }
    return false;
}

/* "sk = :s" → "begins_with(sk, :s)" in the request's own words; of a GetItem, a Query. */
static void propose_beginning(struct search *s)
{
    struct inquiry *q = s->q;
    const struct attr *asked = &s->position.asked[0];
    struct span text = wire_text(wire_get(q->call.body, CONDITION));
    struct expr_key_clause clauses[COUNT(s->clauses)];
    struct attr value;

    for (struct token *t = explain_tokens(q, GRAMMAR_CONDITION, text); t->kind != TOKEN_END; t++)
        if (t[1].kind == TOKEN_EQ && explain_entry_value(q, t[2].text, &value) &&
            attr_equal(&value, asked)) {
            explain_trial_propose_text(
                q, CONDITION,
                explain_trial_with_part(q, text, explain_tokens_text(t, &t[2]),
                                        say_text_span(q, "begins_with(%, %)", t->text, t[2].text)));
            return;
        }
    explain_statement_begins(q, s->position.name);
    if (!wire_get(q->call.body, "Key"))
        return;
    memcpy(clauses, s->clauses, sizeof clauses);
    clauses[s->at].op = EXPR_BEGINS_WITH;
    explain_draft_propose_query(q, s->r->table, NULL, &(struct expr_key){clauses, s->count});
}

/* = with what keys begin with. */
static bool say_beginning(struct search *s)
{
    struct span start = s->position.asked[0].bytes;
    bool wild = start.len > 1 && ascii_is_one_of(start.at[start.len - 1], "*%");
    size_t count;

    start.len -= wild;
    if (s->position.op != EXPR_EQ || !(count = count_beginning(s, start)))
        return false;
    if (wild) {
        say_why(s->q, "%; % %: wildcards do not exist, begins_with takes the beginning of a key",
                nothing_words(s), begin_words(s, count), say_quoted(start));
        return true;
    }
    say_why(s->q, "%; % it: = takes whole keys, begins_with takes their beginning",
            nothing_words(s), begin_words(s, count));
    propose_beginning(s);
    return true;
}

/* BETWEEN … AND "2026-09-02": keys that only begin so come after it. */
static bool say_behind_end(struct search *s)
{
    bool between = s->position.op == EXPR_BETWEEN;
    const struct attr *end = &s->position.asked[between];
    size_t count;

    if ((!between && s->position.op != EXPR_LE) || end->type != ATTR_S ||
        !(count = count_beginning(s, end->bytes)))
        return false;
    say_why(s->q, "%; % %: longer keys follow the shorter one", nothing_words(s),
            begin_words(s, count), end);
    if (!between || !attr_equal(&s->position.asked[0], end))
        explain_trial_propose_value(
            s->q, end,
            &(struct attr){.type = ATTR_S, .bytes = say_text_span(s->q, "%~", end->bytes)});
    return true;
}

/* The keys with the first part that what was asked for has as well, from first to last. */
static bool say_same_start(struct search *s)
{
    struct attr start = {.type = ATTR_S}, first, last;
    struct store_range range;

    start.bytes = explain_rows_start(s->position.asked[0].bytes);
    if (!start.bytes.len || !range_of(s, needed(s), EXPR_BEGINS_WITH, &start, &range) ||
        !explain_rows_ends(s->q, s->r, &range, s->position.name, &first, &last))
        return false;
    if (attr_equal(&first, &last))
        say_why(s->q, "%; there is %", nothing_words(s), &first);
    else
        say_why(s->q, "%; those with % go from % to %", nothing_words(s), &start, &first, &last);
    return true;
}

/* What is looked for at which position, in this order: the first that finds something is the
 * reason.
 */
static const struct step {
    int positions;
    bool (*look)(struct search *s);
    int how; /* given as s->how */
} steps[] = {
    {PARTITION, look_further, SAMPLES},
    {SORT | ENDS, look_further, WALKED},
    {PARTITION | PART | SORT | ENDS, offer_tier, FORM_SPELLING},
    {PARTITION | SORT | ENDS, say_outside, 0},
    {PARTITION | PART | ENDS, offer_tier, FORM_PART},
    {PARTITION, say_other_partition, OWN_TABLE},
    {PARTITION, say_composite, 0},
    {PARTITION, say_other_partition, OTHER_TABLES},
    {PARTITION, say_holder, 0},
    {PARTITION, look_further, WALKED},
    {PARTITION, offer_tier, FORM_SPELLING},
    {PARTITION | PART | SORT, offer_tier, FORM_SLIP},
    {SORT, say_beginning, 0},
    {SORT, offer_tier, FORM_PART},
    {SORT, say_unindexed, 0},
    {PARTITION | PART | SORT, offer_tier, FORM_PIECE},
    {PARTITION, say_unindexed, 0},
    {SORT, say_holder, 0},
    {SORT, say_outside, VAGUE},
    {SORT, say_same_start, 0},
    {ENDS, say_behind_end, 0},
};

static bool run_steps(struct search *s, int position)
{
    for (size_t i = 0; i < COUNT(steps); i++) {
        s->how = steps[i].how;
        if (steps[i].positions & position && steps[i].look(s))
            return true;
    }
    return false;
}

/* One attribute of a partition of several: the one of which another value is near, or else the
 * first that has values beside the others. */
static bool say_parts(struct search *s)
{
    size_t first = s->keys->hash_count;

    for (size_t i = 0; i < s->keys->hash_count; i++) {
        look_at(s, i, ENTRIES);
        if (s->position.there.len && run_steps(s, PART))
            return true;
        first = s->position.there.len && i < first ? i : first;
    }
    s->how = 0;
    if (say_outside(s))
        return true;
    if (first < s->keys->hash_count)
        look_at(s, first, ENTRIES);
    return false;
}

/* Two values in each other's place. */
static bool say_swapped(struct search *s)
{
    struct inquiry *q = s->q;

    for (size_t k = 1; k < s->count; k++)
        for (size_t i = 0; i < k; i++) {
            struct expr_key_clause *a = &s->clauses[i], *b = &s->clauses[k];
            struct attr low = a->low, third = {.type = low.type, .bytes = SPAN_LIT("\001")};

            if (a->op != EXPR_EQ || b->op != EXPR_EQ || low.type != b->low.type ||
                attr_equal(&low, &b->low))
                continue;
            a->low = b->low;
            b->low = low;
            if (has_entry(s, s->count)) {
                say_why(q, "% and % are swapped: there is an item with % and %", a->attribute,
                        b->attribute, a, b);
                (void)explain_trial_propose(
                    q, q->call.op->name,
                    explain_trial_with_values(q, (struct attr[]){b->low, a->low, third},
                                              (struct attr[]){third, b->low, a->low}, 3),
                    &q->proposal);
                return true;
            }
            b->low = a->low;
            a->low = low;
        }
    return false;
}

/* --- all -------------------------------------------------------------------------------------- */

/* The clause of an attribute that can be looked for; NULL: none is. */
static const struct expr_key_clause *clause_of(const struct expr_key *key, struct span name)
{
    for (size_t i = 0; i < key->len; i++)
        if (span_equal(key->at[i].attribute, name) && key->at[i].op <= EXPR_BEGINS_WITH &&
            key->at[i].op != EXPR_NE && key->at[i].op != EXPR_IN)
            return &key->at[i];
    return NULL;
}

/* The clauses in the key's order. */
static struct search search_of(struct inquiry *q, const struct rows *r, const struct expr_key *key)
{
    struct search s = {.q = q, .r = r, .keys = explain_rows_keys(r)};
    const struct expr_key_clause *c;
    const struct key_part *part;

    while ((part = schema_key_part(s.keys, s.count)) && (c = clause_of(key, part->name)))
        s.clauses[s.count++] = *c;
    return s;
}

/* Which of the clauses is wrong: all of a partition's count as the first. False: no clause is. */
static bool find_wrong(struct search *s)
{
    for (size_t n = s->keys->hash_count; n <= s->count; n++)
        if (!has_entry(s, n)) {
            s->at = n == s->keys->hash_count ? 0 : n - 1;
            return true;
        }
    return false;
}

void explain_missing(struct inquiry *q, const struct rows *r, const struct expr_key *key)
{
    struct search s = search_of(q, r, key);
    const struct expr_key_clause *wrong;
    bool is_parts, found;

    if (!find_wrong(&s) || say_swapped(&s))
        return;
    wrong = &s.clauses[s.at];
    is_parts = !s.at && s.keys->hash_count > 1;
    found = is_parts
                ? say_parts(&s)
                : run_steps(&s, !s.at ? PARTITION
                                : wrong->low.type != ATTR_S || explain_candidate_is_range(wrong->op)
                                    ? ENDS
                                    : SORT);
    if (!found && s.holders.count > 1 && !s.at)
        say_why(q, "%: items there have it as their %", nothing_words(&s), s.holders.name);
    else if (!found)
        say_stored(&s);
    if (!found && is_parts && s.position.there.len == 1)
        explain_trial_propose_value(q, &s.position.asked[0], s.position.there.at);
}

const char *explain_missing_near(struct inquiry *q, const struct rows *r,
                                 const struct expr_key *key)
{
    struct search s = search_of(q, r, key);
    const char *stored;
    struct candidate c;

    if (!find_wrong(&s))
        return "";
    look_at(&s, s.at, WALKED);
    if (explain_candidate_any(&s.position, &c))
        return say_text(q, "; %", explain_candidate_words(&s.position, &c));
    stored = s.at ? explain_candidate_stored(&s.position, NULL) : NULL;
    return stored ? say_text(q, "; the %s under %: %", s.position.name, &s.clauses[0], stored) : "";
}

bool explain_missing_typed(struct inquiry *q, const struct rows *r, const struct expr_key *key,
                           struct span name, const char **how)
{
    struct search s = search_of(q, r, key);
    struct candidate c;

    *how = NULL;
    while (s.at < s.count && !span_equal(s.clauses[s.at].attribute, name))
        s.at++;
    if (s.at == s.count)
        return false;
    look_at(&s, s.at, SAMPLES);
    if (!explain_candidate_find(&s.position, FORM_SPELLING, &c))
        return false;
    *how = c.why;
    explain_candidate_propose(&s.position, &c);
    return true;
}
