#include "explain/explain_sort.h"

#include "explain/explain_candidate.h"
#include "explain/explain_key.h"
#include "explain/explain_sparse.h"
#include "explain/explain_trial.h"
#include "expr/expr_lex.h"
#include "ops/read/query_key.h"

#define WALKED  500  /* sort keys that are compared */
#define STARTS  6    /* beginnings that are listed */
#define OUTSIDE 1500 /* items of the table that are looked at for an index */
#define COUNTED 50   /* items that are counted */

struct search {
    struct inquiry *q;
    const struct rows *r;
    const struct expr_key_clause *hash, *sort;
    struct position position; /* there: sort keys of the partition in order, or the first, the last
                                 and those next to what was asked for */
};

/* --- saying it -------------------------------------------------------------------------------- */

static const char *const missing[] = {
    [EXPR_EQ] = "is ",
    [EXPR_LT] = "is before ",
    [EXPR_LE] = "is up to ",
    [EXPR_GT] = "is after ",
    [EXPR_GE] = "is from ",
    [EXPR_BETWEEN] = "is between ",
    [EXPR_BEGINS_WITH] = "begins with ",
};

static const char *nothing(const struct search *s)
{
    struct inquiry *q = s->q;
    const char *to = s->sort->op == EXPR_BETWEEN
                         ? arena_printf(q->arena, " and %s", inquiry_value(q, &s->sort->high))
                         : "";

    return arena_printf(q->arena, "no %.*s %s%s%s under %.*s %s", SPAN_ARG(s->sort->attribute),
                        missing[s->sort->op], inquiry_value(q, &s->sort->low), to,
                        SPAN_ARG(s->hash->attribute), inquiry_value(q, &s->hash->low));
}

/* What a condition on the sort key reads, within the partition. */
static struct store_range range_of(const struct search *s, enum expr_op op, const struct attr *to)
{
    struct expr_key_clause clauses[] = {*s->hash, *s->sort};
    const struct expr_key key = {clauses, 2};
    struct store_range range = {.keys_only = true};

    clauses[1].op = op;
    clauses[1].low = to[0];
    if (op == EXPR_BETWEEN)
        clauses[1].high = to[1];
    if (query_key_range(&s->q->call, s->r->table, s->r->index, &key, NULL, &range))
        return (struct store_range){.keys_only = true};
    range.keys_only = true;
    return range;
}

static size_t find_sort(const struct position *p, const struct attr *to, struct attr *found)
{
    const struct search *s = p->data;
    struct store_range range = range_of(s, p->op, to);
    struct attr last;

    *found = to[0];
    if (explain_candidate_is_range(p->op) && !explain_rows_ends(p->q, s->r, &range, found, &last))
        return 0;
    if (p->op == EXPR_LT || p->op == EXPR_LE)
        *found = last;
    return explain_rows_count_range(p->q, &range, COUNTED);
}

/* How many keys begin with the text, up to COUNTED. */
static size_t count_beginning(const struct search *s, struct span text)
{
    struct store_range range = range_of(s, EXPR_BEGINS_WITH,
                                        &(struct attr){.type = ATTR_S, .bytes = text});

    return text.len ? explain_rows_count_range(s->q, &range, COUNTED) : 0;
}

/* "2 begin with", "50 or more begin with" */
static const char *count_words(const struct search *s, size_t count)
{
    return arena_printf(s->q->arena, "%zu%s begin%s with", count, count < COUNTED ? "" : " or more",
                        count == 1 ? "s" : "");
}

/* The first value of the tier that would have found something is the reason. */
static bool offer(struct search *s, enum form_tier tier)
{
    struct inquiry *q = s->q;
    struct candidate c;
    struct span to;

    if (!explain_candidate_find(&s->position, tier, &c))
        return false;
    to = c.to[0].bytes;
    if (s->sort->op == EXPR_BEGINS_WITH)
        inquiry_reason(q, "%s; %s %s%s%s", nothing(s), count_words(s, c.count),
                       inquiry_value(q, &c.to[0]), c.why ? ": " : "", c.why ? c.why : "");
    else if (s->sort->op == EXPR_EQ)
        inquiry_reason(q, "%s; %s", nothing(s), explain_candidate_words(&s->position, &c));
    else if (tier == FORM_PART && to.len > s->sort->low.bytes.len)
        inquiry_reason(q, "%s; keys that begin with %s would fit", nothing(s),
                       inquiry_text(q, (struct span){to.at, to.len - s->sort->low.bytes.len}));
    else
        inquiry_reason(q, "%s%s %s", nothing(s), c.is_sure ? ":" : ";",
                       explain_candidate_words(&s->position, &c));
    explain_candidate_show(&s->position, &c);
    return true;
}

/* --- a beginning where = asks for all of it --------------------------------------------------- */

/* "sk = :s" → "begins_with(sk, :s)" in the request's own words; len 0: it is not there. */
static struct span as_beginning(struct inquiry *q, struct span text, const struct attr *value)
{
    const wire_node *values = wire_get(q->call.body, "ExpressionAttributeValues");
    struct lexer lexer = {GRAMMAR_CONDITION, text};
    struct token name = expr_lex(&lexer), equal = expr_lex(&lexer), token;
    struct buf out = buf_in(q->arena);

    while ((token = expr_lex(&lexer)).kind != TOKEN_END) {
        struct attr to;

        if (token.kind == TOKEN_VALUE && equal.kind == TOKEN_EQ &&
            inquiry_read_attr(q, wire_get_span(values, token.text), &to) &&
            attr_equal(&to, value)) {
            buf_add(&out, text.at, (size_t)(name.text.at - text.at));
            buf_printf(&out, "begins_with(%.*s, %.*s)", SPAN_ARG(name.text), SPAN_ARG(token.text));
            buf_add_span(&out, span_behind(text, token.text));
            break;
        }
        name = equal;
        equal = token;
    }
    return buf_span(&out);
}

static void propose_beginning(struct search *s)
{
    struct inquiry *q = s->q;
    struct span text = wire_text(wire_get(q->call.body, "KeyConditionExpression"));
    struct span mended = text.len ? as_beginning(q, text, &s->sort->low) : text;

    if (mended.len)
        explain_trial_propose_members(
            q,
            (struct trial_member[]){{"KeyConditionExpression", explain_trial_json_text(q, mended)}},
            1);
    else if (wire_get(q->call.body, "Key"))
        explain_key_propose_beginning(q, s->r->table, &s->hash->low, &s->sort->low);
}

static bool only_begins(struct search *s)
{
    struct span start = s->sort->low.bytes;
    bool wild = start.len > 1 && strchr("*%", start.at[start.len - 1]);
    size_t count;

    start.len -= wild;
    if (!(count = count_beginning(s, start)))
        return false;
    if (wild) {
        inquiry_reason(
            s->q, "%s; %s %s: wildcards do not exist, begins_with takes the beginning of a key",
            nothing(s), count_words(s, count), inquiry_text(s->q, start));
        return true;
    }
    inquiry_reason(s->q, "%s; %s it: = takes whole keys, begins_with takes their beginning",
                   nothing(s), count_words(s, count));
    propose_beginning(s);
    return true;
}

/* --- ranges ----------------------------------------------------------------------------------- */

static void say_ends(const struct search *s)
{
    struct inquiry *q = s->q;
    const struct values *there = &s->position.there;
    const struct attr *first = there->at, *last = &there->at[there->len - 1];
    bool before = s->sort->op == EXPR_LT || s->sort->op == EXPR_LE;
    bool behind = s->sort->op == EXPR_GT || s->sort->op == EXPR_GE;

    if (!there->len || first->type == ATTR_B)
        inquiry_reason(q, "%s", nothing(s));
    else if (attr_equal(first, last))
        inquiry_reason(q, "%s; the only one is %s", nothing(s), inquiry_value(q, first));
    else if (before || behind)
        inquiry_reason(q, "%s; the %s is %s", nothing(s), before ? "first" : "last",
                       inquiry_value(q, before ? first : last));
    else
        inquiry_reason(q, "%s; they go from %s to %s", nothing(s), inquiry_value(q, first),
                       inquiry_value(q, last));
}

/* BETWEEN … AND "2026-09-02": keys that only begin so come after it. */
static bool behind_end(struct search *s)
{
    bool between = s->sort->op == EXPR_BETWEEN;
    const struct attr *end = between ? &s->sort->high : &s->sort->low;
    struct attr to = {.type = ATTR_S};
    size_t count;

    if ((!between && s->sort->op != EXPR_LE) || end->type != ATTR_S ||
        !(count = count_beginning(s, end->bytes)))
        return false;
    inquiry_reason(s->q, "%s; %s %s: longer keys follow the shorter one", nothing(s),
                   count_words(s, count), inquiry_value(s->q, end));
    to.bytes = span_of(arena_printf(s->q->arena, "%.*s~", SPAN_ARG(end->bytes)));
    if (!between || !attr_equal(&s->sort->low, end))
        explain_trial_propose_value(s->q, end, &to);
    return true;
}

/* --- all -------------------------------------------------------------------------------------- */

/* How the keys that are there begin, each once: with their first part and its mark. */
struct starts {
    struct span at[STARTS];
    size_t len;
    bool more, parts; /* more than these; keys have several parts */
};

static void collect_starts(const struct search *s, struct starts *out)
{
    const struct values *there = &s->position.there;

    for (size_t i = 0; i < there->len && !out->more; i++) {
        struct span key = there->at[i].bytes, part = explain_rows_segment(key, 0);

        out->parts = out->parts || part.len < key.len;
        part.len += part.len < key.len;
        if (out->len && span_equal(out->at[out->len - 1], part))
            continue;
        out->more = out->len == STARTS;
        if (!out->more)
            out->at[out->len++] = part;
    }
}

/* The keys that begin with a part that what was asked for begins with as well. */
static bool same_start(struct search *s, struct span start)
{
    struct inquiry *q = s->q;
    struct attr begin = {.type = ATTR_S, .bytes = start}, first, last;
    struct store_range range;

    if (!start.len || start.at[start.len - 1] != '#' ||
        !span_starts_with(s->sort->low.bytes, start))
        return false;
    range = range_of(s, EXPR_BEGINS_WITH, &begin);
    if (!explain_rows_ends(q, s->r, &range, &first, &last))
        return false;
    if (attr_equal(&first, &last))
        inquiry_reason(q, "%s; there is %s", nothing(s), inquiry_value(q, &first));
    else
        inquiry_reason(q, "%s; those with %s go from %s to %s", nothing(s), inquiry_text(q, start),
                       inquiry_value(q, &first), inquiry_value(q, &last));
    return true;
}

/* Nothing is near: how the keys begin. */
static void begins(struct search *s)
{
    struct starts starts = {.len = 0};
    struct buf out = buf_in(s->q->arena);

    collect_starts(s, &starts);
    starts.more = starts.more || (!s->position.there.all && starts.len > 1);
    for (size_t i = 0; i < starts.len; i++)
        if (same_start(s, starts.at[i]))
            return;
    if (!starts.parts && (starts.more || starts.len == 1)) {
        say_ends(s);
        return;
    }
    for (size_t i = 0; i < starts.len; i++)
        buf_printf(&out, "%s%s",
                   i == 0                              ? ""
                   : i + 1 < starts.len || starts.more ? ", "
                                                       : " and ",
                   inquiry_text(s->q, starts.at[i]));
    inquiry_reason(s->q, "%s; they %s %s%s", nothing(s), starts.parts ? "begin with" : "are",
                   buf_text(&out), starts.more ? ", …" : "");
}

/* An item of the partition that has what was asked for as another attribute. */
struct holder {
    const struct search *s;
    struct span name;
    struct attr sort;
};

static bool look_for_holder(struct inquiry *q, const struct item *it, void *data)
{
    struct holder *h = data;
    const struct attr *sort = item_find(it, h->s->sort->attribute);

    (void)q;
    for (size_t i = 0; i < it->len && sort; i++) {
        if (!attr_equal(&it->at[i].value, &h->s->sort->low))
            continue;
        h->name = it->at[i].name;
        h->sort = *sort;
        return true;
    }
    return false;
}

static bool is_attribute(struct search *s)
{
    struct inquiry *q = s->q;
    struct store_range range = explain_rows_partition(q, s->r, &s->hash->low);
    struct holder h = {.s = s};

    if (s->sort->op != EXPR_EQ || !explain_rows_find(q, &range, WALKED, look_for_holder, &h))
        return false;
    inquiry_reason(q, "%s: it is the %.*s of the item with %.*s %s", nothing(s), SPAN_ARG(h.name),
                   SPAN_ARG(s->sort->attribute), inquiry_value(q, &h.sort));
    explain_trial_propose_value(q, &s->sort->low, &h.sort);
    return true;
}

/* An item of the table that suits and is in no partition of the index. */
static bool look_outside(struct inquiry *q, const struct item *it, void *data)
{
    const struct search *s = data;
    const struct attr *sort = item_find(it, s->sort->attribute);

    (void)q;
    return sort && explain_rows_fits(s->sort->op, &s->sort->low, sort) &&
           !item_find(it, s->hash->attribute);
}

static bool outside(struct search *s)
{
    struct inquiry *q = s->q;
    const struct rows *r = s->r;
    struct store_range all = explain_rows_all(q, &(struct rows){r->table, NULL});

    if (!r->index || !explain_rows_find(q, &all, OUTSIDE, look_outside, s))
        return false;
    inquiry_reason(q, "%s: items of %.*s whose %.*s %s%s have no %.*s, so %.*s does not have them",
                   nothing(s), SPAN_ARG(r->table->name), SPAN_ARG(s->sort->attribute),
                   missing[s->sort->op], inquiry_value(q, &s->sort->low),
                   SPAN_ARG(s->hash->attribute), SPAN_ARG(r->index->name));
    return true;
}

void explain_sort(struct inquiry *q, const struct rows *r, const struct expr_key_clause *hash,
                  const struct expr_key_clause *sort)
{
    struct search s = {.q = q, .r = r, .hash = hash, .sort = sort};

    if (sort->op > EXPR_BEGINS_WITH || !missing[sort->op])
        return;
    s.position = (struct position){
        .q = q,
        .op = sort->op,
        .asked = {sort->low, sort->high},
        .name = sort->attribute,
        .there = explain_rows_sort_values(q, r, &hash->low, &sort->low, WALKED),
        .find = find_sort,
        .data = &s,
    };
    if (sort->low.type != ATTR_S || explain_candidate_is_range(sort->op)) {
        if (!offer(&s, FORM_SPELLING) && !offer(&s, FORM_PART) && !behind_end(&s))
            say_ends(&s);
        return;
    }
    if (offer(&s, FORM_SPELLING) || offer(&s, FORM_SLIP) ||
        (sort->op == EXPR_EQ && only_begins(&s)) || offer(&s, FORM_PART))
        return;
    if (r->index && span_equal(r->index->keys.hash[0].name, r->table->keys.hash[0].name) &&
        explain_sparse(q, r, &sort->low, &hash->low))
        return;
    if (!offer(&s, FORM_PIECE) && !is_attribute(&s) && !outside(&s))
        begins(&s);
}
