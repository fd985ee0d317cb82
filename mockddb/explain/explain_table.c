#include "explain/explain_table.h"

#include "explain/explain_expression.h"
#include "explain/explain_trial.h"
#include "wire/wire_print.h"

static bool defines(const wire_node *definitions, struct span name)
{
    for (const wire_node *n = wire_first(definitions); n; n = wire_next(n))
        if (span_equal(wire_text(wire_get(n, "AttributeName")), name))
            return true;
    return false;
}

/* Calls for each KeySchema of the description: of the table, and of its indexes. */
typedef bool schema_look(struct inquiry *q, const wire_node *schema, struct span owner, void *data);

static bool each_schema(struct inquiry *q, schema_look *look, void *data)
{
    static const char *const lists[] = {"LocalSecondaryIndexes", "GlobalSecondaryIndexes",
                                        "GlobalSecondaryIndexUpdates"};
    const wire_node *body = q->call.body;

    if (look(q, wire_get(body, "KeySchema"), SPAN_LIT("the table's"), data))
        return true;
    for (size_t i = 0; i < COUNT(lists); i++)
        for (const wire_node *n = wire_first(wire_get(body, lists[i])); n; n = wire_next(n)) {
            const wire_node *index = wire_get(n, "Create") ? wire_get(n, "Create") : n;
            const char *owner = arena_printf(q->arena, "%.*s's",
                                             SPAN_ARG(wire_text(wire_get(index, "IndexName"))));

            if (look(q, wire_get(index, "KeySchema"), span_of(owner), data))
                return true;
        }
    return false;
}

/* Whether a key has this attribute. */
static bool has_attribute(struct inquiry *q, const wire_node *schema, struct span owner, void *name)
{
    (void)q;
    (void)owner;
    return defines(schema, *(const struct span *)name);
}

static bool is_key_of(const struct table *t, struct span name)
{
    bool found = schema_is_key(&t->keys, name);

    for (size_t i = 0; i < t->index_count; i++)
        found = found || schema_is_key(&t->indexes[i].keys, name);
    return found;
}

static bool is_undefined(struct inquiry *q, const wire_node *schema, struct span owner,
                         void *definitions)
{
    struct span table = wire_text(wire_get(q->call.body, "TableName"));
    const struct table *t = op_region_table(&q->call, table); /* an update's, which has some */

    for (const wire_node *n = wire_first(schema); n; n = wire_next(n)) {
        struct span name = wire_text(wire_get(n, "AttributeName"));

        if (!name.len || defines(definitions, name) || (t && is_key_of(t, name)))
            continue;
        inquiry_reason(q,
                       "%.*s is in %.*s key and not defined: add {\"AttributeName\": \"%.*s\", "
                       "\"AttributeType\": \"S\"} to AttributeDefinitions",
                       SPAN_ARG(name), SPAN_ARG(owner), SPAN_ARG(name));
        return true;
    }
    return false;
}

/* AttributeDefinitions without this one. */
static void propose_without(struct inquiry *q, const wire_node *definitions, const wire_node *one)
{
    struct buf list = buf_in(q->arena);

    buf_add_char(&list, '[');
    for (const wire_node *n = wire_first(definitions); n; n = wire_next(n)) {
        if (n == one)
            continue;
        if (list.len > 1)
            buf_add_char(&list, ',');
        wire_print_json(&list, n);
    }
    buf_add_char(&list, ']');
    explain_expression_propose(
        q, (struct trial_member[]){{"AttributeDefinitions", buf_span(&list)}}, 1);
}

/* An attribute that no key has: attributes of items are not defined. */
static void check_unused(struct inquiry *q, const wire_node *definitions)
{
    for (const wire_node *n = wire_first(definitions); n; n = wire_next(n)) {
        struct span name = wire_text(wire_get(n, "AttributeName"));

        if (!name.len || each_schema(q, has_attribute, &name))
            continue;
        inquiry_reason(q,
                       "%.*s is defined and no key has it: leave it out, items may have attributes "
                       "that are not defined",
                       SPAN_ARG(name));
        propose_without(q, definitions, n);
        return;
    }
}

static void check_billing(struct inquiry *q)
{
    const wire_node *units = wire_get(q->call.body, "ProvisionedThroughput");
    struct span mode = wire_text(wire_get(q->call.body, "BillingMode"));

    if (units && span_is(mode, "PAY_PER_REQUEST")) {
        inquiry_reason(q, "an on-demand table has no ProvisionedThroughput: leave it out");
        explain_expression_propose(q, (struct trial_member[]){{"ProvisionedThroughput", {"", 0}}},
                                   1);
    } else if (!units && !mode.len && wire_get(q->call.body, "KeySchema")) {
        inquiry_reason(q, "the table has no ProvisionedThroughput: give it, or BillingMode "
                          "PAY_PER_REQUEST");
        explain_expression_propose(
            q, (struct trial_member[]){{"BillingMode", SPAN_LIT("\"PAY_PER_REQUEST\"")}}, 1);
    }
}

void explain_table(struct inquiry *q)
{
    const wire_node *definitions = wire_get(q->call.body, "AttributeDefinitions");
    bool creates = wire_get(q->call.body, "KeySchema") != NULL;
    void *data = (void *)(uintptr_t)definitions;

    if (!creates && !wire_get(q->call.body, "GlobalSecondaryIndexUpdates"))
        return;
    if (each_schema(q, is_undefined, data))
        return;
    if (creates) {
        check_unused(q, definitions);
        check_billing(q);
    }
}

void explain_table_exists(struct inquiry *q)
{
    struct span name = wire_text(wire_get(q->call.body, "TableName"));

    if (wire_get(q->call.body, "KeySchema") && op_region_table(&q->call, name))
        inquiry_reason(q, "%.*s exists already: delete it first, or take another name",
                       SPAN_ARG(name));
}
