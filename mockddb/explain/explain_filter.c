#include "explain/explain_filter.h"

#include "explain/explain_near.h"
#include "explain/explain_rows.h"
#include "explain/explain_statement.h"
#include "explain/explain_trial.h"
#include "expr/expr_print.h"

#include <inttypes.h>

#define LOOKED_AT 300 /* items */
#define VALUES    3   /* that are shown */

/* What the items have where a part of the filter looks. */
struct survey {
    const struct read_page *page;
    struct expr_comparison asked;
    size_t items, have; /* looked at; of them, those that have the attribute */
    const struct attr *sample;
    struct attr values[VALUES]; /* different ones */
    size_t value_count;
    bool more_values;
    const struct attr *same; /* that explain_near_same the value asked for */
    struct span name;        /* of an attribute that is called nearly the same */
};

static void note_value(struct survey *s, const struct attr *value)
{
    for (size_t i = 0; i < s->value_count; i++)
        if (attr_equal(&s->values[i], value))
            return;
    if (s->value_count < VALUES)
        s->values[s->value_count++] = *value;
    else
        s->more_values = true;
}

/* jobType for job_type */
static bool is_name_near(struct inquiry *q, struct span a, struct span b)
{
    struct buf one = buf_in(q->arena), two = buf_in(q->arena);

    for (size_t i = 0; i < a.len; i++)
        if (a.at[i] != '_' && a.at[i] != '-')
            buf_add_char(&one, a.at[i]);
    for (size_t i = 0; i < b.len; i++)
        if (b.at[i] != '_' && b.at[i] != '-')
            buf_add_char(&two, b.at[i]);
    if (explain_near_same(buf_span(&one), buf_span(&two)))
        return true;
    return explain_near_distance(q, a, b, 2) <= explain_near_threshold(a) &&
           explain_near_threshold(a) > 0;
}

static bool look(struct inquiry *q, const struct item *it, void *data)
{
    struct survey *s = data;
    struct span first = s->asked.path->at[0].name;
    const struct attr *value = path_find(it, s->asked.path);
    struct attr *kept;

    s->items++;
    for (size_t i = 0; !value && !s->name.at && i < it->len; i++)
        if (is_name_near(q, first, it->at[i].name))
            s->name = it->at[i].name;
    if (!value)
        return false;
    kept = arena_alloc(q->arena, sizeof *kept);
    *kept = attr_copy(q->arena, value);
    s->have++;
    s->sample = kept;
    note_value(s, kept);
    if (s->asked.value && kept->type == ATTR_S && s->asked.value->type == ATTR_S && !s->same &&
        explain_near_same(kept->bytes, s->asked.value->bytes))
        s->same = kept;
    return false;
}

/* --- what may be wrong with a part ------------------------------------------------------------ */

static const char *what_is_it(enum attr_type type)
{
    static const char *const names[] = {
        [ATTR_SS] = "a string set", [ATTR_NS] = "a number set", [ATTR_BS] = "a binary set",
        [ATTR_L] = "a list",        [ATTR_M] = "a map",
    };

    return type < COUNT(names) ? names[type] : NULL;
}

/* The filter with other words for some; only where the request has one. */
static void propose_filter(struct inquiry *q, struct span filter)
{
    (void)explain_trial_propose(
        q, q->call.op->name,
        explain_trial_with_members(
            q, (struct trial_member[]){{"FilterExpression", explain_trial_json_text(q, filter)}},
            1),
        &q->proposal);
}

/* "a = b" → "contains(a, b)" */
static void propose_contains(struct inquiry *q)
{
    struct span text = wire_text(wire_get(q->call.body, "FilterExpression"));
    const char *mark = text.len ? memchr(text.at, '=', text.len) : NULL;

    if (mark)
        propose_filter(
            q, span_of(arena_printf(q->arena, "contains(%.*s, %.*s)", (int)(mark - text.at),
                                    text.at, (int)(text.at + text.len - mark - 1), mark + 1)));
}

/* One name for another. */
static void propose_name(struct inquiry *q, struct span from, struct span to)
{
    struct span text = wire_text(wire_get(q->call.body, "FilterExpression"));
    struct buf out = buf_in(q->arena);

    while (text.len) {
        bool is_it = span_starts_with(text, from);

        buf_add_span(&out, is_it ? to : (struct span){text.at, 1});
        text = span_from(text, is_it ? from.len : 1);
    }
    propose_filter(q, buf_span(&out));
}

static bool is_milliseconds(const struct survey *s)
{
    const struct table *t = s->page->table;

    return s->asked.value && s->asked.value->type == ATTR_N && s->asked.value->bytes.len == 13 &&
           s->sample && s->sample->type == ATTR_N && s->sample->bytes.len == 10 &&
           (span_equal(s->asked.path->at[0].name, t->ttl_attribute) || !t->ttl_attribute.len);
}

static const char *values_words(struct inquiry *q, const struct survey *s)
{
    struct buf out = buf_in(q->arena);

    for (size_t i = 0; i < s->value_count; i++)
        buf_printf(&out, "%s%s",
                   i == 0                                     ? ""
                   : i + 1 < s->value_count || s->more_values ? ", "
                                                              : " and ",
                   inquiry_value(q, &s->values[i]));
    if (s->more_values)
        buf_add_text(&out, ", …");
    return buf_text(&out);
}

/* More about the part, found in the items; NULL where nothing is known. */
static const char *about(struct inquiry *q, const struct survey *s, bool whole)
{
    struct span name = s->asked.path->at[0].name;
    const struct attr *asked = s->asked.value;
    struct attr other;

    if (!s->have && s->name.at) {
        if (whole)
            propose_name(q, name, s->name);
        return arena_printf(q->arena, "none of the %zu items read has %.*s, they have %.*s",
                            s->items, SPAN_ARG(name), SPAN_ARG(s->name));
    }
    if (!s->have)
        return arena_printf(q->arena, "none of the %zu items read has %.*s", s->items,
                            SPAN_ARG(name));
    if (!asked)
        return NULL;
    if (attr_is_set(s->sample->type) && asked->type == attr_element_type(s->sample->type)) {
        if (whole && s->asked.op == EXPR_EQ)
            propose_contains(q);
        return arena_printf(q->arena, "%.*s is %s, which is asked by contains(%.*s, …)",
                            SPAN_ARG(name), what_is_it(s->sample->type), SPAN_ARG(name));
    }
    if (asked->type == ATTR_L)
        return arena_printf(q->arena,
                            "the value asked for is a list: contains takes one value and IN takes "
                            "each as a value of its own, IN (:a, :b)");
    if (asked->type != s->sample->type) {
        other = (struct attr){.type = s->sample->type, .bytes = asked->bytes};
        if (asked->type <= ATTR_B && s->sample->type <= ATTR_N)
            (void)explain_trial_propose(q, q->call.op->name,
                                        explain_trial_with_value(q, asked, &other), &q->proposal);
        return arena_printf(q->arena, "%.*s is %s in the items, the value asked for is %s",
                            SPAN_ARG(name), attr_type_code(s->sample->type),
                            attr_type_code(asked->type));
    }
    for (size_t i = 0; i < s->value_count; i++)
        if (attr_equal(&s->values[i], asked))
            return NULL; /* it is there, but not where this page looked */
    if (is_milliseconds(s))
        return arena_printf(q->arena,
                            "%s has 13 digits, which is milliseconds; %.*s has seconds, 10 digits",
                            inquiry_value(q, asked), SPAN_ARG(name));
    if (s->same && s->asked.op == EXPR_EQ) {
        (void)explain_trial_propose(q, q->call.op->name,
                                    explain_trial_with_value(q, asked, s->same), &q->proposal);
        return arena_printf(q->arena, "there is %s: %s", inquiry_value(q, s->same),
                            explain_near_words(asked->bytes, s->same->bytes));
    }
    if (asked->type <= ATTR_B)
        return arena_printf(q->arena, "%.*s there is %s", SPAN_ARG(name), values_words(q, s));
    return NULL;
}

/* --- saying it -------------------------------------------------------------------------------- */

static const char *counts(struct inquiry *q)
{
    struct buf out = buf_in(q->arena);

    buf_printf(&out, "%zu read", q->facts.read);
    for (size_t i = 0; i < q->facts.removed_count; i++)
        buf_printf(&out, ", %zu removed by %.*s", q->facts.removed[i].items,
                   SPAN_ARG(q->facts.removed[i].clause));
    return buf_text(&out);
}

/* Nothing passed so far, and there is more. */
static bool page_ended(struct inquiry *q, const struct read_page *page)
{
    if (!q->facts.more)
        return false;
    if (page->limit && (size_t)page->limit == q->facts.read)
        inquiry_reason(q,
                       "Limit %" PRId64 " counts items read: %s, none passed, the rest was not "
                       "looked at; go on from LastEvaluatedKey",
                       page->limit, counts(q));
    else
        inquiry_reason(q,
                       "this page ended at 1 MB: %s, none passed; an empty page is not the end, go "
                       "on from LastEvaluatedKey",
                       counts(q));
    (void)explain_trial_propose(
        q, q->call.op->name,
        explain_trial_with_members(q, (struct trial_member[]){{"Limit", {"", 0}}}, 1),
        &q->proposal);
    return true;
}

void explain_filter(struct inquiry *q, const struct target *target)
{
    const struct read_page *page = &target->plan.page;
    const struct removed *most = q->facts.removed;
    struct survey s = {.page = page};
    const char *more = NULL;

    if (!q->facts.removed_count || page_ended(q, page))
        return;
    for (size_t i = 1; i < q->facts.removed_count; i++)
        if (q->facts.removed[i].items > most->items)
            most = &q->facts.removed[i];
    if (expr_as_comparison(most->part, &s.asked)) {
        (void)explain_rows_find(q, &page->range, LOOKED_AT, look, &s);
        more = about(q, &s, q->facts.removed_count == 1);
    } else {
        more = explain_statement_quotes(q);
    }
    inquiry_reason(q, "%s%s%s", counts(q), more ? "; " : "", more ? more : "");
}
