#include "expr/expr_project.h"

#include "expr/expr_bind.h"
#include "expr/expr_check.h"
#include "expr/expr_parse.h"

static const char parameter[] = "ProjectionExpression";

/* A node of the merged paths. Children that are indexes are kept in ascending order, which is
 * the order of the chosen elements; names stay as they came. */
struct expr_pick {
    struct path_step step;
    bool whole; /* a path ends here */
    struct expr_pick *child;
    struct expr_pick *next; /* the sibling after this one */
};

static bool same_step(const struct path_step *a, const struct path_step *b)
{
    if (a->is_index != b->is_index)
        return false;
    return a->is_index ? a->index == b->index : span_equal(a->name, b->name);
}

/* The child of `parent` for that step, made where there is none. */
static struct expr_pick *child_for(struct arena *a, struct expr_pick *parent,
                                   const struct path_step *step)
{
    struct expr_pick **link = &parent->child, *fresh;

    for (; *link; link = &(*link)->next) {
        if (same_step(&(*link)->step, step))
            return *link;
        if (step->is_index && (*link)->step.is_index && (*link)->step.index > step->index)
            break;
    }
    fresh = arena_alloc(a, sizeof *fresh);
    fresh->step = *step;
    fresh->next = *link;
    *link = fresh;
    return fresh;
}

static const struct expr_pick *merge(struct arena *a, const struct path *paths, size_t len)
{
    struct expr_pick *root = arena_alloc(a, sizeof *root);

    for (size_t i = 0; i < len; i++) {
        struct expr_pick *pick = root;

        for (size_t j = 0; j < paths[i].len; j++)
            pick = child_for(a, pick, &paths[i].at[j]);
        pick->whole = true;
    }
    return root;
}

struct expr_projection expr_projection_of(struct arena *a, struct path *paths, size_t len)
{
    return (struct expr_projection){paths, len, merge(a, paths, len)};
}

static const struct error *check_clashes(struct arena *a, const struct path *paths, size_t len)
{
    const struct path **list = arena_array(a, len, sizeof(const struct path *));

    for (size_t i = 0; i < len; i++)
        list[i] = &paths[i];
    return expr_check_clashes(a, parameter, list, len);
}

const struct error *expr_read_projection(struct arena *a, struct span text, struct expr_vars *vars,
                                         struct expr_projection *out)
{
    struct binder binder = expr_binder(a, parameter, vars);
    struct path *paths;
    size_t len;
    const struct error *e;

    if ((e = expr_parse_projection(a, parameter, text, &paths, &len)) ||
        (e = expr_check_projection(a, parameter, paths, len)))
        return e;
    for (size_t i = 0; i < len; i++)
        if ((e = expr_bind_path(&binder, &paths[i])))
            return e;
    if ((e = check_clashes(a, paths, len)))
        return e;
    *out = expr_projection_of(a, paths, len);
    return NULL;
}

/* --- picking ------------------------------------------------------------------------------- */

static bool pick_value(struct arena *a, const struct expr_pick *pick, const struct attr *from,
                       struct attr *out);

static size_t count_children(const struct expr_pick *pick)
{
    size_t count = 0;

    for (const struct expr_pick *child = pick->child; child; child = child->next)
        count++;
    return count;
}

static struct item pick_fields(struct arena *a, const struct expr_pick *pick,
                               const struct item *from)
{
    struct item out = {.at = arena_array(a, count_children(pick), sizeof(struct field))};

    for (const struct expr_pick *child = pick->child; child; child = child->next) {
        const struct attr *value;
        struct field *field = &out.at[out.len];

        if (child->step.is_index || !(value = item_find(from, child->step.name)) ||
            !pick_value(a, child, value, &field->value))
            continue;
        field->name = child->step.name;
        out.len++;
    }
    return out;
}

static struct attr_list pick_elements(struct arena *a, const struct expr_pick *pick,
                                      const struct attr_list *from)
{
    struct attr_list out = {.at = arena_array(a, count_children(pick), sizeof(struct attr))};

    for (const struct expr_pick *child = pick->child; child; child = child->next)
        if (child->step.is_index && child->step.index < from->len &&
            pick_value(a, child, &from->at[child->step.index], &out.at[out.len]))
            out.len++;
    return out;
}

/* What the paths choose of a value; false when that is nothing. */
static bool pick_value(struct arena *a, const struct expr_pick *pick, const struct attr *from,
                       struct attr *out)
{
    if (pick->whole) {
        *out = *from;
        return true;
    }
    *out = (struct attr){.type = from->type};
    if (from->type == ATTR_M) {
        out->map = pick_fields(a, pick, &from->map);
        return out->map.len > 0;
    }
    if (from->type == ATTR_L) {
        out->list = pick_elements(a, pick, &from->list);
        return out->list.len > 0;
    }
    return false;
}

struct item expr_project(struct arena *a, const struct expr_projection *p, const struct item *it)
{
    if (!it)
        return (struct item){.len = 0};
    return pick_fields(a, p->pick ? p->pick : merge(a, p->paths, p->len), it);
}
