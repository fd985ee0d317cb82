#include "expr/expr_types.h"

#include "base/base64.h"
#include "expr/expr_check.h"
#include "expr/expr_fault.h"
#include "model/limits.h"

struct types {
    struct arena *arena;
    const char *parameter;
};

/* Sets *out if the operand's type is known. */
static bool static_type(const struct node *n, enum attr_type *out)
{
    if (n->kind != NODE_VALUE && n->kind != NODE_SIZE)
        return false;
    *out = n->kind == NODE_VALUE ? n->value->type : ATTR_N;
    return true;
}

static const struct error *wrong_type(const struct types *t, const struct node *n, const char *type,
                                      struct error_why why)
{
    const char *name = expr_rule(n->kind)->name;

    why.operand = span_of(name);
    return expr_fault(t->arena, t->parameter, why,
                      "Incorrect operand type for operator or function; operator or "
                      "function: %s, operand type: %s",
                      name, type);
}

static const struct error *check_path_first(const struct types *t, const struct node *n)
{
    const struct operator_rule *rule = expr_rule(n->kind);

    if (!rule->path_first || n->operands.at[0]->kind == NODE_PATH)
        return NULL;
    return expr_fault(
        t->arena, t->parameter,
        ERROR_WHY(CAUSE_NO_PATH, .place = n->operands.at[0]->text, .operand = span_of(rule->name)),
        "Operator or function requires a document path; operator or function: %s", rule->name);
}

static const struct error *check_distinct(const struct types *t, const struct node *n)
{
    const struct node *first;

    if (!expr_rule(n->kind)->distinct || (first = n->operands.at[0])->kind != NODE_PATH)
        return NULL;
    for (size_t i = 1; i < n->operands.len; i++) {
        const struct node *other = n->operands.at[i];
        struct buf message, path = buf_in(t->arena);

        if (other->kind != NODE_PATH || !path_equal(&first->path, &other->path))
            continue;
        message = expr_fault_begin(t->arena, t->parameter);
        buf_printf(&message,
                   "The first operand must be distinct from the remaining operands for this "
                   "operator or function; operator: %s, first operand: ",
                   expr_rule(n->kind)->name);
        path_print(&message, &first->path);
        path_add(&path, &first->path);
        return error_written(&message, ERROR_WHY(CAUSE_SAME_OPERANDS, .place = other->text,
                                                 .operand = buf_span(&path)));
    }
    return NULL;
}

static const struct error *check_operands(const struct types *t, const struct node *n)
{
    unsigned accepted = expr_rule(n->kind)->types;
    enum attr_type type;

    if (!accepted)
        return NULL;
    for (size_t i = 0; i < n->operands.len; i++)
        if (static_type(n->operands.at[i], &type) && !(accepted & 1U << type))
            return wrong_type(t, n, attr_type_code(type),
                              ERROR_WHY(CAUSE_OPERAND_TYPE, .place = n->operands.at[i]->text,
                                        .found = (int)type));
    return NULL;
}

/* --- rules of single operators ------------------------------------------------------------- */

static const struct error *check_attribute_type(const struct types *t, const struct node *n)
{
    const struct node *code = n->operands.at[1];
    const struct error_why why = {CAUSE_TYPE_NAME, .place = code->text};
    enum attr_type type, named;
    struct buf message;

    if (!static_type(code, &type))
        return wrong_type(t, n,
                          "{S,SS,N,NS,B,BS,BOOL,NULL,L,M,HD,DOUBLE,FLOAT,HDS,FS,DOUBLESET,DICT,"
                          "DECIMAL,INT,DECIMALSET,INTSET}",
                          why);
    if (type != ATTR_S)
        return wrong_type(t, n, attr_type_code(type), why);
    if (attr_type_of_code(code->value->bytes, &named))
        return NULL;
    message = expr_fault_begin(t->arena, t->parameter);
    buf_add_text(&message, "Invalid attribute type name found; type: ");
    buf_add_span(&message, code->value->bytes);
    buf_add_text(&message, t->parameter ? ", valid types: {S,SS,N,NS,B,BS,BOOL,NULL,L,M}"
                                        : ", valid types: {N,BS,L,B,NULL,M,S,SS,NS,BOOL}");
    return error_written(&message, why);
}

static void print_bound(struct buf *message, const char *label, const struct attr *value)
{
    buf_printf(message, "%s bound operand: AttributeValue: {%s:", label,
               attr_type_code(value->type));
    if (value->type == ATTR_B)
        base64_encode(message, value->bytes);
    else
        buf_add_span(message, value->bytes);
    buf_add_char(message, '}');
}

static const struct error *check_bounds(const struct types *t, const struct node *n)
{
    const struct node *low = n->operands.at[1], *high = n->operands.at[2];
    struct error_why why = {.place = low->text, .operand = low->text, .beside = high->text};
    const char *demand = NULL;
    struct buf message;

    if (low->kind != NODE_VALUE || high->kind != NODE_VALUE)
        return NULL;
    if (low->value->type != high->value->type)
        demand = "same data type for lower and upper bounds";
    else if (attr_compare(low->value, high->value) > 0)
        demand = "upper bound to be greater than or equal to lower bound";
    if (!demand)
        return NULL;
    message = expr_fault_begin(t->arena, t->parameter);
    buf_printf(&message, "The BETWEEN operator requires %s; ", demand);
    why.cause = low->value->type != high->value->type ? CAUSE_BOUND_TYPES : CAUSE_BOUND_ORDER;
    why.wanted = (int)low->value->type;
    why.found = (int)high->value->type;
    if (low->text.at)
        why.place.len = (size_t)(span_end(high->text) - low->text.at);
    print_bound(&message, "lower", low->value);
    buf_add_text(&message, ", ");
    print_bound(&message, "upper", high->value);
    return error_written(&message, why);
}

static const struct error *check_in_count(const struct types *t, const struct node *n)
{
    size_t count = n->operands.len - 1;

    if (count <= LIMIT_IN)
        return NULL;
    return expr_fault(
        t->arena, t->parameter, ERROR_WHY(CAUSE_IN_COUNT, .place = n->text, .count = count),
        "The IN operator is provided with too many operands; number of operands: %zu", count);
}

static const struct error *check_node(const struct types *t, const struct node *n)
{
    const struct error *e;

    if (n->kind == NODE_PATH || n->kind == NODE_VALUE)
        return NULL;
    for (size_t i = 0; i < n->operands.len; i++)
        if ((e = check_node(t, n->operands.at[i])))
            return e;
    if ((e = expr_check_count(t->arena, t->parameter, n)) || (e = check_path_first(t, n)) ||
        (e = check_distinct(t, n)) || (e = check_operands(t, n)))
        return e;
    switch (n->kind) {
    case NODE_ATTRIBUTE_TYPE:
        return check_attribute_type(t, n);
    case NODE_BETWEEN:
        return check_bounds(t, n);
    case NODE_IN:
        return check_in_count(t, n);
    default:
        return NULL;
    }
}

const struct error *expr_check_types(struct arena *a, const char *parameter, const struct node *n)
{
    return check_node(&(struct types){a, parameter}, n);
}

const struct error *expr_check_action_type(struct arena *a, const char *parameter,
                                           enum expr_action action, const struct node *operand)
{
    const struct attr *value = operand->value;

    if (attr_is_set(value->type) || (action == EXPR_ADD && value->type == ATTR_N))
        return NULL;
    return expr_fault(a, parameter,
                      ERROR_WHY(CAUSE_OPERAND_TYPE, .place = operand->text,
                                .operand = span_of(action == EXPR_ADD ? "ADD" : "DELETE"),
                                .found = (int)value->type),
                      "Incorrect operand type for operator or function; operator: "
                      "%s, operand type: %s, typeSet: ALLOWED_FOR_ADD_OPERAND",
                      action == EXPR_ADD ? "ADD" : "DELETE", attr_type_name(value->type));
}
