#include "ops/statement/statement.h"

#include "model/item_codec.h"
#include "ops/key_check.h"
#include "ops/op_expression.h"
#include "ops/op_stored.h"
#include "ops/op_target.h"
#include "ops/op_write.h"
#include "ops/read/read_index.h"
#include "ops/read/read_page.h"
#include "partiql/partiql_key.h"

const struct wire_shape statement_text_shape = {.type = WIRE_STRING,
                                                WIRE_BOUNDS(1, LIMIT_STATEMENT)};
const struct wire_shape statement_parameters_shape = {
    .type = WIRE_LIST, .element = &wire_attr, WIRE_AT_LEAST(1)};

/* --- the request ------------------------------------------------------------------------------ */

const struct error *statement_read_entry(struct call *c, const wire_node *entry,
                                         struct statement *out)
{
    const wire_node *list = wire_get(entry, "Parameters");
    struct attr *to;
    const struct error *e;

    *out = (struct statement){
        .text = wire_text(wire_get(entry, "Statement")),
        .show_on_failure = op_write_shows_on_failure(entry),
        .consistent = wire_bool(wire_get(entry, "ConsistentRead"), false),
    };
    to = arena_array(c->arena, wire_count(list), sizeof *to);
    out->parameters = to;
    for (const wire_node *n = wire_first(list); n; n = wire_next(n))
        if ((e = wire_read_attr_within(c->arena, n, WIRE_LAYER_OLDER, LIMIT_NESTING, to++)))
            return e;
    out->parameter_count = wire_count(list);
    return NULL;
}

const struct error *statement_parse_text(struct call *c, struct statement *s)
{
    const struct error *e;
    const struct table *t;
    const struct index *ix;
    static const char *const actions[] = {
        [PARTIQL_INSERT] = "PartiQLInsert",
        [PARTIQL_UPDATE] = "PartiQLUpdate",
        [PARTIQL_DELETE] = "PartiQLDelete",
        [PARTIQL_EXISTS] = "ConditionCheckItem",
    };

    if ((e = partiql_begin(c->arena, s->text, s->parameters, s->parameter_count, &s->parsed)))
        return e;
    /* A missing table or index is reported later. */
    if (s->parsed.index.at && !op_target_find_named(c, s->parsed.table, &t) &&
        (ix = schema_find_index(t, s->parsed.index)) &&
        (ix->keys.hash_count > 1 || ix->keys.range_count > 1))
        return error_caused(c->arena, ERROR_VALIDATION,
                            ERROR_WHY(CAUSE_STATEMENT_KEYS, .operand = ix->name),
                            "PartiQL statements cannot be executed on tables with multi-attribute "
                            "HASH keys or multi-attribute RANGE keys.");
    if ((e = partiql_finish(c->arena, &s->parsed)))
        return e;
    if (s->parsed.kind == PARTIQL_INSERT && (e = op_write_check_size(c->arena, &s->parsed.item)))
        return e;
    /* Checks access to the statement's IAM action. */
    return statement_is_write(s) ? op_access_check_write(c, actions[s->parsed.kind]) : NULL;
}

const struct error *statement_refuse_exists(struct call *c, const struct statement *s)
{
    if (s->parsed.kind != PARTIQL_EXISTS)
        return NULL;
    return error_caused(c->arena, ERROR_VALIDATION, ERROR_WHY(CAUSE_STATEMENT_EXISTS),
                        "EXISTS can only be used in ExecuteTransaction write requests.");
}

bool statement_is_write(const struct statement *s)
{
    return s->parsed.kind != PARTIQL_SELECT;
}

bool statement_is_key_read(const struct statement *s)
{
    return s->has_key && !s->rest;
}

/* --- table and index -------------------------------------------------------------------------- */

const struct key_schema *statement_keys(const struct statement *s)
{
    return s->index ? &s->index->keys : &s->table->keys;
}

static const struct error *find_index(struct call *c, struct statement *s)
{
    if (!s->parsed.index.at)
        return NULL;
    if (!(s->index = schema_find_index(s->table, s->parsed.index)))
        return error_caused(
            c->arena, ERROR_VALIDATION,
            ERROR_WHY(CAUSE_NO_INDEX, .operand = s->parsed.index, .beside = s->table->name),
            "The table does not have the specified index");
    if (schema_kind(s->index) == KIND_VECTOR)
        return read_index_no_scan(c->arena);
    if (!s->index->global)
        return NULL;
    if (s->consistent)
        return error_caused(
            c->arena, ERROR_VALIDATION,
            ERROR_WHY(CAUSE_NOT_CONSISTENT, .operand = s->index->name,
                      .beside = SPAN_LIT("ConsistentRead")),
            "Strongly consistent read is not supported on Global Secondary Indexes");
    return read_index_check_built(c->arena, s->index);
}

const struct error *statement_find_table(struct call *c, struct statement *s)
{
    const struct error *e;

    if ((e = op_target_find_named(c, s->parsed.table, &s->table)))
        return e;
    if ((e = find_index(c, s)) ||
        (s->index &&
         (e = read_index_check_projection(c->arena, s->table, s->index, &s->parsed.columns))) ||
        (e = op_expression_check_projection(c, s->table, &s->parsed.columns)))
        return e;
    return op_expression_check_condition(c, s->table, s->parsed.where);
}

const struct error *statement_find_key(struct call *c, struct statement *s)
{
    const struct key_schema *keys = &s->table->keys;
    const struct span names[] = {keys->hash[0].name, keys->range[0].name};

    if (s->parsed.kind == PARTIQL_INSERT) {
        s->has_key = true;
        s->key = s->parsed.item;
        return NULL;
    }
    s->has_key = !s->index && partiql_take_key(c->arena, s->parsed.where, names,
                                               1 + keys->range_count, &s->key, &s->rest);
    if (s->has_key || s->parsed.kind == PARTIQL_SELECT || s->parsed.kind == PARTIQL_EXISTS)
        return NULL;
    return error_caused(c->arena, ERROR_VALIDATION, ERROR_WHY(CAUSE_STATEMENT_KEY),
                        "Where clause does not contain a mandatory equality on all key attributes");
}

/* --- order ------------------------------------------------------------------------------------ */

static const struct error *check_term(struct call *c, const struct key_schema *keys,
                                      const struct path *by)
{
    struct buf message = buf_in(c->arena);

    if (by->len == 1 && schema_is_key(keys, by->at[0].name))
        return NULL;
    buf_add_text(&message, "Attribute ");
    path_add(&message, by);
    buf_add_text(&message, " in ORDER BY clause must be part of the primary key");
    return error_written(&message, ERROR_WHY(CAUSE_ORDER_STRANGER));
}

const struct error *statement_check_order(struct call *c, const struct statement *s)
{
    const struct error *e = NULL;

    for (size_t i = 0; !e && i < s->parsed.order_count; i++)
        e = check_term(c, statement_keys(s), &s->parsed.order[i].by);
    return e;
}

const struct error *statement_resolve_member(struct call *c, struct statement *s)
{
    const struct error *e;

    if ((e = statement_find_table(c, s)) || (e = statement_find_key(c, s)))
        return e;
    if (!statement_is_write(s) && !statement_is_key_read(s))
        return error_caused(c->arena, ERROR_VALIDATION, ERROR_WHY(CAUSE_STATEMENT_READ),
                            "Select statements within BatchExecuteStatement must specify the "
                            "primary key in the where clause.");
    if ((e = statement_check_order(c, s)))
        return e;
    return s->parsed.kind == PARTIQL_INSERT ? key_check_item(c->arena, s->table, &s->key)
                                            : key_check_parameter(c->arena, s->table, &s->key);
}

/* --- reads ------------------------------------------------------------------------------------ */

const struct error *statement_get(struct call *c, const struct statement *s, struct capacity *used,
                                  struct item *it, bool *found)
{
    struct buf position = buf_in(c->arena);
    struct store_row row;
    const struct error *e;

    key_of_item(&position, s->table, &s->key);
    if ((e = unit_get(c->unit, buf_span(&position), &row)))
        return e;
    *it = row.found ? item_decode(c->arena, row.body) : (struct item){.len = 0};
    *found = row.found;
    capacity_add_get(used, capacity_at(buf_span(&position)), row.size, s->consistent, *found);
    return NULL;
}

void statement_put_columns(struct call *c, const struct statement *s, const struct item *it)
{
    const struct expr_projection *columns = &s->parsed.columns;
    struct item shown = *it;

    if (columns->len)
        shown = read_page_columns(c->arena, columns, s->parsed.column_names, it);
    op_stored_put_item(c, &shown);
}
