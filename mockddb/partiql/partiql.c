#include "partiql/partiql.h"

#include "partiql/partiql_value.h"

#define MAX_SOURCE 2 /* table and index */

/* --- table and index ------------------------------------------------------------------------ */

static const struct error *check_source(const struct partiql_values *v,
                                        const struct partiql_syntax *s)
{
    const struct partiql_node *source = s->source;

    if (s->aliased)
        return error_validation(v->arena, "Aliasing is not supported");
    for (size_t i = 0; i < source->count; i++)
        if (!source->steps[i].token->word.len)
            return partiql_empty_name(v);
    if (s->kind == PARTIQL_INSERT && source->count > 1)
        return partiql_fault_at(
            v, "FROM clause may only contain a single table name in data manipulation statements",
            source->steps[1].token);
    if (source->count > MAX_SOURCE)
        return error_caused(v->arena, ERROR_VALIDATION, ERROR_WHY(CAUSE_STATEMENT_SOURCE),
                            "A path may contain at most %d components in the FROM clause",
                            MAX_SOURCE);
    if (s->kind != PARTIQL_SELECT && source->count > 1)
        return error_caused(
            v->arena, ERROR_VALIDATION,
            ERROR_WHY(CAUSE_STATEMENT_INDEX, .operand = source->steps[1].token->word),
            "This operation is not supported on an index");
    return NULL;
}

static const struct error *read_where(const struct partiql_values *v,
                                      const struct partiql_syntax *s, struct partiql_statement *out)
{
    return s->where ? partiql_read_condition(v, s->where, &out->where) : NULL;
}

/* --- SELECT --------------------------------------------------------------------------------- */

/* A column is shown under the last name of its path, with the indexes after it: a.b[0] as b[0]. */
static struct span column_name(struct arena *a, const struct path *path)
{
    struct buf name = buf_in(a);
    size_t last = path->len - 1;
    struct path end;

    while (path->at[last].is_index)
        last--;
    end = (struct path){path->at + last, path->len - last};
    path_add(&name, &end);
    return buf_span(&name);
}

/* The error for a column or a term of ORDER BY that is not a path. */
static const struct error *no_path(const struct partiql_values *v, const struct partiql_node *n)
{
    return error_because(v->arena, partiql_fault_at(v, "Unexpected path component", n->token),
                         ERROR_WHY(CAUSE_STATEMENT_COLUMN, .place = n->token->text));
}

static const struct error *read_page_columns(const struct partiql_values *v,
                                             const struct partiql_syntax *s,
                                             struct partiql_statement *out)
{
    struct path *paths = arena_array(v->arena, s->column_count, sizeof *paths);
    const struct error *e;

    out->column_names = arena_array(v->arena, s->column_count, sizeof *out->column_names);
    for (size_t i = 0; i < s->column_count; i++) {
        if (s->columns[i]->kind != PQ_NODE_PATH)
            return no_path(v, s->columns[i]);
        if ((e = partiql_read_path(v, s->columns[i], &paths[i])))
            return e;
        out->column_names[i] = column_name(v->arena, &paths[i]);
    }
    if (s->column_count)
        out->columns = expr_projection_of(v->arena, paths, s->column_count);
    return NULL;
}

static const struct error *read_request_select(const struct partiql_values *v,
                                               const struct partiql_syntax *s,
                                               struct partiql_statement *out)
{
    const struct error *e;

    if ((e = read_page_columns(v, s, out)) || (e = check_source(v, s)))
        return e;
    if (s->unsupported)
        return partiql_fault_at(v, arena_printf(v->arena, "Unsupported clause: %s", s->unsupported),
                                s->unsupported_at);
    if ((e = read_where(v, s, out)))
        return e;
    if (!s->order_count)
        return NULL;
    if (!s->where)
        return error_caused(v->arena, ERROR_VALIDATION, ERROR_WHY(CAUSE_ORDER_SCAN),
                            "Must have WHERE clause in the statement when using ORDER BY clause.");
    out->order = arena_array(v->arena, s->order_count, sizeof *out->order);
    for (size_t i = 0; i < s->order_count; i++) {
        if (s->order[i].by->kind != PQ_NODE_PATH)
            return no_path(v, s->order[i].by);
        if ((e = partiql_read_path(v, s->order[i].by, &out->order[i].by)))
            return e;
        out->order[i].descending = s->order[i].descending;
    }
    out->order_count = s->order_count;
    return NULL;
}

/* --- INSERT, UPDATE, DELETE ----------------------------------------------------------------- */

static const struct error *read_update(const struct partiql_values *v,
                                       const struct partiql_syntax *s,
                                       struct partiql_statement *out)
{
    const struct error *e;

    if ((e = check_source(v, s)) || (e = partiql_read_update(v, s, &out->update)))
        return e;
    return read_where(v, s, out);
}

static const struct error *read_delete(const struct partiql_values *v,
                                       const struct partiql_syntax *s,
                                       struct partiql_statement *out)
{
    static const char *const printed[] = {
        [PARTIQL_RETURNING_ALL_NEW] = "ALL NEW",
        [PARTIQL_RETURNING_MODIFIED_OLD] = "MODIFIED OLD",
        [PARTIQL_RETURNING_MODIFIED_NEW] = "MODIFIED NEW",
    };
    const struct error *e = check_source(v, s);

    if (!e && s->returning > PARTIQL_RETURNING_ALL_OLD)
        return error_caused(
            v->arena, ERROR_VALIDATION,
            ERROR_WHY(CAUSE_MEMBER_WORD, .operand = SPAN_LIT("RETURNING of a DELETE"),
                      .place = span_of(printed[s->returning]), .beside = SPAN_LIT("ALL OLD *")),
            "Invalid returning clause: RETURNING %s *. Only RETURNING ALL OLD * is allowed in "
            "DELETE statements.",
            printed[s->returning]);
    return e ? e : read_where(v, s, out);
}

/* --- statements ----------------------------------------------------------------------------- */

/* The SELECT in EXISTS(SELECT …), or NULL. */
static const struct partiql_syntax *exists_subquery(const struct partiql_values *v,
                                                    const struct partiql_node *n)
{
    bool exists = n->kind == PQ_NODE_CALL && span_is(partiql_node_name(v->arena, n), "exists");

    return exists && n->count == 1 && n->child[0]->kind == PQ_NODE_SELECT ? n->child[0]->subquery
                                                                          : NULL;
}

const struct error *partiql_begin(struct arena *a, struct span text, const struct attr *parameters,
                                  size_t parameter_count, struct partiql_statement *out)
{
    const struct partiql_values v = {a, parameters};
    const struct partiql_syntax *s;
    const struct error *e;
    size_t wanted;
    struct item item;

    *out = (struct partiql_statement){.parameters = parameters};
    if ((e = partiql_parse(a, text, &s, &wanted)))
        return e;
    if (wanted != parameter_count)
        return error_caused(a, ERROR_VALIDATION, ERROR_WHY(CAUSE_PARAMETERS, .count = wanted),
                            "Number of parameters in request and statement don't match.");
    out->syntax = s;
    out->kind = s->kind;
    out->returning = s->returning;
    if (s->expression)
        s = exists_subquery(&v, s->expression);
    if (!s || s->source->count > MAX_SOURCE)
        return NULL;
    out->table = s->source->steps[0].token->word;
    if (s->source->count < MAX_SOURCE)
        return NULL;
    out->index = s->source->steps[1].token->word;
    e = NULL;
    /* The error in the statement's first invalid literal. */
    for (size_t i = 0; !e && i < s->column_count; i++)
        e = partiql_check_literals(&v, s->columns[i]);
    if (!e && s->item)
        e = partiql_read_item(&v, s->item, &item);
    for (size_t i = 0; !e && i < s->assignment_count; i++)
        if (s->assignments[i].value)
            e = partiql_check_literals(&v, s->assignments[i].value);
    if (!e && s->where)
        e = partiql_check_literals(&v, s->where);
    return e;
}

const struct error *partiql_finish(struct arena *a, struct partiql_statement *out)
{
    const struct partiql_values v = {a, out->parameters};
    const struct partiql_syntax *s = out->syntax;
    const struct error *e;

    if (s->expression) {
        const struct partiql_syntax *subquery = exists_subquery(&v, s->expression);
        struct buf message = buf_in(v.arena);

        /* EXISTS(SELECT …) is the only expression that is a statement. */
        if (subquery)
            return read_request_select(&v, subquery, out);
        if (s->expression->kind == PQ_NODE_CALL &&
            span_is(partiql_node_name(v.arena, s->expression), "exists"))
            return error_caused(
                v.arena, ERROR_VALIDATION,
                ERROR_WHY(CAUSE_MEMBER_NEEDS, .operand = SPAN_LIT("EXISTS"),
                          .beside = SPAN_LIT("a SELECT in its brackets")),
                "EXISTS() must contain a single item read with additional condition");
        if (s->expression->kind == PQ_NODE_IS)
            return partiql_no_type(&v, s->expression);
        buf_add_text(&message, "Unsupported operation: ");
        buf_add_span(&message, partiql_node_name(v.arena, s->expression));
        return error_written(&message,
                             ERROR_WHY(CAUSE_STATEMENT, .place = s->expression->token->text));
    }
    switch (s->kind) {
    case PARTIQL_INSERT:
        e = check_source(&v, s);
        return e ? e : partiql_read_item(&v, s->item, &out->item);
    case PARTIQL_UPDATE:
        return read_update(&v, s, out);
    case PARTIQL_DELETE:
        return read_delete(&v, s, out);
    default:
        return read_request_select(&v, s, out);
    }
}

const struct error *partiql_read(struct arena *a, struct span text, const struct attr *parameters,
                                 size_t parameter_count, struct partiql_statement *out)
{
    const struct error *e = partiql_begin(a, text, parameters, parameter_count, out);

    return e ? e : partiql_finish(a, out);
}
