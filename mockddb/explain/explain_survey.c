#include "explain/explain_survey.h"

#include "explain/say.h"

#define ELEMENTS 1000
#define STEPS    16 /* of a path that is looked for */

/* Whether a name with dots, as a step or as all of the path, is a path in the item: #x.#y where #y
 * is "size.w". Notes that name. */
static bool leads_somewhere(struct explain_survey *s, const struct item *it)
{
    struct path_step steps[STEPS];
    struct path path = {steps, 0};

    for (size_t i = 0; i < s->asked.path->len; i++) {
        struct path_step step = s->asked.path->at[i];
        const char *dot = step.is_index ? NULL : span_find(step.name, '.');

        s->dotted = dot ? step.name : s->dotted;
        for (; dot && path.len < STEPS; dot = span_find(step.name, '.')) {
            size_t len = (size_t)(dot - step.name.at);

            steps[path.len++] = (struct path_step){.name = {step.name.at, len}};
            step.name = span_from(step.name, len + 1);
        }
        if (path.len == STEPS)
            return false;
        steps[path.len++] = step;
    }
    return s->dotted.at && path_find(it, &path) != NULL;
}

/* items[0].name for items[0].Name: the first step that leads nowhere, in a map that has a member
 * which is called nearly so. */
static void note_inner(struct inquiry *q, struct explain_survey *s, const struct item *it)
{
    const struct path *path = s->asked.path;
    struct path_step *steps = arena_array(q->arena, path->len, sizeof *steps), *last = steps;
    struct path prefix = {steps, 1}, whole = {steps, path->len};
    const struct attr *parent = NULL, *there;

    memcpy(steps, path->at, path->len * sizeof *steps);
    for (; prefix.len < path->len && (there = path_find(it, &prefix)); last++, prefix.len++)
        parent = there;
    if (!parent || last->is_index)
        return;
    if (parent->type == ATTR_L)
        s->list_len = prefix.len - 1;
    for (size_t i = 0; parent->type == ATTR_M && i < parent->map.len && !s->inner.at; i++) {
        if (!explain_near_names(q, last->name, parent->map.at[i].name))
            continue;
        last->name = parent->map.at[i].name;
        s->inner = say_text_span(q, "%", &whole);
    }
}

/* An attribute of an item that lacks what the path begins with. */
static void note_name(struct inquiry *q, struct explain_survey *s, const struct field *f)
{
    struct span first = s->asked.path->at[0].name;

    if (!s->name.at && explain_near_names(q, first, f->name))
        s->name = f->name;
    if (explain_near_longer_name(first, f->name) && s->name_count < EXPLAIN_SURVEY_VALUES &&
        !span_is_among(f->name, s->names, s->name_count))
        s->names[s->name_count++] = f->name;
    if (!s->nested.at && s->asked.path->len == 1)
        s->nested = explain_near_nested(q, f, first);
}

/* Nothing is at the path: notes what the item has instead. */
static void note_absent(struct inquiry *q, struct explain_survey *s, const struct item *it)
{
    const struct path *path = s->asked.path;
    const struct attr *root = item_find(it, path->at[0].name);
    struct attr *kept = root && !s->root ? arena_alloc(q->arena, sizeof *kept) : NULL;

    if (kept) {
        *kept = attr_copy(q->arena, root);
        s->root = kept;
    }
    s->one_name = s->one_name || (path->len > 1 && item_find(it, say_text_span(q, "%", path)));
    s->is_path = s->is_path || leads_somewhere(s, it);
    if (root && path->len > 1 && !s->inner.at)
        note_inner(q, s, it);
    for (size_t i = 0; !root && i < it->len; i++)
        note_name(q, s, &it->at[i]);
}

void explain_survey_note(struct inquiry *q, struct explain_survey *s, const struct attr *value)
{
    size_t count = attr_is_set(value->type) || value->type == ATTR_L ? value->list.len : 0;

    s->have++;
    s->nulls += value->type == ATTR_NULL;
    s->types |= 1u << value->type;
    explain_rows_note(q, &s->values, EXPLAIN_SURVEY_ITEMS, value);
    for (size_t i = 0; i < count; i++)
        explain_rows_note(q, &s->elements, ELEMENTS, &value->list.at[i]);
}

bool explain_survey_holds(const struct index *vectors, const struct item *it)
{
    const struct attr *vector = item_find(it, vectors->vector.attribute);
    const struct search_part *hash = schema_search_hash(vectors);

    return vector && vector->type == ATTR_L &&
           vector->list.len == (size_t)vectors->vector.dimensions &&
           (!hash || item_find(it, hash->name));
}

static bool passes_before(struct inquiry *q, const struct explain_survey *s, const struct item *it)
{
    for (size_t i = 0; i < s->passed; i++)
        if (!expr_matches(q->facts.removed[i].part, it))
            return false;
    return true;
}

void explain_survey_look(struct inquiry *q, struct explain_survey *s)
{
    bool further = q->facts.more || q->facts.read > EXPLAIN_SURVEY_ITEMS;
    size_t limit = further ? EXPLAIN_SURVEY_ITEMS : q->facts.read;
    struct walk w = explain_rows_walk(q, &s->page->range, limit + !further);
    const struct index *ix = s->page->index;

    if (s->asked.op == EXPR_EQ && s->asked.value && s->asked.value->type == ATTR_S)
        s->holders.asked = s->asked.value;
    while (explain_rows_next(&w)) {
        const struct attr *value;

        if (ix && ix->global)
            w.it = schema_project(q->arena, s->page->table, ix, &w.it);
        if ((s->vectors && !explain_survey_holds(s->vectors, &w.it)) || !passes_before(q, s, &w.it))
            continue;
        s->items++;
        s->fit += expr_matches(s->part, &w.it);
        s->pass += expr_matches(s->page->filter, &w.it);
        explain_rows_hold(&s->holders, &w.it);
        if ((value = path_find(&w.it, s->asked.path)))
            explain_survey_note(q, s, value);
        else
            note_absent(q, s, &w.it);
    }
    s->all = w.all;
}

struct position explain_survey_position(struct inquiry *q, const struct explain_survey *s,
                                        const struct values *there)
{
    const struct path_step *steps = s->asked.path->at, *last = &steps[s->asked.path->len - 1];
    bool expires = span_equal(steps->name, s->page->table->ttl_attribute);

    return (struct position){
        .q = q,
        .op = there == &s->elements || s->asked.op == EXPR_IN ? EXPR_EQ : s->asked.op,
        .asked = {*s->asked.value, s->asked.second ? *s->asked.second : *s->asked.value},
        .name = expires          ? SPAN_LIT("ttl")
                : last->is_index ? steps->name
                                 : last->name,
        .there = *there,
        .find = explain_candidate_among,
    };
}

bool explain_survey_find(struct inquiry *q, struct explain_survey *s, const struct values *there,
                         struct position *p, struct candidate *c)
{
    size_t count;
    const struct attr **choices = expr_choices(q->arena, s->part, &count);

    *p = explain_survey_position(q, s, there);
    for (size_t i = 0; i < 2 * count || !i; i++) { /* first one that finds something */
        p->asked[0] = count ? *choices[i % count] : *s->asked.value;
        if (!explain_candidate_any(p, c) || (i < count && !c->count))
            continue;
        s->certain = s->certain || c->tier == FORM_SPELLING;
        return true;
    }
    p->asked[0] = *s->asked.value;
    return false;
}

const char *explain_survey_part(struct inquiry *q, const struct expr_cond *part)
{
    static const char *const forms[] = {
        [EXPR_EQ] = "% = %",
        [EXPR_NE] = "% <> %",
        [EXPR_LT] = "% < %",
        [EXPR_LE] = "% <= %",
        [EXPR_GT] = "% > %",
        [EXPR_GE] = "% >= %",
        [EXPR_CONTAINS] = "contains(%, %)",
        [EXPR_BEGINS_WITH] = "begins_with(%, %)",
    };
    struct expr_comparison c;

    return expr_as_comparison(part, &c) && c.value && !c.second && c.value->type <= ATTR_N &&
                   c.op < COUNT(forms) && forms[c.op]
               ? say_text(q, forms[c.op], c.path, c.value)
               : say_text(q, "%", part);
}
