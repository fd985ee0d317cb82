#include "explain/explain_sort.h"

#include "base/ascii.h"
#include "base/fold.h"
#include "explain/explain_form.h"
#include "explain/explain_key.h"
#include "explain/explain_moment.h"
#include "explain/explain_near.h"
#include "explain/explain_sparse.h"
#include "explain/explain_trial.h"
#include "expr/expr_lex.h"
#include "model/key.h"

#define WALKED  500  /* sort keys that are compared */
#define STARTS  6    /* beginnings that are listed */
#define OUTSIDE 1500 /* items of the table that are looked at for an index */
#define COUNTED 50   /* items that are counted */

struct search {
    struct inquiry *q;
    const struct rows *r;
    const struct expr_key_clause *hash, *sort;
    struct span asked;
    struct span_list there; /* sort keys of the partition in order, if those are text: all of them,
                               or the first, the last and those next to what was asked for */
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

static bool fits(const struct search *s, struct span value, struct span there)
{
    return s->sort->op == EXPR_BEGINS_WITH ? span_starts_with(there, value)
                                           : span_equal(there, value);
}

/* How many keys begin with the text, or are the text, up to COUNTED. */
static size_t count_keys(const struct search *s, struct span text, bool begins)
{
    struct attr value = {.type = ATTR_S, .bytes = text};
    struct store_range range = explain_rows_sorted(s->q, s->r, &s->hash->low, &value, begins);

    return text.len ? explain_rows_count_range(s->q, &range, COUNTED) : 0;
}

/* "2 begin with", "50 or more begin with" */
static const char *count_words(const struct search *s, size_t count)
{
    return arena_printf(s->q->arena, "%zu%s begin%s with", count, count < COUNTED ? "" : " or more",
                        count == 1 ? "s" : "");
}

/* The reason, where this value would have found something. */
static bool offer(struct search *s, struct span value, const char *why)
{
    struct inquiry *q = s->q;
    struct attr to = {.type = ATTR_S, .bytes = value};
    bool begins = s->sort->op == EXPR_BEGINS_WITH;
    size_t count = span_equal(value, s->asked) ? 0 : count_keys(s, value, begins);

    if (!count)
        return false;
    inquiry_reason(q, "%s; %s %s%s%s", nothing(s), begins ? count_words(s, count) : "there is",
                   inquiry_text(q, value), why ? ": " : "", why ? why : "");
    explain_near_show(q, s->asked, value);
    explain_trial_propose_value(q, &s->sort->low, &to);
    return true;
}

/* --- equality and beginnings ------------------------------------------------------------------ */

static struct span cut(const struct search *s, struct span there)
{
    size_t len = s->sort->op == EXPR_BEGINS_WITH && there.len > s->asked.len ? s->asked.len
                                                                             : there.len;

    return (struct span){there.at, len};
}

/* What looks the same as what was asked for: all of it, or its beginning; at NULL: nothing does. */
static struct span look_alike(const struct search *s, struct span there)
{
    size_t len = there.len;
    bool same = s->sort->op == EXPR_BEGINS_WITH ? fold_begins(there, s->asked, &len)
                                                : explain_near_same(there, s->asked);

    return (struct span){same ? there.at : NULL, len};
}

/* A number for a date, or the other way round. */
static bool other_moment_there(struct search *s)
{
    const struct attr first = {.type = ATTR_S, .bytes = s->there.at[0]};
    struct attr to;
    const char *why = explain_moment_mend(s->q, explain_moment_named(s->q, s->sort->attribute),
                                          &s->sort->low, &first, &to);

    return why && offer(s, to.bytes, why);
}

static bool other_spelling(struct search *s)
{
    struct form forms[EXPLAIN_FORMS];
    size_t count = explain_form_of_text(s->q, s->asked, forms);

    for (size_t i = 0; i < s->there.len; i++) {
        struct span there = look_alike(s, s->there.at[i]);

        if (there.at && offer(s, there, explain_near_words(s->asked, there)))
            return true;
    }
    for (size_t i = 0; i < count; i++)
        if (offer(s, forms[i].value, forms[i].why))
            return true;
    return s->there.len && other_moment_there(s);
}

/* What was asked for, or its last part, is further behind in a key. */
static bool further_behind(struct search *s)
{
    size_t parts = explain_rows_segments(s->asked);
    struct span last = explain_rows_segment(s->asked, parts - 1);
    bool prefix = s->sort->op == EXPR_BEGINS_WITH;

    if (last.len < 2)
        return false;
    for (size_t i = 0; i < s->there.len && inquiry_has_time(s->q); i++) {
        struct span key = s->there.at[i];

        for (size_t at = 1; at < key.len; at++) { /* behind each mark */
            size_t end = at + last.len;

            if (key.at[at - 1] == '#' && span_starts_with(span_from(key, at), last) &&
                (prefix || end == key.len) && offer(s, (struct span){key.at, end}, NULL))
                return true;
        }
    }
    return false;
}

/* A part in front that keys do not have. */
static bool part_too_many(struct search *s)
{
    for (size_t i = 0; i < s->asked.len; i++)
        if (s->asked.at[i] == '#' && inquiry_has_time(s->q) &&
            offer(s, span_from(s->asked, i + 1), NULL))
            return true;
    return false;
}

static bool offer_best(struct search *s, const struct near_best *best)
{
    if (!best->len || !offer(s, best->at[0], NULL))
        return false;
    explain_near_also(s->q, best);
    return true;
}

static bool is_of_word(char c)
{
    return ascii_is_letter(c) || ascii_is_digit(c);
}

/* With a part more or less than what was asked for. Of a prefix, each beginning of the key counts
 * that ends with a part and is not just a shorter one of what was asked for. */
static void consider_pieces(struct search *s, struct near_best *best, struct span there)
{
    bool prefix = s->sort->op == EXPR_BEGINS_WITH;

    for (size_t len = prefix ? 1 : there.len; len <= there.len; len++) {
        struct span start = {there.at, len};
        bool ends = len == there.len || !is_of_word(there.at[len]) ||
                    !is_of_word(there.at[len - 1]);

        if (ends && !(prefix && span_starts_with(s->asked, start)))
            explain_near_consider_piece(s->q, best, s->asked, start);
    }
}

static bool typos(struct search *s)
{
    struct near_best best = {.len = 0};

    for (size_t i = 0; i < s->there.len && inquiry_has_time(s->q); i++)
        explain_near_consider(s->q, &best, s->asked, cut(s, s->there.at[i]));
    return offer_best(s, &best);
}

static bool pieces(struct search *s)
{
    struct near_best best = {.len = 0};

    for (size_t i = 0; i < s->there.len && inquiry_has_time(s->q); i++)
        consider_pieces(s, &best, s->there.at[i]);
    return best.seen <= EXPLAIN_NEAR_BEST && offer_best(s, &best); /* more: a common part */
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
    struct span start = s->asked;
    size_t count;
    bool wild = start.len > 1 && strchr("*%", start.at[start.len - 1]);

    start.len -= wild;
    if (s->sort->op != EXPR_EQ || !start.len)
        return false;
    if (!(count = count_keys(s, start, true)))
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

/* Moments in another form than those that are there: milliseconds for seconds, numbers for dates.
 */
static bool other_moment(struct search *s, const struct attr *first)
{
    struct inquiry *q = s->q;
    const struct attr from[2] = {s->sort->low, s->sort->high};
    size_t count = s->sort->op == EXPR_BETWEEN ? 2 : 1;
    bool named = explain_moment_named(q, s->sort->attribute);
    const char *why = NULL;
    struct attr to[2];

    for (size_t i = 0; i < count; i++) {
        const char *how = explain_moment_mend(q, named, &from[i], first, &to[i]);

        if (!how)
            return false;
        why = why ? why : how;
    }
    inquiry_reason(q, "%s: %s", nothing(s), why);
    (void)explain_trial_propose(q, q->call.op->name, explain_trial_with_values(q, from, to, count),
                                &q->proposal);
    return true;
}

static void say_ends(struct search *s)
{
    struct inquiry *q = s->q;
    struct span first = s->there.at[0], last = s->there.at[s->there.len - 1];

    if (span_equal(first, last))
        inquiry_reason(q, "%s; the only one is %s", nothing(s), inquiry_text(q, first));
    else
        inquiry_reason(q, "%s; they go from %s to %s", nothing(s), inquiry_text(q, first),
                       inquiry_text(q, last));
}

/* The part with its mark that keys begin with and what was asked for does not: that of all of
 * them, or of the first behind which the range has something. */
static struct span missing_start(const struct search *s, bool *all)
{
    struct span first = s->there.at[0], found = {"", 0};
    struct span start = {first.at, explain_rows_segment(first, 0).len + 1};

    *all = start.len <= first.len && !span_starts_with(s->asked, start);
    for (size_t i = 0; i < s->there.len; i++) {
        struct span key = s->there.at[i];
        struct span own = {key.at, explain_rows_segment(key, 0).len + 1};

        *all = *all && span_starts_with(key, start);
        if (own.len <= key.len && span_starts_with(s->asked, own))
            return (struct span){"", 0}; /* it has a part that keys begin with */
        if (!found.len && own.len <= key.len && !span_starts_with(s->asked, own) &&
            explain_rows_fits(s->sort,
                              &(struct attr){.type = ATTR_S, .bytes = span_from(key, own.len)}))
            found = own;
    }
    return *all ? start : found;
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
    bool all;
    struct span start = missing_start(s, &all);
    struct attr from[2], to[2];
    size_t count = s->sort->op == EXPR_BETWEEN ? 2 : 1;

    if (!start.len)
        return false;
    from[0] = s->sort->low;
    from[1] = s->sort->high;
    for (size_t i = 0; i < count; i++)
        to[i] = behind(q, start, &from[i]);
    if (all)
        inquiry_reason(q, "%s: they begin with %s", nothing(s), inquiry_text(q, start));
    else
        inquiry_reason(q, "%s; keys that begin with %s would fit", nothing(s),
                       inquiry_text(q, start));
    (void)explain_trial_propose(q, q->call.op->name, explain_trial_with_values(q, from, to, count),
                                &q->proposal);
    return true;
}

/* BETWEEN … AND "2026-09-02": keys that only begin so come after it. */
static bool behind_end(struct search *s)
{
    bool between = s->sort->op == EXPR_BETWEEN;
    const struct attr *end = between ? &s->sort->high : &s->sort->low;
    struct attr to = {.type = ATTR_S};
    size_t count;

    if ((!between && s->sort->op != EXPR_LE) || !end->bytes.len)
        return false;
    if (!(count = count_keys(s, end->bytes, true)))
        return false;
    inquiry_reason(s->q, "%s; %s %s: longer keys follow the shorter one", nothing(s),
                   count_words(s, count), inquiry_value(s->q, end));
    to.bytes = span_of(arena_printf(s->q->arena, "%.*s~", SPAN_ARG(end->bytes)));
    if (!between || !attr_equal(&s->sort->low, end))
        explain_trial_propose_value(s->q, end, &to);
    return true;
}

static void range(struct search *s)
{
    struct inquiry *q = s->q;
    struct span first = s->there.at[0], last = s->there.at[s->there.len - 1];
    bool before = s->sort->op == EXPR_LT || s->sort->op == EXPR_LE;

    if (other_moment(s, &(struct attr){.type = ATTR_S, .bytes = first}) || without_start(s) ||
        behind_end(s))
        return;
    if (s->sort->op == EXPR_BETWEEN)
        say_ends(s);
    else
        inquiry_reason(q, "%s; the %s is %s", nothing(s), before ? "first" : "last",
                       inquiry_text(q, before ? first : last));
}

/* --- numbers ---------------------------------------------------------------------------------- */

static void number(struct search *s)
{
    struct inquiry *q = s->q;
    struct store_range range = explain_rows_partition(q, s->r, &s->hash->low);
    struct attr first, last;
    bool above = s->sort->op == EXPR_GT || s->sort->op == EXPR_GE;
    bool below = s->sort->op == EXPR_LT || s->sort->op == EXPR_LE;

    if (!explain_rows_ends(q, s->r, &range, &first, &last) || first.type != ATTR_N)
        inquiry_reason(q, "%s", nothing(s));
    else if (other_moment(s, &first))
        return;
    else if (attr_equal(&first, &last))
        inquiry_reason(q, "%s; the only one is %s", nothing(s), inquiry_value(q, &first));
    else if (above || below)
        inquiry_reason(q, "%s; the %s is %s", nothing(s), above ? "last" : "first",
                       inquiry_value(q, above ? &last : &first));
    else
        inquiry_reason(q, "%s; they go from %s to %s", nothing(s), inquiry_value(q, &first),
                       inquiry_value(q, &last));
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
    for (size_t i = 0; i < s->there.len && !out->more; i++) {
        struct span key = s->there.at[i], part = explain_rows_segment(key, 0);

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

    if (!start.len || start.at[start.len - 1] != '#' || !span_starts_with(s->asked, start))
        return false;
    range = explain_rows_sorted(q, s->r, &s->hash->low, &begin, true);
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
    starts.more = starts.more || (!s->there.all && starts.len > 1);
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
    return sort && sort->type == ATTR_S && fits(s, s->asked, sort->bytes) &&
           !item_find(it, s->hash->attribute);
}

static bool outside(struct search *s)
{
    struct inquiry *q = s->q;
    const struct rows *r = s->r;
    struct buf low = buf_in(q->arena), high = buf_in(q->arena);

    if (!r->index)
        return false;
    key_of_space(&low, r->table->space);
    key_of_space(&high, r->table->space + 1);
    if (!explain_rows_find(q, &(struct store_range){.low = buf_span(&low), .high = buf_span(&high)},
                           OUTSIDE, look_outside, s))
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
    struct search s = {.q = q, .r = r, .hash = hash, .sort = sort, .asked = sort->low.bytes};

    if (sort->op > EXPR_BEGINS_WITH || !missing[sort->op])
        return;
    s.there = explain_rows_sort_values(q, r, &hash->low, &sort->low, WALKED);
    if (!s.there.len || sort->low.type != ATTR_S) {
        number(&s);
        return;
    }
    if (sort->op != EXPR_EQ && sort->op != EXPR_BEGINS_WITH) {
        range(&s);
        return;
    }
    if (other_spelling(&s) || typos(&s) || only_begins(&s) || further_behind(&s) ||
        part_too_many(&s))
        return;
    if (r->index && span_equal(r->index->keys.hash[0].name, r->table->keys.hash[0].name) &&
        explain_sparse(q, r, &sort->low, &hash->low))
        return;
    if (!pieces(&s) && !is_attribute(&s) && !outside(&s))
        begins(&s);
}
