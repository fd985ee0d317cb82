#include "partiql/partiql_value.h"

#include "expr/expr_types.h"

static const struct error *read_predicate(const struct partiql_values *v,
                                          const struct partiql_node *n, struct node **out);

/* --- errors --------------------------------------------------------------------------------- */

/* `what`, with its end and the node's name appended. */
static const struct error *unsupported_node(const struct partiql_values *v, const char *what,
                                            const struct partiql_node *n)
{
    struct buf message = buf_in(v->arena);

    buf_add_text(&message, what);
    buf_add_span(&message, partiql_node_name(v->arena, n));
    return error_written(&message, ERROR_WHY(CAUSE_STATEMENT, .place = n->token->text));
}

static const struct error *unsupported_operator(const struct partiql_values *v,
                                                const struct partiql_node *n)
{
    return unsupported_node(v, "Unsupported operator in Condition Expression. Operator: ", n);
}

static const struct error *unsupported_operation(const struct partiql_values *v,
                                                 const struct partiql_node *n)
{
    return unsupported_node(v, "Unsupported operation: ", n);
}

/* --- operands ------------------------------------------------------------------------------- */

static enum node_kind function_kind(const struct partiql_values *v, const struct partiql_node *call)
{
    return expr_function_kind(partiql_node_name(v->arena, call));
}

static bool is_condition_function(enum node_kind kind)
{
    return kind != NODE_UNKNOWN && expr_rule(kind)->form == CONDITION_FUNCTION;
}

static const struct error *read_operand(const struct partiql_values *v,
                                        const struct partiql_node *n, struct node **out);

static const struct error *read_call(const struct partiql_values *v, const struct partiql_node *n,
                                     enum node_kind kind, struct node **out)
{
    if (!is_condition_function(kind))
        return partiql_unknown_function(v, n);
    return partiql_read_children(v, n, kind, read_operand, out);
}

/* path | value | size(path) */
static const struct error *read_operand(const struct partiql_values *v,
                                        const struct partiql_node *n, struct node **out)
{
    enum node_kind kind;

    switch (n->kind) {
    case PQ_NODE_PATH:
        return partiql_path_node(v, n, out);
    case PQ_NODE_LITERAL:
    case PQ_NODE_PARAMETER:
    case PQ_NODE_LIST:
    case PQ_NODE_BAG:
    case PQ_NODE_STRUCT:
        return partiql_value_node(v, n, out);
    case PQ_NODE_CALL:
        kind = function_kind(v, n);
        if (is_condition_function(kind) && kind != NODE_SIZE)
            return unsupported_operator(v, n);
        return read_call(v, n, kind, out);
    case PQ_NODE_SELECT:
        return unsupported_operation(v, n);
    default:
        return unsupported_operator(v, n);
    }
}

/* --- predicates ----------------------------------------------------------------------------- */

static struct node *negated_node(const struct partiql_values *v, struct node *n)
{
    return expr_node(v->arena, NODE_NOT, &n, 1);
}

static enum node_kind comparator_kind(const struct partiql_node *n)
{
    switch (n->token->kind) {
    case PQ_EQ:
        return NODE_EQ;
    case PQ_NE:
        return NODE_NE;
    case PQ_LT:
        return NODE_LT;
    case PQ_LE:
        return NODE_LE;
    case PQ_GT:
        return NODE_GT;
    case PQ_GE:
        return NODE_GE;
    default:
        return NODE_UNKNOWN;
    }
}

static bool is_predicate(const struct partiql_values *v, const struct partiql_node *n)
{
    enum node_kind kind;

    switch (n->kind) {
    case PQ_NODE_NOT:
    case PQ_NODE_AND:
    case PQ_NODE_OR:
    case PQ_NODE_BETWEEN:
    case PQ_NODE_IN:
    case PQ_NODE_IS:
        return true;
    case PQ_NODE_BINARY:
        return comparator_kind(n) != NODE_UNKNOWN;
    case PQ_NODE_CALL:
        kind = function_kind(v, n);
        return is_condition_function(kind) && kind != NODE_SIZE;
    default:
        return false;
    }
}

/* attribute_exists(a) = false: only a boolean can equal the result of a predicate. */
static const struct error *compare_predicate(const struct partiql_values *v,
                                             const struct partiql_node *n, bool equal,
                                             const struct partiql_node *tested,
                                             const struct partiql_node *with, struct node **out)
{
    struct attr value;
    struct node *held;
    const struct error *e;

    if ((e = read_predicate(v, tested, &held)))
        return e;
    if (with->kind == PQ_NODE_PATH || is_predicate(v, with))
        return unsupported_operator(v, n);
    if ((e = partiql_read_value(v, with, &value)))
        return e;
    if (value.type != ATTR_BOOL) {
        struct node *nothing = NULL;

        /* A condition that is always or never true: an empty join. */
        *out = expr_node(v->arena, equal ? NODE_OR : NODE_AND, &nothing, 0);
    } else
        *out = value.boolean == equal ? held : negated_node(v, held);
    return NULL;
}

static bool is_missing(const struct partiql_node *n)
{
    return n->kind == PQ_NODE_LITERAL && n->token->kind == PQ_MISSING;
}

static const struct error *read_comparison(const struct partiql_values *v,
                                           const struct partiql_node *n, struct node **out)
{
    enum node_kind kind = comparator_kind(n);
    const struct partiql_node *left = n->child[0], *right = n->child[1];
    struct node *operands[2];
    const struct error *e;

    if (kind == NODE_UNKNOWN)
        return unsupported_operator(v, n);
    if (kind == NODE_EQ || kind == NODE_NE) {
        if (is_predicate(v, left))
            return compare_predicate(v, n, kind == NODE_EQ, left, right, out);
        if (is_predicate(v, right))
            return compare_predicate(v, n, kind == NODE_EQ, right, left, out);
    }
    if (is_missing(left) || is_missing(right)) {
        struct node *tested;

        /* a = MISSING and a <> MISSING mean the same as IS. */
        if (kind != NODE_EQ && kind != NODE_NE)
            return error_validation(v->arena,
                                    "Incorrect operand type for operator or function; operator or "
                                    "function: %s, operand type: MISSING",
                                    expr_rule(kind)->name);
        if ((e = read_operand(v, n->child[is_missing(n->child[0])], &tested)))
            return e;
        *out = expr_node(v->arena,
                         kind == NODE_EQ ? NODE_ATTRIBUTE_NOT_EXISTS : NODE_ATTRIBUTE_EXISTS,
                         &tested, 1);
        return NULL;
    }
    if ((e = read_operand(v, left, &operands[0])) || (e = read_operand(v, right, &operands[1])))
        return e;
    *out = expr_node(v->arena, kind, operands, 2);
    return NULL;
}

static const struct error *read_in(const struct partiql_values *v, const struct partiql_node *n,
                                   struct node **out)
{
    const struct partiql_node *list = n->child[1];
    struct node **operands = arena_array(v->arena, list->count + 1, sizeof(struct node *));
    const struct error *e;

    if (list->kind != PQ_NODE_LIST)
        return unsupported_operator(v, n);
    if ((e = read_operand(v, n->child[0], &operands[0])))
        return e;
    for (size_t i = 0; i < list->count; i++)
        if ((e = read_operand(v, list->child[i], &operands[i + 1])))
            return e;
    *out = expr_node(v->arena, NODE_IN, operands, list->count + 1);
    expr_order_values(v->arena, *out);
    return NULL;
}

static struct node *has_type(const struct partiql_values *v, struct node *tested,
                             enum attr_type type)
{
    struct attr *code = arena_alloc(v->arena, sizeof *code);

    *code = (struct attr){.type = ATTR_S, .bytes = span_of(attr_type_code(type))};
    return expr_node(v->arena, NODE_ATTRIBUTE_TYPE,
                     (struct node *[]){tested, expr_node_of_value(v->arena, code)}, 2);
}

static const struct error *read_is(const struct partiql_values *v, const struct partiql_node *n,
                                   struct node **out)
{
    struct node *tested = NULL;
    const struct error *e = read_operand(v, n->child[0], &tested);

    if (e)
        return e;
    if (n->type->kind != PQ_MISSING) {
        struct node *tests[ATTR_TYPE_COUNT];
        size_t count = 0;
        unsigned types;

        /* One test for each attribute type that the word means. */
        if (!partiql_type_of_word(n->type->word, &types) || !types)
            return partiql_no_type(v, n);
        for (unsigned type = 0; type < ATTR_TYPE_COUNT; type++)
            if (types & 1U << type)
                tests[count++] = has_type(v, tested, (enum attr_type)type);
        *out = count == 1 ? tests[0] : expr_node(v->arena, NODE_OR, tests, count);
        return NULL;
    }
    *out = expr_node(v->arena, NODE_ATTRIBUTE_NOT_EXISTS, &tested, 1);
    return NULL;
}

static const struct error *plain_predicate(const struct partiql_values *v,
                                           const struct partiql_node *n, struct node **out)
{
    enum node_kind kind;

    switch (n->kind) {
    case PQ_NODE_NOT:
        return read_predicate(v, n->child[0], out);
    case PQ_NODE_AND:
    case PQ_NODE_OR:
        return partiql_read_children(v, n, n->kind == PQ_NODE_AND ? NODE_AND : NODE_OR,
                                     read_predicate, out);
    case PQ_NODE_BINARY:
        return read_comparison(v, n, out);
    case PQ_NODE_BETWEEN:
        return partiql_read_children(v, n, NODE_BETWEEN, read_operand, out);
    case PQ_NODE_IN:
        return read_in(v, n, out);
    case PQ_NODE_IS:
        return read_is(v, n, out);
    case PQ_NODE_SIGN:
        return unsupported_operator(v, n);
    case PQ_NODE_CALL:
        kind = function_kind(v, n);
        if (kind != NODE_SIZE)
            return read_call(v, n, kind, out);
        return unsupported_operation(v, n);
    default:
        return unsupported_operation(v, n);
    }
}

static const struct error *read_predicate(const struct partiql_values *v,
                                          const struct partiql_node *n, struct node **out)
{
    const struct error *e = plain_predicate(v, n, out);

    if (!e && (n->negated || n->kind == PQ_NODE_NOT))
        *out = negated_node(v, *out);
    return e;
}

const struct error *partiql_read_condition(const struct partiql_values *v,
                                           const struct partiql_node *where, struct expr_cond **out)
{
    struct node *root = NULL;
    const struct error *e = read_predicate(v, where, &root);

    if (!e)
        e = expr_check_types(v->arena, NULL, root);
    if (!e)
        *out = expr_cond_of(v->arena, root);
    return e;
}
