#include "explain/explain_survey.h"

#include "explain/explain_near.h"

#define ELEMENTS 1000
#define SHORT    ((size_t)3) /* texts that another attribute has by chance */

static void note_elements(struct inquiry *q, struct values *list, const struct attr *value)
{
    size_t count = attr_is_set(value->type) || value->type == ATTR_L ? value->list.len : 0;

    for (size_t i = 0; i < count; i++)
        explain_rows_note(q, list, ELEMENTS, &value->list.at[i]);
}

/* An attribute other than the one that the part looks at, with the value that it asks for. */
static void note_holder(struct explain_survey *s, const struct item *it)
{
    const struct attr *asked = s->asked.value;

    if (s->asked.op != EXPR_EQ || !asked || asked->type != ATTR_S || asked->bytes.len < SHORT ||
        explain_near_is_of_digits(asked->bytes))
        return;
    for (size_t i = 0; i < it->len; i++) {
        const struct field *f = &it->at[i];

        if (!attr_equal(&f->value, asked) || (s->holders && !span_equal(f->name, s->holder)))
            continue;
        s->holder = f->name;
        s->holders++;
        return;
    }
}

#define STEPS 16 /* of a path that is looked for */

/* The name's steps, "a.b" as two; returns their number, 0: they are too many. */
static size_t split_name(struct span name, struct path_step *out, size_t room)
{
    size_t count = 0;

    for (;;) {
        const char *dot = span_find(name, '.');
        size_t len = dot ? (size_t)(dot - name.at) : name.len;

        if (count == room)
            return 0;
        out[count++] = (struct path_step){.name = {name.at, len}};
        if (!dot)
            return count;
        name = span_from(name, len + 1);
    }
}

/* Whether a name with dots, as a step or as all of the path, is a path in the item: #x.#y where #y
 * is "size.w". Notes that name. */
static bool leads_somewhere(struct explain_survey *s, const struct item *it)
{
    struct path_step steps[STEPS];
    struct path path = {steps, 0};

    for (size_t i = 0; i < s->asked.path->len; i++) {
        const struct path_step *step = &s->asked.path->at[i];
        size_t count = 1;

        if (path.len == STEPS)
            return false;
        steps[path.len] = *step;
        if (!step->is_index &&
            !(count = split_name(step->name, steps + path.len, STEPS - path.len)))
            return false;
        if (count > 1)
            s->dotted = step->name;
        path.len += count;
    }
    return s->dotted.at && path_find(it, &path) != NULL;
}

/* items[0].name for items[0].Name: the first step that leads nowhere, in a map that has a member
 * which is called nearly so. */
static void note_inner(struct inquiry *q, struct explain_survey *s, const struct item *it)
{
    const struct path *path = s->asked.path;
    struct path_step *steps = arena_array(q->arena, path->len, sizeof *steps);
    struct path prefix = {steps, 1};
    struct buf whole = buf_in(q->arena);
    const struct attr *parent = NULL, *there;

    memcpy(steps, path->at, path->len * sizeof *steps);
    while (prefix.len < path->len && (there = path_find(it, &prefix))) {
        parent = there;
        prefix.len++;
    }
    if (parent && parent->type == ATTR_L && !steps[prefix.len - 1].is_index)
        s->list_len = prefix.len - 1;
    if (!parent || parent->type != ATTR_M || steps[prefix.len - 1].is_index)
        return;
    for (size_t i = 0; i < parent->map.len && !s->inner.at; i++) {
        if (!explain_near_names(q, steps[prefix.len - 1].name, parent->map.at[i].name))
            continue;
        steps[prefix.len - 1].name = parent->map.at[i].name;
        path_add(&whole, &(struct path){steps, path->len});
        s->inner = buf_span(&whole);
    }
}

static void note_longer(struct explain_survey *s, struct span name)
{
    for (size_t i = 0; i < s->name_count; i++)
        if (span_equal(s->names[i], name))
            return;
    if (s->name_count < EXPLAIN_SURVEY_VALUES)
        s->names[s->name_count++] = name;
}

/* An attribute of an item that lacks what the path begins with. */
static void note_name(struct inquiry *q, struct explain_survey *s, const struct field *f)
{
    struct span first = s->asked.path->at[0].name;
    struct path_step steps[2] = {{.name = f->name}, {.name = first}};
    struct buf whole = buf_in(q->arena);

    if (!s->name.at && explain_near_names(q, first, f->name))
        s->name = f->name;
    if (explain_near_longer_name(first, f->name))
        note_longer(s, f->name);
    if (s->nested.at || f->value.type != ATTR_M || s->asked.path->len > 1)
        return;
    for (size_t i = 0; i < f->value.map.len; i++)
        if (span_equal(f->value.map.at[i].name, first)) {
            path_add(&whole, &(struct path){steps, 2});
            s->nested = buf_span(&whole);
        }
}

/* Nothing is at the path: notes what the item has instead. */
static void note_absent(struct inquiry *q, struct explain_survey *s, const struct item *it)
{
    struct span first = s->asked.path->at[0].name;
    const struct attr *root = item_find(it, first);
    struct buf whole = buf_in(q->arena);

    if (root && !s->root) {
        struct attr *kept = arena_alloc(q->arena, sizeof *kept);

        *kept = attr_copy(q->arena, root);
        s->root = kept;
    }
    path_add(&whole, s->asked.path);
    if (s->asked.path->len > 1)
        s->one_name = s->one_name || item_find(it, buf_span(&whole));
    s->is_path = s->is_path || leads_somewhere(s, it);
    if (root && s->asked.path->len > 1 && !s->inner.at)
        note_inner(q, s, it);
    for (size_t i = 0; !root && i < it->len; i++)
        note_name(q, s, &it->at[i]);
}

static bool look(struct inquiry *q, const struct item *it, void *data)
{
    struct explain_survey *s = data;
    const struct index *ix = s->page->index;
    const struct attr *value;
    struct item held;

    if (ix && ix->global) {
        held = schema_project(q->arena, s->page->table, ix, it);
        it = &held;
    }
    value = path_find(it, s->asked.path);
    s->fit += expr_matches(s->part, it);
    s->pass += expr_matches(s->page->filter, it);
    s->items++;
    note_holder(s, it);
    if (!value) {
        note_absent(q, s, it);
        return false;
    }
    s->have++;
    s->nulls += value->type == ATTR_NULL;
    s->types |= 1u << value->type;
    explain_rows_note(q, &s->values, EXPLAIN_SURVEY_ITEMS, value);
    note_elements(q, &s->elements, value);
    return false;
}

void explain_survey_look(struct inquiry *q, struct explain_survey *s)
{
    bool further = q->facts.more || q->facts.read > EXPLAIN_SURVEY_ITEMS;
    size_t limit = further ? EXPLAIN_SURVEY_ITEMS : q->facts.read;

    (void)explain_rows_find_all(q, &s->page->range, limit + !further, look, s, &s->all);
}
