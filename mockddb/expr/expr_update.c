#include "expr/expr_update.h"

#include "base/one_more.h"
#include "expr/expr_ast.h"
#include "expr/expr_bind.h"
#include "expr/expr_check.h"
#include "expr/expr_parse.h"
#include "expr/expr_types.h"

static const char parameter[] = "UpdateExpression";

/* --- reading ------------------------------------------------------------------------------- */

/* The error names the paths as they were written, with placeholders. */
static const struct error *clash_as_written(struct arena *a, const struct expr_update *u,
                                            const struct error *e)
{
    for (size_t later = 1; later < u->len; later++)
        for (size_t earlier = 0; earlier < later; earlier++)
            if (path_clash(&u->at[earlier].target, &u->at[later].target) != PATH_APART) {
                const struct clause *one = &u->at[earlier], *other = &u->at[later];
                bool equal = path_equal(&one->target, &other->target);

                return error_because(
                    a, e,
                    ERROR_WHY(!equal ? CAUSE_CHANGES_OVERLAP
                              : one->action == EXPR_SET && other->action == EXPR_SET
                                  ? CAUSE_SET_TWICE
                                  : CAUSE_CHANGED_TWICE,
                              .place = other->text, .operand = one->text, .beside = other->text));
            }
    return e;
}

const struct error *expr_read_update(struct arena *a, struct span text, struct expr_vars *vars,
                                     struct expr_update **out)
{
    struct binder binder = expr_binder(a, parameter, vars);
    struct expr_update *u = expr_update_new(a, NULL);
    const struct error *e;
    const struct path **targets;

    if ((e = expr_parse_update(a, parameter, text, u)) || (e = expr_check_update(a, parameter, u)))
        return e;
    targets = arena_array(binder.arena, u->len, sizeof(const struct path *));
    for (size_t i = 0; i < u->len; i++) {
        targets[i] = &u->at[i].target;
        if ((e = expr_bind_path(&binder, &u->at[i].target)))
            return e;
    }
    if ((e = expr_check_clashes(a, parameter, targets, u->len)))
        return clash_as_written(a, u, e);
    for (size_t i = 0; i < u->len; i++)
        if (u->at[i].operand && (e = expr_bind_operand(&binder, u->at[i].operand)))
            return e;
    /* ADD and DELETE are checked first, then the values of SET. */
    for (size_t i = 0; i < u->len; i++) {
        const struct clause *c = &u->at[i];

        if ((c->action == EXPR_ADD || c->action == EXPR_DELETE) &&
            (e = expr_check_action_type(a, parameter, c->action, c->operand)))
            return e;
    }
    for (size_t i = 0; i < u->len; i++)
        if (u->at[i].action == EXPR_SET && (e = expr_check_types(a, parameter, u->at[i].operand)))
            return e;
    *out = u;
    return NULL;
}

/* --- properties of an update ---------------------------------------------------------------- */

void expr_update_targets(struct arena *a, const struct expr_update *u, const struct path **paths,
                         size_t *count)
{
    struct path *list = arena_array(a, u->len, sizeof *list);

    for (size_t i = 0; i < u->len; i++)
        list[i] = u->at[i].target;
    *paths = list;
    *count = u->len;
}

void expr_update_paths(struct arena *a, const struct expr_update *u,
                       const struct path *const **paths, size_t *count)
{
    struct buf list = buf_in(a);

    for (size_t i = 0; i < u->len; i++) {
        const struct path *target = &u->at[i].target;

        buf_add(&list, &target, sizeof(const struct path *));
        if (u->at[i].operand)
            expr_node_paths(u->at[i].operand, &list);
    }
    *paths = (const struct path *const *)(const void *)list.at;
    *count = list.len / sizeof(const struct path *);
}

bool expr_update_is_computed(const struct expr_update *u, size_t target)
{
    const struct node *operand = u->at[target].operand;

    return operand && operand->kind != NODE_VALUE;
}

bool expr_update_only_takes(const struct expr_update *u)
{
    for (size_t i = 0; i < u->len; i++)
        if (u->at[i].action == EXPR_SET || u->at[i].action == EXPR_ADD)
            return false;
    return u->len > 0;
}

/* --- the statement's charge ---------------------------------------------------------------- */

enum charge {
    CHARGE_STATEMENT = 3,
    CHARGE_PUT = 19,     /* SET, ADD */
    CHARGE_TAKE = 1,     /* REMOVE, DELETE; their value is free */
    CHARGE_BELOW = 4,    /* each element of a target after the first */
    CHARGE_PATH = 1,     /* a path as operand … */
    CHARGE_ELEMENT = 14, /* … and each of its elements */
};

/* The length of a path's element: the name, or the index in digits. */
static size_t step_length(const struct path_step *step)
{
    size_t digits = 1;

    if (!step->is_index)
        return step->name.len;
    for (uint32_t rest = step->index; rest >= 10; rest /= 10)
        digits++;
    return digits;
}

static size_t charge_of_target(const struct path *path)
{
    size_t charge = step_length(&path->at[0]);

    for (size_t i = 1; i < path->len; i++)
        charge += CHARGE_BELOW + step_length(&path->at[i]);
    return charge;
}

static size_t charge_of_operand(const struct node *n)
{
    size_t charge;

    if (n->kind == NODE_VALUE)
        return attr_size(n->value);
    if (n->kind == NODE_PATH) {
        charge = CHARGE_PATH;
        for (size_t i = 0; i < n->path.len; i++)
            charge += CHARGE_ELEMENT + step_length(&n->path.at[i]);
        return charge;
    }
    charge = expr_rule(n->kind)->charge;
    for (size_t i = 0; i < n->operands.len; i++)
        charge += charge_of_operand(n->operands.at[i]);
    return charge;
}

size_t expr_update_charge(const struct expr_update *u)
{
    size_t charge = CHARGE_STATEMENT;

    for (size_t i = 0; i < u->len; i++) {
        const struct clause *c = &u->at[i];

        charge += charge_of_target(&c->target);
        if (c->action == EXPR_SET || c->action == EXPR_ADD)
            charge += CHARGE_PUT + charge_of_operand(c->operand);
        else
            charge += CHARGE_TAKE;
    }
    return charge;
}

/* --- updates without text ------------------------------------------------------------------ */

struct expr_update *expr_update_new(struct arena *a, const char *clash)
{
    struct expr_update *u = arena_alloc(a, sizeof *u);

    u->clash = clash ? clash : "An operand in the update expression has an incorrect data type";
    return u;
}

struct clause *expr_update_clause(struct arena *a, struct expr_update *u)
{
    struct clause *c;

    u->at = one_more(a, u->at, u->len, sizeof *c);
    c = &u->at[u->len++];
    *c = (struct clause){.operand = NULL};
    return c;
}

void expr_update_add(struct arena *a, struct expr_update *u, enum expr_action action,
                     const struct path *path, const struct attr *value)
{
    struct clause *c = expr_update_clause(a, u);

    c->action = action;
    c->target = *path;
    c->operand = value ? expr_node_of_value(a, value) : NULL;
}
