#include "ops/op_subject.h"

#include "base/one_more.h"
#include "expr/expr_ast.h"
#include "ops/op_expression.h"
#include "ops/table/table_arn.h"

struct subject_collector {
    struct arena *arena;
    struct op_subjects found;
};

static struct op_subject *add_subject(struct subject_collector *to, struct span table,
                                      const wire_node *entry)
{
    struct op_subject *s;
    struct arn arn;

    if (span_starts_with(table, SPAN_LIT("arn:")) && table_arn_parse(table, &arn) && arn.table.len)
        table = arn.table;
    to->found.at = one_more(to->arena, to->found.at, to->found.len, sizeof *s);
    s = &to->found.at[to->found.len++];
    *s = (struct op_subject){.table = table, .entry = entry};
    return s;
}

/* {"TableName": …, "IndexName": …, "Key" or "Item": …} */
static void add_entry(struct subject_collector *to, const wire_node *entry)
{
    static const char *const names[] = {"TableName", "ResourceArn", "StreamArn", "TableArn"};

    for (size_t i = 0; i < COUNT(names); i++) {
        struct span table = wire_text(wire_get(entry, names[i]));
        struct op_subject *s;

        if (!table.len)
            continue;
        s = add_subject(to, table, entry);
        s->index = wire_text(wire_get(entry, "IndexName"));
        s->key = wire_get(entry, "Key");
        s->is_item = !s->key;
        if (s->is_item)
            s->key = wire_get(entry, "Item");
        return;
    }
}

/* {"PutRequest": {"Item": …}} or {"DeleteRequest": {"Key": …}} */
static const wire_node *written_item(const wire_node *write)
{
    const wire_node *put = wire_get(write, "PutRequest");

    return put ? wire_get(put, "Item") : wire_get(wire_get(write, "DeleteRequest"), "Key");
}

/* A statement that does not parse has no subject. */
static void add_statement(struct subject_collector *to, const wire_node *entry)
{
    const wire_node *list = wire_get(entry, "Parameters");
    struct attr *parameters = arena_array(to->arena, wire_count(list), sizeof *parameters);
    struct partiql_statement *statement;
    size_t count = 0;
    struct op_subject *s;

    for (const wire_node *n = wire_first(list); n; n = wire_next(n))
        if (wire_read_attr(to->arena, n, WIRE_LAYER_OLDER, &parameters[count++]))
            return;
    statement = arena_alloc(to->arena, sizeof *statement);
    if (partiql_read(to->arena, wire_text(wire_get(entry, "Statement")), parameters, count,
                     statement))
        return;
    s = add_subject(to, statement->table, entry);
    s->index = statement->index;
    s->statement = statement;
}

struct op_subjects op_subject_all(struct arena *a, const wire_node *body)
{
    static const char *const lists[] = {"Statements", "TransactStatements"};
    struct subject_collector to = {.arena = a};
    struct span iterator = wire_text(wire_get(body, "ShardIterator"));
    size_t len = 0;

    add_entry(&to, body);
    /* {"ShardIterator": …}, which begins with the stream's ARN */
    while (len < iterator.len && iterator.at[len] != '|')
        len++;
    if (len < iterator.len)
        (void)add_subject(&to, (struct span){iterator.at, len}, body);
    /* {table: {"Keys": […]}} or {table: [writes]} */
    for (const wire_node *t = wire_first(wire_get(body, "RequestItems")); t; t = wire_next(t)) {
        const wire_node *keys = wire_get(t, "Keys");

        for (const wire_node *n = wire_first(keys ? keys : t); n; n = wire_next(n)) {
            struct op_subject *s = add_subject(&to, wire_name(t), t);

            s->key = keys ? n : written_item(n);
            s->is_item = wire_get(n, "PutRequest") != NULL && !keys;
        }
    }
    /* [{"Put": {…}}, …] */
    for (const wire_node *n = wire_first(wire_get(body, "TransactItems")); n; n = wire_next(n))
        if (wire_first(n))
            add_entry(&to, wire_first(n));
    if (wire_get(body, "Statement"))
        add_statement(&to, body);
    for (size_t i = 0; i < COUNT(lists); i++)
        for (const wire_node *n = wire_first(wire_get(body, lists[i])); n; n = wire_next(n))
            add_statement(&to, n);
    return to.found;
}

/* --- values ----------------------------------------------------------------------------------- */

static bool value_of_query(struct call *c, const wire_node *query, struct span name,
                           struct attr *out)
{
    static const struct op_styles styles = {
        .expressions = {{.name = "KeyConditionExpression", .takes_values = true}}};
    const wire_node *text = wire_get(query, "KeyConditionExpression");
    struct node *tree;
    struct expr_vars vars;
    struct expr_key key;

    if (!text || op_expression_read_vars(c, &styles, query, &vars) ||
        expr_read_key_condition(c->arena, wire_text(text), &vars, &tree) ||
        expr_reduce_key_condition(c->arena, tree, &key))
        return false;
    for (size_t i = 0; i < key.len; i++) {
        if (key.at[i].op != EXPR_EQ || !span_equal(key.at[i].attribute, name))
            continue;
        *out = key.at[i].low;
        return true;
    }
    return false;
}

static bool value_of_legacy(struct call *c, const wire_node *conditions, struct span name,
                            struct attr *out)
{
    const wire_node *condition = wire_get_span(conditions, name);
    const wire_node *value = wire_first(wire_get(condition, "AttributeValueList"));

    return value && span_is(wire_text(wire_get(condition, "ComparisonOperator")), "EQ") &&
           !wire_read_attr(c->arena, value, WIRE_LAYER_CURRENT, out);
}

/* Finds name = value, alone or joined with other conditions by AND. */
static bool value_of_condition(const struct node *node, struct span name, struct attr *out)
{
    if (node->kind == NODE_AND) {
        for (size_t i = 0; i < node->operands.len; i++)
            if (value_of_condition(node->operands.at[i], name, out))
                return true;
        return false;
    }
    if (node->kind != NODE_EQ || node->operands.at[0]->kind != NODE_PATH ||
        node->operands.at[1]->kind != NODE_VALUE || node->operands.at[0]->path.len != 1 ||
        !span_equal(node->operands.at[0]->path.at[0].name, name))
        return false;
    *out = *node->operands.at[1]->value;
    return true;
}

bool op_subject_value(struct call *c, const struct op_subject *s, struct span name,
                      struct attr *out)
{
    const wire_node *value = wire_get_span(s->key, name);

    if (s->statement) {
        const struct attr *inserted = item_find(&s->statement->item, name);

        if (s->statement->kind != PARTIQL_INSERT)
            return s->statement->where && value_of_condition(s->statement->where->root, name, out);
        if (inserted)
            *out = *inserted;
        return inserted != NULL;
    }
    if (s->key)
        return value && !wire_read_attr(c->arena, value, WIRE_LAYER_CURRENT, out);
    return value_of_query(c, s->entry, name, out) ||
           value_of_legacy(c, wire_get(s->entry, "KeyConditions"), name, out);
}
