#include "expr/expr_print.h"

#include "base/utf8.h"
#include "expr/expr_ast.h"
#include "model/item_codec.h"

#define SHOWN_BYTES ((size_t)120) /* of a value */

/* --- parts ------------------------------------------------------------------------------------ */

static struct expr_parts joined(struct arena *a, const struct expr_cond *cond, enum node_kind kind)
{
    struct expr_parts parts = {NULL, 0};
    struct buf operands = buf_in(a);
    struct node *const *node;

    if (!cond)
        return parts;
    expr_node_joined(cond->root, kind, &operands);
    node = (struct node *const *)(const void *)operands.at;
    parts.len = operands.len / sizeof(struct node *);
    parts.at = arena_array(a, parts.len, sizeof(struct expr_cond *));
    for (size_t i = 0; i < parts.len; i++)
        parts.at[i] = expr_cond_of(a, node[i]);
    return parts;
}

struct expr_parts expr_condition_parts(struct arena *a, const struct expr_cond *cond)
{
    return joined(a, cond, NODE_AND);
}

struct expr_parts expr_condition_choices(struct arena *a, const struct expr_cond *cond)
{
    return joined(a, cond, NODE_OR);
}

/* --- text ------------------------------------------------------------------------------------- */

static void print_text(struct buf *out, struct span text)
{
    struct span shown = utf8_cut(text, SHOWN_BYTES);

    buf_add_json_string(out, shown);
    if (shown.len < text.len)
        buf_add_text(out, "…");
}

void expr_print_value(struct buf *out, const struct attr *value)
{
    struct buf json = buf_in(out->arena);

    switch (value->type) {
    case ATTR_S:
        print_text(out, value->bytes);
        return;
    case ATTR_N:
        buf_add_span(out, value->bytes);
        return;
    case ATTR_B:
        buf_printf(out, "<%zu bytes>", value->bytes.len);
        return;
    case ATTR_BOOL:
        buf_add_text(out, value->boolean ? "true" : "false");
        return;
    default:
        attr_encode(&json, value);
        if (json.len > SHOWN_BYTES)
            buf_printf(out, "<%s>", attr_type_code(value->type));
        else
            buf_add_span(out, buf_span(&json));
    }
}

static void print_node(struct buf *out, const struct node *n, bool inside);

static void print_list(struct buf *out, const struct node *n, size_t first, const char *between)
{
    for (size_t i = first; i < n->operands.len; i++) {
        if (i > first)
            buf_add_text(out, between);
        print_node(out, n->operands.at[i], true);
    }
}

static void print_operator(struct buf *out, const struct node *n)
{
    const char *name = expr_rule(n->kind)->name;

    switch (n->kind) {
    case NODE_AND:
    case NODE_OR:
        print_list(out, n, 0, n->kind == NODE_AND ? " AND " : " OR ");
        return;
    case NODE_NOT:
        buf_add_text(out, "NOT ");
        print_node(out, n->operands.at[0], true);
        return;
    case NODE_BETWEEN:
        print_node(out, n->operands.at[0], true);
        buf_add_text(out, " BETWEEN ");
        print_list(out, n, 1, " AND ");
        return;
    case NODE_IN:
        print_node(out, n->operands.at[0], true);
        buf_add_text(out, " IN (");
        print_list(out, n, 1, ", ");
        buf_add_char(out, ')');
        return;
    default:
        print_node(out, n->operands.at[0], true);
        buf_printf(out, " %s ", name);
        print_node(out, n->operands.at[1], true);
    }
}

/* A nested AND or OR is printed in parentheses. */
static void print_node(struct buf *out, const struct node *n, bool inside)
{
    const struct operator_rule *rule;

    if (n->kind == NODE_PATH) {
        path_add(out, &n->path);
    } else if (n->kind == NODE_VALUE) {
        if (n->text.len)
            buf_add_span(out, n->text);
        else
            expr_print_value(out, n->value);
    } else if ((rule = expr_rule(n->kind))->form != OPERATOR) {
        buf_printf(out, "%s(", rule->name);
        print_list(out, n, 0, ", ");
        buf_add_char(out, ')');
    } else {
        bool closed = inside && (n->kind == NODE_AND || n->kind == NODE_OR);

        if (closed)
            buf_add_char(out, '(');
        print_operator(out, n);
        if (closed)
            buf_add_char(out, ')');
    }
}

void expr_print_condition(struct buf *out, const struct expr_cond *cond)
{
    print_node(out, cond->root, false);
}

/* --- one comparison --------------------------------------------------------------------------- */

bool expr_as_comparison(const struct expr_cond *part, struct expr_comparison *out)
{
    const struct node *n = part->root, *left, *right, *high = NULL;
    const struct operator_rule *rule = expr_rule(n->kind);
    bool flipped;

    if (!rule->compares)
        return false;
    left = n->operands.at[0];
    right = n->operands.len > 1 ? n->operands.at[1] : NULL;
    /* Only comparators may swap: `:v BETWEEN a AND b` is not a test of one attribute. */
    flipped = right && n->kind >= NODE_EQ && n->kind <= NODE_GE && left->kind == NODE_VALUE &&
              right->kind == NODE_PATH;
    *out = (struct expr_comparison){.op = flipped ? rule->flipped : rule->op};
    if (flipped) {
        left = right;
        right = n->operands.at[0];
    }
    if (n->kind == NODE_BETWEEN)
        high = n->operands.at[2];
    if (left->kind != NODE_PATH || (right && right->kind != NODE_VALUE) ||
        (high && high->kind != NODE_VALUE))
        return false;
    out->path = &left->path;
    out->value = right ? right->value : NULL;
    out->second = high ? high->value : NULL;
    return true;
}

const struct attr **expr_choices(struct arena *a, const struct expr_cond *part, size_t *count)
{
    const struct node *n = part->root;
    const struct attr **out = arena_array(a, n->operands.len, sizeof *out);

    *count = 0;
    for (size_t i = 0; (n->kind == NODE_EQ || n->kind == NODE_IN) && i < n->operands.len; i++)
        if (n->operands.at[i]->kind == NODE_VALUE)
            out[(*count)++] = n->operands.at[i]->value;
    return out;
}

const struct path *expr_measured_path(const struct expr_cond *part, bool *is_size,
                                      const struct attr **wrong)
{
    const struct node *n = part->root;
    const struct path *path = NULL;

    *is_size = false;
    *wrong = NULL;
    if (n->kind == NODE_ATTRIBUTE_TYPE && n->operands.at[0]->kind == NODE_PATH)
        return &n->operands.at[0]->path;
    if (n->kind < NODE_EQ || n->kind > NODE_IN)
        return NULL;
    *is_size = true;
    for (size_t i = 0; i < n->operands.len; i++) {
        const struct node *operand = n->operands.at[i];

        if (operand->kind == NODE_VALUE && (!*wrong || (*wrong)->type != ATTR_N))
            *wrong = operand->value;
        if (operand->kind == NODE_SIZE && operand->operands.at[0]->kind == NODE_PATH && !path)
            path = &operand->operands.at[0]->path;
    }
    if (*wrong && (*wrong)->type == ATTR_N)
        *wrong = NULL;
    return path;
}
