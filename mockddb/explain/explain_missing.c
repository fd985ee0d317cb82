#include "explain/explain_missing.h"

#include "explain/explain_elsewhere.h"
#include "explain/explain_expression.h"
#include "explain/explain_key.h"
#include "explain/explain_trial.h"
#include "expr/expr_lex.h"
#include "model/limits.h"
#include "ops/read/query_key.h"

#define SAMPLES 24   /* partitions that show what keys look like */
#define WALKED  500  /* keys that are compared */
#define ENTRIES 1000 /* entries in which an attribute of several is looked for */

struct search {
    struct inquiry *q;
    const struct rows *r;
    const struct key_schema *keys;
    const struct expr_key_clause *parts[2 * LIMIT_KEY_PARTS]; /* clauses in the key's order */
    size_t count;
    size_t at; /* the one that is wrong */
    struct position position;
};

/* --- looking ---------------------------------------------------------------------------------- */

/* What the first `count` clauses read; with `to`, another operator and value for the wrong one.
 * False: no key can be so. */
static bool range_of(const struct search *s, size_t count, enum expr_op op, const struct attr *to,
                     struct store_range *out)
{
    struct expr_key_clause clauses[2 * LIMIT_KEY_PARTS];
    const struct expr_key key = {clauses, count};

    for (size_t i = 0; i < count; i++)
        clauses[i] = *s->parts[i];
    if (to && s->at < count) {
        clauses[s->at].op = op;
        clauses[s->at].low = to[0];
        clauses[s->at].high = to[op == EXPR_BETWEEN];
    }
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
    struct attr last;

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
static bool look_at_entry(struct inquiry *q, const struct item *entry, void *data)
{
    struct search *s = data;
    const struct attr *value = item_find(entry, s->position.name);

    for (size_t i = 0; i < s->keys->hash_count; i++) {
        const struct attr *other = item_find(entry, s->parts[i]->attribute);

        if (i != s->at && !(other && explain_rows_fits_clause(s->parts[i], other)))
            return false;
    }
    if (value)
        explain_rows_note(q, &s->position.there, ENTRIES, value);
    return false;
}

/* The position of the wrong clause, with up to `limit` values. */
static void look_at(struct search *s, size_t at, size_t limit)
{
    struct inquiry *q = s->q;
    const struct expr_key_clause *c = s->parts[at];
    struct store_range range = explain_rows_all(q, s->r);

    s->at = at;
    s->position = (struct position){.q = q,
                                    .op = c->op,
                                    .asked = {c->low, c->high},
                                    .name = c->attribute,
                                    .is_ordered = at >= s->keys->hash_count,
                                    .find = find_key,
                                    .data = s};
    if (at < s->keys->hash_count && s->keys->hash_count > 1)
        (void)explain_rows_find_all(q, &range, ENTRIES, look_at_entry, s, &s->position.there.all);
    else if (at < s->keys->hash_count)
        s->position.there = explain_rows_partitions(q, s->r, limit);
    else if (range_of(s, at, c->op, &c->low, &range))
        s->position.there = explain_rows_values(q, s->r, &range, c->attribute, &c->low, limit);
}

static bool exists(const struct search *s, size_t count)
{
    struct store_range range;

    return range_of(s, count, EXPR_EQ, NULL, &range) && explain_rows_count_range(s->q, &range, 1);
}

/* --- saying it -------------------------------------------------------------------------------- */

/* tenant "A" and region "B": up to the wrong clause, or those that hold beside it. */
static const char *clauses_words(const struct search *s, bool beside)
{
    size_t count = needed(s);
    struct buf out = buf_in(s->q->arena);

    for (size_t i = 0; i < count; i++)
        if (!beside || i != s->at)
            buf_printf(&out, "%s%s", out.len ? " and " : "",
                       explain_rows_clause_words(s->q, s->parts[i]));
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

static const char *nothing(const struct search *s)
{
    static const char *const verbs[] = {
        [EXPR_EQ] = "is ",
        [EXPR_LT] = "is before ",
        [EXPR_LE] = "is up to ",
        [EXPR_GT] = "is after ",
        [EXPR_GE] = "is from ",
        [EXPR_BETWEEN] = "is between ",
        [EXPR_BEGINS_WITH] = "begins with ",
    };
    struct inquiry *q = s->q;
    const struct expr_key_clause *c = s->parts[s->at];

    if (!is_sort(s))
        return arena_printf(
            q->arena, "no item of %s has %s", inquiry_place(q, s->r->table, s->r->index),
            is_partition(s) ? explain_rows_clause_words(q, c) : clauses_words(s, false));
    return arena_printf(
        q->arena, "no %.*s %s%s%s under %s", SPAN_ARG(c->attribute), verbs[c->op],
        inquiry_value(q, &c->low),
        c->op == EXPR_BETWEEN ? arena_printf(q->arena, " and %s", inquiry_value(q, &c->high)) : "",
        explain_rows_clause_words(q, s->parts[0]));
}

/* "2 begin with", "50 or more begin with" */
static const char *begin_words(const struct search *s, size_t count)
{
    return arena_printf(s->q->arena, "%zu%s begin%s with", count,
                        count < EXPLAIN_ROWS_COUNTED ? "" : " or more", count == 1 ? "s" : "");
}

static bool say(struct search *s, const struct candidate *c)
{
    struct inquiry *q = s->q;
    const struct position *p = &s->position;
    const char *to = inquiry_value(q, &c->to[0]);
    const char *why = c->why ? arena_printf(q->arena, ": %s", c->why) : "";
    size_t more = c->to[0].bytes.len - p->asked[0].bytes.len;

    if (is_partition(s))
        inquiry_reason(q, "%s; %s has %s%s", nothing(s), to, explain_rows_count_words(q, c->count),
                       why);
    else if (!is_sort(s))
        inquiry_reason(q, "%s; with %s, %.*s is %s%s", nothing(s), clauses_words(s, true),
                       SPAN_ARG(p->name), inquiry_value(q, &c->found), why);
    else if (p->op == EXPR_BEGINS_WITH)
        inquiry_reason(q, "%s; %s %s%s", nothing(s), begin_words(s, c->count), to, why);
    else if (explain_candidate_is_range(p->op) && c->tier == FORM_PART &&
             c->to[0].bytes.len > p->asked[0].bytes.len)
        inquiry_reason(q, "%s; keys that begin with %s would fit", nothing(s),
                       inquiry_text(q, (struct span){c->to[0].bytes.at, more}));
    else
        inquiry_reason(q, "%s%s %s", nothing(s), c->is_sure ? ":" : ";",
                       explain_candidate_words(p, c));
    explain_candidate_show(p, c);
    return true;
}

/* The first value of the tier that would have found something is the reason. */
static bool offer(struct search *s, enum form_tier tier)
{
    struct candidate c;

    return explain_candidate_find(&s->position, tier, &c) && say(s, &c);
}

static void say_stored(const struct search *s)
{
    struct inquiry *q = s->q;
    const char *name = arena_text(q->arena, s->position.name);
    const char *stored = explain_candidate_stored(&s->position, is_sort(s) ? NULL : name);

    if (!stored)
        inquiry_reason(q, "%s", nothing(s));
    else if (is_partition(s) || is_sort(s))
        inquiry_reason(q, "%s; %s", nothing(s), stored);
    else
        inquiry_reason(q, "%s; with %s, %s", nothing(s), clauses_words(s, true), stored);
}

/* --- two values in each other's place --------------------------------------------------------- */

/* The request with two values exchanged, by way of a third one. */
static void propose_swapped(struct inquiry *q, const struct attr *a, const struct attr *b)
{
    struct attr third = {.type = a->type, .bytes = SPAN_LIT("\001")};
    const struct attr from[] = {*a, *b, third}, to[] = {third, *a, *b};

    (void)explain_trial_propose(q, q->call.op->name, explain_trial_with_values(q, from, to, 3),
                                &q->proposal);
}

static bool are_swapped(struct search *s)
{
    struct inquiry *q = s->q;

    for (size_t k = 1; k < s->count; k++)
        for (size_t i = 0; i < k; i++) {
            struct expr_key_clause a = *s->parts[i], b = *s->parts[k];
            const struct expr_key_clause *before[] = {s->parts[i], s->parts[k]};
            bool found;

            if (a.op != EXPR_EQ || b.op != EXPR_EQ || a.low.type != b.low.type ||
                attr_equal(&a.low, &b.low))
                continue;
            a.low = before[1]->low;
            b.low = before[0]->low;
            s->parts[i] = &a;
            s->parts[k] = &b;
            found = exists(s, s->count);
            if (found) {
                inquiry_reason(q, "%.*s and %.*s are swapped: there is an item with %s and %s",
                               SPAN_ARG(a.attribute), SPAN_ARG(b.attribute),
                               explain_rows_clause_words(q, &a), explain_rows_clause_words(q, &b));
                propose_swapped(q, &b.low, &a.low);
            }
            s->parts[i] = before[0];
            s->parts[k] = before[1];
            if (found)
                return true;
        }
    return false;
}

/* --- a partition ------------------------------------------------------------------------------ */

/* The email where an id belongs, or the city. */
static bool say_holder(struct search *s, const struct holders *h)
{
    struct inquiry *q = s->q;
    const struct attr *key = h->count == 1 ? item_find(&h->it, s->position.name) : NULL;

    if (!key)
        return false;
    inquiry_reason(q, "%s: it is the %.*s of the item with %.*s %s", nothing(s),
                   SPAN_ARG(h->holder), SPAN_ARG(s->position.name), inquiry_value(q, key));
    explain_trial_propose_value(q, &s->position.asked[0], key);
    return true;
}

static void explain_partition(struct search *s)
{
    struct inquiry *q = s->q;
    const struct attr *asked = &s->parts[0]->low;
    struct store_range all = explain_rows_all(q, &(struct rows){s->r->table, NULL});
    struct holders holders = {.asked = asked, .name = s->parts[0]->attribute};
    struct candidate c;

    look_at(s, 0, SAMPLES);
    if (offer(s, FORM_SPELLING) || explain_elsewhere_outside(q, s->r, s->parts, s->count, false) ||
        offer(s, FORM_PART) || explain_elsewhere_partition(q, s->r, asked, false, nothing(s)) ||
        (asked->type == ATTR_S && explain_elsewhere_composite(&s->position, s->r, &c) &&
         say(s, &c)) ||
        explain_elsewhere_partition(q, s->r, asked, true, nothing(s)))
        return;
    if (asked->type == ATTR_S)
        explain_elsewhere_holders(q, &all, &holders);
    if (say_holder(s, &holders))
        return;
    look_at(s, 0, WALKED);
    if (offer(s, FORM_SPELLING) || offer(s, FORM_SLIP) || offer(s, FORM_PIECE) ||
        explain_elsewhere_unindexed(q, s->r, asked, &all))
        return;
    if (holders.count > 1)
        inquiry_reason(q, "%s: items there have it as their %.*s", nothing(s),
                       SPAN_ARG(holders.holder));
    else
        say_stored(s);
}

/* One attribute of a partition of several: the one of which another value is near, or else the
 * first that has values beside the others. */
static void explain_partition_parts(struct search *s)
{
    size_t first = s->keys->hash_count;
    struct candidate c;

    for (size_t i = 0; i < s->keys->hash_count; i++) {
        look_at(s, i, ENTRIES);
        if (s->position.there.len && explain_candidate_any(&s->position, &c)) {
            (void)say(s, &c);
            return;
        }
        first = s->position.there.len && i < first ? i : first;
    }
    if (explain_elsewhere_outside(s->q, s->r, s->parts, s->count, false))
        return;
    if (first < s->keys->hash_count)
        look_at(s, first, ENTRIES);
    say_stored(s);
    if (s->position.there.len == 1)
        explain_trial_propose_value(s->q, &s->position.asked[0], s->position.there.at);
}

/* --- a sort attribute ------------------------------------------------------------------------- */

/* "sk = :s" → "begins_with(sk, :s)" in the request's own words; len 0: it is not there. */
static struct span as_beginning(struct inquiry *q, struct span text, const struct attr *value)
{
    const wire_node *values = wire_get(q->call.body, "ExpressionAttributeValues");
    struct lexer lexer = {GRAMMAR_CONDITION, text};
    struct token name = expr_lex(&lexer), equal = expr_lex(&lexer), token;

    while ((token = expr_lex(&lexer)).kind != TOKEN_END) {
        struct attr to;

        if (token.kind == TOKEN_VALUE && equal.kind == TOKEN_EQ &&
            inquiry_read_attr(q, wire_get_span(values, token.text), &to) &&
            attr_equal(&to, value)) {
            struct span all = {name.text.at, (size_t)(span_end(token.text) - name.text.at)};

            return explain_trial_with_part(
                q, text, all,
                span_of(arena_printf(q->arena, "begins_with(%.*s, %.*s)", SPAN_ARG(name.text),
                                     SPAN_ARG(token.text))));
        }
        name = equal;
        equal = token;
    }
    return (struct span){"", 0};
}

static void propose_beginning(struct search *s)
{
    struct inquiry *q = s->q;
    const struct attr *asked = &s->position.asked[0];
    struct span text = wire_text(wire_get(q->call.body, "KeyConditionExpression"));
    struct span mended = text.len ? as_beginning(q, text, asked) : text;

    if (mended.len)
        explain_expression_propose_text(q, "KeyConditionExpression", mended);
    else if (wire_get(q->call.body, "Key"))
        explain_key_propose_beginning(q, s->r->table, &s->parts[0]->low, asked);
}

/* = with what keys begin with. */
static bool only_begins(struct search *s)
{
    struct span start = s->position.asked[0].bytes;
    bool wild = start.len > 1 && strchr("*%", start.at[start.len - 1]);
    size_t count;

    start.len -= wild;
    if (s->position.op != EXPR_EQ || !(count = count_beginning(s, start)))
        return false;
    if (wild) {
        inquiry_reason(
            s->q, "%s; %s %s: wildcards do not exist, begins_with takes the beginning of a key",
            nothing(s), begin_words(s, count), inquiry_text(s->q, start));
        return true;
    }
    inquiry_reason(s->q, "%s; %s it: = takes whole keys, begins_with takes their beginning",
                   nothing(s), begin_words(s, count));
    propose_beginning(s);
    return true;
}

/* BETWEEN … AND "2026-09-02": keys that only begin so come after it. */
static bool behind_end(struct search *s)
{
    bool between = s->position.op == EXPR_BETWEEN;
    const struct attr *end = &s->position.asked[between];
    struct attr to = {.type = ATTR_S};
    size_t count;

    if ((!between && s->position.op != EXPR_LE) || end->type != ATTR_S ||
        !(count = count_beginning(s, end->bytes)))
        return false;
    inquiry_reason(s->q, "%s; %s %s: longer keys follow the shorter one", nothing(s),
                   begin_words(s, count), inquiry_value(s->q, end));
    to.bytes = span_of(arena_printf(s->q->arena, "%.*s~", SPAN_ARG(end->bytes)));
    if (!between || !attr_equal(&s->position.asked[0], end))
        explain_trial_propose_value(s->q, end, &to);
    return true;
}

/* The keys with the first part that what was asked for has as well, from first to last. */
static bool same_start(struct search *s)
{
    struct inquiry *q = s->q;
    struct span asked = s->position.asked[0].bytes;
    struct attr start = {.type = ATTR_S}, first, last;
    struct store_range range;

    start.bytes = (struct span){asked.at, explain_rows_segment(asked, 0).len + 1};
    if (start.bytes.len > asked.len || !range_of(s, needed(s), EXPR_BEGINS_WITH, &start, &range) ||
        !explain_rows_ends(q, s->r, &range, s->position.name, &first, &last))
        return false;
    if (attr_equal(&first, &last))
        inquiry_reason(q, "%s; there is %s", nothing(s), inquiry_value(q, &first));
    else
        inquiry_reason(q, "%s; those with %s go from %s to %s", nothing(s),
                       inquiry_value(q, &start), inquiry_value(q, &first), inquiry_value(q, &last));
    return true;
}

/* The text in another attribute of an item of the partition, or of one that the index lacks. */
static bool is_elsewhere(struct search *s)
{
    struct inquiry *q = s->q;
    const struct attr *asked = &s->position.asked[0], *hash = &s->parts[0]->low;
    const struct rows base = {s->r->table, NULL};
    struct store_range range;
    struct holders holders = {.asked = asked, .name = s->position.name};

    if (s->keys->hash_count != 1)
        return false;
    if (s->r->index && span_equal(s->keys->hash[0].name, base.table->keys.hash[0].name)) {
        range = explain_rows_partition(q, &base, hash);
        if (explain_elsewhere_unindexed(q, s->r, asked, &range))
            return true;
    }
    if (offer(s, FORM_PIECE))
        return true;
    range = explain_rows_partition(q, s->r, hash);
    if (s->position.op == EXPR_EQ)
        explain_elsewhere_holders(q, &range, &holders);
    return say_holder(s, &holders) || explain_elsewhere_outside(q, s->r, s->parts, s->count, true);
}

static void explain_sort(struct search *s)
{
    bool is_text = s->parts[s->at]->low.type == ATTR_S;

    look_at(s, s->at, WALKED);
    if (offer(s, FORM_SPELLING) || explain_elsewhere_outside(s->q, s->r, s->parts, s->count, false))
        return;
    if (!is_text || explain_candidate_is_range(s->position.op)) {
        if (!offer(s, FORM_PART) && !behind_end(s))
            say_stored(s);
        return;
    }
    if (!offer(s, FORM_SLIP) && !only_begins(s) && !offer(s, FORM_PART) && !is_elsewhere(s) &&
        !same_start(s))
        say_stored(s);
}

/* --- all -------------------------------------------------------------------------------------- */

static bool add_part(struct search *s, const struct expr_key *key, struct span name)
{
    for (size_t i = 0; i < key->len; i++)
        if (span_equal(key->at[i].attribute, name) && key->at[i].op <= EXPR_BEGINS_WITH &&
            key->at[i].op != EXPR_NE) {
            s->parts[s->count++] = &key->at[i];
            return true;
        }
    return false;
}

/* The clauses in the key's order, and which of them is wrong: all of a partition's count as the
 * first. False: none is. */
static bool begin(struct search *s, struct inquiry *q, const struct rows *r,
                  const struct expr_key *key)
{
    const struct key_part *part;

    *s = (struct search){.q = q, .r = r, .keys = explain_rows_keys(r), .at = 2 * LIMIT_KEY_PARTS};
    for (size_t i = 0; (part = inquiry_key_part(s->keys, i)) && add_part(s, key, part->name);)
        i++;
    if (s->count < s->keys->hash_count)
        return false;
    for (size_t n = s->keys->hash_count; n <= s->count; n++)
        if (!exists(s, n)) {
            s->at = n == s->keys->hash_count ? 0 : n - 1;
            return true;
        }
    return false;
}

void explain_missing(struct inquiry *q, const struct rows *r, const struct expr_key *key)
{
    struct search s;

    if (!begin(&s, q, r, key) || are_swapped(&s))
        return;
    if (s.at)
        explain_sort(&s);
    else if (s.keys->hash_count == 1)
        explain_partition(&s);
    else
        explain_partition_parts(&s);
}

const char *explain_missing_near(struct inquiry *q, const struct rows *r,
                                 const struct expr_key *key)
{
    struct search s;
    struct candidate c;

    if (!begin(&s, q, r, key))
        return "";
    look_at(&s, s.at, WALKED);
    return explain_candidate_any(&s.position, &c)
               ? arena_printf(q->arena, "; %s", explain_candidate_words(&s.position, &c))
               : "";
}
