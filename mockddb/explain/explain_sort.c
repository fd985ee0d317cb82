#include "explain/explain_sort.h"

#include "explain/explain_near.h"
#include "explain/explain_sparse.h"
#include "explain/explain_trial.h"

#define WALKED 500 /* sort keys that are compared */
#define STARTS 4   /* beginnings that are listed */

struct search {
    struct inquiry *q;
    const struct rows *r;
    const struct expr_key_clause *hash, *sort;
    struct span asked;
    size_t count;           /* of items in the partition, up to WALKED */
    struct span_list there; /* their sort keys in order, if those are text */
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

    return arena_printf(q->arena, "no %.*s %s%s%s among the %s with %.*s %s",
                        SPAN_ARG(s->sort->attribute), missing[s->sort->op],
                        inquiry_value(q, &s->sort->low), to,
                        s->count < WALKED ? inquiry_count(q, s->count, "item") : "first items",
                        SPAN_ARG(s->hash->attribute), inquiry_value(q, &s->hash->low));
}

static bool fits(const struct search *s, struct span value, struct span there)
{
    return s->sort->op == EXPR_BEGINS_WITH ? span_starts_with(there, value)
                                           : span_equal(there, value);
}

static size_t count_fitting(const struct search *s, struct span value)
{
    size_t count = 0;

    for (size_t i = 0; i < s->there.len; i++)
        count += fits(s, value, s->there.at[i]);
    return count;
}

/* The reason, where this value would have found something. */
static bool offer(struct search *s, struct span value, const char *why)
{
    struct inquiry *q = s->q;
    struct attr to = {.type = ATTR_S, .bytes = value};
    size_t count = value.len && !span_equal(value, s->asked) ? count_fitting(s, value) : 0;

    if (!count)
        return false;
    if (s->sort->op == EXPR_BEGINS_WITH)
        inquiry_reason(q, "%s; %zu begin%s with %s%s%s", nothing(s), count, count == 1 ? "s" : "",
                       inquiry_text(q, value), why ? ": " : "", why ? why : "");
    else
        inquiry_reason(q, "%s; there is %s%s%s", nothing(s), inquiry_text(q, value),
                       why ? ": " : "", why ? why : "");
    explain_near_show(q, s->asked, value);
    (void)explain_trial_propose(q, q->call.op->name,
                                explain_trial_with_value(q, &s->sort->low, &to), &q->proposal);
    return true;
}

/* --- equality and beginnings ------------------------------------------------------------------ */

static struct span cut(const struct search *s, struct span there)
{
    size_t len = s->sort->op == EXPR_BEGINS_WITH && there.len > s->asked.len ? s->asked.len
                                                                             : there.len;

    return (struct span){there.at, len};
}

static bool other_spelling(struct search *s)
{
    for (size_t i = 0; i < s->there.len; i++) {
        struct span there = cut(s, s->there.at[i]);

        if (explain_near_same(there, s->asked) &&
            offer(s, there, explain_near_words(s->asked, there)))
            return true;
    }
    return false;
}

/* What was asked for, or its last part, stands further behind in a key. */
static bool further_behind(struct search *s)
{
    size_t parts = explain_rows_segments(s->asked);
    struct span last = explain_rows_segment(s->asked, parts - 1);
    bool prefix = s->sort->op == EXPR_BEGINS_WITH;

    if (last.len < 2)
        return false;
    for (size_t i = 0; i < s->there.len; i++) {
        struct span key = s->there.at[i];

        for (size_t n = 1; n < explain_rows_segments(key); n++) {
            struct span part = explain_rows_segment(key, n);
            size_t end = (size_t)(part.at - key.at) + last.len;

            if (span_starts_with(part, last) && (prefix || end == key.len) &&
                offer(s, (struct span){key.at, end}, NULL))
                return true;
        }
    }
    return false;
}

/* A part in front that keys do not have. */
static bool part_too_many(struct search *s)
{
    for (size_t i = 0; i < s->asked.len; i++)
        if (s->asked.at[i] == '#' && offer(s, span_from(s->asked, i + 1), NULL))
            return true;
    return false;
}

static bool nearest(struct search *s)
{
    struct near_best best = {.len = 0};

    for (size_t i = 0; i < s->there.len; i++)
        explain_near_consider(s->q, &best, s->asked, cut(s, s->there.at[i]));
    if (!best.len || !offer(s, best.at[0], NULL))
        return false;
    for (size_t i = 1; i < best.len; i++)
        inquiry_line(s->q, "also near: %s", inquiry_text(s->q, best.at[i]));
    return true;
}

/* --- ranges ----------------------------------------------------------------------------------- */

/* The part with its mark that all keys begin with, and what was asked for does not. */
static struct span common_start(const struct search *s)
{
    struct span first = s->there.at[0];
    struct span start = {first.at, explain_rows_segment(first, 0).len + 1};

    if (start.len > first.len || span_starts_with(s->asked, start))
        return (struct span){"", 0};
    for (size_t i = 1; i < s->there.len; i++)
        if (!span_starts_with(s->there.at[i], start))
            return (struct span){"", 0};
    return start;
}

static struct attr behind(struct inquiry *q, struct span start, const struct attr *value)
{
    struct buf out = buf_in(q->arena);

    buf_add_span(&out, start);
    buf_add_span(&out, value->bytes);
    return (struct attr){.type = ATTR_S, .bytes = buf_span(&out)};
}

static bool without_start(struct search *s)
{
    struct inquiry *q = s->q;
    struct span start = common_start(s);
    struct attr from[2], to[2];
    size_t count = s->sort->op == EXPR_BETWEEN ? 2 : 1;

    if (!start.len)
        return false;
    from[0] = s->sort->low;
    from[1] = s->sort->high;
    for (size_t i = 0; i < count; i++)
        to[i] = behind(q, start, &from[i]);
    inquiry_reason(q, "%s: they begin with %s", nothing(s), inquiry_text(q, start));
    (void)explain_trial_propose(q, q->call.op->name, explain_trial_with_values(q, from, to, count),
                                &q->proposal);
    return true;
}

static void range(struct search *s)
{
    struct inquiry *q = s->q;
    struct span first = s->there.at[0], last = s->there.at[s->there.len - 1];
    bool before = s->sort->op == EXPR_LT || s->sort->op == EXPR_LE;

    if (without_start(s))
        return;
    if (s->sort->op == EXPR_BETWEEN)
        inquiry_reason(q, "%s; they go from %s to %s", nothing(s), inquiry_text(q, first),
                       inquiry_text(q, last));
    else
        inquiry_reason(q, "%s; the %s is %s", nothing(s), before ? "first" : "last",
                       inquiry_text(q, before ? first : last));
}

/* --- all -------------------------------------------------------------------------------------- */

/* How the keys that are there begin: up to the first mark, each once. */
static void begins(struct search *s)
{
    struct span starts[STARTS];
    size_t len = 0;
    struct buf out = buf_in(s->q->arena);

    for (size_t i = 0; i < s->there.len && len < STARTS; i++) {
        struct span key = s->there.at[i], part = explain_rows_segment(key, 0);

        if (part.len < key.len)
            part.len++;
        if (!len || !span_equal(starts[len - 1], part))
            starts[len++] = part;
    }
    for (size_t i = 0; i < len; i++)
        buf_printf(&out, "%s%s",
                   i == 0        ? ""
                   : i + 1 < len ? ", "
                                 : " and ",
                   inquiry_text(s->q, starts[i]));
    inquiry_reason(s->q, "%s; they begin with %s", nothing(s), buf_text(&out));
}

void explain_sort(struct inquiry *q, const struct rows *r, const struct expr_key_clause *hash,
                  const struct expr_key_clause *sort)
{
    struct search s = {.q = q, .r = r, .hash = hash, .sort = sort, .asked = sort->low.bytes};

    if (sort->op > EXPR_BEGINS_WITH || !missing[sort->op])
        return;
    s.there = explain_rows_sort_values(q, r, &hash->low, WALKED);
    s.count = s.there.len ? s.there.len : explain_rows_count(q, r, &hash->low, WALKED);
    if (!s.there.len || sort->low.type != ATTR_S) {
        inquiry_reason(q, "%s", nothing(&s));
        return;
    }
    if (sort->op != EXPR_EQ && sort->op != EXPR_BEGINS_WITH) {
        range(&s);
        return;
    }
    if (other_spelling(&s) || further_behind(&s) || part_too_many(&s))
        return;
    if (r->index && span_equal(r->index->keys.hash[0].name, r->table->keys.hash[0].name) &&
        explain_sparse(q, r, &sort->low, &hash->low))
        return;
    if (nearest(&s))
        return;
    begins(&s);
}
