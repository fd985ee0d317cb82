#include "explain/explain_find.h"

#include "base/ascii.h"
#include "base/fold.h"
#include "explain/explain_cause.h"
#include "explain/explain_entry.h"
#include "explain/explain_near.h"
#include "explain/say.h"
#include "expr/expr_print.h"
#include "ops/op_target.h"
#include "wire/wire_attr.h"

#include <stdlib.h>

#define ENTRIES_BODY ((size_t)1 << 20) /* of a longer batch the items before it are not read */
#define COMPARED     100               /* attributes of an item, one with another */
#define OTHERS       1000              /* items that are looked at for a value of another one */

/* --- before ----------------------------------------------------------------------------------- */

/* Of a batch {"Item": …} or {"Key": …}; of a transaction and of a single write it has its table. */
static void add_entry(struct inquiry *q, struct write_before *all, struct span table,
                      const wire_node *action, size_t number)
{
    struct written *w = &all->entries[all->entry_count];
    const struct table *t;
    struct item it;

    *w = (struct written){
        .action = action, .table = table, .is_put = wire_get(action, "Item"), .number = number};
    if (!explain_entry_key_of(q, table, action, &t, &w->key))
        return;
    w->found = explain_entry_stored(q, t, &w->key, &it);
    w->attributes = w->found ? it.len : 0;
    all->entry_count++;
}

static void read_entries(struct inquiry *q, struct write_before *out)
{
    const wire_node *body = q->call.body, *tables = wire_get(body, "RequestItems");
    const wire_node *actions = wire_get(body, "TransactItems");
    size_t count = wire_count(actions), number = 0;

    for (const wire_node *n = wire_first(tables); n; n = wire_next(n))
        count += wire_count(n);
    if (count > LIMIT_ACTIONS)
        return;
    out->entries = arena_array(q->arena, count + 1, sizeof *out->entries);
    for (const wire_node *n = wire_first(tables); n; n = wire_next(n))
        for (const wire_node *m = wire_first(n); m; m = wire_next(m))
            add_entry(q, out, wire_name(n), wire_first(m), ++number);
    for (const wire_node *n = wire_first(actions); n; n = wire_next(n))
        add_entry(q, out, wire_text(wire_get(wire_first(n), "TableName")), wire_first(n), ++number);
    if (out->is_single)
        add_entry(q, out, wire_text(wire_get(body, "TableName")), body, 1);
}

struct write_before explain_write_before(struct inquiry *q, const struct request *request)
{
    const struct op *op = dispatch_operation(request->target);
    enum op_form form = op ? op->form : OP_NO_ITEMS;
    struct write_before before = {.is_single = form & (OP_PUT | OP_UPDATE | OP_DELETE)};

    if (!before.is_single &&
        (request->body.len > ENTRIES_BODY || !(form & (OP_BATCH_WRITE | OP_TRANSACT_WRITE))))
        return before;
    if (wire_parse(q->arena, request->body, &q->call.body))
        return before;
    inquiry_go_on(q);
    if (!q->call.unit)
        return before;
    read_entries(q, &before);
    unit_undo(q->call.unit);
    q->call.unit = NULL;
    return before;
}

/* --- after ------------------------------------------------------------------------------------ */

static bool is_conditional(const struct written *w)
{
    return wire_get(w->action, "ConditionExpression") || wire_get(w->action, "Expected");
}

/* A put without attributes that the item had. */
static bool lost_attributes(const struct written *w)
{
    return w->is_put && w->found && !is_conditional(w) &&
           wire_count(wire_get(w->action, "Item")) < w->attributes;
}

/* Whether an update is written so that it can begin an item: by ADD, or if_not_exists. */
static bool begins_items(struct inquiry *q, const struct written *w)
{
    struct span text = wire_text(wire_get(w->action, "UpdateExpression"));
    const wire_node *n = wire_first(wire_get(w->action, "AttributeUpdates"));

    for (struct token *t = explain_tokens(q, GRAMMAR_UPDATE, text); t->kind != TOKEN_END; t++)
        if (t->kind == TOKEN_ADD || span_is(t->text, "if_not_exists"))
            return true;
    while (n && !span_is(wire_text(wire_get(n, "Action")), "ADD"))
        n = wire_next(n);
    return n != NULL;
}

/* attribute_not_exists(pk), under a partition key that is in use. */
static void note_one_item(struct inquiry *q, const struct table *t, const struct written *w)
{
    struct span condition = wire_text(wire_get(w->action, "ConditionExpression"));
    const struct key_schema *keys = &t->keys;
    const struct rows r = {t, NULL};
    struct store_range range;

    if (!keys->range_count || keys->hash_count != 1 ||
        !span_starts_with(condition, SPAN_LIT("attribute_not_exists")))
        return;
    range = explain_rows_partition(q, &r, item_find(&w->key, keys->hash[0].name));
    if (explain_rows_count_range(q, &range, 2) == 2)
        say_hint(q, ADVICE_NOTE, "condition-of-one-item",
                 "the condition looks at the one item with this % and %, not at the other items of "
                 "the partition",
                 keys->hash[0].name, keys->range[0].name);
}

/* The attribute, not part of the key, that the condition wants the item not to have; len 0: none.
 */
static struct span unwanted_name(struct inquiry *q, const struct table *t)
{
    struct expr_parts parts = expr_condition_parts(q->arena, explain_entry_condition(q));
    struct expr_comparison one;

    for (size_t i = 0; i < parts.len; i++)
        if (expr_as_comparison(parts.at[i], &one) && one.op == EXPR_NOT_EXISTS &&
            !schema_is_key(&t->keys, one.path->at[0].name))
            return one.path->at[0].name;
    return (struct span){NULL, 0};
}

/* attribute_not_exists(email), where email is not part of the key, and one other item has it. A
 * value that several have, such as a status, is not meant to be there once. */
static void note_not_unique(struct inquiry *q, const struct table *t, const struct written *w)
{
    struct span name = unwanted_name(q, t);
    const struct attr *value;
    size_t others = 0;
    struct item now;
    struct walk walk;

    if (!name.len || !explain_entry_stored(q, t, &w->key, &now) || !(value = item_find(&now, name)))
        return;
    walk = explain_rows_walk_all(q, t, OTHERS);
    while (explain_rows_next(&walk)) {
        const struct attr *other = item_find(&walk.it, name);
        struct item key = schema_key_of(q->arena, t, &walk.it);

        others += other && attr_equal(other, value) && !item_equal(&key, &w->key);
    }
    if (others == 1)
        say_hint(q, ADVICE_NOTE, "condition-of-one-item",
                 "attribute_not_exists(%) looks at the item with this key only: another item has "
                 "% %",
                 name, name, value);
}

/* An attribute that a document client was given with its type. */
static void say_typed_twice(struct inquiry *q, const struct written *w)
{
    struct attr value;

    for (const wire_node *n = wire_first(wire_get(w->action, "Item")); n; n = wire_next(n))
        if (inquiry_read_attr(q, n, &value) && explain_key_is_typed_twice(&value))
            say_why(q,
                    "% looks typed twice, it is stored as a map with one member \"%\": document "
                    "clients add the type",
                    wire_name(n), value.map.at[0].name);
}

#define YEAR_SECONDS 31556952

#define DURATIONS 1000000000                  /* seconds: a moment before 2001 is a duration */
#define KEPT_S    ((int64_t)5 * YEAR_SECONDS) /* what is over for longer is not deleted */

/* A time to live in parts of a second, as text, as a duration, or over, in the item as it is now.
 */
static void note_expiry(struct inquiry *q, const struct table *t, const struct written *w,
                        const struct item *now)
{
    static const char *const parts[] = {[13] = "milliseconds", [16] = "microseconds"};
    const struct attr *due = t->ttl_attribute.len ? item_find(now, t->ttl_attribute) : NULL;
    int64_t seconds, now_s = clock_now_ms(q->call.clock) / 1000;
    size_t digits;

    if (!due)
        return;
    if (due->type != ATTR_N) {
        say_why(q, "% is %: the time to live is a number of seconds, so this item stays",
                t->ttl_attribute, due->type);
        return;
    }
    seconds = strtoll(arena_text(q->arena, due->bytes), NULL, 10);
    digits = span_is_all(due->bytes, ascii_is_digit) ? due->bytes.len : 0;
    if (digits < COUNT(parts) && parts[digits])
        say_why(q,
                "% looks like % (% digits): as seconds, which the service reads, it is due in the "
                "year %",
                t->ttl_attribute, parts[digits], digits, 1970 + seconds / YEAR_SECONDS);
    else if (digits && seconds > 0 && seconds < DURATIONS)
        say_why(q,
                "% is %, a moment before 2001: a time to live is when an item ends, such as %, not "
                "how long it lasts",
                t->ttl_attribute, due, now_s + seconds);
    else if (w->is_put && seconds && seconds < now_s && !op_keeps_items(q->call.settings, t->name))
        say_hint(q, ADVICE_NOTE, "expired-items", "% is over: %", t->ttl_attribute,
                 seconds < now_s - KEPT_S
                     ? "the service does not delete what is over for more than five years"
                     : "the service may delete the item at any time");
}

#define NEAR_LIMIT ((size_t)LIMIT_ITEM_BYTES / 10 * 9)
#define BESIDE     50  /* items that are looked at for what they have in common … */
#define ALIKE      5   /* … which this many of them have to have */
#define FIELDS     100 /* of an item that is compared with them */

/* What the items beside one have of an attribute. */
struct beside {
    size_t have;         /* items that have it … */
    size_t same;         /* … with its type, or as NULL, or with one of several other types */
    size_t cased;        /* items that have its name in another case */
    enum attr_type type; /* that they have */
    struct span name;    /* in another case */
};

/* Whether keys have the same texts in front of their first #, as items of one kind have. */
static bool same_kind(const struct table *t, const struct item *a, const struct item *b)
{
    const struct key_part *part;

    for (size_t i = 0; (part = schema_key_part(&t->keys, i)); i++)
        if (part->type == ATTR_S &&
            !span_equal(explain_rows_start(item_find(a, part->name)->bytes),
                        explain_rows_start(item_find(b, part->name)->bytes)))
            return false;
    return true;
}

static void compare_beside(struct beside *b, const struct field *f, const struct item *it)
{
    const struct attr *value = item_find(it, f->name);
    unsigned difference;

    if (value) {
        b->same += value->type == f->value.type || value->type == ATTR_NULL ||
                   (b->have && value->type != b->type);
        b->have++;
        b->type = value->type;
    }
    for (size_t i = 0; !value && i < it->len; i++)
        if (fold_compare(it->at[i].name, f->name, &difference) && difference == FOLD_CASE) {
            b->cased++;
            b->name = it->at[i].name;
        }
}

/* What a put item has otherwise than all that are beside it: the type of an attribute, or the case
 * of its name. */
static void note_unlike(struct inquiry *q, const struct table *t, const struct written *w,
                        const struct item *now)
{
    const struct rows r = {t, NULL};
    struct span hash = t->keys.hash[0].name;
    struct store_range range = t->keys.range_count && t->keys.hash_count == 1
                                   ? explain_rows_partition(q, &r, item_find(now, hash))
                                   : explain_rows_all(q, &r);
    struct walk walk = explain_rows_walk(q, &range, BESIDE);
    struct beside *all = arena_array(q->arena, now->len, sizeof *all);

    if (!w->is_put || now->len > FIELDS)
        return;
    while (explain_rows_next(&walk)) {
        struct item key = schema_key_of(q->arena, t, &walk.it);

        for (size_t i = 0; i < now->len && same_kind(t, &walk.it, now); i++)
            if (!item_equal(&key, &w->key))
                compare_beside(&all[i], &now->at[i], &walk.it);
    }
    for (size_t i = 0; i < now->len; i++) {
        const struct beside *b = &all[i];
        const struct field *f = &now->at[i];

        if (!b->same && b->have >= ALIKE && f->value.type != ATTR_NULL)
            say_hint(q, ADVICE_NOTE, "mixed-types", "% is % here, and % in the items beside it",
                     f->name, f->value.type, b->type);
        else if (!b->have && b->cased >= ALIKE)
            say_hint(q, ADVICE_NOTE, "names-by-case",
                     "% is called % in the items beside it: the case of names counts", f->name,
                     b->name);
    }
}

/* An update that added plays to an item that has Plays. */
static void note_two_cases(struct inquiry *q, const struct table *t, const struct written *w)
{
    struct item now;

    if (w->is_put || !w->found || !explain_entry_stored(q, t, &w->key, &now) ||
        now.len <= w->attributes || now.len > COMPARED)
        return;
    for (size_t i = 0; i < now.len; i++)
        for (size_t k = 0; k < i; k++)
            if (*explain_near_case(now.at[k].name, now.at[i].name))
                say_hint(q, ADVICE_NOTE, "two-cases",
                         "the item has % and %: case counts, they are two attributes",
                         now.at[k].name, now.at[i].name);
}

/* A delete of what is not there succeeds: what is near it. */
static void say_not_deleted(struct inquiry *q, const struct table *t, const struct written *w)
{
    struct target target;

    if (w->found)
        return;
    if (explain_read_item(q, t, &w->key, &target))
        (void)explain_empty_item(q, &target);
    q->reason = say_text_span(q, "nothing was deleted: %",
                              q->reason.len ? q->reason
                                            : SPAN_LIT("there is no item with this key"));
}

void explain_write(struct inquiry *q, const struct write_before *before)
{
    const struct written *w = before->entries;
    const struct table *t;
    struct item now;

    if (!before->is_single || !before->entry_count || op_target_find_named(&q->call, w->table, &t))
        return;
    if (q->call.op->form == OP_DELETE) {
        say_not_deleted(q, t, w);
        return;
    }
    if (explain_entry_stored(q, t, &w->key, &now)) {
        note_expiry(q, t, w, &now);
        if (item_size(&now) >= NEAR_LIMIT)
            say_hint(q, ADVICE_NOTE, "large-item", "the item has % KB of 400 KB at most",
                     item_size(&now) / LIMIT_KB);
        note_unlike(q, t, w, &now);
    }
    say_typed_twice(q, w);
    note_two_cases(q, t, w);
    if (lost_attributes(w))
        say_why(q,
                "this put replaced an item of % attributes by one of %: UpdateItem changes some "
                "and keeps the rest",
                w->attributes, wire_count(wire_get(w->action, "Item")));
    if (!w->is_put && !w->found && !is_conditional(w)) {
        if (begins_items(q, w))
            say_hint(q, ADVICE_NOTE, "item-made", "no item had this key, so this update made one");
        else
            say_why(q,
                    "no item had this key, so one was made: with the condition "
                    "attribute_exists(%) it would have been refused",
                    t->keys.hash[0].name);
    }
    note_one_item(q, t, w);
    note_not_unique(q, t, w);
}

/* --- batches and transactions ----------------------------------------------------------------- */

#define ENTRIES_SHOWN 3

static bool is_action(const struct written *w, const char *batch, const char *transaction)
{
    struct span name = wire_name(w->action);

    return span_is(name, batch) || span_is(name, transaction);
}

/* Entries that did something else than is often meant, as a note. */
static const struct surprise {
    const char *name, *text;
} surprises[] = {
    {"nothing-deleted", "no item had the key of the delete"},
    {"put-replaced", "a put replaced an item that had more attributes, which are gone"},
    {"item-made", "no item had this key, so the update made one"},
};

/* COUNT(surprises): it did what is meant. */
static size_t surprise_of(struct inquiry *q, const struct written *w)
{
    if (w->left)
        return COUNT(surprises);
    if (!w->found && is_action(w, "DeleteRequest", "Delete"))
        return 0;
    if (lost_attributes(w))
        return 1;
    return !w->found && is_action(w, "", "Update") && !is_conditional(w) && !begins_items(q, w)
               ? 2
               : COUNT(surprises);
}

/* "no item had the key of the delete: Users id "u9", Users id "u10" and 3 more (5 of 25)" */
static void add_surprise(struct inquiry *q, const struct write_before *all, size_t number)
{
    struct buf list = buf_in(q->arena);
    size_t count = 0;

    for (size_t i = 0; i < all->entry_count; i++)
        if (surprise_of(q, &all->entries[i]) == number && ++count <= ENTRIES_SHOWN)
            say_add(&list, "%% %", count > 1 ? ", " : "", all->entries[i].table,
                    &all->entries[i].key);
    if (count > ENTRIES_SHOWN)
        say_add(&list, " and % more", count - ENTRIES_SHOWN);
    if (count)
        say_hint(q, ADVICE_NOTE, surprises[number].name, "%: % (% of %)", surprises[number].text,
                 buf_text(&list), count, all->entry_count);
}

/* Keys or writes that a batch left, and why. */
static bool note_unprocessed(struct inquiry *q)
{
    const struct disturbance *d = q->record->disturbance;
    bool reads = q->call.op->form == OP_BATCH_GET;
    struct inquiry_use use = inquiry_used(q->record);
    size_t left = use.unprocessed;
    const char *why = reads ? "the table has no read units left"
                            : "the table has no write units left";

    if (!left)
        return false;
    if (d && d->unprocessed >= left)
        why = say_text(q, "fault rule % leaves them", (size_t)d->rule);
    else if (reads && use.bytes + LIMIT_ITEM_BYTES > LIMIT_BATCH_BYTES)
        why = "the answer is full at 16 MB";
    else if (wire_raw(q->call.body).len > ENTRIES_BODY)
        why = "they were left";
    say_hint(q, ADVICE_HINT, "unprocessed", "% % not %: %; send % again, each time later",
             say_count(left, reads ? "key" : "write"), left == 1 ? "was" : "were",
             reads ? "read" : "done", why, reads ? "UnprocessedKeys" : "UnprocessedItems");
    return true;
}

/* Marks the writes that the answer leaves to be sent again. */
static void mark_left(struct inquiry *q, const struct write_before *before)
{
    const wire_node *reply, *n;
    const struct table *t;
    struct item key;

    if (wire_parse(q->arena, q->record->reply, &reply))
        return;
    for (n = wire_first(wire_get(reply, "UnprocessedItems")); n; n = wire_next(n))
        for (const wire_node *m = wire_first(n); m; m = wire_next(m)) {
            bool known = explain_entry_key_of(q, wire_name(n), wire_first(m), &t, &key);

            for (size_t i = 0; known && i < before->entry_count; i++)
                before->entries[i].left = before->entries[i].left ||
                                          (span_equal(before->entries[i].table, wire_name(n)) &&
                                           item_equal(&before->entries[i].key, &key));
        }
}

void explain_write_entries(struct inquiry *q, const struct write_before *before)
{
    const struct error *e = q->record->error;
    const struct table *t;

    if (e && e->kind == ERROR_TRANSACTION_CANCELED && before->entry_count > 1)
        say_hint(q, ADVICE_NOTE, "nothing-done",
                 "no action of the % was done, because one of them failed", before->entry_count);
    if (e || before->is_single)
        return;
    if (note_unprocessed(q))
        mark_left(q, before);
    for (size_t i = 0; i < COUNT(surprises); i++)
        add_surprise(q, before, i);
    for (size_t i = 0, hints = q->hint_count; i < before->entry_count && q->hint_count == hints;
         i++)
        if (!op_target_find_named(&q->call, before->entries[i].table, &t)) {
            q->entry = before->entries[i].action;
            note_not_unique(q, t, &before->entries[i]);
            q->entry = q->call.body;
        }
}

/* What an entry did; of one that is refused with others, the code of its own error. */
static const char *deed_of(const struct error *e, const struct written *w)
{
    if (e && w->number <= e->reason_count && e->reasons[w->number - 1])
        return error_name(e->reasons[w->number - 1]->kind);
    if (e)
        return "not done";
    if (w->left)
        return "unprocessed";
    if (is_action(w, "", "ConditionCheck"))
        return "checked";
    if (is_action(w, "DeleteRequest", "Delete"))
        return w->found ? "deleted" : "did not exist";
    return !w->found ? "made" : w->is_put ? "replaced" : "updated";
}

void explain_write_put_entries(struct inquiry *q, struct wire_writer *w)
{
    const struct error *e = q->record ? q->record->error : NULL;
    const struct write_before *before = q->before;

    if (!before || before->is_single || !before->entry_count || (e && !e->reason_count))
        return;
    wire_open_member(w, "entries", '[');
    for (size_t i = 0; i < before->entry_count; i++) {
        const struct written *one = &before->entries[i];

        wire_open(w, '{');
        wire_put_member_integer(w, "number", (int64_t)one->number);
        wire_put_member_text(w, "action", wire_name(one->action));
        wire_put_member_text(w, "table", one->table);
        wire_key(w, "key");
        wire_put_item(w, &one->key);
        wire_put_member_word(w, "did", deed_of(e, one));
        wire_close(w, '}');
    }
    wire_close(w, ']');
}
