#include "explain/explain_search.h"

#include "explain/explain_entry.h"
#include "explain/explain_survey.h"
#include "explain/say.h"
#include "model/key.h"
#include "ops/op_target.h"

#define LOOKED_AT 1500 /* items */
#define SHOWN     3    /* values */

/* What the items of an index are, for the parts of a search's condition. */
struct searched {
    const struct table *table;
    const struct index *index;
    struct expr_parts parts;
    bool all;                     /* no items were left out */
    size_t held, fit;             /* items that the index has; that fit all parts */
    size_t part;                  /* the last one that an item fails that fits those before it */
    struct explain_survey survey; /* of that part */
};

/* Whether the index has an entry of it: what is no vector is refused where it is written. */
static bool is_held(const struct searched *s, const struct item *it)
{
    const struct attr *vector = item_find(it, s->index->vector.attribute);
    const struct search_part *hash = schema_search_hash(s->index);

    return vector && vector->type == ATTR_L &&
           vector->list.len == (size_t)s->index->vector.dimensions &&
           (!hash || item_find(it, hash->name));
}

static void look(struct inquiry *q, struct searched *s, const struct item *it)
{
    struct expr_comparison one;
    const struct attr *value;
    size_t part = 0;

    while (part < s->parts.len && expr_matches(s->parts.at[part], it))
        part++;
    s->held++;
    s->fit += part == s->parts.len;
    if (part == s->parts.len || part < s->part || !expr_as_comparison(s->parts.at[part], &one) ||
        !one.value || !(value = path_find(it, one.path)))
        return;
    if (part > s->part || !s->survey.part)
        s->survey = (struct explain_survey){
            .page = s->survey.page, .part = s->parts.at[part], .asked = one};
    s->part = part;
    explain_survey_note(q, &s->survey, value);
}

static bool read_search(struct inquiry *q, struct searched *s, struct read_page *page)
{
    struct span text = wire_text(wire_get(q->call.body, "SearchConditionExpression"));
    struct span name = wire_text(wire_get(q->call.body, "IndexName"));
    struct expr_vars vars = explain_entry_vars(q);
    struct expr_cond *condition = NULL;
    struct store_range all;
    struct walk w;

    if (op_target_find(&q->call, &s->table) || !(s->index = schema_find_index(s->table, name)) ||
        (text.len &&
         expr_read_condition(q->arena, "SearchConditionExpression", text, &vars, &condition)))
        return false;
    *page = (struct read_page){.table = s->table};
    s->survey.page = page;
    s->parts = expr_condition_parts(q->arena, condition);
    all = explain_rows_all(q, &(struct rows){s->table, NULL});
    w = explain_rows_walk(q, &all, LOOKED_AT);
    while (explain_rows_next(&w))
        if (is_held(s, &w.it))
            look(q, s, &w.it);
    s->all = w.all;
    return true;
}

/* --- saying it -------------------------------------------------------------------------------- */

static void say_nothing(struct inquiry *q, struct searched *s)
{
    const struct search_part *hash = schema_search_hash(s->index);
    const struct values *there = &s->survey.values;
    bool more = there->len > SHOWN;
    const char *words = "";
    struct position p;
    struct candidate c;

    if (!s->held) {
        say_why(q, "% is empty: no item of % has % as a list of % numbers%%", s->index, s->table,
                s->index->vector.attribute, s->index->vector.dimensions, hash ? " and " : "",
                hash ? hash->name : SPAN_LIT(""));
        return;
    }
    if (s->fit || !s->parts.len)
        return;
    if (there->len && explain_survey_find(q, &s->survey, there, &p, &c)) {
        words = say_text(q, "; %", explain_candidate_words(&p, &c));
        explain_candidate_propose(&p, &c);
    } else if (there->len)
        words = say_text(q, "; it is % there",
                         say_values(there->at, more ? SHOWN : there->len, " or ", more));
    say_why(q, "none of the %% of % fits %%", s->all ? "" : "first ", say_count(s->held, "item"),
            s->index, s->parts.at[s->part], words);
}

void explain_search(struct inquiry *q)
{
    struct searched s = {.held = 0};
    struct read_page page;
    const wire_node *reply;
    size_t count;
    int64_t most;

    if (q->call.op->form != OP_SEARCH || wire_parse(q->arena, q->record->reply, &reply) ||
        !read_search(q, &s, &page))
        return;
    count = wire_count(wire_get(reply, "SearchResults"));
    most = wire_integer(wire_get(q->call.body, "TopK"), 0);
    if (!count)
        say_nothing(q, &s);
    else if (count == (size_t)most && s.fit > count)
        say_hint(q, ADVICE_NOTE, "top-k",
                 "TopK % is how many are given: % items% fit, of which these are the nearest", most,
                 s.fit, s.all ? "" : " or more");
}
