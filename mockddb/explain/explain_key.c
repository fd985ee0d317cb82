#include "explain/explain_key.h"

#include "explain/explain_entry.h"
#include "explain/explain_trial.h"
#include "expr/expr_reserved.h"
#include "model/num.h"
#include "ops/op_target.h"
#include "wire/wire_attr.h"

/* An index of the table whose partition key is this attribute alone, or NULL. */
static const struct index *index_of(const struct table *t, struct span name)
{
    for (size_t i = 0; i < t->index_count; i++) {
        const struct index *ix = &t->indexes[i];

        if (ix->keys.hash_count == 1 && span_equal(ix->keys.hash[0].name, name))
            return ix;
    }
    return NULL;
}

bool explain_key_is_typed_twice(const struct attr *value)
{
    const struct field *member = value->map.at;
    struct num number;

    if (value->type != ATTR_M || value->map.len != 1)
        return false;
    if (span_is(member->name, "S"))
        return member->value.type == ATTR_S;
    return span_is(member->name, "N") && member->value.type <= ATTR_N &&
           num_parse(member->value.bytes, false, &number) == NUM_OK;
}

/* An attribute's name in a command, or its placeholder where it is a reserved word. */
static const char *name_in(struct inquiry *q, struct span name, const char *placeholder)
{
    return expr_is_reserved(name) ? placeholder : arena_text(q->arena, name);
}

static void put_names(struct wire_writer *w, struct span hash, struct span sort)
{
    bool hash_too = expr_is_reserved(hash), sort_too = sort.at && expr_is_reserved(sort);

    if (!hash_too && !sort_too)
        return;
    wire_open_member(w, "ExpressionAttributeNames", '{');
    if (hash_too)
        wire_put_member_text(w, "#k", hash);
    if (sort_too)
        wire_put_member_text(w, "#s", sort);
    wire_close(w, '}');
}

/* hash = :v, and with a sort key's value, begins_with(sort, :s) */
static void propose(struct inquiry *q, const struct table *t, const struct index *ix,
                    const struct field *hash, const struct field *sort)
{
    struct field fields[] = {{SPAN_LIT(":v"), hash->value},
                             {SPAN_LIT(":s"), sort ? sort->value : hash->value}};
    struct item values = {.at = fields, .len = sort ? 2 : 1};
    const char *condition = arena_printf(q->arena, "%s = :v", name_in(q, hash->name, "#k"));
    struct buf body = buf_in(q->arena);
    struct wire_writer w = {&body, false};

    if (sort)
        condition = arena_printf(q->arena, "%s AND begins_with(%s, :s)", condition,
                                 name_in(q, sort->name, "#s"));
    wire_open(&w, '{');
    wire_put_member_text(&w, "TableName", t->name);
    if (ix)
        wire_put_member_text(&w, "IndexName", ix->name);
    wire_put_member_text(&w, "KeyConditionExpression", span_of(condition));
    put_names(&w, hash->name, sort ? sort->name : (struct span){NULL, 0});
    wire_key(&w, "ExpressionAttributeValues");
    wire_put_item(&w, &values);
    wire_close(&w, '}');
    (void)explain_trial_propose(q, "Query", buf_span(&body), &q->proposal);
}

void explain_key_propose_query(struct inquiry *q, const struct table *t, const struct index *ix,
                               struct span name, const struct attr *value)
{
    propose(q, t, ix, &(struct field){name, *value}, NULL);
}

void explain_key_propose_beginning(struct inquiry *q, const struct table *t,
                                   const struct attr *hash, const struct attr *sort)
{
    propose(q, t, NULL, &(struct field){t->keys.hash[0].name, *hash},
            &(struct field){t->keys.range[0].name, *sort});
}

/* --- values ----------------------------------------------------------------------------------- */

static void wrong_type(struct inquiry *q, const struct key_part *part, const struct attr *value)
{
    const char *name = arena_text(q->arena, part->name);

    if (explain_key_is_typed_twice(value))
        inquiry_reason(q,
                       "%s is a map with one member \"%.*s\": it looks typed twice, document "
                       "clients add the type",
                       name, SPAN_ARG(value->map.at[0].name));
    else {
        struct attr typed = {.type = part->type, .bytes = value->bytes};

        inquiry_reason(q, "%s is declared %s, the request sends %s", name,
                       attr_type_code(part->type), attr_type_code(value->type));
        if (q->call.op->access == OP_READS && value->type <= ATTR_B && part->type <= ATTR_N)
            explain_trial_propose_value(q, value, &typed);
    }
}

/* A part of a table's key. */
static bool check_part(struct inquiry *q, const struct table *t, const struct key_part *part,
                       const struct item *it)
{
    const struct attr *value = item_find(it, part->name);

    if (!value)
        inquiry_reason(q, "the key of %.*s is %s: %.*s is missing", SPAN_ARG(t->name),
                       inquiry_schema(q, &t->keys), SPAN_ARG(part->name));
    else if (value->type != part->type)
        wrong_type(q, part, value);
    else if (!value->bytes.len)
        inquiry_reason(q, "%.*s is empty, which a key cannot be", SPAN_ARG(part->name));
    return q->reason.len != 0;
}

static bool check_parts(struct inquiry *q, const struct table *t, const struct item *it)
{
    for (size_t i = 0; i < t->keys.hash_count; i++)
        if (check_part(q, t, &t->keys.hash[i], it))
            return true;
    for (size_t i = 0; i < t->keys.range_count; i++)
        if (check_part(q, t, &t->keys.range[i], it))
            return true;
    return false;
}

/* --- a Key ------------------------------------------------------------------------------------ */

/* An attribute that does not belong, and the index that it belongs to. */
static bool check_others(struct inquiry *q, const struct table *t, const struct item *key)
{
    for (size_t i = 0; i < key->len; i++) {
        struct span name = key->at[i].name;
        const struct index *ix = index_of(t, name);

        if (schema_is_key(&t->keys, name))
            continue;
        if (ix) {
            inquiry_reason(
                q, "%.*s is no key of %.*s (%s); it is the key of %.*s, which a Query asks",
                SPAN_ARG(name), SPAN_ARG(t->name), inquiry_schema(q, &t->keys), SPAN_ARG(ix->name));
            explain_key_propose_query(q, t, ix, name, &key->at[i].value);
        } else {
            inquiry_reason(q, "%.*s is no key of %.*s, whose key is %s", SPAN_ARG(name),
                           SPAN_ARG(t->name), inquiry_schema(q, &t->keys));
        }
        return true;
    }
    return false;
}

static void check_key(struct inquiry *q, const struct table *t, const wire_node *node)
{
    const struct attr *hash;
    struct item key;

    if (!inquiry_read_item(q, node, &key) || check_others(q, t, &key) || !check_parts(q, t, &key))
        return;
    hash = item_find(&key, t->keys.hash[0].name);
    if (key.len == 1 && hash && t->keys.hash_count == 1 && hash->type == t->keys.hash[0].type)
        explain_key_propose_query(q, t, NULL, t->keys.hash[0].name, hash);
}

/* --- an Item ---------------------------------------------------------------------------------- */

static void check_index_part(struct inquiry *q, const struct index *ix, const struct key_part *part,
                             const struct item *it)
{
    const struct attr *value = item_find(it, part->name);

    if (!value || (value->type == part->type && value->bytes.len))
        return;
    if (value->type == ATTR_NULL || value->type == part->type)
        inquiry_reason(q,
                       "%.*s is a key of %.*s and cannot be %s: leave the attribute out to keep "
                       "the item out of the index",
                       SPAN_ARG(part->name), SPAN_ARG(ix->name),
                       value->type == ATTR_NULL ? "NULL" : "empty");
    else
        wrong_type(q, part, value);
}

void explain_key_check_indexes(struct inquiry *q, const struct table *t, const struct item *it)
{
    for (size_t i = 0; i < t->index_count; i++) {
        const struct index *ix = &t->indexes[i];

        for (size_t k = 0; k < ix->keys.hash_count; k++)
            check_index_part(q, ix, &ix->keys.hash[k], it);
        for (size_t k = 0; k < ix->keys.range_count; k++)
            check_index_part(q, ix, &ix->keys.range[k], it);
    }
}

static void check_item(struct inquiry *q, const struct table *t, const wire_node *node)
{
    struct item it;

    if (inquiry_read_item(q, node, &it) && !check_parts(q, t, &it))
        explain_key_check_indexes(q, t, &it);
}

/* --- all -------------------------------------------------------------------------------------- */

static void check_entry(struct inquiry *q, const struct table *t, const wire_node *entry)
{
    const wire_node *key = wire_get(entry, "Key"), *it = wire_get(entry, "Item");

    if (key)
        check_key(q, t, key);
    else if (it)
        check_item(q, t, it);
}

static void look_at_key(struct inquiry *q, void *table)
{
    check_key(q, *(const struct table **)table, q->entry);
}

static void look_at_write(struct inquiry *q, void *table)
{
    check_entry(q, *(const struct table **)table, q->entry);
}

/* A table's part of a batch. */
static void check_part_of_batch(struct inquiry *q, const wire_node *part)
{
    const wire_node *keys = wire_get(part, "Keys"), *list = keys ? keys : part;
    const struct table *t;
    size_t at = 0;

    if (op_target_find_named(&q->call, wire_name(part), &t))
        return;
    for (const wire_node *n = wire_first(list); n; n = wire_next(n)) {
        const char *about = arena_printf(q->arena, "%s %zu of %.*s: ", keys ? "key" : "write", ++at,
                                         SPAN_ARG(wire_name(part)));

        if (keys)
            explain_entry_look(q, n, about, look_at_key, &t);
        else
            explain_entry_look(q, wire_first(n), about, look_at_write, &t);
    }
}

static void look_at_entry(struct inquiry *q, void *nothing)
{
    const struct table *t;

    (void)nothing;
    if (explain_entry_table(q, &t))
        check_entry(q, t, q->entry);
}

void explain_key(struct inquiry *q)
{
    for (const wire_node *n = wire_first(wire_get(q->call.body, "RequestItems")); n;
         n = wire_next(n))
        check_part_of_batch(q, n);
    explain_entry_each(q, look_at_entry, NULL);
}
