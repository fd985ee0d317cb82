/* jmespath_parse.c: a parser by binding powers: an operator takes what is on its right as long as
 * that binds more tightly than the operator itself. */
#include "base/ascii.h"
#include "base/one_more.h"
#include "base/utf8.h"
#include "jmespath/jmespath_function.h"
#include "jmespath/jmespath_tree.h"

#include <errno.h>
#include <stdlib.h>

#define DEPTH_MAX       128 /* of brackets, operators and projections within each other */
#define PROJECTION_STOP 10  /* what binds less ends a projection */

/* --- tokens ----------------------------------------------------------------------------------- */

enum token_kind {
    TOKEN_END,
    TOKEN_NAME,
    TOKEN_QUOTED_NAME,
    TOKEN_LITERAL,
    TOKEN_NUMBER,
    TOKEN_CLOSE_BRACKET,
    TOKEN_CLOSE_PAREN,
    TOKEN_COMMA,
    TOKEN_CLOSE_BRACE,
    TOKEN_CURRENT,
    TOKEN_ARGUMENT,
    TOKEN_COLON,
    TOKEN_PIPE,
    TOKEN_OR,
    TOKEN_AND,
    TOKEN_EQUAL,
    TOKEN_UNEQUAL,
    TOKEN_LESS,
    TOKEN_AT_MOST,
    TOKEN_MORE,
    TOKEN_AT_LEAST,
    TOKEN_FLATTEN,
    TOKEN_STAR,
    TOKEN_FILTER,
    TOKEN_DOT,
    TOKEN_NOT,
    TOKEN_OPEN_BRACE,
    TOKEN_OPEN_BRACKET,
    TOKEN_OPEN_PAREN,
    TOKEN_UNKNOWN,
};

/* Each token's name in messages, its binding power, and its text if it is always the same. Longer
 * texts come before those that begin them. */
static const struct {
    const char *name;
    int power;
    const char *text;
} tokens[] = {
    [TOKEN_END] = {"eof", 0, NULL},
    [TOKEN_NAME] = {"unquoted_identifier", 0, NULL},
    [TOKEN_QUOTED_NAME] = {"quoted_identifier", 0, NULL},
    [TOKEN_LITERAL] = {"literal", 0, NULL},
    [TOKEN_NUMBER] = {"number", 0, NULL},
    [TOKEN_CLOSE_BRACKET] = {"rbracket", 0, "]"},
    [TOKEN_CLOSE_PAREN] = {"rparen", 0, ")"},
    [TOKEN_COMMA] = {"comma", 0, ","},
    [TOKEN_CLOSE_BRACE] = {"rbrace", 0, "}"},
    [TOKEN_CURRENT] = {"current", 0, "@"},
    [TOKEN_ARGUMENT] = {"expref", 0, "&"},
    [TOKEN_COLON] = {"colon", 0, ":"},
    [TOKEN_PIPE] = {"pipe", 1, "|"},
    [TOKEN_OR] = {"or", 2, "||"},
    [TOKEN_AND] = {"and", 3, "&&"},
    [TOKEN_EQUAL] = {"eq", 5, "=="},
    [TOKEN_UNEQUAL] = {"ne", 5, "!="},
    [TOKEN_LESS] = {"lt", 5, "<"},
    [TOKEN_AT_MOST] = {"lte", 5, "<="},
    [TOKEN_MORE] = {"gt", 5, ">"},
    [TOKEN_AT_LEAST] = {"gte", 5, ">="},
    [TOKEN_FLATTEN] = {"flatten", 9, "[]"},
    [TOKEN_STAR] = {"star", 20, "*"},
    [TOKEN_FILTER] = {"filter", 21, "[?"},
    [TOKEN_DOT] = {"dot", 40, "."},
    [TOKEN_NOT] = {"not", 45, "!"},
    [TOKEN_OPEN_BRACE] = {"lbrace", 50, "{"},
    [TOKEN_OPEN_BRACKET] = {"lbracket", 55, "["},
    [TOKEN_OPEN_PAREN] = {"lparen", 60, "("},
    [TOKEN_UNKNOWN] = {"unknown", 0, NULL},
};

struct token {
    enum token_kind kind;
    struct span text;                     /* as it is written; of a quoted name its value */
    size_t at;                            /* its place in the expression, in bytes */
    const struct jmespath_value *literal; /* of a literal */
    int64_t number;
};

struct parser {
    struct arena *arena;
    struct span text;
    size_t at;                /* behind the next token */
    struct token token, next; /* the current token and the one behind it */
    int depth;
    const char *problem;  /* the first one; the parse ends there */
    const char *function; /* a problem of a function, which is reported after those of the form */
};

static void fail_at(struct parser *p, size_t at, const char *lead, const char *what, bool quoted)
{
    struct span before = {p->text.at, at};
    const char *mark = quoted ? "\"" : "";

    if (!p->problem)
        p->problem = arena_printf(p->arena, "%s%s:\n%s%.*s%s\n%*s^", lead, what, mark,
                                  SPAN_ARG(p->text), mark,
                                  (int)(utf8_columns(before) + (quoted ? 1 : 0)), "");
}

/* "invalid token: Parse error at column 3, token …"; the end of the text has a message of its
 * own. */
static const struct jmespath *fail_token(struct parser *p, const struct token *t, const char *what)
{
    char *name = arena_printf(p->arena, "%s", tokens[t->kind].name);

    for (char *c = name; *c; c++)
        *c = ascii_upper(*c);
    if (t->kind == TOKEN_END)
        fail_at(p, t->at, "Invalid jmespath expression: ", "Incomplete expression", true);
    else
        fail_at(p, t->at, what,
                arena_printf(p->arena,
                             ": Parse error at column %zu, token \"%.*s\" (%s), for expression",
                             t->at, SPAN_ARG(t->text), name),
                true);
    return NULL;
}

static const struct jmespath *fail_expecting(struct parser *p, const char *expected)
{
    return fail_token(
        p, &p->token,
        arena_printf(p->arena, "Expecting: %s, got: %s", expected, tokens[p->token.kind].name));
}

static void fail_lexer(struct parser *p, size_t at, const char *what)
{
    fail_at(p, at, "Bad jmespath expression: ", what, false);
}

/* Takes the text between the delimiter at the current place and the next one that has no backslash
 * in front. */
static struct span take_delimited(struct parser *p, char delimiter)
{
    size_t start = ++p->at;

    while (p->at < p->text.len && p->text.at[p->at] != delimiter)
        p->at += p->text.at[p->at] == '\\' && p->at + 1 < p->text.len ? 2 : 1;
    if (p->at >= p->text.len) {
        fail_lexer(p, start - 1, arena_printf(p->arena, "Unclosed %c delimiter", delimiter));
        return (struct span){NULL, 0};
    }
    return (struct span){p->text.at + start, p->at++ - start};
}

/* Removes the backslashes in front of delimiters. */
static struct span without_escapes(struct parser *p, struct span text, char delimiter)
{
    struct buf out = buf_in(p->arena);

    for (size_t i = 0; i < text.len; i++)
        if (text.at[i] != '\\' || i + 1 == text.len || text.at[i + 1] != delimiter)
            buf_add_char(&out, text.at[i]);
    return buf_span(&out);
}

/* JSON, or a text without its quotes, which is an older way to write a string. */
static const struct jmespath_value *read_literal(struct parser *p, struct span text)
{
    const wire_node *node;

    while (text.len && ascii_is_space(*text.at))
        text = span_from(text, 1);
    if (!json_parse(p->arena, text, &node) &&
        !json_parse(p->arena, span_of(arena_printf(p->arena, "\"%.*s\"", SPAN_ARG(text))), &node))
        return NULL;
    return jmespath_value_of_json(p->arena, node);
}

static void lex_delimited(struct parser *p, struct token *t, char delimiter)
{
    struct span text = take_delimited(p, delimiter), written;
    const wire_node *node;

    if (!text.at)
        return;
    written = (struct span){text.at - 1, text.len + 2};
    t->kind = delimiter == '"' ? TOKEN_QUOTED_NAME : TOKEN_LITERAL;
    if (delimiter == '\'') {
        t->literal = jmespath_value_string(p->arena, without_escapes(p, text, delimiter));
    } else if (delimiter == '`') {
        t->literal = read_literal(p, without_escapes(p, text, delimiter));
        if (!t->literal)
            fail_lexer(p, t->at, arena_printf(p->arena, "Bad token %.*s", SPAN_ARG(written)));
    } else if (json_parse(p->arena, written, &node)) {
        t->text = wire_text(node);
    } else {
        fail_lexer(p, t->at, arena_printf(p->arena, "Bad token %.*s", SPAN_ARG(written)));
    }
}

static void lex_number(struct parser *p, struct token *t)
{
    size_t end = p->at + 1;

    while (end < p->text.len && ascii_is_digit(p->text.at[end]))
        end++;
    t->kind = TOKEN_NUMBER;
    t->text = (struct span){p->text.at + p->at, end - p->at};
    errno = 0;
    t->number = strtoll(arena_text(p->arena, t->text), NULL, 10);
    if (errno || (t->text.len == 1 && *t->text.at == '-'))
        fail_lexer(p, t->at, arena_printf(p->arena, "Unknown token '%.*s'", SPAN_ARG(t->text)));
    p->at = end;
}

static void lex_fixed(struct parser *p, struct token *t)
{
    struct span rest = span_from(p->text, p->at);

    t->kind = TOKEN_UNKNOWN;
    t->text = (struct span){rest.at, 0};
    for (size_t i = 0; i < COUNT(tokens); i++) {
        struct span text = span_of(tokens[i].text ? tokens[i].text : "");

        if (text.len > t->text.len && span_starts_with(rest, text)) {
            t->kind = (enum token_kind)i;
            t->text.len = text.len;
        }
    }
    if (t->kind == TOKEN_UNKNOWN) {
        (void)utf8_letter(rest, &t->text.len);
        fail_lexer(p, t->at,
                   arena_printf(p->arena,
                                *t->text.at == '=' ? "Unknown token '%.*s'" : "Unknown token %.*s",
                                SPAN_ARG(t->text)));
    }
    p->at += t->text.len;
}

/* Makes the next token the current one and reads another one. */
static void advance(struct parser *p)
{
    size_t end;
    struct token *t = &p->next;

    p->token = p->next;
    while (p->at < p->text.len && ascii_is_blank(p->text.at[p->at]))
        p->at++;
    *t = (struct token){.kind = TOKEN_END, .at = p->at};
    if (p->at == p->text.len || p->problem)
        return;
    switch (p->text.at[p->at]) {
    case '"':
    case '\'':
    case '`':
        end = p->at;
        lex_delimited(p, t, p->text.at[p->at]);
        if (t->kind == TOKEN_LITERAL)
            t->text = (struct span){p->text.at + end, p->at - end};
        return;
    default:
        break;
    }
    if (p->text.at[p->at] == '-' || ascii_is_digit(p->text.at[p->at])) {
        lex_number(p, t);
        return;
    }
    for (end = p->at; end < p->text.len && ascii_is_word(p->text.at[end]); end++)
        ;
    if (end == p->at) {
        lex_fixed(p, t);
        return;
    }
    t->kind = TOKEN_NAME;
    t->text = (struct span){p->text.at + p->at, end - p->at};
    p->at = end;
}

/* Takes a token of the kind; false, with the problem, if the current one is another. */
static bool take(struct parser *p, enum token_kind kind)
{
    if (p->problem)
        return false;
    if (p->token.kind != kind) {
        fail_expecting(p, tokens[kind].name);
        return false;
    }
    advance(p);
    return true;
}

static bool take_if(struct parser *p, enum token_kind kind)
{
    return !p->problem && p->token.kind == kind && take(p, kind);
}

/* --- nodes ------------------------------------------------------------------------------------ */

static const struct jmespath current = {.kind = JMESPATH_CURRENT};

static struct jmespath *new_node(struct parser *p, enum jmespath_kind kind,
                                 const struct jmespath *left, const struct jmespath *right)
{
    struct jmespath *n = arena_alloc(p->arena, sizeof *n);

    *n = (struct jmespath){.kind = kind, .left = left, .right = right};
    return n;
}

static void add_part(struct parser *p, struct jmespath *to, struct span name,
                     const struct jmespath *part)
{
    to->parts = one_more(p->arena, to->parts, to->count, sizeof(struct jmespath *));
    to->names = one_more(p->arena, to->names, to->count, sizeof *to->names);
    to->parts[to->count] = part;
    to->names[to->count++] = name;
}

static const struct jmespath *parse_expression(struct parser *p, int power);

/* [a, b]; the bracket is taken. */
static const struct jmespath *parse_list(struct parser *p)
{
    struct jmespath *list = new_node(p, JMESPATH_LIST, NULL, NULL);

    do
        add_part(p, list, p->token.text, parse_expression(p, 0));
    while (take_if(p, TOKEN_COMMA));
    return take_if(p, TOKEN_CLOSE_BRACKET) ? list : fail_expecting(p, "comma");
}

/* {a: b, c: d}; the brace is taken. */
static const struct jmespath *parse_hash(struct parser *p)
{
    struct jmespath *hash = new_node(p, JMESPATH_HASH, NULL, NULL);

    do {
        struct span name = p->token.text;

        if (!take_if(p, TOKEN_QUOTED_NAME) && !take_if(p, TOKEN_NAME))
            return fail_expecting(p, "['quoted_identifier', 'unquoted_identifier']");
        if (!take(p, TOKEN_COLON))
            return NULL;
        add_part(p, hash, name, parse_expression(p, 0));
    } while (take_if(p, TOKEN_COMMA));
    return take(p, TOKEN_CLOSE_BRACE) ? hash : NULL;
}

static const struct jmespath *parse_behind_dot(struct parser *p, int power)
{
    switch (p->token.kind) {
    case TOKEN_NAME:
    case TOKEN_QUOTED_NAME:
    case TOKEN_STAR:
        return parse_expression(p, power);
    case TOKEN_OPEN_BRACKET:
        advance(p);
        return parse_list(p);
    case TOKEN_OPEN_BRACE:
        advance(p);
        return parse_hash(p);
    default:
        return fail_expecting(p, "['quoted_identifier', 'unquoted_identifier', 'lbracket', "
                                 "'lbrace']");
    }
}

/* What is evaluated for each element of a projection. */
static const struct jmespath *parse_projected(struct parser *p, int power)
{
    if (tokens[p->token.kind].power < PROJECTION_STOP)
        return &current;
    if (p->token.kind == TOKEN_OPEN_BRACKET || p->token.kind == TOKEN_FILTER)
        return parse_expression(p, power);
    if (take_if(p, TOKEN_DOT))
        return parse_behind_dot(p, power);
    return fail_token(p, &p->token, "syntax error");
}

static const struct jmespath *parse_projection(struct parser *p, enum jmespath_kind kind,
                                               enum token_kind operator,
                                               const struct jmespath * left)
{
    return new_node(p, kind, left, parse_projected(p, tokens[operator].power));
}

/* [1], [0:2]; the bracket is taken. A slice is a projection, but not behind an index, as in the
 * CLI's library. */
static const struct jmespath *parse_index(struct parser *p, const struct jmespath *left)
{
    struct jmespath *n = new_node(p, JMESPATH_INDEX, NULL, NULL);
    size_t part = 0;
    bool projects;

    for (;; advance(p)) {
        if (p->token.kind == TOKEN_NUMBER && !n->given[part]) {
            n->given[part] = true;
            n->numbers[part] = p->token.number;
        } else if (p->token.kind == TOKEN_COLON && part < 2) {
            n->kind = JMESPATH_SLICE;
            part++;
        } else {
            break;
        }
    }
    if (n->kind == JMESPATH_SLICE && p->token.kind != TOKEN_CLOSE_BRACKET)
        return fail_token(p, &p->token, "syntax error");
    if (!take(p, TOKEN_CLOSE_BRACKET))
        return NULL;
    projects = n->kind == JMESPATH_SLICE &&
               !(left && left->kind == JMESPATH_CHAIN &&
                 (left->right->kind == JMESPATH_INDEX || left->right->kind == JMESPATH_SLICE));
    left = new_node(p, JMESPATH_CHAIN, left, n);
    return projects ? parse_projection(p, JMESPATH_PROJECT, TOKEN_STAR, left) : left;
}

static const struct jmespath *parse_filter(struct parser *p, const struct jmespath *left)
{
    const struct jmespath *condition = parse_expression(p, 0);
    struct jmespath *n = new_node(p, JMESPATH_FILTER, left, &current);

    if (!take(p, TOKEN_CLOSE_BRACKET))
        return NULL;
    n->condition = condition;
    if (p->token.kind != TOKEN_FLATTEN)
        n->right = parse_projected(p, tokens[TOKEN_FILTER].power);
    return n;
}

static const struct jmespath *parse_flatten(struct parser *p, const struct jmespath *left)
{
    return parse_projection(p, JMESPATH_PROJECT, TOKEN_FLATTEN,
                            new_node(p, JMESPATH_FLATTEN, left, NULL));
}

static const struct jmespath *parse_call(struct parser *p, const struct jmespath *name,
                                         const struct token *at)
{
    struct jmespath *call = new_node(p, JMESPATH_CALL, NULL, NULL);

    if (!name || name->kind != JMESPATH_FIELD)
        return fail_token(p, at, "Invalid function name");
    if (p->token.kind != TOKEN_CLOSE_PAREN)
        do
            add_part(p, call, p->token.text, parse_expression(p, 0));
        while (take_if(p, TOKEN_COMMA));
    if (!take(p, TOKEN_CLOSE_PAREN))
        return NULL;
    call->function = jmespath_function_find(name->name);
    if (p->function)
        return call;
    p->function = call->function
                      ? jmespath_function_check(p->arena, call->function, call->count)
                      : arena_printf(p->arena, "Unknown function: %.*s()", SPAN_ARG(name->name));
    return call;
}

/* An expression that begins with the token. */
static const struct jmespath *parse_first(struct parser *p, const struct token *t)
{
    const struct jmespath *inner;
    struct jmespath *n;

    switch (t->kind) {
    case TOKEN_LITERAL:
        n = new_node(p, JMESPATH_LITERAL, NULL, NULL);
        n->literal = t->literal;
        return n;
    case TOKEN_NAME:
    case TOKEN_QUOTED_NAME:
        n = new_node(p, JMESPATH_FIELD, NULL, NULL);
        n->name = t->text;
        if (t->kind == TOKEN_QUOTED_NAME && p->token.kind == TOKEN_OPEN_PAREN)
            return fail_token(p, t, "Quoted identifier not allowed for function names.");
        return n;
    case TOKEN_STAR:
        return parse_projection(p, JMESPATH_VALUES, TOKEN_STAR, &current);
    case TOKEN_FILTER:
        return parse_filter(p, &current);
    case TOKEN_FLATTEN:
        return parse_flatten(p, &current);
    case TOKEN_OPEN_BRACE:
        return parse_hash(p);
    case TOKEN_OPEN_PAREN:
        inner = parse_expression(p, 0);
        return take(p, TOKEN_CLOSE_PAREN) ? inner : NULL;
    case TOKEN_NOT:
        return new_node(p, JMESPATH_NOT, parse_expression(p, tokens[TOKEN_NOT].power), NULL);
    case TOKEN_ARGUMENT:
        return new_node(p, JMESPATH_ARGUMENT, parse_expression(p, 0), NULL);
    case TOKEN_CURRENT:
        return &current;
    case TOKEN_OPEN_BRACKET:
        if (p->token.kind == TOKEN_NUMBER || p->token.kind == TOKEN_COLON)
            return parse_index(p, &current);
        if (p->token.kind != TOKEN_STAR || p->next.kind != TOKEN_CLOSE_BRACKET)
            return parse_list(p);
        advance(p);
        advance(p);
        return parse_projection(p, JMESPATH_PROJECT, TOKEN_STAR, &current);
    default:
        return fail_token(p, t, "invalid token");
    }
}

/* What the token, behind an expression, makes of it. */
static const struct jmespath *parse_rest(struct parser *p, const struct token *t,
                                         const struct jmespath *left)
{
    static const struct {
        enum token_kind token;
        enum jmespath_kind kind;
        enum jmespath_comparator comparator;
    } operators[] = {
        {TOKEN_PIPE, JMESPATH_CHAIN, 0},
        {TOKEN_OR, JMESPATH_OR, 0},
        {TOKEN_AND, JMESPATH_AND, 0},
        {TOKEN_EQUAL, JMESPATH_COMPARE, JMESPATH_EQUAL},
        {TOKEN_UNEQUAL, JMESPATH_COMPARE, JMESPATH_UNEQUAL},
        {TOKEN_LESS, JMESPATH_COMPARE, JMESPATH_LESS},
        {TOKEN_AT_MOST, JMESPATH_COMPARE, JMESPATH_AT_MOST},
        {TOKEN_MORE, JMESPATH_COMPARE, JMESPATH_MORE},
        {TOKEN_AT_LEAST, JMESPATH_COMPARE, JMESPATH_AT_LEAST},
    };

    for (size_t i = 0; i < COUNT(operators); i++)
        if (operators[i].token == t->kind) {
            struct jmespath *n = new_node(p, operators[i].kind, left,
                                          parse_expression(p, tokens[t->kind].power));

            n->comparator = operators[i].comparator;
            return n;
        }
    switch (t->kind) {
    case TOKEN_DOT:
        if (take_if(p, TOKEN_STAR))
            return parse_projection(p, JMESPATH_VALUES, TOKEN_DOT, left);
        return new_node(p, JMESPATH_CHAIN, left, parse_behind_dot(p, tokens[TOKEN_DOT].power));
    case TOKEN_FILTER:
        return parse_filter(p, left);
    case TOKEN_FLATTEN:
        return parse_flatten(p, left);
    case TOKEN_OPEN_PAREN:
        return parse_call(p, left, t);
    case TOKEN_OPEN_BRACKET:
        if (p->token.kind == TOKEN_NUMBER || p->token.kind == TOKEN_COLON)
            return parse_index(p, left);
        if (!take(p, TOKEN_STAR) || !take(p, TOKEN_CLOSE_BRACKET))
            return NULL;
        return parse_projection(p, JMESPATH_PROJECT, TOKEN_STAR, left);
    default:
        return fail_token(p, t, "invalid token");
    }
}

/* Takes operators that bind more tightly than `power`. NULL if there is a problem. */
static const struct jmespath *parse_expression(struct parser *p, int power)
{
    const struct jmespath *left;
    struct token t = p->token;

    if (p->problem)
        return NULL;
    if (++p->depth > DEPTH_MAX) {
        p->problem = "the expression is nested too deeply";
        return NULL;
    }
    advance(p);
    left = parse_first(p, &t);
    while (!p->problem && power < tokens[p->token.kind].power) {
        t = p->token;
        advance(p);
        left = parse_rest(p, &t, left);
    }
    p->depth--;
    return p->problem ? NULL : left;
}

const char *jmespath_parse(struct arena *a, struct span text, const struct jmespath **out,
                           const char **function)
{
    struct parser p = {.arena = a, .text = text};

    *function = NULL;
    if (!text.len)
        return "Invalid JMESPath expression: cannot be empty.";
    do
        advance(&p);
    while (!p.problem && p.next.kind != TOKEN_END); /* tokens that are wrong come first */
    if (p.problem)
        return p.problem;
    p.at = 0;
    advance(&p);
    advance(&p);
    *out = parse_expression(&p, 0);
    if (!p.problem && p.token.kind != TOKEN_END)
        fail_token(&p, &p.token, arena_printf(a, "Unexpected token: %.*s", SPAN_ARG(p.token.text)));
    *function = p.function;
    return p.problem;
}
