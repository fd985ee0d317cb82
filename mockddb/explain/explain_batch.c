#include "explain/explain_batch.h"

#include "model/limits.h"
#include "ops/op_target.h"

static const struct batch_form {
    enum op_form form;
    const char *list; /* of a table's part; NULL: the part is the list */
    size_t limit;
    const char *word;
} forms[] = {
    {OP_BATCH_GET, "Keys", LIMIT_BATCH_KEYS, "key"},
    {OP_BATCH_WRITE, NULL, LIMIT_BATCH_WRITES, "write"},
};

/* The primary key of an entry: a key itself, {"PutRequest": {"Item": …}} or {"DeleteRequest": …}.
 */
static bool key_of(struct inquiry *q, const struct table *t, const struct batch_form *form,
                   const wire_node *entry, struct item *out)
{
    const wire_node *request = form->list ? NULL : wire_first(entry);
    const wire_node *node = form->list                  ? entry
                            : wire_get(request, "Item") ? wire_get(request, "Item")
                                                        : wire_get(request, "Key");
    struct item it;

    if (!inquiry_read_item(q, node, &it))
        return false;
    for (size_t i = 0; i < t->keys.hash_count; i++)
        if (!item_find(&it, t->keys.hash[i].name))
            return false;
    for (size_t i = 0; i < t->keys.range_count; i++)
        if (!item_find(&it, t->keys.range[i].name))
            return false;
    *out = schema_key_of(q->arena, t, &it);
    return true;
}

static void find_twice(struct inquiry *q, const struct batch_form *form, const wire_node *part)
{
    const wire_node *list = form->list ? wire_get(part, form->list) : part;
    size_t count = wire_count(list), len = 0;
    struct item *keys = arena_array(q->arena, count, sizeof *keys);
    const struct table *t;

    if (op_target_find_named(&q->call, wire_name(part), &t))
        return;
    for (const wire_node *n = wire_first(list); n; n = wire_next(n), len++) {
        if (!key_of(q, t, form, n, &keys[len]))
            return;
        for (size_t i = 0; i < len; i++)
            if (item_equal(&keys[i], &keys[len]))
                inquiry_reason(q, "%ss %zu and %zu of %.*s are the same item", form->word, i + 1,
                               len + 1, SPAN_ARG(wire_name(part)));
    }
}

static void look(struct inquiry *q, const struct batch_form *form)
{
    const wire_node *tables = wire_get(q->call.body, "RequestItems");
    size_t count = 0;

    for (const wire_node *n = wire_first(tables); n; n = wire_next(n))
        count += wire_count(form->list ? wire_get(n, form->list) : n);
    if (count > form->limit) {
        inquiry_reason(q, "%zu %ss: at most %zu fit into one %s", count, form->word, form->limit,
                       q->call.op->name);
        return;
    }
    for (const wire_node *n = wire_first(tables); n && !q->reason.len; n = wire_next(n))
        find_twice(q, form, n);
}

/* The item of an action. */
struct acted {
    const struct table *table;
    struct item key;
};

static bool read_action(struct inquiry *q, const wire_node *action, struct acted *out)
{
    struct span name = wire_text(wire_get(action, "TableName"));
    const wire_node *item = wire_get(action, "Item");
    struct item it;

    if (op_target_find_named(&q->call, name, &out->table) ||
        !inquiry_read_item(q, item ? item : wire_get(action, "Key"), &it))
        return false;
    out->key = item ? schema_key_of(q->arena, out->table, &it) : it;
    return true;
}

static void find_acted_twice(struct inquiry *q, const wire_node *actions)
{
    struct acted *acted = arena_array(q->arena, wire_count(actions), sizeof *acted);
    size_t len = 0;

    for (const wire_node *n = wire_first(actions); n; n = wire_next(n), len++) {
        if (!read_action(q, wire_first(n), &acted[len]))
            return;
        for (size_t i = 0; i < len; i++)
            if (acted[i].table == acted[len].table && item_equal(&acted[i].key, &acted[len].key))
                inquiry_reason(q, "actions %zu and %zu are about the same item: %s", i + 1, len + 1,
                               q->call.op->access == OP_READS
                                   ? "a transaction reads it once"
                                   : "what is asked of it goes into one Update, its condition "
                                     "with it");
    }
}

static void look_at_transaction(struct inquiry *q)
{
    const wire_node *actions = wire_get(q->call.body, "TransactItems");
    size_t count = wire_count(actions);

    if (count > LIMIT_ACTIONS)
        inquiry_reason(q, "%zu actions: at most %d fit into one transaction", count, LIMIT_ACTIONS);
    else
        find_acted_twice(q, actions);
}

void explain_batch(struct inquiry *q)
{
    for (size_t i = 0; i < COUNT(forms); i++)
        if (q->call.op->form == forms[i].form)
            look(q, &forms[i]);
    look_at_transaction(q);
}
