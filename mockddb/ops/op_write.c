#include "ops/op_write.h"

#include "ops/key_check.h"
#include "ops/op_fault.h"
#include "ops/op_seen.h"
#include "wire/wire_attr.h"

const struct error *op_write_error(struct call *c, const struct error *e)
{
    if (!e || wire_is_classic(c->op->members, c->body))
        return e;
    return error_enveloped(c->arena, e);
}

enum return_values op_write_return_values(const struct call *c)
{
    struct span value = wire_text(wire_get(c->body, "ReturnValues"));

    return (enum return_values)names_find(names_return_values, value, RETURN_NONE);
}

/* --- conditions ------------------------------------------------------------------------------- */

bool op_write_shows_on_failure(const wire_node *parameters)
{
    struct span shown = wire_text(wire_get(parameters, "ReturnValuesOnConditionCheckFailure"));

    return span_is(shown, names_return_values[RETURN_ALL_OLD]);
}

const struct error *op_write_condition_failed(struct arena *a, const struct change *ch, bool show)
{
    struct buf members = buf_in(a);
    struct error *e = arena_alloc(a, sizeof *e);

    *e = (struct error){.kind = ERROR_CONDITION_FAILED, .message = SPAN_LIT(OP_WRITE_CONDITION)};
    if (show && ch->old.found) {
        buf_add_text(&members, "\"Item\":");
        buf_add_span(&members, ch->old.body);
        e->members = buf_span(&members);
    }
    return e;
}

/* Checks that the stored item is the item that the caller saw. */
static const struct error *check_seen(struct call *c, struct change *ch)
{
    const struct error *e;

    if (!c->seen || item_equal(c->seen->item, change_old(c, ch)))
        return NULL;
    e = op_write_condition_failed(c->arena, ch, false);
    c->seen->differs = true;
    c->seen->stored = ch->old.found ? ch->old.body : (struct span){NULL, 0};
    return e;
}

const struct error *op_write_check_condition(struct call *c, const struct expr_cond *cond,
                                             struct change *ch)
{
    const struct error *e = check_seen(c, ch);

    if (e)
        return e;
    if (!cond || expr_matches(cond, change_old(c, ch)))
        return NULL;
    change_keep(ch, capacity_of(c, ch->table));
    return op_write_condition_failed(c->arena, ch, op_write_shows_on_failure(c->body));
}

/* --- sizes ------------------------------------------------------------------------------------ */

const struct error *op_write_check_size(struct arena *a, const struct item *it)
{
    if (item_size(it) <= LIMIT_ITEM_BYTES)
        return NULL;
    return op_fault_size(a);
}

static bool is_in_index(const struct index *ix, const struct item *it)
{
    for (size_t i = 0; i < ix->keys.range_count; i++)
        if (!item_find(it, ix->keys.range[i].name))
            return false;
    return true;
}

/* Entries in local indexes count towards the limit of their item. No entry is larger than the item,
 * so small items need no exact sum. */
static bool fits_with_entries(struct arena *a, const struct table *t, const struct item *it)
{
    size_t size = item_size(it);

    if (size <= LIMIT_ITEM_BYTES / (1 + LIMIT_LOCALS))
        return true;
    for (size_t i = 0; i < t->index_count && schema_kind(&t->indexes[i]) == KIND_LOCAL; i++)
        if (is_in_index(&t->indexes[i], it)) {
            struct item part = schema_project(a, t, &t->indexes[i], it);

            size += schema_entry_size(&t->indexes[i], &part);
        }
    return size <= LIMIT_ITEM_BYTES;
}

const struct error *op_write_check_indexes(struct arena *a, const struct table *t,
                                           const struct item *it)
{
    const struct error *e = key_check_indexes(a, t, it);

    if (e || fits_with_entries(a, t, it))
        return e;
    return op_fault_size(a);
}

const struct error *op_write_check_updated(struct arena *a, const struct table *t,
                                           const struct item *it)
{
    if (!fits_with_entries(a, t, it))
        return op_fault_updated_size(a);
    for (size_t i = 0; i < it->len; i++)
        if (attr_is_deeper(&it->at[i].value, LIMIT_NESTING))
            return wire_nesting_error(a);
    return NULL;
}
