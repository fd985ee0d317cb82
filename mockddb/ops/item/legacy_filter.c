#include "ops/item/legacy_filter.h"

#include "ops/item/legacy_entry.h"
#include "ops/op_fault.h"

const struct error *legacy_filter_read(struct call *c, const char *parameter, enum wire_layer layer,
                                       struct expr_cond **out)
{
    return legacy_entry_join(c, parameter, legacy_entry_read, layer, out);
}

const struct error *legacy_filter_check_operator(struct call *c, const char *conditions)
{
    const wire_node *joined = wire_get(c->body, conditions);

    if (!wire_get(c->body, "ConditionalOperator"))
        return NULL;
    if (!joined)
        return error_validation(c->arena,
                                "ConditionalOperator cannot be used without Filter or Expected");
    if (wire_count(joined) < 2)
        return error_validation(c->arena, "ConditionalOperator can only be used when Filter or "
                                          "Expected has two or more elements");
    return NULL;
}

const struct error *legacy_filter_read_keys(struct call *c, enum wire_layer layer,
                                            struct expr_key *out)
{
    const wire_node *map = wire_get(c->body, "KeyConditions");
    const struct error *e = op_fault_check_entries(c->arena, "KeyConditions", wire_count(map));

    if (e)
        return e;
    *out = (struct expr_key){arena_array(c->arena, wire_count(map), sizeof *out->at), 0};
    for (const wire_node *n = wire_first(map); n; n = wire_next(n)) {
        struct expr_key_clause *clause = &out->at[out->len++];
        struct legacy_entry entry = {.comparison = COMPARISON_EQ}; /* the default */

        if ((e = legacy_entry_read(c, n, layer, &entry)))
            return e;
        clause->attribute = entry.name;
        clause->op = legacy_entry_takes(&entry)->op;
        if (entry.count > 0)
            clause->low = entry.values[0];
        if (entry.count > 1)
            clause->high = entry.values[1];
    }
    return NULL;
}
