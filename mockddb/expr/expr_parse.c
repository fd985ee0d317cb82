#include "expr/expr_parse.h"

#include "expr/expr_fault.h"
#include "expr/expr_lex.h"
#include "model/limits.h"

/* How many parentheses and calls may be open at once. Each group of a valid expression must hold
 * more than another group, so with 300 operators it cannot nest deeper than this. */
#define MAX_DEPTH (2 * LIMIT_OPERATORS + 40)

struct expr_parser {
    struct arena *arena;
    const char *parameter;
    struct lexer lexer;
    struct token previous, token;
    size_t position; /* of `token`, counted in tokens from 1 */
    size_t depth;
    size_t calls;
    size_t group_open, group_close; /* positions of the brackets of the last closed group */
    struct buf steps;               /* of the path being read: struct path_step */
    const struct error *error;      /* the first one; parsing stops there */
};

/* --- tokens and errors --------------------------------------------------------------------- */

/* The functions below return NULL or false once p->error is set. */
static void *syntax_error(struct expr_parser *p)
{
    struct buf message = expr_fault_begin(p->arena, p->parameter);
    struct token next = expr_lex(&p->lexer);
    const char *begin = p->previous.text.at ? p->previous.text.at : p->token.text.at;
    const char *end = next.text.at + next.text.len;

    if (p->token.kind == TOKEN_END)
        end = begin + p->previous.text.len;
    else if (next.kind == TOKEN_END)
        end = p->token.text.at + p->token.text.len;
    buf_add_text(&message, "Syntax error; token: \"");
    buf_add_span(&message, p->token.kind == TOKEN_END ? SPAN_LIT("<EOF>") : p->token.text);
    buf_add_text(&message, "\", near: \"");
    buf_add(&message, begin, (size_t)(end - begin));
    buf_add_char(&message, '"');
    p->error = error_written(&message, ERROR_WHY(CAUSE_SYNTAX, .place = p->token.text));
    return NULL;
}

static void *redundant_parentheses(struct expr_parser *p)
{
    p->error = expr_fault(p->arena, p->parameter, ERROR_WHY(CAUSE_PARENTHESES),
                          "The expression has redundant parentheses;");
    return NULL;
}

static void next_token(struct expr_parser *p)
{
    p->previous = p->token;
    p->token = expr_lex(&p->lexer);
    p->position++;
}

static bool token_is(const struct expr_parser *p, enum token_kind kind)
{
    return p->token.kind == kind;
}

static bool accept_token(struct expr_parser *p, enum token_kind kind)
{
    if (!token_is(p, kind))
        return false;
    next_token(p);
    return true;
}

static bool expect_token(struct expr_parser *p, enum token_kind kind)
{
    return accept_token(p, kind) || syntax_error(p);
}

/* The error for text that nests too deep: unclosed brackets, too many functions, or groups in
 * groups. */
static void *too_deep(struct expr_parser *p)
{
    size_t open = p->depth - 1; /* before the bracket that is one too many */

    for (; !token_is(p, TOKEN_END) && open; next_token(p))
        open = open + token_is(p, TOKEN_OPEN) - token_is(p, TOKEN_CLOSE);
    if (open)
        return syntax_error(p);
    if (p->calls <= LIMIT_OPERATORS)
        return redundant_parentheses(p);
    p->error = expr_fault_operators(p->arena, p->parameter);
    return NULL;
}

static bool enter_level(struct expr_parser *p)
{
    if (++p->depth > MAX_DEPTH) {
        too_deep(p);
        return false;
    }
    next_token(p);
    return true;
}

static bool leave_level(struct expr_parser *p)
{
    p->depth--;
    return expect_token(p, TOKEN_CLOSE);
}

/* Ends the group that was opened at `open`; a group may not consist of another group only. */
static bool leave_group(struct expr_parser *p, size_t open)
{
    size_t close = p->position;

    if (!leave_level(p))
        return false;
    if (p->group_open == open + 1 && p->group_close == close - 1)
        return redundant_parentheses(p);
    p->group_open = open;
    p->group_close = close;
    return true;
}

/* --- paths and operands, common to all grammars --------------------------------------------- */

static bool add_step(struct expr_parser *p, struct path_step step)
{
    buf_add(&p->steps, &step, sizeof step);
    return true;
}

static bool name_step(struct expr_parser *p)
{
    struct span name = p->token.text;

    if (!token_is(p, TOKEN_IDENTIFIER) && !token_is(p, TOKEN_NAME))
        return syntax_error(p);
    next_token(p);
    return add_step(p, (struct path_step){.name = name});
}

/* The digits' value, or UINT32_MAX if it is greater. */
static uint32_t index_of(struct span digits)
{
    uint64_t index = 0;

    for (size_t i = 0; i < digits.len && index <= UINT32_MAX; i++)
        index = index * 10 + (uint64_t)(digits.at[i] - '0');
    return index < UINT32_MAX ? (uint32_t)index : UINT32_MAX;
}

static bool index_step(struct expr_parser *p)
{
    struct span digits = p->token.text;

    return expect_token(p, TOKEN_INTEGER) && expect_token(p, TOKEN_BRACKET_CLOSE) &&
           add_step(p, (struct path_step){true, digits, index_of(digits)});
}

/* Parses the path after its first name. */
static bool rest_of_path(struct expr_parser *p, struct span first, struct path *out)
{
    p->steps.len = 0;
    add_step(p, (struct path_step){.name = first});
    for (;;) {
        if (accept_token(p, TOKEN_DOT)) {
            if (!name_step(p))
                return false;
        } else if (accept_token(p, TOKEN_BRACKET)) {
            if (!index_step(p))
                return false;
        } else {
            break;
        }
    }
    out->len = p->steps.len / sizeof(struct path_step);
    out->at = arena_alloc_raw(p->arena, p->steps.len);
    memcpy(out->at, p->steps.at, p->steps.len);
    return true;
}

static bool parse_path(struct expr_parser *p, struct path *out)
{
    struct span first = p->token.text;

    if (!token_is(p, TOKEN_IDENTIFIER) && !token_is(p, TOKEN_NAME))
        return syntax_error(p);
    next_token(p);
    return rest_of_path(p, first, out);
}

/* The path that was read last, which began there. */
static struct span path_text(const struct expr_parser *p, struct span first)
{
    return (struct span){first.at, (size_t)(span_end(p->previous.text) - first.at)};
}

static struct node *parse_operand(struct expr_parser *p);

static void add_node(struct buf *list, struct node *n)
{
    buf_add(list, &n, sizeof(struct node *));
}

/* Parses the rest of `operand { "," operand }`, appending to `list`. */
static bool more_operands(struct expr_parser *p, struct buf *list)
{
    do {
        struct node *n = parse_operand(p);

        if (!n)
            return false;
        add_node(list, n);
    } while (accept_token(p, TOKEN_COMMA));
    return true;
}

static struct node *node_of_list(struct expr_parser *p, enum node_kind kind, struct span text,
                                 const struct buf *list)
{
    struct node *n = expr_node(p->arena, kind, (struct node *const *)(const void *)list->at,
                               list->len / sizeof(struct node *));

    n->text = text;
    return n;
}

static struct node *node_of_operator(struct expr_parser *p, enum node_kind kind, struct span text,
                                     struct node *const *operands, size_t count)
{
    struct node *n = expr_node(p->arena, kind, operands, count);

    n->text = text;
    return n;
}

static struct node *parse_value(struct expr_parser *p)
{
    struct node *n = expr_node_of_value(p->arena, NULL);

    n->text = p->token.text;
    return expect_token(p, TOKEN_VALUE) ? n : NULL;
}

/* path | value | function */
static struct node *plain_operand(struct expr_parser *p)
{
    struct span first = p->token.text;
    struct path at_path = {.len = 0};
    struct node *n;

    if (token_is(p, TOKEN_VALUE))
        return parse_value(p);
    if (accept_token(p, TOKEN_IDENTIFIER)) {
        if (token_is(p, TOKEN_OPEN)) {
            struct buf operands = buf_in(p->arena);

            p->calls++;
            if (!enter_level(p) || !more_operands(p, &operands) || !leave_level(p))
                return NULL;
            return node_of_list(p, expr_function_kind(first), first, &operands);
        }
        if (!rest_of_path(p, first, &at_path))
            return NULL;
    } else if (!parse_path(p, &at_path)) {
        return NULL;
    }
    n = expr_node_of_path(p->arena, at_path);
    n->text = path_text(p, first);
    return n;
}

static struct node *parse_operand(struct expr_parser *p)
{
    size_t open = p->position;
    struct node *n;

    if (!token_is(p, TOKEN_OPEN))
        return plain_operand(p);
    return enter_level(p) && (n = parse_operand(p)) && leave_group(p, open) ? n : NULL;
}

/* --- conditions ---------------------------------------------------------------------------- */

/* A group may hold a condition or an operand, which shows only at its end. With `in_group`, the
 * result may turn out to be the operand `(a)`: a path or value directly before the closing bracket.
 * A function can be either; that is checked later. */
static struct node *parse_condition(struct expr_parser *p, bool in_group);

static struct node *parse_group(struct expr_parser *p)
{
    size_t open = p->position;
    struct node *n;

    return enter_level(p) && (n = parse_condition(p, true)) && leave_group(p, open) ? n : NULL;
}

static bool is_call(const struct node *n)
{
    return n->kind == NODE_UNKNOWN || expr_rule(n->kind)->form != OPERATOR;
}

static struct node *parse_primary(struct expr_parser *p, bool in_group)
{
    struct node *n = token_is(p, TOKEN_OPEN) ? parse_group(p) : plain_operand(p);
    struct span text = p->token.text;

    if (!n || !(n->kind == NODE_PATH || n->kind == NODE_VALUE || is_call(n)))
        return n;
    if (p->token.kind >= TOKEN_EQ && p->token.kind <= TOKEN_GE) {
        enum node_kind kind = NODE_EQ + (p->token.kind - TOKEN_EQ);
        struct node *right;

        next_token(p);
        if (!(right = parse_operand(p)))
            return NULL;
        return node_of_operator(p, kind, text, (struct node *[]){n, right}, 2);
    }
    if (token_is(p, TOKEN_BETWEEN)) {
        struct node *low, *high;

        next_token(p);
        if (!(low = parse_operand(p)) || !expect_token(p, TOKEN_AND) || !(high = parse_operand(p)))
            return NULL;
        return node_of_operator(p, NODE_BETWEEN, text, (struct node *[]){n, low, high}, 3);
    }
    if (token_is(p, TOKEN_IN)) {
        struct buf operands = buf_in(p->arena);

        next_token(p);
        add_node(&operands, n);
        if (!expect_token(p, TOKEN_OPEN) || !more_operands(p, &operands) ||
            !expect_token(p, TOKEN_CLOSE))
            return NULL;
        return node_of_list(p, NODE_IN, text, &operands);
    }
    if (is_call(n) || (in_group && token_is(p, TOKEN_CLOSE)))
        return n;
    return syntax_error(p);
}

static struct node *parse_negation(struct expr_parser *p, bool in_group)
{
    struct span text = p->token.text;
    size_t negations = 0;
    struct node *n;

    while (accept_token(p, TOKEN_NOT))
        negations++;
    n = parse_primary(p, in_group && !negations);
    for (; n && negations; negations--)
        n = node_of_operator(p, NODE_NOT, text, &n, 1);
    return n;
}

static struct node *parse_conjunction(struct expr_parser *p, bool in_group)
{
    struct buf operands = buf_in(p->arena);
    struct node *n = parse_negation(p, in_group);
    struct span text = p->token.text;

    if (!n || !token_is(p, TOKEN_AND))
        return n;
    add_node(&operands, n);
    while (accept_token(p, TOKEN_AND)) {
        if (!(n = parse_negation(p, false)))
            return NULL;
        add_node(&operands, n);
    }
    return node_of_list(p, NODE_AND, text, &operands);
}

static struct node *parse_condition(struct expr_parser *p, bool in_group)
{
    struct buf operands = buf_in(p->arena);
    struct node *n = parse_conjunction(p, in_group);
    struct span text = p->token.text;

    if (!n || !token_is(p, TOKEN_OR))
        return n;
    add_node(&operands, n);
    while (accept_token(p, TOKEN_OR)) {
        if (!(n = parse_conjunction(p, false)))
            return NULL;
        add_node(&operands, n);
    }
    return node_of_list(p, NODE_OR, text, &operands);
}

/* --- updates ------------------------------------------------------------------------------- */

/* operand [ ( "+" | "-" ) operand ] | "(" right side ")" */
static struct node *right_side(struct expr_parser *p)
{
    size_t open = p->position;
    struct node *left, *right;
    enum node_kind kind;
    struct span text;

    if (!token_is(p, TOKEN_OPEN))
        left = plain_operand(p);
    else if (!enter_level(p) || !(left = right_side(p)) || !leave_group(p, open))
        return NULL;
    if (!left || left->kind == NODE_PLUS || left->kind == NODE_MINUS ||
        !(token_is(p, TOKEN_PLUS) || token_is(p, TOKEN_MINUS)))
        return left;
    kind = token_is(p, TOKEN_PLUS) ? NODE_PLUS : NODE_MINUS;
    text = p->token.text;
    next_token(p);
    if (!(right = parse_operand(p)))
        return NULL;
    return node_of_operator(p, kind, text, (struct node *[]){left, right}, 2);
}

static bool parse_clause(struct expr_parser *p, struct clause *c)
{
    struct span first = p->token.text;

    if (!parse_path(p, &c->target))
        return false;
    c->text = path_text(p, first);
    switch (c->action) {
    case EXPR_SET:
        return expect_token(p, TOKEN_EQ) && (c->operand = right_side(p));
    case EXPR_ADD:
    case EXPR_DELETE:
        return (c->operand = parse_value(p));
    case EXPR_REMOVE:
        break;
    }
    return true;
}

static const struct {
    const char *name;
    enum token_kind token;
} sections[] = {
    [EXPR_SET] = {"SET", TOKEN_SET},
    [EXPR_REMOVE] = {"REMOVE", TOKEN_REMOVE},
    [EXPR_ADD] = {"ADD", TOKEN_ADD},
    [EXPR_DELETE] = {"DELETE", TOKEN_DELETE},
};

static bool parse_section(struct expr_parser *p, enum expr_action *out)
{
    for (unsigned i = 0; i < COUNT(sections); i++) {
        if (accept_token(p, sections[i].token)) {
            *out = (enum expr_action)i;
            return true;
        }
    }
    return syntax_error(p);
}

static bool parse_update(struct expr_parser *p, struct expr_update *out)
{
    struct buf clauses = buf_in(p->arena);
    bool seen[COUNT(sections)] = {false};
    enum expr_action action = EXPR_SET;

    do {
        if (!parse_section(p, &action))
            return false;
        if (seen[action] && !out->repeated) {
            out->repeated = sections[action].name;
            out->repeated_at = p->previous.text;
        }
        seen[action] = true;
        do {
            struct clause c = {.action = action};

            if (!parse_clause(p, &c))
                return false;
            buf_add(&clauses, &c, sizeof c);
        } while (accept_token(p, TOKEN_COMMA));
    } while (!token_is(p, TOKEN_END));
    out->at = (struct clause *)(void *)clauses.at;
    out->len = clauses.len / sizeof(struct clause);
    return true;
}

/* --- entry points -------------------------------------------------------------------------- */

/* Checks the length of the text and reads the first token. */
static bool start_parser(struct expr_parser *p, enum expr_grammar grammar, struct span text)
{
    p->lexer = (struct lexer){grammar, text.len ? text : SPAN_LIT("")};
    p->steps = buf_in(p->arena);
    next_token(p);
    if (token_is(p, TOKEN_END))
        p->error = expr_fault(p->arena, p->parameter,
                              ERROR_WHY(CAUSE_EMPTY_TEXT, .operand = span_of(p->parameter)),
                              "The expression can not be empty;");
    else if (text.len > LIMIT_EXPRESSION)
        p->error = expr_fault(
            p->arena, p->parameter,
            ERROR_WHY(CAUSE_MEMBER_LONG, .operand = span_of(p->parameter), .count = text.len,
                      .beside = span_of(arena_printf(p->arena, "%d", LIMIT_EXPRESSION))),
            "Expression size has exceeded the maximum allowed size;%s",
            grammar == GRAMMAR_UPDATE ? ""
                                      : arena_printf(p->arena, " expression size: %zu", text.len));
    return !p->error;
}

/* Checks that the whole text was read. */
static const struct error *finish_parser(struct expr_parser *p)
{
    if (!p->error && !token_is(p, TOKEN_END))
        syntax_error(p);
    return p->error;
}

const struct error *expr_parse_condition(struct arena *a, const char *parameter, struct span text,
                                         struct node **out)
{
    struct expr_parser p = {.arena = a, .parameter = parameter};
    struct node *root = NULL;
    const struct error *e;

    if (start_parser(&p, GRAMMAR_CONDITION, text))
        root = parse_condition(&p, false);
    if (!(e = finish_parser(&p)))
        *out = root;
    return e;
}

const struct error *expr_parse_projection(struct arena *a, const char *parameter, struct span text,
                                          struct path **paths, size_t *count)
{
    struct expr_parser p = {.arena = a, .parameter = parameter};
    struct buf list = buf_in(a);
    struct path one = {.len = 0};
    const struct error *e;

    if (start_parser(&p, GRAMMAR_PROJECTION, text))
        while (parse_path(&p, &one)) {
            buf_add(&list, &one, sizeof one);
            if (!accept_token(&p, TOKEN_COMMA))
                break;
        }
    if ((e = finish_parser(&p)))
        return e;
    *paths = (struct path *)(void *)list.at;
    *count = list.len / sizeof(struct path);
    return NULL;
}

const struct error *expr_parse_update(struct arena *a, const char *parameter, struct span text,
                                      struct expr_update *out)
{
    struct expr_parser p = {.arena = a, .parameter = parameter};

    if (start_parser(&p, GRAMMAR_UPDATE, text))
        parse_update(&p, out);
    return finish_parser(&p);
}
