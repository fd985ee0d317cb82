#include "ops/read/read_request.h"

#include "ops/item/legacy.h"
#include "ops/op_expression.h"
#include "ops/op_target.h"
#include "ops/read/read_index.h"
#include "ops/read/read_start.h"

const struct wire_shape read_request_limit_shape = {.type = WIRE_INTEGER, WIRE_AT_LEAST(1)};
const struct wire_shape read_request_select_shape = {
    .type = WIRE_STRING,
    .values = names_selects,
};

static const struct op_styles query_styles = {
    .legacy = {{.name = "AttributesToGet"},
               {.name = "QueryFilter"},
               {.name = "ConditionalOperator"},
               {.name = "KeyConditions", .beside = "KeyConditionExpression"}},
    .expressions = {{.name = "ProjectionExpression"},
                    {.name = "FilterExpression", .takes_values = true},
                    {.name = "KeyConditionExpression", .takes_values = true}},
    .layer = WIRE_LAYER_CURRENT,
};

static const struct op_styles scan_styles = {
    .legacy = {{.name = "AttributesToGet"},
               {.name = "ScanFilter"},
               {.name = "ConditionalOperator"}},
    .expressions = {{.name = "ProjectionExpression"},
                    {.name = "FilterExpression", .takes_values = true}},
    .layer = WIRE_LAYER_OLDER,
    .no_values_tail = ": FilterExpression is null",
};

static const struct op_styles *styles_of(const struct read_request *r)
{
    return r->is_query ? &query_styles : &scan_styles;
}

enum wire_layer read_request_layer(const struct read_request *r)
{
    return styles_of(r)->layer;
}

const struct error *read_request_options(struct call *c, struct read_request *r)
{
    struct expr_projection names = {.len = 0};
    struct expr_cond *filter = NULL;
    const struct error *e;

    if ((e = op_expression_check_styles(c, styles_of(r), c->body)) ||
        (e = legacy_filter_read(c, r->filter_name, read_request_layer(r), &filter)) ||
        (e = legacy_filter_check_operator(c, r->filter_name)) ||
        (e = legacy_attributes_read(c, c->body, &names)))
        return e;
    if (names.len) {
        struct expr_projection *kept = arena_alloc(c->arena, sizeof *kept);

        *kept = names;
        r->projection = kept;
    }
    r->filter = filter;
    r->legacy_filter = filter != NULL;
    return read_start(c, read_request_layer(r), &r->start, &r->has_start);
}

/* Query reports errors of Select and projection in the envelope, Scan does not. */
static const struct error *select_error(struct call *c, const struct read_request *r,
                                        enum error_cause cause, const char *superfluous,
                                        const struct error *e)
{
    e = error_because(c->arena, e,
                      ERROR_WHY(cause, .operand = wire_text(wire_get(c->body, "Select")),
                                .beside = span_of(superfluous)));
    return r->is_query ? error_enveloped(c->arena, e) : e;
}

const struct error *read_request_select(struct call *c, struct read_request *r)
{
    const char *parameter = wire_get(c->body, "ProjectionExpression") ? "ProjectionExpression"
                            : wire_get(c->body, "AttributesToGet")    ? "AttributesToGet"
                                                                      : NULL;

    r->select = (enum select)names_find(names_selects, wire_text(wire_get(c->body, "Select")),
                                        SELECT_UNSAID);
    if (r->select == SELECT_SPECIFIC && !parameter)
        return select_error(
            c, r, CAUSE_SELECT_UNLISTED, "Select",
            error_validation(c->arena, "Must specify the AttributesToGet or ProjectionExpression "
                                       "when choosing to get SPECIFIC_ATTRIBUTES"));
    if (r->select != SELECT_UNSAID && r->select != SELECT_SPECIFIC && parameter)
        return select_error(
            c, r, r->select == SELECT_COUNT ? CAUSE_SELECT_COUNT : CAUSE_SELECT_LISTED,
            r->select == SELECT_COUNT ? parameter : "Select",
            error_validation(c->arena, "Cannot specify the %s when choosing to get %s", parameter,
                             r->select == SELECT_COUNT ? "only the Count"
                                                       : names_selects[r->select]));
    if (r->select == SELECT_ALL_PROJECTED && !wire_get(c->body, "IndexName"))
        return select_error(c, r, CAUSE_SELECT_TABLE, "Select",
                            error_validation(c->arena,
                                             "ALL_PROJECTED_ATTRIBUTES can be used only when "
                                             "Querying using an IndexName"));
    return NULL;
}

const struct error *read_request_expressions(struct call *c, struct read_request *r)
{
    const wire_node *filter = wire_get(c->body, "FilterExpression");
    const wire_node *projection = wire_get(c->body, "ProjectionExpression");
    const struct error *e;

    if ((e = op_expression_read_vars(c, styles_of(r), c->body, &r->vars)))
        return e;
    if (filter) {
        struct expr_cond *cond;

        if ((e = expr_read_condition(c->arena, "FilterExpression", wire_text(filter), &r->vars,
                                     &cond)))
            return e;
        r->filter = cond;
    }
    if (projection) {
        struct expr_projection *kept = arena_alloc(c->arena, sizeof *kept);

        if ((e = expr_read_projection(c->arena, wire_text(projection), &r->vars, kept)))
            return e;
        r->projection = kept;
    }
    return NULL;
}

const struct error *read_request_target(struct call *c, const struct read_request *r,
                                        const struct table **t, const struct index **ix)
{
    const wire_node *name = wire_get(c->body, "IndexName");
    const struct error *e;

    *ix = NULL;
    if ((e = op_target_find(c, t)) || !name)
        return e;
    if (!(*ix = schema_find_index(*t, wire_text(name))))
        return error_caused(
            c->arena, ERROR_VALIDATION,
            ERROR_WHY(CAUSE_NO_INDEX, .operand = wire_text(name), .beside = (*t)->name),
            "The table does not have the specified index: %.*s", SPAN_ARG(wire_text(name)));
    if (schema_kind(*ix) == KIND_VECTOR && !r->is_query)
        return read_index_no_scan(c->arena);
    if ((*ix)->global && wire_bool(wire_get(c->body, "ConsistentRead"), false))
        return error_caused(c->arena, ERROR_VALIDATION,
                            ERROR_WHY(CAUSE_NOT_CONSISTENT, .operand = (*ix)->name,
                                      .beside = SPAN_LIT("ConsistentRead")),
                            "Consistent reads are not supported on global secondary indexes");
    if (schema_kind(*ix) == KIND_VECTOR) /* the full stop is the service's */
        return error_caused(c->arena, ERROR_VALIDATION, ERROR_WHY(CAUSE_VECTOR_INDEX),
                            "Query operation not supported on this index type.");
    return read_index_check_built(c->arena, *ix);
}

/* A Query's filter must not name a key attribute of the table or index that is read. */
static const struct error *check_filter_keys(struct call *c, const struct read_request *r,
                                             const struct table *t, const struct index *ix,
                                             const struct name_list *names)
{
    const char *what = r->legacy_filter ? r->filter_name : "Filter Expression";

    for (size_t i = 0; i < names->len; i++)
        if (schema_is_key(ix ? &ix->keys : &t->keys, names->at[i]))
            return error_caused(
                c->arena, ERROR_VALIDATION, ERROR_WHY(CAUSE_FILTER_KEY, .operand = names->at[i]),
                "%s can only contain non-primary key attributes: Primary key attribute: %.*s", what,
                SPAN_ARG(names->at[i]));
    return NULL;
}

static const struct error *check_projected(struct call *c, const struct read_request *r,
                                           const struct table *t, const struct index *ix,
                                           const struct name_list *filter_names)
{
    const struct error *e;

    if (r->select == SELECT_ALL_ATTRIBUTES && ix->global && ix->projection != PROJECT_ALL)
        return error_caused(
            c->arena, ERROR_VALIDATION,
            ERROR_WHY(CAUSE_NOT_HELD, .operand = SPAN_LIT("all attributes"), .beside = ix->name),
            ERROR_PARAMETER "Select type ALL_ATTRIBUTES is not supported for global secondary "
                            "index %.*s because its projection type is not ALL",
            SPAN_ARG(ix->name));
    if (r->projection && (e = read_index_check_projection(c->arena, t, ix, r->projection)))
        return e;
    return r->is_query ? read_index_check_filter(c->arena, t, ix, filter_names) : NULL;
}

const struct error *read_request_check_names(struct call *c, const struct read_request *r,
                                             const struct table *t, const struct index *ix)
{
    struct name_list filter_names = {NULL, 0};
    const struct error *e;

    if (r->filter)
        expr_condition_names(c->arena, r->filter, &filter_names.at, &filter_names.len);
    if (r->projection && (e = op_expression_check_projection(c, t, r->projection)))
        return e;
    if (r->is_query && (e = check_filter_keys(c, r, t, ix, &filter_names)))
        return e;
    if (ix && (e = check_projected(c, r, t, ix, &filter_names)))
        return e;
    return op_expression_check_condition(c, t, r->filter);
}

struct read_page read_request_page(struct call *c, const struct read_request *r,
                                   const struct table *t, const struct index *ix)
{
    return (struct read_page){
        .table = t,
        .index = ix,
        .limit = wire_integer(wire_get(c->body, "Limit"), 0),
        .consistent = wire_bool(wire_get(c->body, "ConsistentRead"), false),
        .count_only = r->select == SELECT_COUNT,
        .whole_items = r->select == SELECT_ALL_ATTRIBUTES,
        .filter = r->filter,
        .projection = r->projection,
    };
}
