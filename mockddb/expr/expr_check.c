#include "expr/expr_check.h"

#include "expr/expr_fault.h"
#include "expr/expr_reserved.h"
#include "model/limits.h"

/* The place of a node decides which functions are allowed. */
enum node_place { AS_CONDITION, AS_OPERAND, AS_ARGUMENT };

struct checker {
    struct arena *arena;
    const char *parameter;
    bool in_update;
    size_t operators;
};

static const struct error *check_path(const struct checker *c, const struct path *path)
{
    for (size_t i = 0; i < path->len; i++) {
        const struct path_step *step = &path->at[i];

        if (step->is_index && step->index > INT32_MAX)
            return expr_fault(c->arena, c->parameter,
                              ERROR_WHY(CAUSE_MEMBER_HIGH,
                                        .operand = SPAN_LIT("the place in a list"),
                                        .place = step->name, .beside = SPAN_LIT("2147483647")),
                              "List index is not within the allowable range; index: [%.*s]",
                              SPAN_ARG(step->name));
        if (!step->is_index && expr_is_reserved(step->name))
            return expr_fault(c->arena, c->parameter,
                              ERROR_WHY(CAUSE_RESERVED_WORD, .place = step->name),
                              "Attribute name is a reserved keyword; reserved keyword: %.*s",
                              SPAN_ARG(step->name));
    }
    return NULL;
}

static bool is_misplaced(const struct checker *c, const struct node *n, enum node_place place)
{
    if (c->in_update)
        return n->kind == NODE_LIST_APPEND && place == AS_ARGUMENT;
    return expr_rule(n->kind)->form == CONDITION_FUNCTION &&
           expr_rule(n->kind)->is_condition != (place == AS_CONDITION);
}

static const struct error *check_function(const struct checker *c, const struct node *n,
                                          enum node_place place)
{
    const char *problem = NULL;

    if (n->kind == NODE_UNKNOWN)
        return expr_fault(c->arena, c->parameter, ERROR_WHY(CAUSE_FUNCTION, .place = n->text),
                          "Invalid function name; function: %.*s", SPAN_ARG(n->text));
    if (is_misplaced(c, n, place))
        problem = "to be used this way in an expression";
    else if (c->in_update && expr_rule(n->kind)->form == CONDITION_FUNCTION)
        problem = "in an update expression";
    else if (!c->in_update && expr_rule(n->kind)->form == UPDATE_FUNCTION)
        problem = "in a condition expression";
    if (!problem)
        return NULL;
    return expr_fault(c->arena, c->parameter, ERROR_WHY(CAUSE_MISPLACED, .place = n->text),
                      "The function is not allowed %s; function: %s", problem,
                      expr_rule(n->kind)->name);
}

static const struct error *count_operators(struct checker *c, const struct node *n)
{
    bool joins = n->kind == NODE_AND || n->kind == NODE_OR;

    c->operators += joins ? n->operands.len - 1 : 1;
    if (c->operators <= LIMIT_OPERATORS)
        return NULL;
    return expr_fault_operators(c->arena, c->parameter);
}

static enum node_place place_of_operands(const struct node *n)
{
    if (n->kind == NODE_AND || n->kind == NODE_OR || n->kind == NODE_NOT)
        return AS_CONDITION;
    return expr_rule(n->kind)->form == OPERATOR ? AS_OPERAND : AS_ARGUMENT;
}

static const struct error *check_node(struct checker *c, const struct node *n,
                                      enum node_place place)
{
    const struct error *e;

    if (n->kind == NODE_PATH)
        return check_path(c, &n->path);
    if (n->kind == NODE_VALUE)
        return NULL;
    if ((e = check_function(c, n, place)) || (e = count_operators(c, n)))
        return e;
    for (size_t i = 0; i < n->operands.len; i++)
        if ((e = check_node(c, n->operands.at[i], place_of_operands(n))))
            return e;
    return c->in_update ? NULL : expr_check_count(c->arena, c->parameter, n);
}

const struct error *expr_check_count(struct arena *a, const char *parameter,
                                     const struct node *call)
{
    const struct operator_rule *rule = expr_rule(call->kind);

    if (rule->form == OPERATOR || call->operands.len == rule->operand_count)
        return NULL;
    return expr_fault(a, parameter,
                      ERROR_WHY(CAUSE_OPERAND_COUNT, .place = call->text,
                                .operand = span_of(rule->name), .count = call->operands.len),
                      "Incorrect number of operands for operator or function; "
                      "operator or function: %s, number of operands: %zu",
                      rule->name, call->operands.len);
}

const struct error *expr_check_condition(struct arena *a, const char *parameter,
                                         const struct node *root)
{
    struct checker c = {.arena = a, .parameter = parameter};

    return check_node(&c, root, AS_CONDITION);
}

const struct error *expr_check_projection(struct arena *a, const char *parameter,
                                          const struct path *paths, size_t count)
{
    struct checker c = {.arena = a, .parameter = parameter};
    const struct error *e;

    for (size_t i = 0; i < count; i++)
        if ((e = check_path(&c, &paths[i])))
            return e;
    return NULL;
}

const struct error *expr_check_update(struct arena *a, const char *parameter,
                                      const struct expr_update *u)
{
    struct checker c = {.arena = a, .parameter = parameter, .in_update = true};
    const struct error *e;

    for (size_t i = 0; i < u->len; i++) {
        const struct clause *clause = &u->at[i];

        if ((e = check_path(&c, &clause->target)))
            return e;
        if (clause->operand && (e = check_node(&c, clause->operand, AS_OPERAND)))
            return e;
    }
    if (u->repeated)
        return expr_fault(a, parameter, ERROR_WHY(CAUSE_SECTION_TWICE, .place = u->repeated_at),
                          "The \"%s\" section can only be used once in an update expression;",
                          u->repeated);
    return NULL;
}
