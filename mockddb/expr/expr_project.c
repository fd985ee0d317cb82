#include "expr/expr_project.h"

#include <stdlib.h>

#include "expr/expr_bind.h"
#include "expr/expr_check.h"
#include "expr/expr_parse.h"

static const char parameter[] = "ProjectionExpression";

/* A node of the merged paths. */
struct expr_pick {
    struct path_step step;
    bool whole;   /* a path ends here */
    size_t first; /* index of the first path that passes through this node */
    struct expr_pick *child, *last;
    struct expr_pick *next; /* the next sibling */
};

/* --- merging ------------------------------------------------------------------------------- */

/* All nodes that the paths may need; the first is the root. */
struct merge {
    struct expr_pick *nodes;
    size_t len;
};

struct placed {
    const struct path *path;
    size_t at;
};

static int by_path(const void *a, const void *b)
{
    return path_compare(((const struct placed *)a)->path, ((const struct placed *)b)->path);
}

static struct expr_pick *add_child(struct merge *m, struct expr_pick *parent,
                                   const struct path_step *step)
{
    struct expr_pick *fresh = &m->nodes[m->len++];

    *fresh = (struct expr_pick){.step = *step, .first = SIZE_MAX};
    if (parent->last)
        parent->last->next = fresh;
    else
        parent->child = fresh;
    return parent->last = fresh;
}

/* Paths are sorted: the node for a step is the last child, or does not exist yet. */
static void add_path(struct merge *m, const struct placed *placed)
{
    struct expr_pick *pick = m->nodes;

    for (size_t i = 0; i < placed->path->len; i++) {
        const struct path_step *step = &placed->path->at[i];
        struct expr_pick *last = pick->last;

        pick = last && path_same_step(&last->step, step) ? last : add_child(m, pick, step);
        if (placed->at < pick->first)
            pick->first = placed->at;
    }
    pick->whole = true;
}

static int by_place(const void *a, const void *b)
{
    const struct expr_pick *left = *(struct expr_pick *const *)a;
    const struct expr_pick *right = *(struct expr_pick *const *)b;

    if (left->step.is_index != right->step.is_index)
        return left->step.is_index ? -1 : 1;
    if (left->step.is_index)
        return (left->step.index > right->step.index) - (left->step.index < right->step.index);
    return (left->first > right->first) - (left->first < right->first);
}

static size_t count_children(const struct expr_pick *pick)
{
    size_t count = 0;

    for (const struct expr_pick *child = pick->child; child; child = child->next)
        count++;
    return count;
}

/* Indexes are sorted, as the chosen elements are; names keep the order of the paths. */
static void order_children(struct arena *a, struct expr_pick *pick)
{
    struct expr_pick **sorted, **link = &pick->child;
    size_t len = count_children(pick), i = 0;

    if (len < 2)
        return;
    sorted = arena_array(a, len, sizeof(struct expr_pick *));
    for (struct expr_pick *child = pick->child; child; child = child->next)
        sorted[i++] = child;
    qsort(sorted, len, sizeof *sorted, by_place);
    for (i = 0; i < len; link = &sorted[i++]->next)
        *link = sorted[i];
    *link = NULL;
}

static const struct expr_pick *merge_paths(struct arena *a, const struct path *paths, size_t len)
{
    struct placed *sorted = arena_array(a, len, sizeof *sorted);
    struct merge m = {.len = 1};
    size_t steps = 0;

    for (size_t i = 0; i < len; steps += paths[i++].len)
        sorted[i] = (struct placed){&paths[i], i};
    qsort(sorted, len, sizeof *sorted, by_path);
    m.nodes = arena_array(a, steps + 1, sizeof *m.nodes);
    for (size_t i = 0; i < len; i++)
        add_path(&m, &sorted[i]);
    for (size_t i = 0; i < m.len; i++)
        order_children(a, &m.nodes[i]);
    return m.nodes;
}

struct expr_projection expr_projection_of(struct arena *a, struct path *paths, size_t len)
{
    return (struct expr_projection){paths, len, merge_paths(a, paths, len)};
}

const struct error *expr_read_projection(struct arena *a, struct span text, struct expr_vars *vars,
                                         struct expr_projection *out)
{
    struct binder binder = expr_binder(a, parameter, vars);
    struct path *paths;
    size_t len;
    const struct error *e;
    const struct path **list;

    if ((e = expr_parse_projection(a, parameter, text, &paths, &len)) ||
        (e = expr_check_projection(a, parameter, paths, len)))
        return e;
    for (size_t i = 0; i < len; i++)
        if ((e = expr_bind_path(&binder, &paths[i])))
            return e;
    list = arena_array(a, len, sizeof(const struct path *));
    for (size_t i = 0; i < len; i++)
        list[i] = &paths[i];
    if ((e = expr_check_clashes(a, parameter, list, len)))
        return e;
    *out = expr_projection_of(a, paths, len);
    return NULL;
}

/* --- picking ------------------------------------------------------------------------------- */

static bool pick_value(struct arena *a, const struct expr_pick *pick, const struct attr *from,
                       struct attr *out);

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

/* Picks the chosen parts of a value; false if there are no such parts. */
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
    return pick_fields(a, p->pick ? p->pick : merge_paths(a, p->paths, p->len), it);
}
