#include "explain/explain_search.h"

#include "explain/explain_candidate.h"
#include "explain/explain_entry.h"
#include "expr/expr_print.h"
#include "model/key.h"
#include "ops/op_target.h"

#include <inttypes.h>

#define LOOKED_AT 1500 /* items */
#define SHOWN     3    /* values */

/* What the items of an index are, for the parts of a search's condition. */
struct survey {
    const struct table *table;
    const struct index *index;
    struct expr_parts parts;
    bool all;         /* no items were left out */
    size_t held, fit; /* items that the index has; that fit all parts */
    size_t part;      /* the first one that none of the others' items fits, so far */
    struct values there;
};

/* Whether the index has an entry of it: what is no vector is refused where it is written. */
static bool is_held(const struct survey *s, const struct item *it)
{
    const struct attr *vector = item_find(it, s->index->vector.attribute);
    const struct search_part *hash = schema_search_hash(s->index);

    return vector && vector->type == ATTR_L &&
           vector->list.len == (size_t)s->index->vector.dimensions &&
           (!hash || item_find(it, hash->name));
}

static size_t parts_that_fit(const struct survey *s, const struct item *it)
{
    size_t i = 0;

    while (i < s->parts.len && expr_matches(s->parts.at[i], it))
        i++;
    return i;
}

/* The value of what the part compares, in an item that fits those before it. */
static void note(struct survey *s, struct inquiry *q, const struct item *it, size_t part)
{
    struct expr_comparison one;
    const struct attr *value;

    if (part < s->part || !expr_as_comparison(s->parts.at[part], &one) || !one.value ||
        !(value = path_find(it, one.path)))
        return;
    if (part > s->part)
        s->there.len = 0;
    s->part = part;
    explain_rows_note(q, &s->there, LOOKED_AT, value);
}

static bool look(struct inquiry *q, const struct item *it, void *data)
{
    struct survey *s = data;
    size_t part;

    if (!is_held(s, it))
        return false;
    s->held++;
    part = parts_that_fit(s, it);
    if (part == s->parts.len)
        s->fit++;
    else
        note(s, q, it, part);
    return false;
}

static bool read_survey(struct inquiry *q, struct survey *s)
{
    struct span text = wire_text(wire_get(q->call.body, "SearchConditionExpression"));
    struct span name = wire_text(wire_get(q->call.body, "IndexName"));
    struct expr_vars vars = explain_entry_vars(q);
    struct expr_cond *condition = NULL;
    struct store_range all;

    if (op_target_find(&q->call, &s->table) || !(s->index = schema_find_index(s->table, name)) ||
        (text.len &&
         expr_read_condition(q->arena, "SearchConditionExpression", text, &vars, &condition)))
        return false;
    s->parts = expr_condition_parts(q->arena, condition);
    all = explain_rows_all(q, &(struct rows){s->table, NULL});
    (void)explain_rows_find_all(q, &all, LOOKED_AT, look, s, &s->all);
    return true;
}

/* --- saying it -------------------------------------------------------------------------------- */

static void say_nothing(struct inquiry *q, const struct survey *s)
{
    const struct search_part *hash = schema_search_hash(s->index);
    struct buf part = buf_in(q->arena);
    struct expr_comparison one;
    bool more = s->there.len > SHOWN;
    const char *there = "";
    struct position p = {.q = q, .there = s->there, .find = explain_candidate_among};
    struct candidate c;

    if (!s->held) {
        inquiry_reason(
            q, "%.*s is empty: no item of %.*s has %.*s as a list of %" PRId64 " numbers%s%.*s",
            SPAN_ARG(s->index->name), SPAN_ARG(s->table->name),
            SPAN_ARG(s->index->vector.attribute), s->index->vector.dimensions, hash ? " and " : "",
            SPAN_ARG(hash ? hash->name : SPAN_LIT("")));
        return;
    }
    if (s->fit || !s->parts.len)
        return;
    expr_print_condition(&part, s->parts.at[s->part]);
    if (expr_as_comparison(s->parts.at[s->part], &one) && one.value) {
        p.op = one.op;
        p.asked[0] = *one.value;
        p.asked[1] = one.second ? *one.second : *one.value;
    }
    if (s->there.len && explain_candidate_any(&p, &c)) {
        there = arena_printf(q->arena, "; %s", explain_candidate_words(&p, &c));
        explain_candidate_propose(&p, &c);
    } else if (s->there.len)
        there = arena_printf(
            q->arena, "; it is %s there",
            inquiry_values(q, s->there.at, more ? SHOWN : s->there.len, " or ", more));
    inquiry_reason(q, "none of the %s%s of %.*s fits %s%s", s->all ? "" : "first ",
                   inquiry_count(q, s->held, "item"), SPAN_ARG(s->index->name), buf_text(&part),
                   there);
}

void explain_search(struct inquiry *q)
{
    struct survey s = {.held = 0};
    const wire_node *reply;
    size_t count;
    int64_t most;

    if (q->call.op->form != OP_SEARCH || wire_parse(q->arena, q->record->reply, &reply) ||
        !read_survey(q, &s))
        return;
    count = wire_count(wire_get(reply, "SearchResults"));
    most = wire_integer(wire_get(q->call.body, "TopK"), 0);
    if (!count)
        say_nothing(q, &s);
    else if (count == (size_t)most && s.fit > count)
        inquiry_hint(q, ADVICE_NOTE, "top-k",
                     "TopK %" PRId64 " is how many are given: %zu items%s fit, of which these are "
                     "the nearest",
                     most, s.fit, s.all ? "" : " or more");
}
