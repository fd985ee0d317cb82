#include "explain/explain_candidate.h"

#include "base/ascii.h"
#include "base/search.h"
#include "explain/explain_trial.h"
#include "explain/say.h"

#define LIKES 24                 /* stored values whose form is tried */
#define LONG  ((size_t)16 << 10) /* longer texts take too long to be searched for each form */

bool explain_candidate_is_range(enum expr_op op)
{
    return op == EXPR_LT || op == EXPR_LE || op == EXPR_GT || op == EXPR_GE || op == EXPR_BETWEEN;
}

/* --- trying ----------------------------------------------------------------------------------- */

/* Whether a value in a new range is there by more than chance: it begins as the new end does, up to
 * where that differs from the old one, and behind what was put in front of that. */
static bool is_evident(const struct attr *asked, const struct attr *to, const struct attr *found)
{
    struct span a = asked->bytes, b = to->bytes, c = found->bytes;
    size_t same = 0, shared = 0, front = b.len > a.len ? b.len - a.len : 0;

    if (to->type != ATTR_S || found->type != ATTR_S || span_equal(a, b))
        return false;
    while (same < a.len && same < b.len && a.at[same] == b.at[same])
        same++;
    while (shared < b.len && shared < c.len && b.at[shared] == c.at[shared])
        shared++;
    return shared > same && shared >= (front ? front + 4 : 3);
}

/* Whether to[0] (and to[1]) finds something, or says enough without that. */
static bool try_values(const struct position *p, struct candidate *out)
{
    bool is_range = explain_candidate_is_range(p->op);
    size_t ends = p->op == EXPR_BETWEEN ? 2 : 1, evident = 0;

    if (out->to[0].type <= ATTR_B && !out->to[0].bytes.len)
        return false;
    out->count = p->find(p, out->to, &out->found);
    for (size_t i = 0; i < ends && is_range && out->count; i++)
        evident += is_evident(&p->asked[i], &out->to[i], &out->found);
    return out->is_sure || (out->count && (evident || !is_range));
}

static enum form_use use_of(enum expr_op op)
{
    return explain_candidate_is_range(op) ? FORM_RANGE
           : op == EXPR_BEGINS_WITH       ? FORM_START
           : op == EXPR_CONTAINS          ? FORM_INSIDE
                                          : FORM_EQUAL;
}

static struct form form_of(const struct position *p, size_t end, const struct attr *like)
{
    return (struct form){.q = p->q,
                         .asked = &p->asked[end],
                         .there = &p->there,
                         .like = like,
                         .use = use_of(p->op),
                         .name = p->name,
                         .out = p->asked[end]};
}

/* One value of a row; *more is false behind its last. */
static bool try_form(const struct position *p, const struct form_row *row, const struct attr *like,
                     unsigned n, bool *more, struct candidate *out)
{
    size_t ends = p->op == EXPR_BETWEEN ? 2 : 1;
    bool changed = false;

    *out = (struct candidate){.tier = row->tier};
    for (size_t i = 0; i < ends; i++) {
        struct form f = form_of(p, i, like);
        bool made;

        f.why = row->why;
        made = row->make(&f, n);
        if (!i)
            *more = made;
        if (made && !attr_equal(&f.out, &p->asked[i])) {
            out->why = changed ? out->why : f.why;
            changed = true;
        }
        out->to[i] = f.out;
    }
    arena_charge(p->q->arena, 1);
    out->is_sure = row->use & FORM_SURE &&
                   (out->to[0].type != p->asked[0].type || use_of(p->op) == FORM_RANGE);
    return changed && try_values(p, out);
}

/* --- all -------------------------------------------------------------------------------------- */

/* A few stored values show a form; of the others those count that have the last part asked for. */
static bool is_worth_trying(const struct position *p, const struct form_row *row, size_t k)
{
    struct span asked = p->asked[0].bytes;
    size_t looked = 0;

    if (k < LIKES || (row->tier == FORM_SPELLING && !(row->use & FORM_SURE)))
        return true;
    return row->tier == FORM_PART && p->there.at[k].type == ATTR_S &&
           search_contains(p->there.at[k].bytes,
                           explain_rows_segment(asked, explain_rows_segments(asked) - 1), &looked);
}

static bool try_row(const struct position *p, const struct form_row *row, struct candidate *out)
{
    static const struct attr none;
    size_t likes = (row->use & FORM_LIKE) ? p->there.len : 1;

    for (size_t k = 0; k < likes; k++) {
        bool more = is_worth_trying(p, row, k) && inquiry_has_time(p->q);

        for (unsigned n = 0; more; n++)
            if (try_form(p, row, (row->use & FORM_LIKE) ? &p->there.at[k] : &none, n, &more, out))
                return true;
    }
    return false;
}

/* The nearest of all stored texts. */
static bool try_nearest(const struct position *p, const struct form_row *row, struct candidate *out)
{
    struct near_best best = {.len = 0};

    for (size_t i = 0; i < p->there.len && inquiry_has_time(p->q); i++) {
        struct form f = form_of(p, 0, &p->there.at[i]);

        if (f.like->type == ATTR_S)
            row->near(&f, &best);
    }
    if (!best.len ||
        (row->tier == FORM_PIECE && best.seen > EXPLAIN_NEAR_BEST) || /* a common part */
        !explain_candidate_try(p, best.at[0], NULL, out))
        return false;
    out->tier = row->tier;
    out->best = best;
    return true;
}

bool explain_candidate_find(const struct position *p, enum form_tier tier, struct candidate *out)
{
    for (size_t i = 0; i < explain_form_count; i++) {
        const struct form_row *row = &explain_form_rows[i];

        if (row->tier == tier && (row->types & 1u << p->asked[0].type) &&
            (row->use & use_of(p->op)) &&
            (row->near ? try_nearest(p, row, out) : try_row(p, row, out)))
            return true;
    }
    *out = (struct candidate){.why = NULL};
    return false;
}

bool explain_candidate_any(const struct position *p, struct candidate *out)
{
    for (enum form_tier tier = FORM_SPELLING; tier < FORM_TIERS; tier++)
        if (explain_candidate_find(p, tier, out))
            return true;
    return false;
}

bool explain_candidate_try(const struct position *p, struct span text, const char *why,
                           struct candidate *out)
{
    *out = (struct candidate){.to = {p->asked[0], p->asked[1]}, .why = why};
    out->to[0].bytes = text;
    return !attr_equal(&out->to[0], &p->asked[0]) && try_values(p, out);
}

size_t explain_candidate_among(const struct position *p, const struct attr *to, struct attr *found)
{
    size_t count = 0;

    for (size_t i = 0; i < p->there.len; i++) {
        const struct attr *value = &p->there.at[i];
        bool is_long = p->op == EXPR_CONTAINS && value->type <= ATTR_B && value->bytes.len > LONG;

        if (!is_long && explain_rows_fits(p->op, to, value) && !count++)
            *found = *value;
    }
    return count;
}

/* --- words ------------------------------------------------------------------------------------ */

const char *explain_candidate_words(const struct position *p, const struct candidate *c)
{
    return c->is_sure && c->why
               ? c->why
               : say_text(p->q, "there is %%",
                          explain_candidate_is_range(p->op) ? &c->found : &c->to[0],
                          say_behind(p->q, ": ", c->why));
}

/* What values have in common, and the first different ones. */
struct overview {
    const struct attr *least, *most;
    struct values first, alike, starts; /* alike: with the first part that was asked for */
    size_t random;                      /* ids made by chance */
};

static struct overview overview_of(const struct position *p, size_t limit)
{
    struct overview o = {.least = p->there.at, .most = p->there.at};
    bool is_text = p->asked[0].type == ATTR_S;
    struct span own = is_text ? explain_rows_start(p->asked[0].bytes) : SPAN_LIT("");

    for (size_t i = 0; i < p->there.len; i++) {
        const struct attr *value = &p->there.at[i];
        struct attr start = *value;

        explain_rows_note(p->q, &o.first, limit + 1, value);
        if (value->type == o.least->type && value->type <= ATTR_B) {
            o.least = attr_compare(value, o.least) < 0 ? value : o.least;
            o.most = attr_compare(value, o.most) > 0 ? value : o.most;
        }
        if (value->type != ATTR_S)
            continue;
        o.random += explain_near_is_random(value->bytes);
        if (own.len && span_starts_with(value->bytes, own))
            explain_rows_note(p->q, &o.alike, limit + 1, value);
        start.bytes = explain_rows_start(value->bytes);
        if (start.bytes.len)
            explain_rows_note(p->q, &o.starts, limit + 1, &start);
    }
    return o;
}

static struct word list_words(const struct position *p, const struct values *list, size_t limit,
                              const char *last)
{
    return say_values(list->at, list->len < limit ? list->len : limit, last,
                      list->len > limit || !p->there.all);
}

/* The order of two texts, if numbers in them count as numbers: below 0, "v9" and "v10". */
static int order_by_number(struct span a, struct span b)
{
    size_t i = 0, less, ends[2] = {0};
    struct span rest[2];

    while (i < a.len && i < b.len && a.at[i] == b.at[i])
        i++;
    while (i && ascii_is_digit(a.at[i - 1]))
        i--;
    while (i + ends[0] < a.len && ascii_is_digit(a.at[i + ends[0]]))
        ends[0]++;
    while (i + ends[1] < b.len && ascii_is_digit(b.at[i + ends[1]]))
        ends[1]++;
    rest[0] = span_from(a, i + ends[0]);
    rest[1] = span_from(b, i + ends[1]);
    less = ends[0] < ends[1] ? 0 : 1;
    if (!ends[less] || ends[0] == ends[1] || a.at[i] == '0' || b.at[i] == '0' ||
        (ends[less] > 3 && ends[!less] > ends[less] + 1) || !rest[0].len != !rest[1].len ||
        (rest[0].len && *rest[0].at != *rest[1].at)) /* a date, and a day */
        return 0;
    return less ? 1 : -1;
}

/* A stored text that would be in the range if numbers in texts counted as numbers. */
static const struct attr *fits_by_number(const struct position *p)
{
    bool below = p->op == EXPR_LT || p->op == EXPR_LE;
    struct span asked = p->asked[0].bytes;

    for (size_t i = 0; i < p->there.len && p->asked[0].type == ATTR_S; i++) {
        const struct attr *value = &p->there.at[i];
        int order = value->type == ATTR_S ? order_by_number(asked, value->bytes) : 0;

        if (p->op == EXPR_BETWEEN && order < 0)
            order = order_by_number(p->asked[1].bytes, value->bytes) > 0 ? -1 : 0;
        if (((order < 0 && !below) || (order > 0 && below)) &&
            !explain_rows_fits(p->op, p->asked, value) && !explain_near_is_random(asked))
            return value;
    }
    return NULL;
}

static const char *stored_words(const struct position *p, const char *subject)
{
    struct inquiry *q = p->q;
    const struct attr *asked = &p->asked[0], *there = p->there.at;
    size_t limit = subject ? 3 : 6;
    struct overview o = overview_of(p, limit);
    bool is_range = explain_candidate_is_range(p->op), is_long = o.first.len > limit;
    bool before = p->op == EXPR_LT || p->op == EXPR_LE, is_text;

    if (!p->there.len || there->type == ATTR_B)
        return NULL;
    is_text = there->type == ATTR_S;
    if (o.random == p->there.len && !is_range)
        return asked->type == ATTR_S && explain_near_is_random(asked->bytes)
                   ? NULL
                   : say_text(q, "the stored ones look like %", there);
    if (!subject && o.first.len == 1)
        return say_text(q, "the only one is %", o.least);
    if (!subject && is_range && p->op != EXPR_BETWEEN)
        return say_text(q, "the % is %", before ? "first" : "last", before ? o.least : o.most);
    if (is_range ? !subject || is_long
                 : !subject && p->is_ordered && (!is_text || (is_long && !o.starts.len)))
        return say_text(q, "% from % to %", subject ? say_text(q, "% goes", subject) : "they go",
                        o.least, o.most);
    if (o.alike.len)
        return say_text(q, "with % there is %", say_quoted(explain_rows_start(asked->bytes)),
                        list_words(p, &o.alike, limit, " or "));
    if (o.starts.len && (is_long || !subject))
        return say_text(q, "they begin with %%", list_words(p, &o.starts, limit, " and "),
                        subject ? say_text(q, ", such as %", there) : "");
    return say_text(q, "% %", subject ? say_text(q, "% is", subject) : "they are",
                    list_words(p, &o.first, limit, subject ? " or " : " and "));
}

const char *explain_candidate_stored(const struct position *p, const char *subject)
{
    const char *words = stored_words(p, subject);
    const struct attr *other = explain_candidate_is_range(p->op) ? fits_by_number(p) : NULL;
    const struct attr *end =
        &p->asked[p->op == EXPR_BETWEEN && other && attr_compare(other, &p->asked[0]) > 0];

    return words && other ? say_text(p->q, "%: texts compare sign by sign, and % comes % %", words,
                                     other, attr_compare(other, end) < 0 ? "before" : "after", end)
                          : words;
}

void explain_candidate_propose(const struct position *p, const struct candidate *c)
{
    explain_trial_propose_values(p->q, p->asked, c->to, p->op == EXPR_BETWEEN ? 2 : 1);
}

void explain_candidate_show(const struct position *p, const struct candidate *c)
{
    if (p->asked[0].type == ATTR_S && c->to[0].type == ATTR_S && !explain_candidate_is_range(p->op))
        explain_near_show(p->q, p->asked[0].bytes, c->to[0].bytes);
    for (size_t i = 1; i < c->best.len; i++)
        say_line(p->q, "also near: %", say_quoted(c->best.at[i]));
    explain_candidate_propose(p, c);
}
