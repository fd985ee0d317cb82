#include "partiql/partiql_parser.h"

#include "base/ascii.h"
#include "base/one_more.h"

void *partiql_fail(struct partiql_parser *p, const char *detail)
{
    if (p->error)
        return NULL;
    p->error = error_validation(p->arena, "Statement wasn't well formed, can't be processed: %s",
                                detail);
    if (p->token)
        p->error = error_because(p->arena, p->error,
                                 ERROR_WHY(CAUSE_STATEMENT, .place = p->token->text));
    return NULL;
}

bool partiql_accept(struct partiql_parser *p, enum partiql_token_kind kind)
{
    if (!partiql_at(p, kind))
        return false;
    p->token++;
    return true;
}

bool partiql_expect(struct partiql_parser *p, enum partiql_token_kind kind, const char *detail)
{
    return partiql_accept(p, kind) || partiql_fail(p, detail);
}

void partiql_nodes_add(struct arena *a, struct partiql_nodes *list, struct partiql_node *n)
{
    list->at = one_more(a, list->at, list->len, sizeof(struct partiql_node *));
    list->at[list->len++] = n;
}

/* --- nodes ---------------------------------------------------------------------------------- */

static struct partiql_node *new_node(struct partiql_parser *p, enum partiql_node_kind kind,
                                     const struct partiql_token *token)
{
    struct partiql_node *n = arena_alloc(p->arena, sizeof *n);

    n->kind = kind;
    n->token = token;
    n->height = 1;
    return n;
}

static void *too_deep(struct partiql_parser *p)
{
    return partiql_fail(p, "Nesting levels have exceeded supported limits");
}

static struct partiql_node *parent_of(struct partiql_parser *p, enum partiql_node_kind kind,
                                      const struct partiql_token *token,
                                      const struct partiql_nodes *children)
{
    struct partiql_node *n = new_node(p, kind, token);

    n->child = children->at;
    n->count = children->len;
    for (size_t i = 0; i < n->count; i++)
        if (n->child[i]->height >= n->height)
            n->height = n->child[i]->height + 1;
    return n->height > PARTIQL_MAX_DEPTH ? too_deep(p) : n;
}

static struct partiql_node *parent_of_two(struct partiql_parser *p, enum partiql_node_kind kind,
                                          const struct partiql_token *token,
                                          struct partiql_node *first, struct partiql_node *second)
{
    struct partiql_nodes children = {NULL, 0};

    partiql_nodes_add(p->arena, &children, first);
    if (second)
        partiql_nodes_add(p->arena, &children, second);
    return parent_of(p, kind, token, &children);
}

/* --- paths ---------------------------------------------------------------------------------- */

/* Behind the step that the token is of, with its bracket. */
static const char *step_end(const struct partiql_token *token, bool in_brackets)
{
    const char *end = span_end(token->text);

    while (in_brackets && *end != ']')
        end++;
    return end + in_brackets;
}

struct error_why partiql_step_why(const struct partiql_node *path, size_t step)
{
    const struct partiql_step *at = &path->steps[step], *before = at - 1;
    const char *from = path->token->text.at;
    const char *to = step_end(before->token, before->kind == PQ_STEP_INDEX);
    bool in_brackets = at->kind == PQ_STEP_OTHER || at->token[1].kind == PQ_BRACKET_CLOSE;

    return ERROR_WHY(CAUSE_STATEMENT_ALL, .operand = {from, (size_t)(to - from)},
                     .place = {from, (size_t)(step_end(at->token, in_brackets) - from)});
}

static void add_step(struct partiql_parser *p, struct partiql_node *path,
                     const struct partiql_step *step)
{
    path->steps = one_more(p->arena, path->steps, path->count, sizeof *step);
    path->steps[path->count++] = *step;
}

/* Parses the step after a dot. */
static bool name_step(struct partiql_parser *p, bool simple, struct partiql_step *out)
{
    *out = (struct partiql_step){.token = p->token};
    if (partiql_at_name(p) || (partiql_at(p, PQ_STAR) && !simple)) {
        out->kind = partiql_at_name(p) ? PQ_STEP_NAME : PQ_STEP_ALL;
        p->token++;
        return true;
    }
    return partiql_fail(p, partiql_at(p, PQ_STAR) ? "Invalid path dot component for simple path"
                                                  : "Invalid path dot component");
}

/* Parses the step in brackets. */
static bool index_step(struct partiql_parser *p, bool simple, struct partiql_step *out)
{
    const struct partiql_node *n;

    *out = (struct partiql_step){.token = p->token, .kind = PQ_STEP_ALL};
    if (!simple && partiql_accept(p, PQ_STAR))
        return partiql_expect(p, PQ_BRACKET_CLOSE, "Expected RIGHT_BRACKET");
    if (!(n = partiql_parse_expression(p)))
        return false;
    out->token = n->token;
    out->negative = n->negated;
    out->kind = PQ_STEP_OTHER;
    if (n->kind == PQ_NODE_LITERAL && n->token->kind == PQ_NUMBER &&
        span_is_all(n->token->text, ascii_is_digit))
        out->kind = PQ_STEP_INDEX;
    else if (simple)
        return partiql_fail(p, "Invalid path component for simple path");
    return partiql_expect(p, PQ_BRACKET_CLOSE, "Expected RIGHT_BRACKET");
}

static struct partiql_node *parse_path(struct partiql_parser *p, bool simple)
{
    struct partiql_node *n = new_node(p, PQ_NODE_PATH, p->token);
    struct partiql_step step = {.token = p->token, .kind = PQ_STEP_NAME};

    p->token++;
    add_step(p, n, &step);
    for (;;) {
        bool dot = partiql_accept(p, PQ_DOT);

        if (!dot && !partiql_accept(p, PQ_BRACKET))
            return n;
        if (!(dot ? name_step(p, simple, &step) : index_step(p, simple, &step)))
            return NULL;
        add_step(p, n, &step);
    }
}

struct partiql_node *partiql_parse_simple_path(struct partiql_parser *p)
{
    if (!partiql_at_name(p))
        return partiql_fail(p, "Expected identifier for simple path");
    return parse_path(p, true);
}

/* --- terms ---------------------------------------------------------------------------------- */

static bool comma_list(struct partiql_parser *p, struct partiql_nodes *out)
{
    do {
        struct partiql_node *n = partiql_parse_expression(p);

        if (!n)
            return false;
        partiql_nodes_add(p->arena, out, n);
    } while (partiql_accept(p, PQ_COMMA));
    return true;
}

/* Parses a list after its opening bracket; `detail` is the error for a missing closing one. */
static struct partiql_node *parse_collection(struct partiql_parser *p, enum partiql_node_kind kind,
                                             const struct partiql_token *token,
                                             enum partiql_token_kind close, const char *detail)
{
    struct partiql_nodes children = {NULL, 0};

    if (!partiql_accept(p, close) &&
        (!comma_list(p, &children) || !partiql_expect(p, close, detail)))
        return NULL;
    return parent_of(p, kind, token, &children);
}

static bool parse_fields(struct partiql_parser *p, struct partiql_nodes *out)
{
    do {
        struct partiql_node *name = partiql_parse_expression(p), *value;

        if (!name || !partiql_expect(p, PQ_COLON, "Expected COLON") ||
            !(value = partiql_parse_expression(p)))
            return false;
        partiql_nodes_add(p->arena, out, name);
        partiql_nodes_add(p->arena, out, value);
    } while (partiql_accept(p, PQ_COMMA));
    return true;
}

static struct partiql_node *parse_struct(struct partiql_parser *p,
                                         const struct partiql_token *token)
{
    struct partiql_nodes children = {NULL, 0};

    if (!partiql_accept(p, PQ_BRACE_CLOSE) &&
        (!parse_fields(p, &children) || !partiql_expect(p, PQ_BRACE_CLOSE, "Expected RIGHT_CURLY")))
        return NULL;
    return parent_of(p, PQ_NODE_STRUCT, token, &children);
}

/* Parentheses around one expression are a group, around several a list. */
static struct partiql_node *parse_group(struct partiql_parser *p, const struct partiql_token *token)
{
    struct partiql_node *n;

    if (partiql_at(p, PQ_CLOSE))
        return partiql_fail(p, "Expression group cannot be empty");
    n = parse_collection(p, PQ_NODE_LIST, token, PQ_CLOSE, "Expected RIGHT_PAREN");
    return n && n->count == 1 ? n->child[0] : n;
}

static struct partiql_node *parse_parameter(struct partiql_parser *p,
                                            const struct partiql_token *token)
{
    struct partiql_node *n = new_node(p, PQ_NODE_PARAMETER, token);

    n->parameter = p->parameters++;
    return n;
}

static struct partiql_node *parse_subquery(struct partiql_parser *p,
                                           const struct partiql_token *token)
{
    struct partiql_node *n = new_node(p, PQ_NODE_SELECT, token);

    n->subquery = partiql_parse_select(p);
    return n->subquery ? n : NULL;
}

static struct partiql_node *parse_term(struct partiql_parser *p)
{
    const struct partiql_token *token = p->token;

    if ((partiql_at_name(p) || partiql_at(p, PQ_FUNCTION)) && token[1].kind == PQ_OPEN) {
        const struct partiql_token *name = p->token;

        /* COUNT(*) and similar calls, which can occur only in a select list, which refuses them. */
        p->token += 2;
        if (name->kind == PQ_FUNCTION && partiql_at(p, PQ_STAR) && p->token[1].kind == PQ_CLOSE) {
            p->token += 2;
            return new_node(p, PQ_NODE_CALL, name);
        }
        return parse_collection(p, PQ_NODE_CALL, name, PQ_CLOSE, "Expected RIGHT_PAREN");
    }
    if (partiql_at_name(p))
        return parse_path(p, false);
    if (token->kind != PQ_END)
        p->token++;
    switch (token->kind) {
    case PQ_STRING:
    case PQ_NUMBER:
    case PQ_TRUE:
    case PQ_FALSE:
    case PQ_NULL:
    case PQ_MISSING:
        return new_node(p, PQ_NODE_LITERAL, token);
    case PQ_PARAMETER:
        return parse_parameter(p, token);
    case PQ_OPEN:
        return parse_group(p, token);
    case PQ_BRACKET:
        return parse_collection(p, PQ_NODE_LIST, token, PQ_BRACKET_CLOSE, "Expected RIGHT_BRACKET");
    case PQ_BAG:
        return parse_collection(p, PQ_NODE_BAG, token, PQ_BAG_CLOSE,
                                "Expected RIGHT_DOUBLE_ANGLE_BRACKET");
    case PQ_BRACE:
        return parse_struct(p, token);
    case PQ_SELECT:
        return parse_subquery(p, token);
    default:
        if (token->kind >= PQ_KEYWORD)
            return partiql_fail(p, "Unexpected keyword");
        return partiql_fail(p,
                            token->kind >= PQ_OPERATOR ? "Unexpected operator" : "Unexpected term");
    }
}

/* --- operators ------------------------------------------------------------------------------ */

enum precedence { LOWEST, OR, AND, NOT, EQUALITY, ORDER, ADDITION, MULTIPLICATION };

static struct partiql_node *parse_operators(struct partiql_parser *p, enum precedence above);

/* + and - before a number become part of the number. */
static struct partiql_node *signed_term(struct partiql_parser *p, const struct partiql_token *sign,
                                        struct partiql_node *n)
{
    if (!n || n->kind != PQ_NODE_LITERAL || n->token->kind != PQ_NUMBER)
        return n ? parent_of_two(p, PQ_NODE_SIGN, sign, n, NULL) : NULL;
    if (sign->kind == PQ_MINUS)
        n->negated = !n->negated;
    return n;
}

static struct partiql_node *unary_term(struct partiql_parser *p)
{
    const struct partiql_token *token = p->token;
    struct partiql_node *n;

    if (p->depth++ >= PARTIQL_MAX_DEPTH)
        return too_deep(p);
    if (partiql_accept(p, PQ_NOT))
        n = (n = parse_operators(p, NOT)) ? parent_of_two(p, PQ_NODE_NOT, token, n, NULL) : NULL;
    else if (partiql_accept(p, PQ_PLUS) || partiql_accept(p, PQ_MINUS))
        n = signed_term(p, token, unary_term(p));
    else
        n = parse_term(p);
    p->depth--;
    return n;
}

/* NOT IN, NOT BETWEEN and NOT LIKE are one operator. */
static const struct partiql_token *infix_token(const struct partiql_parser *p)
{
    const struct partiql_token *next = p->token + 1;

    if (p->token->kind == PQ_NOT &&
        (next->kind == PQ_IN || next->kind == PQ_BETWEEN || span_is(next->word, "like")))
        return next;
    return p->token;
}

static enum precedence precedence_of(const struct partiql_token *op)
{
    switch (op->kind) {
    case PQ_OR:
        return OR;
    case PQ_AND:
        return AND;
    case PQ_EQ:
    case PQ_NE:
    case PQ_IS:
    case PQ_IN:
        return EQUALITY;
    case PQ_LT:
    case PQ_LE:
    case PQ_GT:
    case PQ_GE:
    case PQ_BETWEEN:
        return ORDER;
    case PQ_PLUS:
    case PQ_MINUS:
        return ADDITION;
    case PQ_STAR:
        return MULTIPLICATION;
    case PQ_OPERATOR:
        if (span_is(op->word, "like"))
            return ORDER;
        if (span_is(op->word, "||"))
            return ADDITION;
        return span_is(op->word, "/") || span_is(op->word, "%") ? MULTIPLICATION : LOWEST;
    default:
        return LOWEST;
    }
}

static struct partiql_node *right_side(struct partiql_parser *p, enum precedence above)
{
    if (partiql_at(p, PQ_END))
        return partiql_fail(p, "Missing right-hand side expression of infix operator");
    return parse_operators(p, above);
}

static struct partiql_node *is_type(struct partiql_parser *p, const struct partiql_token *op,
                                    struct partiql_node *left)
{
    bool negated = partiql_accept(p, PQ_NOT), two_words;
    struct partiql_node *n;
    unsigned types;

    two_words = p->token->kind == PQ_KEYWORD && p->token[1].kind == PQ_KEYWORD &&
                partiql_completes_type(p->token->word, p->token[1].word);
    if (!two_words &&
        (p->token->kind < PQ_KEYWORD || !partiql_type_of_word(p->token->word, &types)))
        return partiql_fail(p, "Expected type name");
    if (!(n = parent_of_two(p, PQ_NODE_IS, op, left, NULL)))
        return NULL;
    p->token += two_words;
    n->type = p->token++;
    n->negated = negated;
    return n;
}

/* Parentheses after IN are always a list, also around one value. */
static struct partiql_node *in_list(struct partiql_parser *p, const struct partiql_token *op,
                                    struct partiql_node *left)
{
    const struct partiql_token *token = p->token;
    struct partiql_node *right;

    if (partiql_at(p, PQ_OPEN) && token[1].kind != PQ_SELECT) {
        p->token++;
        right = partiql_at(p, PQ_CLOSE)
                    ? partiql_fail(p, "Expression group cannot be empty")
                    : parse_collection(p, PQ_NODE_LIST, token, PQ_CLOSE, "Expected RIGHT_PAREN");
    } else {
        right = right_side(p, EQUALITY);
    }
    return right ? parent_of_two(p, PQ_NODE_IN, op, left, right) : NULL;
}

static struct partiql_node *parse_between(struct partiql_parser *p, const struct partiql_token *op,
                                          struct partiql_node *left)
{
    struct partiql_nodes operands = {NULL, 0};
    struct partiql_node *low = right_side(p, ORDER), *high;

    if (!low || !partiql_expect(p, PQ_AND, "Expected AND keyword"))
        return NULL;
    if (partiql_at(p, PQ_END) || partiql_at(p, PQ_SEMICOLON))
        return partiql_fail(p, "Expected expression after AND");
    if (!(high = parse_operators(p, ORDER)))
        return NULL;
    partiql_nodes_add(p->arena, &operands, left);
    partiql_nodes_add(p->arena, &operands, low);
    partiql_nodes_add(p->arena, &operands, high);
    return parent_of(p, PQ_NODE_BETWEEN, op, &operands);
}

/* a AND b AND c is one node, so that long chains do not nest. */
static struct partiql_node *parse_chain(struct partiql_parser *p, enum partiql_token_kind kind,
                                        struct partiql_node *left, enum precedence above)
{
    const struct partiql_token *op = p->token;
    struct partiql_nodes operands = {NULL, 0};

    partiql_nodes_add(p->arena, &operands, left);
    while (partiql_accept(p, kind)) {
        struct partiql_node *right = right_side(p, above);

        if (!right)
            return NULL;
        partiql_nodes_add(p->arena, &operands, right);
    }
    return parent_of(p, kind == PQ_AND ? PQ_NODE_AND : PQ_NODE_OR, op, &operands);
}

static struct partiql_node *infix_expression(struct partiql_parser *p, struct partiql_node *left,
                                             enum precedence precedence)
{
    const struct partiql_token *op = infix_token(p);
    bool negated = op != p->token;
    struct partiql_node *n;

    if (op->kind == PQ_AND || op->kind == PQ_OR)
        return parse_chain(p, op->kind, left, precedence);
    p->token = op + 1;
    switch (op->kind) {
    case PQ_IS:
        return is_type(p, op, left);
    case PQ_IN:
        n = in_list(p, op, left);
        break;
    case PQ_BETWEEN:
        n = parse_between(p, op, left);
        break;
    default:
        n = right_side(p, precedence);
        n = n ? parent_of_two(p, PQ_NODE_BINARY, op, left, n) : NULL;
    }
    if (n)
        n->negated = negated;
    return n;
}

/* Parses operators that bind tighter than `above`. */
static struct partiql_node *parse_operators(struct partiql_parser *p, enum precedence above)
{
    struct partiql_node *n = unary_term(p);

    while (n) {
        enum precedence precedence = precedence_of(infix_token(p));

        if (precedence <= above)
            break;
        n = infix_expression(p, n, precedence);
    }
    return n;
}

struct partiql_node *partiql_parse_expression(struct partiql_parser *p)
{
    return parse_operators(p, LOWEST);
}
