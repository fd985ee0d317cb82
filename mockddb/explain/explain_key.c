#include "explain/explain_key.h"

#include "explain/explain_statement.h"
#include "explain/explain_trial.h"
#include "expr/expr_reserved.h"
#include "model/num.h"
#include "ops/key_check.h"
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

/* --- words ------------------------------------------------------------------------------------ */

bool explain_key_sent(struct inquiry *q, struct item *out)
{
    const wire_node *key = wire_get(q->entry, "Key"), *it = wire_get(q->entry, "Item");

    return inquiry_read_item(q, key ? key : it ? it : q->entry, out);
}

static bool find_table(struct inquiry *q, const struct refusal *r, const struct table **out)
{
    return !op_target_find_named(&q->call, r->why->beside, out);
}

/* An attribute that does not belong to the key, and the index that it belongs to. */
void explain_key_stranger(struct inquiry *q, const struct refusal *r)
{
    struct span name = r->why->operand;
    const struct attr *value;
    const struct index *ix;
    const struct table *t;
    struct item sent;

    if (!find_table(q, r, &t))
        return;
    if (!(ix = index_of(t, name))) {
        inquiry_reason(q, "%.*s is no key of %.*s, whose key is %s", SPAN_ARG(name),
                       SPAN_ARG(t->name), inquiry_schema(q, &t->keys));
        return;
    }
    inquiry_reason(q, "%.*s is no key of %.*s (%s); it is the key of %.*s, which a Query asks",
                   SPAN_ARG(name), SPAN_ARG(t->name), inquiry_schema(q, &t->keys),
                   SPAN_ARG(ix->name));
    if (explain_key_sent(q, &sent) && (value = item_find(&sent, name)))
        explain_key_propose_query(q, t, ix, name, value);
}

void explain_key_missing(struct inquiry *q, const struct refusal *r)
{
    const struct attr *hash;
    const struct table *t;
    struct item sent;

    if (wire_get(q->entry, "Statement"))
        explain_statement_key(q, r);
    if (q->reason.len || !find_table(q, r, &t))
        return;
    inquiry_reason(q, "the key of %.*s is %s: %.*s is missing", SPAN_ARG(t->name),
                   inquiry_schema(q, &t->keys), SPAN_ARG(r->why->operand));
    if (!explain_key_sent(q, &sent) || sent.len != 1 || wire_get(q->entry, "Item"))
        return;
    hash = item_find(&sent, t->keys.hash[0].name);
    if (hash && t->keys.hash_count == 1 && hash->type == t->keys.hash[0].type)
        explain_key_propose_query(q, t, NULL, t->keys.hash[0].name, hash);
}

/* The value of the attribute that is sent: in a key, an item, or as a placeholder's value. */
static const struct attr *find_sent(struct inquiry *q, const struct refusal *r, struct attr *out)
{
    const struct attr *value;
    struct item sent;

    if (explain_key_sent(q, &sent) && (value = item_find(&sent, r->why->operand))) {
        *out = *value;
        return out;
    }
    for (const wire_node *n = wire_first(wire_get(q->entry, EXPLAIN_VALUES)); n; n = wire_next(n))
        if (inquiry_read_attr(q, n, out) && (int)out->type == r->why->found)
            return out;
    return NULL;
}

void explain_key_type(struct inquiry *q, const struct refusal *r)
{
    struct attr value, typed = {.type = (enum attr_type)r->why->wanted};
    const struct attr *sent = find_sent(q, r, &value);
    enum attr_type found = (enum attr_type)r->why->found;

    if (wire_get(q->entry, "Statement")) {
        explain_statement_type(q, r);
        return;
    }
    if (sent && explain_key_is_typed_twice(sent)) {
        inquiry_reason(q,
                       "%.*s is a map with one member \"%.*s\": it looks typed twice, document "
                       "clients add the type",
                       SPAN_ARG(r->why->operand), SPAN_ARG(sent->map.at[0].name));
        return;
    }
    inquiry_reason(q, "%.*s is declared %s, the request sends %s", SPAN_ARG(r->why->operand),
                   attr_type_code(typed.type), attr_type_code(found));
    explain_expression_mark_name(q, "UpdateExpression", r->why->operand);
    if (!sent || found > ATTR_N || typed.type > ATTR_N)
        return;
    typed.bytes = sent->bytes;
    explain_trial_propose_value(q, sent, &typed);
}

void explain_key_index_type(struct inquiry *q, const struct refusal *r)
{
    bool is_empty = r->why->cause == CAUSE_INDEX_EMPTY;

    if (!is_empty && r->why->found != ATTR_NULL) {
        explain_key_type(q, r);
        return;
    }
    inquiry_reason(q,
                   "%.*s is a key of %.*s and cannot be %s: leave the attribute out to keep the "
                   "item out of the index",
                   SPAN_ARG(r->why->operand), SPAN_ARG(r->why->beside),
                   is_empty ? "empty" : "NULL");
    explain_expression_mark_name(q, "UpdateExpression", r->why->operand);
}

const struct error *explain_key_mended(struct inquiry *q, const struct error_why *why,
                                       struct item *sent)
{
    /* A sound text, number and base64 alike. */
    struct attr fit = {.type = (enum attr_type)why->wanted, .bytes = SPAN_LIT("1")};
    struct field *fields = arena_array(q->arena, sent->len + 1, sizeof *fields);
    const struct table *t;
    size_t len = 0;

    if (op_target_find_named(&q->call, why->beside, &t))
        return NULL;
    for (size_t i = 0; i < sent->len; i++)
        if (!span_equal(sent->at[i].name, why->operand))
            fields[len++] = sent->at[i];
    if (why->cause != CAUSE_KEY_STRANGER)
        fields[len++] = (struct field){why->operand, fit};
    *sent = (struct item){.at = fields, .len = len};
    return wire_get(q->entry, "Item") ? key_check_item(q->arena, t, sent)
                                      : key_check_parameter(q->arena, t, sent);
}
