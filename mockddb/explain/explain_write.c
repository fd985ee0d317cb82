#include "explain/explain_write.h"

#include "base/ascii.h"
#include "explain/explain_empty.h"
#include "explain/explain_key.h"
#include "explain/explain_rows.h"
#include "expr/expr_lex.h"
#include "model/item_codec.h"
#include "model/key.h"
#include "model/limits.h"
#include "ops/key_check.h"
#include "ops/op_target.h"
#include "wire/wire_attr.h"

#include <inttypes.h>

/* The table, and the key that is written to. */
static bool find_key(struct inquiry *q, const struct table **t, struct item *key)
{
    const wire_node *put = wire_get(q->call.body, "Item");
    const wire_node *node = put ? put : wire_get(q->call.body, "Key");
    struct item it;

    if (!node || op_target_find(&q->call, t) || !inquiry_read_item(q, node, &it) ||
        (put && key_check_item(q->arena, *t, &it)))
        return false;
    *key = put ? schema_key_of(q->arena, *t, &it) : it;
    return !key_check_parameter(q->arena, *t, key);
}

#define TARGET(name) SPAN_LIT_INIT("DynamoDB_20120810." name)

static const struct span singles[] = {TARGET("PutItem"), TARGET("UpdateItem"),
                                      TARGET("DeleteItem")};
static const struct span several[] = {TARGET("BatchWriteItem"), TARGET("TransactWriteItems")};

static bool is_one_of(struct span target, const struct span *targets, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (span_equal(target, targets[i]))
            return true;
    return false;
}

#define ENTRIES_BODY ((size_t)1 << 20) /* of a longer batch the items before it are not read */

/* {"PutRequest": {"Item": …}} of a batch, {"Put": {"TableName": …, "Item": …}} of a transaction. */
static void add_entry(struct inquiry *q, struct write_before *all, struct span table,
                      const wire_node *entry, size_t number)
{
    const wire_node *action = wire_first(entry), *put = wire_get(action, "Item");
    struct written *w = &all->entries[all->entry_count];
    struct buf position = buf_in(q->arena);
    const struct table *t;
    struct store_row row;
    struct item it;

    if (op_target_find_named(&q->call, table, &t) ||
        !inquiry_read_item(q, put ? put : wire_get(action, "Key"), &it) ||
        (put && key_check_item(q->arena, t, &it)))
        return;
    *w = (struct written){
        .action = action, .table = table, .is_put = put != NULL, .number = number};
    w->key = put ? schema_key_of(q->arena, t, &it) : it;
    if (key_check_parameter(q->arena, t, &w->key))
        return;
    key_of_item(&position, t, &w->key);
    if (unit_get(q->call.unit, buf_span(&position), &row))
        return;
    w->found = row.found;
    w->attributes = row.found ? item_decode(q->arena, row.body).len : 0;
    all->entry_count++;
}

static void read_entries(struct inquiry *q, struct write_before *out)
{
    const wire_node *tables = wire_get(q->call.body, "RequestItems");
    const wire_node *actions = wire_get(q->call.body, "TransactItems");
    size_t count = wire_count(actions), number = 0;

    for (const wire_node *n = wire_first(tables); n; n = wire_next(n))
        count += wire_count(n);
    if (count > LIMIT_ACTIONS)
        return;
    out->entries = arena_array(q->arena, count + 1, sizeof *out->entries);
    for (const wire_node *n = wire_first(tables); n; n = wire_next(n))
        for (const wire_node *m = wire_first(n); m; m = wire_next(m))
            add_entry(q, out, wire_name(n), m, ++number);
    for (const wire_node *n = wire_first(actions); n; n = wire_next(n))
        add_entry(q, out, wire_text(wire_get(wire_first(n), "TableName")), n, ++number);
}

static void read_item(struct inquiry *q, struct write_before *out)
{
    struct buf position = buf_in(q->arena);
    const struct table *t;
    struct store_row row;
    struct item key;

    if (!find_key(q, &t, &key))
        return;
    key_of_item(&position, t, &key);
    out->known = !unit_get(q->call.unit, buf_span(&position), &row);
    out->found = out->known && row.found;
    if (out->found)
        out->attributes = item_decode(q->arena, row.body).len;
}

struct write_before explain_write_before(struct inquiry *q, const struct request *request)
{
    struct write_before before = {.known = false};
    bool single = is_one_of(request->target, singles, COUNT(singles));

    if (!single &&
        (request->body.len > ENTRIES_BODY || !is_one_of(request->target, several, COUNT(several))))
        return before;
    if (wire_parse(q->arena, request->body, &q->call.body))
        return before;
    inquiry_go_on(q);
    if (q->call.unit && single)
        read_item(q, &before);
    else if (q->call.unit)
        read_entries(q, &before);
    if (q->call.unit)
        unit_undo(q->call.unit);
    q->call.unit = NULL;
    return before;
}

/* --- after ------------------------------------------------------------------------------------ */

static bool is_conditional(const struct inquiry *q)
{
    return wire_get(q->call.body, "ConditionExpression") || wire_get(q->call.body, "Expected");
}

static void replaced(struct inquiry *q, const struct write_before *before, bool is_put)
{
    size_t attributes = wire_count(wire_get(q->call.body, "Item"));

    if (is_put && before->found && attributes < before->attributes && !is_conditional(q))
        inquiry_reason(q,
                       "this put replaced an item of %zu attributes by one of %zu: UpdateItem "
                       "changes some and keeps the rest",
                       before->attributes, attributes);
}

/* ADD, or a value of if_not_exists: the update is written so that it can begin an item. */
static bool begins_items(const wire_node *update)
{
    struct span text = wire_text(wire_get(update, "UpdateExpression"));
    struct lexer lexer = {GRAMMAR_UPDATE, text};
    struct token token;

    while (text.len && (token = expr_lex(&lexer)).kind != TOKEN_END)
        if (token.kind == TOKEN_ADD || span_is(token.text, "if_not_exists"))
            return true;
    for (const wire_node *n = wire_first(wire_get(update, "AttributeUpdates")); n; n = wire_next(n))
        if (span_is(wire_text(wire_get(n, "Action")), "ADD"))
            return true;
    return false;
}

static void made(struct inquiry *q, const struct write_before *before, const struct table *t,
                 bool is_put)
{
    struct span key = t->keys.hash[0].name;

    if (is_put || before->found || is_conditional(q))
        return;
    if (begins_items(q->call.body))
        inquiry_hint(q, ADVICE_NOTE, "item-made", "no item had this key, so this update made one");
    else
        inquiry_reason(q,
                       "no item had this key, so one was made: with the condition "
                       "attribute_exists(%.*s) it would have been refused",
                       SPAN_ARG(key));
}

/* attribute_not_exists(pk), under a partition key that is in use. */
static void only_one_item(struct inquiry *q, const struct table *t, const struct item *key)
{
    struct span condition = wire_text(wire_get(q->call.body, "ConditionExpression"));
    const struct rows r = {t, NULL};
    struct store_range range;

    if (!condition.len || !t->keys.range_count || t->keys.hash_count != 1 ||
        !span_starts_with(condition, SPAN_LIT("attribute_not_exists")))
        return;
    range = explain_rows_partition(q, &r, item_find(key, t->keys.hash[0].name));
    if (explain_rows_count_range(q, &range, 2) < 2)
        return;
    inquiry_hint(q, ADVICE_NOTE, "condition-of-one-item",
                 "the condition looks at the one item with this %s, not at the other items of the "
                 "partition",
                 inquiry_names(q, (struct span[]){t->keys.hash[0].name, t->keys.range[0].name}, 2));
}

/* Another item has the value of which attribute_not_exists(email) seems to make sure. */
struct other_holder {
    const struct table *table;
    const struct item *key;
    struct span name;
    struct attr value;
};

static bool look_for_other(struct inquiry *q, const struct item *it, void *data)
{
    const struct other_holder *h = data;
    const struct attr *value = item_find(it, h->name);
    struct item key = schema_key_of(q->arena, h->table, it);

    return value && attr_equal(value, &h->value) && !item_equal(&key, h->key);
}

#define OTHERS 1000 /* items that are looked at for it */

/* attribute_not_exists(email), where email is not part of the key. */
static void not_unique(struct inquiry *q, const wire_node *write, const struct table *t,
                       const struct item *key)
{
    struct span condition = wire_text(wire_get(write, "ConditionExpression"));
    struct lexer lexer = {GRAMMAR_CONDITION, condition};
    struct token function = expr_lex(&lexer), open = expr_lex(&lexer), name = expr_lex(&lexer);
    struct other_holder h = {.table = t, .key = key, .name = name.text};
    struct rows r = {t, NULL};
    struct store_range all = explain_rows_all(q, &r);
    const wire_node *value;

    if (!condition.len || !span_is(function.text, "attribute_not_exists") ||
        open.kind != TOKEN_OPEN)
        return;
    if (name.kind == TOKEN_NAME)
        h.name = wire_text(wire_get_span(wire_get(write, "ExpressionAttributeNames"), name.text));
    value = wire_get_span(wire_get(write, "Item"), h.name);
    if (!value || schema_is_key(&t->keys, h.name) || !inquiry_read_attr(q, value, &h.value))
        return;
    if (explain_rows_find(q, &all, OTHERS, look_for_other, &h))
        inquiry_hint(
            q, ADVICE_NOTE, "condition-of-one-item",
            "attribute_not_exists(%.*s) looks at the item with this key only: another item "
            "has %.*s %s",
            SPAN_ARG(h.name), SPAN_ARG(h.name), inquiry_value(q, &h.value));
}

/* An attribute that a document client was given with its type. */
static void typed_twice(struct inquiry *q)
{
    for (const wire_node *n = wire_first(wire_get(q->call.body, "Item")); n; n = wire_next(n)) {
        struct attr value;

        if (inquiry_read_attr(q, n, &value) && explain_key_is_typed_twice(&value))
            inquiry_reason(
                q,
                "%.*s looks typed twice, it is stored as a map with one member \"%.*s\": "
                "document clients add the type",
                SPAN_ARG(wire_name(n)), SPAN_ARG(value.map.at[0].name));
    }
}

/* What the write set the attribute to: in the item as it is now. */
static bool read_now(struct inquiry *q, const struct table *t, const struct item *key,
                     struct span name, struct attr *out)
{
    struct buf position = buf_in(q->arena);
    const struct attr *value;
    struct store_row row;
    struct item it;

    key_of_item(&position, t, key);
    if (unit_get(q->call.unit, buf_span(&position), &row) || !row.found)
        return false;
    it = item_decode_only(q->arena, row.body, &name, 1);
    value = item_find(&it, name);
    if (value)
        *out = *value;
    return value != NULL;
}

#define YEAR_SECONDS 31556952

static int64_t year_of(struct span digits)
{
    int64_t seconds = 0;

    for (size_t i = 0; i < digits.len; i++)
        seconds = seconds * 10 + (digits.at[i] - '0');
    return 1970 + seconds / YEAR_SECONDS;
}

static bool is_integer(struct span text)
{
    for (size_t i = 0; i < text.len; i++)
        if (!ascii_is_digit(text.at[i]))
            return false;
    return true;
}

/* Time to live in milliseconds, or as text. */
static void expiry(struct inquiry *q, const struct table *t, const struct item *key)
{
    struct attr due;

    if (!t->ttl_attribute.len || !read_now(q, t, key, t->ttl_attribute, &due))
        return;
    if (due.type != ATTR_N)
        inquiry_reason(q, "%.*s is %s: the time to live is a number of seconds, so this item stays",
                       SPAN_ARG(t->ttl_attribute), attr_type_code(due.type));
    else if (is_integer(due.bytes) && due.bytes.len == 13)
        inquiry_reason(
            q,
            "%.*s looks like milliseconds (13 digits): as seconds, which the service reads, "
            "it is due in the year %" PRId64,
            SPAN_ARG(t->ttl_attribute), year_of(due.bytes));
}

/* A delete of what is not there succeeds: what is near it. */
static void deleted(struct inquiry *q, const struct write_before *before, const struct table *t,
                    const struct item *key)
{
    struct target target;

    if (before->found)
        return;
    if (explain_read_item(q, t, key, &target))
        (void)explain_empty_item(q, &target);
    if (q->reason.len)
        q->reason = span_of(
            arena_printf(q->arena, "nothing was deleted: %.*s", SPAN_ARG(q->reason)));
    else
        inquiry_reason(q, "nothing was deleted: there is no item with this key");
}

void explain_write(struct inquiry *q, const struct write_before *before)
{
    bool is_put = wire_get(q->call.body, "Item") != NULL;
    const struct table *t;
    struct item key;

    if (!before->known || !find_key(q, &t, &key))
        return;
    if (q->call.op->form == OP_DELETE) {
        deleted(q, before, t, &key);
        return;
    }
    expiry(q, t, &key);
    typed_twice(q);
    replaced(q, before, is_put);
    made(q, before, t, is_put);
    only_one_item(q, t, &key);
    not_unique(q, q->call.body, t, &key);
}

/* --- batches and transactions ----------------------------------------------------------------- */

#define ENTRIES_SHOWN 3

static bool is_action(const struct written *w, const char *batch, const char *transaction)
{
    struct span name = wire_name(w->action);

    return span_is(name, batch) || span_is(name, transaction);
}

static bool found_nothing(const struct written *w)
{
    return !w->found && is_action(w, "DeleteRequest", "Delete");
}

static bool lost_attributes(const struct written *w)
{
    return w->is_put && w->found && !wire_get(w->action, "ConditionExpression") &&
           wire_count(wire_get(w->action, "Item")) < w->attributes;
}

static bool made_item(const struct written *w)
{
    return !w->found && is_action(w, "", "Update") && !wire_get(w->action, "ConditionExpression") &&
           !begins_items(w->action);
}

/* Entries that did something else than is often meant, as a note. */
static const struct surprise {
    const char *name;
    bool (*is)(const struct written *w);
    const char *text;
} surprises[] = {
    {"nothing-deleted", found_nothing, "no item had the key of the delete"},
    {"put-replaced", lost_attributes,
     "a put replaced an item that had more attributes, which are gone"},
    {"item-made", made_item, "no item had this key, so the update made one"},
};

/* "no item had the key of the delete: Users id "u9", Users id "u10" and 3 more (5 of 25)" */
static void add_surprise(struct inquiry *q, const struct write_before *all,
                         const struct surprise *s)
{
    struct buf list = buf_in(q->arena);
    size_t count = 0;

    for (size_t i = 0; i < all->entry_count; i++) {
        const struct written *w = &all->entries[i];

        if (!s->is(w) || ++count > ENTRIES_SHOWN)
            continue;
        buf_printf(&list, "%s%.*s", count > 1 ? ", " : "", SPAN_ARG(w->table));
        for (size_t k = 0; k < w->key.len; k++)
            buf_printf(&list, "%s %.*s %s", k ? " and" : "", SPAN_ARG(w->key.at[k].name),
                       inquiry_value(q, &w->key.at[k].value));
    }
    if (count > ENTRIES_SHOWN)
        buf_printf(&list, " and %zu more", count - ENTRIES_SHOWN);
    if (count)
        inquiry_hint(q, ADVICE_NOTE, s->name, "%s: %s (%zu of %zu)", s->text, buf_text(&list),
                     count, all->entry_count);
}

/* Keys or writes that a batch left, and why. */
static bool unprocessed(struct inquiry *q)
{
    const struct disturbance *d = q->record->disturbance;
    bool reads = q->call.op->form == OP_BATCH_GET;
    size_t left = 0, bytes = 0;
    const char *why;

    for (const struct capacity *used = q->record->accounts; used; used = used->next) {
        left += used->unprocessed;
        bytes += used->bytes_read;
    }
    if (!left)
        return false;
    if (d && d->unprocessed >= left)
        why = arena_printf(q->arena, "fault rule %llu leaves them", (unsigned long long)d->rule);
    else if (reads && bytes + LIMIT_ITEM_BYTES > LIMIT_BATCH_BYTES)
        why = "the answer is full at 16 MB";
    else if (wire_raw(q->call.body).len > ENTRIES_BODY)
        why = "they were left";
    else
        why = reads ? "the table has no read units left" : "the table has no write units left";
    inquiry_hint(q, ADVICE_HINT, "unprocessed", "%s %s not %s: %s; send %s again, each time later",
                 inquiry_count(q, left, reads ? "key" : "write"), left == 1 ? "was" : "were",
                 reads ? "read" : "done", why, reads ? "UnprocessedKeys" : "UnprocessedItems");
    return true;
}

void explain_write_entries(struct inquiry *q, const struct write_before *before)
{
    if (q->record->error && q->record->error->kind == ERROR_TRANSACTION_CANCELED &&
        before->entry_count > 1)
        inquiry_hint(q, ADVICE_NOTE, "nothing-done",
                     "no action of the %zu was done, because one of them failed",
                     before->entry_count);
    if (q->record->error)
        return;
    if (unprocessed(q))
        return; /* what the other entries did is not known one by one */
    for (size_t i = 0; i < COUNT(surprises); i++)
        add_surprise(q, before, &surprises[i]);
    for (size_t i = 0, hints = q->hint_count; i < before->entry_count && q->hint_count == hints;
         i++) {
        const struct written *w = &before->entries[i];
        const struct table *t;

        if (w->is_put && !op_target_find_named(&q->call, w->table, &t))
            not_unique(q, w->action, t, &w->key);
    }
}

/* What an entry did; of one that is refused with others, the code of its own error. */
static const char *deed_of(const struct inquiry *q, const struct written *w)
{
    const struct error *e = q->record->error;

    if (e && w->number <= e->reason_count && e->reasons[w->number - 1])
        return error_name(e->reasons[w->number - 1]->kind);
    if (e)
        return "not done";
    if (is_action(w, "", "ConditionCheck"))
        return "checked";
    if (is_action(w, "DeleteRequest", "Delete"))
        return w->found ? "deleted" : "did not exist";
    return !w->found ? "made" : w->is_put ? "replaced" : "updated";
}

static bool left_some(const struct inquiry *q)
{
    size_t left = 0;

    for (const struct capacity *used = q->record->accounts; used; used = used->next)
        left += used->unprocessed;
    return left != 0;
}

void explain_write_put_entries(struct inquiry *q, struct wire_writer *w)
{
    const struct error *e = q->record ? q->record->error : NULL;
    const struct write_before *before = q->before;

    if (!before || !before->entry_count || left_some(q) || (e && !e->reason_count))
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
        wire_put_member_word(w, "did", deed_of(q, one));
        wire_close(w, '}');
    }
    wire_close(w, ']');
}
