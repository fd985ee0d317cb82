#include "explain/explain_table.h"

#include "explain/explain_trial.h"
#include "wire/wire_print.h"

/* "the table's" or "INDEX's", by the key that has the attribute. */
static const char *owner_of(struct inquiry *q, struct span name)
{
    static const char *const lists[] = {"LocalSecondaryIndexes", "GlobalSecondaryIndexes",
                                        "GlobalSecondaryIndexUpdates"};

    for (size_t i = 0; i < COUNT(lists); i++)
        for (const wire_node *n = wire_first(wire_get(q->call.body, lists[i])); n;
             n = wire_next(n)) {
            const wire_node *index = wire_get(n, "Create") ? wire_get(n, "Create") : n;
            const wire_node *part = wire_first(wire_get(index, "KeySchema"));

            for (; part; part = wire_next(part))
                if (span_equal(wire_text(wire_get(part, "AttributeName")), name))
                    return arena_printf(q->arena, "%.*s's",
                                        SPAN_ARG(wire_text(wire_get(index, "IndexName"))));
        }
    return "the table's";
}

void explain_table_undefined(struct inquiry *q, const struct refusal *r)
{
    struct span name = r->why->operand;

    inquiry_reason(q,
                   "%.*s is in %s key and not defined: add {\"AttributeName\": \"%.*s\", "
                   "\"AttributeType\": \"S\"} to AttributeDefinitions",
                   SPAN_ARG(name), owner_of(q, name), SPAN_ARG(name));
}

/* Proposes AttributeDefinitions without the one. */
void explain_table_unused(struct inquiry *q, const struct refusal *r)
{
    const wire_node *n = wire_first(wire_get(q->call.body, "AttributeDefinitions"));
    struct buf list = buf_in(q->arena);

    buf_add_char(&list, '[');
    for (; n; n = wire_next(n)) {
        if (span_equal(wire_text(wire_get(n, "AttributeName")), r->why->operand))
            continue;
        if (list.len > 1)
            buf_add_char(&list, ',');
        wire_print_json(&list, n);
    }
    buf_add_char(&list, ']');
    explain_expression_propose(
        q, (struct trial_member[]){{"AttributeDefinitions", buf_span(&list)}}, 1);
}

void explain_table_no_units(struct inquiry *q, const struct refusal *r)
{
    (void)r;
    explain_expression_propose(
        q, (struct trial_member[]){{"BillingMode", SPAN_LIT("\"PAY_PER_REQUEST\"")}}, 1);
}
