#include "partiql/partiql_value.h"

#include "expr/expr_bind.h"
#include "expr/expr_types.h"

/* --- set_add, set_delete -------------------------------------------------------------------- */

static const struct {
    const char *name;
    const char *printed;
    enum expr_action action;
} set_functions[] = {
    {"set_add", "SET_ADD", EXPR_ADD},
    {"set_delete", "SET_DELETE", EXPR_DELETE},
};

/* The index of the function that the node calls; COUNT(set_functions) for other functions. */
static size_t set_function(const struct partiql_values *v, const struct partiql_node *n)
{
    size_t i = 0;

    if (n->kind != PQ_NODE_CALL)
        return COUNT(set_functions);
    while (i < COUNT(set_functions) &&
           !span_is(partiql_node_name(v->arena, n), set_functions[i].name))
        i++;
    return i;
}

static const struct error *check_first_argument(const struct partiql_values *v,
                                                const struct partiql_node *call,
                                                const struct path *target, const char *function)
{
    const struct partiql_node *first = call->child[0];
    struct path path;
    const struct error *e;

    if (first->kind == PQ_NODE_PATH) {
        if ((e = partiql_read_path(v, first, &path)))
            return e;
        if (path_equal(&path, target))
            return NULL;
    }
    return partiql_fault_at(v,
                            arena_printf(v->arena,
                                         "The first argument to %s must equal the assignment value",
                                         function),
                            call->token);
}

static const struct error *set_change(const struct partiql_values *v,
                                      const struct partiql_node *call, size_t which,
                                      struct clause *clause)
{
    const char *function = set_functions[which].printed;
    struct attr *value = arena_alloc(v->arena, sizeof *value);
    const struct error *e;

    if (call->count != 2)
        return partiql_fault_at(
            v, arena_printf(v->arena, "%s must have exactly two arguments", function), call->token);
    if ((e = check_first_argument(v, call, &clause->target, function)))
        return e;
    if (call->child[1]->kind == PQ_NODE_BAG || call->child[1]->kind == PQ_NODE_PARAMETER) {
        if ((e = partiql_read_value(v, call->child[1], value)))
            return e;
    }
    if (!attr_is_set(value->type))
        return partiql_fault_at(
            v,
            arena_printf(v->arena, "The second argument to %s must be a value with type SET",
                         function),
            call->child[0]->token);
    clause->action = set_functions[which].action;
    clause->operand = expr_node_of_value(v->arena, value);
    return NULL;
}

/* --- values of SET -------------------------------------------------------------------------- */

/* path | value | list_append(…) | operand (+|-) operand */
static const struct error *read_operand(const struct partiql_values *v,
                                        const struct partiql_node *n, struct node **out)
{
    if (n->kind == PQ_NODE_PATH)
        return partiql_path_node(v, n, out);
    if (n->kind == PQ_NODE_CALL) {
        if (set_function(v, n) < COUNT(set_functions))
            return partiql_no_value(v, n);
        if (expr_function_kind(partiql_node_name(v->arena, n)) != NODE_LIST_APPEND)
            return partiql_unknown_function(v, n);
        return partiql_read_children(v, n, NODE_LIST_APPEND, read_operand, out);
    }
    if (n->kind == PQ_NODE_BINARY && (n->token->kind == PQ_PLUS || n->token->kind == PQ_MINUS))
        return partiql_read_children(v, n, n->token->kind == PQ_PLUS ? NODE_PLUS : NODE_MINUS,
                                     read_operand, out);
    return partiql_value_node(v, n, out);
}

/* --- clauses -------------------------------------------------------------------------------- */

static const struct error *read_clause(const struct partiql_values *v,
                                       const struct partiql_assignment *assignment,
                                       struct clause *clause)
{
    const struct error *e = partiql_read_path(v, assignment->target, &clause->target);
    size_t which;

    clause->action = assignment->action;
    if (e || !assignment->value)
        return e;
    which = set_function(v, assignment->value);
    if (which < COUNT(set_functions))
        return set_change(v, assignment->value, which, clause);
    if ((e = read_operand(v, assignment->value, &clause->operand)))
        return e;
    return expr_check_types(v->arena, NULL, clause->operand);
}

const struct error *partiql_read_update(const struct partiql_values *v,
                                        const struct partiql_syntax *s, struct expr_update **out)
{
    struct expr_update *u = expr_update_new(v->arena, NULL);
    const struct path **targets = arena_array(v->arena, s->assignment_count, sizeof *targets);
    const struct error *e;

    for (size_t i = 0; i < s->assignment_count; i++)
        if ((e = read_clause(v, &s->assignments[i], expr_update_clause(v->arena, u))))
            return e;
    for (size_t i = 0; i < u->len; i++)
        targets[i] = &u->at[i].target;
    *out = u;
    return expr_check_clashes(v->arena, NULL, targets, u->len);
}
