#include "partiql/partiql_parser.h"

#include "base/one_more.h"

static struct partiql_syntax *new_syntax(struct partiql_parser *p, enum partiql_kind kind)
{
    struct partiql_syntax *s = arena_alloc(p->arena, sizeof *s);

    s->kind = kind;
    return s;
}

/* --- clauses -------------------------------------------------------------------------------- */

/* [AS] name: accepted here, refused later. */
static bool parse_alias(struct partiql_parser *p, struct partiql_syntax *s)
{
    bool as = partiql_accept(p, PQ_AS);

    if (partiql_at_name(p)) {
        p->token++;
        s->aliased = true;
        return true;
    }
    return !as || partiql_fail(p, "Expected identifier for AS-alias");
}

static bool parse_source(struct partiql_parser *p, struct partiql_syntax *s)
{
    return (s->source = partiql_parse_simple_path(p)) && parse_alias(p, s);
}

/* The source of SELECT, for which the language accepts any expression: a token that cannot begin an
 * expression is reported as such, and an expression other than a name at its beginning. */
static bool select_source(struct partiql_parser *p, struct partiql_syntax *s)
{
    const struct partiql_parser before = *p;

    if (!partiql_at_name(p) && !partiql_parse_expression(p))
        return false;
    *p = before;
    return parse_source(p, s);
}

static bool parse_where(struct partiql_parser *p, struct partiql_syntax *s)
{
    return !partiql_accept(p, PQ_WHERE) || (s->where = partiql_parse_expression(p));
}

static bool parse_returning(struct partiql_parser *p, struct partiql_syntax *s)
{
    bool all, old;

    if (!partiql_accept(p, PQ_RETURNING))
        return true;
    all = partiql_at(p, PQ_ALL);
    if (!all && !partiql_at(p, PQ_MODIFIED))
        return partiql_fail(p,
                            "Expected ( MODIFIED | ALL ) ( NEW | OLD ) in each returning element.");
    p->token++;
    old = partiql_at(p, PQ_OLD);
    if (!old && !partiql_at(p, PQ_NEW))
        return partiql_fail(p,
                            "Expected ( MODIFIED | ALL ) ( NEW | OLD ) in each returning element.");
    p->token++;
    if (all)
        s->returning = old ? PARTIQL_RETURNING_ALL_OLD : PARTIQL_RETURNING_ALL_NEW;
    else
        s->returning = old ? PARTIQL_RETURNING_MODIFIED_OLD : PARTIQL_RETURNING_MODIFIED_NEW;
    if (partiql_accept(p, PQ_STAR))
        return true;
    return partiql_parse_expression(p) &&
           partiql_fail(p, "Unsupported syntax in RETURNING columns.");
}

/* --- SELECT --------------------------------------------------------------------------------- */

/* Parses one entry; *star says that it is `*`. */
static bool parse_column(struct partiql_parser *p, struct partiql_syntax *s,
                         struct partiql_nodes *list, bool *star)
{
    struct partiql_node *n;

    if (partiql_accept(p, PQ_STAR)) {
        *star = true;
        return true;
    }
    if (!(n = partiql_parse_expression(p)))
        return false;
    for (size_t i = 0; n->kind == PQ_NODE_PATH && i < n->count; i++)
        if (n->steps[i].kind == PQ_STEP_ALL) {
            (void)partiql_fail(p, "Invalid use of * in select list");
            p->error = error_because(p->arena, p->error, partiql_step_why(n, i));
            return false;
        }
    partiql_nodes_add(p->arena, list, n);
    return parse_alias(p, s);
}

static bool parse_columns(struct partiql_parser *p, struct partiql_syntax *s)
{
    struct partiql_nodes list = {NULL, 0};
    size_t entries = 0;
    bool star = false;

    if (partiql_at(p, PQ_FROM))
        return partiql_fail(p, "Cannot have empty SELECT list");
    do {
        if (!parse_column(p, s, &list, &star))
            return false;
        entries++;
    } while (partiql_accept(p, PQ_COMMA));
    if (star && entries > 1)
        return partiql_fail(p, "Other expressions may not be present in the select list when '*' "
                               "is used without dot notation.");
    s->columns = list.at;
    s->column_count = list.len;
    return true;
}

static bool parse_order(struct partiql_parser *p, struct partiql_syntax *s)
{
    if (!partiql_accept(p, PQ_ORDER))
        return true;
    if (!partiql_expect(p, PQ_BY, "Expected BY"))
        return false;
    do {
        struct partiql_sort sort = {.by = partiql_parse_expression(p)};

        if (!sort.by)
            return false;
        if (!partiql_accept(p, PQ_ASC))
            sort.descending = partiql_accept(p, PQ_DESC);
        s->order = one_more(p->arena, s->order, s->order_count, sizeof sort);
        s->order[s->order_count++] = sort;
    } while (partiql_accept(p, PQ_COMMA));
    return true;
}

/* Parses clauses that the service does not support, so that they can be refused by name. */
static bool refused_clause(struct partiql_parser *p, struct partiql_syntax *s,
                           enum partiql_token_kind kind, const char *name)
{
    const struct partiql_node *n;

    if (!partiql_accept(p, kind))
        return true;
    if (kind == PQ_GROUP && !partiql_expect(p, PQ_BY, "Expected BY"))
        return false;
    do {
        if (!(n = partiql_parse_expression(p)))
            return false;
        if (!s->unsupported) {
            s->unsupported = name;
            s->unsupported_at = n->token;
        }
    } while (kind == PQ_GROUP && partiql_accept(p, PQ_COMMA));
    return true;
}

struct partiql_syntax *partiql_parse_select(struct partiql_parser *p)
{
    struct partiql_syntax *s = new_syntax(p, PARTIQL_SELECT);
    bool good = parse_columns(p, s) &&
                partiql_expect(p, PQ_FROM, "Expected FROM after SELECT list") &&
                select_source(p, s) && parse_where(p, s) && parse_order(p, s) &&
                refused_clause(p, s, PQ_GROUP, "GROUP BY") &&
                refused_clause(p, s, PQ_HAVING, "HAVING") &&
                refused_clause(p, s, PQ_LIMIT, "LIMIT");

    return good ? s : NULL;
}

/* --- INSERT, UPDATE, DELETE ----------------------------------------------------------------- */

static void add_assignment(struct partiql_parser *p, struct partiql_syntax *s,
                           const struct partiql_assignment *assignment)
{
    s->assignments = one_more(p->arena, s->assignments, s->assignment_count, sizeof *assignment);
    s->assignments[s->assignment_count++] = *assignment;
}

static bool parse_assignments(struct partiql_parser *p, struct partiql_syntax *s)
{
    if (partiql_at(p, PQ_END) || partiql_at(p, PQ_SEMICOLON))
        return partiql_fail(p, "Expected assignment for SET");
    do {
        struct partiql_assignment assignment = {.action = EXPR_SET};

        if (!(assignment.target = partiql_parse_simple_path(p)) ||
            !partiql_expect(p, PQ_EQ, "Expected '='") ||
            !(assignment.value = partiql_parse_expression(p)))
            return false;
        add_assignment(p, s, &assignment);
    } while (partiql_accept(p, PQ_COMMA));
    return true;
}

static bool parse_actions(struct partiql_parser *p, struct partiql_syntax *s)
{
    if (!partiql_at(p, PQ_SET) && !partiql_at(p, PQ_REMOVE))
        return partiql_fail(p, "Expected data manipulation");
    for (;;) {
        if (partiql_accept(p, PQ_SET)) {
            if (!parse_assignments(p, s))
                return false;
        } else if (partiql_accept(p, PQ_REMOVE)) {
            do {
                struct partiql_assignment assignment = {.action = EXPR_REMOVE};

                if (!(assignment.target = partiql_parse_simple_path(p)))
                    return false;
                add_assignment(p, s, &assignment);
            } while (partiql_accept(p, PQ_COMMA));
        } else {
            return true;
        }
    }
}

static struct partiql_syntax *parse_insert(struct partiql_parser *p)
{
    struct partiql_syntax *s = new_syntax(p, PARTIQL_INSERT);

    if (!partiql_expect(p, PQ_INTO, "Unexpected keyword") ||
        !(s->source = partiql_parse_simple_path(p)))
        return NULL;
    if (partiql_accept(p, PQ_VALUE))
        return (s->item = partiql_parse_expression(p)) ? s : NULL;
    if (p->token->kind == PQ_KEYWORD && span_is(p->token->word, "values")) {
        p->token++;
        if (!partiql_at(p, PQ_OPEN))
            return partiql_fail(p, "Expected LEFT_PAREN for row value constructor");
    }
    if (!partiql_parse_expression(p))
        return NULL;
    return partiql_fail(p, "Unexpected token after expression");
}

static struct partiql_syntax *parse_update(struct partiql_parser *p)
{
    struct partiql_syntax *s = new_syntax(p, PARTIQL_UPDATE);

    return parse_source(p, s) && parse_actions(p, s) && parse_where(p, s) && parse_returning(p, s)
               ? s
               : NULL;
}

/* The other order of an UPDATE: FROM table WHERE condition SET … */
static struct partiql_syntax *update_from(struct partiql_parser *p)
{
    struct partiql_syntax *s = new_syntax(p, PARTIQL_UPDATE);

    return parse_source(p, s) && parse_where(p, s) && parse_actions(p, s) && parse_returning(p, s)
               ? s
               : NULL;
}

static struct partiql_syntax *delete (struct partiql_parser *p)
{
    struct partiql_syntax *s = new_syntax(p, PARTIQL_DELETE);

    return partiql_expect(p, PQ_FROM, "Expected FROM after DELETE") && parse_source(p, s) &&
                   parse_where(p, s) && parse_returning(p, s)
               ? s
               : NULL;
}

/* --- statements ----------------------------------------------------------------------------- */

static struct partiql_syntax *parse_statement(struct partiql_parser *p)
{
    static const struct {
        enum partiql_token_kind first;
        struct partiql_syntax *(*parse)(struct partiql_parser *p);
    } statements[] = {
        {PQ_SELECT, partiql_parse_select},
        {PQ_INSERT, parse_insert},
        {PQ_UPDATE, parse_update},
        {PQ_DELETE, delete},
        {PQ_FROM, update_from},
    };
    bool named;
    struct partiql_syntax *s;

    for (size_t i = 0; i < COUNT(statements); i++)
        if (partiql_accept(p, statements[i].first))
            return statements[i].parse(p);
    named = partiql_at_name(p);
    s = new_syntax(p, PARTIQL_EXISTS);
    /* The language accepts any expression as a statement; the service, EXISTS(SELECT …) only. */
    s->expression = partiql_parse_expression(p);
    if (named && (!s->expression || (!partiql_at(p, PQ_END) &&
                                     !partiql_at(p, PQ_SEMICOLON)))) { /* SELECTT * FROM … */
        p->error = NULL;
        return partiql_fail(p, "Expected data manipulation");
    }
    return s->expression ? s : NULL;
}

#define STEPS_PER_BYTE 6 /* for words, trees and bound values, whatever the statement */

const struct error *partiql_parse(struct arena *a, struct span text,
                                  const struct partiql_syntax **out, size_t *parameters)
{
    struct partiql_parser p = {.arena = a};
    bool ended;

    arena_charge(a, text.len * STEPS_PER_BYTE);
    p.token = partiql_lex(a, text);
    if (!p.token) {
        partiql_fail(&p, "");
        return error_because(a, p.error,
                             ERROR_WHY(CAUSE_STATEMENT, .place = partiql_lex_stray(a, text)));
    }
    if (!(*out = parse_statement(&p)))
        return p.error;
    ended = partiql_accept(&p, PQ_SEMICOLON);
    if (!partiql_at(&p, PQ_END)) {
        partiql_fail(&p, ended ? "Unexpected token after semicolon. (Only one query is allowed.)"
                               : "Unexpected token after expression");
        return p.error;
    }
    *parameters = p.parameters;
    return NULL;
}
