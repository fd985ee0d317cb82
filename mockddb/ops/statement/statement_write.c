#include "ops/statement/statement_write.h"

#include "ops/key_check.h"
#include "ops/op_expression.h"
#include "ops/op_fault.h"
#include "ops/op_stored.h"
#include "ops/op_write.h"

/* A failed condition is charged like the write. */
static void charge_failure(struct capacity *used, const struct change *ch, size_t size)
{
    capacity_add_table(used, capacity_at(ch->old.key),
                       capacity_write_units(ch->old.size > size ? ch->old.size : size));
}

/* --- INSERT ----------------------------------------------------------------------------------- */

static const struct error *insert_item(struct call *c, struct statement *s, struct capacity *used)
{
    const struct item *it = &s->parsed.item;
    struct change ch;
    const struct error *e;

    if ((e = key_check_item(c->arena, s->table, it)) ||
        (e = op_write_check_indexes(c->arena, s->table, it)) ||
        (e = change_begin(c, s->table, it, &ch)))
        return e;
    if (!ch.old.found)
        return change_put(c, &ch, it, used);
    charge_failure(used, &ch, item_size(it));
    return op_fault_duplicate_item(c->arena);
}

/* --- UPDATE ----------------------------------------------------------------------------------- */

static void show_update(struct call *c, const struct statement *s, const struct change *ch,
                        const struct item *old, const struct item *now,
                        struct statement_shown *shown)
{
    switch (s->parsed.returning) {
    case PARTIQL_RETURNING_NOTHING:
        break;
    case PARTIQL_RETURNING_ALL_OLD:
        shown->body = ch->old.body;
        break;
    case PARTIQL_RETURNING_ALL_NEW:
        shown->body = ch->body;
        break;
    case PARTIQL_RETURNING_MODIFIED_OLD:
        shown->part = expr_updated_part(c->arena, s->parsed.update, old);
        break;
    case PARTIQL_RETURNING_MODIFIED_NEW:
        shown->part = expr_updated_part(c->arena, s->parsed.update, now);
        break;
    }
}

static const struct error *update_item(struct call *c, struct statement *s,
                                       struct statement_shown *shown, struct capacity *used)
{
    const struct expr_update *u = s->parsed.update;
    const struct item *old;
    struct change ch;
    struct item now;
    const struct error *e;

    if ((e = key_check_parameter(c->arena, s->table, &s->key)) ||
        (e = key_check_targets(c->arena, s->table, s->parsed.update)) ||
        (e = op_expression_check_update(c, s->table, s->parsed.update)) ||
        (e = change_begin(c, s->table, &s->key, &ch)))
        return e;
    old = change_old(c, &ch);
    if (!old || !expr_matches(s->rest, old)) {
        charge_failure(used, &ch, 0);
        return op_write_condition_failed(c->arena, &ch, s->show_on_failure);
    }
    if ((e = expr_apply(c->arena, u, old, &now)) ||
        (e = op_write_check_updated(c->arena, s->table, &now)) ||
        (e = key_check_updated_indexes(c->arena, s->table, u, old, &now)) ||
        (e = change_put(c, &ch, &now, used)))
        return e;
    show_update(c, s, &ch, old, &now, shown);
    return NULL;
}

/* --- DELETE ----------------------------------------------------------------------------------- */

/* Deleting an absent item succeeds, whatever the other conditions are. */
static const struct error *delete_item(struct call *c, struct statement *s,
                                       struct statement_shown *shown, struct capacity *used)
{
    struct change ch;
    const struct error *e;

    if ((e = key_check_parameter(c->arena, s->table, &s->key)) ||
        (e = change_begin(c, s->table, &s->key, &ch)))
        return e;
    if (ch.old.found && s->rest && !expr_matches(s->rest, change_old(c, &ch))) {
        charge_failure(used, &ch, 0);
        return op_write_condition_failed(c->arena, &ch, s->show_on_failure);
    }
    if ((e = change_delete(c, &ch, used)))
        return e;
    if (ch.old.found && s->parsed.returning == PARTIQL_RETURNING_ALL_OLD)
        shown->body = ch.old.body;
    return NULL;
}

const struct error *statement_write(struct call *c, struct statement *s,
                                    struct statement_shown *shown, struct capacity *used)
{
    *shown = (struct statement_shown){.body = {NULL, 0}};
    used->writes = true;
    switch (s->parsed.kind) {
    case PARTIQL_INSERT:
        return insert_item(c, s, used);
    case PARTIQL_UPDATE:
        return update_item(c, s, shown, used);
    default:
        return delete_item(c, s, shown, used);
    }
}

bool statement_write_shows(const struct statement_shown *shown)
{
    return shown->body.len || shown->part.len;
}

void statement_write_put_shown(struct call *c, const struct statement_shown *shown)
{
    if (shown->body.len)
        wire_put_raw(&c->reply, shown->body);
    else
        op_stored_put_item(c, &shown->part);
}
