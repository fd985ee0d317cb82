#include "ops/transaction/transact.h"

#include "model/key.h"
#include "model/limits.h"
#include "ops/key_check.h"
#include "ops/op_expression.h"
#include "ops/op_fault.h"
#include "ops/op_target.h"
#include "ops/op_write.h"
#include "ops/read/read_page.h"

/* --- the whole request ------------------------------------------------------------------------ */

static bool is_put(const struct transact_action *action)
{
    return action->kind == TRANSACT_PUT || action->kind == TRANSACT_INSERT;
}

/* What is wrong with the action's key: a cancellation reason. */
static const struct error *check_key(struct arena *a, const struct transact_action *action)
{
    if (is_put(action))
        return key_check_item(a, action->table, &action->item);
    return key_check_parameter(a, action->table, &action->item);
}

static const struct error *check_empty_keys(struct arena *a, const struct transact_action *action)
{
    const struct error *e = key_check_empty(a, action->table, &action->item);

    if (!e && is_put(action))
        e = key_check_empty_indexes(a, action->table, &action->item);
    return e;
}

static const struct error *check_targets(struct call *c, const struct transact *t)
{
    struct span *keys = arena_array(c->arena, t->len, sizeof *keys);

    for (size_t i = 0; i < t->len; i++) {
        struct buf key = buf_in(c->arena);

        if (!t->actions[i].key_fits)
            continue;
        key_of_item(&key, t->actions[i].table, &t->actions[i].item);
        keys[i] = buf_span(&key);
        for (size_t k = 0; k < i; k++)
            if (keys[k].len && span_equal(keys[k], keys[i]))
                return error_validation(
                    c->arena, "Transaction request cannot include multiple operations on one item");
    }
    return NULL;
}

static const struct error *check_total_size(struct call *c, size_t total)
{
    if (total <= LIMIT_ACTION_BYTES)
        return NULL;
    return error_validation(c->arena,
                            "Collection size of items exceeded, which can also be caused by the "
                            "aggregate size of the items in the transaction exceeding the 4MB "
                            "limit");
}

/* What the request brings along. */
static size_t size_sent(const struct transact *t)
{
    size_t total = 0;

    for (size_t i = 0; i < t->len; i++)
        total += item_size(&t->actions[i].item) + t->actions[i].values_size;
    return total;
}

#define TRANSACT_FACTOR 2 /* a transaction prepares and commits: the table's units count twice */

static void begin_accounts(struct call *c, const struct transact *t)
{
    for (size_t i = 0; i < t->len; i++) {
        struct capacity *used = capacity_named(c, t->actions[i].table, t->actions[i].table_name);

        used->table_factor = TRANSACT_FACTOR;
        used->shows_kind = true;
    }
}

const struct error *transact_resolve(struct call *c, struct transact *t)
{
    const struct error *e;

    for (size_t i = 0; i < t->len; i++)
        if ((e = op_target_find_named(c, t->actions[i].table_name, &t->actions[i].table)))
            return e;
    begin_accounts(c, t);
    for (size_t i = 0; i < t->len; i++) {
        struct transact_action *action = &t->actions[i];

        action->reason = check_key(c->arena, action);
        action->key_fits = !action->reason;
    }
    if ((e = check_targets(c, t)))
        return e;
    for (size_t i = 0; i < t->len; i++)
        if ((e = check_empty_keys(c->arena, &t->actions[i])))
            return e;
    return check_total_size(c, size_sent(t));
}

/* --- cancellation ----------------------------------------------------------------------------- */

static const char *reason_code(const struct error *reason)
{
    switch (reason->kind) {
    case ERROR_CONDITION_FAILED:
        return "ConditionalCheckFailed";
    case ERROR_DUPLICATE_ITEM:
        return "DuplicateItem";
    default:
        return "ValidationError";
    }
}

static void put_reason(struct wire_writer *w, const struct error *reason)
{
    wire_open(w, '{');
    wire_put_member_word(w, "Code", reason ? reason_code(reason) : "None");
    if (reason) {
        wire_put_member_text(w, "Message", reason->message);
    }
    if (reason && reason->members.len) {
        buf_add_char(w->out, ',');
        buf_add_span(w->out, reason->members);
    }
    wire_close(w, '}');
}

/* NULL when no action has a reason to be cancelled. */
static const struct error *cancelled(struct call *c, const struct transact *t)
{
    struct buf members = buf_in(c->arena), codes = buf_in(c->arena);
    struct wire_writer w = {.out = &members};
    struct error *e = arena_alloc(c->arena, sizeof *e);
    bool any = false;

    buf_add_text(&members, "\"CancellationReasons\":");
    wire_open(&w, '[');
    for (size_t i = 0; i < t->len; i++) {
        const struct error *reason = t->actions[i].reason;

        any = any || reason;
        put_reason(&w, reason);
        buf_printf(&codes, "%s%s", i ? ", " : "", reason ? reason_code(reason) : "None");
    }
    wire_close(&w, ']');
    if (!any)
        return NULL;
    e->kind = ERROR_TRANSACTION_CANCELED;
    e->message = span_of(arena_printf(c->arena,
                                      "Transaction cancelled, please refer cancellation reasons "
                                      "for specific reasons [%s]",
                                      buf_text(&codes)));
    e->members = buf_span(&members);
    return e;
}

/* --- writes ----------------------------------------------------------------------------------- */

static const struct error *check_paths(struct call *c, const struct transact_action *action)
{
    const struct path *const *paths;
    const struct error *e = op_expression_check_condition(c, action->table, action->cond);
    size_t count;

    if (e || !action->update)
        return e;
    expr_update_paths(c->arena, action->update, &paths, &count);
    return expr_check_key_paths(c->arena, action->table, paths, count);
}

static const struct error *check_condition(struct call *c, struct transact_action *action)
{
    struct change *ch = &action->change;

    if (action->kind == TRANSACT_INSERT && ch->old.found)
        return op_fault_duplicate_item(c->arena);
    if (!ch->old.found && action->may_be_absent)
        return NULL;
    if ((!ch->old.found && action->must_exist) ||
        (action->cond && !expr_matches(action->cond, change_old(c, ch))))
        return op_write_condition_failed(c->arena, ch, action->show_on_failure);
    return NULL;
}

static bool does_nothing(const struct transact_action *action)
{
    return action->update && !action->change.old.found && expr_update_only_takes(action->update);
}

static const struct error *work_out_update(struct call *c, struct transact_action *action)
{
    const struct item *old = change_old(c, &action->change);
    const struct error *e;

    if (does_nothing(action))
        return NULL;
    if ((e = expr_apply(c->arena, action->update, old ? old : &action->item, &action->result)) ||
        (e = op_write_check_updated(c->arena, &action->result)))
        return e;
    return key_check_updated_indexes(c->arena, action->table, action->update, old, &action->result);
}

/* Everything that can speak against one action; nothing is written. */
static const struct error *evaluate(struct call *c, struct transact_action *action)
{
    const struct error *e;

    if (is_put(action) && (e = key_check_indexes(c->arena, action->table, &action->item)))
        return e;
    if ((e = check_paths(c, action)))
        return e;
    if (action->update && (e = key_check_targets(c->arena, action->table, action->update)))
        return e;
    if ((e = check_condition(c, action)))
        return e;
    return action->update ? work_out_update(c, action) : NULL;
}

static const struct error *apply(struct call *c, struct transact_action *action)
{
    struct change *ch = &action->change;
    struct capacity *used = capacity_of(c, action->table);

    used->writes = true;
    if (does_nothing(action)) {
        change_keep(ch, used);
        return NULL;
    }
    switch (action->kind) {
    case TRANSACT_PUT:
    case TRANSACT_INSERT:
        return change_put(c, ch, &action->item, used);
    case TRANSACT_UPDATE:
        return change_put(c, ch, &action->result, used);
    case TRANSACT_DELETE:
        return change_delete(c, ch, used);
    default:
        change_keep(ch, used);
        return NULL;
    }
}

static const struct error *begin_all(struct call *c, struct transact *t)
{
    const struct error *e;

    for (size_t i = 0; i < t->len; i++) {
        struct transact_action *action = &t->actions[i];

        if (action->key_fits &&
            (e = change_begin(c, action->table, &action->item, &action->change)))
            return e;
    }
    return NULL;
}

const struct error *transact_write(struct call *c, struct transact *t)
{
    const struct error *e = begin_all(c, t);

    if (e)
        return e;
    for (size_t i = 0; i < t->len; i++) {
        struct transact_action *action = &t->actions[i];

        if (action->reason)
            continue;
        if ((action->reason = evaluate(c, action)) && action->reason->whole)
            return action->reason;
    }
    if ((e = cancelled(c, t)))
        return e;
    for (size_t i = 0; i < t->len; i++)
        if ((e = apply(c, &t->actions[i])))
            return e;
    return NULL;
}

/* Counts the items that the actions came upon, as read. */
static void count_reads(struct call *c, const struct transact *t)
{
    for (size_t i = 0; i < t->len; i++) {
        const struct change *ch = &t->actions[i].change;
        struct capacity *used = capacity_of(c, t->actions[i].table);

        used->writes = false;
        capacity_add_get(used, ch->old.found ? ch->old.size : 0, true, true);
    }
}

const struct error *transact_replay(struct call *c, struct transact *t)
{
    const struct error *e = begin_all(c, t);

    if (!e)
        count_reads(c, t);
    return e;
}

/* --- reads ------------------------------------------------------------------------------------ */

static size_t size_found(const struct transact *t)
{
    size_t total = 0;

    for (size_t i = 0; i < t->len; i++)
        if (t->actions[i].change.old.found)
            total += t->actions[i].change.old.size;
    return total;
}

const struct error *transact_read(struct call *c, struct transact *t)
{
    const struct error *e = begin_all(c, t);

    if (e)
        return e;
    for (size_t i = 0; i < t->len; i++) {
        struct transact_action *action = &t->actions[i];

        if (!action->reason)
            action->reason = op_expression_check_projection(c, action->table, &action->projection);
    }
    if ((e = cancelled(c, t)) || (e = check_total_size(c, size_found(t))))
        return e;
    count_reads(c, t);
    return NULL;
}

void transact_put_item(struct call *c, const struct transact_action *action)
{
    struct change change = action->change;
    const struct item *it = change_old(c, &change);

    wire_open(&c->reply, '{');
    if (it && expr_matches(action->cond, it)) {
        struct item shown = *it;

        if (action->columns)
            shown = read_page_columns(c->arena, &action->projection, action->columns, it);
        else if (action->projection.len)
            shown = expr_project(c->arena, &action->projection, it);

        if (shown.len) {
            wire_key(&c->reply, "Item");
            wire_put_item(&c->reply, &shown);
        }
    }
    wire_close(&c->reply, '}');
}
