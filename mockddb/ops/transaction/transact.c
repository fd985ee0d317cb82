#include "ops/transaction/transact.h"

#include "base/utf8.h"
#include "ops/key_check.h"
#include "ops/op_expression.h"
#include "ops/op_fault.h"
#include "ops/op_stored.h"
#include "ops/op_target.h"
#include "ops/op_wanted.h"
#include "ops/op_write.h"
#include "ops/pace.h"
#include "ops/read/read_page.h"
#include "ops/throttle/throttle.h"
#include "ops/throttle/throttle_error.h"

/* --- the whole request ------------------------------------------------------------------------ */

static bool is_put(const struct transact_action *action)
{
    return action->kind == TRANSACT_PUT || action->kind == TRANSACT_INSERT;
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
            if (span_equal(keys[k], keys[i]))
                return error_caused(
                    c->arena, ERROR_VALIDATION,
                    ERROR_WHY(CAUSE_ENTRY_TWICE, .count = k + 1, .found = (int)i + 1),
                    "Transaction request cannot include multiple operations on one item");
    }
    return NULL;
}

static const struct error *too_large(struct call *c)
{
    return error_validation(
        c->arena, "Collection size of items exceeded, which can also be caused by the aggregate "
                  "size of the items in the transaction exceeding the 4MB limit");
}

/* The bytes of all items and values in the request. */
static size_t size_sent(const struct transact *t)
{
    size_t total = 0;

    for (size_t i = 0; i < t->len; i++)
        total += item_size(&t->actions[i].item) + t->actions[i].values_size;
    return total;
}

#define TRANSACT_FACTOR 2 /* a transaction prepares and commits: the table's units count twice */

const struct error *transact_resolve(struct call *c, struct transact *t)
{
    const struct error *e;

    t->kept = arena_new_in(c->arena);
    for (size_t i = 0; i < t->len; i++)
        if ((e = op_target_find_named(c, t->actions[i].table_name, &t->actions[i].table)))
            return error_in(c->arena, e, i + 1);
    for (size_t i = 0; i < t->len; i++)
        if (t->actions[i].table->global.strong)
            return error_not_when_strong(c->arena, "Transactions are");
    for (size_t i = 0; i < t->len; i++) {
        struct capacity *used = capacity_named(c, t->actions[i].table, t->actions[i].table_name);

        used->table_factor = TRANSACT_FACTOR;
        used->shows_kind = true;
    }
    for (size_t i = 0; i < t->len; i++) {
        struct transact_action *action = &t->actions[i];

        action->reason = is_put(action)
                             ? key_check_item(c->arena, action->table, &action->item)
                             : key_check_parameter(c->arena, action->table, &action->item);
        action->key_fits = !action->reason;
    }
    if ((e = check_targets(c, t)))
        return e;
    for (size_t i = 0; i < t->len; i++)
        if ((e = check_empty_keys(c->arena, &t->actions[i])))
            return error_in(c->arena, e, i + 1);
    return size_sent(t) > LIMIT_ACTION_BYTES ? too_large(c) : NULL;
}

/* --- items ------------------------------------------------------------------------------------ */

/* A hundred items may need more memory than a request has. So long items are read to be checked,
 * and read again to be written or shown. Only items with short bodies stay in memory. */
#define SHORT_BODY ((size_t)16 * 1024)

static const struct error *load_item(struct call *c, struct transact_action *action)
{
    const struct error *e;

    if (action->is_loaded)
        return NULL;
    if ((e = change_begin(c, action->table, &action->item, &action->change)))
        return e;
    action->is_loaded = true;
    action->found_size = action->change.old.found ? action->change.old.size : 0;
    action->place = capacity_at(action->change.old.key);
    return NULL;
}

const struct error *transact_want(struct call *c, const struct transact *t, struct span token)
{
    struct op_wanted wanted = op_wanted_new(c, t->len + 1);

    for (size_t i = 0; i < t->len; i++)
        if (t->actions[i].key_fits)
            op_wanted_add(c, &wanted, t->actions[i].table, &t->actions[i].item);
    if (token.len)
        op_wanted_add_key(&wanted, token);
    return op_wanted_read(c, &wanted);
}

/* Releases a long item: all memory since the mark. */
static void release_long(struct call *c, struct transact_action *action, struct arena_mark before)
{
    if (action->change.old.body.len <= SHORT_BODY)
        return;
    action->is_loaded = false;
    action->change = (struct change){.table = NULL};
    action->result = (struct item){.at = NULL};
    arena_release(c->arena, before);
}

static size_t size_found(const struct transact *t)
{
    size_t total = 0;

    for (size_t i = 0; i < t->len; i++)
        total += t->actions[i].found_size;
    return total;
}

typedef const struct error *action_work(struct call *c, struct transact *t,
                                        struct transact_action *action);

/* Loads the item of each action with a valid key and calls work (NULL: only finds the item's size).
 * If the request is out of work and the items exceed the service's size limit, it ends with the
 * service's error for this limit. */
static const struct error *with_each(struct call *c, struct transact *t, action_work *work)
{
    struct pace pace = pace_of(c->arena);

    for (size_t i = 0; i < t->len; i++) {
        struct transact_action *action = &t->actions[i];
        struct arena_mark before = arena_mark(c->arena);
        const struct error *e;

        if (!action->key_fits)
            continue;
        if (!pace_begins(&pace) && size_found(t) > LIMIT_ACTION_BYTES)
            return too_large(c);
        if ((e = load_item(c, action)) || (work && (e = work(c, t, action))))
            return e;
        release_long(c, action, before);
    }
    return NULL;
}

/* --- cancellation ----------------------------------------------------------------------------- */

/* Writes the stored item directly into the answer. */
static const struct error *put_stored(struct call *c, struct wire_writer *w,
                                      struct transact_action *action)
{
    struct arena_mark before = arena_mark(c->arena);
    const struct error *e = load_item(c, action);

    if (e)
        return e;
    wire_put_member_raw(w, "Item", action->change.old.body);
    release_long(c, action, before);
    return NULL;
}

static size_t length_of_messages(const struct transact *t)
{
    size_t total = 0;

    for (size_t i = 0; i < t->len; i++)
        if (t->actions[i].reason)
            total += t->actions[i].reason->message.len;
    return total;
}

static const struct error *put_reason(struct call *c, struct wire_writer *w,
                                      struct transact_action *action, size_t room)
{
    const struct error *reason = action->reason, *e;

    wire_open(w, '{');
    wire_put_member_word(w, "Code", reason ? op_fault_code(reason->kind) : "None");
    if (reason)
        wire_put_member_text(w, "Message", utf8_cut(reason->message, room));
    if (action->shown && (e = put_stored(c, w, action)))
        return e;
    wire_close(w, '}');
    return NULL;
}

#define ROOM_OF_REASON 128 /* without its message and item */

/* The most bytes of all reasons, without JSON's escapes. */
static size_t length_of_reasons(const struct transact *t)
{
    size_t total = ROOM_OF_REASON + length_of_messages(t);

    for (size_t i = 0; i < t->len; i++)
        total += ROOM_OF_REASON + t->actions[i].shown;
    return total;
}

static const struct error *put_reasons(struct call *c, struct transact *t, struct span *out)
{
    struct buf members = buf_in(t->kept);
    struct wire_writer w = {.out = &members};
    /* All messages together have the limit of one error's message; if longer, each is cut. */
    size_t room = length_of_messages(t) > LIMIT_ERROR_MESSAGE ? LIMIT_ERROR_MESSAGE / t->len
                                                              : LIMIT_ERROR_MESSAGE;
    const struct error *e;

    buf_reserve(&members, length_of_reasons(t));
    buf_add_text(&members, "\"CancellationReasons\":");
    wire_open(&w, '[');
    for (size_t i = 0; i < t->len; i++)
        if ((e = put_reason(c, &w, &t->actions[i], room)))
            return e;
    wire_close(&w, ']');
    *out = buf_span(&members);
    return NULL;
}

static const char *codes_of(struct call *c, const struct transact *t)
{
    struct buf codes = buf_in(c->arena);

    for (size_t i = 0; i < t->len; i++) {
        const struct error *reason = t->actions[i].reason;

        buf_printf(&codes, "%s%s", i ? ", " : "", reason ? op_fault_code(reason->kind) : "None");
    }
    return buf_text(&codes);
}

static bool is_cancelled(const struct transact *t)
{
    for (size_t i = 0; i < t->len; i++)
        if (t->actions[i].reason)
            return true;
    return false;
}

/* Returns TransactionCanceledException if any action has a reason, else NULL. */
static const struct error *cancel_if_refused(struct call *c, struct transact *t)
{
    const struct error **reasons, *e;
    struct error *out;

    if (!is_cancelled(t))
        return NULL;
    if (length_of_reasons(t) > LIMIT_REASONS)
        return too_large(c);
    reasons = arena_array(c->arena, t->len, sizeof *reasons);
    for (size_t i = 0; i < t->len; i++)
        reasons[i] = t->actions[i].reason;
    out = arena_alloc(c->arena, sizeof *out);
    out->kind = ERROR_TRANSACTION_CANCELED;
    out->reasons = reasons;
    out->reason_count = t->len;
    out->message = span_of(arena_printf(
        c->arena,
        "Transaction cancelled, please refer cancellation reasons for specific reasons [%s]",
        codes_of(c, t)));
    if ((e = put_reasons(c, t, &out->members)))
        return e;
    return out;
}

/* --- writes ----------------------------------------------------------------------------------- */

static const struct error *check_condition(struct call *c, struct transact_action *action)
{
    struct change *ch = &action->change;

    if (action->kind == TRANSACT_INSERT && ch->old.found)
        return op_fault_duplicate_item(c->arena);
    if (!ch->old.found && action->may_be_absent)
        return NULL;
    if ((!ch->old.found && action->must_exist) ||
        (action->cond && !expr_matches(action->cond, change_old(c, ch)))) {
        action->shown = action->show_on_failure ? ch->old.body.len : 0;
        return op_write_condition_failed(c->arena, ch, false);
    }
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
        (e = op_write_check_updated(c->arena, action->table, &action->result)))
        return e;
    return key_check_updated_indexes(c->arena, action->table, action->update, old, &action->result);
}

/* Does all checks of an action and writes nothing. */
static const struct error *evaluate_action(struct call *c, struct transact_action *action)
{
    const struct error *e;

    if (is_put(action) && (e = op_write_check_indexes(c->arena, action->table, &action->item)))
        return e;
    if ((e = op_expression_check_condition(c, action->table, action->cond)) ||
        (e = op_expression_check_update(c, action->table, action->update)))
        return e;
    if (action->update && (e = key_check_targets(c->arena, action->table, action->update)))
        return e;
    if ((e = check_condition(c, action)))
        return e;
    return action->update ? work_out_update(c, action) : NULL;
}

static const struct error *judge_action(struct call *c, struct transact *t,
                                        struct transact_action *action)
{
    if (!action->reason)
        action->reason = error_copy(t->kept, evaluate_action(c, action));
    return action->reason && action->reason->whole ? action->reason : NULL;
}

static const struct error *apply_action(struct call *c, struct transact_action *action)
{
    struct change *ch = &action->change;
    struct capacity *used = capacity_of(c, action->table);
    const struct error *e;

    used->writes = true;
    if (action->update && !action->result.at && (e = work_out_update(c, action)))
        return e;
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

/* Charges the action. Throttling, or a full item collection, cancels the transaction. */
static const struct error *pay_action(struct call *c, const struct transact *t,
                                      struct transact_action *action, const struct error *e)
{
    if (!e)
        e = throttle_charge(c);
    if (!throttle_error_is_one(e) && !(e && e->kind == ERROR_ITEM_COLLECTION_SIZE))
        return e;
    action->reason = error_copy(t->kept, e);
    return NULL;
}

static const struct error *apply_and_pay(struct call *c, struct transact *t,
                                         struct transact_action *action)
{
    return pay_action(c, t, action, apply_action(c, action));
}

static bool is_about(struct call *c, const struct transact_action *action, struct span key)
{
    struct buf own = buf_in(c->arena);

    key_of_item(&own, action->table, &action->item);
    return span_equal(buf_span(&own), key);
}

/* Gives a reason to the action whose item another process has changed, or to all of them if the
 * store does not know the item. */
static void blame_conflict(struct call *c, struct transact *t)
{
    struct span key = store_conflict_key(c->store);
    const struct error *conflict = error_new(t->kept, ERROR_TRANSACTION_CONFLICT,
                                             OP_FAULT_CONFLICT);
    bool known = false;

    for (size_t i = 0; i < t->len; i++)
        if (is_about(c, &t->actions[i], key)) {
            t->actions[i].reason = conflict;
            known = true;
        }
    for (size_t i = 0; i < t->len && !known; i++)
        t->actions[i].reason = conflict;
}

const struct error *transact_write(struct call *c, struct transact *t)
{
    const struct error *e;

    if ((e = with_each(c, t, judge_action)) || (e = cancel_if_refused(c, t)))
        return e;
    if (c->conflicts)
        blame_conflict(c, t);
    else if ((e = with_each(c, t, apply_and_pay)))
        return e;
    return cancel_if_refused(c, t);
}

/* Charges reads of the items that the actions found. */
static const struct error *count_reads(struct call *c, struct transact *t)
{
    const struct error *e;

    for (size_t i = 0; i < t->len; i++) {
        struct transact_action *action = &t->actions[i];
        struct capacity *used = capacity_of(c, action->table);

        used->writes = false;
        capacity_add_get(used, action->place, action->found_size, true, true);
        if ((e = pay_action(c, t, action, NULL)))
            return e;
    }
    return cancel_if_refused(c, t);
}

const struct error *transact_replay(struct call *c, struct transact *t)
{
    const struct error *e = with_each(c, t, NULL);

    return e ? e : count_reads(c, t);
}

/* --- reads ------------------------------------------------------------------------------------ */

const struct error *transact_read(struct call *c, struct transact *t)
{
    const struct error *e;

    if ((e = transact_want(c, t, (struct span){NULL, 0})) || (e = with_each(c, t, NULL)))
        return e;
    for (struct transact_action *action = t->actions; action < t->actions + t->len; action++)
        if (!action->reason)
            action->reason = op_expression_check_projection(c, action->table, &action->projection);
    if ((e = cancel_if_refused(c, t)))
        return e;
    if (size_found(t) > LIMIT_ACTION_BYTES)
        return too_large(c);
    return count_reads(c, t);
}

const struct error *transact_put_item(struct call *c, struct transact_action *action)
{
    struct arena_mark before = arena_mark(c->arena);
    const struct error *e = load_item(c, action);
    const struct item *it;

    if (e)
        return e;
    it = change_old(c, &action->change);
    wire_open(&c->reply, '{');
    if (it && expr_matches(action->cond, it)) {
        struct item shown = *it;

        if (action->columns)
            shown = read_page_columns(c->arena, &action->projection, action->columns, it);
        else if (action->projection.len)
            shown = expr_project(c->arena, &action->projection, it);

        if (shown.len || action->columns) { /* absent columns give an empty item */
            wire_key(&c->reply, "Item");
            op_stored_put_item(c, &shown);
        }
    }
    wire_close(&c->reply, '}');
    release_long(c, action, before);
    return NULL;
}
